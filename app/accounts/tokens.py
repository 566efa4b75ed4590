"""Random tokens, shown once. Only their SHA-256 hash is stored, and tokens are looked up by it.

`fn_access_…` is for programs, `fn_signin_…` for a sign-in, `fn_setup_…` for a setup link. A token has 256 random bits,
so a plain hash is enough: it cannot be guessed, and no comparison leaks its bytes.
"""

import hashlib
import re
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal, cast

from sqlalchemy import ColumnElement, Select, delete, func, select, update

from app import errors, names
from app.accounts import audit
from app.accounts.audit import Kind
from app.accounts.caller_check import CallerCheck, valid_tokens
from app.accounts.credential_cache import Caller, CredentialCache
from app.database import models
from app.database.locks import Lock
from app.database.protocol import Database

TokenKind = Literal["access", "signin", "setup"]

# 43 characters of base64url are 256 bits.
_SHAPE = re.compile(r"fn_(access|signin|setup)_[A-Za-z0-9_-]{43}", re.ASCII)
_BYTES = 32
MAX_LENGTH = 200
"""Maximum length of a token that a client sends."""

# Per user, not counting revoked ones.
MAX_TOKENS = 100
# Precision of `last_used_at`: not every request that reads should have to write.
_USED_EVERY = timedelta(minutes=1)
SETUP_LIFETIME = timedelta(minutes=15)


def new_token(kind: TokenKind) -> str:
    """A new random token."""
    return f"fn_{kind}_{secrets.token_urlsafe(_BYTES)}"


def kind_of(credential: str) -> TokenKind | None:
    """The kind of token, by its shape; None if it is not one of ours."""
    shape = _SHAPE.fullmatch(credential)
    return cast("TokenKind", shape[1]) if shape else None


def hash_token(token: str) -> str:
    """The hash under which a token is stored."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


class AccessTokens:
    """Access tokens that users create for their programs."""

    def __init__(self, database: Database, credential_cache: CredentialCache, caller_check: CallerCheck) -> None:
        self._database = database
        self._credential_cache = credential_cache
        self._caller_check = caller_check

    async def create_for_caller(
        self, caller: Caller, label: str, expires_at: datetime | None = None, address: str | None = None
    ) -> tuple[str, models.AccessToken]:
        """A new token for the caller. If they use a token or JWT themselves, it does not outlive that.

        Raises Invalid, or Unauthenticated if the caller's credential has ended meanwhile.
        """
        until = caller.until
        if until is not None and (expires_at is None or _to_utc(expires_at) > until):
            message = f"A token created with another must expire no later than that one: by {until:%Y-%m-%dT%H:%M:%SZ}."
            raise errors.Invalid.at("expiresAt", "OUT_OF_RANGE", message)
        return await self.create(caller.user.id, label, expires_at, address, caller=caller)

    async def create(
        self,
        user_id: str,
        label: str,
        expires_at: datetime | None = None,
        address: str | None = None,
        *,
        caller: Caller | None = None,
        by_operator: bool = False,
    ) -> tuple[str, models.AccessToken]:
        """A new token and its row; the token itself cannot be retrieved again. Raises Invalid.

        If the `caller` who creates it uses a token themselves, it is revoked with that. `by_operator` means that it
        was created at the command line, not by the user.
        """
        label = names.normalize_name("label", label, "An access token")
        expires_at = _to_future(expires_at)
        token = new_token("access")
        made_with = caller.credential_id if caller is not None and caller.via == "ACCESS_TOKEN" else None
        row = models.AccessToken(
            user_id=user_id, label=label, token_hash=hash_token(token), expires_at=expires_at, made_with=made_with
        )
        live = select(func.count()).where(
            models.AccessToken.user_id == user_id, models.AccessToken.revoked_at.is_(None)
        )
        async with self._database.begin(Lock.ACCESS_TOKENS) as db:
            if caller is not None:
                await self._caller_check.require_valid(db, caller)
            if await db.get(models.User, user_id) is None:
                raise errors.NotFound("user", user_id)
            if (await db.scalar(live) or 0) >= MAX_TOKENS:
                message = f"At most {MAX_TOKENS} access tokens are allowed per user; revoke one first."
                raise errors.Invalid.at("label", "TOO_LARGE", message)
            db.add(row)
            await db.flush()
            details = {"token": row.id, "label": label}
            actor = None if by_operator else user_id
            audit.record_event(db, Kind.TOKEN_CREATED, actor=actor, subject=user_id, address=address, details=details)
        return token, row

    async def revoke(self, token_id: str, user_id: str | None, address: str | None = None) -> models.AccessToken:
        """Revoke a token of this user, and all tokens created with it. `user_id` None means any user's (the operator).

        Raises NotFound, also for another user's token and for one that is already revoked.
        """
        async with self._database.begin(Lock.ACCESS_TOKENS) as db:
            row = await db.get(models.AccessToken, token_id)
            if row is None or user_id not in (None, row.user_id) or row.revoked_at is not None:
                raise errors.NotFound("access token", token_id)
            ending = [row]
            for token in ending:  # grows while iterating, by the tokens created with each
                token.revoked_at = models.now()
                details = {"token": token.id, "label": token.label}
                audit.record_event(
                    db, Kind.TOKEN_REVOKED, actor=user_id, subject=row.user_id, address=address, details=details
                )
                ending += await db.scalars(
                    _unrevoked_tokens(row.user_id).where(models.AccessToken.made_with == token.id)
                )
        self._credential_cache.forget_user(row.user_id)
        return row

    async def tokens_of_user(self, user_id: str) -> list[models.AccessToken]:
        """A user's tokens that are not revoked, newest first. Expired ones are included."""
        async with self._database.read() as db:
            return list(await db.scalars(_unrevoked_tokens(user_id).order_by(models.AccessToken.id.desc())))

    async def by_ids(self, ids: Sequence[str], user_id: str) -> list[models.AccessToken | None]:
        """The tokens with these ids, in order; None for those that do not exist or belong to another user."""
        statement = _unrevoked_tokens(user_id).where(models.AccessToken.id.in_(ids))
        rows = await self._database.run_read(lambda db: db.scalars(statement).all())
        found = {row.id: row for row in rows}
        return [found.get(id) for id in ids]

    async def find(self, token: str) -> models.AccessToken | None:
        """The row of a token, if it is valid."""
        return await self._find(models.AccessToken.token_hash == hash_token(token))

    async def find_by_id(self, token_id: str) -> models.AccessToken | None:
        """The row of the token with this id, if it is valid."""
        return await self._find(models.AccessToken.id == token_id)

    async def _find(self, condition: ColumnElement[bool]) -> models.AccessToken | None:
        async with self._database.read() as db:
            return await db.scalar(select(models.AccessToken).where(condition, *valid_tokens()))

    async def record_use(self, row: models.AccessToken) -> None:
        """Record that a token was used, at most once a minute. Raises Unavailable."""
        now = models.now()
        if row.last_used_at is not None and row.last_used_at > now - _USED_EVERY:
            return
        async with self._database.begin() as db:
            await db.execute(update(models.AccessToken).where(models.AccessToken.id == row.id).values(last_used_at=now))


def _unrevoked_tokens(user_id: str) -> Select[models.AccessToken]:
    """A user's tokens that are not revoked."""
    token = models.AccessToken
    return select(token).where(token.user_id == user_id, token.revoked_at.is_(None))


def _to_future(expires_at: datetime | None) -> datetime | None:
    """The time in UTC; None is never. Raises Invalid like `_to_utc`, and if it has passed."""
    until = None if expires_at is None else _to_utc(expires_at)
    if until is not None and until <= models.now():
        raise errors.Invalid.at("expiresAt", "OUT_OF_RANGE", "An access token must expire in the future.")
    return until


def _to_utc(expires_at: datetime) -> datetime:
    """The time in UTC. Raises Invalid if it has no time zone, or is out of range in UTC."""
    if expires_at.utcoffset() is None:
        message = "`expiresAt` must have a time zone, as in 2030-01-31T12:00:00Z."
        raise errors.Invalid.at("expiresAt", "INVALID", message)
    try:
        return expires_at.astimezone(UTC)
    except OverflowError as error:
        message = "`expiresAt` must be between the years 1 and 9999 in UTC."
        raise errors.Invalid.at("expiresAt", "OUT_OF_RANGE", message) from error


class SetupTokens:
    """Tokens of setup links. A user has at most one valid token; it works once, within 15 minutes."""

    def __init__(self, database: Database, lifetime: timedelta = SETUP_LIFETIME) -> None:
        self._database = database
        self._lifetime = lifetime

    async def create(self, user_id: str) -> str:
        """A new token; the user's previous one becomes invalid. Raises NotFound."""
        token = new_token("setup")
        async with self._database.begin(Lock.SETUP_TOKENS) as db:
            if await db.get(models.User, user_id) is None:
                raise errors.NotFound("user", user_id)
            await db.execute(delete(models.SetupToken).where(models.SetupToken.user_id == user_id))
            expires_at = models.now() + self._lifetime
            db.add(models.SetupToken(token_hash=hash_token(token), user_id=user_id, expires_at=expires_at))
        return token

    async def redeem(self, token: str, address: str | None = None) -> models.User:
        """Use up the token and return its user as of that moment. Raises Unauthenticated."""
        if kind_of(token) != "setup":
            raise _invalid_link()
        async with self._database.read() as db:  # guesses must not keep others from writing
            if await db.get(models.SetupToken, hash_token(token)) is None:
                raise _invalid_link()
        async with self._database.begin(Lock.SETUP_TOKENS) as db:
            row = await db.get(models.SetupToken, hash_token(token))
            user = row and await db.get(models.User, row.user_id)
            if row is None or user is None:
                raise _invalid_link()
            expires_at = row.expires_at
            await db.delete(row)
            if expires_at > models.now():
                audit.record_event(db, Kind.SETUP_REDEEMED, actor=user.id, subject=user.id, address=address)
        if expires_at <= models.now():
            raise _invalid_link()
        return user


def _invalid_link() -> errors.Unauthenticated:
    return errors.Unauthenticated(
        "This link has been used or has expired. `footnote user link EMAIL` creates a new one."
    )
