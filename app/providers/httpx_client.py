"""Shared code for clients built on httpx: bounded responses, and the mapping of its errors."""

import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable
from functools import cache
from typing import Any, cast

import httpx

from app import errors
from app.observation import tracing
from app.providers.resilience import proxies, redirects, response_sizes
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
    request = response.request
    content = await request.aread()  # after a redirect, httpx has not read the body that it sends again
    within = response_sizes.choose_limit(response.status_code, request.url.path, response.headers, content)
    if within is not None:
        body = cast("httpx.AsyncByteStream", response.stream)
        response.stream = _BoundedBody(body, within)


@cache
def _certificates(trust_env: bool) -> ssl.SSLContext:
    """Certificate authorities: each client, even one for a single request, would read them in 30 ms."""
    return httpx.create_ssl_context(trust_env=trust_env)


def client_options(address: str, api_key: str | None, timeout: httpx.Timeout, *, is_local: bool) -> dict[str, Any]:
    """Options of `httpx.AsyncClient` for a server, which may redirect within its host. Raises StartError.

    A server on this machine is never called via a proxy.
    """
    return {
        "headers": {"Authorization": f"Bearer {api_key}"} if api_key else {},
        "timeout": timeout,
        "limits": httpx.Limits(max_connections=None),  # how many requests run at once is limited elsewhere
        "verify": _certificates(not is_local),
        "proxy": None if is_local else proxies.find_proxy(address),
        "trust_env": False,
        "follow_redirects": True,
        "event_hooks": _event_hooks(address),
    }


def _event_hooks(address: str) -> dict[str, list[Callable[[Any], Awaitable[None]]]]:
    """Hooks that restrict requests to the server of `address`, bound its responses, and let it continue the trace."""
    server = httpx.URL(address)

    async def prepare(request: httpx.Request) -> None:
        redirects.require_same_server(server, request.url)
        request.headers.update(tracing.outgoing_headers())
        request.headers["accept-encoding"] = response_sizes.ACCEPTED_ENCODINGS

    return {"request": [prepare], "response": [_bound_body]}


def map_status_error(mapper: ErrorMapper, error: Exception) -> errors.AnswerError | None:
    """The AnswerError for an unsuccessful response."""
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
