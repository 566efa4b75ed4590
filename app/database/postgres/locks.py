"""Named locks as advisory locks of PostgreSQL, which end with their transaction."""

import asyncio
import zlib
from collections import defaultdict
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from sqlalchemy import TextClause, text

from app.database.locks import Lock

# The first of the two numbers of a lock tells ours from those that others may take in the same database.
_OURS = zlib.crc32(b"footnote") - 2**31
# Of one process and one lock: the transaction that holds it, and the next, which gets it from the server at once.
_AT_THE_SERVER = 2


class LockQueues:
    """Where the transactions of this process wait for locks without taking a connection from those that need none."""

    def __init__(self) -> None:
        self._places = defaultdict[Lock, asyncio.Semaphore](lambda: asyncio.Semaphore(_AT_THE_SERVER))

    @asynccontextmanager
    async def enter(self, locks: Sequence[Lock]) -> AsyncGenerator[None]:
        """Wait until it is soon this transaction's turn."""
        async with AsyncExitStack() as stack:
            for lock in locks:
                await stack.enter_async_context(self._places[lock])
            yield


def lock_statement(lock: Lock | str) -> TextClause:
    """Waits until no other transaction holds this lock, and takes it."""
    return text(f"SELECT pg_advisory_xact_lock({_OURS}, {zlib.crc32(lock.encode()) - 2**31})")


def try_lock_statement(name: str) -> str:
    """Takes a lock that ends with its connection, and says whether it could."""
    return f"SELECT pg_try_advisory_lock({_OURS}, {zlib.crc32(name.encode()) - 2**31})"
