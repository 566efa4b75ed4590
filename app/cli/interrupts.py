"""Ctrl-C, whenever it comes: one sentence and exit code 130, as shells have it."""

import os
import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

EXIT = 130
_SENTENCE = b"footnote: stopped by Ctrl-C; what was done before is kept.\n"


def end_at_interrupt() -> None:
    """From now on Ctrl-C ends the process at once, as nothing is open: it loads, or has closed everything."""
    signal.signal(signal.SIGINT, _end)


@contextmanager
def raised() -> Generator[None]:
    """Let Ctrl-C be a KeyboardInterrupt, so that what is open is closed. Only the main thread hears of it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def tell() -> None:
    """Say why the command has ended."""
    os.write(2, _SENTENCE)  # not by way of what may be in the middle of writing


def _end(number: int, frame: FrameType | None) -> None:
    tell()
    os._exit(EXIT)
