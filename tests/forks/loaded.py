"""A process that has loaded Footnote and forks commands from itself, none of which has begun.

What reads the environment when it is imported is left to the commands: the modules of the command line.
"""

import gc
import importlib
import json
import os
import runpy
import selectors
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


def tend(line: socket.socket) -> dict[str, Any] | None:
    """Fork a process for each order, answered with its id, and tell its status at its end.

    Returns None when the orders end; in each new process, its order.
    """
    with selectors.DefaultSelector() as watched:
        watched.register(line, selectors.EVENT_READ)
        while True:
            for found, _ in watched.select():
                if found.fileobj is not line:
                    ended, end = found.data
                    watched.unregister(found.fileobj)
                    os.close(found.fd)
                    _, status = os.waitpid(ended, 0)
                    with end, suppress(OSError):  # nobody may wait for it any more
                        end.send(str(status).encode())
                    continue
                message, files, _, _ = socket.recv_fds(line, 1 << 20, 4)
                if not message:
                    return None
                order = json.loads(message)
                process = os.fork()
                if process == 0:
                    line.close()
                    for other in list(watched.get_map().values()):
                        if other.fileobj is not line:
                            os.close(other.fd)
                            other.data[1].close()
                    _take_streams(files)
                    return order
                if order["has_group"]:
                    os.setpgid(process, process)
                end = socket.socket(fileno=files[0])
                watched.register(os.pidfd_open(process), selectors.EVENT_READ, (process, end))
                for file in files[1:]:
                    os.close(file)
                line.send(str(process).encode())


def _take_streams(files: list[int]) -> None:
    """Make these the standard streams, as Python opens them when it starts."""
    os.close(files[0])
    for number, file in enumerate(files[1:]):
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
    """Load everything, then tend to the line whose number is the argument; in a new process, be the command."""
    gc.disable()
    for module in _LOADED:
        with suppress(ImportError):  # drivers that are not installed everywhere
            importlib.import_module(module)
    gc.freeze()
    order = tend(socket.socket(fileno=int(sys.argv[1])))
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
