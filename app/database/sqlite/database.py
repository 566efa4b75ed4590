"""The database in SQLite: one transaction writes, several read."""

import asyncio
import secrets
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TypeVar

import anyio.to_thread
from sqlalchemy import URL, text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncSession, async_sessionmaker
from sqlalchemy.orm import Session

from app import errors
from app.cores import count_cores
from app.database.locks import AnyLock
from app.database.protocol import Database, Trips
from app.database.sqlite import backup, driver, engine
from app.database.sqlite.failures import describe_failure, not_writable
from app.database.sqlite.files import OpenFiles, find_side_ending
from app.database.sqlite.shared_commits import SharedCommits
from app.database.sqlite.threads import SQLiteThreadConnections
from app.database.sqlite.write_lock import WriteLock, begin_reading
from app.database.threads import TransactionThreads, keeping_rows

# Connections for concurrent readers; each has a thread.
_READERS = 6
# Threads that run Python, one at a time: with more of them, a write that needs a turn for every statement waits longer.
_READING_THREADS = 3
_LEAST_SEARCHING, _MOST_SEARCHING = 2, 4
# How many broken pages and rows are told at most.
_MAX_PROBLEMS = 20
_WRITE_QUEUE_SECONDS = 60.0

Result = TypeVar("Result")


class SQLiteDatabase(Database):
    """One file. One transaction writes at a time, and so holds all named locks."""

    def __init__(
        self,
        file: Path,
        opened: OpenFiles,
        engines: tuple[AsyncEngine, AsyncEngine],
        threads: tuple[TransactionThreads, TransactionThreads, TransactionThreads],
        lock: WriteLock,
    ) -> None:
        """`engines` and `threads`: that which writes, and those that read; last, the threads for slow reads."""
        self.name = str(file)
        self.dialect = "sqlite"
        self.location = self._file = file
        self.max_clock_difference = timedelta(0)
        self._files = opened
        self._writer, self._reader = writer, reader = engines
        self._writing_thread, self._reading_threads, self._searching_threads = threads
        self._lock = lock
        # A fair queue: worst wait 0.3 s against 2.8 s for eight connections that race for SQLite's lock.
        self._writing = asyncio.Lock()
        self._shared_commits = SharedCommits(file, self._write_turn, self._writing_thread.write)
        self._write_session = async_sessionmaker(writer, expire_on_commit=False)
        self._read_session = async_sessionmaker(reader, expire_on_commit=False, autoflush=False)

    @property
    def is_lost(self) -> bool:
        """Whether the file was removed or replaced while it was open."""
        return self._files.problem is not None

    @property
    def trips(self) -> Trips:
        """The trips to all threads."""
        each = [threads.trips for threads in (self._writing_thread, self._reading_threads, self._searching_threads)]
        waited = sum(trips.waited_seconds for trips in each)
        return Trips(sum(trips.count for trips in each), waited, self._lock.waited_seconds)

    @asynccontextmanager
    async def begin(self, lock: AnyLock | None = None) -> AsyncGenerator[AsyncSession]:
        """A writing transaction; others wait for it. The file is checked again before anybody relies on the commit."""
        async with self._write_turn(), self._write_session.begin() as db:
            with keeping_rows(db):
                yield db

    async def run_write(self, work: Callable[[Session], Result], *locks: AnyLock, brief: bool = False) -> Result:
        """A writing transaction on the thread that writes; brief ones share it with others that wait."""
        if brief:
            return await self._shared_commits.write(work)
        async with self._write_turn():
            return await self._writing_thread.write(work)

    @asynccontextmanager
    async def _write_turn(self) -> AsyncGenerator[None]:
        """Wait until nobody else writes. Raises Unavailable for what goes wrong with the database meanwhile."""
        self._files.check_files()
        try:
            async with asyncio.timeout(_WRITE_QUEUE_SECONDS):
                await self._writing.acquire()
        except TimeoutError as error:
            raise not_writable("too many writers are waiting", self._file) from error
        try:
            yield
        except DBAPIError as error:
            self._files.check_files()
            if not isinstance(error, OperationalError):
                raise
            raise not_writable(error.orig, self._file) from error
        finally:
            self._writing.release()
        self._files.check_files()

    @asynccontextmanager
    async def read(self) -> AsyncGenerator[AsyncSession]:
        """A reading transaction on one of a few connections that cannot write."""
        self._files.check_files()
        try:
            async with self._read_session() as db:
                yield db
        except DBAPIError:
            self._files.check_files()
            raise

    async def run_read(self, work: Callable[[Session], Result], *, slow: bool = False) -> Result:
        """A reading transaction on a thread whose connection cannot write."""
        self._files.check_files()
        threads = self._searching_threads if slow else self._reading_threads
        try:
            return await threads.read(work)
        except DBAPIError:
            self._files.check_files()
            raise

    async def hold_upkeep(self) -> bool:
        """Always: processes that share a file are few, and write one after another."""
        return True

    async def probe(self) -> None:
        """Write the page that holds the version number, which nothing reads, on both connections that write."""
        statement = text(f"PRAGMA user_version = {secrets.randbelow(1 << 31)}")
        async with self.begin() as db:
            await db.execute(statement)
        await self.run_write(lambda db: db.execute(statement))

    async def inspect_schema(self, inspect: Callable[[Connection], Result]) -> Result:
        """Call `inspect` on the connection that writes."""
        async with self._writer.begin() as connection:
            return await connection.run_sync(inspect)

    @asynccontextmanager
    async def open_schema(self) -> AsyncGenerator[AsyncConnection]:
        """A transaction with foreign keys off, which are checked at its end. Nobody else writes meanwhile."""
        # kill point: migrate.committing
        async with engine.foreign_keys_off(self._writer), self._writer.begin() as connection:
            yield connection
            await connection.run_sync(engine.check_foreign_keys)

    async def lift_time_limits(self, db: AsyncSession) -> None:
        """Nothing: there are none."""

    def describe_failure(self, error: DBAPIError) -> str:
        """What SQLite says, and what this user may not do."""
        return describe_failure(error.orig, self._file)

    async def find_damage(self) -> list[str]:
        """Broken pages and indexes, and rows that refer to rows that do not exist."""
        async with self.read() as db:
            return await _find_damage(db)

    async def back_up(self, target: Path) -> int:
        """Copy a snapshot of the file."""
        return await backup.run_until_cancelled(partial(backup.write_backup, self._file, target))

    async def back_up_beside(self, label: str) -> Path:
        """Copy a snapshot to `footnote.db.LABEL`, or `footnote.db.LABEL-2` if that exists and is not the same."""
        return await backup.run_until_cancelled(partial(backup.write_backup_beside, self._file, label))

    async def restore(self, source: Path) -> Path | None:
        """Copy the pages of `source` into the file while nobody else has it open."""
        return await backup.run_until_cancelled(partial(backup.restore_backup, source, self._file))

    async def close(self) -> None:
        """Close all connections, then stop watching the files."""
        for threads in (self._searching_threads, self._reading_threads, self._writing_thread):
            await anyio.to_thread.run_sync(threads.close)
        await self._reader.dispose()
        await self._writer.dispose()
        await anyio.to_thread.run_sync(self._files.close)


def open_database(url: URL, named_by: str) -> SQLiteDatabase:
    """The database in the file that `url` names. Raises StartError."""
    name = _check_file(url, named_by)
    module = driver.choose_driver().module
    file = Path(name).absolute()
    connect = partial(module.connect, str(file), check_same_thread=False, timeout=engine.BUSY_MS / 1000)
    opened, lock = OpenFiles(file, connect), WriteLock()
    writer = engine.create_engine(url, module, opened, pool_size=1, begin=lock.begin_writing, query_only=False)
    reader = engine.create_engine(url, module, opened, pool_size=_READERS, begin=begin_reading, query_only=True)

    def threads(count: int, begin: Callable[[Connection], None], *, query_only: bool) -> TransactionThreads:
        connect = partial(engine.open_connection, opened, query_only=query_only)
        connections = SQLiteThreadConnections(connect, module, name, count=count, begin=begin)
        return TransactionThreads(connections, count=count, name="reading" if query_only else "writing")

    writing = threads(1, lock.begin_writing, query_only=False)
    # Searches may be slow, and then it is SQLite that computes, which needs no turn.
    searchers = max(_LEAST_SEARCHING, min(count_cores(), _MOST_SEARCHING))
    reading, searching = (threads(count, begin_reading, query_only=True) for count in (_READING_THREADS, searchers))
    return SQLiteDatabase(Path(name), opened, (writer, reader), (writing, reading, searching), lock)


def require_file(url: URL) -> None:
    """Raises StartError when the file does not exist."""
    name = _check_file(url, "DATABASE_URL")
    if not Path(name).exists():
        raise errors.StartError(
            f"There is no database {name}. `footnote serve`, `ingest` or `migrate` creates it; DATABASE_URL selects "
            "another."
        )


def _check_file(url: URL, named_by: str) -> str:
    """The name of the file. Raises StartError when there can be none."""
    if not url.database or url.database == ":memory:":
        raise errors.StartError(
            f"{named_by} must name a file, because several connections share it; an example: sqlite:///footnote.db."
        )
    file = Path(url.database).resolve()
    if ending := find_side_ending(file):
        raise errors.StartError(
            f"{named_by} names {file.name}, which ends with {ending}, like the files next to a database."
        )
    names = f"{named_by} names a file in the folder {file.parent}, which"
    try:
        # An error is raised only where a folder may not be entered.
        is_other = file.exists() and not file.is_file() and not file.is_dir()
    except OSError as error:
        raise errors.StartError(f"{names} cannot be opened: {error.strerror}.") from error
    if not file.parent.is_dir():
        raise errors.StartError(f"{names} does not exist.")
    if is_other:  # whose mode is not ours to change
        raise errors.StartError(f"{named_by} names {file}, which is a device, a pipe or a socket, not a file.")
    return url.database


async def _find_damage(db: AsyncSession) -> list[str]:
    """A sentence for each broken page or index, and for each row that refers to a missing one; at most 20 of a kind."""
    pages = (await db.execute(text(f"PRAGMA quick_check({_MAX_PROBLEMS})"))).scalars()
    found = [f"The file is damaged: {problem}." for problem in pages if problem != "ok"]
    for row in (await db.execute(text("PRAGMA foreign_key_check"))).mappings().all()[:_MAX_PROBLEMS]:
        found.append(f"A row of {row['table']} points to one of {row['parent']} that does not exist.")
    return found
