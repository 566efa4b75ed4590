"""Results of an operation in; a response body that goes on as long as the operation does out."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from typing import Protocol, cast

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send
from strawberry.http.streaming import SSETransport

from app.http.disconnects import run_while_connected

# Proxies close what is silent for long. (Of multipart streams Strawberry's own interval is shorter still.)
_HEARTBEAT_SECONDS = 12.0


class Leaving(Protocol):
    """Something that stays open until the server stops."""

    async def leave(self) -> None:
        """End it cleanly, now."""
        ...


class CancellableStream(StreamingResponse):
    """Ends with its client, promptly; or with the server, as a whole response.

    Starlette does not close the body's iterator; this always does.
    """

    def __init__(self, body: AsyncGenerator[str], *, headers: Mapping[str, str], open_streams: set[Leaving]) -> None:
        super().__init__(body, headers=headers)
        self._open_streams = open_streams
        self._stopping = asyncio.Event()
        self._ended = asyncio.Event()

    async def leave(self) -> None:
        """End the body."""
        self._stopping.set()
        await self._ended.wait()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the body until it ends, the client goes, or the server stops."""
        self._open_streams.add(self)
        try:
            stopped = await run_while_connected(self.stream_response(send), receive, stop=self._stopping)
        finally:
            self._open_streams.discard(self)
            await cast("AsyncGenerator[str]", self.body_iterator).aclose()
            self._ended.set()
        if stopped:
            await send({"type": "http.response.body", "body": b"", "more_body": False})


class EventStream(SSETransport):
    """Server-sent events whose lines end in LF: clients that split at two LF (urql) read nothing from CRLF."""

    def __init__(self) -> None:
        super().__init__(heartbeat_interval=_HEARTBEAT_SECONDS)

    def encode_event(self, event: str, data: str | None = None) -> str:
        """One event."""
        return super().encode_event(event, data).replace("\r\n", "\n")

    def encode_comment(self, comment: str) -> str:
        """One line that clients ignore."""
        return f": {comment}\n\n"
