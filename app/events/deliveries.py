"""Read and update the events that wait for delivery, and delete those that have been kept long enough."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import Select, bindparam, delete, func, or_, select, update
from sqlalchemy.orm import Session, aliased

from app.database import models
from app.database.protocol import Database

BATCH_SIZE = 100
# Rows that one transaction deletes.
_DELETED_AT_ONCE = 1000
# How long events wait for a destination that the settings no longer name.
_FORGOTTEN = timedelta(days=7)
_PAUSE_SECONDS = 3600.0


@dataclass(frozen=True, slots=True)
class WaitingEvent:
    """An event that waits for a destination, which has refused it `attempts` times."""

    sequence: int
    event_id: str
    order_key: str
    attempts: int
    created_at: datetime
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class WaitingCount:
    """How many events wait for a destination, and since when the oldest has waited."""

    count: int = 0
    oldest: datetime | None = None


@dataclass(frozen=True, slots=True)
class Retry:
    """When to deliver an event again, and how often this was tried."""

    sequence: int
    attempts: int
    due_at: datetime


@dataclass(frozen=True, slots=True)
class OldRows:
    """Deliveries and events to delete."""

    sequences: Sequence[int]
    event_ids: Sequence[str]


def _select_waiting() -> Select[int, str, str, int, datetime, dict[str, Any]]:
    """Select the events that a destination can get now, oldest first.

    An event that the destination refused holds back those after it with the same key, and no others.
    """
    delivery, earlier, event = models.EventDelivery, aliased(models.EventDelivery), models.OutboxEvent
    is_held_back = (
        select(earlier.sequence)
        .where(
            earlier.destination == delivery.destination,
            earlier.order_key == delivery.order_key,
            earlier.sequence < delivery.sequence,
            earlier.due_at > bindparam("now"),
        )
        .exists()
    )
    columns = (delivery.sequence, event.id, delivery.order_key, delivery.attempts, event.created_at, event.body)
    return (
        select(*columns)
        .join(event, event.id == delivery.event_id)
        .where(
            delivery.destination == bindparam("destination"),
            or_(delivery.due_at.is_(None), delivery.due_at <= bindparam("now")),
            ~is_held_back,
        )
        .order_by(delivery.sequence)
        .limit(BATCH_SIZE)
    )


_SELECT_WAITING = _select_waiting()
_IS_FOR = models.EventDelivery.destination == bindparam("destination")
_NEXT_DUE = (
    select(models.EventDelivery.due_at, models.EventDelivery.attempts)
    .where(_IS_FOR, models.EventDelivery.due_at.is_not(None))
    .order_by(models.EventDelivery.due_at)
    .limit(1)
)
_END_PAUSES = (
    update(models.EventDelivery)
    .where(models.EventDelivery.destination == bindparam("of"), models.EventDelivery.due_at.is_not(None))
    .values(due_at=None)
)
_DELETE_DELIVERIES = delete(models.EventDelivery).where(
    models.EventDelivery.sequence.in_(bindparam("sequences", expanding=True))
)
_POSTPONE = (
    update(models.EventDelivery)
    .where(models.EventDelivery.sequence == bindparam("of"))
    .values(attempts=bindparam("new_attempts"), due_at=bindparam("new_due_at"))
)
_IS_WAITING = (
    select(models.EventDelivery.sequence).where(models.EventDelivery.event_id == models.OutboxEvent.id).exists()
)
_DELETE_EVENTS = delete(models.OutboxEvent).where(
    models.OutboxEvent.id.in_(bindparam("ids", expanding=True)), ~_IS_WAITING
)


def read_waiting(db: Session, destination: str) -> list[WaitingEvent]:
    """The next events that a destination can get."""
    rows = db.connection().execute(_SELECT_WAITING, {"destination": destination, "now": models.now()})
    return [WaitingEvent(*row) for row in rows]


def read_next_due(db: Session, destination: str) -> tuple[datetime, int] | None:
    """When the next event that a destination refused is due, and how often it was refused; None without any."""
    row = db.execute(_NEXT_DUE, {"destination": destination}).one_or_none()
    return None if row is None else (row.due_at, row.attempts)


def end_pauses(db: Session, destination: str) -> None:
    """Make all events that a destination refused due now."""
    db.connection().execute(_END_PAUSES, {"of": destination})


def settle_events(
    db: Session, ended: Sequence[WaitingEvent], postponed: Sequence[Retry], *, keeps_events: bool
) -> None:
    """Delete deliveries that have ended, and postpone others. Events without deliveries are deleted, unless kept."""
    connection = db.connection()
    if postponed:
        connection.execute(
            _POSTPONE,
            [{"of": each.sequence, "new_attempts": each.attempts, "new_due_at": each.due_at} for each in postponed],
        )
    if ended:
        connection.execute(_DELETE_DELIVERIES, {"sequences": [each.sequence for each in ended]})
        if not keeps_events:
            connection.execute(_DELETE_EVENTS, {"ids": [each.event_id for each in ended]})


def drop_oldest(db: Session, destination: str, maximum: int, *, keeps_events: bool) -> int:
    """Delete the oldest deliveries of a destination beyond a maximum; returns how many. At most 1,000 at once."""
    of_destination = models.EventDelivery.destination == destination
    surplus = (db.scalar(select(func.count()).where(of_destination)) or 0) - maximum
    if surplus <= 0:
        return 0
    oldest = select(models.EventDelivery.sequence, models.EventDelivery.event_id).where(of_destination)
    rows = db.execute(oldest.order_by(models.EventDelivery.sequence).limit(min(surplus, _DELETED_AT_ONCE))).all()
    connection = db.connection()
    connection.execute(_DELETE_DELIVERIES, {"sequences": [row.sequence for row in rows]})
    if not keeps_events:
        connection.execute(_DELETE_EVENTS, {"ids": [row.event_id for row in rows]})
    return len(rows)


def _find_old_rows(db: Session, destinations: Sequence[str], max_age: timedelta) -> OldRows | None:
    """Events older than `max_age`, and old deliveries to other than these `destinations`.

    At most 1,000 of either; None if there are none.
    """
    delivery, event = models.EventDelivery, models.OutboxEvent
    abandoned = (
        select(delivery.sequence)
        .join(event, event.id == delivery.event_id)
        .where(delivery.destination.not_in(destinations), event.created_at < models.now() - _FORGOTTEN)
        .limit(_DELETED_AT_ONCE)
    )
    old = select(event.id).where(event.created_at < models.now() - max_age, ~_IS_WAITING).limit(_DELETED_AT_ONCE)
    found = OldRows(db.scalars(abandoned).all(), db.scalars(old).all())
    return found if found.sequences or found.event_ids else None


def _delete_rows(db: Session, rows: OldRows) -> None:
    """Delete old deliveries and events."""
    connection = db.connection()
    if rows.sequences:
        connection.execute(_DELETE_DELIVERIES, {"sequences": rows.sequences})
    if rows.event_ids:
        connection.execute(_DELETE_EVENTS, {"ids": rows.event_ids})


def count_waiting(db: Session) -> dict[str, WaitingCount]:
    """How many events wait, by destination."""
    delivery = models.EventDelivery
    counts = select(delivery.destination, func.count(), func.min(delivery.sequence)).group_by(delivery.destination)
    rows = db.execute(counts).all()
    oldest = (
        select(delivery.sequence, models.OutboxEvent.created_at)
        .join(models.OutboxEvent, models.OutboxEvent.id == delivery.event_id)
        .where(delivery.sequence.in_([first for _, _, first in rows]))
    )
    moments = {row.sequence: row.created_at for row in db.execute(oldest)} if rows else {}
    return {destination: WaitingCount(count, moments.get(first)) for destination, count, first in rows}


class EventUpkeep:
    """Deletes events that have been kept long enough, at most once an hour."""

    def __init__(self, database: Database, destinations: Sequence[str], max_age: timedelta) -> None:
        self._database = database
        self._destinations = list(destinations)
        self._max_age = max_age
        self._next_at = 0.0

    async def delete_old_events(self) -> None:
        """Delete old events and deliveries, unless this was done within the last hour. Raises Unavailable."""
        if time.monotonic() < self._next_at:
            return
        find = partial(_find_old_rows, destinations=self._destinations, max_age=self._max_age)
        while old := await self._database.run_read(find):
            await self._database.run_write(partial(_delete_rows, rows=old))
        self._next_at = time.monotonic() + _PAUSE_SECONDS
