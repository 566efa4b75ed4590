"""Count the model tokens that a user spends."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

from app import errors
from app.accounts.limits.usage import UsageLimits
from app.rag.usage_meter import UsageMeter
from app.services.authorization.roles import Roles


class TokenAllowance:
    """The tokens that one user may spend per day. The local owner has no limit and is not counted."""

    def __init__(self, usage: UsageLimits, roles: Roles) -> None:
        self._usage = usage
        self._roles = roles

    @property
    def is_limited(self) -> bool:
        """Whether the user's tokens are limited."""
        return not self._roles.full_access and self._usage.has_bounds("tokens")

    async def require(self) -> None:
        """Raises RateLimited if the user has no tokens left today. What an answer uses is recorded afterwards."""
        if not self._roles.full_access:
            await self._usage.spend("tokens", self._roles.user_id)

    @asynccontextmanager
    async def spending(self, *, required: bool = True) -> AsyncGenerator[UsageMeter]:
        """Record the tokens that the meter counts during the block, however it ends.

        Raises RateLimited if the user has no tokens left, and some are `required`.
        """
        if required:
            await self.require()
        meter = UsageMeter()
        try:
            yield meter
        finally:
            await self.record(meter.tokens)

    async def record(self, count: int) -> None:
        """Record what an answer used. If that cannot be written, the answer is not affected."""
        if not self._roles.full_access:
            with suppress(errors.Unavailable):
                await self._usage.record("tokens", self._roles.user_id, count)
