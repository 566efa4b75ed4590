"""The audit trail: who did what to accounts and members, when and from where. Never a secret.

What somebody typed is not kept, not even the address of a failed sign-in that belongs to nobody: people type passwords
into the wrong field.
"""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from sqlalchemy import ColumnElement, delete, or_, select, true, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.database import models
from app.database.engine import Database


class Kind(StrEnum):
    """What happened."""

    USER_CREATED = "USER_CREATED"
    USER_DISABLED = "USER_DISABLED"
    USER_ENABLED = "USER_ENABLED"
    USER_ERASED = "USER_ERASED"
    DATA_EXPORTED = "DATA_EXPORTED"
    PASSWORD_CHANGED = "PASSWORD_CHANGED"  # noqa: S105 - a kind of event
    SIGNED_IN = "SIGNED_IN"
    SIGN_IN_FAILED = "SIGN_IN_FAILED"
    SIGNED_OUT = "SIGNED_OUT"
    SETUP_REDEEMED = "SETUP_REDEEMED"
    IDENTITY_LINKED = "IDENTITY_LINKED"
    TOKEN_CREATED = "TOKEN_CREATED"  # noqa: S105 - a kind of event
    TOKEN_REVOKED = "TOKEN_REVOKED"  # noqa: S105 - a kind of event
    MEMBER_SET = "MEMBER_SET"
    MEMBER_REMOVED = "MEMBER_REMOVED"


Details = Mapping[str, str | int | None]


def note(
    db: AsyncSession,
    kind: Kind,
    *,
    actor: str | None = None,
    subject: str | None = None,
    project: str | None = None,
    address: str | None = None,
    details: Details | None = None,
) -> None:
    """Write an event with the transaction of what it tells of. `actor`, `subject` and `project` are ids."""
    db.add(
        models.AuditEvent(
            kind=kind.value,
            actor_id=actor,
            subject_id=subject,
            project_id=project,
            address=address[:64] if address else None,
            details=dict(details or {}),
        )
    )


async def forget(db: AsyncSession, user_id: str) -> None:
    """Keep that something happened, and nothing else about this user: an erased user's id points nowhere."""
    await db.execute(
        update(models.AuditEvent)
        .where(or_(models.AuditEvent.actor_id == user_id, models.AuditEvent.subject_id == user_id))
        .values(address=None, details={})
    )


class Audit:
    """The trail, for those who read it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def newest(self, most: int = 100, before: str | None = None) -> list[models.AuditEvent]:
        """What happened to anybody, newest first; `before` is the id of the last one seen."""
        return await self._newest(true(), most, before)

    async def of_user(self, user_id: str, most: int = 100, before: str | None = None) -> list[models.AuditEvent]:
        """What a user did and what was done to them, newest first; `before` is the id of the last one seen."""
        events = models.AuditEvent
        return await self._newest(or_(events.actor_id == user_id, events.subject_id == user_id), most, before)

    async def of_project(self, project_id: str, most: int = 100, before: str | None = None) -> list[models.AuditEvent]:
        """What happened to a project's members, newest first; `before` is the id of the last one seen."""
        return await self._newest(models.AuditEvent.project_id == project_id, most, before)

    async def _newest(self, of: ColumnElement[bool], most: int, before: str | None) -> list[models.AuditEvent]:
        statement = select(models.AuditEvent).where(of).order_by(models.AuditEvent.id.desc()).limit(most)
        if before is not None:
            statement = statement.where(models.AuditEvent.id < before)
        async with self._database.read() as db:
            return list(await db.scalars(statement))

    async def prune(self, older_than: datetime) -> None:
        """Let go of what is older than the operator keeps. Raises Unavailable."""
        # Ids begin with the moment in milliseconds: the first of them are found without looking at the others.
        first_kept = f"{int(older_than.timestamp() * 1000):012x}"
        async with self._database.begin() as db:
            await db.execute(delete(models.AuditEvent).where(models.AuditEvent.id < first_kept))
