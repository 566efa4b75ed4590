"""The metrics of a server: what was counted since its start, and what it is doing now."""

from app.observation.metrics import Metrics
from app.observation.server_state import ServerState
from app.services.backend import Backend


async def render_metrics(backend: Backend) -> bytes | None:
    """All metrics in the format of Prometheus; None without METRICS. Raises Unavailable if the database is lost."""
    return None if backend.metrics is None else backend.metrics.render(await _read_state(backend, backend.metrics))


async def _read_state(backend: Backend, metrics: Metrics) -> ServerState:
    queued = await backend.knowledge.ingestion.queue.describe_queued()
    trips = backend.database.trips
    caches = backend.knowledge.search.cache.total_uses()
    return ServerState(
        running_answers=backend.chat.turns.running_count,
        queued_documents=queued.count,
        oldest_queued_seconds=queued.oldest_seconds,
        waiting_model_requests=backend.models.count_waiting_requests(),
        cache_lookups={"results": caches.results.lookups, "vectors": caches.vectors.lookups},
        cache_hits={"results": caches.results.hits, "vectors": caches.vectors.hits},
        database_trips=trips.count,
        database_wait_seconds=trips.waited_seconds,
        loop_lag_seconds=metrics.loop_lag.read(),
    )
