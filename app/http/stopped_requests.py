"""Respond to the requests that a stopping server does not wait for."""

import asyncio

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app import errors
from app.http.error_responses import ErrorResponse

_RETRY_MS = 1000


class StoppedRequests:
    """Responds with 503 to requests whose tasks are cancelled: only a stopping server does that.

    A response that has begun can no longer say so: its connection is closed, so clients know that it is incomplete.
    """

    def __init__(self, app: ASGIApp, *, error_response: ErrorResponse) -> None:
        self._app = app
        self._error_response = error_response

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        has_begun = scope["type"] != "http"

        async def note_and_send(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self._app(scope, receive, note_and_send)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if has_begun or task is None:
                raise
            task.uncancel()
            error = errors.Unavailable(
                "The server is stopping, and has not finished this request.", "server", _RETRY_MS
            )
            await self._error_response(Request(scope), error)(scope, receive, send)
