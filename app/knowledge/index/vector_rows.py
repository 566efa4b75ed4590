"""Rows of vectors in memory, and their cosines with another vector."""

from dataclasses import dataclass, field

import numpy
from numpy.typing import NDArray

from app.providers.base import Vectors

Ids = NDArray[numpy.int64]

# New rows go behind the old ones while there is room: for this much more than is needed now.
_SPARE = 0.125
# How many of the dimensions.
_FIRST_PART = 0.375
# Of a vector that is all zeros. The database scores by Euclidean distance, which is 1 then.
_COSINE_OF_ZEROS = 0.5


@dataclass(slots=True)
class Trial:
    """How many of the best rows the first part of the dimensions finds, in so many searches with both."""

    searches: int = 0
    found: float = 0.0


@dataclass(slots=True)
class VectorRows:
    """Rows that several versions of a space share: each sees the first ones, and only the newest adds more.

    The first part of the dimensions lies apart, so that it can be compared alone.
    """

    first: Vectors
    rest: Vectors
    zeros: Ids = field(default_factory=lambda: numpy.empty(0, numpy.int64))
    trial: Trial = field(default_factory=Trial)

    @classmethod
    def allocate(cls, rows: int, dimensions: int, trial: Trial | None = None) -> "VectorRows":
        """Room for some more rows than this. The system gives memory only as it is written to."""
        rows += int(rows * _SPARE) + 1
        size = int(dimensions * _FIRST_PART)
        first = numpy.empty((rows, size), numpy.float32)
        return cls(first, numpy.empty((rows, dimensions - size), numpy.float32), trial=trial or Trial())

    @property
    def capacity(self) -> int:
        """How many rows there is room for."""
        return len(self.first)

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return self.first.shape[1] + self.rest.shape[1]

    @property
    def bytes(self) -> int:
        """The memory they take, with the room for more."""
        return self.first.nbytes + self.rest.nbytes

    def write(self, start: int, vectors: Vectors) -> None:
        """Write rows from `start` on."""
        size, end = self.first.shape[1], start + len(vectors)
        self.first[start:end], self.rest[start:end] = vectors[:, :size], vectors[:, size:]
        zeros = start + numpy.flatnonzero(~vectors.any(axis=1))
        # Whoever wrote here before did not get to the end of its version.
        self.zeros = numpy.concatenate([self.zeros[self.zeros < start], zeros])

    def copy(self, positions: Ids, more: int) -> "VectorRows":
        """These rows, with room for more."""
        found = VectorRows.allocate(len(positions) + more, self.dimensions, self.trial)
        numpy.take(self.first, positions, axis=0, out=found.first[: len(positions)], mode="clip")
        numpy.take(self.rest, positions, axis=0, out=found.rest[: len(positions)], mode="clip")
        found.zeros = numpy.flatnonzero(numpy.isin(positions, self.zeros))
        return found

    def score_first_part(self, count: int, vector: Vectors) -> Vectors:
        """For the first `count` rows, the part of the cosine from the first part of the dimensions."""
        # A product of matrices would be shared out over threads, which wait for each other in a loop when other work
        # keeps the cores busy: 10 ms instead of 3 for 100,000 rows. One thread is bound by the memory alike.
        return numpy.vecdot(self.first[:count], vector.reshape(-1)[: self.first.shape[1]])

    def score_all(self, count: int, vector: Vectors) -> Vectors:
        """The cosines of the first `count` rows."""
        scores = self.score_first_part(count, vector)
        scores += numpy.vecdot(self.rest[:count], vector.reshape(-1)[self.first.shape[1] :])
        zeros = self.zeros  # another thread may be writing a newer version
        scores[zeros[zeros < count]] = _COSINE_OF_ZEROS
        return scores

    def score_rows(self, positions: Ids, vector: Vectors, first_part: Vectors | None = None) -> Vectors:
        """The cosines of these rows. `first_part`: what `score_first_part` found for each of them."""
        line, size = vector.reshape(-1), self.first.shape[1]
        if first_part is None:
            first_part = numpy.vecdot(self.first.take(positions, axis=0), line[:size])
        scores = first_part + numpy.vecdot(self.rest.take(positions, axis=0), line[size:])
        if len(self.zeros):
            scores[numpy.isin(positions, self.zeros)] = _COSINE_OF_ZEROS
        return scores
