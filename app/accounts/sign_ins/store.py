"""Sign-ins: issue a token after authentication, and find the user of a token while it is valid.

A sign-in ends when it is unused for a while, after a fixed maximum time, when its user signs out, when the user's
generation increases (a changed password, a disabled user), and when the user has signed in too many times since.
"""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app import errors
from app.accounts import tokens
from app.database import models
from app.database.protocol import Database

IDLE = timedelta(days=14)
LONGEST = timedelta(days=90)
MAX_SIGN_INS = 1000
"""Per user: far more than a person has devices. Programs that sign in each time they run do not sign out."""


@dataclass(frozen=True, slots=True)
class OpenSignIn:
    """A sign-in. `generation` is the user's generation at that time."""

    id: str
    user_id: str
    generation: int
    created_at: datetime
    expires_at: datetime
    address: str | None


@dataclass(frozen=True, slots=True)
class Lifetime:
    """How long a sign-in is valid if unused, and at most; and how many a user may have before the oldest end."""

    idle: timedelta = IDLE
    longest: timedelta = LONGEST
    max_count: int = MAX_SIGN_INS

    def next_expiry(self, now: datetime, ends_at: datetime) -> datetime:
        """When a sign-in that is used at `now` expires."""
        return min(now + self.idle, ends_at)

    def needs_renewal(self, expires_at: datetime, now: datetime, ends_at: datetime) -> bool:
        """Whether the expiry would move far enough to be worth a write: an hour, or a tenth of the idle time."""
        return self.next_expiry(now, ends_at) - expires_at >= min(timedelta(hours=1), self.idle / 10)


class SignIns(Protocol):
    """A store of sign-ins: the database or Redis. All methods raise Unavailable if it is down."""

    async def open(self, user_id: str, generation: int, address: str | None = None) -> tuple[str, OpenSignIn]:
        """Create a sign-in. Returns its token, which cannot be retrieved again, and the sign-in."""
        ...

    async def find(self, token: str) -> OpenSignIn | None:
        """The sign-in of a token, if it is valid. Using it extends its expiry."""
        ...

    async def find_by_id(self, user_id: str, sign_in_id: str) -> OpenSignIn | None:
        """The user's sign-in with this id, if it is valid. Does not extend its expiry."""
        ...

    async def is_open(self, db: AsyncSession, user_id: str, sign_in_id: str) -> bool:
        """Whether the user's sign-in with this id is valid, for a transaction that relies on it."""
        ...

    async def close(self, token: str) -> bool:
        """End this sign-in; returns whether there was one."""
        ...

    async def close_all(self, user_id: str) -> None:
        """End all sign-ins of a user."""
        ...

    async def sign_ins_of_user(self, user_id: str) -> list[OpenSignIn]:
        """A user's valid sign-ins, newest first."""
        ...


class DatabaseSignIns:
    """Sign-ins as rows."""

    def __init__(self, database: Database, lifetime: Lifetime | None = None) -> None:
        self._database = database
        self._lifetime = lifetime or Lifetime()

    async def open(self, user_id: str, generation: int, address: str | None = None) -> tuple[str, OpenSignIn]:
        """Create a sign-in, and delete expired ones and the oldest of too many."""
        token, now = tokens.new_token("signin"), models.now()
        ends_at = now + self._lifetime.longest
        row = models.SignIn(
            user_id=user_id,
            token_hash=tokens.hash_token(token),
            generation=generation,
            address=address[:64] if address else None,
            created_at=now,
            expires_at=self._lifetime.next_expiry(now, ends_at),
            ends_at=ends_at,
        )
        of_user = select(models.SignIn.id).where(models.SignIn.user_id == user_id)
        oldest = of_user.order_by(models.SignIn.id.desc()).offset(self._lifetime.max_count - 1)
        async with self._database.begin() as db:
            await db.execute(delete(models.SignIn).where(models.SignIn.expires_at <= now))
            await db.execute(delete(models.SignIn).where(models.SignIn.id.in_(oldest)))
            db.add(row)
        return token, _to_open_sign_in(row)

    async def find(self, token: str) -> OpenSignIn | None:
        """The sign-in of a token, if it is valid."""
        now, by_token = models.now(), models.SignIn.token_hash == tokens.hash_token(token)
        async with self._database.read() as db:
            row = await db.scalar(select(models.SignIn).where(by_token, models.SignIn.expires_at > now))
        if row is None:
            return None
        if self._lifetime.needs_renewal(row.expires_at, now, row.ends_at):
            row.expires_at = self._lifetime.next_expiry(now, row.ends_at)
            # A full disk must not keep anybody from reading.
            with suppress(errors.Unavailable):
                async with self._database.begin() as db:
                    await db.execute(update(models.SignIn).where(by_token).values(expires_at=row.expires_at))
        return _to_open_sign_in(row)

    async def find_by_id(self, user_id: str, sign_in_id: str) -> OpenSignIn | None:
        """The user's sign-in with this id, if it is valid."""
        async with self._database.read() as db:
            found = await _find_row(db, user_id, sign_in_id)
        return None if found is None else _to_open_sign_in(found)

    async def is_open(self, db: AsyncSession, user_id: str, sign_in_id: str) -> bool:
        """Whether the user's sign-in with this id is valid, as the transaction sees it."""
        return await _find_row(db, user_id, sign_in_id) is not None

    async def close(self, token: str) -> bool:
        """End this sign-in; returns whether there was one."""
        by_token = models.SignIn.token_hash == tokens.hash_token(token)
        async with self._database.begin() as db:
            ended = await db.scalars(delete(models.SignIn).where(by_token).returning(models.SignIn.id))
            return bool(ended.all())

    async def close_all(self, user_id: str) -> None:
        """End all sign-ins of a user."""
        async with self._database.begin() as db:
            await db.execute(delete(models.SignIn).where(models.SignIn.user_id == user_id))

    async def sign_ins_of_user(self, user_id: str) -> list[OpenSignIn]:
        """A user's valid sign-ins, newest first."""
        valid = (models.SignIn.user_id == user_id, models.SignIn.expires_at > models.now())
        async with self._database.read() as db:
            rows = await db.scalars(select(models.SignIn).where(*valid).order_by(models.SignIn.id.desc()))
            return [_to_open_sign_in(row) for row in rows]


async def _find_row(db: AsyncSession, user_id: str, sign_in_id: str) -> models.SignIn | None:
    row = models.SignIn
    return await db.scalar(
        select(row).where(row.id == sign_in_id, row.user_id == user_id, row.expires_at > models.now())
    )


def _to_open_sign_in(row: models.SignIn) -> OpenSignIn:
    return OpenSignIn(row.id, row.user_id, row.generation, row.created_at, row.expires_at, row.address)
