"""Limit how many requests are served at once, for example by one provider, and queue the others fairly.

Requests wait in lanes, one per user and project. The user with the fewest running requests goes next, and of
their projects the one with the fewest: a hundred questions from one user delay another user's first question by one
request at most. Short requests that an answer depends on go before all lanes.
"""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from operator import itemgetter
from typing import Any, TypeVar

from app import errors

# Waiting requests per slot. More would only time out: at ten seconds an answer, the last waits nearly three minutes.
QUEUED_PER_SLOT = 16
# When to retry after a full queue. A guess; soon enough for somebody who retries by hand.
_RETRY_AFTER = 5.0

Waiter = asyncio.Future[None]
Key = TypeVar("Key", bound="tuple[str, str] | str")
Lane = tuple[str, str]
"""The user and the project that a request is for."""
BusyError = Callable[[str, float], errors.FootnoteError]
"""Makes the error of a request that is not served, from its message and the seconds until a retry makes sense."""


@dataclass(frozen=True, slots=True)
class WaitingParty:
    """A project or user that waits to be served. A smaller `since` means a longer wait.

    `running` is the number of their jobs being served now.
    """

    name: str
    running: int
    since: Any
    late: bool = False
    """Whether they are served after all others, because their jobs have taken too long before."""


def next_served(waiting: Iterable[WaitingParty]) -> WaitingParty | None:
    """The party to serve next; None if nobody waits."""
    return min(waiting, key=lambda one: (one.late, one.running, one.since, one.name), default=None)


class ConcurrencyLimiter:
    """At most `at_once` requests hold a slot; a few others per slot wait for at most `seconds`.

    `name` says in error messages who serves them.
    """

    def __init__(
        self,
        name: str,
        at_once: int,
        seconds: float,
        *,
        queued_per_slot: int = QUEUED_PER_SLOT,
        busy_error: BusyError = errors.ModelUnavailable,
    ) -> None:
        self._name = name
        self._free = at_once
        self._max_waiting = at_once * queued_per_slot
        self._busy_error = busy_error
        self._seconds = seconds
        self._first: deque[Waiter] = deque()
        self._lanes: dict[Lane, deque[Waiter]] = {}
        # When lanes and users began to wait for their turn, as growing numbers.
        self._since: dict[Lane | str, int] = {}
        self._turns = count()
        # Slots held, by lane and by user.
        self._held: Counter[Lane | str] = Counter()

    @property
    def waiting_count(self) -> int:
        """How many requests are waiting."""
        return len(self._first) + sum(map(len, self._lanes.values()))

    @asynccontextmanager
    async def hold_slot(self, lane: Lane | None) -> AsyncGenerator[None]:
        """Hold a slot for the duration of the block; requests without a lane go before all lanes.

        Raises the busy error if too many requests are waiting, or if no slot is free in time.
        """
        await self._acquire_slot(lane)
        try:
            yield
        finally:
            self._release_slot(lane)

    async def _acquire_slot(self, lane: Lane | None) -> None:
        if self._free:  # then nobody is waiting
            self._free -= 1
            self._count_held(lane, 1)
            return
        if self.waiting_count >= self._max_waiting:
            self._drop_newest(lane)
        waiter = asyncio.get_running_loop().create_future()
        if lane is None:
            self._first.append(waiter)
        else:
            self._lanes.setdefault(lane, deque()).append(waiter)
            for key in (lane, lane[0]):
                self._since.setdefault(key, next(self._turns))
        try:
            async with asyncio.timeout(self._seconds):
                await waiter
        except BaseException as error:
            if not waiter.done() or waiter.cancelled():
                self._remove_waiter(waiter, lane)
            elif waiter.exception() is None:
                self._release_slot(lane)  # the slot was granted at the same moment
            if isinstance(error, TimeoutError):
                message = f"{self._name} is busy: no slot was free within {self._seconds:g} seconds."
                raise self._busy_error(message, _RETRY_AFTER) from error
            raise
        finally:
            del waiter  # no cycle, see app/errors

    def _release_slot(self, lane: Lane | None) -> None:
        """Hand the slot directly to the next request, so that a new one cannot take it in between."""
        self._count_held(lane, -1)
        while (found := self._pop_next()) is not None:
            lane, waiter = found
            if not waiter.done():
                self._count_held(lane, 1)
                waiter.set_result(None)
                return
        self._free += 1

    def _count_held(self, lane: Lane | None, slots: int) -> None:
        if lane is not None:
            for key in (lane, lane[0]):
                self._held[key] += slots
                if not self._held[key]:
                    del self._held[key]

    def _pop_next(self) -> tuple[Lane | None, Waiter] | None:
        if self._first:
            return None, self._first.popleft()
        lane = next_lane(self._lanes, self._since, self._held)
        if lane is None:
            return None
        waiter = self._lanes[lane].popleft()
        for key in (lane, lane[0]):
            self._since[key] = next(self._turns)  # behind the others
        self._drop_empty_lane(lane)
        return lane, waiter

    def _drop_empty_lane(self, lane: Lane) -> None:
        """Forget an empty lane, and its user if nothing else of theirs is waiting."""
        if not self._lanes.get(lane):
            self._lanes.pop(lane, None)
            self._since.pop(lane, None)
            if all(user != lane[0] for user, _ in self._lanes):
                self._since.pop(lane[0], None)

    def _remove_waiter(self, waiter: Waiter, lane: Lane | None) -> None:
        queue = self._first if lane is None else self._lanes.get(lane)
        if queue is None or waiter not in queue:
            return
        queue.remove(waiter)
        if lane is not None:
            self._drop_empty_lane(lane)

    def _drop_newest(self, lane: Lane | None) -> None:
        """In a full queue, drop the newest request of the user who has the most; raise if that is the caller's own."""
        message = f"{self._name} is busy: too many requests are waiting for it."
        waiting: Counter[str] = Counter()
        for (user, _), queue in self._lanes.items():
            waiting[user] += len(queue)
        own = 0 if lane is None else waiting[lane[0]]
        longest, most = max(waiting.items(), key=itemgetter(1), default=("", 0))
        if most <= own + 1:
            raise self._busy_error(message, _RETRY_AFTER)
        of_longest = (lane for lane in self._lanes if lane[0] == longest)
        fullest = max(of_longest, key=lambda lane: len(self._lanes[lane]))
        last = self._lanes[fullest].pop()
        self._drop_empty_lane(fullest)
        if not last.done():
            last.set_exception(self._busy_error(message, _RETRY_AFTER))


def next_lane(lanes: Iterable[Lane], since: Mapping[Lane | str, int], held: Mapping[Lane | str, int]) -> Lane | None:
    """The lane to serve next: the user who holds the fewest slots, then their project that holds the fewest."""
    lanes = list(lanes)
    user = _next_key({user: user for user, _ in lanes}, since, held)
    return None if user is None else _next_key({lane[1]: lane for lane in lanes if lane[0] == user}, since, held)


def _next_key(
    waiting: Mapping[str, Key], since: Mapping[Lane | str, int], held: Mapping[Lane | str, int]
) -> Key | None:
    found = next_served(WaitingParty(name, held.get(key, 0), since[key]) for name, key in waiting.items())
    return None if found is None else waiting[found.name]
