"""Limits on the processor time of a parse worker: for a document, for a page, and for the programs it runs.

When time is up, the worker ends with a stack dump: of all threads for a document, of one thread for a page. Nothing
else would interrupt native code. On Windows, only elapsed time is limited.
"""

import faulthandler
import os
import signal
import sys
from collections.abc import Generator
from contextlib import contextmanager
from io import FileIO

_ONE_THREAD_DUMP = "Stack (most recent call first):"
# On a busy machine, a process may have to wait ten times as long as it runs.
_ELAPSED_FACTOR = 10
# Setting a timer to 0 would disable it.
_AT_ONCE = 1e-6


def max_elapsed_seconds(seconds: float) -> float:
    """The limit on elapsed time for work limited to this much processor time; on Windows, they are the same."""
    return seconds if sys.platform == "win32" else seconds * _ELAPSED_FACTOR


@contextmanager
def limit_document_time(seconds: float, report: FileIO) -> Generator[None]:
    """Kill this process if the block takes more processor time; `report` receives the stack dump."""
    if sys.platform == "win32":
        yield
        return
    faulthandler.register(signal.SIGPROF, report, all_threads=True, chain=True)
    faulthandler.register(signal.SIGVTALRM, report, all_threads=False, chain=True)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        faulthandler.unregister(signal.SIGVTALRM)
        faulthandler.unregister(signal.SIGPROF)


@contextmanager
def limit_page_time(seconds: float) -> Generator[None]:
    """Kill this process if the block takes more processor time, not counting time in the operating system."""
    if sys.platform == "win32":
        yield
        return
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


@contextmanager
def count_programs() -> Generator[None]:
    """Count the time of programs that run in the block toward the document's limit."""
    if sys.platform == "win32":
        yield
        return
    before = _programs_time()
    try:
        yield
    finally:
        left, _ = signal.getitimer(signal.ITIMER_PROF)
        if left:
            signal.setitimer(signal.ITIMER_PROF, max(_AT_ONCE, left - (_programs_time() - before)))


def is_page_timeout(dump: str) -> bool:
    """Whether the worker that left this stack dump was killed because of a page, not the whole document."""
    return dump.startswith(_ONE_THREAD_DUMP)


def _programs_time() -> float:
    times = os.times()
    return times.children_user + times.children_system
