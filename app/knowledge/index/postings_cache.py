"""A memory cache for the postings of the most recently searched terms."""

import threading
from collections import OrderedDict
from dataclasses import dataclass

from app.knowledge.index.postings import Postings

_BYTES_PER_TERM = 300


@dataclass(frozen=True, slots=True)
class CachedPostings:
    """The postings of a term in one version of its project's index."""

    version: int
    postings: Postings

    @property
    def bytes(self) -> int:
        """The memory used, including the cache's overhead."""
        return self.postings.bytes + _BYTES_PER_TERM


class PostingsCache:
    """Postings by term, whose prefix identifies the project. Thread-safe."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._lock = threading.Lock()
        self._terms: OrderedDict[str, CachedPostings] = OrderedDict()

    @property
    def bytes(self) -> int:
        """The memory used by all postings."""
        return self._bytes

    def find(self, term: str) -> CachedPostings | None:
        """The cached postings of a term, possibly of another version than the caller's."""
        with self._lock:
            cached = self._terms.get(term)
            if cached is not None:
                self._terms.move_to_end(term)
            return cached

    def keep(self, term: str, cached: CachedPostings) -> None:
        """Cache the postings of a term, unless a newer version is cached already."""
        with self._lock:
            former = self._terms.get(term)
            if former is not None and former.version > cached.version:
                return
            self._bytes += cached.bytes - (former.bytes if former is not None else 0)
            self._terms[term] = cached
            self._terms.move_to_end(term)
            while self._bytes > self._max_bytes:
                self._bytes -= self._terms.popitem(last=False)[1].bytes
