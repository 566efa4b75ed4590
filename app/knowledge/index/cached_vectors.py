"""Search vectors in memory if they are loaded, otherwise in the database; shared by both databases."""

from collections.abc import Sequence

import numpy
from sqlalchemy import Connection, bindparam, select
from sqlalchemy.orm import Session

from app.database import models
from app.knowledge.index.chunk_filter import ChunkFilter
from app.knowledge.index.protocol import SpaceKey, VectorIndex
from app.knowledge.index.vector_cache import VectorCache
from app.knowledge.index.vector_snapshot import VectorSnapshot
from app.providers.base import Vectors
from app.statuses import EmbeddingSpaceState

_INDEX_VERSION = (
    select(models.Project.index_version)
    .join(models.EmbeddingSpace, models.EmbeddingSpace.project_id == models.Project.id)
    .where(models.EmbeddingSpace.id == bindparam("space"), models.EmbeddingSpace.state == EmbeddingSpaceState.ACTIVE)
)
_EXISTING = select(models.EmbeddingSpace.id).where(models.EmbeddingSpace.id.in_(bindparam("spaces", expanding=True)))

# Checking thousands would take longer than the search.
_SPACES_TO_CHECK = 100


class CachedVectorIndex(VectorIndex):
    """Searches a space in `cache`, in the version that the transaction sees, or in the database if it is not there."""

    def __init__(self, cache: VectorCache | None = None) -> None:
        self._cache = cache or VectorCache(0)

    def _find_stored(
        self, connection: Connection, space: SpaceKey, vector: Vectors, limit: int, among: ChunkFilter | None
    ) -> dict[int, float]:
        """Like `find_nearest`, in the database."""
        raise NotImplementedError

    def _score_stored(
        self, connection: Connection, space: SpaceKey, vector: Vectors, chunk_ids: Sequence[int]
    ) -> dict[int, float]:
        """Like `score_chunks`, in the database."""
        raise NotImplementedError

    def _update_snapshot(
        self, connection: Connection, space: SpaceKey, version: int, snapshot: VectorSnapshot | None, max_bytes: int
    ) -> VectorSnapshot | None:
        """Bring a snapshot of a space one page closer to this version; None if it would exceed `max_bytes`."""
        raise NotImplementedError

    def is_in_memory(self, space: SpaceKey) -> bool:
        """Whether the space is in the cache."""
        return self._cache.is_loaded(space.id)

    def forget_space(self, space: SpaceKey) -> None:
        """Remove the space from the cache."""
        self._cache.forget_spaces([space.id])

    def find_nearest(
        self, db: Session, space: SpaceKey, vector: Vectors, limit: int, among: ChunkFilter | None = None
    ) -> dict[int, float]:
        """Find the nearest neighbors within the space."""
        snapshot = self._open_cached(db, space)
        if snapshot is not None:
            return snapshot.find_nearest(vector, limit, None if among is None else among.read_ids(db, snapshot.version))
        return self._find_stored(db.connection(), space, vector, limit, among)

    def find_nearest_to_each(
        self, db: Session, space: SpaceKey, vectors: Vectors, limit: int
    ) -> list[dict[int, float]]:
        """Find the nearest neighbors of each row, in the same version of the space."""
        snapshot = self._open_cached(db, space)
        rows = [vectors[index : index + 1] for index in range(len(vectors))]
        if snapshot is not None:
            return [snapshot.find_nearest(row, limit) for row in rows]
        return [self._find_stored(db.connection(), space, row, limit, None) for row in rows]

    def score_chunks(self, db: Session, space: SpaceKey, vector: Vectors, chunk_ids: Sequence[int]) -> dict[int, float]:
        """Score in memory, or with one look-up per chunk in the database."""
        snapshot = self._open_cached(db, space)
        if snapshot is not None:
            return snapshot.score_chunks(vector, numpy.array(chunk_ids, numpy.int64))
        return self._score_stored(db.connection(), space, vector, chunk_ids)

    def _open_cached(self, db: Session, space: SpaceKey) -> VectorSnapshot | None:
        """The vectors of the space in the version that this transaction sees; None if they are not all in memory."""
        if not self._cache.is_on:
            return None
        connection = db.connection()
        version = connection.execute(_INDEX_VERSION, {"space": space.id}).scalar()
        if version is None:
            return None

        def update(snapshot: VectorSnapshot | None, max_bytes: int) -> VectorSnapshot | None:
            # Other processes may have removed spaces; checking a random sample finds each sooner or later.
            sample = self._cache.choose_spaces(_SPACES_TO_CHECK)
            existing = connection.execute(_EXISTING, {"spaces": list(sample)}).scalars()
            self._cache.forget_spaces(sample.difference(existing))
            return self._update_snapshot(connection, space, version, snapshot, max_bytes)

        return self._cache.open_space(space.id, version, update)


def cosine_of_distance(distance: float) -> float:
    """The cosine of two vectors of norm 1 with this Euclidean distance."""
    return 1.0 - distance**2 / 2.0
