"""The vector index in PostgreSQL: one pgvector table for all spaces, and an HNSW graph for each large space."""

from collections.abc import Sequence

import numpy
from sqlalchemy import (
    BigInteger,
    Connection,
    bindparam,
    column,
    select,
    table,
    text,
)
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Session

from app.database.protocol import Database
from app.knowledge.index.cached_vectors import CachedVectorIndex, cosine_of_distance
from app.knowledge.index.chunk_filter import ChunkFilter
from app.knowledge.index.postgres import hnsw
from app.knowledge.index.postgres.graph_upkeep import GraphUpkeep
from app.knowledge.index.protocol import SpaceKey, VectorDiscrepancies
from app.knowledge.index.vector_cache import VectorCache
from app.knowledge.index.vector_snapshot import VectorSnapshot
from app.providers.base import Vectors

_ADD = text("INSERT INTO chunk_vectors(space_id, chunk_id, embedding) VALUES (CAST(:space AS uuid), :id, :vector)")
_DELETE = text(
    "DELETE FROM chunk_vectors WHERE space_id = CAST(:space AS uuid) AND chunk_id = ANY(CAST(:ids AS bigint[]))"
)
_ROWS = table("chunk_vectors", column("chunk_id", BigInteger))
# Even if a project makes up a large part of the table, the index reads fewer rows.
_USE_INDEX = text("SET LOCAL enable_seqscan = off")
_DISTANCE = text("embedding <-> CAST(:vector AS vector) AS distance")
_OF_SPACE = select(_ROWS.c.chunk_id, _DISTANCE).where(text("space_id = CAST(:space AS uuid)"))
_NEAREST = _OF_SPACE.order_by(text("distance, chunk_id")).limit(bindparam("limit"))
_SCORES = _OF_SPACE.where(text("chunk_id = ANY(CAST(:ids AS bigint[]))"))
_IDS = text("SELECT string_agg(int8send(chunk_id), ''::bytea) FROM chunk_vectors WHERE space_id = CAST(:space AS uuid)")
# pgvector sends a vector as the number of dimensions, two unused bytes, and the values.
_PAGE = text(
    "SELECT string_agg(int8send(chunk_id) || vector_send(embedding), ''::bytea) FROM chunk_vectors "
    "WHERE space_id = CAST(:space AS uuid) AND chunk_id = ANY(CAST(:ids AS bigint[]))"
)
_OF_SPACES = (
    "SELECT CAST(spaces.id AS uuid) AS space_id, chunks.id AS chunk_id FROM chunks JOIN embedding_spaces AS spaces "
    "ON spaces.project_id = chunks.project_id"
)
_MISSING = text(
    f"SELECT DISTINCT chunk_id FROM ({_OF_SPACES} AND spaces.state = 'ACTIVE' "
    "EXCEPT SELECT space_id, chunk_id FROM chunk_vectors) AS without ORDER BY chunk_id"
)
# Not `NOT IN`: if its list does not fit into memory, the server reads it again for each vector.
_IS_STRAY = (
    f"NOT EXISTS ({_OF_SPACES} WHERE chunks.id = chunk_vectors.chunk_id AND "
    "CAST(spaces.id AS uuid) = chunk_vectors.space_id)"
)
_STRAY = text(f"SELECT vector_dims(embedding), chunk_id FROM chunk_vectors WHERE {_IS_STRAY} ORDER BY 1, 2")
_DELETE_STRAY = text(f"DELETE FROM chunk_vectors WHERE {_IS_STRAY} AND chunk_id = ANY(CAST(:ids AS bigint[]))")
# The most that a search loads into the cache before it continues in the database: 10 to 20 ms.
_PAGE_BYTES = 8_000_000


class PostgresVectorIndex(CachedVectorIndex):
    """Exact search below `min_graph_chunks` chunks, approximate search from there on.

    Vectors have norm 1, so Euclidean distance ranks like the cosine: 1 - d²/2.
    """

    def __init__(self, cache: VectorCache | None, min_graph_chunks: int) -> None:
        """`min_graph_chunks`: the least chunks of a project, or of a filter, for approximate search; 0: never."""
        super().__init__(cache)
        self._min_graph_chunks = min_graph_chunks
        self._upkeep = GraphUpkeep(min_graph_chunks)

    def prepare_space(self, db: Session, space: SpaceKey) -> None:
        """Do nothing: all spaces share one table."""

    def add_vectors(self, db: Session, space: SpaceKey, chunk_ids: Sequence[int], vectors: Vectors) -> None:
        """Insert rows."""
        exact = numpy.ascontiguousarray(vectors, numpy.float32)
        values = [
            {"space": space.id, "id": chunk_id, "vector": vector}
            for chunk_id, vector in zip(chunk_ids, exact, strict=True)
        ]
        if values:
            db.connection().execute(_ADD, values)

    def remove_vectors(self, db: Session, space: SpaceKey, chunk_ids: Sequence[int]) -> None:
        """Delete the chunks' rows."""
        if chunk_ids:
            db.connection().execute(_DELETE, {"space": space.id, "ids": list(chunk_ids)})

    def _find_stored(
        self, connection: Connection, space: SpaceKey, vector: Vectors, limit: int, among: ChunkFilter | None
    ) -> dict[int, float]:
        found = self._find_in_graph(connection, space, vector, limit, among)
        if found is None:
            connection.execute(_USE_INDEX)
            nearest = _NEAREST if among is None else _NEAREST.where(_ROWS.c.chunk_id.in_(among.select_ids()))
            values = {"space": space.id, "vector": vector.reshape(-1), "limit": limit}
            found = {row.chunk_id: row.distance for row in connection.execute(nearest, values)}
        return {chunk_id: cosine_of_distance(distance) for chunk_id, distance in found.items()}

    def _find_in_graph(
        self, connection: Connection, space: SpaceKey, vector: Vectors, limit: int, among: ChunkFilter | None
    ) -> dict[int, float] | None:
        """Find the nearest chunks by the space's graph; None if exact search should be used."""
        if not self._min_graph_chunks or space.dimensions > hnsw.MAX_DIMENSIONS:
            return None
        if among is not None and hnsw.is_small(connection, among, self._min_graph_chunks):
            return None
        return hnsw.find_nearest(connection, space, vector, limit, among)

    def _score_stored(
        self, connection: Connection, space: SpaceKey, vector: Vectors, chunk_ids: Sequence[int]
    ) -> dict[int, float]:
        parameters = {"space": space.id, "vector": vector.reshape(-1), "ids": list(chunk_ids)}
        found = connection.execute(_SCORES, parameters).all()
        return {chunk_id: cosine_of_distance(distance) for chunk_id, distance in found}

    def _update_snapshot(
        self, connection: Connection, space: SpaceKey, version: int, snapshot: VectorSnapshot | None, max_bytes: int
    ) -> VectorSnapshot | None:
        dimensions = space.dimensions
        data = connection.execute(_IDS, {"space": space.id}).scalar()
        ids = numpy.sort(numpy.frombuffer(data or b"", ">i8").astype(numpy.int64))
        if len(ids) * dimensions * 4 > max_bytes:
            return None
        if snapshot is None:
            snapshot = VectorSnapshot.empty(dimensions, len(ids))
            if snapshot.bytes > max_bytes:
                return None
        missing = ids[~numpy.isin(ids, snapshot.ids)]
        gone = snapshot.ids[~numpy.isin(snapshot.ids, ids)]
        page = missing[: max(1, _PAGE_BYTES // (dimensions * 4))]
        _, vectors = _read_vectors(connection, space, page.tolist())
        return snapshot.update(version, gone, page, [vectors], is_complete=len(page) == len(missing))

    def read_vectors(self, db: Session, space: SpaceKey, chunk_ids: Sequence[int]) -> tuple[list[int], Vectors]:
        """Read them in one statement."""
        return _read_vectors(db.connection(), space, chunk_ids)

    async def update_graphs(self, database: Database) -> None:
        """Build graphs of spaces that have become large, and drop those of others. Raises Unavailable."""
        await self._upkeep.update_graphs(database)

    async def find_discrepancies(self, db: AsyncSession) -> VectorDiscrepancies:
        """Compare the rows with the chunks."""
        missing = tuple((await db.execute(_MISSING)).scalars())
        return VectorDiscrepancies(missing, tuple((length, id) for length, id in await db.execute(_STRAY)))

    async def repair_discrepancies(self, db: AsyncSession, found: VectorDiscrepancies) -> None:
        """Delete stray rows."""
        if found.stray_rows:
            await db.execute(_DELETE_STRAY, {"ids": [chunk_id for _, chunk_id in found.stray_rows]})


def _read_vectors(connection: Connection, space: SpaceKey, chunk_ids: Sequence[int]) -> tuple[list[int], Vectors]:
    """The ids, ascending, and vectors of these chunks, as far as they are in the space."""
    layout = numpy.dtype([("id", ">i8"), ("head", ">i4"), ("values", ">f4", (space.dimensions,))])
    data = connection.execute(_PAGE, {"space": space.id, "ids": list(chunk_ids)}).scalar_one()
    rows = numpy.sort(numpy.frombuffer(data or b"", layout), order="id")
    return rows["id"].tolist(), rows["values"].astype(numpy.float32)
