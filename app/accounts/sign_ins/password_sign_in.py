"""Sign in with a password or a link. Errors never say which part was wrong.

Who does not exist, has no password, is disabled or types a wrong one gets the same error, after the same work.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select, update

from app import errors
from app.accounts import audit, email_addresses, passwords
from app.accounts.audit import Kind
from app.accounts.credential_cache import Asker, CredentialCache
from app.accounts.limits.usage import Attempts
from app.accounts.passwords import Passwords
from app.accounts.sign_ins.store import SignIns
from app.accounts.tokens import SetupTokens
from app.accounts.users import Users
from app.database import models
from app.database.engine import Database

_NOT_HERE = (
    "You can set a first password only after signing in with a link, not with a token; `footnote user link EMAIL` "
    "creates a link."
)


@dataclass(frozen=True, slots=True)
class SignedIn:
    """The token, shown this once; until when it lasts if it is not used; and who has it."""

    token: str
    expires_at: datetime
    user: models.User


class SignInService:
    """The ways to a sign-in, and out of it."""

    def __init__(
        self,
        database: Database,
        users: Users,
        passwords: Passwords,
        attempts: Attempts,
        sign_ins: SignIns,
        setup_tokens: SetupTokens,
        recent: CredentialCache,
    ) -> None:
        self._database = database
        self._users = users
        self._passwords = passwords
        self._attempts = attempts
        self._sign_ins = sign_ins
        self._setup_tokens = setup_tokens
        self._recent = recent

    async def sign_in(self, email: str, password: str, address: str | None = None) -> SignedIn:
        """Sign in with a password; `address` is where from.

        Raises Invalid when that is not possible with these two, RateLimited after too many attempts, Unavailable.
        """
        account = email_addresses.possible_email(email) or email[: email_addresses.MAX_EMAIL].strip().lower()
        await self._attempts.begin(account, address)
        user = await self._users.by_email(email)
        if not await self._verify(user, password) or user is None or user.disabled_at is not None:
            await self._note(Kind.SIGN_IN_FAILED, user, address)
            raise errors.Invalid.one("password", "INVALID", "The email address or the password is wrong.")
        signed_in = await self._open(user, address)
        await self._attempts.succeeded(account)
        return signed_in

    async def redeem(self, token: str, address: str | None = None) -> SignedIn:
        """Sign in with the link of the first start. Raises Unauthenticated or Unavailable."""
        (user,) = await self._users.by_ids([await self._setup_tokens.redeem(token, address)])
        if user is None or user.disabled_at is not None:
            raise errors.Unauthenticated("The user this link was created for may no longer sign in.")
        return await self._open(user, address)

    async def sign_out(self, token: str, user_id: str, address: str | None = None) -> None:
        """End the sign-in of this token; another kind of token stays as it is. Raises Unavailable."""
        await self._sign_ins.close(token)
        self._recent.forget(user_id)
        async with self._database.begin() as db:
            audit.note(db, Kind.SIGNED_OUT, actor=user_id, subject=user_id, address=address)

    async def change_password(self, asker: Asker, current: str | None, new: str, address: str | None = None) -> None:
        """A new password for who knows the current one, or has none yet; all their sign-ins end, this one too.

        A first password lasts: a token that may end, or that somebody may have found, does not set it.
        Raises Invalid, RateLimited after too many attempts, Unavailable.
        """
        user = asker.user
        passwords.check(new, "newPassword")
        if await self._users.has_password(user.id):
            await self._attempts.begin(user.email, address)
            if not await self._verify(user, current or ""):
                raise errors.Invalid.one("currentPassword", "INVALID", "This is not the current password.")
            await self._attempts.succeeded(user.email)
        elif not asker.is_here:
            raise errors.Invalid.one("currentPassword", "INVALID", _NOT_HERE)
        await self._users.set_password(user.id, new, user.id, address)

    async def _verify(self, user: models.User | None, password: str) -> bool:
        """Whether the password is this user's. One kept with parameters of before is hashed anew."""
        # Asked for nobody too: the same work for all.
        statement = select(models.Password.password_hash).where(models.Password.user_id == (user.id if user else ""))
        async with self._database.read() as db:
            kept = await db.scalar(statement)
        right = await self._passwords.verify(kept, password)
        if right and kept is not None and self._passwords.outdated(kept):
            renewed = await self._passwords.hash(password)
            async with self._database.begin() as db:
                # Only if nobody has changed the password meanwhile.
                await db.execute(
                    update(models.Password).where(models.Password.password_hash == kept).values(password_hash=renewed)
                )
        return right

    async def _open(self, user: models.User, address: str | None) -> SignedIn:
        # The generation of the user whose password was looked at: one that was changed meanwhile makes this void.
        token, opened = await self._sign_ins.open(user.id, user.sign_in_generation, address)
        await self._note(Kind.SIGNED_IN, user, address)
        return SignedIn(token, opened.expires_at, user)

    async def _note(self, kind: Kind, user: models.User | None, address: str | None) -> None:
        """Who failed is not known: that the account is theirs is what they did not show."""
        subject = user.id if user is not None else None
        actor = subject if kind is Kind.SIGNED_IN else None
        async with self._database.begin() as db:
            audit.note(db, kind, actor=actor, subject=subject, address=address)
