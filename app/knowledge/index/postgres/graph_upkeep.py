"""Build and drop the HNSW graphs of spaces in PostgreSQL, in the background, in one process at a time."""

import logging
import time
from pathlib import Path
from typing import Any

from sqlalchemy import text
from sqlalchemy.orm import Session

from app import errors
from app.database.postgres.locks import try_lock_statement
from app.database.protocol import Database
from app.knowledge.index.postgres import hnsw
from app.knowledge.index.postgres.hnsw import Changes, LargeSpace

log = logging.getLogger(__name__)

# The most graphs, for the largest projects. Every transaction that touches a vector locks all of them (6,400 locks by
# default: https://www.postgresql.org/docs/current/runtime-config-locks.html), and 100 of them were measured to add
# 0.3 ms to a search and 0.2 ms to adding a vector.
_MAX_GRAPHS = 100
# A graph is dropped when its project has shrunk to this share of `min_chunks`.
_KEEP_SHARE = 0.5
# Nobody waits for a graph. One of a million vectors takes some minutes.
_BUILD_SECONDS = 86_400.0
_RETRY_MS = 30_000

_LARGE_SPACES = text(
    "SELECT spaces.id, spaces.dimensions, totals.chunks FROM embedding_spaces AS spaces "
    "JOIN keyword_totals AS totals ON totals.project_id = spaces.project_id "
    f"WHERE spaces.state = 'ACTIVE' AND spaces.dimensions <= {hnsw.MAX_DIMENSIONS} AND totals.chunks >= :chunks "
    f"ORDER BY totals.chunks DESC, spaces.id LIMIT {_MAX_GRAPHS}"
)
# Older servers lack the last setting.
_NO_LIMITS = (
    "SELECT set_config(name, '0', false) FROM pg_settings "
    "WHERE name IN ('statement_timeout', 'lock_timeout', 'transaction_timeout')"
)
_GRAPHS = text(
    "SELECT c.relname, i.indisvalid FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid "
    "WHERE i.indrelid = CAST('chunk_vectors' AS regclass) AND starts_with(c.relname, :prefix) ORDER BY 1"
)


class GraphUpkeep:
    """Maintains a graph for every space with at least `min_chunks` chunks; 0: for none."""

    def __init__(self, min_chunks: int) -> None:
        self._min_chunks = min_chunks

    async def update_graphs(self, database: Database) -> None:
        """Build missing graphs, and drop those that are not needed. Raises Unavailable."""
        location = database.location
        if isinstance(location, Path) or not await database.run_read(self._find_changes):
            return
        connect, failures = location
        try:
            connection = await connect()
            try:
                if await connection.fetchval(try_lock_statement("vector graphs")):
                    # Another process may have built some of them meanwhile.
                    await self._apply_changes(connection, await database.run_read(self._find_changes))
            finally:
                # The server may continue a build that has begun; an incomplete graph is dropped next time.
                connection.terminate()
        except failures as error:
            raise errors.Unavailable(f"A vector index cannot be built: {error}", "database", _RETRY_MS) from error

    def _find_changes(self, db: Session) -> Changes:
        existing = {row.relname: row.indisvalid for row in db.execute(_GRAPHS, {"prefix": hnsw.NAME_PREFIX})}
        found: list[LargeSpace] = []
        if self._min_chunks:
            rows = db.execute(_LARGE_SPACES, {"chunks": max(1, int(self._min_chunks * _KEEP_SHARE))})
            found = [LargeSpace(*row) for row in rows]
        wanted = [space for space in found if space.chunks >= self._min_chunks]
        return hnsw.plan_changes(wanted, found, existing)

    async def _apply_changes(self, connection: Any, changes: Changes) -> None:
        await connection.execute(_NO_LIMITS)
        # In one process: parallel builds need shared memory, of which many containers have only 64 MB.
        await connection.execute("SET max_parallel_maintenance_workers = 0")
        for name in changes.dropped:
            await connection.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}", timeout=_BUILD_SECONDS)
        for space in changes.created:
            began = time.monotonic()
            await connection.execute(f"SET maintenance_work_mem = '{space.build_bytes // 1024}kB'")
            await connection.execute(space.create_statement, timeout=_BUILD_SECONDS)
            log.info("vector index built, passages=%d seconds=%.0f", space.chunks, time.monotonic() - began)
