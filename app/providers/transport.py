"""An HTTP transport for httpx2 that sends requests with aiohttp.

httpx2 reads bodies with a parser in Python, 50 µs for each chunk, so that two hundred answers of fifty tokens a second
would take half of a core before a word was looked at. aiohttp's parser is in C, and all that has come is read at once.
The `openai` client has such a transport too; it tells a refused connection as one that took too long.
"""

from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager

import aiohttp
import httpx2

from app.providers.resilience import response_sizes

# The first that fits counts.
_ERRORS: tuple[tuple[type[Exception], type[httpx2.TransportError]], ...] = (
    (aiohttp.ConnectionTimeoutError, httpx2.ConnectTimeout),
    (aiohttp.ServerTimeoutError, httpx2.ReadTimeout),
    (aiohttp.ClientConnectorError, httpx2.ConnectError),
    (aiohttp.InvalidURL, httpx2.UnsupportedProtocol),
    (aiohttp.ClientResponseError, httpx2.RemoteProtocolError),
    (aiohttp.ClientError, httpx2.ReadError),
    (ConnectionError, httpx2.ReadError),
)


class AiohttpTransport(httpx2.AsyncBaseTransport):
    """`trust_env`: through the proxy that the environment names."""

    def __init__(self, *, trust_env: bool) -> None:
        self._trust_env = trust_env
        # httpx2's certificates, so that a server is trusted or not whoever sends the request.
        self._certificates = httpx2.create_ssl_context(trust_env=trust_env)
        self._session: aiohttp.ClientSession | None = None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send it, and wait for the head of its response. Raises httpx2's errors."""
        seconds: dict[str, float | None] = request.extensions.get("timeout", {})
        with _translate_errors(request):
            response = await self._opened().request(
                request.method,
                # What httpx2 makes of a user and a password in it is in the headers.
                str(request.url.copy_with(userinfo=b"")),
                headers=request.headers.multi_items(),
                data=await request.aread() or None,
                allow_redirects=False,
                timeout=aiohttp.ClientTimeout(sock_connect=seconds.get("connect"), sock_read=seconds.get("read")),
            )
        media_type = response.headers.get("content-type", "")
        within = response_sizes.choose_limit(response.status, request.url.path, media_type, request.content)
        return httpx2.Response(
            response.status,
            headers=list(response.raw_headers),
            stream=_Body(request, response, within),
            extensions={"http_version": b"HTTP/1.1", "reason_phrase": (response.reason or "").encode()},
        )

    async def aclose(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()

    def _opened(self) -> aiohttp.ClientSession:
        """It belongs to the event loop that sends."""
        if self._session is None:
            self._session = aiohttp.ClientSession(
                # How many requests run at once is the gate's to say.
                connector=aiohttp.TCPConnector(limit=0, ssl=self._certificates),
                cookie_jar=aiohttp.DummyCookieJar(),
                skip_auto_headers=("User-Agent", "Accept", "Accept-Encoding", "Content-Type"),
                auto_decompress=False,
                timeout=aiohttp.ClientTimeout(total=None),
                trust_env=self._trust_env,
            )
        return self._session


class _Body(httpx2.AsyncByteStream):
    """A body as it comes, within its bound; closed before its end, its connection is closed too."""

    def __init__(
        self, request: httpx2.Request, response: aiohttp.ClientResponse, within: response_sizes.SizeLimit | None
    ) -> None:
        self._request = request
        self._response = response
        self._within = within

    async def __aiter__(self) -> AsyncGenerator[bytes]:
        pieces = self._pieces()
        if self._within is not None:
            pieces = self._within.limit_body(pieces)
        async for data in pieces:
            yield data

    async def _pieces(self) -> AsyncGenerator[bytes]:
        with _translate_errors(self._request):
            while data := await self._response.content.readany():
                yield data

    async def aclose(self) -> None:
        if self._response.content.at_eof():
            self._response.release()
        else:
            self._response.close()


@contextmanager
def _translate_errors(request: httpx2.Request) -> Generator[None]:
    """Errors of aiohttp as httpx2 would tell them."""
    try:
        yield
    except (aiohttp.ClientError, ConnectionError) as error:
        kind = next(told for ours, told in _ERRORS if isinstance(error, ours))
        raise kind(str(error), request=request) from error
