"""Random tokens out, shown once; their SHA-256 is all that is kept, and what a token that comes back is looked up by.

`fn_access_…` is for programs, `fn_signin_…` for who typed a password, `fn_setup_…` for the link of the first start. A
token holds 256 random bits, so a plain hash suffices: there is nothing to guess, and nothing is compared byte by byte.
"""

import hashlib
import re
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal, cast

from sqlalchemy import Select, delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app import errors, names
from app.accounts import audit
from app.accounts.audit import Kind
from app.accounts.credential_cache import Asker, CredentialCache
from app.database import models
from app.database.engine import Database
from app.database.locks import Lock

TokenKind = Literal["access", "signin", "setup"]

# 43 characters of base64url are 256 bits.
_SHAPE = re.compile(r"fn_(access|signin|setup)_[A-Za-z0-9_-]{43}", re.ASCII)
_BYTES = 32
MAX_LENGTH = 200
"""Of what a client gives as one of our tokens."""

# Of one user, not revoked.
MAX_TOKENS = 100
# How old "last used" may be: a request that only reads should not have to write.
_USED_EVERY = timedelta(minutes=1)
SETUP_LIFETIME = timedelta(minutes=15)


def new(kind: TokenKind) -> str:
    """A token that nobody has seen."""
    return f"fn_{kind}_{secrets.token_urlsafe(_BYTES)}"


def kind_of(credential: str) -> TokenKind | None:
    """What kind of token this has the shape of; None for what is none of ours."""
    shape = _SHAPE.fullmatch(credential)
    return cast("TokenKind", shape[1]) if shape else None


def digest(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


class AccessTokens:
    """The tokens that users made for their programs."""

    def __init__(self, database: Database, recent: CredentialCache) -> None:
        self._database = database
        self._recent = recent

    async def create_with(
        self, asker: Asker, label: str, expires_at: datetime | None = None, address: str | None = None
    ) -> tuple[str, models.AccessToken]:
        """A new token of who asks. Unless they are here themselves, it does not outlive what they show.

        Raises Invalid, or Unauthenticated when that has ended.
        """
        until = asker.until
        if until is not None and (expires_at is None or _moment(expires_at) > until):
            message = f"A token created with another must expire no later than that one: by {until:%Y-%m-%dT%H:%M:%SZ}."
            raise errors.Invalid.one("expiresAt", "OUT_OF_RANGE", message)
        made_with = asker.credential_id if asker.via == "ACCESS_TOKEN" else None
        return await self.create(asker.user.id, label, expires_at, address, made_with=made_with)

    async def create(
        self,
        user_id: str,
        label: str,
        expires_at: datetime | None = None,
        address: str | None = None,
        *,
        made_with: str | None = None,
        by_operator: bool = False,
    ) -> tuple[str, models.AccessToken]:
        """A new token and its row; the token itself cannot be had again. Raises Invalid.

        `made_with`: the token that it ends with. `by_operator`: at the command line, not by the user.
        """
        label = names.name("label", label, "An access token")
        expires_at = None if expires_at is None else _moment(expires_at)
        if expires_at is not None and expires_at <= models.now():
            raise errors.Invalid.one("expiresAt", "OUT_OF_RANGE", "An access token must expire in the future.")
        token = new("access")
        row = models.AccessToken(
            user_id=user_id, label=label, token_hash=digest(token), expires_at=expires_at, made_with=made_with
        )
        live = select(func.count()).where(
            models.AccessToken.user_id == user_id, models.AccessToken.revoked_at.is_(None)
        )
        async with self._database.begin(Lock.ACCESS_TOKENS) as db:
            if await db.get(models.User, user_id) is None:
                raise errors.NotFound("user", user_id)
            if made_with is not None:
                await _check_valid(db, made_with)
            if (await db.scalar(live) or 0) >= MAX_TOKENS:
                message = f"At most {MAX_TOKENS} access tokens are allowed per user; revoke one first."
                raise errors.Invalid.one("label", "TOO_LARGE", message)
            db.add(row)
            await db.flush()
            details = {"token": row.id, "label": label}
            actor = None if by_operator else user_id
            audit.note(db, Kind.TOKEN_CREATED, actor=actor, subject=user_id, address=address, details=details)
        return token, row

    async def revoke(self, token_id: str, user_id: str | None, address: str | None = None) -> models.AccessToken:
        """End a token of this user's with all that were made with it; None is the operator, who ends anybody's.

        Raises NotFound, for another user's and for one that has ended too.
        """
        async with self._database.begin(Lock.ACCESS_TOKENS) as db:
            row = await db.get(models.AccessToken, token_id)
            if row is None or user_id not in (None, row.user_id) or row.revoked_at is not None:
                raise errors.NotFound("access token", token_id)
            ending = [row]
            for token in ending:  # grows by those that were made with each
                token.revoked_at = models.now()
                details = {"token": token.id, "label": token.label}
                audit.note(db, Kind.TOKEN_REVOKED, actor=user_id, subject=row.user_id, address=address, details=details)
                ending += await db.scalars(_lasting(row.user_id).where(models.AccessToken.made_with == token.id))
        self._recent.forget(row.user_id)
        return row

    async def tokens_of_user(self, user_id: str) -> list[models.AccessToken]:
        """A user's tokens that were not revoked, newest first; one that has expired is still listed."""
        async with self._database.read() as db:
            return list(await db.scalars(_lasting(user_id).order_by(models.AccessToken.id.desc())))

    async def by_ids(self, ids: Sequence[str], user_id: str) -> list[models.AccessToken | None]:
        """The tokens with these ids, in order; None where there is none of this user's."""
        statement = _lasting(user_id).where(models.AccessToken.id.in_(ids))
        async with self._database.read() as db:
            found = {row.id: row for row in await db.scalars(statement)}
        return [found.get(id) for id in ids]

    async def find(self, token: str) -> models.AccessToken | None:
        """The row of a token that is valid now."""
        statement = select(models.AccessToken).where(
            models.AccessToken.token_hash == digest(token),
            models.AccessToken.revoked_at.is_(None),
            or_(models.AccessToken.expires_at.is_(None), models.AccessToken.expires_at > models.now()),
        )
        async with self._database.read() as db:
            return await db.scalar(statement)

    async def use(self, row: models.AccessToken) -> None:
        """Note that a token is used, at most once a minute. Raises Unavailable."""
        now = models.now()
        if row.last_used_at is not None and row.last_used_at > now - _USED_EVERY:
            return
        async with self._database.begin() as db:
            await db.execute(update(models.AccessToken).where(models.AccessToken.id == row.id).values(last_used_at=now))


def _lasting(user_id: str) -> Select[models.AccessToken]:
    """A user's tokens that were not revoked."""
    token = models.AccessToken
    return select(token).where(token.user_id == user_id, token.revoked_at.is_(None))


async def _check_valid(db: AsyncSession, token_id: str) -> None:
    """Raises Unauthenticated for a token that ended after it had let somebody in."""
    token = models.AccessToken
    valid = or_(token.expires_at.is_(None), token.expires_at > models.now())
    if await db.scalar(select(token.id).where(token.id == token_id, token.revoked_at.is_(None), valid)) is None:
        raise errors.Unauthenticated("The token of this request has expired or was revoked.")


def _moment(expires_at: datetime) -> datetime:
    """The moment in UTC. Raises Invalid for a time of day that is another moment everywhere, or none at all."""
    if expires_at.utcoffset() is None:
        message = "`expiresAt` must have a time zone, as in 2030-01-31T12:00:00Z."
        raise errors.Invalid.one("expiresAt", "INVALID", message)
    try:
        return expires_at.astimezone(UTC)
    except OverflowError as error:
        message = "`expiresAt` must be between the years 1 and 9999 in UTC."
        raise errors.Invalid.one("expiresAt", "OUT_OF_RANGE", message) from error


class SetupTokens:
    """The token of the first start's link. One is valid at a time for a user, once, for a quarter of an hour."""

    def __init__(self, database: Database, lifetime: timedelta = SETUP_LIFETIME) -> None:
        self._database = database
        self._lifetime = lifetime

    async def create(self, user_id: str) -> str:
        """A new token for the link; the one before is void. Raises NotFound."""
        token = new("setup")
        async with self._database.begin() as db:
            if await db.get(models.User, user_id) is None:
                raise errors.NotFound("user", user_id)
            await db.execute(delete(models.SetupToken).where(models.SetupToken.user_id == user_id))
            expires_at = models.now() + self._lifetime
            db.add(models.SetupToken(token_hash=digest(token), user_id=user_id, expires_at=expires_at))
        return token

    async def redeem(self, token: str, address: str | None = None) -> str:
        """The id of the user whom the token lets in; it never does again. Raises Unauthenticated."""
        wrong = errors.Unauthenticated(
            "This link has been used or has expired. `footnote user link EMAIL` creates a new one."
        )
        if kind_of(token) != "setup":
            raise wrong
        async with self._database.begin(Lock.SETUP_TOKENS) as db:
            row = await db.get(models.SetupToken, digest(token))
            if row is None:
                raise wrong
            user_id, expires_at = row.user_id, row.expires_at
            await db.delete(row)
            if expires_at > models.now():
                audit.note(db, Kind.SETUP_REDEEMED, actor=user_id, subject=user_id, address=address)
        if expires_at <= models.now():
            raise wrong
        return user_id
