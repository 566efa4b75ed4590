"""Connections to PostgreSQL through SQLAlchemy: time limits, transactions and the type of pgvector."""

from typing import Any, cast

import asyncpg
from pgvector.asyncpg import register_vector
from sqlalchemy import URL, event
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from app.database import compiled
from app.database.postgres import failures
from app.database.postgres.address import read_url
from app.database.postgres.driver_connections import DriverConnections

POOL_SECONDS = 10.0
_SERVER_SETTINGS = {
    "application_name": "footnote",
    "TimeZone": "UTC",
    # By then, the caller has given up.
    "statement_timeout": "60s",
    "lock_timeout": "60s",
    "idle_in_transaction_session_timeout": "120s",
}
COMMAND_SECONDS = 75.0
"""How long to wait for a server that does not even report its own timeout."""

# Connections are replaced periodically, so that a server that comes back behind a proxy gets its share of the load.
_RECYCLE_SECONDS = 1800

# The extension's schema: other programs may have a type or table named `vector`.
_VECTOR_SCHEMA = (
    "SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'"
)


async def connect_alone(url: URL) -> asyncpg.Connection:
    """Open a connection outside any pool, for the driver's own functions. Raises one of CONNECTION_FAILURES."""
    hosts, arguments = _read_url(url, COMMAND_SECONDS)
    return await cast("Any", asyncpg).connect(**PGDialect_asyncpg().create_connect_args(hosts)[1], **arguments)


def _read_url(url: URL, command_seconds: float | None) -> tuple[URL, dict[str, Any]]:
    hosts, arguments = read_url(url, _SERVER_SETTINGS)
    return hosts, {**arguments, "command_timeout": command_seconds}


def create_engine(
    url: URL,
    *,
    pool_size: int,
    read_only: bool,
    command_seconds: float | None,
    connections: DriverConnections,
) -> AsyncEngine:
    """Create a pool of connections. `read_only` ones see one snapshot per transaction and cannot write.

    With others, each statement sees what was committed before it. The invariants that they rely on have locks (see
    `locks`).
    """
    hosts, arguments = _read_url(url, command_seconds)
    engine = create_async_engine(
        hosts,
        isolation_level="REPEATABLE READ" if read_only else "READ COMMITTED",
        execution_options={"postgresql_readonly": read_only},
        connect_args={**arguments, "async_creator_fn": connections.open},
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=POOL_SECONDS,
        pool_recycle=_RECYCLE_SECONDS,
        # So no transaction fails after a restart of the server; costs a round trip of about 0.1 ms.
        pool_pre_ping=True,
        # Errors are logged: they must not quote documents, questions or hashes of tokens.
        hide_parameters=True,
    )
    # Before sharing: the listener is stored in the dialect, and a shared dialect would get one from every engine.
    failures.watch_statements(engine.sync_engine)
    compiled.share_statements(engine.sync_engine, (url.set(database=None), read_only))

    @event.listens_for(engine.sync_engine, "connect")
    def set_up(connection: Any, _: object) -> None:  # pyright: ignore[reportUnusedFunction]
        with connections.closing_on_failure(connection):
            connection.run_async(_register_vector)

    event.listen(engine.sync_engine, "close", connections.close)
    return engine


async def _register_vector(connection: Any) -> None:
    """Use the binary format for vectors. Before the first migration, their type does not exist yet."""
    schema = await connection.fetchval(_VECTOR_SCHEMA)
    if schema is not None:
        await register_vector(connection, schema=schema)
