"""Run the whole server on loopback: real sockets, uvicorn in a thread."""

import socket
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager

import uvicorn

from app import main
from app.cli.server.serve import Server
from app.settings import Settings

_START_SECONDS = 120.0


@contextmanager
def serve(settings: Settings) -> Generator[str]:
    """Run the whole application under uvicorn on its own port; stop it at the end even if clients are connected."""
    with serving(settings, main.create_app(settings)) as url:
        yield url


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
        server.should_exit = True
        thread.join(_START_SECONDS)
        listening.close()
        assert not thread.is_alive(), "the server did not end"


def _wait(server: uvicorn.Server, thread: threading.Thread) -> None:
    """Wait until the lifespan has started; earlier connections would only wait in the socket's queue."""
    deadline = time.monotonic() + _START_SECONDS
    while not server.started:
        assert thread.is_alive() and time.monotonic() < deadline, "the server did not start"
        thread.join(0.01)
