"""The lease by which one process at a time delivers the events of a database."""

import time
from datetime import datetime

from sqlalchemy import insert, or_, select, update
from sqlalchemy.orm import Session

from app.database import models
from app.database.leases import RENEW_SECONDS, LeaseOwner
from app.database.locks import Lock
from app.database.protocol import Database

_NAME = "relay"
_SELECT = select(models.EventRelayLease.owner, models.EventRelayLease.lease_until).where(
    models.EventRelayLease.name == _NAME
)


class RelayLease:
    """Held from the first event that this process delivers until it stops, or another one finds it expired.

    An idle holder does not renew it. So it may be lost to a process that has something to deliver; whoever holds it
    renews it before a delivery, and that fails if it was lost.
    """

    def __init__(self, database: Database, owner: LeaseOwner) -> None:
        self._database = database
        self._owner = owner
        self._renewed_at: float | None = None
        self._is_holder = False

    async def hold(self) -> bool:
        """Whether this process may deliver now, for the next 40 seconds at least. Raises Unavailable."""
        if self._renewed_at is not None and time.monotonic() - self._renewed_at < RENEW_SECONDS:
            return True
        self._renewed_at, self._is_holder = None, False
        found = await self._database.run_read(lambda db: db.execute(_SELECT).one_or_none())
        owner, lease_until = found or (None, None)
        if not self._owner.is_gone(owner, lease_until) and owner != self._owner.name:
            return False
        moment = time.monotonic()
        if await self._database.run_write(lambda db: self._take(db, owner, lease_until), Lock.EVENT_RELAY):
            self._renewed_at, self._is_holder = moment, True
        return self._is_holder

    def _take(self, db: Session, owner: str | None, lease_until: datetime | None) -> bool:
        """Take the lease, unless somebody else has taken or renewed it since it was read."""
        lease = models.EventRelayLease
        if db.execute(_SELECT).one_or_none() is None:
            db.execute(insert(lease).values(name=_NAME))
        is_as_read = (lease.owner == owner) & (lease.lease_until == lease_until)
        taken = (
            update(lease)
            .where(lease.name == _NAME, or_(lease.owner.is_(None), is_as_read))
            .values(owner=self._owner.name, lease_until=self._owner.lease_end())
            .returning(lease.name)
            .execution_options(synchronize_session=False)
        )
        return db.scalar(taken) is not None

    async def release(self) -> bool:
        """Let another process deliver at once; returns whether this one held the lease. Raises Unavailable."""
        if not self._is_holder:
            return False
        self._renewed_at, self._is_holder = None, False
        lease = models.EventRelayLease
        mine = update(lease).where(lease.owner == self._owner.name).values(owner=None, lease_until=None)
        await self._database.run_write(lambda db: db.execute(mine), Lock.EVENT_RELAY)
        return True
