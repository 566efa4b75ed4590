"""A command in a terminal of its own: type, press keys, read the screen."""

import os
import pty
import select
import signal
import termios
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.forks.commands import FootnoteProcess, start_footnote

_SECONDS = 120.0


class Terminal:
    """The command's terminal as its user has it: keyboard and screen."""

    def __init__(self, ours: int, process: FootnoteProcess) -> None:
        self._ours = ours
        self._process = process
        self._shown = b""

    def until(self, text: str, *, interrupting: bool = False) -> str:
        """What appears up to this text, since the last call.

        With `interrupting`, press Ctrl-C, and again if nothing happens: Readline misses one just before it waits.
        """
        deadline, quiet = time.monotonic() + _SECONDS, True
        while text.encode() not in self._shown:
            assert time.monotonic() < deadline, self._shown
            if interrupting and quiet:
                self.interrupt()
            quiet = not select.select([self._ours], [], [], 5)[0]
            if not quiet:
                self._shown += os.read(self._ours, 1000)
        seen, end, self._shown = self._shown.partition(text.encode())
        return (seen + end).decode().replace("\r\n", "\n")

    def type(self, text: str) -> None:
        """Type this."""
        os.write(self._ours, text.encode())

    def interrupt(self, number: int = signal.SIGINT) -> None:
        """Press Ctrl-C, or send another signal."""
        self._process.send_signal(number)

    @property
    def shows_typing(self) -> bool:
        """Whether the terminal shows what is typed."""
        return bool(termios.tcgetattr(self._ours)[3] & termios.ECHO)

    def end(self) -> int:
        """The exit code, when the command has ended."""
        return self._process.wait(_SECONDS)


@contextmanager
def on_a_terminal(folder: Path, *arguments: str, **settings: str) -> Generator[Terminal]:
    """Run `footnote` with these arguments on a terminal."""
    ours, theirs = pty.openpty()
    environment: Mapping[str, str] = {**os.environ, "TERM": "dumb", "COLUMNS": "100", **settings}
    process = start_footnote(
        *arguments, folder=folder, environment=environment, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    try:
        yield Terminal(ours, process)
    finally:
        process.kill()
        process.wait()
        os.close(ours)
