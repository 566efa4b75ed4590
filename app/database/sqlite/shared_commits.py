"""Group commit: brief writes that are waiting share a transaction, and so the wait for the disk and other processes.

Each write has its own savepoint: an error rolls back that write and nothing else.
"""

import asyncio
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from contextvars import Context
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from app import errors
from app.database.sqlite.failures import not_writable
from app.database.threads import Cancelled, Work, call_work, keeping_rows, open_savepoint, settled_result

Result = TypeVar("Result")

# A transaction accepts no more writes once it is this old: other processes and its first writes wait for it. Of a busy
# server, whose threads wait for each other, a single write takes up to half of this.
_MAX_SECONDS_TO_JOIN = 0.02


class SharedCommits:
    """Runs writes in the order of arrival; each transaction takes those that are waiting once it has begun."""

    def __init__(
        self,
        file: Path,
        wait_for_turn: Callable[[], AbstractAsyncContextManager[None]],
        write: Callable[[Work[None]], Awaitable[None]],
    ) -> None:
        """`file` is the database, for messages. `wait_for_turn` keeps this process's other writers waiting.

        `write` calls its argument in a transaction.
        """
        self._file = file
        self._wait_for_turn = wait_for_turn
        self._write = write
        self._waiting = _WaitingWrites()
        self._writing: asyncio.Task[None] | None = None

    async def write(self, work: Work[Result]) -> Result:
        """Call `work` in a shared transaction and return its result. See `TransactionThreads.write` for cancellation.

        Raises what `work` raises, and Unavailable.
        """
        part = _Part(work)
        self._waiting.add(part)
        if self._writing is None:
            self._start_writing()
        try:
            return await settled_result(part.settled, lambda: self._waiting.cancel(part))
        except OperationalError as error:
            raise not_writable(error.orig, self._file) from error

    def _start_writing(self) -> None:
        """Start the task that writes, in an empty context: it writes for all callers."""
        context = Context()
        self._writing = asyncio.get_running_loop().create_task(self._write_all(), context=context)
        self._writing.add_done_callback(self._end_writing, context=context)

    async def _write_all(self) -> None:
        """Write until nothing waits."""
        while self._waiting.count:
            await self._write_group()

    def _end_writing(self, _: asyncio.Task[None]) -> None:
        """Start again if a write is waiting.

        A callback, because a stopping event loop cancels tasks, even before they have begun, while others still write.
        """
        self._writing = None
        if self._waiting.count:
            self._start_writing()

    async def _write_group(self) -> None:
        group = _Group(self._waiting)
        try:
            async with self._wait_for_turn():
                await self._write(group.run)
        except Exception as error:
            group.take_all_unless_begun()
            group.settle(error)
        except BaseException:  # the event loop is stopping
            group.settle(errors.Unavailable("The server is stopping.", "database", 1000))
            raise
        else:
            group.settle()


class _WaitingWrites:
    """Writes that no transaction has taken yet, added on the event loop and taken on the writing thread.

    A transaction takes its writes once it has begun, so writes that arrive while it waits for another process join it.
    """

    def __init__(self) -> None:
        self._parts: deque[_Part] = deque()
        self._lock = threading.Lock()

    @property
    def count(self) -> int:
        return len(self._parts)

    def add(self, part: "_Part") -> None:
        with self._lock:
            self._parts.append(part)

    def take(self) -> "_Part | None":
        """Remove and return the next write; None if no write is waiting."""
        with self._lock:
            return self._parts.popleft() if self._parts else None

    def cancel(self, part: "_Part") -> None:
        """Remove a write that no transaction has taken; one that was taken is rolled back if there is still time."""
        part.cancelled.set()
        with self._lock:
            if part in self._parts:
                self._parts.remove(part)
                part.settled.cancel()


class _Group:
    """The writes of one transaction; empty if all callers were cancelled while they waited."""

    def __init__(self, waiting: _WaitingWrites) -> None:
        self._waiting = waiting
        self._taken: list[_Part] = []

    def run(self, db: Session) -> None:
        """Run as many writes as one transaction takes, on the writing thread."""
        connection = db.connection()  # waits for other processes
        part = self._take()
        if part is not None and not self._waiting.count:
            part.run(db)
            return
        began = time.perf_counter()
        while part is not None:
            with open_savepoint(connection, db) as savepoint:
                part.run_in_savepoint(savepoint, connection)
            part = self._take() if time.perf_counter() - began <= _MAX_SECONDS_TO_JOIN else None

    def _take(self) -> "_Part | None":
        part = self._waiting.take()
        if part is not None:
            self._taken.append(part)
        return part

    def take_all_unless_begun(self) -> None:
        """Take all waiting writes if the transaction could not begin: they have all failed."""
        if not self._taken:
            while self._take() is not None:
                pass

    def settle(self, error: Exception | None = None) -> None:
        """Give the callers the results of their writes; `error` means that the whole transaction was rolled back."""
        for part in self._taken:
            part.settle(error)


class _Part:
    """One write, and the future that its caller awaits."""

    def __init__(self, work: Work[Any]) -> None:
        self._work = work
        self._result: Any = None
        self._error: Exception | None = None
        self.settled: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.cancelled = threading.Event()

    def run(self, db: Session) -> None:
        """Call `work`. Raises what it raises, and Cancelled."""
        self._stop_if_cancelled()
        self._result = call_work(self._work, db)
        self._stop_if_cancelled()

    def run_in_savepoint(self, db: Session, connection: Connection) -> None:
        """Run it and keep its error for its caller. Raises errors that end the transaction, such as a full disk."""
        try:
            with keeping_rows(db):
                self.run(db)
                db.commit()
        except Exception as error:
            if not getattr(connection.connection.dbapi_connection, "in_transaction", False):
                raise
            self._error = error

    def _stop_if_cancelled(self) -> None:
        if self.cancelled.is_set():
            raise Cancelled

    def settle(self, error: Exception | None) -> None:
        """Give the caller the result or the error; `error` is the transaction's."""
        failure = error or self._error
        if failure is None:
            self.settled.set_result(self._result)
        else:
            self.settled.set_exception(failure)
