"""Connections to PostgreSQL for threads that run transactions.

The driver is asynchronous, so each connection has its own event loop, which runs only while a thread waits for the
server. So a transaction's computations never hold up the event loop of the process.
"""

import asyncio
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession
from sqlalchemy.orm import Session

from app import errors
from app.database.postgres.engine import POOL_SECONDS
from app.database.postgres.failures import NoConnectionLeft, translate_connection_errors, translate_stale_rows
from app.database.threads import ThreadConnections, Work, keeping_rows

Result = TypeVar("Result")


class PostgresThreadConnections(ThreadConnections):
    """One engine with one connection for each thread; a thread takes any that is free.

    If the server accepts no more connections, threads share those that are open.
    """

    def __init__(self, create: Callable[[], AsyncEngine], name: str, *, count: int) -> None:
        """`name` is the database's, for messages."""
        self._all = [_LoopConnection(create(), name) for _ in range(count)]
        # The last one used is taken first, so that no more are opened than are used at once.
        self._free = self._all.copy()
        self._changed = threading.Condition()

    @property
    def is_open(self) -> bool:
        """Whether there is a connection, or one is being opened."""
        return any(each.is_open for each in self._all)

    def run_transaction(self, work: Work[Result], may_commit: Callable[[], None]) -> Result:
        """Use a free connection. Raises Unavailable."""
        refusal: NoConnectionLeft | None = None
        deadline = time.monotonic() + POOL_SECONDS
        while True:
            connection = self._take(refusal, deadline)
            try:
                return connection.run_transaction(work, may_commit)
            except NoConnectionLeft as error:
                refusal = error
            finally:
                self._give_back(connection)

    def _take(self, refusal: NoConnectionLeft | None, deadline: float) -> "_LoopConnection":
        """Wait for a free connection; after a refusal, for one that is already open. Raises the refusal if none is."""
        with self._changed:
            while (found := self._find_free(only_open=refusal is not None)) is None:
                if refusal is None:
                    self._changed.wait()
                elif not self.is_open or not self._changed.wait(deadline - time.monotonic()):
                    raise refusal
            self._free.remove(found)
            return found

    def _find_free(self, *, only_open: bool) -> "_LoopConnection | None":
        return next((each for each in reversed(self._free) if each.is_open or not only_open), None)

    def _give_back(self, connection: "_LoopConnection") -> None:
        with self._changed:
            # Connections that are not open are taken last.
            self._free.insert(len(self._free) if connection.is_open else 0, connection)
            self._changed.notify_all()

    def close(self) -> None:
        """Close all connections."""
        for connection in self._all:
            connection.close()


class _LoopConnection:
    """A connection with its event loop; used by one thread at a time."""

    def __init__(self, engine: AsyncEngine, name: str) -> None:
        self._engine = engine
        self._name = name
        self._loop: asyncio.AbstractEventLoop | None = None
        self.is_open = False
        """Whether there is a connection, or one is being opened."""

    def run_transaction(self, work: Work[Result], may_commit: Callable[[], None]) -> Result:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
        return self._loop.run_until_complete(self._run(work, may_commit))

    async def _run(self, work: Work[Result], may_commit: Callable[[], None]) -> Result:
        def run(db: Session) -> Result:
            with translate_stale_rows():
                result = work(db)
                may_commit()
                db.commit()
            return result

        async with AsyncSession(self._engine, expire_on_commit=False) as db:
            self.is_open = True
            try:
                with translate_connection_errors(self._name):
                    await db.connection()
            except errors.Unavailable:
                self.is_open = False
                raise
            with keeping_rows(db):
                return await db.run_sync(run)

    def close(self) -> None:
        if self._loop is not None:
            self._loop.run_until_complete(self._engine.dispose())
            self._loop.close()
