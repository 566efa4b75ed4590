"""Settings in; the address of the whole server on loopback out: real sockets, uvicorn in a thread."""

import socket
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager

import uvicorn

from app import main
from app.cli import protocols
from app.settings import Settings

_START_SECONDS = 30.0
# For connections that are open at the end; the lifespan then stops as in production.
_GRACE_SECONDS = 1


@contextmanager
def serve(settings: Settings) -> Generator[str]:
    """The application under uvicorn on a port of its own; stopped at the end, whoever is still connected."""
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        main.create_app(settings),
        log_config=None,
        http=protocols.patient(settings.request_seconds),
        ws="websockets-sansio",
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        _wait(server, thread)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(_START_SECONDS)
        listening.close()


def _wait(server: uvicorn.Server, thread: threading.Thread) -> None:
    """Until the lifespan has started: connections before that would wait in the socket's queue anyway."""
    deadline = time.monotonic() + _START_SECONDS
    while not server.started:
        assert thread.is_alive() and time.monotonic() < deadline, "the server did not start"
        thread.join(0.01)
