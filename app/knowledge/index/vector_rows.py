"""Rows of vectors in memory, and their cosines with another vector."""

from dataclasses import dataclass, field

import numpy
from numpy.typing import NDArray

from app.providers.base import Vectors

Ids = NDArray[numpy.int64]

# Spare capacity, as a share of the rows needed now; new rows are appended until it is used up.
_SPARE = 0.125
# The share of the dimensions in the first part.
_FIRST_PART = 0.375
# The cosine of an all-zero vector, as in the database: its Euclidean distance is 1.
_COSINE_OF_ZEROS = 0.5


@dataclass(slots=True)
class Trial:
    """How well the first part of the dimensions finds the best rows: the sum of the shares found, in trial searches."""

    searches: int = 0
    found: float = 0.0


@dataclass(slots=True)
class VectorRows:
    """Rows shared by several versions of a space: each version sees a prefix, and only the newest appends.

    The first part of the dimensions is stored separately, so that it can be compared alone.
    """

    first: Vectors
    rest: Vectors
    zeros: Ids = field(default_factory=lambda: numpy.empty(0, numpy.int64))
    trial: Trial = field(default_factory=Trial)

    @classmethod
    def allocate(cls, rows: int, dimensions: int, trial: Trial | None = None) -> "VectorRows":
        """Allocate some more rows than this. The system provides memory only as it is written."""
        rows += int(rows * _SPARE) + 1
        size = int(dimensions * _FIRST_PART)
        first = numpy.empty((rows, size), numpy.float32)
        return cls(first, numpy.empty((rows, dimensions - size), numpy.float32), trial=trial or Trial())

    @property
    def capacity(self) -> int:
        """The number of rows allocated."""
        return len(self.first)

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return self.first.shape[1] + self.rest.shape[1]

    @property
    def bytes(self) -> int:
        """The memory allocated."""
        return self.first.nbytes + self.rest.nbytes

    def write(self, start: int, vectors: Vectors) -> None:
        """Write rows from `start` on."""
        size, end = self.first.shape[1], start + len(vectors)
        self.first[start:end], self.rest[start:end] = vectors[:, :size], vectors[:, size:]
        zeros = start + numpy.flatnonzero(~vectors.any(axis=1))
        # Rows from `start` on were written by an update that failed.
        self.zeros = numpy.concatenate([self.zeros[self.zeros < start], zeros])

    def copy(self, positions: Ids, more: int) -> "VectorRows":
        """A copy of these rows, with capacity for `more`."""
        found = VectorRows.allocate(len(positions) + more, self.dimensions, self.trial)
        numpy.take(self.first, positions, axis=0, out=found.first[: len(positions)], mode="clip")
        numpy.take(self.rest, positions, axis=0, out=found.rest[: len(positions)], mode="clip")
        found.zeros = numpy.flatnonzero(numpy.isin(positions, self.zeros))
        return found

    def score_first_part(self, count: int, vector: Vectors) -> Vectors:
        """The share of the cosine from the first part of the dimensions, for the first `count` rows."""
        # A matrix product would be split over threads, which busy-wait for each other while other work keeps the cores
        # busy: 10 ms instead of 3 for 100,000 rows. More threads gain nothing, because memory is the bottleneck.
        return numpy.vecdot(self.first[:count], vector.reshape(-1)[: self.first.shape[1]])

    def score_all(self, count: int, vector: Vectors) -> Vectors:
        """The cosines of the first `count` rows."""
        scores = self.score_first_part(count, vector)
        scores += numpy.vecdot(self.rest[:count], vector.reshape(-1)[self.first.shape[1] :])
        zeros = self.zeros  # another thread may be writing a newer version
        scores[zeros[zeros < count]] = _COSINE_OF_ZEROS
        return scores

    def score_rows(self, positions: Ids, vector: Vectors, first_part: Vectors | None = None) -> Vectors:
        """The cosines of these rows. `first_part`: their results of `score_first_part`."""
        line, size = vector.reshape(-1), self.first.shape[1]
        if first_part is None:
            first_part = numpy.vecdot(self.first.take(positions, axis=0), line[:size])
        scores = first_part + numpy.vecdot(self.rest.take(positions, axis=0), line[size:])
        if len(self.zeros):
            scores[numpy.isin(positions, self.zeros)] = _COSINE_OF_ZEROS
        return scores
