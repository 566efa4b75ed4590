"""The database in SQLite: one transaction writes, several read."""

import asyncio
import math
import secrets
import stat
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
# Threads mostly run Python, so they compete for the GIL: with more of them, a write, which needs the GIL again for each
# statement, takes longer.
_READING_THREADS = 3
_MIN_SEARCHING_THREADS, _MAX_SEARCHING_THREADS = 2, 4
# The most broken pages, and the most broken rows, to report.
_MAX_PROBLEMS = 20
_WRITE_QUEUE_SECONDS = 60.0

Result = TypeVar("Result")


class SQLiteDatabase(Database):
    """A database in one file. One transaction writes at a time, so it holds all named locks."""

    def __init__(
        self,
        file: Path,
        opened: OpenFiles,
        engines: tuple[AsyncEngine, AsyncEngine],
        threads: tuple[TransactionThreads, TransactionThreads, TransactionThreads],
        lock: WriteLock,
    ) -> None:
        """`engines`: for writing and reading. `threads`: for writing, reading and slow reading."""
        self.name = str(file)
        self.dialect = "sqlite"
        self.location = self._file = file
        self.longest_probe_seconds = math.inf  # however long this process writes
        self.max_clock_difference = timedelta(0)
        self._files = opened
        self._writer, self._reader = writer, reader = engines
        self._writing_thread, self._reading_threads, self._searching_threads = threads
        self._lock = lock
        # A fair queue: the longest wait is 0.3 s, compared with 2.8 s if eight connections race for SQLite's lock.
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
        """The sum of the trips to all threads."""
        threads = (self._writing_thread, self._reading_threads, self._searching_threads)
        all_trips = [each.trips for each in threads]
        waited = sum(trips.waited_seconds for trips in all_trips)
        return Trips(sum(trips.count for trips in all_trips), waited, self._lock.waited_seconds)

    @asynccontextmanager
    async def begin(self, lock: AnyLock | None = None) -> AsyncGenerator[AsyncSession]:
        """Begin a write transaction; others wait for it. The file is checked again after the commit."""
        async with self._write_turn(), self._write_session.begin() as db:
            with keeping_rows(db):
                yield db

    async def run_write(self, work: Callable[[Session], Result], *locks: AnyLock, brief: bool = False) -> Result:
        """Call `work` in a write transaction on the writing thread; `brief` ones that wait share a transaction."""
        if brief:  # crash guard: commit.shared
            return await self._shared_commits.write(work)
        async with self._write_turn():
            return await self._writing_thread.write(work)

    @asynccontextmanager
    async def _write_turn(self) -> AsyncGenerator[None]:
        """Wait until nobody else writes. Raises Unavailable if the database fails within the block."""
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
        """Begin a read transaction on one of a few connections that cannot write."""
        self._files.check_files()
        try:
            async with self._read_session() as db:
                yield db
        except DBAPIError:
            self._files.check_files()
            raise

    async def run_read(self, work: Callable[[Session], Result], *, slow: bool = False) -> Result:
        """Call `work` in a read transaction on a thread whose connection cannot write."""
        self._files.check_files()
        threads = self._searching_threads if slow else self._reading_threads
        try:
            return await threads.read(work)
        except DBAPIError:
            self._files.check_files()
            raise

    async def hold_upkeep(self) -> bool:
        """Always True: few processes share a file, and they write one at a time anyway."""
        return True

    async def probe(self) -> None:
        """Change `user_version`, which nothing reads, on both connections that write."""
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
        """Begin a transaction with foreign keys off; they are checked at its end. Nobody else writes meanwhile."""
        # kill point: migrate.committing
        async with engine.foreign_keys_off(self._writer), self._writer.begin() as connection:
            yield connection
            await connection.run_sync(engine.check_foreign_keys)

    async def lift_time_limits(self, db: AsyncSession) -> None:
        """Do nothing: SQLite has no time limits."""

    def describe_failure(self, error: DBAPIError) -> str:
        """SQLite's message, with the likely reason."""
        return describe_failure(error.orig, self._file)

    async def require_unused(self) -> None:
        """Look for the locks that every open connection holds."""
        await asyncio.to_thread(backup.require_unused, self._file)

    async def find_damage(self) -> list[str]:
        """Find broken pages and indexes, and rows that refer to missing rows."""
        async with self.read() as db:
            return await _find_damage(db)

    async def back_up(self, target: Path) -> int:
        """Copy a snapshot of the database."""
        return await backup.run_until_cancelled(partial(backup.write_backup, self._file, target))

    async def back_up_beside(self, label: str) -> Path:
        """Copy a snapshot to `footnote.db.LABEL`, or to `footnote.db.LABEL-2` if that exists and differs."""
        return await backup.run_until_cancelled(partial(backup.write_backup_beside, self._file, label))

    async def restore(self, source: Path) -> Path | None:
        """Copy the pages of `source` into the file while nobody else has it open."""
        return await backup.run_until_cancelled(partial(backup.restore_backup, source, self._file))

    def cut_off(self) -> None:
        """Do nothing: nothing here waits for a server."""

    async def close(self) -> None:
        """Close all connections, then stop watching the files."""
        for threads in (self._searching_threads, self._reading_threads, self._writing_thread):
            await anyio.to_thread.run_sync(threads.close)
        await self._reader.dispose()
        await self._writer.dispose()
        await anyio.to_thread.run_sync(self._files.close)


def open_database(url: URL, named_by: str) -> SQLiteDatabase:
    """The database in the file that `url` names. Raises StartError for a file that cannot be used."""
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
    # Slow searches spend their time in SQLite, without the GIL.
    searchers = max(_MIN_SEARCHING_THREADS, min(count_cores(), _MAX_SEARCHING_THREADS))
    reading, searching = (threads(count, begin_reading, query_only=True) for count in (_READING_THREADS, searchers))
    return SQLiteDatabase(Path(name), opened, (writer, reader), (writing, reading, searching), lock)


def require_file(url: URL) -> None:
    """Raises StartError if the file does not exist."""
    name = _check_file(url, "DATABASE_URL")
    if not Path(name).exists():
        raise errors.StartError(
            f"There is no database {name}. Create it with `footnote serve`, `ingest` or `migrate`, or name another one "
            "in DATABASE_URL."
        )


def _check_file(url: URL, named_by: str) -> str:
    """The name of the file. Raises StartError if it cannot be a database."""
    if url.host:
        raise errors.StartError(
            f"{named_by} has two slashes before {url.host}, which would be a server; a file follows three, or four if "
            "its path is absolute. Example: sqlite:///footnote.db."
        )
    for parameter in url.query:  # with some of them, SQLite would open another file
        raise errors.StartError(f"{named_by} has the parameter {parameter}, but a file takes none.")
    if not url.database or url.database == ":memory:":
        raise errors.StartError(
            f"{named_by} must name a file, because several connections share it. Example: sqlite:///footnote.db."
        )
    file = Path(url.database).resolve()
    if ending := find_side_ending(file):
        raise errors.StartError(
            f"{named_by} names {file.name}, which ends with {ending}, like a database's own side files."
        )
    in_folder = f"{named_by} names a file in the folder {file.parent}, which"
    try:  # `exists` tells a folder that may not be entered in some versions of Python alone
        kind = stat.S_IFMT(file.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        kind = stat.S_IFREG  # which is created
    except OSError as error:
        raise errors.StartError(f"{in_folder} cannot be opened: {error.strerror}.") from error
    if not file.parent.is_dir():
        raise errors.StartError(f"{in_folder} does not exist.")
    if kind not in (stat.S_IFREG, stat.S_IFDIR):  # its mode must not be changed
        raise errors.StartError(f"{named_by} names {file}, which is a device, a pipe or a socket, not a file.")
    return url.database


async def _find_damage(db: AsyncSession) -> list[str]:
    """A sentence for each broken page or index, and for each row that refers to a missing row; at most 20 of each."""
    pages = (await db.execute(text(f"PRAGMA quick_check({_MAX_PROBLEMS})"))).scalars()
    found = [f"The file is damaged: {problem}." for problem in pages if problem != "ok"]
    for row in (await db.execute(text("PRAGMA foreign_key_check"))).mappings().all()[:_MAX_PROBLEMS]:
        found.append(f"A row of {row['table']} refers to a row of {row['parent']} that does not exist.")
    return found
