"""CPU time and memory of a process and all processes below it, from Linux's /proc."""

import os
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_SAMPLED_SECONDS = 0.05


def resident(pid: int) -> int:
    """Resident bytes of a process and those below it."""
    return sum(own(one) for one in [pid, *children(pid)])


def own(pid: int) -> int:
    """Resident bytes of one process."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def cpu_seconds(pid: int) -> float:
    """CPU seconds used so far by a process and those below it, also by those that have ended and were waited for."""
    return sum(map(_own_cpu_seconds, [pid, *children(pid)]))


def _own_cpu_seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / _TICKS


def children(pid: int) -> list[int]:
    """The processes below a process, whichever of its threads started them."""
    found: list[int] = []
    for of_thread in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += map(int, of_thread.read_text().split())
        except OSError:  # the thread has ended
            continue
    return [*found, *(below for child in found for below in children(child))]


@contextmanager
def sampled(pid: int) -> Generator[list[int]]:
    """Sample the memory of a process and those below it, and keep the maximum."""
    peak, stop = [resident(pid)], threading.Event()

    def watch() -> None:
        while not stop.wait(_SAMPLED_SECONDS):
            peak.append(max(peak.pop(), resident(pid)))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield peak
    finally:
        stop.set()
        thread.join()
