"""Handle Ctrl-C at any time: print what is kept, and exit with code 130, as shells expect."""

import os
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Any

EXIT = 130
_KEPT = "everything done so far is kept."


class CommandInterrupted(Exception):
    """Ctrl-C ended a command; `kept` completes the sentence “stopped by Ctrl-C; …”."""

    def __init__(self, kept: str) -> None:
        super().__init__(kept)
        self.kept = kept


def end_at_interrupt() -> None:
    """Make Ctrl-C end the process at once, for times when nothing is open: while loading, and after closing."""
    signal.signal(signal.SIGINT, _exit_now)


@contextmanager
def raise_interrupts() -> Generator[None]:
    """Make Ctrl-C raise KeyboardInterrupt, so that open resources are closed."""
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


def report_interrupt(kept: str = _KEPT) -> None:
    """Print that Ctrl-C has ended the command, and what is kept."""
    os.write(2, f"footnote: stopped by Ctrl-C; {kept}\n".encode())  # sys.stderr may be in the middle of a write


def _exit_now(number: int, frame: FrameType | None) -> None:
    report_interrupt()
    os._exit(EXIT)
