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

POOL_SECONDS = 10.0
_SERVER_SETTINGS = {
    "application_name": "footnote",
    "TimeZone": "UTC",
    # How long the server lets a statement run, wait for a lock, or a transaction be idle: whoever asked has given up.
    "statement_timeout": "60s",
    "lock_timeout": "60s",
    "idle_in_transaction_session_timeout": "120s",
}
COMMAND_SECONDS = 75.0
"""When to give up a server that does not even answer that it took too long."""

# Connections are replaced after a while: a server that came back behind a proxy shares the load again.
_RECYCLE_SECONDS = 1800

# Other programs may have a type, or a table, of that name.
_VECTOR_SCHEMA = (
    "SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'"
)


async def connect_alone(url: URL) -> asyncpg.Connection:
    """A connection outside any pool, for the driver's own functions. Raises one of CONNECTION_FAILURES."""
    places, arguments = _read_url(url, COMMAND_SECONDS)
    return await cast("Any", asyncpg).connect(**PGDialect_asyncpg().create_connect_args(places)[1], **arguments)


def _read_url(url: URL, command_seconds: float | None) -> tuple[URL, dict[str, Any]]:
    places, arguments = read_url(url, _SERVER_SETTINGS)
    return places, {**arguments, "command_timeout": command_seconds}


def create_engine(url: URL, *, pool_size: int, read_only: bool, command_seconds: float | None) -> AsyncEngine:
    """A pool of connections. Those that are `read_only` see one snapshot in each transaction and cannot write.

    Others see what is committed when each statement begins. The rules that they rely on have locks (see `locks`).
    """
    places, arguments = _read_url(url, command_seconds)
    engine = create_async_engine(
        places,
        isolation_level="REPEATABLE READ" if read_only else "READ COMMITTED",
        execution_options={"postgresql_readonly": read_only},
        connect_args=arguments,
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=POOL_SECONDS,
        pool_recycle=_RECYCLE_SECONDS,
        # After a restart of the server no transaction fails: a round trip of about 0.1 ms.
        pool_pre_ping=True,
        # Errors are logged: they must not quote documents, questions or hashes of tokens.
        hide_parameters=True,
    )
    # First: the dialect keeps this, and a shared one would get it again with every engine.
    failures.watch_statements(engine.sync_engine)
    compiled.share_statements(engine.sync_engine, (url.set(database=None), read_only))

    @event.listens_for(engine.sync_engine, "connect")
    def set_up(connection: Any, _: object) -> None:  # pyright: ignore[reportUnusedFunction]
        connection.run_async(_register_vector)

    return engine


async def _register_vector(connection: Any) -> None:
    """Send and read vectors in binary. Before the first migration, the type does not exist yet."""
    schema = await connection.fetchval(_VECTOR_SCHEMA)
    if schema is not None:
        await register_vector(connection, schema=schema)
