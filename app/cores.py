"""The processors of this machine: how many there are, and how to pin this process to one of them.

A server's threads run Python one at a time. On several cores, each hand-over wakes another core, which takes a fifth of
a turn's processor time. Threads pinned to one core avoid that, but cannot move away when something else runs there.
"""

import os
from collections.abc import Collection
from contextlib import suppress


def _read_cores() -> tuple[int, ...]:
    if hasattr(os, "sched_getaffinity"):
        return tuple(sorted(os.sched_getaffinity(0)))
    return tuple(range(os.cpu_count() or 1))


CORES = _read_cores()
"""The numbers of the processors that this process could use when it started."""


def count_cores() -> int:
    """How many processors this process and its children may use."""
    return len(CORES)


def pin_to_core(number: int) -> None:
    """Pin this process to one of `CORES`, with all threads and children that it starts from now on.

    Linux only. A child can undo it with `use_cores`.
    """
    os.sched_setaffinity(0, {CORES[number]})


def use_cores(cores: Collection[int]) -> None:
    """Let this process use the cores that its parent could use."""
    if hasattr(os, "sched_setaffinity"):
        with suppress(OSError):  # they have been taken away since
            os.sched_setaffinity(0, cores)
