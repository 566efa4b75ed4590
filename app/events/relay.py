"""The relay: delivers events at least once, in order, to each destination at its own pace.

One process at a time delivers, by a lease. An event leaves the outbox only after its destination has confirmed it, so
a crash in between delivers it again, with the same id. A server that stops writes down what was confirmed before, and
waits a moment for what is under way. While nothing waits, nothing runs.
"""

import asyncio
import logging
import random
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from app import errors
from app.database import models
from app.database.protocol import Database
from app.events import deliveries
from app.events.deliveries import Retry, WaitingEvent
from app.events.publisher import DestinationDown, EventRefused, Publisher
from app.events.relay_lease import RelayLease
from app.notifier import topics
from app.notifier.protocol import Notifier
from app.notifier.subscription import TopicSubscription
from app.observation.observer import EventDeliveryRecord, Observer
from app.observation.outages import OutageLog

log = logging.getLogger(__name__)

# Events that follow each other closely are read and deleted together.
_GATHER_SECONDS = 0.05
# Simultaneous deliveries to one destination, each with another order key.
_AT_ONCE = 8
# No delivery begins later than this after a check of the lease. A delivery takes at most 30 seconds; the lease lasts
# longer.
_BATCH_SECONDS = 10.0
# How long a delivery that has begun may still take when the server stops.
_LAST_SECONDS = 2.0
# How often to check, while events wait, whether the process that should deliver them is still alive.
_STANDBY_SECONDS = 2.0
# How long an unused connection stays open.
_IDLE_SECONDS = 60.0
# How long to wait before trying a database again that cannot be used.
_RETRY_SECONDS = 1.0
# The range of factors that pauses are multiplied by, so that not all end at once.
_JITTER = 0.8, 1.2
# How far apart the clocks of servers may be.
_CLOCKS_DIFFER_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class RelayLimits:
    """How many events may wait for one destination; and whether events are kept after delivery."""

    max_waiting: int
    keeps_events: bool


@dataclass(slots=True)
class DestinationState:
    """The state of a destination as this process has seen it. `dropped` counts events since its start."""

    failures: int = 0
    problem: str | None = None
    dropped: int = 0


@dataclass(slots=True)
class _Batch:
    """The results of delivering some events. Once it `is_stopped`, no other delivery begins."""

    delivered: list[WaitingEvent] = field(default_factory=list[WaitingEvent])
    refused: list[tuple[WaitingEvent, str]] = field(default_factory=list[tuple[WaitingEvent, str]])
    down: DestinationDown | None = None
    is_stopped: bool = False


class EventRelay:
    """Delivers events for as long as the server runs."""

    def __init__(
        self,
        database: Database,
        notifier: Notifier,
        observer: Observer,
        lease: RelayLease,
        publishers: Sequence[Publisher],
        limits: RelayLimits,
    ) -> None:
        self._database = database
        self._notifier = notifier
        self._observer = observer
        self._lease = lease
        self._leasing = asyncio.Lock()
        self._limits = limits
        self._outages = OutageLog(log, "events wait for the database", "events are read again")
        self.publishers = tuple(publishers)
        self.states = {publisher.key: DestinationState() for publisher in publishers}

    async def run(self) -> None:
        """Deliver waiting events, again and again; at the end, let another process take over."""
        try:
            async with asyncio.TaskGroup() as group:
                for publisher in self.publishers:
                    group.create_task(self._serve_destination(publisher))
        finally:
            with suppress(errors.Unavailable, SQLAlchemyError):
                if await self._lease.release():
                    self._notifier.notify(topics.OUTBOX)

    async def _serve_destination(self, publisher: Publisher) -> None:
        with self._notifier.subscribe(topics.OUTBOX) as changes:
            try:
                while True:
                    try:
                        await self._deliver_waiting(publisher)
                        seconds = await self._seconds_until_due(publisher)
                        self._outages.report_success()
                    except (errors.Unavailable, SQLAlchemyError) as error:
                        self._outages.report_failure(error)
                        await asyncio.sleep(_RETRY_SECONDS)
                        continue
                    await _wait_for_events(changes, seconds, publisher)
            finally:
                await publisher.close()

    async def _deliver_waiting(self, publisher: Publisher) -> None:
        """Deliver all events that a destination can get now. New events do not shorten the pauses."""
        while waiting := await self._database.run_read(partial(deliveries.read_waiting, destination=publisher.key)):
            async with self._leasing:
                is_ours = await self._lease.hold()
            if not is_ours:
                await asyncio.sleep(_STANDBY_SECONDS)
                continue
            batch = await self._deliver_batch(publisher, waiting)
            if batch.down is not None:
                pause = publisher.when_down.pause_after(self.states[publisher.key].failures)
                await asyncio.sleep(max(batch.down.retry_after or 0.0, pause * _draw_jitter()))

    async def _deliver_batch(self, publisher: Publisher, waiting: Sequence[WaitingEvent]) -> _Batch:
        """Deliver events, and write the results. If this is cancelled, they are still written, within seconds."""
        batch = _Batch()
        publishing = asyncio.create_task(_publish_in_order(publisher, waiting, batch))
        settling = asyncio.create_task(self._settle_published(publisher, batch, publishing))
        try:
            await asyncio.shield(settling)
        except asyncio.CancelledError:
            batch.is_stopped = True
            await asyncio.wait([publishing], timeout=_LAST_SECONDS)
            publishing.cancel()
            await asyncio.gather(settling, return_exceptions=True)  # unwritten results lead to another delivery
            raise
        return batch

    async def _settle_published(self, publisher: Publisher, batch: _Batch, publishing: asyncio.Task[None]) -> None:
        await asyncio.wait([publishing])
        await self._settle(publisher, batch)
        if not publishing.cancelled():
            publishing.result()  # raises unexpected errors

    async def _seconds_until_due(self, publisher: Publisher) -> float | None:
        """Seconds until a refused event is to be delivered again; None if there is none."""
        next_due = await self._database.run_read(partial(deliveries.read_next_due, destination=publisher.key))
        if next_due is None:
            return None
        due_at, attempts = next_due
        seconds = (due_at - models.now()).total_seconds()
        longest = publisher.when_refused.pause_after(attempts) * _JITTER[1]
        if seconds > longest + _CLOCKS_DIFFER_SECONDS:  # the clock was set back
            await self._database.run_write(partial(deliveries.end_pauses, destination=publisher.key))
            return 0.0
        return max(0.0, seconds)

    async def _settle(self, publisher: Publisher, batch: _Batch) -> None:
        """Write the results of a batch, and report them."""
        retries, given_up = _decide_retries(publisher, batch.refused)
        settled = [*batch.delivered, *given_up]
        if settled or retries:
            keeps = self._limits.keeps_events
            await self._database.run_write(
                lambda db: deliveries.settle_events(db, settled, retries, keeps_events=keeps)
            )
        dropped = await self._drop_surplus(publisher) if batch.down or batch.refused else 0
        self._update_state(publisher, batch)
        self.states[publisher.key].dropped += dropped + len(given_up)
        self._report(publisher, batch, given_up, dropped)

    async def _drop_surplus(self, publisher: Publisher) -> int:
        """Delete the oldest events beyond the maximum; returns how many."""
        dropped = 0

        def drop(db: Session) -> int:
            limits = self._limits
            return deliveries.drop_oldest(db, publisher.key, limits.max_waiting, keeps_events=limits.keeps_events)

        while deleted := await self._database.run_write(drop):
            dropped += deleted
        if dropped:
            log.error(
                "%d events for %s were dropped, because more than %d waited",
                dropped,
                publisher.description,
                self._limits.max_waiting,
            )
        return dropped

    def _update_state(self, publisher: Publisher, batch: _Batch) -> None:
        """Remember how the destination is doing, and log when that changes."""
        state = self.states[publisher.key]
        problem = str(batch.down) if batch.down else batch.refused[-1][1] if batch.refused else None
        if problem is not None and problem != state.problem:
            log.warning("events wait for %s: %s", publisher.description, problem)
        elif problem is None and state.problem is not None:
            log.info("events are delivered to %s again", publisher.description)
        state.problem = problem
        failed_before = 0 if batch.delivered else state.failures
        state.failures = failed_before + 1 if batch.down else 0

    def _report(self, publisher: Publisher, batch: _Batch, given_up: Sequence[WaitingEvent], dropped: int) -> None:
        for event in given_up:
            log.error("an event was given up for %s, event=%s", publisher.description, event.body["eventId"])
        moment = models.now()
        self._observer.observe(
            EventDeliveryRecord(
                destination=publisher.label,
                lag_seconds=tuple(max(0.0, (moment - each.created_at).total_seconds()) for each in batch.delivered),
                refused=len(batch.refused),
                unreachable=int(batch.down is not None),
                given_up=len(given_up),
                dropped=dropped,
            )
        )


async def _wait_for_events(changes: TopicSubscription, seconds: float | None, publisher: Publisher) -> None:
    """Wait for new events, for at most `seconds`. Unused connections are closed."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            try:
                async with asyncio.timeout(_IDLE_SECONDS):
                    await changes.wait()
            except TimeoutError:
                await publisher.close()
                await changes.wait()
            await asyncio.sleep(_GATHER_SECONDS)


def _draw_jitter() -> float:
    return random.uniform(*_JITTER)  # noqa: S311 - spreads requests, hides nothing


async def _publish_in_order(publisher: Publisher, waiting: Sequence[WaitingEvent], batch: _Batch) -> None:
    """Publish events: those with the same order key one by one, up to the first that fails; others simultaneously."""
    by_key = defaultdict[str, list[WaitingEvent]](list)
    for event in waiting:
        by_key[event.order_key].append(event)
    ends_at, slots = time.monotonic() + _BATCH_SECONDS, asyncio.Semaphore(_AT_ONCE)

    async def publish(events: Sequence[WaitingEvent]) -> None:
        for event in events:
            async with slots:
                if batch.down is not None or batch.is_stopped or time.monotonic() > ends_at:
                    return
                try:
                    await publisher.publish(event.body)
                except EventRefused as error:
                    batch.refused.append((event, str(error)))
                    return
                except DestinationDown as error:
                    batch.down = error
                    return
                batch.delivered.append(event)

    async with asyncio.TaskGroup() as group:
        for events in by_key.values():
            group.create_task(publish(events))


def _decide_retries(
    publisher: Publisher, refused: Sequence[tuple[WaitingEvent, str]]
) -> tuple[list[Retry], list[WaitingEvent]]:
    """When to deliver refused events again, and those that are given up."""
    rule, moment = publisher.when_refused, models.now()
    retries: list[Retry] = []
    given_up: list[WaitingEvent] = []
    for event, _ in refused:
        attempts = event.attempts + 1
        if rule.max_attempts is not None and attempts >= rule.max_attempts:
            given_up.append(event)
        else:
            due_at = moment + timedelta(seconds=rule.pause_after(attempts) * _draw_jitter())
            retries.append(Retry(event.sequence, attempts, due_at))
    return retries, given_up
