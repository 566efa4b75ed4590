"""Limit the text that a user stores besides documents: questions, chat sessions, ratings and so on."""

from app.accounts.limits.usage import UsageLimits
from app.services.authorization.roles import Roles

_CHARACTERS_PER_CHANGE = 1000
"""Added to the length of each change's text, for its rows, their indexes, and the work that follows."""


class TextAllowance:
    """The characters that one user may write per day. The local owner has no limit and is not counted."""

    def __init__(self, usage: UsageLimits, roles: Roles) -> None:
        self._usage = usage
        self._roles = roles

    async def spend(self, characters: int) -> None:
        """Count a change of this many characters, before it is made. Raises RateLimited."""
        if not self._roles.full_access:
            await self._usage.spend("characters", self._roles.user_id, characters + _CHARACTERS_PER_CHANGE)
