"""The database in SQLite: one connection that writes, several that read."""

import secrets
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

import anyio.to_thread
from sqlalchemy import URL, text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker

from app import errors
from app.database.locks import Lock
from app.database.protocol import Database
from app.database.sqlite import backup, driver, engine, integrity
from app.database.sqlite.files import OpenFiles

# Concurrent readers; each is a thread. More than there are cores help, because some wait for the disk.
READERS = 6

Result = TypeVar("Result")


class SQLiteDatabase(Database):
    """One file. A single connection writes, so one transaction at a time holds all named locks."""

    def __init__(self, file: Path, writer: AsyncEngine, reader: AsyncEngine, opened: OpenFiles) -> None:
        self._file = file
        self._files = opened
        self._writer = writer
        self._reader = reader
        self._write_session = async_sessionmaker(writer, expire_on_commit=False)
        self._read_session = async_sessionmaker(reader, expire_on_commit=False, autoflush=False)

    @property
    def name(self) -> str:
        """The file, as the URL names it."""
        return str(self._file)

    @property
    def is_lost(self) -> bool:
        """Whether the file was removed or replaced while it was open."""
        return self._files.problem is not None

    @asynccontextmanager
    async def begin(self, lock: Lock | None = None) -> AsyncGenerator[AsyncSession]:
        """A writing transaction; others wait for it. The file is checked again before anybody relies on the commit."""
        self._files.check_files()
        try:
            async with self._write_session.begin() as db:
                try:
                    yield db
                except BaseException:  # a cancellation is rolled back, too
                    # A rollback empties the rows that were read; an error may carry one to the client.
                    db.expunge_all()
                    raise
        except (DBAPIError, PoolTimeoutError) as error:
            self._files.check_files()
            if not isinstance(error, OperationalError | PoolTimeoutError):
                raise
            reason = str(error.orig) if isinstance(error, OperationalError) else "too many writers are waiting"
            raise errors.Unavailable(
                f"The database cannot be written to right now: {reason}.", "database", 1000
            ) from error
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

    async def probe(self) -> None:
        """Write the page that holds the version number, which nothing reads."""
        async with self.begin() as db:
            await db.execute(text(f"PRAGMA user_version = {secrets.randbelow(1 << 31)}"))

    async def inspect_schema(self, inspect: Callable[[Connection], Result]) -> Result:
        """Call `inspect` on the connection that writes."""
        async with self._writer.begin() as connection:
            return await connection.run_sync(inspect)

    async def change_schema(self, change: Callable[[Connection], None]) -> None:
        """Call `change` with foreign keys off, then check them."""
        # kill point: migrate.committing
        async with engine.foreign_keys_off(self._writer), self._writer.begin() as connection:
            await connection.run_sync(change)  # kill point: migrate.copied
            await connection.run_sync(engine.check_foreign_keys)

    async def find_damage(self) -> list[str]:
        """Broken pages and indexes, and rows that refer to rows that do not exist."""
        async with self.read() as db:
            return await integrity.find_damage(db)

    async def back_up(self, target: Path) -> int:
        """Copy a snapshot of the file."""
        return await anyio.to_thread.run_sync(backup.write_backup, self._file, target)

    async def back_up_beside(self, label: str) -> Path:
        """Copy a snapshot to `footnote.db.LABEL`, or `footnote.db.LABEL-2` if that exists."""
        target = backup.free_name(self._file, label)
        await self.back_up(target)
        return target

    async def restore(self, source: Path) -> Path | None:
        """Copy the pages of `source` into the file while nobody else has it open."""
        return await anyio.to_thread.run_sync(backup.restore_backup, source, self._file)

    async def close(self) -> None:
        """Close all connections, then stop watching the files."""
        await self._reader.dispose()
        await self._writer.dispose()
        await anyio.to_thread.run_sync(self._files.close)


def open_database(url: URL) -> SQLiteDatabase:
    """The database in the file that `url` names. Raises StartError."""
    name = _check_file(url)
    module = driver.choose_driver().module
    file = Path(name).absolute()
    connect = partial(module.connect, str(file), check_same_thread=False, timeout=engine.BUSY_MS / 1000)
    opened = OpenFiles(file, connect)
    # One connection that writes is a fair queue: worst wait 0.3 s against 2.8 s for eight that race for the lock.
    writer = engine.create_engine(url, module, opened, pool_size=1, begin="BEGIN IMMEDIATE", query_only=False)
    reader = engine.create_engine(url, module, opened, pool_size=READERS, begin="BEGIN", query_only=True)
    return SQLiteDatabase(Path(name), writer, reader, opened)


def require_file(url: URL) -> None:
    """Raises StartError when the file does not exist."""
    name = _check_file(url)
    if not Path(name).exists():
        raise errors.StartError(
            f"There is no database {name}. `footnote serve`, `ingest` or `migrate` makes one; DATABASE_URL names "
            "another."
        )


def _check_file(url: URL) -> str:
    """The name of the file. Raises StartError when there can be none."""
    if not url.database or url.database == ":memory:":
        raise errors.StartError(
            "DATABASE_URL must name a file, because several connections share it; an example: sqlite:///footnote.db."
        )
    folder = Path(url.database).resolve().parent
    if not folder.is_dir():
        raise errors.StartError(f"DATABASE_URL names a file in the folder {folder}, which does not exist.")
    return url.database
