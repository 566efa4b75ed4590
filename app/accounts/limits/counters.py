"""Count uses in sliding windows, and report how long to wait if one more does not fit.

A window slides: uses in the previous window count in proportion to the part of it that still lies within. All processes
on one database share its counts.

Not the library `limits`: it cannot store counts in a database, counts each window by itself instead of all or none,
turns uses that are given back into credit, and reports waits that end with the window although the next one is full.
"""

import asyncio
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol
from weakref import WeakValueDictionary

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.database import models
from app.database.locks import Lock
from app.database.protocol import Database

_PRUNE_SECONDS = 60.0
# A refusal is repeated for this long without querying the database.
_REPEAT_SECONDS = 1.0
# A process counts at most this many uses in advance.
_MAX_AHEAD = 100


@dataclass(frozen=True, slots=True)
class LimitWindow:
    """At most `max_amount` uses in `seconds` seconds."""

    max_amount: int
    seconds: int


class UsageCounters(Protocol):
    """Counts by key. All methods raise Unavailable if the counts cannot be reached."""

    async def take(self, key: str, amount: int, windows: Sequence[LimitWindow]) -> float:
        """Count `amount` in all windows and return 0, or count nothing and return the seconds to wait."""
        ...

    async def add(self, key: str, amount: int, windows: Sequence[LimitWindow]) -> None:
        """Count what was used already, whatever the bounds. A negative amount gives back."""
        ...

    async def clear(self, key: str) -> None:
        """Reset the counts of this key."""
        ...


def seconds_until_fit(window: LimitWindow, amount: int, before: int, current: int, now: float) -> float:
    """Seconds until `amount` more fits the window (0: it does now), if nothing else is used until then.

    `before` and `current` are the uses in the previous window and in this one.
    """
    passed = now % window.seconds
    free = window.max_amount - amount
    if free < 0:
        return float(window.seconds)
    if current > free:
        # It no longer fits this window; it fits the next once enough of this one has slid out.
        return window.seconds - passed + window.seconds * (1 - free / current)
    left = before * (1 - passed / window.seconds)
    if current + left <= free:
        return 0.0
    return window.seconds * (1 - (free - current) / before) - passed


def bucket(window: LimitWindow, now: float) -> int:
    """The number of the window that `now` lies in."""
    return math.floor(now / window.seconds)


def _is_past(moment: float, now: float, max_seconds: float) -> bool:
    """Whether a moment at most `max_seconds` seconds ahead has passed. Also true if the clock was set back."""
    return not 0 < moment - now <= max_seconds


class LocalCounters:
    """Counts of this process alone. They apply while shared counts cannot be reached."""

    def __init__(self) -> None:
        self._used: dict[tuple[str, int, int], int] = {}
        self._prune_at = 0.0

    async def take(self, key: str, amount: int, windows: Sequence[LimitWindow]) -> float:
        """Count in all windows, or in none."""
        now = time.time()
        seconds = max(self._wait(key, amount, window, now) for window in windows)
        if seconds <= 0:
            self._add(key, amount, windows, now)
        return seconds

    async def add(self, key: str, amount: int, windows: Sequence[LimitWindow]) -> None:
        """Count without bounds."""
        self._add(key, amount, windows, time.time())

    async def clear(self, key: str) -> None:
        """Reset the counts of this key."""
        for place in [place for place in self._used if place[0] == key]:
            del self._used[place]

    def _wait(self, key: str, amount: int, window: LimitWindow, now: float) -> float:
        number = bucket(window, now)
        before = self._used.get((key, window.seconds, number - 1), 0)
        return seconds_until_fit(window, amount, before, self._used.get((key, window.seconds, number), 0), now)

    def _add(self, key: str, amount: int, windows: Sequence[LimitWindow], now: float) -> None:
        if _is_past(self._prune_at, now, _PRUNE_SECONDS):
            self._prune_at = now + _PRUNE_SECONDS
            for place in [place for place in self._used if (place[2] + 2) * place[1] <= now]:
                del self._used[place]
        for window in windows:
            place = key, window.seconds, bucket(window, now)
            self._used[place] = max(0, self._used.get(place, 0) + amount)


@dataclass(frozen=True, slots=True)
class _Refusal:
    """A refusal: what did not fit, until when, and until when to repeat it without another query."""

    amount: int
    windows: tuple[LimitWindow, ...]
    until: float
    repeat_until: float


class DatabaseCounters:
    """Counts in the database. A process counts a share of a large bound in advance, so that few uses need a write.

    It may therefore refuse uses too early, by up to `share` of the bound for each other process. It never allows more.
    """

    def __init__(self, database: Database, share: float = 0.05, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock
        self._share = share
        # By key: what was counted in advance and is not used yet, and until when it may be used.
        self._ahead: dict[str, tuple[int, float]] = {}
        self._refused: dict[str, _Refusal] = {}
        # By key, while the database is queried: simultaneous requests would each count a share in advance, which
        # together can be the whole bound.
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._prune_at = 0.0

    async def take(self, key: str, amount: int, windows: Sequence[LimitWindow]) -> float:
        """Count in all windows, or in none. Raises Unavailable."""
        seconds = self._take_cached(key, amount, windows)
        if seconds is not None:
            return seconds
        async with self._locks.setdefault(key, asyncio.Lock()):
            seconds = self._take_cached(key, amount, windows)
            return await self._take_stored(key, amount, windows) if seconds is None else seconds

    def _take_cached(self, key: str, amount: int, windows: Sequence[LimitWindow]) -> float | None:
        """Like `take`, from uses counted in advance or a recent refusal; None if the database must be queried."""
        now = self._clock()
        left, until = self._ahead.get(key, (0, 0.0))
        if now < until and left >= amount:
            self._ahead[key] = left - amount, until
            return 0.0
        refused = self._refused.get(key)
        is_repeated = refused and not _is_past(refused.repeat_until, now, _REPEAT_SECONDS)
        if refused and is_repeated and amount >= refused.amount and refused.windows == tuple(windows):
            return refused.until - now
        return None

    async def _take_stored(self, key: str, amount: int, windows: Sequence[LimitWindow]) -> float:
        now = self._clock()
        share = min(_MAX_AHEAD * amount, int(min(window.max_amount for window in windows) * self._share))
        async with self._database.begin(Lock.USAGE_COUNTS) as db:
            await self._prune(db, now)
            seconds = await self._take(db, key, max(amount, share), windows, now)
            taken = max(amount, share)
            if seconds > 0 and taken > amount:
                seconds, taken = await self._take(db, key, amount, windows, now), amount
        if seconds > 0:
            repeat_until = now + min(seconds, _REPEAT_SECONDS)
            self._refused[key] = _Refusal(amount, tuple(windows), now + seconds, repeat_until)
        elif taken > amount:
            self._keep(key, taken - amount, min((bucket(window, now) + 1) * window.seconds for window in windows))
        return seconds

    def _keep(self, key: str, amount: int, until: float) -> None:
        """Keep uses for later, with those that another request counted meanwhile in the same windows."""
        left, left_until = self._ahead.get(key, (0, 0.0))
        self._ahead[key] = (left if left_until == until else 0) + amount, until

    async def add(self, key: str, amount: int, windows: Sequence[LimitWindow]) -> None:
        """Count without bounds. Raises Unavailable."""
        now = self._clock()
        self._refused.pop(key, None)
        # The next request must see a use that was larger than expected: what was counted in advance goes back.
        left, until = self._ahead.pop(key, (0, 0.0))
        if now < until:
            amount -= left
        async with self._database.begin(Lock.USAGE_COUNTS) as db:
            await self._prune(db, now)
            await self._add(db, key, amount, windows, now)

    async def clear(self, key: str) -> None:
        """Reset the counts of this key. Raises Unavailable."""
        self._ahead.pop(key, None)
        self._refused.pop(key, None)
        async with self._database.begin() as db:
            await db.execute(delete(models.UsageCount).where(models.UsageCount.key == key))

    async def _take(self, db: AsyncSession, key: str, amount: int, windows: Sequence[LimitWindow], now: float) -> float:
        rows = await db.execute(
            select(models.UsageCount.seconds, models.UsageCount.bucket, models.UsageCount.amount).where(
                models.UsageCount.key == key, models.UsageCount.counts_until > now
            )
        )
        used = {(row.seconds, row.bucket): row.amount for row in rows}
        waits: list[float] = []
        for window in windows:
            number = bucket(window, now)
            before, current = (used.get((window.seconds, at), 0) for at in (number - 1, number))
            waits.append(seconds_until_fit(window, amount, before, current, now))
        if max(waits) <= 0:
            await self._add(db, key, amount, windows, now)
        return max(waits)

    async def _add(self, db: AsyncSession, key: str, amount: int, windows: Sequence[LimitWindow], now: float) -> None:
        for window in windows:
            number = bucket(window, now)
            row = await db.get(models.UsageCount, (key, window.seconds, number), with_for_update=True)
            if row is None:
                row = models.UsageCount(
                    key=key,
                    seconds=window.seconds,
                    bucket=number,
                    amount=0,
                    counts_until=(number + 2) * window.seconds,
                )
                db.add(row)
            row.amount = max(0, row.amount + amount)
            await db.flush()

    async def _prune(self, db: AsyncSession, now: float) -> None:
        if _is_past(self._prune_at, now, _PRUNE_SECONDS):
            self._prune_at = now + _PRUNE_SECONDS
            self._ahead = {key: ahead for key, ahead in self._ahead.items() if ahead[1] > now}
            self._refused = {key: refused for key, refused in self._refused.items() if refused.repeat_until > now}
            # Processes whose clocks are behind may still count in windows that are past here.
            past = now - self._database.max_clock_difference.total_seconds()
            await db.execute(delete(models.UsageCount).where(models.UsageCount.counts_until <= past))
