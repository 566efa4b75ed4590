"""Create, find, change and disable users, and set their passwords."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from sqlalchemy import delete, exists, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from app import errors, names
from app.accounts import audit, email_addresses
from app.accounts.audit import Kind
from app.accounts.caller_check import CallerCheck, valid_tokens
from app.accounts.credential_cache import Caller, CredentialCache
from app.accounts.passwords import Passwords
from app.accounts.sign_ins.store import SignIns
from app.database import models
from app.database.locks import Lock
from app.database.protocol import Database
from app.database.rows import rows_by_ids

# What users may change about themselves, and the names that clients use for it.
_CLIENT_NAMES = {"name": "name", "preferred_model": "preferredModel"}


class Users:
    """All users. `actor` is the id of the user who makes a change, or None for the operator at the command line."""

    def __init__(
        self,
        database: Database,
        passwords: Passwords,
        sign_ins: SignIns,
        credential_cache: CredentialCache,
        caller_check: CallerCheck,
    ) -> None:
        self._database = database
        self._passwords = passwords
        self._sign_ins = sign_ins
        self._credential_cache = credential_cache
        self._caller_check = caller_check

    async def create(self, email: str, name: str | None = None, password: str | None = None) -> models.User:
        """Create a user. Without a password, they sign in with a link or through the identity provider.

        Raises Invalid, or Conflict if the address is taken.
        """
        email = email_addresses.require_email(email)
        name = names.normalize_name("name", name, "A user") if name is not None else None
        hashed = await self._passwords.hash(password) if password is not None else None
        user = models.User(email=email, name=name)
        try:
            async with self._database.begin() as db:
                db.add(user)
                await db.flush()
                if hashed is not None:
                    db.add(models.Password(user_id=user.id, password_hash=hashed))
                audit.record_event(db, Kind.USER_CREATED, subject=user.id)
        except IntegrityError as error:
            raise errors.Conflict(f"There is already a user with the email address {email}.") from error
        return user

    async def by_ids(self, ids: Sequence[str]) -> list[models.User | None]:
        """The users with these ids, in order; None for those that do not exist."""
        return await self._database.run_read(lambda db: rows_by_ids(db, models.User, ids))

    async def by_email(self, email: str) -> models.User | None:
        """The user with this email address, in any spelling that means the same mailbox."""
        found = email_addresses.find_email(email)
        if found is None:
            return None
        async with self._database.read() as db:
            return await db.scalar(select(models.User).where(models.User.email == found))

    async def list_users(self) -> list[tuple[models.User, bool]]:
        """All users by address, and whether they have a password."""
        with_password = models.User.id.in_(select(models.Password.user_id))
        async with self._database.read() as db:
            rows = await db.execute(select(models.User, with_password).order_by(models.User.email))
            return [(user, has) for user, has in rows]

    async def update(self, user_id: str, changes: Mapping[str, str | None]) -> models.User:
        """Change a user's `name` or `preferred_model`. Raises NotFound or Invalid."""
        lines = {
            name: names.normalize_name(_CLIENT_NAMES[name], value, "A user") if value is not None else None
            for name, value in changes.items()
        }
        async with self._database.begin() as db:
            user = await _get_user(db, user_id)
            for name, value in lines.items():
                setattr(user, name, value)
        self._credential_cache.forget_user(user_id)
        return user

    async def can_anyone_sign_in(self) -> bool:
        """Whether any user has a password, a valid access token or an identity. Setup links do not count."""
        token = select(models.AccessToken.id).where(*valid_tokens())
        statement = select(
            or_(exists(select(models.Password.user_id)), exists(select(models.Identity.user_id)), exists(token))
        )
        async with self._database.read() as db:
            return bool(await db.scalar(statement))

    async def has_password(self, user_id: str) -> bool:
        """Whether a user has a password."""
        async with self._database.read() as db:
            return await db.get(models.Password, user_id) is not None

    async def set_password(self, user_id: str, password: str) -> None:
        """Set a user's password. Ends their sign-ins and setup links. Raises NotFound, Invalid or Unavailable."""
        hashed = await self._passwords.hash(password)
        async with self._database.begin(Lock.SIGN_INS) as db:
            await self._store_password(db, await _get_user(db, user_id), hashed)
        await self._end_sign_ins(user_id)

    async def change_own_password(self, caller: Caller, generation: int, password: str, address: str | None) -> None:
        """Set the caller's password as `set_password` does, unless another has been set since this generation.

        Raises Unauthenticated if their credential has ended meanwhile, too.
        """
        hashed = await self._passwords.hash(password)
        async with self._database.begin(Lock.SIGN_INS) as db:
            await self._caller_check.require_valid(db, caller)
            user = await _get_user(db, caller.user.id)
            if user.sign_in_generation != generation:
                raise errors.Invalid.at("currentPassword", "INVALID", "The password has been changed meanwhile.")
            await self._store_password(db, user, hashed, user.id, address)
        await self._end_sign_ins(user.id)

    async def require_valid(self, caller: Caller) -> None:
        """Raises Unauthenticated if the caller's credential has ended, or Unavailable."""
        async with self._database.read() as db:
            await self._caller_check.require_valid(db, caller)

    async def disable(self, user_id: str) -> models.User:
        """Lock a user out. Their sign-ins end; their tokens are suspended. Raises NotFound."""
        async with self._database.begin(Lock.SIGN_INS) as db:
            user = await _get_user(db, user_id)
            if user.disabled_at is None:
                user.disabled_at = models.now()
                user.sign_in_generation += 1
                audit.record_event(db, Kind.USER_DISABLED, subject=user_id)
        await self._end_sign_ins(user_id)
        return user

    async def enable(self, user_id: str) -> models.User:
        """Let a user in again. Raises NotFound."""
        async with self._database.begin() as db:
            user = await _get_user(db, user_id)
            if user.disabled_at is not None:
                user.disabled_at = None
                audit.record_event(db, Kind.USER_ENABLED, subject=user_id)
        self._credential_cache.forget_user(user_id)
        return user

    async def _store_password(
        self,
        db: AsyncSession,
        user: models.User,
        hashed: str,
        actor: str | None = None,
        address: str | None = None,
    ) -> None:
        await db.execute(delete(models.SetupToken).where(models.SetupToken.user_id == user.id))
        await db.merge(models.Password(user_id=user.id, password_hash=hashed, changed_at=models.now()))
        user.sign_in_generation += 1
        audit.record_event(db, Kind.PASSWORD_CHANGED, actor=actor, subject=user.id, address=address)

    async def _end_sign_ins(self, user_id: str) -> None:
        self._credential_cache.forget_user(user_id)
        # They are void already, because the user's generation has increased; this only cleans up.
        with suppress(errors.Unavailable):
            await self._sign_ins.close_all(user_id)


async def _get_user(db: AsyncSession, user_id: str) -> models.User:
    user = await db.get(models.User, user_id)
    if user is None:
        raise errors.NotFound("user", user_id)
    return user
