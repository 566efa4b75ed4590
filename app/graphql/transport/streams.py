"""Streaming responses: server-sent events and multipart, open for as long as their operation runs."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from typing import Protocol, cast

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send
from strawberry.http.streaming import HTTPStreamTransport, SSETransport

from app.graphql.limits.operation_limits import describe_large_result
from app.graphql.transport import error_responses
from app.graphql.transport.backlog import Backlog
from app.http.disconnects import run_while_connected

log = logging.getLogger(__name__)

# Proxies close connections that are silent for too long. (Strawberry's own interval for multipart is even shorter.)
_HEARTBEAT_SECONDS = 12.0
# About the size of the server's send buffer. The rest of a larger event waits here and counts as unsent.
_SLICE_BYTES = 65_536
# The largest result of a request. Most characters beyond ASCII take six bytes in it.
_MAX_RESULT_BYTES = 64_000_000


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
            if len(data) <= _SLICE_BYTES:
                await send({"type": "http.response.body", "body": data, "more_body": True})
                continue
            with self._backlog.count_unsent(self, len(data)):
                for start in range(0, len(data), _SLICE_BYTES):
                    piece = data[start : start + _SLICE_BYTES]
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
                    self._backlog.record_progress(self)
            del data
        await send({"type": "http.response.body", "body": b"", "more_body": False})


class LargeResult(Response):
    """A result that is sent in pieces: it has been sent once its client has read most of it, and not before."""

    def __init__(self, result: Response) -> None:
        super().__init__(result.body, result.status_code)
        self.raw_headers = result.raw_headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the result; the server aborts it if the client reads nothing."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        for start in range(0, len(self.body), _SLICE_BYTES):
            more = start + _SLICE_BYTES < len(self.body)
            piece = self.body[start : start + _SLICE_BYTES]
            await send({"type": "http.response.body", "body": piece, "more_body": more})


def bound_result(request: Request, response: Response, has_mutated: Callable[[Request], bool]) -> Response:
    """The response, which is sent in pieces if it is a large result; an error if it is too large."""
    size = len(response.body) if type(response) is Response else 0
    if size <= _SLICE_BYTES:
        return response
    if size > _MAX_RESULT_BYTES:
        mutated = has_mutated(request)
        excess = f"The result has {size:,} bytes; at most {_MAX_RESULT_BYTES:,} are allowed."
        message = describe_large_result(excess, has_mutated=mutated)
        if mutated:
            return error_responses.execution_error(request, message, "QUERY_TOO_EXPENSIVE")
        return error_responses.top_level_error(request, 400, message, "QUERY_TOO_EXPENSIVE")
    return LargeResult(response)


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
