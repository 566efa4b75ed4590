"""Whom a request is for in; a place among those that run at once, out: in turn, bounded in number and in time.

Who waits stands in a lane: one per project, so that a hundred questions of one project delay another project's first
by one at most. Lanes are served in turn. Short requests that somebody's answer waits for go before all lanes.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from app import errors

# So many wait per place. More would have waited in vain: with ten seconds an answer, the last waits for nearly three
# minutes.
QUEUED_PER_PLACE = 16
# When a place is likely to be free in a full queue. Nobody knows; soon enough to be tried by hand.
_RETRY_AFTER = 5.0

Waiter = asyncio.Future[None]


class Gate:
    """At most `at_once` hold a place; the others wait for at most `seconds`."""

    def __init__(self, provider: str, at_once: int, seconds: float) -> None:
        self._provider = provider
        self._free = at_once
        self._most_waiting = at_once * QUEUED_PER_PLACE
        self._seconds = seconds
        self._first: deque[Waiter] = deque()
        self._lanes: OrderedDict[str, deque[Waiter]] = OrderedDict()

    @property
    def waiting(self) -> int:
        """How many wait."""
        return len(self._first) + sum(map(len, self._lanes.values()))

    @asynccontextmanager
    async def place(self, lane: str | None) -> AsyncGenerator[None]:
        """A place for as long as the block lasts; who has no lane goes before all lanes.

        Raises ModelUnavailable when too many wait already, or when none is free within the time.
        """
        await self._enter(lane)
        try:
            yield
        finally:
            self._leave()

    async def _enter(self, lane: str | None) -> None:
        if self._free:  # then nobody waits
            self._free -= 1
            return
        if self.waiting >= self._most_waiting:
            self._make_room(lane)
        waiter = asyncio.get_running_loop().create_future()
        queue = self._first if lane is None else self._lanes.setdefault(lane, deque())
        queue.append(waiter)
        try:
            async with asyncio.timeout(self._seconds):
                await waiter
        except BaseException as error:
            if not waiter.done() or waiter.cancelled():
                self._forget(waiter, lane)
            elif waiter.exception() is None:
                self._leave()  # the place came in the same moment
            if isinstance(error, TimeoutError):
                message = f"{self._provider} is busy: no place was free within {self._seconds:g} seconds."
                raise errors.ModelUnavailable(message, _RETRY_AFTER) from error
            raise

    def _leave(self) -> None:
        """Give the place to who is next, from hand to hand, so that nobody who comes now can take it in between."""
        while (waiter := self._next()) is not None:
            if not waiter.done():
                waiter.set_result(None)
                return
        self._free += 1

    def _next(self) -> Waiter | None:
        if self._first:
            return self._first.popleft()
        if not self._lanes:
            return None
        lane, queue = self._lanes.popitem(last=False)
        waiter = queue.popleft()
        if queue:
            self._lanes[lane] = queue  # behind the others
        return waiter

    def _forget(self, waiter: Waiter, lane: str | None) -> None:
        queue = self._first if lane is None else self._lanes.get(lane)
        if queue is None or waiter not in queue:
            return
        queue.remove(waiter)
        if lane is not None and not queue:
            del self._lanes[lane]

    def _make_room(self, lane: str | None) -> None:
        """In a full queue the longest lane gives way, by who came to it last; if that is the own one, by who comes."""
        full = errors.ModelUnavailable(f"{self._provider} is busy: too many requests wait for it.", _RETRY_AFTER)
        own = 0 if lane is None else len(self._lanes.get(lane, ()))
        longest = max(self._lanes.values(), key=len, default=self._first)
        if longest is self._first or len(longest) <= own + 1:
            raise full
        last = longest.pop()
        if not last.done():
            last.set_exception(full)
