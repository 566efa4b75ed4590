"""The interface of a database, implemented for SQLite and PostgreSQL."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession
from sqlalchemy.orm import Session

from app.database.locks import AnyLock

Result = TypeVar("Result")

ServerConnector = tuple[Callable[[], Awaitable[Any]], tuple[type[Exception], ...]]
"""Opens a connection of the server's driver; and the exceptions raised when it is lost or cannot be opened."""


@dataclass(frozen=True, slots=True)
class Trips:
    """How many transactions have run on threads since the process started, and how long they waited for a thread.

    `lock_seconds`: how long writers waited for other processes that wrote to the same file.
    """

    count: int = 0
    waited_seconds: float = 0.0
    lock_seconds: float = 0.0


class Database(Protocol):
    """A process's access to the database. Every transaction is short, and ends with its `async with` block."""

    name: str
    """The file or server and database, for messages; without a password."""
    dialect: Literal["sqlite", "postgresql"]
    """The product, which decides how the indexes are implemented."""
    location: Path | ServerConnector
    """The file, or how to connect to the server: processes use it to notify each other."""
    longest_probe_seconds: float
    """If `probe` takes longer, the database server hangs."""
    max_clock_difference: timedelta
    """How far apart the clocks of the processes may be: a timestamp in a row comes from the clock of its writer."""

    @property
    def is_lost(self) -> bool:
        """Whether it can no longer be used until the process restarts, because its file was removed or replaced."""
        ...

    @property
    def trips(self) -> Trips:
        """The successful trips of `run_read` and `run_write`."""
        ...

    def begin(self, lock: AnyLock | None = None) -> AbstractAsyncContextManager[AsyncSession]:
        """Begin a write transaction: committed at the end, rolled back if anything is raised.

        `lock` names the invariant that the transaction relies on; see `locks`.

        Raises Unavailable when the database cannot be written (locked by another process, full, read-only or lost).
        """
        ...

    def read(self) -> AbstractAsyncContextManager[AsyncSession]:
        """Begin a read transaction: all its statements see one snapshot, and writes are rejected.

        Raises Unavailable when the database is lost.
        """
        ...

    async def run_write(self, work: Callable[[Session], Result], *locks: AnyLock, brief: bool = False) -> Result:
        """Call `work` in a write transaction and return its result: one trip to a thread, not one per statement.

        As with `begin`, the transaction is committed at the end and rolled back if `work` raises. It takes `locks` in
        this order. `work` runs on another thread, and must neither block nor touch what the event loop uses. It may be
        rolled back and called again. If the caller is cancelled, nothing is committed; if it is too late for that, the
        result is returned, and the cancellation is raised at the caller's next `await`. So this must not be the last
        call in an `asyncio.timeout` block. Raises Unavailable, as `begin` does.

        `brief` writes take a few milliseconds and may be committed together with others; they must not commit by
        themselves.
        """
        ...

    async def run_read(self, work: Callable[[Session], Result], *, slow: bool = False) -> Result:
        """Call `work` in a read transaction and return its result: one trip to a thread, not one per statement.

        `work` runs on another thread. Reads that may be `slow`, such as searches, have their own threads, so that they
        do not hold up others. Raises Unavailable when the database is lost.
        """
        ...

    async def hold_upkeep(self) -> bool:
        """Whether this process should do the periodic cleanup. On a server, one process does, until it ends.

        Raises Unavailable.
        """
        ...

    async def probe(self) -> None:
        """Write something meaningless. Raises Unavailable when the database cannot be written."""
        ...

    async def inspect_schema(self, inspect: Callable[[Connection], Result]) -> Result:
        """Call `inspect` in a transaction that could write, and return its result. Raises DBAPIError."""
        ...

    def open_schema(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """Begin the only transaction that may change the schema now. Foreign keys may be enforced only at its end.

        Raises DBAPIError, and StartError if a row then refers to one that does not exist.
        """
        ...

    async def lift_time_limits(self, db: AsyncSession) -> None:
        """Lift the time limits of a transaction, its statements and its idle time."""
        ...

    def describe_failure(self, error: DBAPIError) -> str:
        """Why a statement failed, worded as the end of a sentence."""
        ...

    async def require_unused(self) -> None:
        """Raises Conflict while another process has the database open. Call this before any other method."""
        ...

    async def find_damage(self) -> list[str]:
        """Run the database's own checks; returns a sentence for each problem."""
        ...

    async def back_up(self, target: Path) -> int:
        """Copy the database to the new file `target` while others write; returns its size in bytes.

        `target` appears only once it is complete and checked. Raises Conflict if it already exists or cannot be
        written.
        """
        ...

    async def back_up_beside(self, label: str) -> Path | None:
        """Copy the database to a new file beside it whose name ends with `label`. Raises Conflict.

        Returns an earlier copy instead if it is identical; None if the database is not a file.
        """
        ...

    async def restore(self, source: Path) -> Path | None:
        """Replace the database with the backup `source`; returns the file that keeps the previous content.

        All or nothing: after a power cut, the previous content is still there. Raises Conflict if `source` is not an
        intact backup that this version can use, and while any process has the database open: a server would lose the
        answers that it is working on.
        """
        ...

    def cut_off(self) -> None:
        """Make everything that waits for the database server fail, and everything that comes after.

        Nothing that was committed is lost, but a commit may be reported as failed.
        """
        ...

    async def close(self) -> None:
        """Close all connections."""
        ...
