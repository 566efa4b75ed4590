"""Approximate search in PostgreSQL: an HNSW graph of pgvector for each large space.

One graph for all spaces would not work: nearly all of the nearest rows would belong to other projects. So each graph is
a partial index on the rows of one space. Its vectors have half precision (`halfvec`), which halves its size; results
are scored again with the full vectors. See https://github.com/pgvector/pgvector#hnsw.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, Connection, Select, bindparam, column, func, literal_column, select, table, text

from app.knowledge.index.chunk_filter import ChunkFilter
from app.knowledge.index.protocol import SpaceKey
from app.providers.base import Vectors

NAME_PREFIX = "chunk_vectors_near_"
"""The prefix of the graphs' names."""

MAX_DIMENSIONS = 4_000
"""The most dimensions of an indexed `halfvec`."""

# How many candidates a search keeps (`ef_search`). With 100 it finds 0.989 of the best ten among 200,000 vectors of 256
# dimensions, with 200 it finds 0.999 in the same time: `python -m tests.bench postgres`.
_MIN_BREADTH, _MAX_BREADTH = 200, 1_000
_BREADTH_PER_RESULT = 2
# With a filter, the scan continues until there are enough results.
_BEGIN = text(
    "SELECT set_config('hnsw.ef_search', :breadth, true), set_config('hnsw.iterative_scan', 'relaxed_order', true) "
    "FROM pg_index WHERE indexrelid = to_regclass(:name) AND indisvalid"
)
# Without sorting, the server must use the graph to get the order, however selective it expects the filter to be.
_FORBID_SORT, _ALLOW_SORT = text("SET LOCAL enable_sort = off"), text("SET LOCAL enable_sort = on")
_ROWS = table("chunk_vectors", column("chunk_id", BigInteger))
_DISTANCE = text("embedding <-> CAST(:vector AS vector) AS distance")

# Memory per row while a graph is built, as measured, in addition to the vector.
_BYTES_PER_ROW = 1_000
_MIN_BUILD_BYTES, _MAX_BUILD_BYTES = 64_000_000, 1_000_000_000


@dataclass(frozen=True, slots=True)
class LargeSpace:
    """A space that is large enough for a graph; `chunks` is its project's number of chunks."""

    id: str
    dimensions: int
    chunks: int

    @property
    def index_name(self) -> str:
        """The name of its graph."""
        return _index_name(self.id)

    @property
    def build_bytes(self) -> int:
        """The memory for building the graph. A graph that does not fit takes longer."""
        needed = self.chunks * (_BYTES_PER_ROW + 2 * self.dimensions)
        return min(max(needed, _MIN_BUILD_BYTES), _MAX_BUILD_BYTES)

    @property
    def create_statement(self) -> str:
        """The statement that builds the graph while others read and write."""
        return (
            f"CREATE INDEX CONCURRENTLY {self.index_name} ON chunk_vectors USING hnsw "
            f"(({_halfvec(self.dimensions)}) halfvec_l2_ops) WHERE {_is_of_space(self.id)}"
        )


def find_nearest(
    connection: Connection, space: SpaceKey, vector: Vectors, limit: int, among: ChunkFilter | None
) -> dict[int, float] | None:
    """Find nearly all of the nearest chunks, with their exact distances.

    None if there is no graph, or if it finds fewer than `limit`.
    """
    breadth = min(max(_MIN_BREADTH, _BREADTH_PER_RESULT * limit), _MAX_BREADTH)
    if connection.execute(_BEGIN, {"breadth": str(breadth), "name": _index_name(space.id)}).first() is None:
        return None
    nearest = _nearest_statement(space.id, space.dimensions)
    if among is not None:
        nearest = nearest.where(_ROWS.c.chunk_id.in_(among.select_ids()))
        connection.execute(_FORBID_SORT)
    rows = connection.execute(nearest, {"vector": vector.reshape(-1), "limit": limit}).all()
    if among is not None:
        connection.execute(_ALLOW_SORT)
    return {row.chunk_id: row.distance for row in rows} if len(rows) == limit else None


def is_small(connection: Connection, among: ChunkFilter, chunks: int) -> bool:
    """Whether a filter matches fewer than `chunks` chunks."""
    some = among.select_ids().limit(chunks).subquery()
    return connection.execute(select(func.count()).select_from(some)).scalar_one() < chunks


def plan_changes(wanted: Sequence[LargeSpace], kept: Sequence[LargeSpace], existing: Mapping[str, bool]) -> "Changes":
    """Decide which graphs to drop and build; `existing` says for each graph's name whether it is complete.

    Spaces in `kept` keep their graph, but get no new one.
    """
    names = {space.index_name for space in (*wanted, *kept)}
    # An incomplete graph was left by a process that was stopped.
    dropped = [name for name, is_complete in existing.items() if name not in names or not is_complete]
    return Changes(tuple(dropped), tuple(space for space in wanted if not existing.get(space.index_name, False)))


@dataclass(frozen=True, slots=True)
class Changes:
    """The names of graphs to drop, and the spaces to build graphs for."""

    dropped: tuple[str, ...]
    created: tuple[LargeSpace, ...]

    def __bool__(self) -> bool:
        return bool(self.dropped or self.created)


@lru_cache(1_000)
def _nearest_statement(space_id: str, dimensions: int) -> Select[Any, Any]:
    """The search statement, with the space's id as a literal: with a parameter, no plan could use its partial index."""
    order = text(f"{_halfvec(dimensions)} <-> CAST(CAST(:vector AS vector) AS halfvec({int(dimensions)}))")
    of_space = select(_ROWS.c.chunk_id, _DISTANCE).where(literal_column(_is_of_space(space_id)))
    return of_space.order_by(order).limit(bindparam("limit"))


def _halfvec(dimensions: int) -> str:
    return f"CAST(embedding AS halfvec({int(dimensions)}))"


def _is_of_space(space_id: str) -> str:
    return f"space_id = CAST('{UUID(space_id)}' AS uuid)"


def _index_name(space_id: str) -> str:
    return f"{NAME_PREFIX}{UUID(space_id).hex}"
