"""Queues in which the transactions of one process wait for PostgreSQL's locks."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from app.database.locks import AnyLock, Lock, ProjectLock
from app.database.postgres import failures

# Transactions of one process at the server per lock: the holder, and the next one, which then gets the lock at once; or
# those of two projects.
_AT_THE_SERVER = 2
# The same time that the server lets a statement wait for a lock.
_WAIT_SECONDS = 60.0


class LockQueues:
    """Let transactions wait for locks without occupying a connection that transactions without locks could use."""

    def __init__(self, wait_seconds: float = _WAIT_SECONDS) -> None:
        self._wait_seconds = wait_seconds
        self._semaphores = defaultdict[Lock, asyncio.Semaphore](lambda: asyncio.Semaphore(_AT_THE_SERVER))

    @asynccontextmanager
    async def enter(self, locks: Sequence[AnyLock]) -> AsyncGenerator[None]:
        """Wait until this transaction is next, or almost next. Raises Unavailable if that takes too long."""
        async with AsyncExitStack() as stack:
            try:
                async with asyncio.timeout(self._wait_seconds):
                    # One queue for a lock's projects together: they, too, must leave connections to others.
                    for lock in dict.fromkeys(each.lock if isinstance(each, ProjectLock) else each for each in locks):
                        await stack.enter_async_context(self._semaphores[lock])
            except TimeoutError as error:
                raise failures.unavailable("too many writers are waiting") from error
            yield
