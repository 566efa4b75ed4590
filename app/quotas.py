"""Quotas: how much of something is held at once, for each user and for the whole process."""

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager

from app import errors

# When to ask again: most of what is held is given back within a second or two.
_RETRY_MS = 2_000


class Quota:
    """So much for each holder, and so much for all of them together; what is more is refused, not queued.

    `what` names it in refusals: "bytes of requests". A holder of None counts only among all: where nobody has to sign
    in, everybody is the same user.
    """

    def __init__(self, what: str, *, each: int, together: int) -> None:
        self._what = what
        self._each = each
        self._together = together
        self._held = Counter[str]()
        self.total = 0

    def take(self, holder: str | None, amount: int = 1) -> None:
        """Raises RateLimited when it is too much for this holder, Unavailable when it is too much for the server."""
        if holder is not None and self._held[holder] + amount > self._each:
            if not self._held[holder]:
                del self._held[holder]
            message = f"You may have {self._each:,} {self._what} at once; wait for one to end."
            raise errors.RateLimited(message, _RETRY_MS)
        if self.total + amount > self._together:
            message = f"The server takes {self._together:,} {self._what} at once; try again in a moment."
            raise errors.Unavailable(message, "server", _RETRY_MS)
        self.total += amount
        if holder is not None:
            self._held[holder] += amount

    def give_back(self, holder: str | None, amount: int = 1) -> None:
        """What was taken."""
        self.total -= amount
        if holder is not None:
            self._held[holder] -= amount
            if not self._held[holder]:
                del self._held[holder]

    @contextmanager
    def held(self, holder: str | None, amount: int = 1) -> Generator[None]:
        """For the time of the block."""
        self.take(holder, amount)
        try:
            yield
        finally:
            self.give_back(holder, amount)


class Share:
    """What one request or connection holds of a quota; grows while it lives, and is given back at its end."""

    def __init__(self, quota: Quota, holder: str | None) -> None:
        self._quota = quota
        self._holder = holder
        self.amount = 0

    def __enter__(self) -> "Share":
        """For the time of a block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Give it back."""
        self.give_back()

    def grow(self, amount: int) -> None:
        """Hold `amount` in all. Raises as `Quota.take`; what was held is held still."""
        if amount > self.amount:
            self._quota.take(self._holder, amount - self.amount)
            self.amount = amount

    def give_back(self) -> None:
        """All of it."""
        amount, self.amount = self.amount, 0
        if amount:
            self._quota.give_back(self._holder, amount)
