"""The audit trail: who did what to accounts and members, when and from where.

It contains no secrets, and nothing that was typed into a form. Even the email address of a failed sign-in is left out
if it belongs to no user: people type passwords into the wrong field.
"""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from sqlalchemy import ColumnElement, delete, or_, select, true, update
from sqlalchemy.ext.asyncio import AsyncSession

from app import addresses
from app.database import models
from app.database.protocol import Database

# How many addresses of a user are compared with a new one.
_MAX_ADDRESSES = 1000


class Kind(StrEnum):
    """The kinds of events."""

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


def record_event(
    db: AsyncSession,
    kind: Kind,
    *,
    actor: str | None = None,
    subject: str | None,
    project: str | None = None,
    address: str | None = None,
    details: Details | None = None,
) -> None:
    """Add an event to the transaction of the change it describes. `actor`, `subject` and `project` are ids."""
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


async def erase_details(db: AsyncSession, user_id: str) -> None:
    """Erase the addresses and details of a user's events. The events stay, with an id that belongs to nobody."""
    await db.execute(
        update(models.AuditEvent)
        .where(or_(models.AuditEvent.actor_id == user_id, models.AuditEvent.subject_id == user_id))
        .values(address=None, details={})
    )


async def was_signed_in_from(db: AsyncSession, user_id: str, address: str) -> bool:
    """Whether the user has signed in from this address, or its network, as far as the trail goes back."""
    event, network = models.AuditEvent, addresses.client_network(address)
    signed_in = (event.subject_id == user_id, event.kind == Kind.SIGNED_IN.value, event.address.is_not(None))
    found = await db.scalars(select(event.address).where(*signed_in).distinct().limit(_MAX_ADDRESSES))
    return any(known is not None and addresses.client_network(known) == network for known in found)


class AuditTrail:
    """Read and prune the trail."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def newest_events(self, limit: int) -> list[models.AuditEvent]:
        """The last events, newest first."""
        return await self._read_newest(true(), limit)

    async def events_of_user(self, user_id: str, limit: int = 100) -> list[models.AuditEvent]:
        """The last events by or about a user, newest first."""
        events = models.AuditEvent
        return await self._read_newest(or_(events.actor_id == user_id, events.subject_id == user_id), limit)

    async def events_of_project(self, project_id: str, limit: int) -> list[models.AuditEvent]:
        """The last events in a project, newest first."""
        return await self._read_newest(models.AuditEvent.project_id == project_id, limit)

    async def _read_newest(self, matching: ColumnElement[bool], limit: int) -> list[models.AuditEvent]:
        statement = select(models.AuditEvent).where(matching).order_by(models.AuditEvent.id.desc()).limit(limit)
        async with self._database.read() as db:
            return list(await db.scalars(statement))

    async def prune_events(self, older_than: datetime) -> None:
        """Delete events older than `older_than`. Raises Unavailable."""
        # Ids begin with the time in milliseconds, so the old ones are found through the primary key.
        first_kept = f"{int(older_than.timestamp() * 1000):012x}"
        old = models.AuditEvent.id < first_kept
        async with self._database.read() as db:
            if await db.scalar(select(models.AuditEvent.id).where(old).limit(1)) is None:
                return
        async with self._database.begin() as db:
            await db.execute(delete(models.AuditEvent).where(old))
