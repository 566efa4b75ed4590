"""Run the whole server on loopback: real sockets, uvicorn in a thread, or `footnote serve` in a process."""

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import uvicorn
from sqlalchemy import make_url

from app import main
from app.cli.server.serve import Server
from app.settings import Settings
from tests import newest
from tests.forks.commands import FootnoteProcess, start_footnote

_START_SECONDS = 120.0
_ROOT = Path(__file__).parent.parent


@contextmanager
def serve(settings: Settings) -> Generator[str]:
    """Run the whole application under uvicorn on its own port; stop it at the end even if clients are connected.

    A database that does not exist yet is copied from one that the migrations made before.
    """
    url = make_url(settings.database_url or "")
    if url.get_backend_name() == "sqlite" and url.database:
        newest.put(Path(url.database))
    with serving(settings, main.create_app(settings)) as address:
        yield address


@contextmanager
def serving(settings: Settings, app: main.Application) -> Generator[str]:
    """Serve an application as `footnote serve` would."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = Server(settings, app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        _wait(server, thread)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.stop()
        thread.join(_START_SECONDS)
        listening.close()
        assert not thread.is_alive(), "the server did not end"


@contextmanager
def serve_in_process(
    environment: Mapping[str, str],
    *,
    folder: Path | None = None,
    stderr: IO[str] | int | None = None,
    under: Sequence[str] = (),
    is_measured: bool = False,
) -> Generator[tuple[FootnoteProcess, str]]:
    """Run `footnote serve` in a process of its own, killed at the end unless it has ended; yields it and its address.

    `environment` comes on top of ours, `stderr` as in subprocess. `under`: the command that runs it, which is killed.
    `is_measured`: its memory is, so that it loads no more than it needs.
    """
    arguments = ("serve", "--port", "0")
    values = {**os.environ, "PYTHONPATH": str(_ROOT), **environment}
    pipe = subprocess.PIPE
    if under or is_measured:
        command = [*under, sys.executable, "-m", "app", *arguments]
        started = subprocess.Popen(command, cwd=folder, env=values, stdout=pipe, stderr=stderr, text=True)
    else:
        started = start_footnote(*arguments, folder=folder, environment=values, stdout=pipe, stderr=stderr)
    with started as process:
        try:
            assert process.stdout is not None
            url = next(word for line in process.stdout for word in line.split() if word.endswith("/graphql"))
            yield process, url.removesuffix("/graphql")
        finally:
            process.kill()


def _wait(server: uvicorn.Server, thread: threading.Thread) -> None:
    """Wait until the lifespan has started; earlier connections would only wait in the socket's queue."""
    deadline = time.monotonic() + _START_SECONDS
    while not server.started:
        assert thread.is_alive() and time.monotonic() < deadline, "the server did not start"
        thread.join(0.01)
