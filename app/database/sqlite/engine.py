"""Connections to SQLite through SQLAlchemy: pragmas, transactions and foreign keys."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from functools import partial
from types import ModuleType
from typing import Any, cast

from sqlalchemy import URL, event
from sqlalchemy.engine import Connection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from app import errors
from app.database import compiled, texts
from app.database.sqlite import driver
from app.database.sqlite.failures import replace_read_only_connections
from app.database.sqlite.files import OpenFiles

# Milliseconds to wait for a write lock held by another process; writers of one process wait in a queue instead.
BUSY_MS = 10_000
# Page cache of each connection. Writers need little: they seldom read what they have written.
_READERS_CACHE_KB, _WRITERS_CACHE_KB = 16_000, 4_000
# To what size the write-ahead log is truncated once all of it is in the database. A large transaction or a long read,
# such as a backup, makes it grow, and SQLite would never shrink it before the last process ends.
_LOG_BYTES = 16_000_000


def create_engine(
    url: URL,
    module: ModuleType,
    opened: OpenFiles,
    *,
    pool_size: int,
    begin: Callable[[Connection], None],
    query_only: bool,
) -> AsyncEngine:
    """Create a pool of connections. `begin` starts each transaction; `query_only` connections cannot write."""
    on_open = partial(_set_up_connection, query_only=query_only)
    engine = create_async_engine(
        url.set(drivername=driver.NAME),
        module=driver.adapt_driver(module),
        connect_args={
            "isolation_level": None,
            "before": opened.watch_files,
            "on_open": on_open,
            "timeout": BUSY_MS / 1000,
        },
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=60,
        # Errors are logged: they must not quote documents, questions or hashes of tokens.
        hide_parameters=True,
    )

    compiled.share_statements(engine.sync_engine, module.__name__)
    if not query_only:
        replace_read_only_connections(engine.sync_engine)

    # The driver would begin late and deferred: a read followed by a write then fails with "database is locked",
    # whatever the busy timeout. So the driver's own transactions are off (`isolation_level`), and `begin` starts them.
    event.listen(engine.sync_engine, "begin", begin)
    return engine


def open_connection(opened: OpenFiles, *, query_only: bool) -> Any:
    """Open and set up a connection of the driver."""
    opened.watch_files()
    connection = opened.connect()
    # SQLAlchemy's events begin and end the transactions.
    connection.isolation_level = None
    _set_up_connection(connection, query_only=query_only)
    if not query_only:
        connection.execute("PRAGMA busy_timeout=0")  # `WriteLock` waits instead
    return connection


def _set_up_connection(connection: Any, *, query_only: bool) -> None:
    connection.execute(f"PRAGMA busy_timeout={BUSY_MS}")
    connection.execute("PRAGMA journal_mode=WAL")
    # FULL: a commit survives a power loss; this costs about 0.6 ms.
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")
    connection.execute(f"PRAGMA cache_size=-{_READERS_CACHE_KB if query_only else _WRITERS_CACHE_KB}")
    # The file is not mapped into memory, although a search of 100,000 vectors would take 37 ms instead of 45: if a
    # mapped file is truncated, the system kills the process.
    connection.execute("PRAGMA mmap_size=0")
    driver.load_vector_extension(connection)
    connection.create_function(texts.LOWER_FUNCTION, 1, texts.lower_text, deterministic=True)
    if query_only:
        connection.execute("PRAGMA query_only=ON")
    else:
        # Overwrite deleted content instead of only freeing it: about 5 ms per megabyte.
        connection.execute("PRAGMA secure_delete=ON")
        connection.execute(f"PRAGMA journal_size_limit={_LOG_BYTES}")


@asynccontextmanager
async def foreign_keys_off(writer: AsyncEngine) -> AsyncGenerator[None]:
    """Turn off foreign keys while tables are rebuilt: dropping an old table would delete the rows that refer to it.

    The pragma does nothing inside a transaction, so it is run on the only writing connection before one begins.
    """
    await _set_pragma(writer, "PRAGMA foreign_keys=OFF")
    try:
        yield
    finally:
        await _set_pragma(writer, "PRAGMA foreign_keys=ON")


async def _set_pragma(writer: AsyncEngine, pragma: str) -> None:
    async with writer.connect() as connection:
        raw = await connection.get_raw_connection()
        await cast("Any", raw.driver_connection).execute(pragma)


def check_foreign_keys(connection: Connection) -> None:
    """Raises StartError if a row refers to a row that does not exist."""
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
    if broken:
        tables = ", ".join(sorted({str(row[0]) for row in broken}))
        raise errors.StartError(f"The database is damaged: rows of {tables} refer to rows that do not exist.")
