"""Quotas: limit how much of something is held at once, per user and in the whole process, and how often it is used."""

from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager

from app import errors

RETRY_MS = 2_000
"""When to try again: most shares are given back within a second or two."""


class Quota:
    """A limit `per_holder`, and a limit in `total` for all of them. Requests beyond a limit are refused, not queued.

    `what` names the resource in error messages: "bytes of requests". For the holder None, only the total applies:
    without sign-in, everybody is the same user.
    """

    def __init__(self, what: str, *, per_holder: int, total: int) -> None:
        self._what = what
        self._per_holder = per_holder
        self._total = total
        self._held = Counter[str]()
        self._held_in_total = 0

    def take(self, holder: str | None, amount: int = 1) -> None:
        """Hold `amount`. Raises RateLimited at the holder's limit, Unavailable at the server's."""
        if holder is not None and self._held[holder] + amount > self._per_holder:
            message = f"You may use at most {self._per_holder:,} {self._what} at once; wait until others have finished."
            raise errors.RateLimited(message, RETRY_MS)
        if self._held_in_total + amount > self._total:
            message = f"The server handles at most {self._total:,} {self._what} at once; try again in a moment."
            raise errors.Unavailable(message, "server", RETRY_MS)
        self._held_in_total += amount
        if holder is not None:
            self._held[holder] += amount

    def give_back(self, holder: str | None, amount: int = 1) -> None:
        """Give back what was taken."""
        self._held_in_total -= amount
        if holder is not None:
            self._held[holder] -= amount
            if not self._held[holder]:
                del self._held[holder]

    @contextmanager
    def hold(self, holder: str | None, amount: int = 1) -> Generator[None]:
        """Hold `amount` for the duration of the block."""
        self.take(holder, amount)
        try:
            yield
        finally:
            self.give_back(holder, amount)


class Share:
    """The part of a quota that one request or connection holds. It can grow, and is given back at the end."""

    def __init__(self, quota: Quota, holder: str | None) -> None:
        self._quota = quota
        self._holder = holder
        self.amount = 0

    def __enter__(self) -> "Share":
        """Hold the share for the duration of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Give everything back."""
        self.give_back()

    def grow_to(self, amount: int) -> None:
        """Hold `amount` in total. Raises like `Quota.take`, and then still holds the previous amount."""
        if amount > self.amount:
            self._quota.take(self._holder, amount - self.amount)
            self.amount = amount

    def give_back(self) -> None:
        """Give everything back."""
        amount, self.amount = self.amount, 0
        if amount:
            self._quota.give_back(self._holder, amount)


class TokenBucket:
    """Limits a rate: at most `capacity` at once, and `per_second` in the long run."""

    def __init__(self, capacity: float, per_second: float, clock: Callable[[], float]) -> None:
        self._capacity = capacity
        self._per_second = per_second
        self._clock = clock
        self._left = capacity
        self._since = clock()

    def take(self) -> bool:
        """Take one if one is available; returns whether it was."""
        if self.seconds_until_available():
            return False
        self._left -= 1
        return True

    def seconds_until_available(self) -> float:
        """Seconds until one is available; 0 if one is."""
        now = self._clock()
        self._left = min(self._capacity, self._left + (now - self._since) * self._per_second)
        self._since = now
        return max(0.0, (1 - self._left) / self._per_second)
