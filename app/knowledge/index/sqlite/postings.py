"""The postings of terms in SQLite."""

import json
from collections.abc import Mapping, Sequence

import numpy
from sqlalchemy import Connection, text

from app.knowledge.index.postings import Postings
from app.knowledge.index.postings_reader import PostingsSource
from app.knowledge.index.scored_texts import COUNTS
from app.knowledge.index.sqlite import fts5_pages

_COUNT_BITS = 5
_COUNT = (1 << _COUNT_BITS) - 1

_CHUNKS_WITH = text("SELECT term, doc FROM chunk_terms WHERE term IN (SELECT value FROM json_each(:terms))")
# All postings in one text: fetching each as a row takes twice as long. A column's name contains its count.
_POSTINGS = text(
    f"SELECT group_concat(doc << {_COUNT_BITS} | CAST(substr(col, 2) AS INTEGER)) FROM chunk_postings "
    "WHERE term = :term AND doc > :after"
)


# From this many postings on, reading the pages is faster.
_MANY = 5_000
_COUNTS = numpy.array(COUNTS, numpy.int64)


class SQLitePostings(PostingsSource):
    """Reads FTS5's vocabulary tables; for frequent terms, its pages."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._chunks_with: dict[str, int] = {}

    def count_chunks(self, terms: Sequence[str]) -> Mapping[str, int]:
        """Count in one statement."""
        found = self._connection.execute(_CHUNKS_WITH, {"terms": json.dumps(terms)})
        self._chunks_with = {row.term: row.doc for row in found.all()}
        return self._chunks_with

    def read_after(self, term: str, row: int) -> Postings | None:
        """Read in one statement; for a frequent term, a few for each segment of the index."""
        count = self._chunks_with.get(term, 0)
        return (self._read_pages(term, count, row) if count >= _MANY else None) or self._read_rows(term, row)

    def _read_pages(self, term: str, count: int, row: int) -> Postings | None:
        """Read from the pages; None if their format is unknown, or they do not have as many postings as FTS5 counts."""
        try:
            rows, columns = fts5_pages.read_term(self._connection, term)
        except fts5_pages.UnknownFormat:
            return None
        if len(rows) != count:
            return None
        first = int(numpy.searchsorted(rows, row, side="right"))
        return Postings.from_counts(rows[first:], _COUNTS[columns[first:]])

    def _read_rows(self, term: str, row: int) -> Postings | None:
        found = self._connection.execute(_POSTINGS, {"term": term, "after": row}).scalar()
        if found is None:
            return None
        numbers = numpy.fromstring(found, numpy.int64, sep=",")
        return Postings.from_counts(numbers >> _COUNT_BITS, numbers & _COUNT)
