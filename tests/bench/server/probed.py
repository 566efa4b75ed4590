"""A server that samples how long its event loop is blocked. It prints its port."""

import asyncio
import socket
import time

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from app import main
from app.cli.server.garbage import GarbageCollector
from app.cli.server.serve import Server
from app.settings import Settings

_EVERY_SECONDS = 0.001


class Probe:
    """The longest delay of the event loop, and the CPU time of its thread meanwhile, in milliseconds."""

    def __init__(self) -> None:
        self._late = self._busy = 0.0
        self._task: asyncio.Task[None] | None = None

    async def report(self, _: Request) -> JSONResponse:
        """Both since the last report."""
        if self._task is None:
            self._task = asyncio.create_task(self._sample())
        await asyncio.sleep(2 * _EVERY_SECONDS)
        found = {"late": self._late, "busy": self._busy}
        self._late = self._busy = 0.0
        return JSONResponse(found)

    async def _sample(self) -> None:
        while True:
            wall, busy = time.perf_counter(), time.thread_time()
            await asyncio.sleep(_EVERY_SECONDS)
            self._late = max(self._late, (time.perf_counter() - wall - _EVERY_SECONDS) * 1000)
            self._busy = max(self._busy, (time.thread_time() - busy) * 1000)


def serve(database_url: str) -> None:
    """Until killed."""
    settings = Settings.model_validate({"database_url": database_url})
    app = main.create_app(settings)
    app.router.routes.insert(0, Route("/stall", Probe().report))
    listening = socket.create_server(("127.0.0.1", 0))
    print(listening.getsockname()[1], flush=True)
    GarbageCollector.tune()
    Server(settings, app).run(sockets=[listening])
