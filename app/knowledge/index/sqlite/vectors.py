"""The vector index in SQLite: one sqlite-vec table per number of dimensions."""

import json
from collections.abc import Sequence
from functools import cache

import numpy
from sqlalchemy import ColumnClause, Connection, Select, TextClause, column, select, table, text
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Session

from app.database.protocol import Database
from app.knowledge.index.cached_vectors import CachedVectorIndex, cosine_of_distance
from app.knowledge.index.chunk_filter import ChunkFilter
from app.knowledge.index.protocol import SpaceKey, VectorDiscrepancies
from app.knowledge.index.sqlite import vector_blocks
from app.knowledge.index.vector_snapshot import VectorSnapshot
from app.providers.base import Vectors

# A vector's row number combines its space's number (high bits) with the chunk's id.
_CHUNK_BITS = 48
_CHUNK = (1 << _CHUNK_BITS) - 1
# Table names end with the number of dimensions. sqlite-vec's own shadow tables are left out.
_TABLE_LENGTHS = text(
    "SELECT CAST(substr(name, length('chunk_vectors_') + 1) AS integer) FROM sqlite_master "
    "WHERE sql LIKE 'CREATE VIRTUAL TABLE%USING vec0(%' AND name LIKE 'chunk\\_vectors\\_%' ESCAPE '\\'"
)


class SQLiteVectorIndex(CachedVectorIndex):
    """Exact search. Vectors have norm 1, so Euclidean distance ranks like the cosine (1 - d²/2) and is cheaper."""

    def prepare_space(self, db: Session, space: SpaceKey) -> None:
        """Create the table for vectors with this many dimensions, if there is none."""
        # Small chunks, because each project has its own: 256 vectors are 256 KB at 256 dimensions.
        table = _table(space.dimensions)
        db.connection().execute(
            text(
                f"CREATE VIRTUAL TABLE IF NOT EXISTS {table} USING vec0("
                f"space text partition key, embedding float[{int(space.dimensions)}] distance_metric=l2, "
                "chunk_size=256)"
            )
        )
        # For each search and each new vector, sqlite-vec looks up the blocks of the space; without an index, it would
        # scan those of all projects.
        index = f"CREATE INDEX IF NOT EXISTS ix_{table}_chunks_partition00 ON {table}_chunks (partition00)"
        db.connection().execute(text(index))

    def add_vectors(self, db: Session, space: SpaceKey, chunk_ids: Sequence[int], vectors: Vectors) -> None:
        """Insert rows into the space's table."""
        db.connection().execute(
            _insert_statement(space.dimensions),
            [
                {"id": _first_row(space) + chunk_id, "space": space.id, "vector": vector.tobytes()}
                for chunk_id, vector in zip(chunk_ids, numpy.ascontiguousarray(vectors, numpy.float32), strict=True)
            ],
        )

    def remove_vectors(self, db: Session, space: SpaceKey, chunk_ids: Sequence[int]) -> None:
        """Delete the chunks' rows."""
        if chunk_ids:
            db.connection().execute(
                _delete_statement(space.dimensions),
                [{"id": _first_row(space) + chunk_id} for chunk_id in chunk_ids],
            )

    def _find_stored(
        self, connection: Connection, space: SpaceKey, vector: Vectors, limit: int, among: ChunkFilter | None
    ) -> dict[int, float]:
        statement = _nearest_statement(space.dimensions)
        if among is not None:
            statement = statement.where(column("rowid").in_(among.select_ids(_first_row(space))))
        parameters = {"vector": _to_bytes(vector), "limit": limit, "space": space.id}
        found = connection.execute(statement, parameters).all()
        return {row & _CHUNK: cosine_of_distance(distance) for row, distance in found}

    def _score_stored(
        self, connection: Connection, space: SpaceKey, vector: Vectors, chunk_ids: Sequence[int]
    ) -> dict[int, float]:
        """Score with a fixed join order, because sqlite-vec turns `rowid IN` into a full scan."""
        statement = text(
            "SELECT wanted.value AS id, vec_distance_l2(vectors.embedding, :vector) AS distance "
            f"FROM json_each(:ids) AS wanted CROSS JOIN {_table(space.dimensions)} AS vectors "
            "WHERE vectors.rowid = :first + wanted.value AND +vectors.space = :space"
        )
        parameters = {
            "vector": _to_bytes(vector),
            "ids": json.dumps(list(chunk_ids)),
            "first": _first_row(space),
            "space": space.id,
        }
        return {row: cosine_of_distance(distance) for row, distance in connection.execute(statement, parameters).all()}

    def read_vectors(self, db: Session, space: SpaceKey, chunk_ids: Sequence[int]) -> tuple[list[int], Vectors]:
        """Read with one look-up per chunk and a fixed join order, as in `_score_stored`."""
        statement = text(
            "SELECT wanted.value, vectors.embedding FROM json_each(:ids) AS wanted "
            f"CROSS JOIN {_table(space.dimensions)} AS vectors "
            "WHERE vectors.rowid = :first + wanted.value AND +vectors.space = :space ORDER BY wanted.value"
        )
        parameters = {"ids": json.dumps(list(chunk_ids)), "first": _first_row(space), "space": space.id}
        found = db.connection().execute(statement, parameters).all()
        vectors = numpy.frombuffer(b"".join(row.embedding for row in found), numpy.float32)
        return [row.value for row in found], vectors.reshape(len(found), space.dimensions)

    def _update_snapshot(
        self, connection: Connection, space: SpaceKey, version: int, snapshot: VectorSnapshot | None, max_bytes: int
    ) -> VectorSnapshot | None:
        table = _table(space.dimensions)
        return vector_blocks.update_vectors(
            connection, table, space, version, snapshot, id_mask=_CHUNK, max_bytes=max_bytes
        )

    async def update_graphs(self, database: Database) -> None:
        """Do nothing: sqlite-vec compares all vectors of a space."""

    async def find_discrepancies(self, db: AsyncSession) -> VectorDiscrepancies:
        """Compare sqlite-vec's row numbers with the chunks."""
        # Including tables that no space uses any more.
        lengths = (await db.execute(_TABLE_LENGTHS)).scalars()
        missing, stray = set[int](), list[tuple[int, int]]()
        for length in sorted(lengths):
            rows = f"SELECT rowid FROM {_table(length)}_rowids"
            of_spaces = (
                f"SELECT (spaces.number << {_CHUNK_BITS}) + chunks.id FROM chunks JOIN embedding_spaces AS spaces "
                "ON spaces.project_id = chunks.project_id AND spaces.dimensions = :length"
            )
            without_row = await _find_rows(db, f"{of_spaces} AND spaces.state = 'ACTIVE' EXCEPT {rows}", length)
            missing.update(row & _CHUNK for row in without_row)
            stray += [(length, row) for row in await _find_rows(db, f"{rows} EXCEPT {of_spaces}", length)]
        return VectorDiscrepancies(tuple(sorted(missing)), tuple(stray))

    async def repair_discrepancies(self, db: AsyncSession, found: VectorDiscrepancies) -> None:
        """Delete stray rows."""
        for length, row in found.stray_rows:
            await db.execute(text(f"DELETE FROM {_table(length)} WHERE rowid = :id"), {"id": row})


@cache
def _nearest_statement(dimensions: int) -> Select[int, float]:
    """The search statement, with the conditions that sqlite-vec expects."""
    nearest = text("embedding MATCH :vector AND k = :limit AND space = :space")
    columns: tuple[ColumnClause[int], ColumnClause[float]] = column("rowid"), column("distance")
    return select(*columns).select_from(table(_table(dimensions))).where(nearest)


@cache
def _insert_statement(dimensions: int) -> TextClause:
    return text(f"INSERT INTO {_table(dimensions)}(rowid, space, embedding) VALUES (:id, :space, :vector)")


@cache
def _delete_statement(dimensions: int) -> TextClause:
    return text(f"DELETE FROM {_table(dimensions)} WHERE rowid = :id")


async def _find_rows(db: AsyncSession, statement: str, length: int) -> tuple[int, ...]:
    return tuple((await db.execute(text(statement), {"length": length})).scalars())


def _first_row(space: SpaceKey) -> int:
    """The offset from a chunk's id to its row: spaces with the same number of dimensions share a table."""
    return space.number << _CHUNK_BITS


def _table(dimensions: int) -> str:
    return f"chunk_vectors_{int(dimensions)}"


def _to_bytes(vector: Vectors) -> bytes:
    return vector.astype(numpy.float32).tobytes()
