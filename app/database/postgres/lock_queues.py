"""Queues of one process before the locks of PostgreSQL."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from app.database.locks import AnyLock, Lock, ProjectLock
from app.database.postgres import failures

# Of one process and one lock: the transaction that holds it, and the next, which gets it from the server at once; or
# those of two projects.
_AT_THE_SERVER = 2
# As long as the server lets a statement wait for a lock.
_WAIT_SECONDS = 60.0


class LockQueues:
    """Where the transactions of this process wait for locks without taking a connection from those that need none."""

    def __init__(self, wait_seconds: float = _WAIT_SECONDS) -> None:
        self._wait_seconds = wait_seconds
        self._places = defaultdict[Lock, asyncio.Semaphore](lambda: asyncio.Semaphore(_AT_THE_SERVER))

    @asynccontextmanager
    async def enter(self, locks: Sequence[AnyLock]) -> AsyncGenerator[None]:
        """Wait until it is soon this transaction's turn. Raises Unavailable if that takes too long."""
        async with AsyncExitStack() as stack:
            try:
                async with asyncio.timeout(self._wait_seconds):
                    # Those of all projects together: they, too, are to leave connections to others.
                    for lock in dict.fromkeys(each.lock if isinstance(each, ProjectLock) else each for each in locks):
                        await stack.enter_async_context(self._places[lock])
            except TimeoutError as error:
                raise failures.unavailable("too many writers are waiting") from error
            yield
