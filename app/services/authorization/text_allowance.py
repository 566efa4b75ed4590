"""Limit what a user writes besides documents: questions, chat sessions, ratings and everything else that is kept."""

from app.accounts.limits.usage import UsageLimits
from app.services.authorization.roles import Roles

_CHARACTERS_PER_CHANGE = 1000
"""What each change counts besides its text: its rows and their indexes, and what it sets off."""


class TextAllowance:
    """The characters that one user may write per day. The local owner has no limit and is not counted."""

    def __init__(self, usage: UsageLimits, roles: Roles) -> None:
        self._usage = usage
        self._roles = roles

    async def spend(self, characters: int) -> None:
        """Count a change with so many characters before it is made. Raises RateLimited."""
        if not self._roles.everything:
            await self._usage.spend("characters", self._roles.user_id, characters + _CHARACTERS_PER_CHANGE)
