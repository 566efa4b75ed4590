"""The database in PostgreSQL: many transactions read and write, from any number of processes."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TypeVar, cast

import anyio.to_thread
from sqlalchemy import URL, QueuePool, text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncSession
from sqlalchemy.orm import Session

from app import errors
from app.database.locks import AnyLock
from app.database.postgres.address import read_url
from app.database.postgres.driver_connections import DriverConnections
from app.database.postgres.engine import COMMAND_SECONDS, POOL_SECONDS, connect_alone, create_engine
from app.database.postgres.failures import (
    CONNECTION_FAILURES,
    NoConnectionLeft,
    TransactionConflict,
    translate_connection_errors,
    translate_stale_rows,
    unavailable,
)
from app.database.postgres.lock_queues import LockQueues
from app.database.postgres.locks import lock_statement
from app.database.postgres.poolers import refuse_transaction_pooler
from app.database.postgres.process_lock import ProcessLock, connect_sharing
from app.database.postgres.threads import PostgresThreadConnections
from app.database.protocol import Database, Trips
from app.database.threads import TransactionThreads, keeping_rows

log = logging.getLogger(__name__)

# The most connections per process, 20 in all: PostgreSQL allows 100 by default.
_ASYNCHRONOUS = 4
_WRITERS, _READERS, _SEARCHERS = 4, 4, 4
# How often a transaction is retried after a conflict; the server takes a second to detect a deadlock.
_RETRIES = 3
# Enough for machines whose time synchronization has failed for a while.
_MAX_CLOCK_DIFFERENCE = timedelta(minutes=10)
# How long to wait before retrying when the server has no connection left.
_NO_CONNECTION_PAUSE_SECONDS = 0.1
_INVALID_INDEXES = text(
    "SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid "
    "JOIN pg_namespace n ON n.oid = c.relnamespace "
    "WHERE NOT (i.indisvalid AND i.indisready) AND n.nspname = current_schema() "
    # Vector indexes are built in the background, and rebuilt if that was interrupted.
    "AND NOT starts_with(c.relname, 'chunk_vectors_near_') ORDER BY 1"
)
_UNCHECKED_KEYS = text(
    "SELECT conname, conrelid::regclass::text AS name FROM pg_constraint "
    "WHERE NOT convalidated AND connamespace = current_schema()::regnamespace ORDER BY 1"
)
# Only the settings that this version of the server has: older ones lack the last.
_NO_LIMITS = text(
    "SELECT set_config(name, '0', true) FROM pg_settings WHERE name IN "
    "('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')"
)
_ONE = text("SELECT 1")
# PostgreSQL checks privileges even if no row matches.
_CHANGE_NOTHING = text("UPDATE projects SET name = name WHERE false")

_USE = "use"  # the lock that processes share which use the database

Result = TypeVar("Result")


class PostgresDatabase(Database):
    """A database on a server. Write transactions run concurrently, except those that take the same named lock."""

    def __init__(self, url: URL, command_seconds: float = COMMAND_SECONDS) -> None:
        """`command_seconds`: how long to wait for a server that does not respond."""
        self._url, connect = url, partial(connect_alone, url)
        self._connections = DriverConnections()
        self._create_engine = partial(create_engine, command_seconds=command_seconds, connections=self._connections)
        self.name = URL.create("postgresql", host=url.host, port=url.port, database=url.database).render_as_string()
        self.dialect = "postgresql"
        self.location = (partial(connect_sharing, connect, _USE), CONNECTION_FAILURES)
        self.longest_probe_seconds = POOL_SECONDS
        self.max_clock_difference = _MAX_CLOCK_DIFFERENCE
        self._writer = self._create_engine(url, pool_size=_ASYNCHRONOUS, read_only=False)
        self._reader = self._create_engine(url, pool_size=_ASYNCHRONOUS, read_only=True)
        self._threads: list[tuple[TransactionThreads, PostgresThreadConnections]] = []
        self._writing = self._open_threads(url, _WRITERS, "writing")
        self._reading = self._open_threads(url, _READERS, "reading")
        self._searching = self._open_threads(url, _SEARCHERS, "searching")
        self._queues = LockQueues()
        self._upkeep, self._use = (ProcessLock(connect, self.name, lock) for lock in ("upkeep", _USE))

    def _open_threads(self, url: URL, count: int, name: str) -> TransactionThreads:
        create = partial(self._create_engine, url, pool_size=1, read_only=name != "writing")
        connections = PostgresThreadConnections(create, self.name, count=count)
        threads = TransactionThreads(connections, count=count, name=name)
        self._threads.append((threads, connections))
        return threads

    @property
    def is_lost(self) -> bool:
        """Always False: a server that is down comes back."""
        return False

    @property
    def trips(self) -> Trips:
        """The sum of the trips to all threads."""
        all_trips = [threads.trips for threads in (self._writing, self._reading, self._searching)]
        return Trips(sum(trips.count for trips in all_trips), sum(trips.waited_seconds for trips in all_trips))

    @asynccontextmanager
    async def begin(self, lock: AnyLock | None = None) -> AsyncGenerator[AsyncSession]:
        """Begin a write transaction that holds `lock`. Each statement sees what was committed before it."""
        locks = () if lock is None else (lock,)
        async with self._queues.enter(locks), self._session(self._writer) as db:
            if lock is not None:
                await db.execute(lock_statement(lock))
            with translate_stale_rows():
                yield db
                await db.commit()

    @asynccontextmanager
    async def read(self) -> AsyncGenerator[AsyncSession]:
        """Begin a read transaction."""
        async with self._session(self._reader) as db:
            yield db

    @asynccontextmanager
    async def _session(self, engine: AsyncEngine) -> AsyncGenerator[AsyncSession]:
        async with AsyncSession(engine, expire_on_commit=False, autoflush=engine is self._writer) as db:
            await self._connect(db, engine)
            with keeping_rows(db):
                yield db

    async def _connect(self, db: AsyncSession, engine: AsyncEngine) -> None:
        """Take a connection. If the server has none left, wait for one of the pool's own."""
        pool = cast("QueuePool", engine.sync_engine.pool)
        deadline = time.monotonic() + POOL_SECONDS
        while True:
            try:
                with translate_connection_errors(self.name):
                    await db.connection()
                return
            except NoConnectionLeft:
                if not pool.checkedin() + pool.checkedout() or time.monotonic() > deadline:
                    raise
            await asyncio.sleep(_NO_CONNECTION_PAUSE_SECONDS)

    async def run_write(self, work: Callable[[Session], Result], *locks: AnyLock, brief: bool = False) -> Result:
        """Call `work` in a write transaction on a thread. `brief` changes nothing: the server groups commits itself.

        The transaction is retried after a conflict: transactions with different locks may change the same rows.
        """

        def locked(db: Session) -> Result:
            if locks:
                db.execute(lock_statement(*locks))
            return work(db)  # kill point: lock.taken

        async with self._queues.enter(locks):
            for _ in range(_RETRIES):
                with suppress(TransactionConflict):
                    return await self._writing.write(locked)
            return await self._writing.write(locked)

    async def run_read(self, work: Callable[[Session], Result], *, slow: bool = False) -> Result:
        """Call `work` in a read transaction on a thread."""
        return await (self._searching if slow else self._reading).read(work)

    async def hold_upkeep(self) -> bool:
        """Take the advisory lock for it; see `Database.hold_upkeep`."""
        return await self._upkeep.hold()

    async def probe(self) -> None:
        """Take a transaction id, which is a write, and check that the user may write and each pool has a connection.

        Hosting providers make a server read-only when its disk is nearly full; it still hands out ids then.
        """
        async with self.begin() as db:
            if (await db.execute(text("SHOW transaction_read_only"))).scalar_one() == "on":
                await (await db.connection()).invalidate()  # the next connection may lead to another server
                raise unavailable("the server is read-only")
            await db.execute(text("SELECT pg_current_xact_id()"))
            await db.execute(_CHANGE_NOTHING)
        for threads, connections in self._threads:
            if not connections.is_open:
                await threads.read(lambda db: db.execute(_ONE))
        async with self.read() as db:
            await db.execute(_ONE)

    async def inspect_schema(self, inspect: Callable[[Connection], Result]) -> Result:
        """Call `inspect` in a write transaction. Raises Unavailable behind a pooler that Footnote cannot work with."""
        await refuse_transaction_pooler(self._writer, self.name)
        async with self.begin() as db:
            return await (await db.connection()).run_sync(inspect)

    @asynccontextmanager
    async def open_schema(self) -> AsyncGenerator[AsyncConnection]:
        """Begin a transaction that holds the schema lock. Foreign keys are enforced throughout.

        It may rewrite whole tables, or wait for another process that does, so it has no time limits.
        """
        engine = self._create_engine(self._url, pool_size=1, read_only=False, command_seconds=None)
        try:
            async with self._session(engine) as db:
                await self.lift_time_limits(db)
                await db.execute(lock_statement("schema"))
                yield await db.connection()
                await db.commit()
        finally:
            await engine.dispose()
        # New connections know the types that the migrations have created.
        await self._writer.dispose()
        await self._reader.dispose()

    async def lift_time_limits(self, db: AsyncSession) -> None:
        """Turn off the server's time limits for this transaction."""
        await db.execute(_NO_LIMITS)

    def describe_failure(self, error: DBAPIError) -> str:
        """The server's message."""
        return str(error.orig)

    async def require_unused(self) -> None:
        """Try to take the lock that all processes share which use the database."""
        if not await self._use.is_free():
            raise errors.Conflict(f"{self.name} is in use by a server or by another command; stop that first.")

    async def find_damage(self) -> list[str]:
        """Find indexes and constraints that are not valid."""
        async with self.read() as db:
            return await _find_damage(db)

    async def back_up(self, target: Path) -> int:
        """Always raises Conflict: PostgreSQL has its own tools."""
        raise errors.Conflict(
            f"Use PostgreSQL's own tools to back up this database: pg_dump --format=custom --file={target} {self.name}"
        )

    async def back_up_beside(self, label: str) -> Path | None:
        """Always None: a migration is one transaction here, and the database is not a file."""
        return None

    async def restore(self, source: Path) -> Path | None:
        """Always raises Conflict: PostgreSQL has its own tools.

        They cannot replace the tables of a newer version, because tables that it has added refer to them.
        """
        new = self.name.removesuffix(f"/{self._url.database}") + "/NEW"
        raise errors.Conflict(
            "Use PostgreSQL's own tools to restore this database. Create a new database NEW with the extension vector, "
            "restore the backup into it, and name it in DATABASE_URL: "
            f"pg_restore --no-owner --no-comments --single-transaction --dbname={new} {source}"
        )

    def cut_off(self) -> None:
        """Cut off all connections: a server that hangs could hold this process up longer than it may take to end."""
        log.warning("work did not end in time: connections to the database are cut off")
        self._connections.cut_off()

    async def close(self) -> None:
        """Close all connections."""
        self._upkeep.release()
        for threads in (self._searching, self._reading, self._writing):
            await anyio.to_thread.run_sync(threads.close)
        await self._reader.dispose()
        await self._writer.dispose()


def open_database(url: URL, named_by: str) -> PostgresDatabase:
    """The database at `url`. Raises StartError if it names no database, or has a parameter that is not supported."""
    if not url.database:
        raise errors.StartError(
            f"{named_by} names no database. Example: postgresql://user:password@host:5432/footnote."
        )
    read_url(url, {}, named_by)
    return PostgresDatabase(url.set(drivername="postgresql+asyncpg"))


async def _find_damage(db: AsyncSession) -> list[str]:
    """A sentence for each index or constraint that is not valid. To check pages, there is `pg_amcheck`."""
    found = [
        f"The index {name} is not valid; REINDEX INDEX CONCURRENTLY {name} rebuilds it."
        for name in (await db.execute(_INVALID_INDEXES)).scalars()
    ]
    for row in (await db.execute(_UNCHECKED_KEYS)).all():
        found.append(f"The constraint {row.conname} of {row.name} was never checked.")
    return found
