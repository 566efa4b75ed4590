"""A process that has loaded Footnote and forks commands from itself, none of which has begun.

What reads the environment when it is imported is left to the commands: the modules of the command line.
"""

import gc
import importlib
import json
import os
import runpy
import selectors
import signal
import socket
import sys
from contextlib import suppress
from typing import Any, TextIO, cast

# With all that they import.
_LOADED = (
    "app.main",
    "app.database.migrating",
    "app.database.postgres.database",
    "app.providers.ollama.provider",
    "httpx2",
    "openai.types.chat",
    "alembic.autogenerate",
    "alembic.command",
    "rich.progress",
    "rich.table",
    "typer",
    "uvicorn.loops.auto",
    "uvicorn.protocols.http.httptools_impl",
    "uvicorn.protocols.websockets.websockets_sansio_impl",
    "uvloop",
)


Order = dict[str, Any]


def fork_on_orders(line: socket.socket) -> Order | None:
    """Fork a process for each order, and report its id, and at its end its exit code.

    Returns None when the orders end, and kills what still runs; in each new process, returns its order.
    """
    with selectors.DefaultSelector() as watched:
        watched.register(line, selectors.EVENT_READ)
        while True:
            for found, _ in watched.select():
                if found.fileobj is not line:
                    _report_end(line, watched, found)
                    continue
                message, files, _, _ = socket.recv_fds(line, 1 << 20, 3)
                if not message:
                    for _, process in _forked(line, watched):
                        os.kill(process, signal.SIGKILL)
                    return None
                order = json.loads(message)
                process = os.fork()
                if process == 0:
                    _leave(line, watched)
                    _take_streams(files)
                    if order["has_group"]:
                        os.setpgid(0, 0)
                    return order
                if order["has_group"]:  # whoever gets here first
                    os.setpgid(process, process)
                watched.register(os.pidfd_open(process), selectors.EVENT_READ, process)
                for file in files:
                    os.close(file)
                line.send(json.dumps({"process": process}).encode())


def _report_end(line: socket.socket, watched: selectors.BaseSelector, found: selectors.SelectorKey) -> None:
    watched.unregister(found.fileobj)
    os.close(found.fd)
    _, status = os.waitpid(found.data, 0)
    report = {"process": found.data, "exit_code": os.waitstatus_to_exitcode(status)}
    with suppress(BrokenPipeError):  # whoever started it may have ended
        line.send(json.dumps(report).encode())


def _forked(line: socket.socket, watched: selectors.BaseSelector) -> list[tuple[int, int]]:
    """The file descriptor and the id of each process that has not ended."""
    return [(key.fd, key.data) for key in watched.get_map().values() if key.fileobj is not line]


def _leave(line: socket.socket, watched: selectors.BaseSelector) -> None:
    """Close, in a new process, what belongs to the one that it was forked from."""
    for descriptor, _ in _forked(line, watched):
        os.close(descriptor)
    line.close()


def _take_streams(files: list[int]) -> None:
    """Make these the standard streams, as Python opens them when it starts."""
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    sys.stdin = sys.__stdin__ = _open(0, "r", sys.stdin.errors)
    sys.stdout = sys.__stdout__ = _open(1, "w", sys.stdout.errors)
    sys.stderr = sys.__stderr__ = _open(2, "w", "backslashreplace")


def _open(number: int, mode: str, on_error: str | None) -> TextIO:
    has_lines = number == 2 or os.isatty(number)
    encoding = sys.stdout.encoding
    return cast("TextIO", open(number, mode, 1 if has_lines else -1, encoding=encoding, errors=on_error, closefd=False))


def main() -> None:
    """Load everything, then fork on orders from the socket whose number is the argument; new processes run commands."""
    gc.disable()
    for module in _LOADED:
        with suppress(ImportError):  # drivers that are not installed everywhere
            importlib.import_module(module)
    gc.freeze()
    order = fork_on_orders(socket.socket(fileno=int(sys.argv[1])))
    if order is None:
        return
    os.chdir(order["folder"])
    os.environ.clear()
    os.environ.update(order["environment"])
    gc.enable()
    kind, what, *sys.argv[1:] = order["command"]
    if kind == "-m":
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    else:
        exec(what, {"__name__": "__main__"})  # noqa: S102


if __name__ == "__main__":
    main()
