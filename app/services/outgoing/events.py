"""Set up events: the outbox, and the relay with a publisher for each destination.

Clients of brokers and of HTTP are imported only if settings name a destination.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from app import errors
from app.database import models
from app.database.leases import LeaseOwner
from app.database.protocol import Database
from app.events import deliveries
from app.events.deliveries import EventUpkeep, WaitingCount
from app.events.outbox import Outbox
from app.events.publisher import Publisher
from app.events.relay import EventRelay, RelayLimits
from app.events.relay_lease import RelayLease
from app.notifier import topics
from app.notifier.protocol import Notifier
from app.observation.observer import Observer
from app.settings import Settings


@dataclass(frozen=True, slots=True)
class WaitingEvents:
    """How many events wait for a destination, and how long the oldest has waited."""

    count: int
    oldest_seconds: float


@dataclass(frozen=True, slots=True)
class Events:
    """Everything about events."""

    database: Database
    outbox: Outbox
    relay: EventRelay
    upkeep: EventUpkeep

    async def describe_waiting(self) -> Mapping[str, WaitingEvents]:
        """How much waits for each destination, by label. Without destinations, nothing is read. Raises Unavailable."""
        if not self.relay.publishers:
            return {}
        found = await self.database.run_read(deliveries.count_waiting)
        waiting = {publisher.label: found.get(publisher.key, WaitingCount()) for publisher in self.relay.publishers}
        return {label: WaitingEvents(each.count, _seconds_since(each.oldest)) for label, each in waiting.items()}


def open_events(
    settings: Settings,
    database: Database,
    notifier: Notifier,
    process: LeaseOwner,
    observer: Observer,
) -> Events:
    """Everything about events; `process` owns the lease of the relay. Raises StartError."""
    publishers, loop = _open_publishers(settings), asyncio.get_running_loop()
    keys, keeps_events = [publisher.key for publisher in publishers], settings.event_days > 0

    def wake_relay() -> None:  # called on a thread of the database
        loop.call_soon_threadsafe(notifier.notify, topics.OUTBOX)

    return Events(
        database,
        Outbox(keys, keeps_events=keeps_events, with_texts=settings.event_texts, wake_relay=wake_relay),
        EventRelay(
            database,
            notifier,
            observer,
            RelayLease(database, process),
            publishers,
            RelayLimits(settings.max_waiting_events, keeps_events=keeps_events),
        ),
        EventUpkeep(database, keys, timedelta(days=settings.event_days)),
    )


def _open_publishers(settings: Settings) -> list[Publisher]:
    publishers: list[Publisher] = []
    if settings.amqp_url is not None:
        try:
            from app.events.broker import BrokerPublisher
        except ModuleNotFoundError as error:
            raise errors.StartError(
                "AMQP_URL needs the package aio-pika, which is not installed. Run `make run SERVER=1` in a checkout, "
                "install Footnote with the extra `broker`, or leave AMQP_URL empty."
            ) from error
        publishers.append(BrokerPublisher(settings.amqp_url.get_secret_value(), settings.amqp_exchange))
    if settings.webhook_urls:
        if not settings.webhook_keys:
            raise errors.StartError(
                "WEBHOOK_SECRET is missing: events posted to WEBHOOK_URLS are signed. Set it to `whsec_`, followed by "
                "the output of `openssl rand -base64 32`."
            )
        from app.events.webhooks import WebhookPublisher

        for number, url in enumerate(settings.webhook_urls, 1):
            publishers.append(WebhookPublisher(number, url, settings.webhook_keys, settings.webhook_seconds))
    return publishers


def _seconds_since(moment: datetime | None) -> float:
    return 0.0 if moment is None else max(0.0, (models.now() - moment).total_seconds())
