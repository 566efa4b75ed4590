"""A model that pauses within its answer until the test opens its gate."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Sequence

from starlette.requests import Request
from starlette.responses import Response

from tests.servers.openai import OpenAIServer


class Gated(OpenAIServer):
    """Pauses before the piece that contains `before`."""

    def __init__(self, pieces: Sequence[str] = ("The first half, ", "and the second."), before: str = "second") -> None:
        super().__init__(lambda _: pieces)
        self.open = threading.Event()
        self._before = before.encode()

    def stop(self) -> None:
        self.open.set()

    def stream(self, request: Request, frames: AsyncGenerator[bytes], media_type: str) -> Response:
        async def gated() -> AsyncGenerator[bytes]:
            async for frame in frames:
                if self._before in frame:
                    await asyncio.to_thread(self.open.wait)
                yield frame

        return super().stream(request, gated(), media_type)
