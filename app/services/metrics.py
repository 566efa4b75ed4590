"""The metrics of a server: what was counted since its start, and what it is doing now."""

import asyncio
from collections.abc import Sequence
from typing import Protocol

from app import errors
from app.observation.merged_metrics import Family, merge_families, render
from app.observation.metrics import Metrics
from app.observation.server_state import ServerState
from app.services.backend import Backend

# Prometheus waits for 10 s unless told otherwise.
_DATABASE_SECONDS = 5.0


class OtherProcesses(Protocol):
    """The other server processes that share this one's address."""

    async def collect_metrics(self, own: Sequence[Family]) -> Sequence[Sequence[Family]]:
        """Their metrics, with the final counts of processes that have ended. Raises Unavailable."""
        ...


async def render_metrics(backend: Backend, others: OtherProcesses | None) -> bytes | None:
    """All metrics in the format of Prometheus; None if METRICS is off. Raises Unavailable if the database is lost."""
    if backend.metrics is None:
        return None
    own = await read_metrics(backend)
    return render(own if others is None else merge_families([own, *await others.collect_metrics(own)]))


async def read_metrics(backend: Backend) -> Sequence[Family]:
    """The metrics of this process; empty if METRICS is off. Raises Unavailable if the database is lost or too slow."""
    metrics = backend.metrics
    if metrics is None:
        return []
    try:
        async with asyncio.timeout(_DATABASE_SECONDS):
            state = await _read_state(backend, metrics)
    except TimeoutError as error:
        raise errors.Unavailable("The database does not respond in time.", "database", 1000) from error
    return metrics.read_families(state)


async def _read_state(backend: Backend, metrics: Metrics) -> ServerState:
    queued = await backend.knowledge.ingestion.queue.describe_queued()
    trips = backend.database.trips
    events = await backend.events.describe_waiting()
    caches = backend.knowledge.search.cache.total_uses()
    return ServerState(
        running_answers=backend.chat.turns.tasks.count,
        queued_documents=queued.count,
        oldest_queued_seconds=queued.oldest_seconds,
        waiting_model_requests=backend.models.count_waiting_requests(),
        cache_lookups={"results": caches.results.lookups, "vectors": caches.vectors.lookups},
        cache_hits={"results": caches.results.hits, "vectors": caches.vectors.hits},
        database_trips=trips.count,
        database_wait_seconds=trips.waited_seconds,
        database_lock_seconds=trips.lock_seconds,
        loop_lag_seconds=metrics.loop_lag.read(),
        waiting_events={label: waiting.count for label, waiting in events.items()},
        oldest_event_seconds={label: waiting.oldest_seconds for label, waiting in events.items()},
    )
