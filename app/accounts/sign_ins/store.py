"""Sign-ins: a token for somebody who has shown who they are, and back to who that is while it lasts.

A sign-in ends when it is not used for a while, at the latest after a fixed time, when its user signs out, and, wherever
it is kept, when the user's generation has grown (a changed password, a disabled user).
"""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from sqlalchemy import delete, select, update

from app import errors
from app.accounts import tokens
from app.database import models
from app.database.engine import Database

IDLE = timedelta(days=14)
LONGEST = timedelta(days=90)


@dataclass(frozen=True, slots=True)
class OpenSignIn:
    """Somebody signed in. `generation` is that of the user when they did."""

    id: str
    user_id: str
    generation: int
    created_at: datetime
    expires_at: datetime
    address: str | None


@dataclass(frozen=True, slots=True)
class Lifetime:
    """How long a sign-in lasts unused, and at most."""

    idle: timedelta = IDLE
    longest: timedelta = LONGEST

    def expiry(self, now: datetime, ends_at: datetime) -> datetime:
        """When a sign-in that is used now expires."""
        return min(now + self.idle, ends_at)

    def is_due(self, expires_at: datetime, now: datetime, ends_at: datetime) -> bool:
        """Whether it is worth a write to move the expiry: it would move by an hour, or by a tenth of the idle time."""
        return self.expiry(now, ends_at) - expires_at >= min(timedelta(hours=1), self.idle / 10)


class SignIns(Protocol):
    """Where sign-ins are kept: in the database, or in Redis. All raise Unavailable when that does not exist."""

    async def open(self, user_id: str, generation: int, address: str | None = None) -> tuple[str, OpenSignIn]:
        """Sign somebody in; the token, which cannot be had again, and the sign-in."""
        ...

    async def find(self, token: str) -> OpenSignIn | None:
        """The sign-in of a token, if it lasts; being used makes it last longer."""
        ...

    async def close(self, token: str) -> None:
        """End this sign-in."""
        ...

    async def close_all(self, user_id: str) -> None:
        """End all sign-ins of a user."""
        ...

    async def sign_ins_of_user(self, user_id: str) -> list[OpenSignIn]:
        """A user's sign-ins that last, newest first."""
        ...


class DatabaseSignIns:
    """Sign-ins as rows."""

    def __init__(self, database: Database, lifetime: Lifetime | None = None) -> None:
        self._database = database
        self._lifetime = lifetime or Lifetime()

    async def open(self, user_id: str, generation: int, address: str | None = None) -> tuple[str, OpenSignIn]:
        """Sign somebody in; those whose time is over go on this occasion."""
        token, now = tokens.new("signin"), models.now()
        ends_at = now + self._lifetime.longest
        row = models.SignIn(
            user_id=user_id,
            token_hash=tokens.digest(token),
            generation=generation,
            address=address[:64] if address else None,
            created_at=now,
            expires_at=self._lifetime.expiry(now, ends_at),
            ends_at=ends_at,
        )
        async with self._database.begin() as db:
            await db.execute(delete(models.SignIn).where(models.SignIn.expires_at <= now))
            db.add(row)
        return token, _sign_in(row)

    async def find(self, token: str) -> OpenSignIn | None:
        """The sign-in of a token, if it lasts."""
        now, by_token = models.now(), models.SignIn.token_hash == tokens.digest(token)
        async with self._database.read() as db:
            row = await db.scalar(select(models.SignIn).where(by_token, models.SignIn.expires_at > now))
        if row is None:
            return None
        if self._lifetime.is_due(row.expires_at, now, row.ends_at):
            row.expires_at = self._lifetime.expiry(now, row.ends_at)
            # Who can be read for is let in although nothing can be written now.
            with suppress(errors.Unavailable):
                async with self._database.begin() as db:
                    await db.execute(update(models.SignIn).where(by_token).values(expires_at=row.expires_at))
        return _sign_in(row)

    async def close(self, token: str) -> None:
        """End this sign-in."""
        async with self._database.begin() as db:
            await db.execute(delete(models.SignIn).where(models.SignIn.token_hash == tokens.digest(token)))

    async def close_all(self, user_id: str) -> None:
        """End all sign-ins of a user."""
        async with self._database.begin() as db:
            await db.execute(delete(models.SignIn).where(models.SignIn.user_id == user_id))

    async def sign_ins_of_user(self, user_id: str) -> list[OpenSignIn]:
        """A user's sign-ins that last, newest first."""
        lasting = (models.SignIn.user_id == user_id, models.SignIn.expires_at > models.now())
        async with self._database.read() as db:
            rows = await db.scalars(select(models.SignIn).where(*lasting).order_by(models.SignIn.id.desc()))
            return [_sign_in(row) for row in rows]


def _sign_in(row: models.SignIn) -> OpenSignIn:
    return OpenSignIn(row.id, row.user_id, row.generation, row.created_at, row.expires_at, row.address)
