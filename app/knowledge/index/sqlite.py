"""The index in SQLite: an FTS5 table for terms and sqlite-vec tables for vectors."""

import json
from bisect import bisect_right
from collections.abc import Sequence

import numpy
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.database import models
from app.knowledge.index import bm25, terms
from app.knowledge.index.protocol import SearchScope, Strays, TextEntry
from app.providers.base import Vectors

# A term is stored once, in the column for the number of times the chunk has it (1, 2, … 16 or more): bm25 needs no
# positions, and each further occurrence counts less.
_COUNTS = (1, 2, 3, 4, 5, 6, 8, 11, 16)
_COLUMNS = tuple(f"n{count}" for count in _COUNTS)
# A row number holds the chunk's id and, in the lowest bits, its length, which saves a look-up per chunk found.
_LENGTH_BITS = 12
_LENGTH = (1 << _LENGTH_BITS) - 1
# A vector's row number holds the number of its space above the chunk's id.
_CHUNK_BITS = 48
_CHUNK = (1 << _CHUNK_BITS) - 1
# Scores are added as integers, whose sum does not depend on the order.
_PARTS = 10**12


COUNT_IN = (
    "INSERT INTO keyword_totals(project_id, chunks, terms) VALUES (:project_id, :chunks, :terms) "
    "ON CONFLICT(project_id) DO UPDATE SET chunks = chunks + excluded.chunks, terms = terms + excluded.terms "
    "RETURNING number"
)
"""Counts new chunks for their project; gives its number. Takes `count_in`."""
ADD_TEXT = (
    f"INSERT INTO chunk_texts(rowid, {', '.join(_COLUMNS)}) "
    f"VALUES (:id, {', '.join(f':{column}' for column in _COLUMNS)})"
)
"""Adds the full text of chunks. Takes `text_rows`."""


class SQLiteIndex:
    """FTS5 and vec0 tables beside the `chunks` table.

    Each term is stored behind the number of its project (`17xfox`), so that all of a project's entries lie together and
    those of others are never read: how many chunks have a term is the project's own count.
    """

    async def prepare(self, db: AsyncSession, dimensions: int) -> None:
        """Make the vector table of this length, if there is none."""
        # Vectors have norm 1, so Euclidean distance ranks as the cosine does and is cheaper: cos = 1 - d²/2.
        # Small chunks, for each project has its own: 256 vectors are 256 KB at 256 dimensions.
        await db.execute(
            text(
                f"CREATE VIRTUAL TABLE IF NOT EXISTS {_vectors(dimensions)} USING vec0("
                f"space text partition key, embedding float[{int(dimensions)}] distance_metric=l2, chunk_size=256)"
            )
        )

    async def add_texts(self, db: AsyncSession, project_id: str, entries: Sequence[TextEntry]) -> None:
        """Insert rows, and count them for their project."""
        counted = await db.execute(text(COUNT_IN), count_in(project_id, entries))
        await db.execute(text(ADD_TEXT), text_rows(counted.scalar_one(), entries))

    async def add_vectors(
        self, db: AsyncSession, space: models.EmbeddingSpace, chunk_ids: Sequence[int], vectors: Vectors
    ) -> None:
        """Insert rows into the table of the space's length."""
        await db.execute(
            text(f"INSERT INTO {_vectors(space.dimensions)}(rowid, space, embedding) VALUES (:id, :space, :vector)"),
            [
                {"id": _first(space) + chunk_id, "space": space.id, "vector": vector.tobytes()}
                for chunk_id, vector in zip(chunk_ids, numpy.ascontiguousarray(vectors, numpy.float32), strict=True)
            ],
        )

    async def remove(
        self, db: AsyncSession, project_id: str, spaces: Sequence[models.EmbeddingSpace], chunk_ids: Sequence[int]
    ) -> None:
        """Delete rows from both kinds of table."""
        if not chunk_ids:
            return
        found = await db.execute(
            text(
                "SELECT kept.id FROM json_each(:ids) AS wanted CROSS JOIN chunk_texts_docsize AS kept "
                f"WHERE kept.id BETWEEN wanted.value << {_LENGTH_BITS} AND wanted.value << {_LENGTH_BITS} | {_LENGTH}"
            ),
            {"ids": json.dumps(list(chunk_ids))},
        )
        rows = found.scalars().all()
        if rows:
            await db.execute(text("DELETE FROM chunk_texts WHERE rowid = :id"), [{"id": row} for row in rows])
            await db.execute(
                text(
                    "UPDATE keyword_totals SET chunks = chunks - :chunks, terms = terms - :terms "
                    "WHERE project_id = :project_id"
                ),
                {"project_id": project_id, "chunks": len(rows), "terms": sum(row & _LENGTH for row in rows)},
            )
        for space in spaces:
            await db.execute(
                text(f"DELETE FROM {_vectors(space.dimensions)} WHERE rowid = :id"),
                [{"id": _first(space) + chunk_id} for chunk_id in chunk_ids],
            )

    async def lexical(self, db: AsyncSession, scope: SearchScope, query: str, limit: int) -> dict[int, float]:
        """bm25 with the project's own counts, as a share of what it could be at most."""
        wanted = terms.query_terms(query)
        project = await db.execute(
            text("SELECT number, chunks, terms FROM keyword_totals WHERE project_id = :id"), {"id": scope.project_id}
        )
        row = project.one_or_none()
        if row is None or not wanted:
            return {}
        prefix, totals = _prefix(row.number), bm25.ProjectTotals(row.chunks, row.terms)
        shares = bm25.term_shares(wanted, await _chunks_with(db, prefix, wanted), totals)
        inside, parameters = _only(
            scope, f"WHERE doc >> {_LENGTH_BITS} IN (SELECT id FROM chunks WHERE document_id IN", ")"
        )
        # Which count a column stands for is read from its name.
        found = await db.execute(
            text(
                "WITH wanted AS MATERIALIZED (SELECT key AS term, value AS share FROM json_each(:shares)), "
                "found AS (SELECT doc, share, CAST(substr(col, 2) AS REAL) AS count "
                f"FROM wanted CROSS JOIN chunk_postings USING (term) {inside}) "
                f"SELECT doc >> {_LENGTH_BITS} AS chunk_id, sum(CAST({_PARTS} * share * count / (count + :flat + "
                f":steep * (doc & {_LENGTH})) AS INTEGER)) AS parts FROM found GROUP BY doc "
                "ORDER BY parts DESC, doc LIMIT :limit"
            ),
            {
                "shares": json.dumps({prefix + term: share for term, share in shares.items()}),
                "flat": bm25.K1 * (1 - bm25.B),
                "steep": bm25.K1 * bm25.B / totals.average_length,
                "limit": limit,
                **parameters,
            },
        )
        return {row.chunk_id: row.parts / _PARTS for row in found}

    async def nearest(self, db: AsyncSession, scope: SearchScope, vector: Vectors, limit: int) -> dict[int, float]:
        """Exact nearest neighbours within the space."""
        inside, parameters = _only(scope, "AND rowid IN (SELECT :first + id FROM chunks WHERE document_id IN", ")")
        if parameters:
            parameters["first"] = _first(scope.space)
        found = await db.execute(
            text(
                f"SELECT rowid, distance FROM {_vectors(scope.space.dimensions)} "
                f"WHERE embedding MATCH :vector AND k = :limit AND space = :space {inside}"
            ),
            {"vector": _bytes(vector), "limit": limit, "space": scope.space.id, **parameters},
        )
        return {row.rowid & _CHUNK: _cosine(row.distance) for row in found}

    async def cosines(
        self, db: AsyncSession, scope: SearchScope, vector: Vectors, chunk_ids: Sequence[int]
    ) -> dict[int, float]:
        """One look-up per chunk: the join order is fixed, for sqlite-vec takes `rowid IN` for a scan of everything."""
        found = await db.execute(
            text(
                "SELECT wanted.value AS id, vec_distance_l2(vectors.embedding, :vector) AS distance "
                f"FROM json_each(:ids) AS wanted CROSS JOIN {_vectors(scope.space.dimensions)} AS vectors "
                "WHERE vectors.rowid = :first + wanted.value AND +vectors.space = :space"
            ),
            {
                "vector": _bytes(vector),
                "ids": json.dumps(list(chunk_ids)),
                "first": _first(scope.space),
                "space": scope.space.id,
            },
        )
        return {row.id: _cosine(row.distance) for row in found}

    async def strays(self, db: AsyncSession) -> Strays:
        """By the ids that both kinds of table keep beside their content."""
        lengths = (await db.execute(text("SELECT DISTINCT dimensions FROM embedding_spaces"))).scalars()
        chunks, vectors = set[int](), list[tuple[int, int]]()
        for length in sorted(lengths):
            rows = f"SELECT rowid FROM {_vectors(length)}_rowids"
            of_spaces = (
                f"SELECT (spaces.number << {_CHUNK_BITS}) + chunks.id FROM chunks JOIN embedding_spaces AS spaces "
                "ON spaces.project_id = chunks.project_id AND spaces.dimensions = :length"
            )
            missing = await _ids(db, f"{of_spaces} AND spaces.state = 'ACTIVE' EXCEPT {rows}", length=length)
            chunks.update(row & _CHUNK for row in missing)
            vectors += [(length, row) for row in await _ids(db, f"{rows} EXCEPT {of_spaces}", length=length)]
        indexed = f"SELECT id >> {_LENGTH_BITS} FROM chunk_texts_docsize"
        return Strays(
            await _ids(
                db,
                f"SELECT id FROM chunks WHERE id NOT IN ({indexed}) "
                "OR project_id NOT IN (SELECT project_id FROM keyword_totals)",
            ),
            tuple(sorted(chunks)),
            await _ids(
                db,
                # Where a project's totals are gone, so is the number that stands before its terms.
                f"SELECT id FROM chunk_texts_docsize WHERE id >> {_LENGTH_BITS} NOT IN "
                "(SELECT chunks.id FROM chunks JOIN keyword_totals USING (project_id))",
            ),
            tuple(vectors),
            tuple(sorted((await db.execute(text(_MISCOUNTED))).scalars())),
        )

    async def forget(self, db: AsyncSession, strays: Strays) -> None:
        """Delete by row, and write the counts that are."""
        for row in strays.texts:
            await db.execute(text("DELETE FROM chunk_texts WHERE rowid = :id"), {"id": row})
        for length, row in strays.vectors:
            await db.execute(text(f"DELETE FROM {_vectors(length)} WHERE rowid = :id"), {"id": row})
        for project_id in strays.miscounted:
            await db.execute(
                text(
                    "UPDATE keyword_totals SET (chunks, terms) = (SELECT count(*), coalesce(sum(kept.id & "
                    f"{_LENGTH}), 0) {_KEPT} WHERE chunks.project_id = :id) WHERE project_id = :id"
                ),
                {"id": project_id},
            )


def count_in(project_id: str, entries: Sequence[TextEntry]) -> dict[str, str | int]:
    """New chunks of a project, counted."""
    length = sum(entry.terms.length for entry in entries)
    return {"project_id": project_id, "chunks": len(entries), "terms": length}


def text_rows(number: int, entries: Sequence[TextEntry]) -> list[dict[str, int | str]]:
    """Rows of full text, for the project of this number."""
    prefix = _prefix(number)
    return [
        {"id": entry.chunk_id << _LENGTH_BITS | entry.terms.length, **_columns(prefix, entry.terms)}
        for entry in entries
    ]


_KEPT = f"FROM chunk_texts_docsize AS kept JOIN chunks ON chunks.id = kept.id >> {_LENGTH_BITS}"
_MISCOUNTED = (
    "SELECT totals.project_id FROM keyword_totals AS totals LEFT JOIN (SELECT project_id, count(*) AS chunks, "
    f"sum(kept.id & {_LENGTH}) AS terms {_KEPT} GROUP BY project_id) AS counted USING (project_id) "
    "WHERE totals.chunks != coalesce(counted.chunks, 0) OR totals.terms != coalesce(counted.terms, 0)"
)


async def _chunks_with(db: AsyncSession, prefix: str, wanted: Sequence[str]) -> dict[str, int]:
    found = await db.execute(
        text("SELECT term, doc FROM chunk_terms WHERE term IN (SELECT value FROM json_each(:terms))"),
        {"terms": json.dumps([prefix + term for term in wanted])},
    )
    return {row.term.removeprefix(prefix): row.doc for row in found}


def _columns(prefix: str, counted: terms.CountedTerms) -> dict[str, str]:
    """The text of each column: the terms that occur so often."""
    columns: dict[str, list[str]] = {column: [] for column in _COLUMNS}
    for term, count in counted.counts.items():
        columns[_COLUMNS[bisect_right(_COUNTS, count) - 1]].append(prefix + term)
    return {column: " ".join(found) for column, found in columns.items()}


def _prefix(number: int) -> str:
    """Before each term of a project; digits end at the first letter, so that none can be taken for another's."""
    return f"{int(number)}x"


def _first(space: models.EmbeddingSpace) -> int:
    """What is added to a chunk's id for its vector in a space: two spaces of one length share a table."""
    return space.number << _CHUNK_BITS


async def _ids(db: AsyncSession, statement: str, **parameters: int) -> tuple[int, ...]:
    return tuple((await db.execute(text(statement), parameters)).scalars())


def _bytes(vector: Vectors) -> bytes:
    return vector.astype(numpy.float32).tobytes()


def _cosine(distance: float) -> float:
    return 1.0 - distance**2 / 2.0


def _vectors(dimensions: int) -> str:
    return f"chunk_vectors_{int(dimensions)}"


def _only(scope: SearchScope, clause: str, close: str = "") -> tuple[str, dict[str, str | int]]:
    """`clause` with the scope's documents, or nothing when all are meant."""
    if scope.document_ids is None:
        return "", {}
    return f"{clause} (SELECT value FROM json_each(:documents)){close}", {"documents": json.dumps(scope.document_ids)}
