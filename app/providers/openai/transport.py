"""An HTTP transport for httpx2 that sends requests with aiohttp.

httpx2 parses bodies in Python at 50 µs per chunk: two hundred answers of fifty tokens a second would take half a core
for parsing alone. aiohttp's parser is written in C, and reads everything that has arrived at once. The `openai` client
has such a transport too, but it reports a refused connection as a timeout.
"""

import asyncio
import ssl
from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager
from functools import cache
from typing import cast

import aiohttp
import httpx2

from app.observation import tracing
from app.providers.openai.reading_ticks import ReadingTicks
from app.providers.resilience import response_sizes

# The first match applies.
_ERRORS: tuple[tuple[type[Exception], type[httpx2.TransportError]], ...] = (
    (aiohttp.ConnectionTimeoutError, httpx2.ConnectTimeout),
    (aiohttp.ServerTimeoutError, httpx2.ReadTimeout),
    (aiohttp.ClientConnectorError, httpx2.ConnectError),
    (aiohttp.InvalidURL, httpx2.UnsupportedProtocol),
    (aiohttp.ClientResponseError, httpx2.RemoteProtocolError),
    (aiohttp.ClientError, httpx2.ReadError),
    (ConnectionError, httpx2.ReadError),
)


@cache
def _certificates(trust_env: bool) -> ssl.SSLContext:
    """httpx2's, so that both libraries trust the same servers. Reading them takes 20 to 40 ms, so it is done once."""
    return httpx2.create_ssl_context(trust_env=trust_env)


class AiohttpTransport(httpx2.AsyncBaseTransport):
    """Sends requests with aiohttp. `trust_env`: through the proxy that the environment names."""

    def __init__(self, *, trust_env: bool) -> None:
        self._trust_env = trust_env
        self._ticks = ReadingTicks()
        self._certificates = _certificates(trust_env)
        self._session: aiohttp.ClientSession | None = None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request and wait for the head of its response. Raises httpx2's errors."""
        seconds: dict[str, float | None] = request.extensions.get("timeout", {})
        with _translate_errors(request):
            response = await self._opened().request(
                request.method,
                # httpx2 has moved user and password to the headers.
                str(request.url.copy_with(userinfo=b"")),
                headers=[*request.headers.multi_items(), *tracing.outgoing_headers().items()],
                data=await request.aread() or None,
                allow_redirects=False,
                timeout=aiohttp.ClientTimeout(sock_connect=seconds.get("connect"), sock_read=seconds.get("read")),
            )
        media_type = response.headers.get("content-type", "")
        within = response_sizes.choose_limit(response.status, request.url.path, media_type, request.content)
        return httpx2.Response(
            response.status,
            headers=list(response.raw_headers),
            stream=_Body(request, response, within, self._ticks),
            extensions={"http_version": b"HTTP/1.1", "reason_phrase": (response.reason or "").encode()},
        )

    async def aclose(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()

    def _opened(self) -> aiohttp.ClientSession:
        """The session, created on first use because it belongs to the running event loop."""
        if self._session is None:
            self._session = aiohttp.ClientSession(
                # The concurrency limiter decides how many requests run at once.
                connector=aiohttp.TCPConnector(limit=0, ssl=self._certificates),
                cookie_jar=aiohttp.DummyCookieJar(),
                skip_auto_headers=("User-Agent", "Accept", "Accept-Encoding", "Content-Type"),
                auto_decompress=False,
                timeout=aiohttp.ClientTimeout(total=None),
                trust_env=self._trust_env,
            )
        return self._session


class _Body(httpx2.AsyncByteStream):
    """A body as it arrives, within its size limit. Closing it early closes its connection too."""

    def __init__(
        self,
        request: httpx2.Request,
        response: aiohttp.ClientResponse,
        within: response_sizes.SizeLimit | None,
        ticks: ReadingTicks,
    ) -> None:
        self._request = request
        self._response = response
        self._within = within
        self._ticks = ticks

    def __aiter__(self) -> AsyncGenerator[bytes]:
        return self._stream() if self._within is None else self._within.limit_body(self._pieces())

    async def _pieces(self) -> AsyncGenerator[bytes]:
        with _translate_errors(self._request):
            while data := await self._response.content.readany():
                yield data

    async def _stream(self) -> AsyncGenerator[bytes]:
        """The pieces of an answer. Between two reads its data waits in the socket, where it costs nothing."""
        content = self._response.content
        with _translate_errors(self._request), self._ticks.open_stream() as ticks:
            while data := await content.readany():
                yield data
                connection = self._response.connection
                transport = cast("asyncio.ReadTransport | None", connection.transport) if connection else None
                if transport is not None and not content.at_eof():
                    transport.pause_reading()
                    await ticks.wait_for_next()
                    transport.resume_reading()

    async def aclose(self) -> None:
        if self._response.content.at_eof():
            self._response.release()
        else:
            self._response.close()


@contextmanager
def _translate_errors(request: httpx2.Request) -> Generator[None]:
    """Raise errors of aiohttp as the matching errors of httpx2."""
    try:
        yield
    except (aiohttp.ClientError, ConnectionError) as error:
        kind = next(told for ours, told in _ERRORS if isinstance(error, ours))
        raise kind(str(error), request=request) from error
