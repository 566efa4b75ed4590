"""Shared by the benchmarks: timing, medians and tables."""

import resource
import statistics
import time
from collections.abc import Awaitable, Callable, Iterable

Row = tuple[str, str]


async def timed(work: Callable[[], Awaitable[object]]) -> float:
    """How many milliseconds `work` took."""
    start = time.perf_counter()
    await work()
    return (time.perf_counter() - start) * 1000


def spread(times: Iterable[float]) -> str:
    """Median and 95th percentile of milliseconds."""
    ordered = sorted(times)
    return f"p50 {statistics.median(ordered):6.1f} ms   p95 {ordered[int(len(ordered) * 0.95)]:6.1f} ms"


def peak_memory() -> int:
    """The peak memory of this process in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def table(title: str, rows: Iterable[Row]) -> None:
    """Print rows under a title."""
    print(f"\n{title}")
    for name, value in rows:
        print(f"  {name:34} {value}")
