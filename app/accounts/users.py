"""Create, find and disable users, and set their passwords. What ends a sign-in ends it everywhere."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from sqlalchemy import delete, exists, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from app import errors, names
from app.accounts import audit, email_addresses
from app.accounts.audit import Kind
from app.accounts.credential_cache import CredentialCache
from app.accounts.passwords import Passwords
from app.accounts.sign_ins.store import SignIns
from app.database import models
from app.database.engine import Database

# What a user may change about themselves, as their clients call it.
_CALLED = {"name": "name", "preferred_model": "preferredModel"}


class Users:
    """All who may ask. `actor` is the id of who does something; None is the operator at the command line."""

    def __init__(self, database: Database, passwords: Passwords, sign_ins: SignIns, recent: CredentialCache) -> None:
        self._database = database
        self._passwords = passwords
        self._sign_ins = sign_ins
        self._recent = recent

    async def create(
        self,
        email: str,
        name: str | None = None,
        password: str | None = None,
        actor: str | None = None,
        address: str | None = None,
    ) -> models.User:
        """A new user; without a password they come with a token or by the identity provider.

        Raises Invalid, or Conflict when the address is taken.
        """
        email = email_addresses.email(email)
        name = names.name("name", name, "A user") if name is not None else None
        hashed = await self._passwords.hash(password) if password is not None else None
        user = models.User(email=email, name=name)
        try:
            async with self._database.begin() as db:
                db.add(user)
                await db.flush()
                if hashed is not None:
                    db.add(models.Password(user_id=user.id, password_hash=hashed))
                audit.note(db, Kind.USER_CREATED, actor=actor, subject=user.id, address=address)
        except IntegrityError as error:
            raise errors.Conflict(f"There is already a user with the address {email}.") from error
        return user

    async def by_ids(self, ids: Sequence[str]) -> list[models.User | None]:
        """The users with these ids, in order; None where there is none."""
        async with self._database.read() as db:
            rows = await db.scalars(select(models.User).where(models.User.id.in_(ids)))
            found = {row.id: row for row in rows}
        return [found.get(id) for id in ids]

    async def by_email(self, email: str) -> models.User | None:
        """The user of this address, however it is written."""
        found = email_addresses.possible_email(email)
        if found is None:
            return None
        async with self._database.read() as db:
            return await db.scalar(select(models.User).where(models.User.email == found))

    async def all(self) -> list[tuple[models.User, bool]]:
        """Everybody by address, and whether they can sign in with a password."""
        with_password = models.User.id.in_(select(models.Password.user_id))
        async with self._database.read() as db:
            rows = await db.execute(select(models.User, with_password).order_by(models.User.email))
            return [(user, has) for user, has in rows]

    async def update(self, user_id: str, changes: Mapping[str, str | None]) -> models.User:
        """Change what a user says of themselves: `name`, `preferred_model`. Raises NotFound or Invalid."""
        lines = {
            name: names.name(_CALLED[name], value, "A user") if value is not None else None
            for name, value in changes.items()
        }
        async with self._database.begin() as db:
            user = await _of(db, user_id)
            for name, value in lines.items():
                setattr(user, name, value)
        self._recent.forget(user_id)
        return user

    async def can_come_in(self) -> bool:
        """Whether anybody has something to come in with again and again: a password, a token, an identity."""
        lasting = models.AccessToken.expires_at
        token = select(models.AccessToken.id).where(
            models.AccessToken.revoked_at.is_(None), or_(lasting.is_(None), lasting > models.now())
        )
        statement = select(
            or_(exists(select(models.Password.user_id)), exists(select(models.Identity.user_id)), exists(token))
        )
        async with self._database.read() as db:
            return bool(await db.scalar(statement))

    async def has_password(self, user_id: str) -> bool:
        """Whether a user can sign in with a password."""
        async with self._database.read() as db:
            return await db.get(models.Password, user_id) is not None

    async def set_password(
        self, user_id: str, password: str, actor: str | None = None, address: str | None = None
    ) -> None:
        """Give a user a password; sign-ins and a link end. Raises NotFound, Invalid or Unavailable."""
        hashed = await self._passwords.hash(password)
        async with self._database.begin() as db:
            user = await _of(db, user_id)
            await db.execute(delete(models.SetupToken).where(models.SetupToken.user_id == user_id))
            await db.merge(models.Password(user_id=user_id, password_hash=hashed, changed_at=models.now()))
            user.sign_in_generation += 1
            audit.note(db, Kind.PASSWORD_CHANGED, actor=actor, subject=user_id, address=address)
        await self._end_sign_ins(user_id)

    async def disable(self, user_id: str, actor: str | None = None, address: str | None = None) -> models.User:
        """Let a user in no more, by nothing they have. Their sign-ins end; their tokens wait. Raises NotFound."""
        async with self._database.begin() as db:
            user = await _of(db, user_id)
            if user.disabled_at is None:
                user.disabled_at = models.now()
                user.sign_in_generation += 1
                audit.note(db, Kind.USER_DISABLED, actor=actor, subject=user_id, address=address)
        await self._end_sign_ins(user_id)
        return user

    async def enable(self, user_id: str, actor: str | None = None, address: str | None = None) -> models.User:
        """Let a user in again. Raises NotFound."""
        async with self._database.begin() as db:
            user = await _of(db, user_id)
            if user.disabled_at is not None:
                user.disabled_at = None
                audit.note(db, Kind.USER_ENABLED, actor=actor, subject=user_id, address=address)
        self._recent.forget(user_id)
        return user

    async def _end_sign_ins(self, user_id: str) -> None:
        self._recent.forget(user_id)
        # They are void already, for the user's generation has grown; this only sweeps.
        with suppress(errors.Unavailable):
            await self._sign_ins.close_all(user_id)


async def _of(db: AsyncSession, user_id: str) -> models.User:
    user = await db.get(models.User, user_id)
    if user is None:
        raise errors.NotFound("user", user_id)
    return user
