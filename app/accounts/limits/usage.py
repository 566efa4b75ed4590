"""Limit requests, uploads, tokens and sign-in attempts."""

import hashlib
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence

from app import addresses, errors
from app.accounts.limits.counters import LimitWindow, UsageCounters

# Wrong passwords for one account: a few at once, then more and more slowly, then none for a quarter of an hour.
ACCOUNT_WINDOWS = (LimitWindow(3, 5), LimitWindow(5, 60), LimitWindow(10, 900), LimitWindow(50, 86_400))
# Attempts from one address, whatever the account. Many people may share an address.
ADDRESS_WINDOWS = (LimitWindow(20, 60), LimitWindow(100, 900), LimitWindow(1000, 86_400))


class UsageLimits:
    """How much of each named thing a user may use; a name without windows has no bounds."""

    def __init__(self, counters: UsageCounters, windows: Mapping[str, Sequence[LimitWindow]]) -> None:
        self._counters = counters
        self._windows = windows

    def has_bounds(self, name: str) -> bool:
        """Whether this has bounds."""
        return bool(self._windows.get(name))

    async def spend(self, name: str, user_id: str, amount: int = 1) -> None:
        """Count a use before it happens. Raises RateLimited; nothing is counted then."""
        windows = self._windows.get(name)
        if windows and (seconds := await self._counters.take(f"{name}:{user_id}", amount, windows)) > 0:
            bounds = ", ".join(f"{window.max_amount:,} in {_format_span(window.seconds)}" for window in windows)
            raise errors.RateLimited(f"Too many {name}: at most {bounds} are allowed.", to_milliseconds(seconds))

    async def record(self, name: str, user_id: str, amount: int) -> None:
        """Count what was used beyond what was spent before. A negative amount gives back."""
        windows = self._windows.get(name)
        if windows and amount:
            await self._counters.add(f"{name}:{user_id}", amount, windows)


async def _never_known() -> bool:
    return False


class Attempts:
    """Attempts to sign in, by account and by address. An account that does not exist is counted like one that does.

    Strangers who guess passwords lock an account for all addresses except those from which its user has signed in:
    each of these has attempts of its own. Otherwise anybody who knows a user's email address could lock them out.
    """

    def __init__(
        self,
        counters: UsageCounters,
        account_windows: Sequence[LimitWindow] = ACCOUNT_WINDOWS,
        address_windows: Sequence[LimitWindow] = ADDRESS_WINDOWS,
    ) -> None:
        self._counters = counters
        self._account_windows = account_windows
        self._address_windows = address_windows

    async def begin(
        self, account: str, address: str | None, is_known: Callable[[], Awaitable[bool]] = _never_known
    ) -> str:
        """Count an attempt before its password is checked, so that a hundred at once count as a hundred.

        `is_known` says whether the account was signed in to from this address before. Returns what `succeeded` needs.
        Raises RateLimited. The address comes first, so that one that is out of attempts cannot lock an account either.
        """
        key, seconds = _account_key(account), 0.0
        if address is not None:
            seconds = await self._counters.take(_address_key(address), 1, self._address_windows)
        if seconds <= 0:
            seconds = await self._counters.take(key, 1, self._account_windows)
            if seconds > 0 and address is not None and await is_known():
                key = _account_key(f"{account}\n{addresses.client_network(address)}")
                seconds = await self._counters.take(key, 1, self._account_windows)
        if seconds > 0:
            raise errors.RateLimited(
                f"Too many attempts to sign in; try again in {_format_wait(seconds)}.", to_milliseconds(seconds)
            )
        return key

    async def succeeded(self, key: str) -> None:
        """Forget the account's failed attempts after a correct password, but not those of the address."""
        await self._counters.clear(key)


def to_milliseconds(seconds: float) -> int:
    """Milliseconds to wait, rounded up."""
    return math.ceil(seconds * 1000)


def _format_wait(seconds: float) -> str:
    """The time to wait in words, rounded up."""
    whole = math.ceil(seconds)
    if whole > 90:
        return f"{math.ceil(whole / 60)} minutes"
    return "a second" if whole <= 1 else f"{whole} seconds"


def _account_key(account: str) -> str:
    """A hash, because people type passwords into the wrong field."""
    return f"sign-in:account:{hashlib.sha256(account.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"


def _address_key(address: str) -> str:
    """A hash, because a claimed address may be any text, however long."""
    client = addresses.client_network(address).encode("utf-8", "surrogatepass")
    return f"sign-in:address:{hashlib.sha256(client).hexdigest()[:32]}"


def _format_span(seconds: int) -> str:
    for unit, length in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        if seconds % length == 0:
            return f"one {unit}" if seconds == length else f"{seconds // length} {unit}s"
    return f"{seconds} seconds"
