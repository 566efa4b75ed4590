"""Account for the tokens of models that a user spends."""

from contextlib import suppress

from app import errors
from app.accounts.limits.usage import UsageLimits
from app.services.authorization.roles import Roles


class TokenAllowance:
    """The tokens that one user may spend a day. Who may do everything has no limit, and is not counted."""

    def __init__(self, usage: UsageLimits, roles: Roles) -> None:
        self._usage = usage
        self._roles = roles

    @property
    def limited(self) -> bool:
        """Whether the user's tokens are limited."""
        return not self._roles.everything and self._usage.bounds("tokens")

    async def require(self) -> None:
        """Raises RateLimited for a user who has no tokens left today. What an answer takes is recorded after it."""
        if not self._roles.everything:
            await self._usage.spend("tokens", self._roles.user_id)

    async def record(self, count: int) -> None:
        """Count what an answer took. If that cannot be written now, the answer is given all the same."""
        if not self._roles.everything:
            with suppress(errors.Unavailable):
                await self._usage.record("tokens", self._roles.user_id, count)
