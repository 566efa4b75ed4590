"""Rows of vectors in memory, and their cosines with another vector."""

from dataclasses import dataclass, field

import numpy
from numpy.typing import NDArray

from app.providers.base import Vectors

Ids = NDArray[numpy.int64]

# New rows go behind the old ones while there is room: for this much more than is needed now.
_SPARE = 0.125
# Of a vector that is all zeros. The database scores by Euclidean distance, which is 1 then.
_COSINE_OF_ZEROS = 0.5


@dataclass(slots=True)
class Trial:
    """How many of the best rows the first half of the dimensions finds, in so many searches with both."""

    searches: int = 0
    found: float = 0.0


@dataclass(slots=True)
class VectorRows:
    """Rows that several versions of a space share: each sees the first ones, and only the newest adds more.

    The two halves of the dimensions lie apart, so that the first can be compared alone.
    """

    first: Vectors
    second: Vectors
    zeros: Ids = field(default_factory=lambda: numpy.empty(0, numpy.int64))
    trial: Trial = field(default_factory=Trial)

    @classmethod
    def allocate(cls, rows: int, dimensions: int, trial: Trial | None = None) -> "VectorRows":
        """Room for some more rows than this. The system gives memory only as it is written to."""
        rows += int(rows * _SPARE) + 1
        half = dimensions // 2
        first = numpy.empty((rows, half), numpy.float32)
        return cls(first, numpy.empty((rows, dimensions - half), numpy.float32), trial=trial or Trial())

    @property
    def capacity(self) -> int:
        """How many rows there is room for."""
        return len(self.first)

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return self.first.shape[1] + self.second.shape[1]

    @property
    def bytes(self) -> int:
        """The memory they take, with the room for more."""
        return self.first.nbytes + self.second.nbytes

    def write(self, start: int, vectors: Vectors) -> None:
        """Write rows from `start` on."""
        half, end = self.first.shape[1], start + len(vectors)
        self.first[start:end], self.second[start:end] = vectors[:, :half], vectors[:, half:]
        self.zeros = numpy.concatenate([self.zeros, start + numpy.flatnonzero(~vectors.any(axis=1))])

    def copy(self, positions: Ids, more: int) -> "VectorRows":
        """These rows, with room for more."""
        found = VectorRows.allocate(len(positions) + more, self.dimensions, self.trial)
        numpy.take(self.first, positions, axis=0, out=found.first[: len(positions)], mode="clip")
        numpy.take(self.second, positions, axis=0, out=found.second[: len(positions)], mode="clip")
        found.zeros = numpy.flatnonzero(numpy.isin(positions, self.zeros))
        return found

    def score_first_half(self, count: int, vector: Vectors) -> Vectors:
        """For the first `count` rows, the part of the cosine from the first half of the dimensions."""
        # A product of matrices would be shared out over threads, which wait for each other in a loop when other work
        # keeps the cores busy: 10 ms instead of 3 for 100,000 rows. One thread is bound by the memory alike.
        return numpy.vecdot(self.first[:count], vector.reshape(-1)[: self.first.shape[1]])

    def score_all(self, count: int, vector: Vectors) -> Vectors:
        """The cosines of the first `count` rows."""
        scores = self.score_first_half(count, vector)
        scores += numpy.vecdot(self.second[:count], vector.reshape(-1)[self.first.shape[1] :])
        scores[self.zeros[self.zeros < count]] = _COSINE_OF_ZEROS
        return scores

    def score_rows(self, positions: Ids, vector: Vectors) -> Vectors:
        """The cosines of these rows."""
        line, half = vector.reshape(-1), self.first.shape[1]
        scores = numpy.vecdot(self.first[positions], line[:half]) + numpy.vecdot(self.second[positions], line[half:])
        if len(self.zeros):
            scores[numpy.isin(positions, self.zeros)] = _COSINE_OF_ZEROS
        return scores
