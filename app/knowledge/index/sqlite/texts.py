"""The full-text index in SQLite: an FTS5 table of terms."""

import json
from collections.abc import Sequence

from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Session

from app.knowledge.index import scored_texts
from app.knowledge.index.postings import LENGTH_BITS, LENGTH_MASK
from app.knowledge.index.protocol import ChunkTerms, TextDiscrepancies
from app.knowledge.index.sqlite.postings import SQLitePostings

# A term is stored once, in the column for its count in the chunk: bm25 needs no positions.
_COLUMNS = tuple(f"n{count}" for count in scored_texts.COUNTS)

_ADD_TEXTS = text(
    f"INSERT INTO chunk_texts(rowid, {', '.join(_COLUMNS)}) "
    f"VALUES (:id, {', '.join(f':{column}' for column in _COLUMNS)})"
)
_FIND_ROWS = text(
    "SELECT kept.id FROM json_each(:ids) AS wanted CROSS JOIN chunk_texts_docsize AS kept "
    f"WHERE kept.id BETWEEN wanted.value << {LENGTH_BITS} AND wanted.value << {LENGTH_BITS} | {LENGTH_MASK}"
)
_DELETE_ROW = text("DELETE FROM chunk_texts WHERE rowid = :id")
_KEPT = f"FROM chunk_texts_docsize AS kept JOIN chunks ON chunks.id = kept.id >> {LENGTH_BITS}"
_MISSING = (
    f"SELECT id FROM chunks WHERE id NOT IN (SELECT id >> {LENGTH_BITS} FROM chunk_texts_docsize) "
    "OR project_id NOT IN (SELECT project_id FROM keyword_totals)"
)
# A project without totals has lost the number that prefixes its terms.
_STRAY = (
    f"SELECT id FROM chunk_texts_docsize WHERE id >> {LENGTH_BITS} NOT IN "
    "(SELECT chunks.id FROM chunks JOIN keyword_totals USING (project_id))"
)
_MISCOUNTED = (
    "SELECT totals.project_id FROM keyword_totals AS totals LEFT JOIN (SELECT project_id, count(*) AS chunks, "
    f"sum(kept.id & {LENGTH_MASK}) AS terms {_KEPT} GROUP BY project_id) AS counted USING (project_id) "
    "WHERE totals.chunks != coalesce(counted.chunks, 0) OR totals.terms != coalesce(counted.terms, 0)"
)
_COUNT_AGAIN = (
    f"UPDATE keyword_totals SET (chunks, terms) = (SELECT count(*), coalesce(sum(kept.id & {LENGTH_MASK}), 0) {_KEPT} "
    "WHERE chunks.project_id = :id) WHERE project_id = :id"
)


class SQLiteTextIndex(scored_texts.ScoredTextIndex):
    """A full-text index with one row per chunk, whose row number contains the chunk's id and length."""

    def _open_postings(self, connection: Connection) -> SQLitePostings:
        return SQLitePostings(connection)

    def add_texts(self, db: Session, project_id: str, chunks: Sequence[ChunkTerms]) -> int:
        """Insert rows, and update their project's totals."""
        connection = db.connection()
        length = sum(chunk.terms.length for chunk in chunks)
        number, total = scored_texts.add_to_totals(connection, project_id, len(chunks), length)
        connection.execute(
            _ADD_TEXTS,
            [{"id": chunk.chunk_id << LENGTH_BITS | chunk.terms.length, **_columns(number, chunk)} for chunk in chunks],
        )
        return total

    def remove_texts(self, db: Session, project_id: str, chunk_ids: Sequence[int]) -> None:
        """Delete rows, and update their project's totals."""
        if not chunk_ids:
            return
        connection = db.connection()
        rows = connection.execute(_FIND_ROWS, {"ids": json.dumps(list(chunk_ids))}).scalars().all()
        if rows:
            connection.execute(_DELETE_ROW, [{"id": row} for row in rows])
            length = sum(row & LENGTH_MASK for row in rows)
            scored_texts.subtract_from_totals(connection, project_id, len(rows), length)

    async def find_discrepancies(self, db: AsyncSession) -> TextDiscrepancies:
        """Compare FTS5's row numbers with the chunks."""
        return TextDiscrepancies(
            tuple((await db.execute(text(_MISSING))).scalars()),
            tuple((await db.execute(text(_STRAY))).scalars()),
            tuple(sorted((await db.execute(text(_MISCOUNTED))).scalars())),
        )

    async def repair_discrepancies(self, db: AsyncSession, found: TextDiscrepancies) -> None:
        """Delete stray rows, and recount totals."""
        for row in found.stray_rows:
            await db.execute(_DELETE_ROW, {"id": row})
        for project_id in found.miscounted_projects:
            await db.execute(text(_COUNT_AGAIN), {"id": project_id})


def _columns(number: int, chunk: ChunkTerms) -> dict[str, str]:
    """The text of each column: the terms with that count."""
    columns: list[list[str]] = [[] for _ in _COLUMNS]
    for term, index in scored_texts.prefixed_terms(number, chunk.terms):
        columns[index].append(term)
    return {column: " ".join(found) for column, found in zip(_COLUMNS, columns, strict=True)}
