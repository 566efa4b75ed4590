"""A process that has loaded Footnote, seen from here, and the processes that are forked from it."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent import futures
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import IO, Any, Self, TextIO

ROOT = Path(__file__).parents[2]
Stream = IO[Any] | int | None
"""What `subprocess` takes as a standard stream."""


class ForkedProcess:
    """A process with the attributes that `subprocess.Popen` gives those that it starts, in text mode.

    Its parent is the process that it was forked from, which reports its end to us.
    """

    def __init__(self, args: Sequence[str], pid: int, end: Future[int], pipes: Sequence[TextIO | None]) -> None:
        self.args = args
        self.pid = pid
        self.stdin, self.stdout, self.stderr = pipes
        self._end = end
        self._outputs: list[Future[str] | None] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for pipe in (self.stdout, self.stderr, self.stdin):
            if pipe is not None:
                pipe.close()
        self.wait()

    @property
    def returncode(self) -> int | Any:
        """The exit code, or minus the number of the signal that killed it; None while it runs."""
        return self._end.result() if self._end.done() else None

    def poll(self) -> int | None:
        """Return `returncode`, as with `subprocess`."""
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end, up to `timeout` seconds. Raises subprocess.TimeoutExpired."""
        self._await([self._end], timeout)
        return self._end.result()

    def communicate(self, input: str | None = None, timeout: float | None = None) -> tuple[Any, Any]:
        """Write this, read all output, and wait for the end; each output is None unless it is a pipe.

        Raises subprocess.TimeoutExpired; then it can be called again, and nothing is lost.
        """
        if self._outputs is None:
            threads = ThreadPoolExecutor(2)
            self._outputs = [pipe and threads.submit(_read_all, pipe) for pipe in (self.stdout, self.stderr)]
            threads.shutdown(wait=False)
        if self.stdin is not None and not self.stdin.closed:
            with suppress(BrokenPipeError), self.stdin:
                self.stdin.write(input or "")
        self._await([self._end, *filter(None, self._outputs)], timeout)
        out, errors = (each and each.result() for each in self._outputs)
        return out, errors

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to stop."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Kill it."""
        self.send_signal(signal.SIGKILL)

    def _await(self, ends: Sequence[Future[Any]], timeout: float | None) -> None:
        if futures.wait(ends, timeout).not_done:
            raise subprocess.TimeoutExpired(self.args, timeout or 0)


class LoadedProcess:
    """A process that has loaded the packages `app` and `migrations` of the folder `code`, and our line to it."""

    def __init__(self, code: Path = ROOT) -> None:
        self._starting = Lock()
        self._started: SimpleQueue[tuple[int, Future[int]] | None] = SimpleQueue()
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.python_path = os.pathsep.join(str(path) for path in dict.fromkeys((code, ROOT)))
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.forks.loaded", str(theirs.fileno())],
                cwd=code,
                env={**os.environ, "PYTHONPATH": self.python_path},
                pass_fds=[theirs.fileno()],
            )
        self._reports = Thread(target=self._read_reports, daemon=True)
        self._reports.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(
        self,
        args: Sequence[str],
        *,
        folder: Path | None,
        environment: Mapping[str, str],
        streams: Sequence[Stream],
        has_group: bool,
    ) -> ForkedProcess:
        """Fork a process that does what an interpreter with these arguments would; `streams` are the standard ones."""
        order = {
            "command": args[1:],
            "folder": str(folder or Path.cwd()),
            "environment": dict(environment),
            "has_group": has_group,
        }
        with ExitStack() as stack:
            ends = [_open_stream(number, given, stack) for number, given in enumerate(streams)]
            with self._starting:  # threads must not take each other's processes
                socket.send_fds(self._line, [json.dumps(order).encode()], [theirs for theirs, _ in ends])
                started = self._started.get()
        assert started is not None, "the process that all are forked from has died"
        return ForkedProcess(args, *started, [ours for _, ours in ends])

    def close(self) -> None:
        """End it, and with it what was forked from it and still runs."""
        self._line.shutdown(socket.SHUT_WR)
        self._process.wait()
        self._reports.join()
        self._line.close()

    def _read_reports(self) -> None:
        """Pass on which processes have started, and their exit codes when they have ended."""
        running: dict[int, Future[int]] = {}
        while message := self._line.recv(1000):
            report = json.loads(message)
            if "exit_code" in report:
                running.pop(report["process"]).set_result(report["exit_code"])
            else:
                end = running[report["process"]] = Future()
                self._started.put((report["process"], end))
        for end in running.values():
            end.set_exception(ChildProcessError("the process that all are forked from has ended"))
        self._started.put(None)


def _open_stream(number: int, given: Stream, stack: ExitStack) -> tuple[int, TextIO | None]:
    """The descriptor that a new process gets for a standard stream, which `stack` closes, and our end of a pipe."""
    if given is None:
        return number, None
    if not isinstance(given, int):
        return given.fileno(), None
    if given == subprocess.PIPE:
        reading, writing = os.pipe()
        theirs, ours = (reading, os.fdopen(writing, "w")) if number == 0 else (writing, os.fdopen(reading))
    elif given == subprocess.DEVNULL:
        theirs, ours = os.open(os.devnull, os.O_RDWR), None
    else:
        return given, None
    stack.callback(os.close, theirs)
    return theirs, ours


def _read_all(pipe: TextIO) -> str:
    with pipe:
        return pipe.read()
