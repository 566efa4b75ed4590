"""Run whole transactions on threads: one trip, however many statements they have.

A trip to a thread and back costs about 50 µs, and a transaction through SQLAlchemy's asynchronous session takes at
least four. So a transaction is one function that runs on a thread.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection, event
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Session

from app import errors
from app.database.protocol import Trips

log = logging.getLogger(__name__)

Result = TypeVar("Result")
Work = Callable[[Session], Result]


class Cancelled(Exception):
    """The caller of a write was cancelled, so the write is rolled back."""


def call_work(work: Work[Result], db: Session) -> Result:
    """Call `work` and return its result. Turns StopIteration, which a future cannot hold, into RuntimeError."""
    try:
        return work(db)
    except StopIteration as error:
        raise RuntimeError("A transaction was ended by StopIteration.") from error


@contextmanager
def keeping_rows(db: Session | AsyncSession) -> Generator[None]:
    """Keep rows usable after a rollback, which would expire them: an error may carry one to the client."""
    try:
        yield
    except BaseException:  # including cancellation
        db.expunge_all()
        raise


class ThreadConnections(Protocol):
    """The connections of a group of threads."""

    def run_transaction(self, work: Work[Result], may_commit: Callable[[], None]) -> Result:
        """Call `work` in a transaction, on the calling thread; committed unless `work` or `may_commit` raises."""
        ...

    def close(self) -> None:
        """Close all connections; no thread uses them any more."""
        ...


class TransactionThreads:
    """Threads with one connection each."""

    def __init__(self, connections: ThreadConnections, *, count: int, name: str) -> None:
        self._connections = connections
        self._threads = ThreadPoolExecutor(count, thread_name_prefix=f"database: {name}")
        self.trips = Trips()

    async def read(self, work: Work[Result]) -> Result:
        """Call `work` in a transaction and return its result. A cancelled caller does not wait for the end."""
        call = _Call(self._connections, work)
        result = await self._submit(call)
        self._count_trip(call)
        return result

    async def write(self, work: Work[Result]) -> Result:
        """Call `work` in a transaction, commit it, and return the result.

        If the caller is cancelled, nothing is committed. If it is too late for that, the result is returned, and the
        cancellation is raised at the caller's next `await`: nothing that was committed is reported as failed.
        Either way, the transaction has ended when this returns or raises, however often the caller is cancelled.
        """
        call = _Call(self._connections, work)
        result = await settled_result(self._submit(call), call.cancelled.set)
        self._count_trip(call)
        return result

    def _count_trip(self, call: "_Call") -> None:
        self.trips = Trips(self.trips.count + 1, self.trips.waited_seconds + call.waited_seconds)

    def _submit(self, call: "_Call") -> asyncio.Future[Any]:
        try:
            return asyncio.get_running_loop().run_in_executor(self._threads, call.run)
        except RuntimeError as error:  # after `close`
            raise errors.Unavailable("The database is closed: the server is stopping.", "database", 1000) from error

    def close(self) -> None:
        """Wait for the threads, then close their connections."""
        self._threads.shutdown()
        self._connections.close()


class _Call:
    def __init__(self, connections: ThreadConnections, work: Work[Any]) -> None:
        self._connections = connections
        self._work = work
        self.cancelled = threading.Event()
        self.waited_seconds = 0.0
        self._submitted = time.perf_counter()

    def run(self) -> Any:
        """Runs on the thread."""
        self.waited_seconds = time.perf_counter() - self._submitted
        self._stop_if_cancelled()
        return self._connections.run_transaction(partial(call_work, self._work), self._stop_if_cancelled)

    def _stop_if_cancelled(self) -> None:
        if self.cancelled.is_set():
            raise Cancelled


_TRANSACTION = "session of the transaction"


def open_savepoint(connection: Connection, transaction: Session) -> Session:
    """A session in a savepoint of another session's transaction; its commit or rollback ends only the savepoint."""
    info = {_TRANSACTION: transaction}
    return Session(connection, expire_on_commit=False, join_transaction_mode="create_savepoint", info=info)


def call_after_commit(db: Session, callback: Callable[[], None]) -> None:
    """Call `callback`, on the thread of the transaction, once what a session writes is in the database."""
    transaction = db.info.get(_TRANSACTION)

    def committed(_: Session) -> None:
        if transaction is not None:  # only the savepoint has ended
            call_after_commit(transaction, callback)
            return
        try:
            callback()
        except Exception:  # the commit cannot be undone
            log.exception("a callback after a commit failed")

    event.listen(db, "after_commit", committed, once=True)


async def settled_result(running: "asyncio.Future[Result]", cancel: Callable[[], None]) -> Result:
    """Await a write's result. If the caller is cancelled, call `cancel` and still wait until the write has ended."""
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        cancel()
        while not running.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait({running})
        if running.cancelled() or running.exception() is not None:
            raise
        if (task := asyncio.current_task()) is not None:
            task.uncancel()
            task.cancel()
        return running.result()
