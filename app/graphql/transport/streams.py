"""Streaming responses: server-sent events and multipart, open for as long as their operation runs."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Protocol, cast

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send
from strawberry.http.streaming import HTTPStreamTransport, SSETransport

from app.graphql.transport.backlog import Backlog
from app.http.disconnects import run_while_connected

log = logging.getLogger(__name__)

# Proxies close connections that are silent for too long. (Strawberry's own interval for multipart is even shorter.)
_HEARTBEAT_SECONDS = 12.0
SLICE_BYTES = 65_536
"""About the size of the server's send buffer. The rest of a larger event waits here and counts as unsent."""


class OpenStream(Protocol):
    """A stream or socket that stays open until the server stops."""

    async def end_cleanly(self) -> None:
        """End it cleanly, at once."""
        ...


async def with_heartbeats(
    events: AsyncGenerator[str], heartbeat: str, transport: HTTPStreamTransport
) -> AsyncGenerator[str]:
    """The events, with heartbeats in silent periods. Each event is produced when the previous one has been taken."""
    made = asyncio.Queue[str | None]()
    taken = asyncio.Event()

    async def make() -> None:
        try:
            async with aclosing(events):
                async for event in events:
                    made.put_nowait(event)
                    del event
                    await taken.wait()
                    taken.clear()
        finally:
            made.put_nowait(None)

    making = asyncio.ensure_future(make())
    try:
        if transport.send_initial_heartbeat:
            yield heartbeat
        while True:
            try:
                async with asyncio.timeout(transport.heartbeat_interval):
                    event = await made.get()
            except TimeoutError:
                yield heartbeat
                continue
            if event is None:
                break
            yield event
            del event
            taken.set()
        await making
    finally:
        making.cancel()
        await asyncio.wait({making})


class CancellableStream(StreamingResponse):
    """A stream that ends promptly when its client disconnects, and cleanly when the server stops.

    Starlette does not close the body's iterator (https://github.com/Kludex/starlette/pull/3491 leaves that for later);
    this always does. Bytes that the client has not read count as unsent.
    """

    def __init__(
        self,
        body: AsyncGenerator[str],
        *,
        headers: Mapping[str, str],
        open_streams: set[OpenStream],
        backlog: Backlog,
        user: str | None,
    ) -> None:
        super().__init__(body, headers=headers)
        self.user = user
        self.unsent_bytes = 0
        self._open_streams = open_streams
        self._backlog = backlog
        self._was_cut = False
        self._stopping = asyncio.Event()
        self._ended = asyncio.Event()

    async def end_cleanly(self) -> None:
        """End the body, so that the response is complete."""
        self._stopping.set()
        await self._ended.wait()

    def abort_now(self) -> None:
        """Abort the response, because its client does not read it."""
        self._was_cut = True
        self._stopping.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the body until it ends, the client disconnects, or the server stops."""
        self._open_streams.add(self)
        try:
            stopped = await run_while_connected(self.stream_response(send), receive, stop=self._stopping)
        finally:
            self._open_streams.discard(self)
            await cast("AsyncGenerator[str]", self.body_iterator).aclose()
            self._ended.set()
        if stopped and self._was_cut:
            log.warning("a stream was aborted because its client does not read it")
        elif stopped:
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def stream_response(self, send: Send) -> None:
        """Send the body, one event at a time."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async for event in cast("AsyncGenerator[str]", self.body_iterator):
            data = event.encode()
            del event
            if len(data) <= SLICE_BYTES:
                await send({"type": "http.response.body", "body": data, "more_body": True})
                continue
            with self._backlog.count_unsent(self, len(data)):
                for start in range(0, len(data), SLICE_BYTES):
                    piece = data[start : start + SLICE_BYTES]
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
                    self._backlog.record_progress(self)
            del data
        await send({"type": "http.response.body", "body": b"", "more_body": False})


class EventStream(SSETransport):
    """Server-sent events with LF line endings: clients that split events at two LFs (urql) cannot read CRLF.

    No upstream issue, in Strawberry or in urql.
    """

    def __init__(self) -> None:
        super().__init__(heartbeat_interval=_HEARTBEAT_SECONDS)

    def encode_event(self, event: str, data: str | None = None) -> str:
        """Encode one event."""
        return super().encode_event(event, data).replace("\r\n", "\n")

    def encode_comment(self, comment: str) -> str:
        """Encode a comment, which clients ignore."""
        return f": {comment}\n\n"
