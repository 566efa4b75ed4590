"""Limits on the processor time of a parse worker: for a document, for a page, and for the programs it runs.

When time is up, the worker ends with a stack dump: of all threads for a document, and of one for a page. Nothing else
would interrupt native code. On Windows, there is only the limit on elapsed time.
"""

import faulthandler
import os
import signal
import sys
from collections.abc import Generator
from contextlib import contextmanager
from io import FileIO

_OF_ONE_THREAD = "Stack (most recent call first):"
# On a busy machine, a process may have to wait ten times as long as it works.
_ELAPSED = 10
# A timer that is set to 0 never ends.
_AT_ONCE = 1e-6


def max_elapsed_seconds(seconds: float) -> float:
    """How much time may pass for work that takes so much processor time; on Windows, this alone is limited."""
    return seconds if sys.platform == "win32" else seconds * _ELAPSED


@contextmanager
def limit_document_time(seconds: float, report: FileIO) -> Generator[None]:
    """End this process if the block takes more time; `report` is for stack dumps."""
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
    """End this process if the block takes more time, which the operating system's own does not count towards."""
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
    """Count the time of programs that run in the block towards the document's limit."""
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


def is_of_page(dump: str) -> bool:
    """Whether a worker that left this stack dump was ended because of a page, not of the whole document."""
    return dump.startswith(_OF_ONE_THREAD)


def _programs_time() -> float:
    times = os.times()
    return times.children_user + times.children_system
