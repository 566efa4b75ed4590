"""The full-text index in SQLite: an FTS5 table of terms."""

import json
from bisect import bisect_right
from collections.abc import Sequence

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Session

from app.knowledge.index import bm25, postings, terms
from app.knowledge.index.chunk_filter import ChunkFilter
from app.knowledge.index.postings import LENGTH_BITS, LENGTH_MASK
from app.knowledge.index.postings_cache import PostingsCache
from app.knowledge.index.protocol import ChunkTerms, TextDiscrepancies, TextIndex
from app.knowledge.index.sqlite_postings import PostingsReader

# A term is stored once, in the column for the number of times the chunk has it (1, 2, … 16 or more): bm25 needs no
# positions, and each further occurrence counts less.
_COUNTS = (1, 2, 3, 4, 5, 6, 8, 11, 16)
_COLUMNS = tuple(f"n{count}" for count in _COUNTS)

_PROJECT_TOTALS = text(
    "SELECT totals.number, totals.chunks, totals.terms, projects.index_version FROM keyword_totals AS totals "
    "JOIN projects ON projects.id = totals.project_id WHERE project_id = :id"
)
_COUNT_CHUNKS = text(
    "INSERT INTO keyword_totals(project_id, chunks, terms) VALUES (:project_id, :chunks, :terms) "
    "ON CONFLICT(project_id) DO UPDATE SET chunks = chunks + excluded.chunks, terms = terms + excluded.terms "
    "RETURNING number, chunks"
)
_ADD_TEXTS = text(
    f"INSERT INTO chunk_texts(rowid, {', '.join(_COLUMNS)}) "
    f"VALUES (:id, {', '.join(f':{column}' for column in _COLUMNS)})"
)
_FIND_ROWS = text(
    "SELECT kept.id FROM json_each(:ids) AS wanted CROSS JOIN chunk_texts_docsize AS kept "
    f"WHERE kept.id BETWEEN wanted.value << {LENGTH_BITS} AND wanted.value << {LENGTH_BITS} | {LENGTH_MASK}"
)
_DELETE_ROW = text("DELETE FROM chunk_texts WHERE rowid = :id")
_SUBTRACT_CHUNKS = text(
    "UPDATE keyword_totals SET chunks = chunks - :chunks, terms = terms - :terms WHERE project_id = :project_id"
)
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


class SQLiteTextIndex(TextIndex):
    """Each term is stored with its project's number as a prefix (`17xfox`).

    So all entries of a project lie together and those of others are never read, and the number of chunks with a term
    is the project's own. `cache` holds the postings of the terms that were searched last.
    """

    def __init__(self, cache: PostingsCache | None = None) -> None:
        self._cache = cache or PostingsCache(0)

    def add_texts(self, db: Session, project_id: str, chunks: Sequence[ChunkTerms]) -> int:
        """Insert rows, and add them to their project's totals."""
        length = sum(chunk.terms.length for chunk in chunks)
        connection = db.connection()
        counted = connection.execute(_COUNT_CHUNKS, {"project_id": project_id, "chunks": len(chunks), "terms": length})
        number, total = counted.one()
        prefix = _prefix(number)
        connection.execute(
            _ADD_TEXTS,
            [
                {"id": chunk.chunk_id << LENGTH_BITS | chunk.terms.length, **_columns(prefix, chunk.terms)}
                for chunk in chunks
            ],
        )
        return total

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
                {"project_id": project_id, "chunks": len(rows), "terms": sum(row & LENGTH_MASK for row in rows)},
            )

    def search_texts(
        self, db: Session, project_id: str, query: str, limit: int, among: ChunkFilter | None = None
    ) -> dict[int, float]:
        """BM25 with the project's own counts, as a share of the highest possible score."""
        wanted, connection = terms.query_terms(query), db.connection()
        row = connection.execute(_PROJECT_TOTALS, {"id": project_id}).one_or_none()
        if row is None or not wanted:
            return {}
        totals = bm25.ProjectTotals(row.chunks, row.terms)
        reader = PostingsReader(connection, self._cache, _prefix(row.number), row.index_version)
        shares = bm25.term_shares(wanted, reader.count_chunks(wanted), totals)
        found = [(share, reader.read(term)) for term, share in shares.items()]
        weights = postings.Weights(bm25.K1 * (1 - bm25.B), bm25.K1 * bm25.B / totals.average_length)
        chunk_ids = None if among is None else among.read_ids(db, row.index_version)
        return postings.find_best(found, weights, limit, chunk_ids)

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


def _columns(prefix: str, counted: terms.CountedTerms) -> dict[str, str]:
    """The text of each column: the terms that occur that often."""
    columns: dict[str, list[str]] = {column: [] for column in _COLUMNS}
    for term, count in counted.counts.items():
        columns[_COLUMNS[bisect_right(_COUNTS, count) - 1]].append(prefix + term)
    return {column: " ".join(found) for column, found in columns.items()}


def _prefix(number: int) -> str:
    """The prefix of a project's terms; its digits end at the letter, so no prefix begins with another."""
    return f"{int(number)}x"
