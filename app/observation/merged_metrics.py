"""Metrics of several processes as those of one: values that can be sent between them, and their sums. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from prometheus_client import generate_latest
from prometheus_client.core import Metric
from prometheus_client.registry import Collector

# Metrics whose sum would mean nothing: all processes count what waits in the same database, for example.
_LARGEST = frozenset(
    {
        "footnote_queued_documents",
        "footnote_oldest_queued_seconds",
        "footnote_waiting_events",
        "footnote_oldest_waiting_event_seconds",
        "footnote_event_loop_lag_seconds",
        "process_max_fds",
    }
)
_SMALLEST = frozenset({"process_start_time_seconds"})
_CREATED = "_created"
_GROWING = frozenset({"counter", "histogram"})


class Family(NamedTuple):
    """A metric with all its samples: (name, labels, value)."""

    name: str
    kind: str
    description: str
    samples: Sequence[tuple[str, dict[str, str], float]]


def read_families(collected: Iterable[Metric]) -> list[Family]:
    """The metrics of this process."""
    return [
        Family(
            metric.name,
            metric.type,
            metric.documentation,
            [(sample.name, dict(sample.labels), sample.value) for sample in metric.samples],
        )
        for metric in collected
    ]


def parse_families(sent: Sequence[Sequence[Any]]) -> list[Family]:
    """Metrics that another process has sent as JSON."""
    return [
        Family(name, kind, description, [(sample, labels, value) for sample, labels, value in samples])
        for name, kind, description, samples in sent
    ]


def merge_families(processes: Iterable[Iterable[Family]]) -> list[Family]:
    """The metrics of all processes together."""
    first: dict[str, Family] = {}
    values: dict[str, dict[tuple[str, tuple[tuple[str, str], ...]], float]] = {}
    for family in (family for families in processes for family in families):
        first.setdefault(family.name, family)
        combined = values.setdefault(family.name, {})
        for sample, labels, value in family.samples:
            key = sample, tuple(sorted(labels.items()))
            combined[key] = _combine(sample, combined[key], value) if key in combined else value
    return [
        family._replace(samples=[(sample, dict(labels), value) for (sample, labels), value in values[name].items()])
        for name, family in first.items()
    ]


def keep_growing(families: Iterable[Family]) -> list[Family]:
    """The metrics that must outlive their process, counters and histograms: a sum that falls looks like a restart."""
    return [family for family in families if family.kind in _GROWING]


def render(families: Iterable[Family]) -> bytes:
    """The metrics in the text format 0.0.4."""
    return generate_latest(_Families(families))  # pyright: ignore[reportArgumentType] - it only collects


def _combine(name: str, one: float, other: float) -> float:
    if name in _LARGEST:
        return max(one, other)
    if name in _SMALLEST or name.endswith(_CREATED):
        return min(one, other)
    return one + other


class _Families(Collector):
    def __init__(self, families: Iterable[Family]) -> None:
        self._families = families

    def collect(self) -> Iterator[Metric]:
        for family in self._families:
            metric = Metric(family.name, family.description, family.kind)
            for name, labels, value in family.samples:
                metric.add_sample(name, labels, value)
            yield metric
