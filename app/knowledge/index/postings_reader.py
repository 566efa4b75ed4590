"""Read postings from the cache, or from the full-text index of a database."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy

from app.knowledge.index.postings import Postings
from app.knowledge.index.postings_cache import CachedPostings, PostingsCache

_NONE = Postings.from_counts(numpy.empty(0, numpy.int64), numpy.empty(0, numpy.int64))


class PostingsSource(Protocol):
    """The full-text index as one transaction sees it. Terms have the prefix of their project."""

    def count_chunks(self, terms: Sequence[str]) -> Mapping[str, int]:
        """How many chunks have each term; terms without chunks may be missing."""
        ...

    def read_after(self, term: str, row: int) -> Postings | None:
        """The postings of a term, counted before, in rows above this one; None if there are none."""
        ...


class PostingsReader:
    """Reads the postings of a project's terms, in the version of its index that a transaction sees."""

    def __init__(self, source: PostingsSource, cache: PostingsCache, prefix: str, version: int) -> None:
        self._source = source
        self._cache = cache
        self._prefix = prefix
        self._version = version
        self._counts: dict[str, int] = {}
        # Other terms and other searches may displace them in the cache before they are read.
        self._counted_in_cache: dict[str, Postings] = {}

    def count_chunks(self, wanted: Sequence[str]) -> dict[str, int]:
        """How many of the project's chunks have each term."""
        self._counted_in_cache = {term: cached for term in wanted if (cached := self._find(term)) is not None}
        self._counts = {term: len(cached.rows) for term, cached in self._counted_in_cache.items()}
        others = [term for term in wanted if term not in self._counts]
        if others:
            counted = self._source.count_chunks([self._prefix + term for term in others])
            for term in others:
                self._counts[term] = count = counted.get(self._prefix + term, 0)
                if not count:
                    self._keep(term, _NONE)
        return self._counts

    def read(self, term: str) -> Postings:
        """The postings of a term that was counted before."""
        found = self._counted_in_cache.get(term) or self._find(term)
        if found is None:
            found = self._read_newer(term) or self._read_after(term, -1)
            self._keep(term, found)
        return found

    def _find(self, term: str) -> Postings | None:
        cached = self._cache.find(self._prefix + term)
        return cached.postings if cached is not None and cached.version == self._version else None

    def _keep(self, term: str, postings: Postings) -> None:
        self._cache.keep(self._prefix + term, CachedPostings(self._version, postings))

    def _read_newer(self, term: str) -> Postings | None:
        """The cached postings of an earlier version plus those added since; None if nothing is cached or rows are gone.

        Row numbers grow and are never reused. So if the total is right, no row is gone.
        """
        cached = self._cache.find(self._prefix + term)
        if cached is None or cached.version > self._version or not len(cached.postings.rows):
            return None
        all = cached.postings.extend(self._read_after(term, int(cached.postings.rows[-1])))
        return all if len(all.rows) == self._counts[term] else None

    def _read_after(self, term: str, row: int) -> Postings:
        return self._source.read_after(self._prefix + term, row) or _NONE
