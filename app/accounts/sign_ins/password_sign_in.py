"""Sign in with a password or a link. Errors never say which part was wrong.

An unknown user, a user without a password, a disabled user and a wrong password all lead to the same error after the
same work.
"""

from dataclasses import dataclass
from datetime import datetime
from functools import partial

from sqlalchemy import select, update

from app import errors
from app.accounts import audit, email_addresses, passwords
from app.accounts.audit import Kind
from app.accounts.credential_cache import Caller, CredentialCache
from app.accounts.limits.usage import Attempts
from app.accounts.passwords import Passwords
from app.accounts.sign_ins.store import SignIns
from app.accounts.tokens import SetupTokens
from app.accounts.users import Users
from app.database import models
from app.database.protocol import Database

_LINK_NEEDED = (
    "You can set a first password only after signing in with a link, not with a token; `footnote user link EMAIL` "
    "creates a link."
)


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A new sign-in: its token, which is shown only once, when it expires if unused, and its user."""

    token: str
    expires_at: datetime
    user: models.User


class SignInService:
    """Signs users in and out, and changes passwords."""

    def __init__(
        self,
        database: Database,
        users: Users,
        passwords: Passwords,
        attempts: Attempts,
        sign_ins: SignIns,
        setup_tokens: SetupTokens,
        credential_cache: CredentialCache,
    ) -> None:
        self._database = database
        self._users = users
        self._passwords = passwords
        self._attempts = attempts
        self._sign_ins = sign_ins
        self._setup_tokens = setup_tokens
        self._credential_cache = credential_cache

    async def sign_in(self, email: str, password: str, address: str | None = None) -> SignedIn:
        """Sign in with a password; `address` is the client's IP address.

        Raises Invalid for wrong credentials, RateLimited after too many attempts, Unavailable.
        """
        account = email_addresses.find_email(email) or email[: email_addresses.MAX_EMAIL].strip().lower()
        attempt = await self._attempts.begin(account, address, partial(self._knows_address, email, address))
        user = await self._users.by_email(email)
        if not await self._verify_password(user, password) or user is None or user.disabled_at is not None:
            await self._record_event(Kind.SIGN_IN_FAILED, user, address)
            raise errors.Invalid.at("password", "INVALID", "The email address or the password is wrong.")
        signed_in = await self._open_sign_in(user, address)
        await self._attempts.succeeded(attempt)
        return signed_in

    async def redeem_link(self, token: str, address: str | None = None) -> SignedIn:
        """Sign in with the token of a setup link. Raises Unauthenticated or Unavailable."""
        # The user as of the redemption: if the password is changed meanwhile, this sign-in is void.
        user = await self._setup_tokens.redeem(token, address)
        if user.disabled_at is not None:
            raise errors.Unauthenticated("The user this link was created for may no longer sign in.")
        return await self._open_sign_in(user, address)

    async def sign_out(self, token: str, user_id: str, address: str | None = None) -> bool:
        """End the sign-in of this token; returns whether there was one. Raises Unavailable.

        Other kinds of tokens are not affected.
        """
        if not await self._sign_ins.close(token):  # ended already, perhaps by the same request
            return False
        self._credential_cache.forget_user(user_id)
        async with self._database.begin() as db:
            audit.record_event(db, Kind.SIGNED_OUT, actor=user_id, subject=user_id, address=address)
        return True

    async def change_password(self, caller: Caller, current: str | None, new: str, address: str | None = None) -> None:
        """Set a new password, given the current one if there is one. Ends all sign-ins, including this one.

        A first password cannot be set with a token or JWT: a stolen token would become permanent access.
        Raises Invalid, RateLimited after too many attempts, Unauthenticated if the caller's credential has ended
        meanwhile, Unavailable.
        """
        passwords.check_length(new, "newPassword")
        # Read before the password: every change of that raises the generation.
        (user,) = await self._users.by_ids([caller.user.id])
        user = user or caller.user
        if await self._users.has_password(user.id):
            knows_address = partial(self._knows_address, user.email, address)
            attempt = await self._attempts.begin(user.email, address, knows_address)
            if not await self._verify_password(user, current or ""):
                await self._users.require_valid(caller)  # raises if a new password, set meanwhile, ended the credential
                raise errors.Invalid.at("currentPassword", "INVALID", "This is not the current password.")
            await self._attempts.succeeded(attempt)
        elif not caller.is_interactive:
            raise errors.Invalid.at("currentPassword", "INVALID", _LINK_NEEDED)
        await self._users.change_own_password(caller, user.sign_in_generation, new, address)

    async def _knows_address(self, email: str, address: str | None) -> bool:
        """Whether the user with this email address has signed in from this address before."""
        user = await self._users.by_email(email)
        async with self._database.read() as db:  # also without a user, so that it takes the same time
            return await audit.was_signed_in_from(db, user.id if user else "", address or "")

    async def _verify_password(self, user: models.User | None, password: str) -> bool:
        """Whether the password is the user's. A hash with outdated parameters is renewed."""
        # Also queried without a user, so that every attempt takes the same time.
        statement = select(models.Password.password_hash).where(models.Password.user_id == (user.id if user else ""))
        async with self._database.read() as db:
            stored = await db.scalar(statement)
        right = await self._passwords.verify(stored, password)
        if right and stored is not None and self._passwords.is_outdated(stored):
            renewed = await self._passwords.hash(password)
            async with self._database.begin() as db:
                # Only if the password has not been changed meanwhile.
                await db.execute(
                    update(models.Password).where(models.Password.password_hash == stored).values(password_hash=renewed)
                )
        return right

    async def _open_sign_in(self, user: models.User, address: str | None) -> SignedIn:
        # The generation read with the password: if the password is changed meanwhile, this sign-in is void.
        token, opened = await self._sign_ins.open(user.id, user.sign_in_generation, address)
        await self._record_event(Kind.SIGNED_IN, user, address)
        return SignedIn(token, opened.expires_at, user)

    async def _record_event(self, kind: Kind, user: models.User | None, address: str | None) -> None:
        """A failed sign-in has no actor: the sender did not prove that the account is theirs."""
        subject = user.id if user is not None else None
        actor = subject if kind is Kind.SIGNED_IN else None
        async with self._database.begin() as db:
            audit.record_event(db, kind, actor=actor, subject=subject, address=address)
