"""Count the model tokens that a user spends."""

from contextlib import suppress

from app import errors
from app.accounts.limits.usage import UsageLimits
from app.services.authorization.roles import Roles


class TokenAllowance:
    """The tokens that one user may spend per day. The local owner has no limit and is not counted."""

    def __init__(self, usage: UsageLimits, roles: Roles) -> None:
        self._usage = usage
        self._roles = roles

    @property
    def is_limited(self) -> bool:
        """Whether the user's tokens are limited."""
        return not self._roles.everything and self._usage.has_bounds("tokens")

    async def require(self) -> None:
        """Raises RateLimited if the user has no tokens left today. What an answer uses is recorded afterwards."""
        if not self._roles.everything:
            await self._usage.spend("tokens", self._roles.user_id)

    async def record(self, count: int) -> None:
        """Record what an answer used. If that cannot be written, the answer is not affected."""
        if not self._roles.everything:
            with suppress(errors.Unavailable):
                await self._usage.record("tokens", self._roles.user_id, count)
