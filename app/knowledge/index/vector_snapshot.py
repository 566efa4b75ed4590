"""Vectors of one embedding space in memory, and the search among them. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy

from app.knowledge.index.vector_rows import Ids, VectorRows
from app.providers.base import Vectors

_GONE = -1
_MAX_GONE = 0.25
# An id, its position in the sort order, and the sorted id.
_BYTES_PER_ID = 24

# From this many rows on, candidates are chosen by the first part of their dimensions, and only their full cosines are
# compared, which halves the time. One row in 32, and at least 4,000: with a million rows, the candidates contain 99.7 %
# of the best hundred.
_MANY = 100_000
_CANDIDATES, _ROWS_PER_CANDIDATE = 4_000, 32
# The lowest score of a candidate is estimated from this many rows, the same for each search: finding it exactly among a
# million takes a fifth of a search. They are random, because every sixth passage, say, may be of one kind.
_SAMPLE = 16_384
# Not every model puts the most important dimensions first. So the first searches are done both ways, and candidates are
# used from then on only if they contained this share of the best rows.
_TRIALS = 10
_MIN_FOUND = 0.98


@dataclass(frozen=True, slots=True)
class VectorSnapshot:
    """The vectors of one version of a space, in memory. Immutable, so that threads can share it.

    `ids` are the chunks of the rows; those of removed chunks are negative. It can be searched only when complete.
    """

    version: int
    is_complete: bool
    ids: Ids
    rows: VectorRows
    _order: Ids = field(init=False)
    _sorted: Ids = field(init=False)
    _gone: Ids = field(init=False)
    _sample: Ids = field(init=False)

    def __post_init__(self) -> None:
        order, count = numpy.argsort(self.ids, kind="stable"), len(self.ids)
        object.__setattr__(self, "_order", order)
        object.__setattr__(self, "_sorted", self.ids[order])
        object.__setattr__(self, "_gone", numpy.flatnonzero(self.ids == _GONE))
        generator = numpy.random.default_rng(count)
        object.__setattr__(self, "_sample", generator.integers(count, size=_SAMPLE) if count >= _MANY else order[:0])

    @classmethod
    def empty(cls, dimensions: int, rows: int) -> "VectorSnapshot":
        """An empty snapshot with space for `rows` vectors."""
        return cls(-1, False, numpy.empty(0, numpy.int64), VectorRows.allocate(rows, dimensions))

    @property
    def bytes(self) -> int:
        """The memory used, including spare rows, so it stays the same from the first page of a space to the last."""
        return self.rows.bytes + self.rows.capacity * _BYTES_PER_ID

    def update(
        self, version: int, gone: Ids, ids: Ids, vectors: Iterable[Vectors], *, is_complete: bool
    ) -> "VectorSnapshot":
        """A new version without the chunks `gone`, and with the chunks `ids`, whose `vectors` arrive in parts.

        Only the newest version may be updated, and only by one thread at a time. If rows are copied, because there is
        no space left or many are gone, old and new rows briefly take up to twice the memory.
        """
        left, rows = self.ids.copy(), self.rows
        left[self._positions(gone)] = _GONE
        kept = numpy.flatnonzero(left != _GONE)
        if len(left) - len(kept) > _MAX_GONE * len(left) or len(left) + len(ids) > rows.capacity:
            rows, left = rows.copy(kept, len(ids)), left[kept]
        end = len(left)
        for part in vectors:
            rows.write(end, part)
            end += len(part)
        return VectorSnapshot(version, is_complete, numpy.concatenate([left, ids]), rows)

    def find_nearest(self, vector: Vectors, limit: int, among: Ids | None = None) -> dict[int, float]:
        """The chunks nearest to a vector of norm 1, only `among` these if given: chunk id → cosine."""
        count = len(self.ids)
        if among is not None:
            positions = self._positions(among)
            are_many = len(positions) > count // 4
            rows = self.rows
            scores = rows.score_all(count, vector)[positions] if are_many else rows.score_rows(positions, vector)
            return _best(self.ids[positions], scores, limit)
        trial = self.rows.trial
        if count < _MANY or (trial.searches >= _TRIALS and trial.found < _MIN_FOUND * trial.searches):
            return _best(self.ids, self.rows.score_all(count, vector), limit)
        likely = self._find_among_candidates(vector, limit)
        if trial.searches >= _TRIALS:
            return likely
        best = _best(self.ids, self.rows.score_all(count, vector), limit)
        trial.found += len(best.keys() & likely.keys()) / max(1, len(best))
        trial.searches += 1
        return best

    def score_chunks(self, vector: Vectors, chunk_ids: Ids) -> dict[int, float]:
        """The cosines of these chunks, as far as the snapshot has them."""
        positions = self._positions(chunk_ids)
        scores = self.rows.score_rows(positions, vector)
        return dict(zip(self.ids[positions].tolist(), scores.tolist(), strict=True))

    def _find_among_candidates(self, vector: Vectors, limit: int) -> dict[int, float]:
        count = len(self.ids)
        likely = self.rows.score_first_part(count, vector)
        likely[self._gone] = -numpy.inf  # else the chunks of a deleted document could crowd out all candidates
        number = max(_CANDIDATES, 2 * limit, count // _ROWS_PER_CANDIDATE)
        lowest = _find_lowest(likely[self._sample], max(1, _SAMPLE * number // count))
        positions = numpy.flatnonzero(likely >= lowest)
        return _best(self.ids[positions], self.rows.score_rows(positions, vector, likely[positions]), limit)

    def _positions(self, chunk_ids: Ids) -> Ids:
        """The rows of these chunks, as far as the snapshot has them."""
        if not len(self._sorted):
            return self._order
        places = numpy.minimum(numpy.searchsorted(self._sorted, chunk_ids), len(self._sorted) - 1)
        return self._order[places[self._sorted[places] == chunk_ids]]


def _find_lowest(scores: Vectors, number: int) -> numpy.float32:
    """The lowest of the `number` highest scores."""
    index = len(scores) - number
    return numpy.partition(scores, index)[index]


def _best(ids: Ids, scores: Vectors, limit: int) -> dict[int, float]:
    """The highest scores; ties are broken by the lowest chunk id."""
    exists = ids != _GONE
    if not exists.all():
        ids, scores = ids[exists], scores[exists]
    if len(ids) > limit:
        chosen = numpy.flatnonzero(scores >= _find_lowest(scores, limit))
        ids, scores = ids[chosen], scores[chosen]
    order = numpy.lexsort((ids, -scores))[:limit]
    return dict(zip(ids[order].tolist(), scores[order].tolist(), strict=True))
