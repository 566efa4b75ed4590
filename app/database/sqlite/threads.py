"""Run whole transactions on threads that each own a connection: one trip, however many statements there are.

A trip to a thread and back costs about 50 µs, and a transaction through SQLAlchemy's asynchronous session takes four
and more. So what belongs together is a function that runs on the thread.
"""

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.engine import Connection
from sqlalchemy.orm import Session
from sqlalchemy.pool import SingletonThreadPool

from app import errors
from app.database.protocol import Trips

Result = TypeVar("Result")


class ConnectionThreads:
    """Threads with one connection each, opened by `connect` when a thread first needs it."""

    def __init__(self, connect: Callable[[], Any], module: Any, name: str, *, count: int, begin: str) -> None:
        """`name` is the database's, by which statements can be told from those on another one."""
        self._engine = _create_engine(connect, module, name, count, begin)
        self._threads = ThreadPoolExecutor(count, thread_name_prefix=f"database: {begin}")
        self.trips = Trips()

    async def read(self, work: Callable[[Session], Result]) -> Result:
        """The result of `work`, called in a transaction. A caller that is cancelled does not wait for its end."""
        call = _Call(self._engine, work)
        result = await self._submit(call)
        self._count_trip(call)
        return result

    async def write(self, work: Callable[[Session], Result]) -> Result:
        """The result of `work`, called in a transaction that is committed at its end.

        If the caller is cancelled, nothing is committed. If it was too late for that, the result is returned, and the
        cancellation is raised where the caller waits next: nobody is told that something failed which was committed.
        Either way, the transaction has ended when this returns or raises, however often the caller is cancelled.
        """
        call = _Call(self._engine, work)
        running = self._submit(call)
        try:
            result = await asyncio.shield(running)
        except asyncio.CancelledError:
            call.cancelled.set()
            while not running.done():
                with suppress(asyncio.CancelledError):
                    await asyncio.wait({running})
            if running.cancelled() or running.exception() is not None:
                raise
            if (task := asyncio.current_task()) is not None:
                task.uncancel()
                task.cancel()
            return running.result()
        self._count_trip(call)
        return result

    def _count_trip(self, call: "_Call") -> None:
        self.trips = Trips(self.trips.count + 1, self.trips.waited_seconds + call.waited_seconds)

    def _submit(self, call: "_Call") -> asyncio.Future[Any]:
        try:
            return asyncio.get_running_loop().run_in_executor(self._threads, call.run)
        except RuntimeError as error:  # after `close`
            raise errors.Unavailable("The database is closed, because the server stops.", "database", 1000) from error

    def close(self) -> None:
        """Wait for the threads, then close their connections."""
        self._threads.shutdown()
        self._engine.dispose()


class _Cancelled(Exception):
    """The caller is gone."""


class _Call:
    def __init__(self, engine: Engine, work: Callable[[Session], Any]) -> None:
        self._engine = engine
        self._work = work
        self.cancelled = threading.Event()
        self.waited_seconds = 0.0
        self._submitted = time.perf_counter()

    def run(self) -> Any:
        """Runs on the thread."""
        self.waited_seconds = time.perf_counter() - self._submitted
        if self.cancelled.is_set():
            raise _Cancelled
        with Session(self._engine, expire_on_commit=False) as db:
            try:
                result = self._work(db)
                if self.cancelled.is_set():
                    raise _Cancelled
                db.commit()
            except BaseException:  # whatever it is, it is rolled back and raised to the caller
                # A rollback empties the rows that were read; an error may carry one to the client.
                db.expunge_all()
                raise
            return result


def _create_engine(connect: Callable[[], Any], module: Any, name: str, count: int, begin: str) -> Engine:
    engine = create_engine(
        URL.create("sqlite", database=name),
        module=module,
        creator=connect,
        poolclass=SingletonThreadPool,
        pool_size=count,
        # A transaction always ends before its connection is returned.
        pool_reset_on_return=None,
        # Errors are logged: they must not quote documents, questions or hashes of tokens.
        hide_parameters=True,
    )

    @event.listens_for(engine, "begin")
    def start(connection: Connection) -> None:  # pyright: ignore[reportUnusedFunction]
        connection.exec_driver_sql(begin)

    return engine
