"""The full-text index in SQLite: an FTS5 table of terms."""

import json
from bisect import bisect_right
from collections.abc import Sequence

from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Session

from app.knowledge.index import bm25, terms
from app.knowledge.index.protocol import ChunkTerms, TextDiscrepancies, TextIndex

# A term is stored once, in the column for the number of times the chunk has it (1, 2, … 16 or more): bm25 needs no
# positions, and each further occurrence counts less.
_COUNTS = (1, 2, 3, 4, 5, 6, 8, 11, 16)
_COLUMNS = tuple(f"n{count}" for count in _COUNTS)
# A row number holds the chunk's id and, in the lowest bits, its length, which saves a look-up per chunk found.
_LENGTH_BITS = 12
_LENGTH = (1 << _LENGTH_BITS) - 1
# Scores are added as integers, whose sum does not depend on the order.
_PARTS = 10**12

_COUNT_CHUNKS = text(
    "INSERT INTO keyword_totals(project_id, chunks, terms) VALUES (:project_id, :chunks, :terms) "
    "ON CONFLICT(project_id) DO UPDATE SET chunks = chunks + excluded.chunks, terms = terms + excluded.terms "
    "RETURNING number"
)
_ADD_TEXTS = text(
    f"INSERT INTO chunk_texts(rowid, {', '.join(_COLUMNS)}) "
    f"VALUES (:id, {', '.join(f':{column}' for column in _COLUMNS)})"
)
_FIND_ROWS = text(
    "SELECT kept.id FROM json_each(:ids) AS wanted CROSS JOIN chunk_texts_docsize AS kept "
    f"WHERE kept.id BETWEEN wanted.value << {_LENGTH_BITS} AND wanted.value << {_LENGTH_BITS} | {_LENGTH}"
)
_DELETE_ROW = text("DELETE FROM chunk_texts WHERE rowid = :id")
_SUBTRACT_CHUNKS = text(
    "UPDATE keyword_totals SET chunks = chunks - :chunks, terms = terms - :terms WHERE project_id = :project_id"
)
_KEPT = f"FROM chunk_texts_docsize AS kept JOIN chunks ON chunks.id = kept.id >> {_LENGTH_BITS}"
_MISSING = (
    f"SELECT id FROM chunks WHERE id NOT IN (SELECT id >> {_LENGTH_BITS} FROM chunk_texts_docsize) "
    "OR project_id NOT IN (SELECT project_id FROM keyword_totals)"
)
# A project without totals has lost the number that prefixes its terms.
_STRAY = (
    f"SELECT id FROM chunk_texts_docsize WHERE id >> {_LENGTH_BITS} NOT IN "
    "(SELECT chunks.id FROM chunks JOIN keyword_totals USING (project_id))"
)
_MISCOUNTED = (
    "SELECT totals.project_id FROM keyword_totals AS totals LEFT JOIN (SELECT project_id, count(*) AS chunks, "
    f"sum(kept.id & {_LENGTH}) AS terms {_KEPT} GROUP BY project_id) AS counted USING (project_id) "
    "WHERE totals.chunks != coalesce(counted.chunks, 0) OR totals.terms != coalesce(counted.terms, 0)"
)
_COUNT_AGAIN = (
    f"UPDATE keyword_totals SET (chunks, terms) = (SELECT count(*), coalesce(sum(kept.id & {_LENGTH}), 0) {_KEPT} "
    "WHERE chunks.project_id = :id) WHERE project_id = :id"
)


class SQLiteTextIndex(TextIndex):
    """Each term is stored with its project's number as a prefix (`17xfox`).

    So all entries of a project lie together and those of others are never read, and the number of chunks with a term
    is the project's own.
    """

    def add_texts(self, db: Session, project_id: str, chunks: Sequence[ChunkTerms]) -> None:
        """Insert rows, and add them to their project's totals."""
        length = sum(chunk.terms.length for chunk in chunks)
        connection = db.connection()
        counted = connection.execute(_COUNT_CHUNKS, {"project_id": project_id, "chunks": len(chunks), "terms": length})
        prefix = _prefix(counted.scalar_one())
        connection.execute(
            _ADD_TEXTS,
            [
                {"id": chunk.chunk_id << _LENGTH_BITS | chunk.terms.length, **_columns(prefix, chunk.terms)}
                for chunk in chunks
            ],
        )

    def remove_texts(self, db: Session, project_id: str, chunk_ids: Sequence[int]) -> None:
        """Delete rows, and subtract them from their project's totals."""
        if not chunk_ids:
            return
        connection = db.connection()
        rows = connection.execute(_FIND_ROWS, {"ids": json.dumps(list(chunk_ids))}).scalars().all()
        if rows:
            connection.execute(_DELETE_ROW, [{"id": row} for row in rows])
            connection.execute(
                _SUBTRACT_CHUNKS,
                {"project_id": project_id, "chunks": len(rows), "terms": sum(row & _LENGTH for row in rows)},
            )

    def search_texts(
        self, db: Session, project_id: str, query: str, limit: int, document_ids: Sequence[str] | None = None
    ) -> dict[int, float]:
        """BM25 with the project's own counts, as a share of the highest possible score."""
        wanted, connection = terms.query_terms(query), db.connection()
        row = connection.execute(_PROJECT_TOTALS, {"id": project_id}).one_or_none()
        if row is None or not wanted:
            return {}
        prefix, totals = _prefix(row.number), bm25.ProjectTotals(row.chunks, row.terms)
        shares = bm25.term_shares(wanted, _count_chunks_with(connection, prefix, wanted), totals)
        parameters = {
            "shares": json.dumps({prefix + term: share for term, share in shares.items()}),
            "flat": bm25.K1 * (1 - bm25.B),
            "steep": bm25.K1 * bm25.B / totals.average_length,
            "limit": limit,
        }
        if document_ids is not None:
            parameters["documents"] = json.dumps(document_ids)
        found = connection.execute(_SEARCH if document_ids is None else _SEARCH_WITHIN_DOCUMENTS, parameters)
        return {chunk_id: parts / _PARTS for chunk_id, parts in found.all()}

    async def find_discrepancies(self, db: AsyncSession) -> TextDiscrepancies:
        """Compare the row numbers that FTS5 keeps beside its content."""
        return TextDiscrepancies(
            tuple((await db.execute(text(_MISSING))).scalars()),
            tuple((await db.execute(text(_STRAY))).scalars()),
            tuple(sorted((await db.execute(text(_MISCOUNTED))).scalars())),
        )

    async def repair_discrepancies(self, db: AsyncSession, found: TextDiscrepancies) -> None:
        """Delete stray rows, and count again."""
        for row in found.stray_rows:
            await db.execute(_DELETE_ROW, {"id": row})
        for project_id in found.miscounted_projects:
            await db.execute(text(_COUNT_AGAIN), {"id": project_id})


def _search_statement(*, within_documents: bool) -> str:
    """Selects the best chunks by the sum of their shares; a column's name says which count it stands for."""
    documents = "SELECT id FROM chunks WHERE document_id IN (SELECT value FROM json_each(:documents))"
    inside = f"WHERE doc >> {_LENGTH_BITS} IN ({documents})" if within_documents else ""
    return (
        "WITH wanted AS MATERIALIZED (SELECT key AS term, value AS share FROM json_each(:shares)), "
        "found AS (SELECT doc, share, CAST(substr(col, 2) AS REAL) AS count "
        f"FROM wanted CROSS JOIN chunk_postings USING (term) {inside}) "
        f"SELECT doc >> {_LENGTH_BITS} AS chunk_id, sum(CAST({_PARTS} * share * count / (count + :flat + "
        f":steep * (doc & {_LENGTH})) AS INTEGER)) AS parts FROM found GROUP BY doc "
        "ORDER BY parts DESC, doc LIMIT :limit"
    )


_PROJECT_TOTALS = text("SELECT number, chunks, terms FROM keyword_totals WHERE project_id = :id")
_CHUNKS_WITH = text("SELECT term, doc FROM chunk_terms WHERE term IN (SELECT value FROM json_each(:terms))")
_SEARCH = text(_search_statement(within_documents=False))
_SEARCH_WITHIN_DOCUMENTS = text(_search_statement(within_documents=True))


def _count_chunks_with(connection: Connection, prefix: str, wanted: Sequence[str]) -> dict[str, int]:
    """How many of the project's chunks have each term."""
    found = connection.execute(_CHUNKS_WITH, {"terms": json.dumps([prefix + term for term in wanted])})
    return {row.term.removeprefix(prefix): row.doc for row in found}


def _columns(prefix: str, counted: terms.CountedTerms) -> dict[str, str]:
    """The text of each column: the terms that occur that often."""
    columns: dict[str, list[str]] = {column: [] for column in _COLUMNS}
    for term, count in counted.counts.items():
        columns[_COLUMNS[bisect_right(_COUNTS, count) - 1]].append(prefix + term)
    return {column: " ".join(found) for column, found in columns.items()}


def _prefix(number: int) -> str:
    """The prefix of a project's terms; its digits end at the letter, so no prefix begins with another."""
    return f"{int(number)}x"
