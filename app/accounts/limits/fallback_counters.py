"""Counters of this process, used while the shared ones do not respond."""

import logging
import math
import time
from collections.abc import Sequence

from app import errors
from app.accounts.limits.counters import LimitWindow, LocalCounters, UsageCounters

log = logging.getLogger(__name__)

# How long shared counters that did not respond are not tried. Trying each time would make every request wait.
_RETRY_SECONDS = 2.0


class FallbackCounters:
    """Shared counters, and this process's own with the same bounds while those do not respond.

    What the shared ones allow is counted here too, so that earlier use counts when they fail.
    """

    def __init__(self, shared: UsageCounters, retry_seconds: float = _RETRY_SECONDS) -> None:
        self._shared = shared
        self._retry_seconds = retry_seconds
        self._local = LocalCounters()
        self._down_until = -math.inf
        self.degraded = False
        """Whether this process uses its own counters."""

    async def take(self, key: str, amount: int, windows: Sequence[LimitWindow]) -> float:
        """Count in all windows, or in none."""
        if self._should_try_shared():
            try:
                seconds = await self._shared.take(key, amount, windows)
            except errors.Unavailable as error:
                self._fail(error)
            else:
                self._recover()
                if seconds <= 0:
                    await self._local.add(key, amount, windows)
                return seconds
        return await self._local.take(key, amount, windows)

    async def add(self, key: str, amount: int, windows: Sequence[LimitWindow]) -> None:
        """Count without bounds."""
        await self._local.add(key, amount, windows)
        if self._should_try_shared():
            try:
                await self._shared.add(key, amount, windows)
            except errors.Unavailable as error:
                self._fail(error)
            else:
                self._recover()

    async def clear(self, key: str) -> None:
        """Reset the counts of this key."""
        await self._local.clear(key)
        if self._should_try_shared():
            try:
                await self._shared.clear(key)
            except errors.Unavailable as error:
                self._fail(error)
            else:
                self._recover()

    def _should_try_shared(self) -> bool:
        return time.monotonic() >= self._down_until

    def _fail(self, error: errors.Unavailable) -> None:
        self._down_until = time.monotonic() + self._retry_seconds
        if not self.degraded:
            log.warning("rate limits are no longer shared between processes: %s", error.message)
        self.degraded = True

    def _recover(self) -> None:
        if self.degraded:
            log.warning("rate limits are shared between processes again")
        self.degraded = False
