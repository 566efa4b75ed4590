"""Users of the identity provider, created or linked when they first sign in."""

import hashlib

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts import audit
from app.accounts.audit import Kind
from app.accounts.identity_provider.claims import Claims
from app.database import models
from app.database.locks import Lock
from app.database.protocol import Database


class Identities:
    """Users by issuer and subject. An email address can be reassigned to another person; a subject never is."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find_or_create_user(self, claims: Claims) -> models.User:
        """The user that the claims identify. Raises Unavailable if they are new and the database cannot be written."""
        async with self._database.read() as db:
            known = await _find_user(db, claims)
        if known is not None:
            return known
        try:
            return await self._link_or_create_user(claims)
        except IntegrityError:
            # Another process was faster.
            async with self._database.read() as db:
                known = await _find_user(db, claims)
            if known is None:
                raise
            return known

    async def _link_or_create_user(self, claims: Claims) -> models.User:
        async with self._database.begin(Lock.IDENTITIES) as db:
            user = await _find_user(db, claims)
            if user is not None:
                return user
            by_email = select(models.User).where(models.User.email == claims.email)
            taken = await db.scalar(by_email) if claims.email is not None else None
            details = {"issuer": claims.issuer}
            if taken is not None and not await _has_identity(db, taken.id, claims.issuer):
                user = taken
            else:
                email = claims.email if claims.email is not None and taken is None else _placeholder_email(claims)
                user = models.User(email=email, name=claims.name)
                db.add(user)
                await db.flush()
                audit.record_event(db, Kind.USER_CREATED, actor=user.id, subject=user.id, details=details)
            db.add(models.Identity(issuer=claims.issuer, subject=claims.subject, user_id=user.id))
            audit.record_event(db, Kind.IDENTITY_LINKED, actor=user.id, subject=user.id, details=details)
        return user


async def _find_user(db: AsyncSession, claims: Claims) -> models.User | None:
    return await db.scalar(
        select(models.User)
        .join(models.Identity, models.Identity.user_id == models.User.id)
        .where(models.Identity.issuer == claims.issuer, models.Identity.subject == claims.subject)
    )


async def _has_identity(db: AsyncSession, user_id: str, issuer: str) -> bool:
    """Whether the user has another subject at this issuer: their address was then given to a new person."""
    mine = select(models.Identity).where(models.Identity.user_id == user_id, models.Identity.issuer == issuer)
    return await db.scalar(mine) is not None


def _placeholder_email(claims: Claims) -> str:
    """A unique address for a user without a verified one; `.invalid` is never delivered to (RFC 2606)."""
    name = hashlib.sha256(f"{claims.issuer}\n{claims.subject}".encode()).hexdigest()[:32]
    return f"{name}@identity.invalid"
