"""The outbox: events are written in the transaction of the change that they report, so that both happen or neither."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import insert
from sqlalchemy.orm import Session

from app.database import models
from app.database.threads import call_after_commit
from app.events.envelope import build_envelope
from app.events.payloads import MAX_TEXT, EventPayload

_INSERT_EVENTS, _INSERT_DELIVERIES = insert(models.OutboxEvent), insert(models.EventDelivery)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened. Events of one `order_key` are delivered in order.

    `correlation_id` goes out: it is an id that the API shows, or that of a request.
    """

    payload: EventPayload
    correlation_id: str
    order_key: str
    project_id: str | None


class Outbox:
    """Writes events to the database, for each of the `destinations`.

    Without destinations, events are only kept, if `keeps_events`; otherwise nothing is written. `wake_relay` is called
    from any thread after a commit.
    """

    def __init__(
        self,
        destinations: Sequence[str] = (),
        *,
        keeps_events: bool = False,
        with_texts: bool = True,
        wake_relay: Callable[[], None] = lambda: None,
    ) -> None:
        self._destinations = tuple(destinations)
        self._with_texts = with_texts
        self._wake_relay = wake_relay
        self.is_on = bool(destinations) or keeps_events
        """Whether events are written; if not, data that only they need is not read."""

    def stored_length(self, text: str) -> int:
        """How many characters of a text an event keeps."""
        return min(len(text), MAX_TEXT) if self._with_texts else 0

    def write_events(self, db: Session, events: Sequence[Event]) -> None:
        """Write events in the caller's transaction. The relay is woken once it is committed."""
        if not (self.is_on and events):
            return
        rows = [self._row(each) for each in events]
        connection = db.connection()
        connection.execute(_INSERT_EVENTS, rows)
        if self._destinations:
            deliveries = [
                {"event_id": row["id"], "destination": destination, "order_key": each.order_key}
                for each, row in zip(events, rows, strict=True)
                for destination in self._destinations
            ]
            connection.execute(_INSERT_DELIVERIES, deliveries)
            call_after_commit(db, self._wake_relay)

    def _row(self, each: Event) -> dict[str, Any]:
        event_id, moment = models.new_id(), models.now()
        body = build_envelope(each.payload, event_id, moment, each.correlation_id, with_texts=self._with_texts)
        return {
            "id": event_id,
            "project_id": each.project_id,
            "event_type": each.payload.event_type,
            "body": body,
            "created_at": moment,
        }
