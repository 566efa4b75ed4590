"""What was searched lately: results, while the project has not changed, and the vectors of questions.

A result is found by the project's index version, which grows with every change of what a search of it returns. The
vectors save a call of a model server when a project changes, or when a question is searched with other options. They
are those of one project: who shared them with another would learn, from the time or the count of hits, what is asked
there.
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

# A question's results; about 2 kB for each passage.
_MAX_PASSAGES = 10_000
_MAX_VECTORS = 100
# How often questions were asked again is remembered of so many projects.
_MAX_PROJECTS = 1_000


@dataclass(frozen=True, slots=True)
class CacheUse:
    """How many lookups there were since the process started, and how many of them found something."""

    lookups: int = 0
    hits: int = 0

    @property
    def hit_rate(self) -> float | None:
        """From 0 to 1; None before the first lookup."""
        return self.hits / self.lookups if self.lookups else None

    def counting(self, *, hit: bool) -> "CacheUse":
        """With one lookup more."""
        return CacheUse(self.lookups + 1, self.hits + hit)


class CacheUses(NamedTuple):
    """The use of both caches."""

    results: CacheUse = CacheUse()
    vectors: CacheUse = CacheUse()

    def counting(self, cache: Literal["results", "vectors"], *, hit: bool) -> "CacheUses":
        """With one lookup more."""
        if cache == "results":
            return CacheUses(self.results.counting(hit=hit), self.vectors)
        return CacheUses(self.results, self.vectors.counting(hit=hit))


@dataclass(frozen=True, slots=True)
class ResultKey:
    """What a result depends on."""

    project_id: str
    space_id: str
    index_version: int
    dense_weight: float
    query: SearchQuery


@dataclass(slots=True)
class _RecentValues(Generic[Value]):
    """The values used last, for a limited time and up to a limited weight in all."""

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
    """Results and vectors of the questions asked last; its methods may be called on any thread."""

    def __init__(self, seconds: float) -> None:
        """Each is kept for so many seconds at most; with 0 there is none."""
        self._results = _RecentValues[tuple[Passage, ...]](seconds, _MAX_PASSAGES)
        self._vectors = _RecentValues[Vectors](seconds, _MAX_VECTORS)
        self._uses = OrderedDict[str, CacheUses]()
        self._total = CacheUses()
        self._lock = threading.Lock()

    def find_passages(self, key: ResultKey) -> tuple[Passage, ...] | None:
        """The passages found before, if the project is still the same."""
        with self._lock:
            found = self._results.find(key)
            self._count_lookup(key.project_id, "results", hit=found is not None)
            return found

    def keep_passages(self, key: ResultKey, passages: tuple[Passage, ...]) -> None:
        """Keep the passages that both legs found.

        Not of documents in a certain status: it changes without a new version of the index.
        """
        documents = key.query.documents
        if documents is not None and documents.status is not None:
            return
        with self._lock:
            self._results.keep(key, passages, len(passages) + 1)

    def find_vectors(self, project_id: str, model: str, query: SearchQuery) -> Vectors | None:
        """The vectors of the texts of a query, if it was searched in this project."""
        with self._lock:
            found = self._vectors.find((project_id, model, _texts(query)))
            self._count_lookup(project_id, "vectors", hit=found is not None)
            return found

    def keep_vectors(self, project_id: str, model: str, query: SearchQuery, vectors: Vectors) -> None:
        """Keep what the model made of the texts of a query."""
        with self._lock:
            self._vectors.keep((project_id, model, _texts(query)), vectors)

    def uses(self, project_id: str) -> CacheUses:
        """How often results were found for a project, and vectors."""
        with self._lock:
            return self._uses.get(project_id, CacheUses())

    def total_uses(self) -> CacheUses:
        """The same of all projects together."""
        with self._lock:
            return self._total

    def _count_lookup(self, project_id: str, cache: Literal["results", "vectors"], *, hit: bool) -> None:
        while len(self._uses) > _MAX_PROJECTS:
            self._uses.popitem(last=False)
        self._uses[project_id] = self._uses.get(project_id, CacheUses()).counting(cache, hit=hit)
        self._total = self._total.counting(cache, hit=hit)


def _texts(query: SearchQuery) -> tuple[str | None, ...]:
    return query.text, query.earlier, query.rewritten
