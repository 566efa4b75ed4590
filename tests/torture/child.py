"""A process that has imported the product and forks a server from itself on each order.

Starting an interpreter and importing everything would be most of a short life. What is forked is `footnote serve`,
nothing opened yet; it kills itself at a point, of which the interpreter's own tracing tells. The product runs as it
is. Processes that parse documents import this module too, under another name, so it does nothing by itself.
"""

import importlib
import json
import os
import runpy
import signal
import socket
import sys
import threading
from contextlib import suppress
from types import CodeType, FrameType
from typing import Any

from tests.torture.points import BY_NAME, Point, has_line

# What a command imports only when it is run.
_LOADED_LATE = (
    "app.cli.server.serve",
    "app.cli.server.commands",
    "app.database.migrating",
    "app.database.postgres.database",
    "app.providers.openai.provider",
    "alembic.command",
    "alembic.autogenerate",
)


class Killer:
    """A trace function that kills this process at once when a point is passed for the `hit`th time."""

    def __init__(self, point: Point, hit: int) -> None:
        self._point = point
        self._left = hit
        self._file, self._line = str(point.place.file), point.place.line
        self._marked: dict[CodeType, bool] = {}
        self._armed = False

    def install(self) -> None:
        """Install it for future threads: none can be reached from outside once it runs."""
        threading.settrace(self.called)

    def arm(self, *_: object) -> None:
        """Kill from now on, also from this thread; works as a signal handler."""
        self._armed = True
        sys.settrace(self.called)

    def called(self, frame: FrameType, event: str, _: Any) -> Any:
        """A function is entered or a coroutine resumed; only the point's own is traced line by line."""
        code = frame.f_code
        if not self._armed or code.co_filename != self._file:
            return None
        if code not in self._marked:
            self._marked[code] = has_line(code, self._line)
        return self.stepped if self._marked[code] else None

    def stepped(self, frame: FrameType, event: str, _: Any) -> Any:
        """A line is about to run."""
        if event == "line" and frame.f_lineno == self._line and self._is_here(frame):
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return self.stepped

    def _is_here(self, frame: FrameType) -> bool:
        wanted = self._point.when
        return self._point.is_here(frame.f_code, frame.f_lasti) and (wanted is None or wanted(frame.f_locals))


def serve(order: dict[str, Any], output: int, log: int) -> None:
    """Be a server, in a session of its own, until killed."""
    os.setsid()
    os.chdir(order["folder"])
    os.environ.update(order["environment"])
    os.dup2(output, 1)
    os.dup2(log, 2)
    os.close(output)
    os.close(log)
    if order["point"]:
        killer = Killer(BY_NAME[order["point"]], order["hit"])
        killer.install()
        if order["at_once"]:
            killer.arm()
        else:
            signal.signal(signal.SIGUSR1, killer.arm)
    sys.argv[1:] = ["serve", "--port", "0"]
    runpy.run_module(order["what"], run_name="__main__")


def tend(line: socket.socket) -> None:
    """Serve orders: start a server, answered with its process id, or query one, answered with its exit code or null.

    When the orders end, all servers are killed.
    """
    for module in _LOADED_LATE:
        with suppress(ImportError):  # drivers that are not installed everywhere
            importlib.import_module(module)
    alive: set[int] = set()
    while True:
        message, files, _, _ = socket.recv_fds(line, 1 << 16, 2)
        if not message:
            for process in alive:
                os.kill(process, signal.SIGKILL)
            return
        order = json.loads(message)
        if "process" in order:
            found, status = os.waitpid(order["process"], os.WNOHANG)
            alive.discard(found)
            line.sendall(json.dumps(os.waitstatus_to_exitcode(status) if found else None).encode())
            continue
        process = os.fork()
        if process == 0:
            line.close()
            serve(order, *files)
            return
        alive.add(process)
        for file in files:
            os.close(file)
        line.sendall(json.dumps(process).encode())


if __name__ == "__main__":
    tend(socket.socket(fileno=int(sys.argv[1])))
