"""Brief writes that wait for each other share a transaction, and so the wait for the disk and for other processes.

Each has a savepoint of its own: what one of them raises rolls back what it wrote itself, and nothing else.
"""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from app.database.threads import Cancelled, Work, open_part, settled_result

Result = TypeVar("Result")

# A transaction takes no further write once it is this old: other processes wait for it, and so do its first writes.
_OLD_SECONDS = 0.005


class SharedCommits:
    """Runs writes in the order in which they came, each transaction with as many as are waiting when it begins."""

    def __init__(self, write: Callable[[Work[None]], Awaitable[None]]) -> None:
        """`write` calls what it is given in a transaction, and raises what the caller of a write is to get."""
        self._write = write
        self._waiting: list[_Part] = []
        self._writing: asyncio.Task[None] | None = None

    async def write(self, work: Work[Result]) -> Result:
        """The result of `work`. A caller that is cancelled gets what one of `TransactionThreads.write` gets."""
        part = _Part(work)
        self._waiting.append(part)
        if self._writing is None:
            self._writing = asyncio.create_task(self._write_all())
        return await settled_result(part.settled, lambda: self._cancel(part))

    def _cancel(self, part: "_Part") -> None:
        part.cancelled.set()
        if part in self._waiting:
            self._waiting.remove(part)
            part.settled.cancel()

    async def _write_all(self) -> None:
        """Write until nothing waits."""
        try:
            while self._waiting:
                group, self._waiting = _Group(self._waiting), []
                await self._write_group(group)
                self._waiting = group.left + self._waiting
        finally:
            self._writing = None

    async def _write_group(self, group: "_Group") -> None:
        try:
            await self._write(group.run)
        except BaseException as error:  # even when stopping: the callers wait for it
            group.settle(error)
            if not isinstance(error, Exception):
                raise
        else:
            group.settle()


class _Group:
    """Writes for one transaction."""

    def __init__(self, parts: list["_Part"]) -> None:
        self._parts = parts
        self._taken = len(parts)

    @property
    def left(self) -> list["_Part"]:
        """Those that came too late."""
        return self._parts[self._taken :]

    def run(self, db: Session) -> None:
        """Call those that one transaction takes, on the thread that writes."""
        if len(self._parts) == 1:
            self._parts[0].run(db)
            return
        self._taken, connection = 0, db.connection()
        began = time.perf_counter()
        for part in self._parts:
            self._taken += 1
            with open_part(connection, db) as own:
                part.run_to_end(own)
            if time.perf_counter() - began > _OLD_SECONDS:
                return

    def settle(self, error: BaseException | None = None) -> None:
        """Tell the callers what became of their writes; with an error, they have all been rolled back."""
        for part in self._parts[: self._taken]:
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
        self._result = self._work(db)
        self._stop_if_cancelled()

    def run_to_end(self, db: Session) -> None:
        """Run and commit it, or roll it back and keep what it raised. Raises what may have ended the transaction."""
        try:
            self.run(db)
            db.commit()
        except OperationalError:  # a full disk, for example: SQLite may have rolled everything back
            raise
        except Exception as error:  # its caller gets it
            # A rollback empties the rows that were read; an error may carry one to the client.
            db.expunge_all()
            self._error = error

    def _stop_if_cancelled(self) -> None:
        if self.cancelled.is_set():
            raise Cancelled

    def settle(self, error: BaseException | None) -> None:
        """Tell the caller; `error` comes from the transaction."""
        failure = error or self._error
        if failure is None:
            self.settled.set_result(self._result)
        else:
            self.settled.set_exception(failure)
