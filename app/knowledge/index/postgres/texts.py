"""The full-text index in PostgreSQL: a table with each chunk's terms, and a GIN index on them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Session

from app.knowledge.index import scored_texts
from app.knowledge.index.postings import LENGTH_BITS, Postings
from app.knowledge.index.postings_reader import PostingsSource
from app.knowledge.index.protocol import ChunkTerms, TextDiscrepancies

# A term is stored with the number of times the chunk has it behind this: bm25 needs no positions.
_SEPARATOR = ":"

_ADD_TEXTS = text("INSERT INTO chunk_texts(chunk_id, length, terms) VALUES (:id, :length, CAST(:terms AS text[]))")
_DELETE_TEXTS = text(
    "WITH gone AS (DELETE FROM chunk_texts WHERE chunk_id = ANY(CAST(:ids AS bigint[])) RETURNING length) "
    "SELECT count(*), coalesce(sum(length), 0) FROM gone"
)
# Even for a frequent term, the index reads fewer bytes than a scan of the table.
_USE_INDEX = text("SET LOCAL enable_seqscan = off")
# All rows of a term and count in one value: fetching each as a row takes several times as long.
_POSTINGS = text(
    f"SELECT term.value, times.value, string_agg(int8send(found.chunk_id << {LENGTH_BITS} | found.length), ''::bytea) "
    "FROM unnest(CAST(:terms AS text[])) AS term(value) CROSS JOIN unnest(CAST(:counts AS int[])) AS times(value) "
    "CROSS JOIN LATERAL (SELECT chunk_id, length FROM chunk_texts "
    f"WHERE terms @> ARRAY[term.value || '{_SEPARATOR}' || times.value] COLLATE \"C\") AS found GROUP BY 1, 2"
)
_KEPT = "FROM chunk_texts AS kept JOIN chunks ON chunks.id = kept.chunk_id"
_MISSING = text(
    "SELECT id FROM chunks WHERE NOT EXISTS (SELECT 1 FROM chunk_texts AS kept WHERE kept.chunk_id = chunks.id) "
    "OR NOT EXISTS (SELECT 1 FROM keyword_totals AS totals WHERE totals.project_id = chunks.project_id) ORDER BY id"
)
# A project without totals has lost the number that prefixes its terms.
_STRAY = text(
    "SELECT chunk_id FROM chunk_texts WHERE NOT EXISTS (SELECT 1 FROM chunks JOIN keyword_totals USING (project_id) "
    "WHERE chunks.id = chunk_id) ORDER BY chunk_id"
)
_MISCOUNTED = text(
    "SELECT totals.project_id FROM keyword_totals AS totals LEFT JOIN (SELECT project_id, count(*) AS chunks, "
    f"sum(kept.length) AS terms {_KEPT} GROUP BY project_id) AS counted USING (project_id) "
    "WHERE totals.chunks != coalesce(counted.chunks, 0) OR totals.terms != coalesce(counted.terms, 0) ORDER BY 1"
)
_COUNT_AGAIN = text(
    f"UPDATE keyword_totals SET (chunks, terms) = (SELECT count(*), coalesce(sum(kept.length), 0) {_KEPT} "
    "WHERE chunks.project_id = :id) WHERE project_id = :id"
)


class PostgresPostings(PostingsSource):
    """Reads the postings of all terms when counting them: counting alone would take as long."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._found: dict[str, Postings] = {}

    def count_chunks(self, terms: Sequence[str]) -> Mapping[str, int]:
        """Read all postings in one statement, and count them."""
        self._connection.execute(_USE_INDEX)
        values = {"terms": list(terms), "counts": list(scored_texts.COUNTS)}
        parts: dict[str, list[tuple[int, Any]]] = {}
        for term, times, rows in self._connection.execute(_POSTINGS, values):
            parts.setdefault(term, []).append((times, numpy.frombuffer(rows, ">i8").astype(numpy.int64)))
        self._found |= {term: _join(found) for term, found in parts.items()}
        return {term: len(self._found[term].rows) for term in parts}

    def read_after(self, term: str, row: int) -> Postings | None:
        """The postings that `count_chunks` has read."""
        found = self._found.get(term)
        if found is None:
            return None
        first = int(numpy.searchsorted(found.rows, row, side="right"))
        return Postings(found.rows[first:], found.counts[first:]) if first else found


def _join(parts: Sequence[tuple[int, Any]]) -> Postings:
    """The postings of one term, sorted by row, from the rows with each count."""
    rows = numpy.concatenate([rows for _, rows in parts])
    counts = numpy.repeat(numpy.array([times for times, _ in parts]), [len(rows) for _, rows in parts])
    order = numpy.argsort(rows)
    return Postings.from_counts(rows[order], counts[order])


class PostgresTextIndex(scored_texts.ScoredTextIndex):
    """A full-text index with one row per chunk."""

    def _open_postings(self, connection: Connection) -> PostgresPostings:
        return PostgresPostings(connection)

    def add_texts(self, db: Session, project_id: str, chunks: Sequence[ChunkTerms]) -> int:
        """Insert rows, and update their project's totals."""
        connection = db.connection()
        length = sum(chunk.terms.length for chunk in chunks)
        number, total = scored_texts.add_to_totals(connection, project_id, len(chunks), length)
        values = [
            {"id": chunk.chunk_id, "length": chunk.terms.length, "terms": _stored_terms(number, chunk)}
            for chunk in chunks
        ]
        if values:
            connection.execute(_ADD_TEXTS, values)
        return total

    def remove_texts(self, db: Session, project_id: str, chunk_ids: Sequence[int]) -> None:
        """Delete rows, and update their project's totals."""
        if not chunk_ids:
            return
        connection = db.connection()
        count, length = connection.execute(_DELETE_TEXTS, {"ids": list(chunk_ids)}).one()
        if count:
            scored_texts.subtract_from_totals(connection, project_id, count, length)

    async def find_discrepancies(self, db: AsyncSession) -> TextDiscrepancies:
        """Compare the rows with the chunks."""
        return TextDiscrepancies(
            tuple((await db.execute(_MISSING)).scalars()),
            tuple((await db.execute(_STRAY)).scalars()),
            tuple((await db.execute(_MISCOUNTED)).scalars()),
        )

    async def repair_discrepancies(self, db: AsyncSession, found: TextDiscrepancies) -> None:
        """Delete stray rows, and recount totals."""
        if found.stray_rows:
            await db.execute(_DELETE_TEXTS, {"ids": list(found.stray_rows)})
        for project_id in found.miscounted_projects:
            await db.execute(_COUNT_AGAIN, {"id": project_id})


def _stored_terms(number: int, chunk: ChunkTerms) -> list[str]:
    stored = scored_texts.prefixed_terms(number, chunk.terms)
    return [f"{term}{_SEPARATOR}{scored_texts.COUNTS[index]}" for term, index in stored]
