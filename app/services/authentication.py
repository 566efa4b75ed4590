"""Authenticate requests: the one place that decides who sends a request, whatever the API."""

from app import errors
from app.accounts import tokens
from app.accounts.authentication import SIGN_IN_FIRST, Authentication, bearer
from app.accounts.credential_cache import Asker
from app.accounts.identity_provider import jwks
from app.accounts.limits.usage import UsageLimits
from app.database.models import User


def require_asker(asker: Asker | None) -> Asker:
    """The asker. Raises Unauthenticated for a sender who has shown no credential."""
    if asker is None:
        raise errors.Unauthenticated(SIGN_IN_FIRST)
    return asker


class RequestAuthentication:
    """Tells who sends a request. Where nobody has to sign in, a sender without a credential is the server's owner."""

    def __init__(self, authentication: Authentication, usage: UsageLimits, owner: User, *, required: bool) -> None:
        self._authentication = authentication
        self._usage = usage
        self._owner = Asker(owner, "OPEN")
        self.required = required

    async def authenticate(self, authorization: str | None, *, any_key: bool = False) -> Asker | None:
        """Who sends the request; None for a sender without a credential where one has to sign in.

        `any_key`: clients of other servers send keys of those; where nobody has to sign in, such keys mean nothing.
        Raises Unauthenticated for a wrong, expired or revoked credential, RateLimited after too many requests,
        Unavailable.
        """
        if not authorization:
            return None if self.required else self._owner
        if any_key and not self.required and not _is_ours(authorization):
            return self._owner
        asker = await self._authentication.authenticate(bearer(authorization))
        if self.required:
            await self._usage.spend("requests", asker.user.id)
        return asker

    async def recheck(self, authorization: str | None) -> None:
        """Raises Unauthenticated once the credential of a long-lived connection is no longer valid, or Unavailable."""
        if self.required:
            await self._authentication.authenticate(bearer(authorization))


def _is_ours(authorization: str) -> bool:
    credential = authorization.partition(" ")[2].strip()
    return tokens.kind_of(credential) is not None or credential.startswith("fn_") or jwks.is_jwt(credential)
