"""Run `footnote` in processes that are forked from one that has loaded it, as `subprocess` runs them from the start.

For tests about what a process does. Those about how one starts, on what it loads, on its memory, or under another
program, start an interpreter.
"""

import atexit
import json
import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from threading import Lock
from typing import IO, Any

_ROOT = Path(__file__).parents[2]
# Variables that the interpreter reads, none of which can be changed for one that runs.
_READ_AT_START = ("PYTHON", "LC_", "LANG")
_Output = IO[Any] | int | None
_opening = Lock()


def start_footnote(
    *arguments: str,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    stdin: _Output = None,
    stdout: _Output = None,
    stderr: _Output = None,
    program: str | None = None,
    has_group: bool = False,
) -> subprocess.Popen[str]:
    """Start `footnote` with these arguments; `environment` replaces ours.

    `program` is Python code that runs it. `has_group`: its processes form a group, as those of a terminal's command do.
    """
    values = {"PYTHONPATH": str(_ROOT), **(os.environ if environment is None else environment)}
    kind = _Fork if sys.platform == "linux" and not _differs_at_start(values) else subprocess.Popen[str]
    return kind(
        [sys.executable, *(("-m", "app") if program is None else ("-c", program)), *arguments],
        cwd=folder,
        env=values,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        text=True,
        process_group=0 if has_group else None,
    )


def run_footnote(
    *arguments: str,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    typed: str | None = None,
    seconds: float = 240,
) -> subprocess.CompletedProcess[str]:
    """Run `footnote` with these arguments to its end."""
    pipe = subprocess.PIPE
    stdin = None if typed is None else pipe
    with start_footnote(
        *arguments, folder=folder, environment=environment, stdin=stdin, stdout=pipe, stderr=pipe
    ) as process:
        try:
            out, told = process.communicate(typed, timeout=seconds)
        finally:
            process.kill()
    return subprocess.CompletedProcess(process.args, process.returncode, out, told)


def _differs_at_start(environment: Mapping[str, str]) -> bool:
    """Whether an interpreter that starts here is another one than ours: its streams, or the hashes of its strings."""
    values, ours = (
        {name: value for name, value in each.items() if name.startswith(_READ_AT_START) and name != "PYTHONPATH"}
        for each in (environment, os.environ)
    )
    return values != ours


class _Fork(subprocess.Popen[str]):
    """A process whose parent is the one that has loaded everything, which tells us of its end."""

    _end: socket.socket
    _status: int | None = None

    def _execute_child(self, args: Sequence[str], *others: Any) -> None:
        # The order of the parameters is that of Python 3.11 to 3.14.
        cwd, env, group = others[4], others[5], others[21]
        stdin, to_stdin, from_stdout, stdout, from_stderr, stderr = others[9:15]
        self._asking = Lock()
        self._end, theirs = socket.socketpair()
        ours = (os.dup(number if given == -1 else given) for number, given in enumerate((stdin, stdout, stderr)))
        files = [theirs.detach(), *ours]
        order = {
            "command": args[1:],
            "folder": str(cwd or Path.cwd()),
            "environment": dict(env),
            "has_group": group == 0,
        }
        try:
            self.pid = _Loaded.opened().fork(order, files)
        finally:
            for file in files:
                os.close(file)
            self._close_pipe_fds(stdin, to_stdin, from_stdout, stdout, from_stderr, stderr)  # pyright: ignore[reportAttributeAccessIssue,reportUnknownMemberType]
        self._child_created = True

    def _internal_poll(self, *_: Any, **__: Any) -> int | None:
        if self.returncode is None:
            ended, status = self._try_wait(os.WNOHANG)
            self.returncode = os.waitstatus_to_exitcode(status) if ended else None
        return self.returncode

    def _try_wait(self, wait_flags: int) -> tuple[int, int]:
        """As that of `subprocess`: the process id and status, or zeros while it runs."""
        must_wait = not wait_flags & os.WNOHANG
        if not self._asking.acquire(blocking=must_wait):
            return 0, 0
        try:
            if self._status is None:
                self._end.setblocking(must_wait)
                told = self._end.recv(100)
                assert told, "the process that all are forked from has died"
                self._end.close()
                self._status = int(told)
            return self.pid, self._status
        except BlockingIOError:
            return 0, 0
        finally:
            self._asking.release()


class _Loaded:
    """The process that has loaded everything, and our line to it."""

    def __init__(self) -> None:
        self._ordering = Lock()
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.forks.loaded", str(theirs.fileno())],
                cwd=_ROOT,
                pass_fds=[theirs.fileno()],
            )

    @classmethod
    def opened(cls) -> "_Loaded":
        """The one of this process. It ends with it."""
        with _opening:  # `cache` alone would let two threads open one each
            return cls._open()

    @classmethod
    @cache
    def _open(cls) -> "_Loaded":
        made = cls()
        atexit.register(made.close)
        return made

    def fork(self, order: Mapping[str, Any], files: Sequence[int]) -> int:
        """The id of a new process."""
        with self._ordering:  # threads must not take each other's answers
            socket.send_fds(self._line, [json.dumps(order).encode()], files)
            answer = self._line.recv(100)
        assert answer, "the process that all are forked from has died"
        return int(answer)

    def close(self) -> None:
        """End it. What was forked from it goes on, as it would without us."""
        self._line.close()
        self._process.wait()
