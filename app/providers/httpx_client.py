"""What clients built on httpx share: bounded responses, and the meaning of its errors."""

from collections.abc import AsyncGenerator
from typing import cast

import httpx

from app import errors
from app.observation import tracing
from app.providers.resilience import response_sizes
from app.providers.resilience.error_mapping import ClientErrors, ErrorMapper


class _BoundedBody(httpx.AsyncByteStream):
    def __init__(self, body: httpx.AsyncByteStream, within: response_sizes.SizeLimit) -> None:
        self._body = body
        self._within = within

    async def __aiter__(self) -> AsyncGenerator[bytes]:
        async for data in self._within.limit_body(self._body):
            yield data

    async def aclose(self) -> None:
        await self._body.aclose()


async def _bound_body(response: httpx.Response) -> None:
    request, media_type = response.request, response.headers.get("content-type", "")
    within = response_sizes.choose_limit(response.status_code, request.url.path, media_type, request.content)
    if within is not None:
        body = cast("httpx.AsyncByteStream", response.stream)
        response.stream = _BoundedBody(body, within)


async def _continue_trace(request: httpx.Request) -> None:
    request.headers.update(tracing.outgoing_headers())


HOOKS = {"request": [_continue_trace], "response": [_bound_body]}
"""Bound responses, and let the server continue the trace. For `httpx.AsyncClient(event_hooks=…)`."""


def map_status_error(mapper: ErrorMapper, error: Exception) -> errors.AnswerError | None:
    """The AnswerError for a response that is not a success."""
    if not isinstance(error, httpx.HTTPStatusError):
        return None
    return mapper.map_status(error.response.status_code, error.response.text, error.response.headers)


CLIENT_ERRORS = ClientErrors(
    raised=(httpx.HTTPError, httpx.InvalidURL, httpx.StreamError),
    timeouts=(httpx.TimeoutException,),
    unreachable=(httpx.TransportError,),
    connected=(httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError),
    map_reported=map_status_error,
)
"""The errors of httpx."""
