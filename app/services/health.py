"""Health: check every component of the server."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy.exc import SQLAlchemyError

from app import errors
from app.database.protocol import Database
from app.providers.registry import ProviderHealth
from app.services.backend import Backend
from app.services.outgoing.events import Events

_DATABASE_SECONDS = 2.0
# The shortest time between the starts of two checks, however many clients ask.
_PAUSE_SECONDS = 0.05
# Events that wait for longer are reported, whether or not this process tries to deliver them.
_EVENT_SECONDS = 60.0


class HealthStatus(StrEnum):
    """The health of a component, from best to worst."""

    OK = "OK"
    DEGRADED = "DEGRADED"
    DOWN = "DOWN"


@dataclass(frozen=True, slots=True)
class Component:
    """A component of the server and its health."""

    name: str
    status: HealthStatus
    detail: str | None
    latency_ms: float | None


def worst(components: Sequence[Component]) -> HealthStatus:
    """The status of the whole server: that of its least healthy component."""
    return max((component.status for component in components), key=list(HealthStatus).index, default=HealthStatus.OK)


class SharedCheck:
    """A check that does not run too often; callers who ask while it runs share its result.

    Anyone may ask, and checking the database writes to it.
    """

    def __init__(self, check: Callable[[], Awaitable[Sequence[Component]]]) -> None:
        self._check = check
        self._running: asyncio.Task[Sequence[Component]] | None = None
        self._next_at = 0.0

    async def result(self) -> Sequence[Component]:
        """The result of the check that is running, or of one that starts now or in a moment."""
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._run())
        return await asyncio.shield(self._running)  # others may wait for it when this caller leaves

    async def _run(self) -> Sequence[Component]:
        await asyncio.sleep(max(0.0, self._next_at - time.monotonic()))
        self._next_at = time.monotonic() + _PAUSE_SECONDS
        return await self._check()


async def check_dependencies(backend: Backend) -> Sequence[Component]:
    """The health of the servers that this one depends on: Redis, destinations of events, and providers of models."""
    components: list[Component] = []
    if backend.accounts.probe_redis is not None:
        components.append(await _check_redis(backend.accounts.probe_redis))
    if backend.events.relay.publishers:
        components.append(await _check_events(backend.events))
    return [*components, *map(_provider_component, await backend.models.check_health())]


class OwnHealthCheck:
    """Checks the server itself, without the servers that it depends on.

    Clients get an answer in time, however slow the database is: a single probe waits for it, across several checks.
    Cancelling the probe would not help, because that waits for the database, too.
    """

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._probe: asyncio.Task[Component] | None = None
        self._probe_began = 0.0
        self._last_result: Component | None = None

    async def close(self) -> None:
        """Stop waiting for the database, which is about to be closed."""
        if self._probe is not None:
            self._probe.cancel()
            await asyncio.wait({self._probe})

    async def check(self) -> Sequence[Component]:
        """The health of the database and of the background work."""
        return await asyncio.gather(self._check_database(), _check_background_work(self._backend))

    async def _check_database(self) -> Component:
        if self._probe is not None and self._probe.done():
            self._take_result(self._probe)
        if self._probe is None:
            self._probe_began = time.monotonic()
            self._probe = asyncio.create_task(_probe_database(self._backend.database))
        probe = self._probe
        await asyncio.wait({probe}, timeout=_DATABASE_SECONDS)
        if probe.done():
            return self._take_result(probe)
        if self._last_result is not None and self._last_result.status is HealthStatus.DOWN:
            return self._last_result
        if time.monotonic() - self._probe_began > self._backend.database.longest_probe_seconds:
            return Component("database", HealthStatus.DOWN, "The database server does not respond.", None)
        return Component("database", HealthStatus.DEGRADED, "The database is busy writing.", None)

    def _take_result(self, probe: asyncio.Task[Component]) -> Component:
        """The result of a probe that has ended; the next check starts another, even if this one raises."""
        self._probe = None
        self._last_result = probe.result()
        return self._last_result


async def _probe_database(database: Database) -> Component:
    start = time.perf_counter()
    try:
        await database.probe()
    except (errors.Unavailable, SQLAlchemyError) as error:
        return Component("database", HealthStatus.DOWN, str(error), None)
    return Component("database", HealthStatus.OK, None, (time.perf_counter() - start) * 1000)


async def _check_redis(probe: Callable[[], Awaitable[None]]) -> Component:
    """Without Redis, no one can sign in and existing sign-ins are not recognized; access tokens still work."""
    start = time.perf_counter()
    try:
        await probe()
    except errors.Unavailable as error:
        return Component("redis", HealthStatus.DEGRADED, error.message, None)
    return Component("redis", HealthStatus.OK, None, (time.perf_counter() - start) * 1000)


async def _check_background_work(backend: Backend) -> Component:
    """Without its background tasks, the server finishes no answers and no documents."""
    failing = [name for name, work in backend.background_work.items() if work.is_failing]
    if failing:
        problem = f"Background work failed and is restarted: {', '.join(failing)}. The log says why."
        return Component("work", HealthStatus.DOWN, problem, None)
    try:
        async with asyncio.timeout(_DATABASE_SECONDS):
            queued = await backend.knowledge.ingestion.queue.describe_queued()
    except (TimeoutError, errors.Unavailable, SQLAlchemyError):
        return Component("work", HealthStatus.DEGRADED, "Waiting documents cannot be counted now.", None)
    if queued.held_up:
        detail = f"Documents waiting for their embedding model: {queued.held_up}. {queued.reason}"
        return Component("work", HealthStatus.DEGRADED, detail, None)
    return Component("work", HealthStatus.OK, f"Documents waiting: {queued.count}." if queued.count else None, None)


async def _check_events(events: Events) -> Component:
    """A destination that cannot be reached does no harm here: its events wait."""
    try:
        async with asyncio.timeout(_DATABASE_SECONDS):
            waiting = await events.describe_waiting()
    except (TimeoutError, errors.Unavailable, SQLAlchemyError):
        return Component("events", HealthStatus.DEGRADED, "Waiting events cannot be counted now.", None)
    problems: list[str] = []
    for publisher in events.relay.publishers:
        backlog, state = waiting[publisher.label], events.relay.states[publisher.key]
        if state.problem or backlog.oldest_seconds > _EVENT_SECONDS:
            problems.append(
                f"Events waiting for {publisher.description}: {backlog.count}, the oldest for "
                f"{backlog.oldest_seconds:.0f} seconds. {state.problem or ''}".strip()
            )
        if state.dropped:
            problems.append(f"Events for {publisher.description} given up since the server's start: {state.dropped}.")
    total = sum(each.count for each in waiting.values())
    if problems:
        return Component("events", HealthStatus.DEGRADED, " ".join(problems), None)
    return Component("events", HealthStatus.OK, f"Events waiting: {total}." if total else None, None)


def _provider_component(health: ProviderHealth) -> Component:
    """An unreachable provider degrades the server: documents can still be read, and searched by words.

    One that fails for a single user does not: no user should be able to make the server look unhealthy.
    """
    details = [f"For some user, {health.user_problem}"] if health.user_problem else []
    if health.waiting_requests:
        details.append(f"Requests waiting for their turn: {health.waiting_requests}.")
    status = HealthStatus.DEGRADED if health.problem else HealthStatus.OK
    return Component(health.provider, status, health.problem or " ".join(details) or None, health.latency_ms)
