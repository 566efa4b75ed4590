"""A server that sleeps until something happens."""

import asyncio
from contextlib import suppress
from types import FrameType

import uvicorn

_TICK_SECONDS = 1.0
"""How often the date of responses is renewed, as in uvicorn."""


class StoppableServer(uvicorn.Server):
    """uvicorn that is told to stop. uvicorn itself looks ten times a second whether it shall, also at rest."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop_asked = asyncio.Event()

    def stop(self) -> None:
        """Stop soon. Any thread may ask, and a signal handler."""
        self.should_exit = True
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._stop_asked.set)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop because of a signal."""
        super().handle_exit(sig, frame)
        self.stop()

    async def main_loop(self) -> None:
        """Run until the server is to stop."""
        self._loop = asyncio.get_running_loop()
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                async with asyncio.timeout(_TICK_SECONDS):
                    await self._stop_asked.wait()
