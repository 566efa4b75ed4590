"""Authenticate a credential: find who sends it, or raise Unauthenticated.

Our own tokens are known by their prefix, those of the identity provider by their shape. Every credential is good only
while its user is not disabled. What was found good is believed for a few seconds.
"""

from contextlib import suppress
from datetime import UTC, datetime

from sqlalchemy import select

from app import errors
from app.accounts import tokens
from app.accounts.credential_cache import Asker, CredentialCache
from app.accounts.identity_provider import jwks
from app.accounts.identity_provider.jwks import IdentityProvider
from app.accounts.identity_provider.users import Identities
from app.accounts.sign_ins.store import SignIns
from app.accounts.tokens import AccessTokens
from app.database import models
from app.database.engine import Database

# A socket's credential comes in a message, which may have two million characters.
_MAX_HEADER = jwks.MAX_TOKEN + 100
SIGN_IN_FIRST = "Sign in first: this needs the header “Authorization: Bearer” with a token."
_WRONG = "This credential is wrong, expired or revoked."


def bearer(header: str | None) -> str:
    """The credential in an Authorization header. Raises Unauthenticated where there is none."""
    if len(header or "") > _MAX_HEADER:
        raise errors.Unauthenticated(_WRONG)
    scheme, _, credential = (header or "").strip().partition(" ")
    if scheme.lower() != "bearer" or not credential.strip():
        raise errors.Unauthenticated(SIGN_IN_FIRST)
    return credential.strip()


class Authentication:
    """Who stands behind a credential. Without a provider no JWT is accepted."""

    def __init__(
        self,
        database: Database,
        access_tokens: AccessTokens,
        sign_ins: SignIns,
        identities: Identities,
        recent: CredentialCache,
        provider: IdentityProvider | None = None,
    ) -> None:
        self._database = database
        self._access_tokens = access_tokens
        self._sign_ins = sign_ins
        self._identities = identities
        self._recent = recent
        self._provider = provider

    async def authenticate(self, credential: str) -> Asker:
        """Who asks.

        Raises Unauthenticated, or Unavailable when what could tell (Redis, the identity provider) is not there.
        """
        key, version = tokens.digest(credential), self._recent.version
        known = self._recent.get(key)
        if known is not None:
            return known
        asker, seconds = await self._look_up(credential)
        if asker.user.disabled_at is not None:
            raise errors.Unauthenticated(_WRONG)
        self._recent.remember(key, asker, version, seconds)
        return asker

    async def _look_up(self, credential: str) -> tuple[Asker, float | None]:
        """Who asks, and for how many seconds the credential is valid at most."""
        kind = tokens.kind_of(credential)
        if kind == "access":
            return await self._by_access_token(credential)
        if kind == "signin":
            return await self._by_sign_in(credential)
        if kind is None and self._provider is not None and jwks.is_jwt(credential):
            claims = await self._provider.verify(credential)
            user = await self._identities.user(claims)
            until = datetime.fromtimestamp(claims.expires_at, UTC)
            return Asker(user, "IDENTITY", until=until), _seconds(until)
        raise errors.Unauthenticated(_WRONG)

    async def _by_access_token(self, token: str) -> tuple[Asker, float | None]:
        row = await self._access_tokens.find(token)
        if row is None:
            raise errors.Unauthenticated(_WRONG)
        user = await self._user(row.user_id)
        if user.disabled_at is None:
            # Reading goes on although nothing can be written now.
            with suppress(errors.Unavailable):
                await self._access_tokens.use(row)
        return Asker(user, "ACCESS_TOKEN", row.id, row.expires_at), _seconds(row.expires_at)

    async def _by_sign_in(self, token: str) -> tuple[Asker, float | None]:
        sign_in = await self._sign_ins.find(token)
        if sign_in is None:
            raise errors.Unauthenticated(_WRONG)
        user = await self._user(sign_in.user_id)
        if sign_in.generation != user.sign_in_generation:
            raise errors.Unauthenticated(_WRONG)
        return Asker(user, "SIGN_IN", sign_in.id), _seconds(sign_in.expires_at)

    async def _user(self, user_id: str) -> models.User:
        async with self._database.read() as db:
            user = await db.scalar(select(models.User).where(models.User.id == user_id))
        if user is None:
            raise errors.Unauthenticated(_WRONG)
        return user


def _seconds(until: datetime | None) -> float | None:
    return None if until is None else (until - models.now()).total_seconds()
