"""Connections to PostgreSQL for threads that run transactions.

The driver is asynchronous, so each connection has an event loop of its own, which runs only while a thread waits for
the server. So what a transaction computes never holds up the event loop of the process.
"""

import asyncio
import queue
from collections.abc import Callable
from typing import TypeVar

from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession
from sqlalchemy.orm import Session

from app.database.postgres.failures import changing_rows, connecting
from app.database.threads import ThreadConnections, Work, keeping_rows

Result = TypeVar("Result")


class PostgresThreadConnections(ThreadConnections):
    """As many engines of one connection as there are threads; a thread takes any that is free."""

    def __init__(self, create: Callable[[], AsyncEngine], name: str, *, count: int) -> None:
        """`name` is the database's, for messages."""
        self._name = name
        self._free: queue.SimpleQueue[_LoopConnection] = queue.SimpleQueue()
        for _ in range(count):
            self._free.put(_LoopConnection(create(), name))

    def run_transaction(self, work: Work[Result], may_commit: Callable[[], None]) -> Result:
        """Use a free connection. Raises Unavailable."""
        connection = self._free.get()
        try:
            return connection.run_transaction(work, may_commit)
        finally:
            self._free.put(connection)

    def close(self) -> None:
        """Close all connections."""
        while not self._free.empty():
            self._free.get().close()


class _LoopConnection:
    """A connection with its event loop. Made anywhere, used by one thread at a time."""

    def __init__(self, engine: AsyncEngine, name: str) -> None:
        self._engine = engine
        self._name = name
        self._loop: asyncio.AbstractEventLoop | None = None

    def run_transaction(self, work: Work[Result], may_commit: Callable[[], None]) -> Result:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
        return self._loop.run_until_complete(self._run(work, may_commit))

    async def _run(self, work: Work[Result], may_commit: Callable[[], None]) -> Result:
        def run(db: Session) -> Result:
            with changing_rows():
                result = work(db)
                may_commit()
                db.commit()
            return result

        async with AsyncSession(self._engine, expire_on_commit=False) as db:
            with connecting(self._name):
                await db.connection()
            with keeping_rows(db):
                return await db.run_sync(run)

    def close(self) -> None:
        if self._loop is not None:
            self._loop.run_until_complete(self._engine.dispose())
            self._loop.close()
