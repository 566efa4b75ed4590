"""Search the vectors of a space in memory if they are there, whichever database keeps them."""

from collections.abc import Sequence

import numpy
from sqlalchemy import Connection, bindparam, select
from sqlalchemy.orm import Session

from app.database import models
from app.knowledge.index.chunk_filter import ChunkFilter
from app.knowledge.index.held_vectors import HeldVectors
from app.knowledge.index.protocol import SpaceKey, VectorIndex
from app.knowledge.index.vector_cache import VectorCache
from app.providers.base import Vectors
from app.statuses import EmbeddingSpaceState

_INDEX_VERSION = (
    select(models.Project.index_version)
    .join(models.EmbeddingSpace, models.EmbeddingSpace.project_id == models.Project.id)
    .where(models.EmbeddingSpace.id == bindparam("space"), models.EmbeddingSpace.state == EmbeddingSpaceState.ACTIVE)
)
_EXISTING = select(models.EmbeddingSpace.id).where(models.EmbeddingSpace.id.in_(bindparam("spaces", expanding=True)))

# Looking for thousands would take longer than the search.
_LOOKED_FOR = 100


class CachedVectorIndex(VectorIndex):
    """The spaces that `cache` holds are searched there, in the version that the transaction sees."""

    def __init__(self, cache: VectorCache | None = None) -> None:
        self._cache = cache or VectorCache(0)

    def _find_stored(
        self, connection: Connection, space: SpaceKey, vector: Vectors, limit: int, among: ChunkFilter | None
    ) -> dict[int, float]:
        """As `find_nearest`, in the database."""
        raise NotImplementedError

    def _score_stored(
        self, connection: Connection, space: SpaceKey, vector: Vectors, chunk_ids: Sequence[int]
    ) -> dict[int, float]:
        """As `score_chunks`, in the database."""
        raise NotImplementedError

    def _update_held(
        self, connection: Connection, space: SpaceKey, version: int, held: HeldVectors | None, max_bytes: int
    ) -> HeldVectors | None:
        """`held` as of this version of a space, or nearer to it by a page; None if it takes more than `max_bytes`."""
        raise NotImplementedError

    def is_in_memory(self, space: SpaceKey) -> bool:
        """Whether the cache holds it."""
        return self._cache.is_held(space.id)

    def forget_space(self, space: SpaceKey) -> None:
        """Remove it from the cache."""
        self._cache.forget_spaces([space.id])

    def find_nearest(
        self, db: Session, space: SpaceKey, vector: Vectors, limit: int, among: ChunkFilter | None = None
    ) -> dict[int, float]:
        """Nearest neighbors within the space."""
        held = self._open_cached(db, space)
        if held is not None:
            return held.find_nearest(vector, limit, None if among is None else among.read_ids(db, held.version))
        return self._find_stored(db.connection(), space, vector, limit, among)

    def find_nearest_to_each(
        self, db: Session, space: SpaceKey, vectors: Vectors, limit: int
    ) -> list[dict[int, float]]:
        """Nearest neighbors of each row, in the same version of the space."""
        held = self._open_cached(db, space)
        rows = [vectors[at : at + 1] for at in range(len(vectors))]
        if held is not None:
            return [held.find_nearest(row, limit) for row in rows]
        return [self._find_stored(db.connection(), space, row, limit, None) for row in rows]

    def score_chunks(self, db: Session, space: SpaceKey, vector: Vectors, chunk_ids: Sequence[int]) -> dict[int, float]:
        """In memory, or one look-up per chunk."""
        held = self._open_cached(db, space)
        if held is not None:
            return held.score_chunks(vector, numpy.array(chunk_ids, numpy.int64))
        return self._score_stored(db.connection(), space, vector, chunk_ids)

    def _open_cached(self, db: Session, space: SpaceKey) -> HeldVectors | None:
        """The vectors of the space in memory, as this transaction sees it; None if they are not all there."""
        if not self._cache.is_on:
            return None
        connection = db.connection()
        version = connection.execute(_INDEX_VERSION, {"space": space.id}).scalar()
        if version is None:
            return None

        def update(held: HeldVectors | None, max_bytes: int) -> HeldVectors | None:
            # Spaces that other processes have removed: sooner or later, each is among those that are looked for.
            some = self._cache.choose_spaces(_LOOKED_FOR)
            self._cache.forget_spaces(some.difference(connection.execute(_EXISTING, {"spaces": list(some)}).scalars()))
            return self._update_held(connection, space, version, held, max_bytes)

        return self._cache.open_space(space.id, version, update)


def cosine_of_distance(distance: float) -> float:
    """The cosine of vectors of norm 1 whose Euclidean distance this is."""
    return 1.0 - distance**2 / 2.0
