"""Health: every component of the server is asked how it is."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.exc import SQLAlchemyError

from app import errors
from app.accounts.redis_client import RedisClient
from app.database.engine import Database
from app.providers.registry import ProviderHealth
from app.services.backend import Backend

_DATABASE_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Component:
    """A component of the server and its state: OK, DEGRADED or DOWN."""

    name: str
    status: str
    detail: str | None
    latency_ms: float | None


def worst(components: Sequence[Component]) -> str:
    """The state of the whole server: that of its worst component."""
    statuses = {component.status for component in components}
    return next((status for status in ("DOWN", "DEGRADED") if status in statuses), "OK")


async def check_health(backend: Backend) -> Sequence[Component]:
    """The state of every component, asked now."""
    components = [await _check_database(backend.database), await _check_background_work(backend)]
    if backend.accounts.redis is not None:
        components.append(await _check_redis(backend.accounts.redis))
    return [*components, *map(_provider, await backend.models.check_health())]


async def _check_database(database: Database) -> Component:
    start = time.perf_counter()
    try:
        async with asyncio.timeout(_DATABASE_SECONDS):
            await database.probe()
    except TimeoutError:
        return Component("database", "DEGRADED", "The database is busy writing.", None)
    except (errors.Unavailable, SQLAlchemyError) as error:
        return Component("database", "DOWN", str(error), None)
    return Component("database", "OK", None, (time.perf_counter() - start) * 1000)


async def _check_redis(remote: RedisClient) -> Component:
    """Without Redis nobody can sign in, and sign-ins are not recognized; access tokens still work."""
    start = time.perf_counter()
    try:
        await remote.ping()
    except errors.Unavailable as error:
        return Component("redis", "DEGRADED", error.message, None)
    return Component("redis", "OK", None, (time.perf_counter() - start) * 1000)


async def _check_background_work(backend: Backend) -> Component:
    """Without its background tasks the server finishes no answer and no document."""
    ended = [name for name, task in backend.background_tasks.items() if task.done()]
    if ended:
        return Component("work", "DOWN", f"Background work has ended: {', '.join(ended)}. Restart the server.", None)
    try:
        waiting = await backend.knowledge.ingestion.queue.count_queued()
    except (errors.Unavailable, SQLAlchemyError):
        return Component("work", "DEGRADED", "Waiting documents cannot be counted now.", None)
    if waiting and (reason := backend.knowledge.ingestion.queue.pauses.pause_reason()):
        return Component(
            "work", "DEGRADED", f"{waiting} documents are waiting for their embedding model: {reason}", None
        )
    return Component("work", "OK", f"{waiting} documents are waiting." if waiting else None, None)


def _provider(reached: ProviderHealth) -> Component:
    """A provider that does not answer degrades the server: documents can still be read and searched by words."""
    waiting = f"{reached.waiting_requests} requests are waiting for their turn." if reached.waiting_requests else None
    status = "DEGRADED" if reached.problem else "OK"
    return Component(reached.provider, status, reached.problem or waiting, reached.latency_ms)
