"""Authenticate a credential: find the user it belongs to, or raise Unauthenticated.

Our own tokens are recognized by their prefix, those of the identity provider by their shape. No credential of a
disabled user is valid. A valid credential is cached for a few seconds.
"""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from sqlalchemy import select

from app import errors
from app.accounts import tokens
from app.accounts.credential_cache import Caller, CredentialCache, Via
from app.accounts.identity_provider import claims
from app.accounts.identity_provider.claims import Claims
from app.accounts.identity_provider.users import Identities
from app.accounts.sign_ins.store import SignIns
from app.accounts.tokens import AccessTokens
from app.database import models
from app.database.protocol import Database

# On a socket the credential is part of a message, which can be longer than the head of a request.
_MAX_HEADER = claims.MAX_TOKEN + 100
# With this little time left, a sign-in is checked again at its end, and no longer halfway to it.
_SHORT = timedelta(seconds=2)
SIGN_IN_FIRST = "Sign in first: this needs the header “Authorization: Bearer” with a token."
_WRONG = "This credential is wrong, expired or revoked."


def bearer_credential(header: str | None) -> str:
    """The credential in an Authorization header. Raises Unauthenticated if there is none."""
    if len(header or "") > _MAX_HEADER:
        raise errors.Unauthenticated(_WRONG)
    scheme, _, credential = (header or "").strip().partition(" ")
    if scheme.lower() != "bearer" or not credential.strip():
        raise errors.Unauthenticated(SIGN_IN_FIRST)
    return credential.strip()


class Authentication:
    """Finds the user that a credential belongs to. Without `verify_jwt`, no JWT is accepted."""

    def __init__(
        self,
        database: Database,
        access_tokens: AccessTokens,
        sign_ins: SignIns,
        identities: Identities,
        credential_cache: CredentialCache,
        verify_jwt: Callable[[str], Awaitable[Claims]] | None,
    ) -> None:
        self._database = database
        self._access_tokens = access_tokens
        self._sign_ins = sign_ins
        self._identities = identities
        self._credential_cache = credential_cache
        self._verify_jwt = verify_jwt

    async def authenticate(self, credential: str) -> Caller:
        """The caller that the credential belongs to.

        Raises Unauthenticated, or Unavailable if Redis or the identity provider is needed and down.
        """
        key, version = tokens.hash_token(credential), self._credential_cache.version
        cached = self._credential_cache.get(key)
        if cached is not None:
            return cached
        caller, seconds = await self._look_up(credential)
        if caller.user.disabled_at is not None:
            raise errors.Unauthenticated(_WRONG)
        self._credential_cache.remember(key, caller, version, seconds)
        return caller

    async def find_caller(self, user_id: str, via: Via, credential_id: str) -> Caller | None:
        """Find a caller again by the id of their credential, if it is still valid and still the user's.

        A JWT has no id and expires by itself. A caller without a credential is found, too. Raises Unavailable.
        """
        async with self._database.read() as db:
            user = await db.get(models.User, user_id)
        if user is None or user.disabled_at is not None:
            return None
        if via == "ACCESS_TOKEN":
            token = await self._access_tokens.find_by_id(credential_id)
            if token is None or token.user_id != user_id:
                return None
        elif via == "SIGN_IN":
            sign_in = await self._sign_ins.find_by_id(user_id, credential_id)
            if sign_in is None or sign_in.generation != user.sign_in_generation:
                return None
        return Caller(user, via, credential_id or None)

    async def _look_up(self, credential: str) -> tuple[Caller, float | None]:
        """The caller, and for how many seconds the credential is valid at most."""
        kind = tokens.kind_of(credential)
        if kind == "access":
            return await self._by_access_token(credential)
        if kind == "signin":
            return await self._by_sign_in(credential)
        if kind is None and self._verify_jwt is not None and claims.is_jwt(credential):
            verified = await self._verify_jwt(credential)
            user = await self._identities.find_or_create_user(verified)
            until = datetime.fromtimestamp(verified.expires_at, UTC)
            return Caller(user, "IDENTITY", until=until, recheck_at=until), _seconds_until(until)
        raise errors.Unauthenticated(_WRONG)

    async def _by_access_token(self, token: str) -> tuple[Caller, float | None]:
        row = await self._access_tokens.find(token)
        if row is None:
            raise errors.Unauthenticated(_WRONG)
        user = await self._load_user(row.user_id)
        if user.disabled_at is None:
            # A full disk must not keep anybody from reading.
            with suppress(errors.Unavailable):
                await self._access_tokens.record_use(row)
        return Caller(user, "ACCESS_TOKEN", row.id, row.expires_at, row.expires_at), _seconds_until(row.expires_at)

    async def _by_sign_in(self, token: str) -> tuple[Caller, float | None]:
        sign_in = await self._sign_ins.find(token)
        if sign_in is None:
            raise errors.Unauthenticated(_WRONG)
        user = await self._load_user(sign_in.user_id)
        if sign_in.generation != user.sign_in_generation:
            raise errors.Unauthenticated(_WRONG)
        recheck_at = _before_expiry(sign_in.expires_at)
        return Caller(user, "SIGN_IN", sign_in.id, recheck_at=recheck_at), _seconds_until(sign_in.expires_at)

    async def _load_user(self, user_id: str) -> models.User:
        async with self._database.read() as db:
            user = await db.scalar(select(models.User).where(models.User.id == user_id))
        if user is None:
            raise errors.Unauthenticated(_WRONG)
        return user


def _before_expiry(expires_at: datetime) -> datetime:
    """When to check a sign-in in use again: halfway to its expiry, because using it extends that."""
    left = expires_at - models.now()
    return expires_at - left / 2 if left > _SHORT else expires_at


def _seconds_until(until: datetime | None) -> float | None:
    return None if until is None else (until - models.now()).total_seconds()
