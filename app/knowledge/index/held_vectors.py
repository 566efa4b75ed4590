"""Vectors of one embedding space in memory, and exact search among them. Pure."""

from dataclasses import dataclass, field

import numpy
from numpy.typing import NDArray

from app.providers.base import Vectors

Ids = NDArray[numpy.int64]

_GONE = -1
# Of a vector that is all zeros. The database scores by Euclidean distance, which is 1 then.
_COSINE_OF_ZEROS = 0.5
# New rows go behind the old ones while there is room; for this much more than is needed now.
_SPARE = 0.125
_MOST_GONE = 0.25
# An id, its place in the order, and the id there.
_BYTES_PER_ID = 24


@dataclass(slots=True)
class _Storage:
    """Rows that several versions share: each sees the first ones, and only the newest may add more."""

    matrix: Vectors
    used: int = 0


@dataclass(frozen=True, slots=True)
class HeldVectors:
    """The vectors of one version of a space. Never changed, so that threads can share it.

    `ids` are the chunks of the rows; those that are gone are negative. Until it is complete, it cannot be searched.
    """

    version: int
    is_complete: bool
    ids: Ids
    _storage: _Storage
    _zeros: Ids
    _order: Ids = field(init=False)
    _sorted: Ids = field(init=False)

    def __post_init__(self) -> None:
        order = numpy.argsort(self.ids, kind="stable")
        object.__setattr__(self, "_order", order)
        object.__setattr__(self, "_sorted", self.ids[order])

    @classmethod
    def empty(cls, dimensions: int, rows: int) -> "HeldVectors":
        """No vectors yet, with room for so many rows."""
        none = numpy.empty(0, numpy.int64)
        return cls(-1, False, none, _Storage(_allocate(rows, dimensions)), none)

    @property
    def bytes(self) -> int:
        """The memory it takes, with the room for more rows."""
        return self._storage.matrix.nbytes + len(self.ids) * _BYTES_PER_ID

    def update(self, version: int, gone: Ids, ids: Ids, vectors: Vectors, *, is_complete: bool) -> "HeldVectors":
        """Another version: without the chunks `gone`, and with row i of `vectors` for chunk `ids[i]`.

        Only the newest version may be updated, and only by one thread at a time.
        """
        left = self.ids.copy()
        left[self._positions(gone)] = _GONE
        kept = numpy.flatnonzero(left != _GONE)
        count, storage = len(left), self._storage
        if count - len(kept) > _MOST_GONE * count or count + len(ids) > len(storage.matrix):
            storage = _Storage(_allocate(len(kept) + len(ids), storage.matrix.shape[1]), len(kept))
            numpy.take(self._storage.matrix, kept, axis=0, out=storage.matrix[: len(kept)], mode="clip")
            left, count = left[kept], len(kept)
        storage.matrix[count : count + len(ids)] = vectors
        storage.used = count + len(ids)
        everything = numpy.concatenate([left, ids])
        zeros = numpy.flatnonzero(~storage.matrix[count : storage.used].any(axis=1)) + count
        if storage is self._storage:
            zeros = numpy.concatenate([self._zeros, zeros])
        elif len(self._zeros):
            zeros = numpy.flatnonzero(~storage.matrix[: storage.used].any(axis=1))
        return HeldVectors(version, is_complete, everything, storage, zeros)

    def find_nearest(self, vector: Vectors, limit: int, among: Ids | None = None) -> dict[int, float]:
        """The chunks nearest to a vector of norm 1, of these if any are named: chunk id → cosine."""
        if among is None:
            return _best(self.ids, self._score_all(vector), limit)
        positions = self._positions(among)
        if len(positions) > len(self.ids) // 4:
            return _best(self.ids[positions], self._score_all(vector)[positions], limit)
        return _best(self.ids[positions], self._score_rows(vector, positions), limit)

    def score_chunks(self, vector: Vectors, chunk_ids: Ids) -> dict[int, float]:
        """The cosines of these chunks, of those that are held."""
        positions = self._positions(chunk_ids)
        scores = self._score_rows(vector, positions)
        return dict(zip(self.ids[positions].tolist(), scores.tolist(), strict=True))

    def _score_all(self, vector: Vectors) -> Vectors:
        # A product of matrices would be shared out over threads, which wait for each other in a loop when other work
        # keeps the cores busy: 10 ms instead of 3 for 100,000 rows. One thread is bound by the memory alike.
        scores = numpy.vecdot(self._storage.matrix[: len(self.ids)], vector.reshape(-1))
        scores[self._zeros] = _COSINE_OF_ZEROS
        return scores

    def _score_rows(self, vector: Vectors, positions: Ids) -> Vectors:
        rows = self._storage.matrix[positions]
        scores = numpy.vecdot(rows, vector.reshape(-1))
        if len(self._zeros):
            scores[numpy.isin(positions, self._zeros)] = _COSINE_OF_ZEROS
        return scores

    def _positions(self, chunk_ids: Ids) -> Ids:
        """The rows of these chunks, of those that are held."""
        if not len(self._sorted):
            return self._order
        places = numpy.minimum(numpy.searchsorted(self._sorted, chunk_ids), len(self._sorted) - 1)
        return self._order[places[self._sorted[places] == chunk_ids]]


def _allocate(rows: int, dimensions: int) -> Vectors:
    """Room for some more rows than this. The system gives memory only as it is written to."""
    return numpy.empty((rows + int(rows * _SPARE) + 1, dimensions), numpy.float32)


def _best(ids: Ids, scores: Vectors, limit: int) -> dict[int, float]:
    """The highest scores; of equal ones, those of the chunks with the lowest ids."""
    there = ids != _GONE
    if not there.all():
        ids, scores = ids[there], scores[there]
    if len(ids) > limit:
        lowest = numpy.partition(scores, len(scores) - limit)[len(scores) - limit]
        chosen = numpy.flatnonzero(scores >= lowest)
        ids, scores = ids[chosen], scores[chosen]
    order = numpy.lexsort((ids, -scores))[:limit]
    return dict(zip(ids[order].tolist(), scores[order].tolist(), strict=True))
