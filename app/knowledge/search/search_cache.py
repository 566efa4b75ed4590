"""Cache recent searches: their results, until the project changes, and the vectors of their questions.

A result's key contains the project's index version, which grows with every change that affects searches. Cached vectors
save a model call after a project has changed, or when a question is searched again with other options. They are not
shared between projects: the response time or the hit count would reveal what is asked in another project.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Generic, Literal, NamedTuple, TypeVar

from app.knowledge.search.passages import Passage
from app.knowledge.search.queries import SearchQuery
from app.providers.base import Vectors

Value = TypeVar("Value")

# The most passages in all results; a passage takes about 2 kB.
_MAX_PASSAGES = 10_000
_MAX_VECTORS = 100
# The most projects whose hit rates are recorded.
_MAX_PROJECTS = 1_000


@dataclass(frozen=True, slots=True)
class CacheUse:
    """The number of lookups since the process started, and how many of them were hits."""

    lookups: int = 0
    hits: int = 0

    @property
    def hit_rate(self) -> float | None:
        """The share of hits, from 0 to 1; None before the first lookup."""
        return self.hits / self.lookups if self.lookups else None

    def counting(self, *, hit: bool) -> "CacheUse":
        """These counts plus one lookup."""
        return CacheUse(self.lookups + 1, self.hits + hit)


class CacheUses(NamedTuple):
    """The use of both caches."""

    results: CacheUse = CacheUse()
    vectors: CacheUse = CacheUse()

    def counting(self, cache: Literal["results", "vectors"], *, hit: bool) -> "CacheUses":
        """These counts plus one lookup."""
        if cache == "results":
            return CacheUses(self.results.counting(hit=hit), self.vectors)
        return CacheUses(self.results, self.vectors.counting(hit=hit))


@dataclass(frozen=True, slots=True)
class ResultKey:
    """Everything that a result depends on."""

    project_id: str
    space_id: str
    index_version: int
    dense_weight: float
    query: SearchQuery


@dataclass(slots=True)
class _RecentValues(Generic[Value]):
    """The most recently used values, for a limited time and up to a limited total weight."""

    seconds: float
    max_weight: int
    _values: OrderedDict[Hashable, tuple[Value, int, float]] = field(
        default_factory=OrderedDict[Hashable, tuple[Value, int, float]]
    )
    _weight: int = 0

    def find(self, key: Hashable) -> Value | None:
        found = self._values.get(key)
        if found is None:
            return None
        if found[2] <= time.monotonic():
            self._remove(key)
            return None
        self._values.move_to_end(key)
        return found[0]

    def keep(self, key: Hashable, value: Value, weight: int = 1) -> None:
        if weight > self.max_weight or self.seconds <= 0:
            return
        if key in self._values:
            self._remove(key)
        self._values[key] = value, weight, time.monotonic() + self.seconds
        self._weight += weight
        while self._weight > self.max_weight:
            self._remove(next(iter(self._values)))

    def _remove(self, key: Hashable) -> None:
        self._weight -= self._values.pop(key)[1]


class SearchCache:
    """Results and vectors of recent questions. Thread-safe."""

    def __init__(self, seconds: float) -> None:
        """`seconds`: how long entries are kept; 0 turns the cache off."""
        self._results = _RecentValues[tuple[Passage, ...]](seconds, _MAX_PASSAGES)
        self._vectors = _RecentValues[Vectors](seconds, _MAX_VECTORS)
        self._uses = OrderedDict[str, CacheUses]()
        self._total = CacheUses()
        self._lock = threading.Lock()

    def find_passages(self, key: ResultKey) -> tuple[Passage, ...] | None:
        """The cached passages, if the project has not changed."""
        with self._lock:
            found = self._results.find(key)
            self._count_lookup(key.project_id, "results", hit=found is not None)
            return found

    def keep_passages(self, key: ResultKey, passages: tuple[Passage, ...]) -> None:
        """Cache the passages that both legs found.

        Searches filtered by status are not cached: a status changes without a new index version.
        """
        documents = key.query.documents
        if documents is not None and documents.status is not None:
            return
        with self._lock:
            self._results.keep(key, passages, len(passages) + 1)

    def find_vectors(self, project_id: str, space_id: str, query: SearchQuery) -> Vectors | None:
        """The cached vectors of a query's texts in this space of the project."""
        with self._lock:
            found = self._vectors.find((space_id, _texts(query)))
            self._count_lookup(project_id, "vectors", hit=found is not None)
            return found

    def keep_vectors(self, space_id: str, query: SearchQuery, vectors: Vectors) -> None:
        """Cache the vectors of a query's texts."""
        with self._lock:
            self._vectors.keep((space_id, _texts(query)), vectors)

    def uses(self, project_id: str) -> CacheUses:
        """The use of both caches by a project."""
        with self._lock:
            return self._uses.get(project_id, CacheUses())

    def total_uses(self) -> CacheUses:
        """The use of both caches by all projects together."""
        with self._lock:
            return self._total

    def _count_lookup(self, project_id: str, cache: Literal["results", "vectors"], *, hit: bool) -> None:
        while len(self._uses) > _MAX_PROJECTS:
            self._uses.popitem(last=False)
        self._uses[project_id] = self._uses.get(project_id, CacheUses()).counting(cache, hit=hit)
        self._total = self._total.counting(cache, hit=hit)


def _texts(query: SearchQuery) -> tuple[str | None, ...]:
    return query.text, query.earlier, query.rewritten
