"""The database in PostgreSQL: many transactions read and write, from any number of processes."""

import asyncio
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
from app.database.postgres.engine import COMMAND_SECONDS, POOL_SECONDS, connect_alone, create_engine
from app.database.postgres.failures import (
    CONNECTION_FAILURES,
    NoConnectionLeft,
    Overtaken,
    changing_rows,
    connecting,
    unavailable,
)
from app.database.postgres.lock_queues import LockQueues
from app.database.postgres.locks import lock_statement
from app.database.postgres.poolers import refuse_transaction_pooler
from app.database.postgres.process_lock import ProcessLock
from app.database.postgres.threads import PostgresThreadConnections
from app.database.protocol import Database, Trips
from app.database.threads import TransactionThreads, keeping_rows

# Connections of one process at most, 20 in all: PostgreSQL allows 100 unless told otherwise.
_ASYNCHRONOUS = 4
_WRITERS, _READERS, _SEARCHERS = 4, 4, 4
# Of a transaction where another came first; the server takes a second to find a deadlock.
_REPETITIONS = 3
# Of machines whose time service has failed for a while.
_MAX_CLOCK_DIFFERENCE = timedelta(minutes=10)
# After how long a connection is asked for again where the server has none left.
_FULL_SECONDS = 0.1
_INVALID_INDEXES = text(
    "SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid "
    "JOIN pg_namespace n ON n.oid = c.relnamespace "
    "WHERE NOT (i.indisvalid AND i.indisready) AND n.nspname = current_schema() "
    # Those of vectors are made in the background, and made again if that was interrupted.
    "AND NOT starts_with(c.relname, 'chunk_vectors_near_') ORDER BY 1"
)
_UNCHECKED_KEYS = text(
    "SELECT conname, conrelid::regclass::text AS name FROM pg_constraint "
    "WHERE NOT convalidated AND connamespace = current_schema()::regnamespace ORDER BY 1"
)
# Those that this version of the server has; others may have set the last one.
_NO_LIMITS = text(
    "SELECT set_config(name, '0', true) FROM pg_settings WHERE name IN "
    "('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')"
)
_ONE = text("SELECT 1")
# Rights are checked before it is seen that there is no such row.
_CHANGE_NOTHING = text("UPDATE projects SET name = name WHERE false")

Result = TypeVar("Result")


class PostgresDatabase(Database):
    """A database on a server. Transactions that write run at once; a named lock makes those that hold it take turns."""

    def __init__(self, url: URL, command_seconds: float = COMMAND_SECONDS) -> None:
        """`command_seconds`: how long to wait for a server that does not answer."""
        self._url = url
        self._create_engine = partial(create_engine, command_seconds=command_seconds)
        self.name = URL.create("postgresql", host=url.host, port=url.port, database=url.database).render_as_string()
        self.dialect = "postgresql"
        self.location = (partial(connect_alone, url), CONNECTION_FAILURES)
        self.max_clock_difference = _MAX_CLOCK_DIFFERENCE
        self._writer = self._create_engine(url, pool_size=_ASYNCHRONOUS, read_only=False)
        self._reader = self._create_engine(url, pool_size=_ASYNCHRONOUS, read_only=True)
        self._threads: list[tuple[TransactionThreads, PostgresThreadConnections]] = []
        self._writing = self._open_threads(url, _WRITERS, "writing")
        self._reading = self._open_threads(url, _READERS, "reading")
        self._searching = self._open_threads(url, _SEARCHERS, "searching")
        self._queues = LockQueues()
        self._upkeep = ProcessLock(partial(connect_alone, url), self.name, "upkeep")

    def _open_threads(self, url: URL, count: int, name: str) -> TransactionThreads:
        create = partial(self._create_engine, url, pool_size=1, read_only=name != "writing")
        connections = PostgresThreadConnections(create, self.name, count=count)
        threads = TransactionThreads(connections, count=count, name=name)
        self._threads.append((threads, connections))
        return threads

    @property
    def is_lost(self) -> bool:
        """Never: a server that is down comes back."""
        return False

    @property
    def trips(self) -> Trips:
        """The trips to all threads."""
        each = [threads.trips for threads in (self._writing, self._reading, self._searching)]
        return Trips(sum(trips.count for trips in each), sum(trips.waited_seconds for trips in each))

    @asynccontextmanager
    async def begin(self, lock: AnyLock | None = None) -> AsyncGenerator[AsyncSession]:
        """A writing transaction that holds `lock`. Each of its statements sees what is committed before it."""
        locks = () if lock is None else (lock,)
        async with self._queues.enter(locks), self._session(self._writer) as db:
            if lock is not None:
                await db.execute(lock_statement(lock))
            with changing_rows():
                yield db
                await db.commit()

    @asynccontextmanager
    async def read(self) -> AsyncGenerator[AsyncSession]:
        """A reading transaction."""
        async with self._session(self._reader) as db:
            yield db

    @asynccontextmanager
    async def _session(self, engine: AsyncEngine) -> AsyncGenerator[AsyncSession]:
        async with AsyncSession(engine, expire_on_commit=False, autoflush=engine is self._writer) as db:
            await self._connect(db, engine)
            with keeping_rows(db):
                yield db

    async def _connect(self, db: AsyncSession, engine: AsyncEngine) -> None:
        """Take a connection; where the server gives no further one, wait for those that the pool has."""
        pool = cast("QueuePool", engine.sync_engine.pool)
        deadline = time.monotonic() + POOL_SECONDS
        while True:
            try:
                with connecting(self.name):
                    await db.connection()
                return
            except NoConnectionLeft:
                if not pool.checkedin() + pool.checkedout() or time.monotonic() > deadline:
                    raise
            await asyncio.sleep(_FULL_SECONDS)

    async def run_write(self, work: Callable[[Session], Result], *locks: AnyLock, brief: bool = False) -> Result:
        """A writing transaction on a thread. Brief ones, too, have their own: the server joins their commits.

        It is tried again where another came first: different locks do not keep transactions from the same rows.
        """

        def locked(db: Session) -> Result:
            if locks:
                db.execute(lock_statement(*locks))
            return work(db)  # kill point: lock.taken

        async with self._queues.enter(locks):
            for _ in range(_REPETITIONS):
                with suppress(Overtaken):
                    return await self._writing.write(locked)
            return await self._writing.write(locked)

    async def run_read(self, work: Callable[[Session], Result], *, slow: bool = False) -> Result:
        """A reading transaction on a thread."""
        return await (self._searching if slow else self._reading).read(work)

    async def hold_upkeep(self) -> bool:
        """An advisory lock."""
        return await self._upkeep.hold()

    async def probe(self) -> None:
        """Take a transaction number, which is written, unless the server is read-only or the user may not write.

        Hosts make it so when its disk is nearly full; numbers are still given then. Those who wait for a connection of
        any kind share one at least, so each kind is to have one.
        """
        async with self.begin() as db:
            if (await db.execute(text("SHOW transaction_read_only"))).scalar_one() == "on":
                await (await db.connection()).invalidate()  # the next may lead to another server
                raise unavailable("the server is read-only")
            await db.execute(text("SELECT pg_current_xact_id()"))
            await db.execute(_CHANGE_NOTHING)
        for threads, connections in self._threads:
            if not connections.is_open:
                await threads.read(lambda db: db.execute(_ONE))
        async with self.read() as db:
            await db.execute(_ONE)

    async def inspect_schema(self, inspect: Callable[[Connection], Result]) -> Result:
        """Call `inspect` on a connection that could write, which no pooler may take away between transactions."""
        await refuse_transaction_pooler(self._writer, self.name)
        async with self.begin() as db:
            return await (await db.connection()).run_sync(inspect)

    @asynccontextmanager
    async def open_schema(self) -> AsyncGenerator[AsyncConnection]:
        """A transaction that holds the lock of those that change the schema. Foreign keys are enforced all along.

        It may rewrite whole tables, and wait for another process that does, so nothing in it has a time limit.
        """
        engine = create_engine(self._url, pool_size=1, read_only=False, command_seconds=None)
        try:
            async with self._session(engine) as db:
                await self.lift_time_limits(db)
                await db.execute(lock_statement("schema"))
                yield await db.connection()
                await db.commit()
        finally:
            await engine.dispose()
        # New connections know the types that the change has made.
        await self._writer.dispose()
        await self._reader.dispose()

    async def lift_time_limits(self, db: AsyncSession) -> None:
        """Set those of the server to nothing."""
        await db.execute(_NO_LIMITS)

    def describe_failure(self, error: DBAPIError) -> str:
        """What the server says."""
        return str(error.orig)

    async def find_damage(self) -> list[str]:
        """Indexes and constraints that do not hold."""
        async with self.read() as db:
            return await _find_damage(db)

    async def back_up(self, target: Path) -> int:
        """Always raises Conflict: PostgreSQL has its own tools."""
        raise errors.Conflict(
            f"PostgreSQL has its own tools for this: pg_dump --format=custom --file={target} {self.name}"
        )

    async def back_up_beside(self, label: str) -> Path | None:
        """None: a migration is one transaction here, and a copy could only be made on the server."""
        return None

    async def restore(self, source: Path) -> Path | None:
        """Always raises Conflict: PostgreSQL has its own tools.

        They cannot replace the tables of a newer version: what that has added refers to them.
        """
        new = self.name.removesuffix(f"/{self._url.database}") + "/NEW"
        raise errors.Conflict(
            "PostgreSQL has its own tools for this. Make a new database NEW with the extension vector, restore the "
            "backup there, and name it in DATABASE_URL: "
            f"pg_restore --no-owner --no-comments --single-transaction --dbname={new} {source}"
        )

    async def close(self) -> None:
        """Close all connections."""
        await self._upkeep.release()
        for threads in (self._searching, self._reading, self._writing):
            await anyio.to_thread.run_sync(threads.close)
        await self._reader.dispose()
        await self._writer.dispose()


def open_database(url: URL, named_by: str) -> PostgresDatabase:
    """The database that `url` names. Raises StartError when it names none, or has a parameter that cannot be used."""
    if not url.database:
        raise errors.StartError(
            f"{named_by} names no database; an example: postgresql://user:password@host:5432/footnote."
        )
    read_url(url, {}, named_by)
    return PostgresDatabase(url.set(drivername="postgresql+asyncpg"))


async def _find_damage(db: AsyncSession) -> list[str]:
    """A sentence for each index or constraint that does not hold. Pages are checked by `pg_amcheck`, not by us."""
    found = [
        f"The index {name} is not valid; REINDEX INDEX CONCURRENTLY {name} makes it again."
        for name in (await db.execute(_INVALID_INDEXES)).scalars()
    ]
    for row in (await db.execute(_UNCHECKED_KEYS)).all():
        found.append(f"The constraint {row.conname} of {row.name} was never checked.")
    return found
