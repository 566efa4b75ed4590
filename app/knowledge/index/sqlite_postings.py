"""Read postings from the full-text index in SQLite, or from memory."""

import json
from collections.abc import Sequence

import numpy
from sqlalchemy import Connection, text

from app.knowledge.index.postings import Postings
from app.knowledge.index.postings_cache import HeldPostings, PostingsCache

_COUNT_BITS = 5
_COUNT = (1 << _COUNT_BITS) - 1

_CHUNKS_WITH = text("SELECT term, doc FROM chunk_terms WHERE term IN (SELECT value FROM json_each(:terms))")
# All in one text: fetching each as a row takes twice as long. A column's name says which count it stands for.
_POSTINGS = text(
    f"SELECT group_concat(doc << {_COUNT_BITS} | CAST(substr(col, 2) AS INTEGER)) FROM chunk_postings "
    "WHERE term = :term AND doc > :after"
)
_NONE = Postings.of(numpy.empty(0, numpy.int64), numpy.empty(0, numpy.int64))


class PostingsReader:
    """The postings of a project's terms, in the version of its index that a transaction sees."""

    def __init__(self, connection: Connection, cache: PostingsCache, prefix: str, version: int) -> None:
        self._connection = connection
        self._cache = cache
        self._prefix = prefix
        self._version = version
        self._counts: dict[str, int] = {}

    def count_chunks(self, wanted: Sequence[str]) -> dict[str, int]:
        """How many of the project's chunks have each term."""
        self._counts = {term: len(held.rows) for term in wanted if (held := self._find(term)) is not None}
        others = [term for term in wanted if term not in self._counts]
        if others:
            parameters = {"terms": json.dumps([self._prefix + term for term in others])}
            for term, count in self._connection.execute(_CHUNKS_WITH, parameters).all():
                self._counts[term.removeprefix(self._prefix)] = count
            for term in others:
                if not self._counts.setdefault(term, 0):
                    self._keep(term, _NONE)
        return self._counts

    def read(self, term: str) -> Postings:
        """The postings of a term that was counted."""
        found = self._find(term)
        if found is None:
            found = self._read_newer(term) or self._read_after(term, -1)
            self._keep(term, found)
        return found

    def _find(self, term: str) -> Postings | None:
        held = self._cache.find(self._prefix + term)
        return held.postings if held is not None and held.version == self._version else None

    def _keep(self, term: str, postings: Postings) -> None:
        self._cache.keep(self._prefix + term, HeldPostings(self._version, postings))

    def _read_newer(self, term: str) -> Postings | None:
        """Those of an earlier version with what was added since; None if there are none, or some are gone.

        Row numbers grow and are never reused. So if the number of all is right, none is gone.
        """
        held = self._cache.find(self._prefix + term)
        if held is None or held.version > self._version or not len(held.postings.rows):
            return None
        all = held.postings.extend(self._read_after(term, int(held.postings.rows[-1])))
        return all if len(all.rows) == self._counts[term] else None

    def _read_after(self, term: str, row: int) -> Postings:
        parameters = {"term": self._prefix + term, "after": row}
        found = self._connection.execute(_POSTINGS, parameters).scalar()
        if found is None:
            return _NONE
        numbers = numpy.fromstring(found, numpy.int64, sep=",")
        return Postings.of(numbers >> _COUNT_BITS, numbers & _COUNT)
