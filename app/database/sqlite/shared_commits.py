"""Brief writes that wait for each other share a transaction, and so the wait for the disk and for other processes.

Each has a savepoint of its own: what one of them raises rolls back what it wrote itself, and nothing else.
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
from app.database.threads import Cancelled, Work, call_work, keeping_rows, open_part, settled_result

Result = TypeVar("Result")

# A transaction takes no further write once it is this old: other processes wait for it, and so do its first writes.
_MAX_SECONDS_TO_JOIN = 0.005


class SharedCommits:
    """Runs writes in the order in which they came, each transaction with as many as are waiting when it begins."""

    def __init__(
        self,
        file: Path,
        wait_for_turn: Callable[[], AbstractAsyncContextManager[None]],
        write: Callable[[Work[None]], Awaitable[None]],
    ) -> None:
        """`file` is the database, for messages. `wait_for_turn` holds off all other writers of this process.

        `write` calls what it is given in a transaction.
        """
        self._file = file
        self._wait_for_turn = wait_for_turn
        self._write = write
        self._waiting = _WaitingWrites()
        self._writing: asyncio.Task[None] | None = None

    async def write(self, work: Work[Result]) -> Result:
        """The result of `work`. A caller that is cancelled gets what one of `TransactionThreads.write` gets.

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
        """In no caller's context: it writes for others, too."""
        self._writing = asyncio.get_running_loop().create_task(self._write_all(), context=Context())

    async def _write_all(self) -> None:
        """Write until nothing waits."""
        try:
            while self._waiting.count:
                await self._write_group()
        finally:
            self._writing = None
            if self._waiting.count:  # the event loop stops, and has cancelled this: the others wait all the same
                self._start_writing()

    async def _write_group(self) -> None:
        group = _Group(self._waiting)
        try:
            async with self._wait_for_turn():
                await self._write(group.run)
        except Exception as error:
            group.take_all_unless_begun()
            group.settle(error)
        except BaseException:  # the event loop stops
            group.settle(errors.Unavailable("The server stops.", "database", 1000))
            raise
        else:
            group.settle()


class _WaitingWrites:
    """Writes that no transaction has taken yet. They are added on the event loop, and taken on the thread that writes.

    So those join a transaction, too, that come while it waits for another process.
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
        """The next one; None if there is none."""
        with self._lock:
            return self._parts.popleft() if self._parts else None

    def cancel(self, part: "_Part") -> None:
        """Remove a write if none has taken it; otherwise it is rolled back, unless it is too late for that."""
        part.cancelled.set()
        with self._lock:
            if part in self._parts:
                self._parts.remove(part)
                part.settled.cancel()


class _Group:
    """Writes for one transaction; none if all callers were cancelled while they waited."""

    def __init__(self, waiting: _WaitingWrites) -> None:
        self._waiting = waiting
        self._taken: list[_Part] = []

    def run(self, db: Session) -> None:
        """Call those that one transaction takes, on the thread that writes."""
        connection = db.connection()  # waits for other processes
        part = self._take()
        if part is not None and not self._waiting.count:
            part.run(db)
            return
        began = time.perf_counter()
        while part is not None:
            with open_part(connection, db) as own:
                part.run_in_savepoint(own, connection)
            part = self._take() if time.perf_counter() - began <= _MAX_SECONDS_TO_JOIN else None

    def _take(self) -> "_Part | None":
        part = self._waiting.take()
        if part is not None:
            self._taken.append(part)
        return part

    def take_all_unless_begun(self) -> None:
        """Take all that wait, which have failed if no transaction could begin."""
        if not self._taken:
            while self._take() is not None:
                pass

    def settle(self, error: Exception | None = None) -> None:
        """Tell the callers what became of their writes; with an error, they have all been rolled back."""
        for part in self._taken:
            part.settle(error)


class _Part:
    """A write, and its caller's wait for it."""

    def __init__(self, work: Work[Any]) -> None:
        self._work = work
        self._result: Any = None
        self._error: Exception | None = None
        self.settled: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.cancelled = threading.Event()

    def run(self, db: Session) -> None:
        """Raises what `work` raises, and Cancelled."""
        self._stop_if_cancelled()
        self._result = call_work(self._work, db)
        self._stop_if_cancelled()

    def run_in_savepoint(self, db: Session, connection: Connection) -> None:
        """Run it, and keep its error for its caller. Raises what has ended the whole transaction: a full disk does."""
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
        """Tell the caller; `error` comes from the transaction."""
        failure = error or self._error
        if failure is None:
            self.settled.set_result(self._result)
        else:
            self.settled.set_exception(failure)
