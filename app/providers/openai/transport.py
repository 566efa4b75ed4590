"""Send the requests of the `openai` client, and bound the responses.

For a piece of a streamed answer, the client's own HTTP library takes several times as long as all other processing. It
is used only if the environment names a proxy.
"""

import asyncio
import socket
import ssl
from collections.abc import AsyncGenerator
from contextlib import suppress
from functools import cache
from time import monotonic

import httpx2

from app.observation import tracing
from app.providers.openai import wire
from app.providers.openai.http_connection import HTTPConnection
from app.providers.openai.reading_ticks import ReadingTicks
from app.providers.resilience import proxies, redirects, response_sizes

# The key of the streamed body in a response's extensions.
_STREAMED = "streamed_body"
# How long to try one of several addresses: some networks drop all IPv6 packets.
_ADDRESS_SECONDS = 1.0
# Servers close idle connections; a request must not be sent on one that is about to be closed.
_IDLE_SECONDS = 15.0

_Server = tuple[str, str, int]


@cache
def _certificates(trust_env: bool) -> ssl.SSLContext:
    """httpx2's certificates. Reading them takes 20 to 40 ms, so this is cached."""
    return httpx2.create_ssl_context(trust_env=trust_env)


def open_transport(base_url: str, *, trust_env: bool) -> httpx2.AsyncBaseTransport:
    """The transport to one server. `trust_env`: use the environment's proxy for it, if any."""
    server = httpx2.URL(base_url)
    proxy = proxies.find_proxy(base_url) if trust_env else None
    certificates = _certificates(trust_env)
    if proxy is None:
        return BoundedTransport(DirectTransport(certificates), server)
    limits = httpx2.Limits(max_connections=None)  # the concurrency limiter decides how many requests run at once
    return BoundedTransport(httpx2.AsyncHTTPTransport(certificates, proxy=proxy, limits=limits), server)


class BoundedTransport(httpx2.AsyncBaseTransport):
    """Restricts requests to one server, continues traces, and limits the size of each response."""

    def __init__(self, inner: httpx2.AsyncBaseTransport, server: httpx2.URL) -> None:
        self._inner = inner
        self._server = server

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request and wait for the response's headers. Raises httpx2's errors, or ResponseRefused."""
        redirects.require_same_server(self._server, request.url)
        request.headers.update(tracing.outgoing_headers())
        request.headers["accept-encoding"] = response_sizes.ACCEPTED_ENCODINGS
        response = await self._inner.handle_async_request(request)
        try:
            within = response_sizes.choose_limit(
                response.status_code, request.url.path, response.headers, await request.aread()
            )
        except response_sizes.ResponseRefused:
            await response.aclose()
            raise
        body = response.stream
        if within is not None and isinstance(body, httpx2.AsyncByteStream):
            response.stream = _LimitedBody(body, within)
        elif isinstance(body, DirectBody):
            response.extensions[_STREAMED] = body
        return response

    async def aclose(self) -> None:
        """Close all connections."""
        await self._inner.aclose()


class _LimitedBody(httpx2.AsyncByteStream):
    def __init__(self, body: httpx2.AsyncByteStream, within: response_sizes.SizeLimit) -> None:
        self._body = body
        self._within = within

    def __aiter__(self) -> AsyncGenerator[bytes]:
        return self._within.limit_body(self._body)

    async def aclose(self) -> None:
        await self._body.aclose()


class DirectTransport(httpx2.AsyncBaseTransport):
    """Sends requests on its own connections, and keeps reusable ones."""

    def __init__(self, certificates: ssl.SSLContext) -> None:
        self._certificates = certificates
        self._ticks = ReadingTicks()
        self._idle: dict[_Server, list[tuple[float, HTTPConnection]]] = {}

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request and wait for the response's headers. Raises httpx2's errors."""
        message = _encode_request(request, await request.aread())
        server = _find_server(request.url)
        connection = self._take_idle(server) or await self._connect(server, request)
        try:
            await connection.send_request(message)
        except BaseException:  # including cancellation
            connection.close()
            raise
        return httpx2.Response(
            connection.status,
            headers=connection.headers,
            stream=DirectBody(self, server, connection, self._ticks),
            extensions={"http_version": b"HTTP/1.1", "reason_phrase": connection.reason},
        )

    async def _connect(self, server: _Server, request: httpx2.Request) -> HTTPConnection:
        limits: dict[str, float | None] = request.extensions.get("timeout", {})
        try:
            async with asyncio.timeout(limits.get("connect")):
                return await self._connect_any(*server)
        except TimeoutError as error:
            raise httpx2.ConnectTimeout("The server did not accept the connection in time.", request=request) from error
        except OSError as error:
            raise httpx2.ConnectError(str(error), request=request) from error

    async def _connect_any(self, scheme: str, host: str, port: int) -> HTTPConnection:
        """Connect to the first address of a host that accepts a connection."""
        loop, tls = asyncio.get_running_loop(), self._certificates if scheme == "https" else None

        async def connect(address: str) -> HTTPConnection:
            name = host if tls else None
            return (await loop.create_connection(HTTPConnection, address, port, ssl=tls, server_hostname=name))[1]

        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        *others, last = [str(address[0]) for *_, address in found]
        for address in others:
            with suppress(OSError):
                async with asyncio.timeout(_ADDRESS_SECONDS):
                    return await connect(address)
        return await connect(last)

    def _take_idle(self, server: _Server) -> HTTPConnection | None:
        idle = self._idle.get(server, [])
        while idle:
            since, connection = idle.pop()
            if connection.is_reusable and monotonic() - since < _IDLE_SECONDS:
                return connection
            connection.close()
        return None

    def give_back(self, server: _Server, connection: HTTPConnection) -> None:
        """Keep a connection for the next request, or close it if it is not reusable."""
        if not connection.is_reusable:
            connection.close()
            return
        idle, now = self._idle.setdefault(server, []), monotonic()
        while idle and now - idle[0][0] >= _IDLE_SECONDS:
            idle.pop(0)[1].close()
        idle.append((now, connection))

    async def aclose(self) -> None:
        """Close idle connections; those in use are closed with their responses."""
        for idle in self._idle.values():
            for _, connection in idle:
                connection.close()
        self._idle.clear()


class DirectBody(httpx2.AsyncByteStream):
    """Streams a body. Closing it early closes the connection, too."""

    def __init__(
        self, transport: DirectTransport, server: _Server, connection: HTTPConnection, ticks: ReadingTicks
    ) -> None:
        self._transport = transport
        self._server = server
        self._connection: HTTPConnection | None = connection
        self._ticks = ticks

    async def __aiter__(self) -> AsyncGenerator[bytes]:
        while self._connection is not None and (data := await self._connection.read_body()):
            yield data

    async def read_in_ticks(self) -> AsyncGenerator[bytes]:
        """Like iterating, but reads at the same times as other streams."""
        if (connection := self._connection) is None:
            return
        with self._ticks.open_stream() as half:
            while data := await connection.read_body():
                yield data
                if not connection.is_complete:
                    half.pause_until_next(connection)

    async def aclose(self) -> None:
        """Return the connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            self._transport.give_back(self._server, connection)


def read_stream(response: wire.Response) -> AsyncGenerator[bytes]:
    """The body of a streamed answer, bypassing the client's library if it would not change the pieces."""
    body = response.extensions.get(_STREAMED)
    if isinstance(body, DirectBody) and "content-encoding" not in response.headers:
        return body.read_in_ticks()
    return response.aiter_bytes()


def _find_server(url: httpx2.URL) -> _Server:
    if url.scheme not in proxies.PORTS or not url.raw_host:
        raise httpx2.UnsupportedProtocol(f"{url} is not the address of a model server.")
    return url.scheme, url.raw_host.decode("ascii"), url.port or proxies.PORTS[url.scheme]


def _encode_request(request: httpx2.Request, body: bytes) -> bytes:
    lines = [b"%s %s HTTP/1.1" % (request.method.encode("ascii"), request.url.raw_path)]
    lines += [b"%s: %s" % header for header in request.headers.raw]
    if any(b"\r" in line or b"\n" in line for line in lines):
        raise httpx2.LocalProtocolError("A header contains a line break.", request=request)
    return b"%s\r\n\r\n%s" % (b"\r\n".join(lines), body)
