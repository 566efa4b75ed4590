"""A server that sleeps until something happens."""

import asyncio
import logging
import socket
from contextlib import suppress
from types import FrameType

import uvicorn

log = logging.getLogger(__name__)

_TICK_SECONDS = 1.0
"""How often the date in responses is updated, as in uvicorn."""
_LOOK_SECONDS = 0.01
"""How often a stopping server checks whether its connections and requests have ended."""

_CUT_OFF_SECONDS = 1.0
"""How long requests that are cut off may take to end."""


class StoppableServer(uvicorn.Server):
    """uvicorn that waits until `stop` is called. uvicorn itself checks ten times a second, even at rest."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop_asked = asyncio.Event()

    def stop(self) -> None:
        """Stop soon. Can be called from any thread, and from a signal handler."""
        self.should_exit = True
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._stop_asked.set)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop because of a signal."""
        super().handle_exit(sig, frame)
        self.stop()

    async def main_loop(self) -> None:
        """Run until `stop` is called."""
        self._loop = asyncio.get_running_loop()
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                async with asyncio.timeout(_TICK_SECONDS):
                    await self._stop_asked.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Give connections and requests the configured time to end. uvicorn's own always takes at least 0.1 s."""
        for server in self.servers:
            server.close()
        for listening in sockets or []:
            listening.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        try:
            async with asyncio.timeout(self.config.timeout_graceful_shutdown):
                # uvicorn does not notify anyone when they end.
                while (self.server_state.connections or self.server_state.tasks) and not self.force_exit:  # noqa: ASYNC110
                    await asyncio.sleep(_LOOK_SECONDS)
                for server in self.servers:
                    await server.wait_closed()
        except TimeoutError:
            await self._cut_off_requests()
        if not self.force_exit:
            await self.lifespan.shutdown()

    async def _cut_off_requests(self) -> None:
        """Cancel requests that do not end in time, and wait until they have responded to their clients."""
        if not (tasks := list(self.server_state.tasks)):  # there are only connections
            return
        log.warning("%d requests did not end in time, and are cut off", len(tasks))
        for task in tasks:
            task.cancel("the server stops")
        await asyncio.wait(tasks, timeout=_CUT_OFF_SECONDS)
