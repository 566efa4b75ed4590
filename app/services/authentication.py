"""The credential of a request in; who asks out: the one place that decides who comes in, whatever the door."""

from app import errors
from app.accounts import tokens
from app.accounts.authentication import Authentication, bearer
from app.accounts.credential_cache import Asker
from app.accounts.identity_provider import jwks
from app.accounts.limits.usage import UsageLimits
from app.database.models import User


class Doorkeeper:
    """Lets users in. Where nobody has to sign in, who shows nothing is the owner of this server."""

    def __init__(self, authentication: Authentication, usage: UsageLimits, owner: User, *, required: bool) -> None:
        self._authentication = authentication
        self._usage = usage
        self._owner = Asker(owner, "OPEN")
        self.required = required

    async def let_in(self, authorization: str | None, *, any_key: bool = False) -> Asker | None:
        """Who asks; None for who shows nothing although one has to sign in.

        `any_key`: clients of other servers send keys of theirs; where nobody has to sign in, these mean nothing.
        Raises Unauthenticated for a credential that is wrong, expired or revoked, RateLimited after too many requests,
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

    async def check(self, authorization: str | None) -> None:
        """Whether who came in may stay. Raises Unauthenticated once the credential is no good any more."""
        if self.required:
            await self._authentication.authenticate(bearer(authorization))

    async def must_be_in(self, authorization: str | None, *, any_key: bool = False) -> Asker:
        """As `let_in`, but who shows nothing is Unauthenticated."""
        asker = await self.let_in(authorization, any_key=any_key)
        if asker is None:
            raise errors.Unauthenticated("Sign in first: this needs the header “Authorization: Bearer” with a token.")
        return asker


def _is_ours(authorization: str) -> bool:
    credential = authorization.partition(" ")[2].strip()
    return tokens.kind_of(credential) is not None or credential.startswith("fn_") or jwks.is_jwt(credential)
