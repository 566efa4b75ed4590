"""The current state of a server, as metrics."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

_SAMPLE_SECONDS = 0.25
# Sampling ends when the lag has not been read for this long: at rest nothing runs.
_IDLE_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class ServerState:
    """The work that is running and waiting. Counts of lookups, hits and trips are since the start of the process."""

    running_answers: int = 0
    queued_documents: int = 0
    oldest_queued_seconds: float = 0.0
    waiting_model_requests: Mapping[str, int] = field(default_factory=dict[str, int])
    cache_lookups: Mapping[str, int] = field(default_factory=dict[str, int])
    cache_hits: Mapping[str, int] = field(default_factory=dict[str, int])
    database_trips: int = 0
    database_wait_seconds: float = 0.0
    database_lock_seconds: float = 0.0
    loop_lag_seconds: float = 0.0
    waiting_events: Mapping[str, int] = field(default_factory=dict[str, int])
    oldest_event_seconds: Mapping[str, float] = field(default_factory=dict[str, float])


class StateCollector(Collector):
    """Shows the current state to Prometheus."""

    def __init__(self) -> None:
        self.current = ServerState()

    def collect(self) -> Iterable[Metric]:
        """The state's metrics."""
        state = self.current
        yield _gauge("running_answers", "Answers being generated.", state.running_answers)
        yield _gauge("queued_documents", "Documents waiting to be processed.", state.queued_documents)
        yield _gauge(
            "oldest_queued_seconds", "How long the oldest queued document has waited.", state.oldest_queued_seconds
        )
        yield _gauge("event_loop_lag_seconds", "Longest delay since the last scrape.", state.loop_lag_seconds)
        yield _counter("database_trips", "Transactions on threads of the database.", state.database_trips)
        yield _counter(
            "database_wait_seconds", "Time that transactions waited for a thread.", state.database_wait_seconds
        )
        yield _counter(
            "database_lock_seconds", "Time that writers waited for the database file.", state.database_lock_seconds
        )
        waiting = GaugeMetricFamily(
            "footnote_waiting_model_requests", "Requests to models that are not sent yet.", labels=["provider"]
        )
        lookups = CounterMetricFamily("footnote_cache_lookups", "Lookups in caches of searches.", labels=["cache"])
        hits = CounterMetricFamily(
            "footnote_cache_hits", "Lookups in caches of searches that found something.", labels=["cache"]
        )
        events = GaugeMetricFamily("footnote_waiting_events", "Events not delivered yet.", labels=["destination"])
        oldest = GaugeMetricFamily(
            "footnote_oldest_waiting_event_seconds",
            "How long the oldest undelivered event has waited.",
            labels=["destination"],
        )
        labelled: tuple[tuple[GaugeMetricFamily | CounterMetricFamily, Mapping[str, float]], ...] = (
            (waiting, state.waiting_model_requests),
            (lookups, state.cache_lookups),
            (hits, state.cache_hits),
            (events, state.waiting_events),
            (oldest, state.oldest_event_seconds),
        )
        for family, values in labelled:
            for label, value in values.items():
                family.add_metric([label], value)
            yield family


class LoopLag:
    """How late the event loop runs callbacks; measured only while somebody reads it."""

    def __init__(self) -> None:
        self._worst = 0.0
        self._read_at = 0.0
        self._is_sampling = False

    def read(self) -> float:
        """The longest delay since it was last read, in seconds; 0 at first. Starts measuring."""
        loop = asyncio.get_running_loop()
        worst, self._worst, self._read_at = self._worst, 0.0, loop.time()
        if not self._is_sampling:
            self._is_sampling = True
            self._call_later(loop)
        return worst

    def _call_later(self, loop: asyncio.AbstractEventLoop) -> None:
        due = loop.time() + _SAMPLE_SECONDS
        loop.call_at(due, self._sample, loop, due)

    def _sample(self, loop: asyncio.AbstractEventLoop, due: float) -> None:
        self._worst = max(self._worst, loop.time() - due)
        self._is_sampling = loop.time() - self._read_at < _IDLE_SECONDS
        if self._is_sampling:
            self._call_later(loop)


def _gauge(name: str, description: str, value: float) -> Metric:
    return GaugeMetricFamily(f"footnote_{name}", description, value=value)


def _counter(name: str, description: str, value: float) -> Metric:
    return CounterMetricFamily(f"footnote_{name}", description, value=value)
