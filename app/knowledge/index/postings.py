"""Find the best chunks among the postings of several terms. Pure.

A posting says that a chunk has a term, and how often. A term's share is the most that it can add to a score.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from app.knowledge.index.vector_rows import Ids

LENGTH_BITS = 12
"""A row number combines a chunk's id with its length in this many bits, which saves a look-up per chunk found."""
LENGTH_MASK = (1 << LENGTH_BITS) - 1
# Scores are added as integers, whose sum does not depend on their order.
_UNIT = 10**12


@dataclass(frozen=True, slots=True)
class Postings:
    """The chunks that have a term, by row number in ascending order, and how often each has it."""

    rows: Ids
    counts: NDArray[numpy.float32]

    @property
    def bytes(self) -> int:
        """The memory used."""
        return self.rows.nbytes + self.counts.nbytes

    @classmethod
    def from_counts(cls, rows: Ids, counts: Ids) -> "Postings":
        """Postings with these counts, one for each row."""
        return cls(rows, counts.astype(numpy.float32))

    def extend(self, more: "Postings") -> "Postings":
        """These postings, followed by others with higher row numbers."""
        return Postings(numpy.concatenate([self.rows, more.rows]), numpy.concatenate([self.counts, more.counts]))


@dataclass(frozen=True, slots=True)
class Weights:
    """The bm25 formula for a count: `count / (count + flat + steep · length)` of the term's share."""

    flat: float
    steep: float

    def parts(self, share: float, rows: Ids, counts: NDArray[numpy.float32]) -> Ids:
        """What a term with this share adds to the scores of these rows, in integer units."""
        exact = counts.astype(numpy.float64)
        return (_UNIT * share * exact / (exact + self.flat + self.steep * (rows & LENGTH_MASK))).astype(numpy.int64)


def find_best(
    found: Iterable[tuple[float, Postings]], weights: Weights, limit: int, chunk_ids: Ids | None = None
) -> dict[int, float]:
    """The chunks with the highest scores, only among `chunk_ids` if given: chunk id → score in [0, 1].

    Terms are processed by descending share. Once the remaining terms, the most frequent ones, cannot lift another chunk
    among the best `limit`, they are only looked up for the chunks found so far (MaxScore: Turtle and Flood, Query
    evaluation: strategies and optimizations, 1995). This does not change the result.
    """
    ordered = sorted(found, key=lambda each: -each[0])
    left = sum(_ceiling(share) for share, _ in ordered)
    rows = parts = numpy.empty(0, numpy.int64)
    for share, postings in ordered:
        lowest = _lowest_of_best(parts, limit)
        if left < lowest:
            hopeful = parts + left >= lowest
            rows, parts = rows[hopeful], parts[hopeful]
            parts = parts + _look_up(postings, rows, share, weights)
        else:
            rows, parts = _merge(rows, parts, postings, share, weights, chunk_ids)
        left -= _ceiling(share)
    order = numpy.lexsort((rows, -parts))[:limit]
    return dict(zip((rows[order] >> LENGTH_BITS).tolist(), (parts[order] / _UNIT).tolist(), strict=True))


def _ceiling(share: float) -> int:
    """An upper bound of what a term with this share can add."""
    return int(_UNIT * share) + 1


def _lowest_of_best(parts: Ids, limit: int) -> int:
    """The score that a chunk must reach to be among the best so far."""
    if len(parts) < limit:
        return 0
    return int(numpy.partition(parts, len(parts) - limit)[len(parts) - limit])


def _look_up(postings: Postings, rows: Ids, share: float, weights: Weights) -> Ids:
    """What a term adds to the scores of these rows."""
    found = numpy.zeros(len(rows), numpy.int64)
    if len(postings.rows):
        indexes = numpy.minimum(numpy.searchsorted(postings.rows, rows), len(postings.rows) - 1)
        matches = numpy.flatnonzero(postings.rows[indexes] == rows)
        found[matches] = weights.parts(share, rows[matches], postings.counts[indexes[matches]])
    return found


def _merge(
    rows: Ids, parts: Ids, postings: Postings, share: float, weights: Weights, chunk_ids: Ids | None
) -> tuple[Ids, Ids]:
    """Add what a term adds to the scores, including rows that only it has."""
    of_term, counts = postings.rows, postings.counts
    if chunk_ids is not None:
        chosen = numpy.flatnonzero(numpy.isin(of_term >> LENGTH_BITS, chunk_ids))
        of_term, counts = of_term[chosen], counts[chosen]
    added = weights.parts(share, of_term, counts)
    if not len(rows):
        return of_term, added
    both, values = numpy.concatenate([rows, of_term]), numpy.concatenate([parts, added])
    order = numpy.argsort(both, kind="stable")
    both, values = both[order], values[order]
    starts = numpy.flatnonzero(numpy.concatenate([[True], both[1:] != both[:-1]]))
    return both[starts], numpy.add.reduceat(values, starts)
