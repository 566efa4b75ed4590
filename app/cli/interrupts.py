"""Handle Ctrl-C at any time: print what is kept, and exit with code 130, as shells expect.

SIGTERM, of a time limit or a container that stops, and SIGHUP, of a terminal that is gone, do what Ctrl-C does, with
their own code.
"""

import asyncio
import math
import os
import signal
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from functools import partial
from types import FrameType
from typing import Any

EXITS = {130: "Ctrl-C", 143: "SIGTERM", 129: "SIGHUP"}
"""The exit codes of commands that are stopped, and what by: 128 and the number of the signal."""
_OTHERS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
# `timeout` sends each signal twice, to the command and to its process group, and keys bounce: both count once.
_SAME_SIGNAL_SECONDS = 0.5
_CLOSING_SECONDS = 5
_KEPT = "everything done so far is kept."


class CommandInterrupted(Exception):
    """Ctrl-C ended a command; `kept` completes the sentence “stopped by Ctrl-C; …”."""

    def __init__(self, kept: str) -> None:
        super().__init__(kept)
        self.kept = kept


def end_at_interrupt() -> None:
    """Make Ctrl-C end the process at once, while nothing is open: during loading, and after closing.

    From now on, other signals that end a process do whatever Ctrl-C does at the time.
    """
    signal.signal(signal.SIGINT, _exit_now)
    for number in _OTHERS:
        if signal.getsignal(number) == signal.SIG_DFL:  # `nohup` ignores SIGHUP
            signal.signal(number, _interrupt)


class Interruption:
    """The effect of Ctrl-C on a command that runs as a task: it is cancelled, and closes what it has opened.

    A KeyboardInterrupt would end whatever the loop is doing at the time, including the closing.
    """

    def __init__(self) -> None:
        self.kept = _KEPT
        """Completes the sentence “stopped by Ctrl-C; …”."""
        self._task: asyncio.Task[Any] | None = None
        self._first = self._last = -math.inf

    @property
    def has_come(self) -> bool:
        """Whether the command was to end."""
        return self._first > -math.inf

    @contextmanager
    def handled(self) -> Generator[None]:
        """Until the end, Ctrl-C cancels the task; after some seconds, it ends the process at once."""
        with _with_handler(self._cancel):
            yield

    def cancel_this_task(self) -> None:
        """From now on, this is the task to cancel."""
        self._task = asyncio.current_task()
        if self.has_come and self._task is not None:
            self._task.cancel()

    def _cancel(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if self.has_come and now - self._first > _CLOSING_SECONDS:
            _exit_now(number, frame)
        is_same, self._last = now - self._last < _SAME_SIGNAL_SECONDS, now
        if not self.has_come:
            self._first = now
        if self._task is not None and not (is_same or self._task.done()):
            self._task.get_loop().call_soon_threadsafe(self._task.cancel)


@contextmanager
def raise_interrupts() -> Generator[None]:
    """Make Ctrl-C raise KeyboardInterrupt, for code that only waits for the terminal."""
    with _with_handler(signal.default_int_handler):
        yield


@contextmanager
def redirect_interrupts(stop: Callable[[], object]) -> Generator[None]:
    """Make Ctrl-C call `stop` instead of ending the command."""
    with _with_handler(lambda _, __: stop()):
        yield


@contextmanager
def _with_handler(handler: Callable[[int, FrameType | None], Any]) -> Generator[None]:
    """Install a handler for Ctrl-C, if this is the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def report_interrupt(kept: str) -> None:
    """Print what ended the command, and what is kept."""
    start = "\n" if os.isatty(2) else ""  # the line has unfinished output, and the terminal's ^C
    line = f"{start}footnote: stopped by {EXITS[find_exit_code()]}; {kept}\n"
    with suppress(OSError):  # the terminal may be gone
        os.write(2, line.encode())  # sys.stderr may be in the middle of a write


def find_exit_code() -> int:
    """The exit code of a command that is stopped."""
    return 128 + next(filter(_has_come, _OTHERS), signal.SIGINT)


def must_end() -> bool:
    """Whether a signal has come that ends the command even if Ctrl-C does not."""
    return any(map(_has_come, _OTHERS))


def _has_come(number: int) -> bool:
    handler = signal.getsignal(number)
    return isinstance(handler, partial) and handler.func is _exit_the_second_time


def _interrupt(number: int, frame: FrameType | None) -> None:
    signal.signal(number, partial(_exit_the_second_time, time.monotonic()))
    signal.raise_signal(signal.SIGINT)


def _exit_the_second_time(first: float, number: int, frame: FrameType | None) -> None:
    """Exit at once: otherwise, a command that cannot finish could never be ended."""
    if time.monotonic() - first > _SAME_SIGNAL_SECONDS:
        _show_cursor()
        os._exit(128 + number)


def _exit_now(number: int, frame: FrameType | None) -> None:
    _show_cursor()
    report_interrupt(_KEPT)
    os._exit(find_exit_code())


def _show_cursor() -> None:
    """Show the cursor of the terminal, which a progress bar has hidden, and would show again at its own end."""
    if os.isatty(2) and os.environ.get("TERM", "dumb") not in ("dumb", "unknown"):
        with suppress(OSError):  # the terminal may be gone
            os.write(2, b"\x1b[?25h")
