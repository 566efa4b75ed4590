"""What the benchmarks print: one table of figures, each beside its peer, with their ratio and what it should be."""

import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass

_WIDTHS = (44, 38, 34, 6)


@dataclass(frozen=True, slots=True)
class Aim:
    """What a figure should be, as text, and whether it is."""

    text: str
    is_met: bool

    def __str__(self) -> str:
        return f"{self.text}, {'met' if self.is_met else 'MISSED'}"


@dataclass(frozen=True, slots=True)
class Row:
    """A figure with its unit, beside that of a peer from the same run. `ratio` is ours to the peer's."""

    name: str
    measured: str
    beside: str = ""
    ratio: float | None = None
    aim: Aim | None = None


@dataclass(frozen=True, slots=True)
class Percentiles:
    """Of milliseconds, or whatever else was measured many times."""

    p50: float
    p95: float
    p99: float
    worst: float

    def __str__(self) -> str:
        return f"{_text(self.p50)} ms, p95 {_text(self.p95)}, p99 {_text(self.p99)}"


def _text(figure: float) -> str:
    return f"{figure:.1f}" if figure >= 1 else f"{figure:.2f}"


def percentiles(values: Iterable[float]) -> Percentiles:
    """The median, and the values that 95 and 99 of 100 do not exceed."""
    ordered = sorted(values)

    def above(share: float) -> float:
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))]

    return Percentiles(statistics.median(ordered), above(0.95), above(0.99), ordered[-1])


def at_most(limit: float, figure: float, unit: str = "×") -> Aim:
    """An aim that small figures meet."""
    return Aim(f"≤ {limit:.3g} {unit}", figure <= limit)


def at_least(limit: float, figure: float, unit: str = "×") -> Aim:
    """An aim that large figures meet."""
    return Aim(f"≥ {limit:.3g} {unit}", figure >= limit)


def compare_times(
    name: str, ours: Sequence[float], peer: str, beside: Sequence[float], limit: float | None = None
) -> Row:
    """Milliseconds beside those of a peer; the ratio is that of the medians, and should be within the limit."""
    found, other = percentiles(ours), percentiles(beside)
    ratio = found.p50 / other.p50
    measured = str(found) if len(ours) > 1 else f"{_text(found.p50)} ms"
    aim = None if limit is None else at_most(limit, ratio)
    return Row(name, measured, f"{peer} {_text(other.p50)} ms", ratio, aim)


def compare_tail(name: str, times: Sequence[float], limit: float | None = None) -> Row:
    """The 99th percentile of milliseconds beside their median."""
    found = percentiles(times)
    ratio = found.p99 / found.p50
    aim = None if limit is None else at_most(limit, ratio)
    return Row(name, f"p99 {found.p99:.1f} ms", f"p50 {found.p50:.1f} ms", ratio, aim)


async def timed(work: Callable[[], Awaitable[object]]) -> float:
    """How many milliseconds `work` took."""
    start = time.perf_counter()
    await work()
    return (time.perf_counter() - start) * 1000


def heading() -> None:
    """Print what the columns are."""
    _print(("what", "measured", "beside", "ratio"), "aim")


def table(title: str, rows: Iterable[Row]) -> None:
    """Print rows under a title, in columns that are the same in all tables."""
    print(f"\n{title}")
    for row in rows:
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
        _print((row.name, row.measured, row.beside, ratio), str(row.aim or ""))


def _print(columns: Sequence[str], last: str) -> None:
    padded = [text.ljust(width) for text, width in zip(columns, _WIDTHS, strict=True)]
    print(f"  {'  '.join([*padded, last]).rstrip()}", flush=True)


def tell(progress: str) -> None:
    """What is being measured now, beside the table."""
    print(progress, file=sys.stderr, flush=True)
