"""Results of an operation in; a response body that goes on as long as the operation does out."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import cast

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send
from strawberry.http.streaming import SSETransport

# Proxies close what is silent for long.
_HEARTBEAT_SECONDS = 12.0


class CancellableStream(StreamingResponse):
    """Ends with its client, promptly.

    Starlette leaves through a cancel scope, which never reaches a body that is always ready to go on, and does not
    close the iterator. This one cancels the task itself, and always closes.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the body until it ends or the client goes."""
        sending = asyncio.ensure_future(self.stream_response(send))
        gone = asyncio.ensure_future(self.listen_for_disconnect(receive))
        try:
            await asyncio.wait({sending, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            left = not sending.done()
            gone.cancel()
            if left:
                sending.cancel()
            with suppress(asyncio.CancelledError):
                await sending
            await cast("AsyncGenerator[str]", self.body_iterator).aclose()


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
