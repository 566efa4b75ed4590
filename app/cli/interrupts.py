"""Ctrl-C, whenever it comes: a line that says what is kept, and exit code 130, as shells expect."""

import os
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Any

EXIT = 130
_KEPT = "what was done before is kept."


class CommandInterrupted(Exception):
    """Ctrl-C ended a command; `kept` completes the sentence “stopped by Ctrl-C; …”."""

    def __init__(self, kept: str) -> None:
        super().__init__(kept)
        self.kept = kept


def end_at_interrupt() -> None:
    """From now on Ctrl-C ends the process at once: nothing is open while it loads or after it has closed everything."""
    signal.signal(signal.SIGINT, _end)


@contextmanager
def raised() -> Generator[None]:
    """Let Ctrl-C raise KeyboardInterrupt, so that what is open is closed."""
    with _handled(signal.default_int_handler):
        yield


@contextmanager
def sent_to(stop: Callable[[], object]) -> Generator[None]:
    """Let Ctrl-C call `stop` instead of ending the command."""
    with _handled(lambda _, __: stop()):
        yield


@contextmanager
def _handled(handler: Callable[[int, FrameType | None], Any]) -> Generator[None]:
    """Have a handler for Ctrl-C; only the main thread can."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def tell(kept: str = _KEPT) -> None:
    """Say that Ctrl-C has ended the command, and what is kept."""
    os.write(2, f"footnote: stopped by Ctrl-C; {kept}\n".encode())  # sys.stderr may be in the middle of writing


def _end(number: int, frame: FrameType | None) -> None:
    tell()
    os._exit(EXIT)
