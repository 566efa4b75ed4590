"""The interface of the full-text and vector index; every call is limited to one project.

Scores: `lexical` in [0, 1], the share of the highest possible bm25; `cosine` in [-1, 1].
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from sqlalchemy.ext.asyncio import AsyncSession

from app.database import models
from app.knowledge.index import terms
from app.providers.base import Vectors


@dataclass(frozen=True, slots=True)
class TextEntry:
    """The terms of a chunk, for full text."""

    chunk_id: int
    terms: terms.CountedTerms


@dataclass(frozen=True, slots=True)
class SearchScope:
    """Where to search: one project, one embedding space of it, and only these documents if any are named."""

    project_id: str
    space: models.EmbeddingSpace
    document_ids: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Strays:
    """Where chunks and index disagree: chunks that are not indexed, and index entries without a chunk.

    `texts` holds rows of the full text, `vectors` (dimensions, row); `miscounted` are projects whose totals are wrong.
    """

    chunks_without_text: tuple[int, ...]
    chunks_without_vector: tuple[int, ...]
    texts: tuple[int, ...]
    vectors: tuple[tuple[int, int], ...]
    miscounted: tuple[str, ...]


class Index(Protocol):
    """Full text and vectors over one database; every call works inside the caller's transaction."""

    async def prepare(self, db: AsyncSession, dimensions: int) -> None:
        """Prepare storage for vectors of this length, if there is none yet."""
        ...

    async def add_texts(self, db: AsyncSession, project_id: str, entries: Sequence[TextEntry]) -> None:
        """Index the full text of a project's new chunks."""
        ...

    async def add_vectors(
        self, db: AsyncSession, space: models.EmbeddingSpace, chunk_ids: Sequence[int], vectors: Vectors
    ) -> None:
        """Index row i of `vectors` for chunk i in one space; other spaces are unaffected."""
        ...

    async def remove(
        self, db: AsyncSession, project_id: str, spaces: Sequence[models.EmbeddingSpace], chunk_ids: Sequence[int]
    ) -> None:
        """Remove chunks of a project from the full text and from these of its spaces."""
        ...

    async def lexical(self, db: AsyncSession, scope: SearchScope, query: str, limit: int) -> dict[int, float]:
        """The best chunks by words: chunk id → score in [0, 1]; user text is data here, never syntax."""
        ...

    async def nearest(self, db: AsyncSession, scope: SearchScope, vector: Vectors, limit: int) -> dict[int, float]:
        """The nearest chunks to a vector of shape (1, dimensions): chunk id → cosine."""
        ...

    async def cosines(
        self, db: AsyncSession, scope: SearchScope, vector: Vectors, chunk_ids: Sequence[int]
    ) -> dict[int, float]:
        """The cosines of these chunks of the scope."""
        ...

    async def strays(self, db: AsyncSession) -> Strays:
        """Find where the index and the chunks of all projects disagree."""
        ...

    async def forget(self, db: AsyncSession, strays: Strays) -> None:
        """Remove entries without a chunk, and correct wrong totals."""
        ...
