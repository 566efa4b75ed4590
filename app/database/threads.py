"""Run whole transactions on threads: one trip, however many statements there are.

A trip to a thread and back costs about 50 µs, and a transaction through SQLAlchemy's asynchronous session takes four
and more. So what belongs together is a function that runs on the thread.
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
    """The caller of a write is gone, so it is rolled back."""


def call_work(work: Work[Result], db: Session) -> Result:
    """The result of `work`. Raises what it raises, but never StopIteration: a future cannot hold that."""
    try:
        return work(db)
    except StopIteration as error:
        raise RuntimeError("A transaction was ended by StopIteration.") from error


@contextmanager
def keeping_rows(db: Session | AsyncSession) -> Generator[None]:
    """Around a transaction that an error or a cancellation rolls back: that would empty the rows that were read.

    An error may carry one to the client.
    """
    try:
        yield
    except BaseException:  # a cancellation, too
        db.expunge_all()
        raise


class ThreadConnections(Protocol):
    """The connections of some threads."""

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
        """The result of `work`, called in a transaction. A caller that is cancelled does not wait for its end."""
        call = _Call(self._connections, work)
        result = await self._submit(call)
        self._count_trip(call)
        return result

    async def write(self, work: Work[Result]) -> Result:
        """The result of `work`, called in a transaction that is committed at its end.

        If the caller is cancelled, nothing is committed. If it was too late for that, the result is returned, and the
        cancellation is raised where the caller waits next: nothing that was committed is reported as failed.
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
            raise errors.Unavailable("The database is closed, because the server stops.", "database", 1000) from error

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


def open_part(connection: Connection, transaction: Session) -> Session:
    """A session in a savepoint of another one's transaction: its commit or rollback ends the savepoint alone."""
    info = {_TRANSACTION: transaction}
    return Session(connection, expire_on_commit=False, join_transaction_mode="create_savepoint", info=info)


def when_committed(db: Session, call: Callable[[], None]) -> None:
    """Call this, on whatever thread it is, once what a session writes is in the database."""
    transaction = db.info.get(_TRANSACTION)

    def committed(_: Session) -> None:
        if transaction is not None:  # until now, only its part of it
            when_committed(transaction, call)
            return
        try:
            call()
        except Exception:  # what is written is written
            log.exception("somebody cannot be told of a commit")

    event.listen(db, "after_commit", committed, once=True)


async def settled_result(running: "asyncio.Future[Result]", cancel: Callable[[], None]) -> Result:
    """The result of a write. If its caller is cancelled, `cancel` is called, and the end of the write is awaited."""
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
