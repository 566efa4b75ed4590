"""The postings of terms in SQLite."""

import json
from collections.abc import Mapping, Sequence

import numpy
from sqlalchemy import Connection, text

from app.knowledge.index.postings import Postings
from app.knowledge.index.postings_reader import PostingsSource

_COUNT_BITS = 5
_COUNT = (1 << _COUNT_BITS) - 1

_CHUNKS_WITH = text("SELECT term, doc FROM chunk_terms WHERE term IN (SELECT value FROM json_each(:terms))")
# All in one text: fetching each as a row takes twice as long. A column's name says which count it stands for.
_POSTINGS = text(
    f"SELECT group_concat(doc << {_COUNT_BITS} | CAST(substr(col, 2) AS INTEGER)) FROM chunk_postings "
    "WHERE term = :term AND doc > :after"
)


class SQLitePostings(PostingsSource):
    """Reads the tables that FTS5 offers beside the full text."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def count_chunks(self, terms: Sequence[str]) -> Mapping[str, int]:
        """One statement."""
        found = self._connection.execute(_CHUNKS_WITH, {"terms": json.dumps(terms)})
        return {row.term: row.doc for row in found.all()}

    def read_after(self, term: str, row: int) -> Postings | None:
        """One statement."""
        found = self._connection.execute(_POSTINGS, {"term": term, "after": row}).scalar()
        if found is None:
            return None
        numbers = numpy.fromstring(found, numpy.int64, sep=",")
        return Postings.of(numbers >> _COUNT_BITS, numbers & _COUNT)
