"""What the rest of Footnote needs of a database, whichever product it is."""

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
"""Opens a connection of the server's driver; and what that raises when it is lost or cannot be made."""


@dataclass(frozen=True, slots=True)
class Trips:
    """How many transactions ran on threads since the process started, and how long they waited for one in all.

    `lock_seconds`: how long writers waited until no other process wrote to the same file.
    """

    count: int = 0
    waited_seconds: float = 0.0
    lock_seconds: float = 0.0


class Database(Protocol):
    """The database of one process. Every transaction is short, and ends with its `async with`."""

    name: str
    """The file or server and database, for messages; without a password."""
    dialect: Literal["sqlite", "postgresql"]
    """The product, which decides what the indexes are made of."""
    location: Path | ServerConnector
    """Its file, or how to connect to its server: processes that use it notify each other there."""
    max_clock_difference: timedelta
    """How far the clocks of processes that use it may be apart: a moment in a row is by the clock of who wrote it."""

    @property
    def is_lost(self) -> bool:
        """Whether it can no longer be used until the process restarts, because its file was removed or replaced."""
        ...

    @property
    def trips(self) -> Trips:
        """The trips of `run_read` and `run_write` that have succeeded."""
        ...

    def begin(self, lock: AnyLock | None = None) -> AbstractAsyncContextManager[AsyncSession]:
        """A writing transaction: committed at the end, rolled back if anything is raised.

        `lock` names the rule whose rows the transaction reads and then relies on; see `locks`.

        Raises Unavailable when the database cannot be written (locked by another process, full, read-only or lost).
        """
        ...

    def read(self) -> AbstractAsyncContextManager[AsyncSession]:
        """A reading transaction: all its statements see one snapshot, and writes are refused.

        Raises Unavailable when the database is lost.
        """
        ...

    async def run_write(self, work: Callable[[Session], Result], *locks: AnyLock, brief: bool = False) -> Result:
        """The result of `work`, called in a writing transaction: one trip to the database, not one per statement.

        As with `begin`, it is committed at the end, rolled back if `work` raises, and holds `locks`, taken
        in this order. `work` runs on another thread, and must neither block nor touch what the event loop uses. It may
        be rolled back and called again. If the caller is cancelled, nothing is committed; if it was too late for that,
        the result is returned, and the cancellation is raised where the caller waits next; so this must not be the last
        thing in a block of `asyncio.timeout`. Raises Unavailable as `begin`.

        Those that are `brief`, a few milliseconds, may be committed together with others; they must not commit
        themselves.
        """
        ...

    async def run_read(self, work: Callable[[Session], Result], *, slow: bool = False) -> Result:
        """The result of `work`, called in a reading transaction: one trip to the database, not one per statement.

        `work` runs on another thread. Those that may be `slow`, such as searches, have threads of their own, so that
        all others go on meanwhile. Raises Unavailable when the database is lost.
        """
        ...

    async def hold_upkeep(self) -> bool:
        """Whether this process is to delete and tidy what is old; on a server, one process does, until it ends.

        Raises Unavailable.
        """
        ...

    async def probe(self) -> None:
        """Write something without meaning. Raises Unavailable when the database cannot be written."""
        ...

    async def inspect_schema(self, inspect: Callable[[Connection], Result]) -> Result:
        """The result of `inspect`, called in a transaction that could write. Raises DBAPIError."""
        ...

    def open_schema(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """A transaction in which nobody else changes the schema, and which enforces foreign keys only at its end.

        Raises DBAPIError, and StartError when a row then refers to one that does not exist.
        """
        ...

    async def lift_time_limits(self, db: AsyncSession) -> None:
        """Let a transaction, its statements and the pauses between them take as long as they need."""
        ...

    def describe_failure(self, error: DBAPIError) -> str:
        """Why a statement failed, as the end of a sentence."""
        ...

    async def find_damage(self) -> list[str]:
        """What the database's own checks find, one sentence each."""
        ...

    async def back_up(self, target: Path) -> int:
        """Copy the database to the new file `target` while others write; returns its size in bytes.

        `target` appears only once it is complete and checked. Raises Conflict when it exists already, or cannot be
        written.
        """
        ...

    async def back_up_beside(self, label: str) -> Path | None:
        """Copy the database to a new file beside it whose name ends with `label`. Raises Conflict.

        Returns a former copy instead if that is the same. None where there is no file for it to lie beside.
        """
        ...

    async def restore(self, source: Path) -> Path | None:
        """Replace the database with the backup `source`; returns the file that keeps the previous content.

        All or nothing: a power cut leaves the previous content. Raises Conflict when `source` is not a sound backup
        that this version can use, and while anybody has the database open: what a server is working on, such as an
        answer, would vanish under it.
        """
        ...

    async def close(self) -> None:
        """Close all connections."""
        ...
