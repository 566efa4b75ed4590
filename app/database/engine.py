"""Connections and short transactions: `begin()` writes, one at a time, and `read()` reads."""

import secrets
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import anyio.to_thread
from sqlalchemy import URL, BigInteger, Integer, event, make_url, text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine

from app import errors
from app.database import driver
from app.database.files import OpenFiles
from app.database.locks import Lock

DEFAULT_URL = "sqlite:///footnote.db"

# For a table whose row ids are kept elsewhere (an old answer's citations name its chunks): no id is given out twice.
RowId = BigInteger().with_variant(Integer, "sqlite")
NEVER_REUSED = {"sqlite_autoincrement": True}

# Milliseconds to wait for the write lock that another process holds; within one process writers queue by themselves.
BUSY_MS = 10_000
# Readers at once; each is a thread. More than the cores is of use, for some wait for the disk.
READERS = 6


class Database:
    """The database of one server. `begin` is the only way to write; no transaction outlives its `async with`."""

    def __init__(self, writer: AsyncEngine, reader: AsyncEngine, url: URL, opened: OpenFiles) -> None:
        self.url = url
        self._files = opened
        self.writer = writer
        self._reader = reader
        self._write_session = async_sessionmaker(writer, expire_on_commit=False)
        self._read_session = async_sessionmaker(reader, expire_on_commit=False, autoflush=False)

    @asynccontextmanager
    async def begin(self, lock: Lock | None = None) -> AsyncGenerator[AsyncSession]:
        """A writing transaction: committed at the end, rolled back if anything is raised.

        `lock` names the rule that the transaction reads and relies on; see `locks`.

        Raises Unavailable when the database cannot be written now (locked by another process, full or read-only), and
        when its file was taken away or exchanged, also after what was written went with it.
        """
        self._files.check()
        try:
            async with self._write_session.begin() as db:
                try:
                    yield db
                except BaseException:  # a cancellation is rolled back, too
                    # A rollback empties the rows that were read; an error may carry one to the client.
                    db.expunge_all()
                    raise
        except (DBAPIError, PoolTimeoutError) as error:
            self._files.check()
            if not isinstance(error, OperationalError | PoolTimeoutError):
                raise
            reason = str(error.orig) if isinstance(error, OperationalError) else "too many writers are waiting"
            raise errors.Unavailable(
                f"The database cannot be written to right now: {reason}.", "database", 1000
            ) from error
        self._files.check()

    @asynccontextmanager
    async def read(self) -> AsyncGenerator[AsyncSession]:
        """A reading transaction: one snapshot for all its statements, writes are refused.

        Raises Unavailable when the database's file was taken away or exchanged.
        """
        self._files.check()
        try:
            async with self._read_session() as db:
                yield db
        except DBAPIError:
            self._files.check()
            raise

    @property
    def is_lost(self) -> bool:
        """Whether its file was taken away or exchanged; it cannot be used any more until a restart."""
        return self._files.problem is not None

    async def probe(self) -> None:
        """Write a page and nothing of meaning. Raises Unavailable when the database cannot be written now."""
        async with self.begin() as db:
            await db.execute(text(f"PRAGMA user_version = {secrets.randbelow(1 << 31)}"))

    async def close(self) -> None:
        """Close all connections."""
        await self._reader.dispose()
        await self.writer.dispose()
        await anyio.to_thread.run_sync(self._files.close)


def must_exist(url: str) -> None:
    """Raises StartError when there is no database yet: who wants what is in one should not be given an empty one."""
    name = str(_parse_url(url).database)
    if not Path(name).exists():
        raise errors.StartError(
            f"There is no database {name}. `footnote serve`, `ingest` or `migrate` makes one; DATABASE_URL names "
            "another."
        )


def open_database(url: str) -> Database:
    """Engines for `url` (nothing is connected yet). Raises StartError for a URL that is none of ours."""
    parsed = _parse_url(url)
    module = driver.choose_driver().module
    file = Path(str(parsed.database)).absolute()
    opened = OpenFiles(file, partial(module.connect, str(file), check_same_thread=False, timeout=BUSY_MS / 1000))
    # One connection that writes is a fair queue: worst wait 0.3 s against 2.8 s for eight that race for the lock.
    writer = _create_engine(parsed, module, opened, pool_size=1, begin="BEGIN IMMEDIATE", query_only=False)
    reader = _create_engine(parsed, module, opened, pool_size=READERS, begin="BEGIN", query_only=True)
    return Database(writer, reader, parsed, opened)


def _parse_url(url: str) -> URL:
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise errors.StartError(f"DATABASE_URL is not a database URL; an example: {DEFAULT_URL}.") from error
    if parsed.get_backend_name() != "sqlite":
        raise errors.StartError(
            f"DATABASE_URL starts with {parsed.drivername}://, which this version does not support; allowed: sqlite:///FILE."
        )
    if not parsed.database or parsed.database == ":memory:":
        raise errors.StartError(
            f"DATABASE_URL must name a file, because several connections share it; an example: {DEFAULT_URL}."
        )
    folder = Path(parsed.database).resolve().parent
    if not folder.is_dir():
        raise errors.StartError(f"DATABASE_URL names a file in the folder {folder}, which does not exist.")
    return parsed


def _create_engine(
    url: URL, module: ModuleType, opened: OpenFiles, *, pool_size: int, begin: str, query_only: bool
) -> AsyncEngine:
    def on_open(connection: Any) -> None:
        connection.execute(f"PRAGMA busy_timeout={BUSY_MS}")
        connection.execute("PRAGMA journal_mode=WAL")
        # FULL: a commit is on the disk, also at power loss; it costs about 0.6 ms.
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA cache_size=-16000")
        # Not mapped into memory, although that saves a search of 100,000 vectors 8 ms of 45: where a file is mapped and
        # then cut short, the system ends the process.
        connection.execute("PRAGMA mmap_size=0")
        driver.load_vectors(connection)
        if query_only:
            connection.execute("PRAGMA query_only=ON")
        else:
            # What is deleted is overwritten, not only let go: about 5 ms for each megabyte.
            connection.execute("PRAGMA secure_delete=ON")

    engine = create_async_engine(
        url.set(drivername=driver.NAME),
        module=driver.adapted(module),
        connect_args={"isolation_level": None, "before": opened.open, "on_open": on_open, "timeout": BUSY_MS / 1000},
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=60,
        # Errors are logged: they shall not quote documents, questions or hashes of tokens.
        hide_parameters=True,
    )

    # The driver would begin late and deferred: a read followed by a write then fails with "database is locked"
    # whatever the busy timeout. So it is told to do nothing, and we begin.
    @event.listens_for(engine.sync_engine, "begin")
    def start(connection: Connection) -> None:  # pyright: ignore[reportUnusedFunction]
        connection.exec_driver_sql(begin)

    return engine


@asynccontextmanager
async def foreign_keys_off(writer: AsyncEngine) -> AsyncGenerator[None]:
    """While tables are made anew: dropping the old one would take along all rows that belong to its rows.

    The pragma does nothing within a transaction, so it is told to the one connection that writes, before it begins.
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
    """Raises StartError when a row belongs to one that does not exist."""
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
    if broken:
        tables = ", ".join(sorted({str(row[0]) for row in broken}))
        raise errors.StartError(f"The database is damaged: rows of {tables} refer to rows that do not exist.")
