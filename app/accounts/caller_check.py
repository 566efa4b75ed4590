"""Check within a transaction that a caller's credential has not ended since their request was authenticated.

Everything that creates a credential or sets a password does this, because a request may wait for its turn, its body or
a lock meanwhile.
"""

from collections.abc import Awaitable, Callable

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from app import errors
from app.accounts.credential_cache import Caller
from app.database import models

IsOpen = Callable[[AsyncSession, str, str], Awaitable[bool]]
"""(transaction, id of a user, id of a sign-in) → whether the sign-in is valid and the user's. Raises Unavailable."""


class CallerCheck:
    """Checks callers. `is_open` looks a sign-in up where sign-ins are stored."""

    def __init__(self, is_open: IsOpen) -> None:
        self._is_open = is_open

    async def require_valid(self, db: AsyncSession, caller: Caller) -> None:
        """Raises Unauthenticated if the caller's credential has ended, or Unavailable.

        A JWT expires by itself, so only its user is checked. A caller without a credential has none that could end.
        """
        if caller.via != "OPEN" and not await self._is_valid(db, caller):
            raise errors.Unauthenticated("The credential of this request has expired or was revoked.")

    async def _is_valid(self, db: AsyncSession, caller: Caller) -> bool:
        user, id = await db.get(models.User, caller.user.id), caller.credential_id or ""
        if user is None or user.disabled_at is not None:
            return False
        if caller.via == "ACCESS_TOKEN":
            token = models.AccessToken
            return await db.scalar(select(token.id).where(token.id == id, *valid_tokens())) is not None
        if caller.via == "SIGN_IN":
            same = user.sign_in_generation == caller.user.sign_in_generation
            return same and await self._is_open(db, user.id, id)
        return True


def valid_tokens() -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """The conditions of a valid token: it is not revoked, and has not expired."""
    token = models.AccessToken
    return token.revoked_at.is_(None), or_(token.expires_at.is_(None), token.expires_at > models.now())
