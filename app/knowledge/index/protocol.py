"""The interfaces of the full-text index and the vector index of chunks.

Every call works inside the caller's transaction. Searching, adding and removing is synchronous, and is called on a
thread of the database. Chunks are identified by their ids.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Session

from app.database import models
from app.database.protocol import Database
from app.knowledge.index import terms
from app.knowledge.index.chunk_filter import ChunkFilter
from app.providers.base import Vectors


@dataclass(frozen=True, slots=True)
class ChunkTerms:
    """The terms of a chunk for the full-text index."""

    chunk_id: int
    terms: terms.CountedTerms


@dataclass(frozen=True, slots=True)
class SpaceKey:
    """Identifies an embedding space in the vector index. `number` counts the spaces of a project."""

    id: str
    number: int
    dimensions: int

    @classmethod
    def from_row(cls, row: models.EmbeddingSpace) -> "SpaceKey":
        """The key of a stored space."""
        return cls(row.id, row.number, row.dimensions)


@dataclass(frozen=True, slots=True)
class TextDiscrepancies:
    """Where the full-text index disagrees with the chunks; `stray_rows` belong to no chunk."""

    missing_chunks: tuple[int, ...]
    stray_rows: tuple[int, ...]
    miscounted_projects: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VectorDiscrepancies:
    """Where the vectors disagree with the chunks; `stray_rows`, as (dimensions, row), belong to no chunk."""

    missing_chunks: tuple[int, ...]
    stray_rows: tuple[tuple[int, int], ...]


class TextIndex(Protocol):
    """The full text of chunks, by project: scores never depend on other projects' chunks."""

    def add_texts(self, db: Session, project_id: str, chunks: Sequence[ChunkTerms]) -> int:
        """Index new chunks of a project; returns how many chunks it has now."""
        ...

    def remove_texts(self, db: Session, project_id: str, chunk_ids: Sequence[int]) -> None:
        """Remove chunks of a project; ignores chunks that are not indexed."""
        ...

    def search_texts(
        self, db: Session, project_id: str, query: str, limit: int, among: ChunkFilter | None = None
    ) -> dict[int, float]:
        """The best chunks by words: chunk id → share of the highest possible bm25 score, in [0, 1].

        `among` limits the search to some chunks. `query` is text as users write it: it has no syntax.
        """
        ...

    async def find_discrepancies(self, db: AsyncSession) -> TextDiscrepancies:
        """Compare the index with the chunks of all projects."""
        ...

    async def repair_discrepancies(self, db: AsyncSession, found: TextDiscrepancies) -> None:
        """Remove stray rows and correct counts; missing chunks must be indexed again."""
        ...


class VectorIndex(Protocol):
    """The vectors of chunks, by embedding space: vectors of different spaces are never compared."""

    def prepare_space(self, db: Session, space: SpaceKey) -> None:
        """Prepare the storage of a new space."""
        ...

    def add_vectors(self, db: Session, space: SpaceKey, chunk_ids: Sequence[int], vectors: Vectors) -> None:
        """Index row i of `vectors` for chunk i; every row has norm 1 or is zero."""
        ...

    def remove_vectors(self, db: Session, space: SpaceKey, chunk_ids: Sequence[int]) -> None:
        """Remove chunks from a space; ignores chunks that are not indexed."""
        ...

    def is_in_memory(self, space: SpaceKey) -> bool:
        """Whether the vectors of this space are in memory, where a search is much faster than a full-text search."""
        ...

    def forget_space(self, space: SpaceKey) -> None:
        """Free the memory that this process uses for a removed space."""
        ...

    def find_nearest(
        self, db: Session, space: SpaceKey, vector: Vectors, limit: int, among: ChunkFilter | None = None
    ) -> dict[int, float]:
        """The chunks nearest to a vector of shape (1, dimensions) and norm 1: chunk id → cosine.

        `among` limits the search to some chunks.
        """
        ...

    def find_nearest_to_each(
        self, db: Session, space: SpaceKey, vectors: Vectors, limit: int
    ) -> list[dict[int, float]]:
        """Like `find_nearest`, for each row of `vectors`; the rows have norm 1."""
        ...

    def score_chunks(self, db: Session, space: SpaceKey, vector: Vectors, chunk_ids: Sequence[int]) -> dict[int, float]:
        """The cosines of a vector and these chunks, as far as they are in the space."""
        ...

    def read_vectors(self, db: Session, space: SpaceKey, chunk_ids: Sequence[int]) -> tuple[list[int], Vectors]:
        """The ids, ascending, and vectors of these chunks, as far as they are in the space."""
        ...

    async def update_graphs(self, database: Database) -> None:
        """Build the graphs for searching large spaces, and drop those that are no longer needed.

        It may take minutes. Raises Unavailable; without a graph, searches are slower, but never wrong.
        """
        ...

    async def find_discrepancies(self, db: AsyncSession) -> VectorDiscrepancies:
        """Compare the index with the chunks of all projects."""
        ...

    async def repair_discrepancies(self, db: AsyncSession, found: VectorDiscrepancies) -> None:
        """Remove stray rows; missing chunks must be embedded again."""
        ...


@dataclass(frozen=True, slots=True)
class Index:
    """Both indexes of one database."""

    texts: TextIndex
    vectors: VectorIndex

    def remove_chunks(self, db: Session, project_id: str, spaces: Sequence[SpaceKey], chunk_ids: Sequence[int]) -> None:
        """Remove chunks of a project from the full-text index and from these spaces."""
        self.texts.remove_texts(db, project_id, chunk_ids)
        for space in spaces:
            self.vectors.remove_vectors(db, space, chunk_ids)
