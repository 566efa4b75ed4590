"""An HTTP/1.1 client connection, which parses responses in C.

Parsers in Python take up to 50 µs per piece of a body, and C parsers usually pass each piece on with several Python
calls: for two hundred answers at fifty tokens a second, this alone would take a third of a core. Here, the parser
itself appends pieces to a list, and they are joined when they are read.
"""

import asyncio
from typing import cast

import httptools
import httpx2

# More than the headers or trailers of any valid response; more data would fill the memory.
_MAX_BYTES_WITHOUT_BODY = 64 << 10
# The most bytes of a body that may wait to be read.
_MAX_WAITING_BYTES = 256 << 10
_BROKEN = "The server closed the connection before its response was complete."
_DELIMITERS = frozenset({b"content-length", b"transfer-encoding"})


class _UnrequestedResponseError(Exception):
    """The server sends data that was not requested."""


class HTTPConnection(asyncio.Protocol):
    """A connection that serves one request at a time. Raises httpx2's errors."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiter: asyncio.Future[None] | None = None
        self._error: httpx2.TransportError | None = None
        self._parser: httptools.HttpResponseParser | None = None
        self._body: list[bytes] = []
        self._waiting_bytes = self._bytes_without_body = 0
        self._has_head = self._keeps_alive = False
        self.on_body = self._body.append  # called by the parser, like the other `on_` methods
        self.headers: list[tuple[bytes, bytes]] = []
        self.reason = b""
        self.status = 0
        self.is_complete = True
        """Whether the response is complete."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called when the connection is established."""
        self._transport = cast("asyncio.Transport", transport)

    async def send_request(self, request: bytes) -> None:
        """Send a request and wait for the response's headers."""
        self._parser = httptools.HttpResponseParser(self)
        # Common mistakes of servers, which browsers tolerate, too.
        self._parser.set_dangerous_leniencies(
            lenient_headers=True, lenient_optional_cr_before_lf=True, lenient_spaces_after_chunk_size=True
        )
        self._bytes_without_body = 0
        self.headers, self.reason, self.status = [], b"", 0
        self.is_complete = self._has_head = False
        self._transport.write(request)
        while not self._has_head:
            await self._wait()

    async def read_body(self) -> bytes:
        """The next piece of the body: everything that has arrived. Empty at the end."""
        while not self._body and not self.is_complete:
            await self._wait()
        data = b"".join(self._body)
        self._body.clear()
        if self._waiting_bytes > _MAX_WAITING_BYTES:
            self.resume_reading()
        self._waiting_bytes = 0
        return data

    async def _wait(self) -> None:
        if self._error is not None:
            raise self._error
        self._waiter = self._loop.create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None

    @property
    def is_reusable(self) -> bool:
        """Whether another request may be sent: the rest of a body would be taken for the next response."""
        return self.is_complete and self._keeps_alive and not self._body and not self._is_closed

    @property
    def _is_closed(self) -> bool:
        return self._error is not None or self._transport.is_closing()

    def pause_reading(self) -> None:
        """Stop reading; data stays in the socket, where it costs nothing."""
        if not self._is_closed:
            self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Resume reading."""
        if not self._is_closed:
            self._transport.resume_reading()

    def close(self) -> None:
        """Close the connection, and discard unread data."""
        self._transport.abort()

    def data_received(self, data: bytes) -> None:
        """Parse data that has arrived."""
        pieces = len(self._body)
        try:
            if self._parser is None:
                raise httptools.HttpParserError("it sends data that was not requested")
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            self._fail(httpx2.RemoteProtocolError(f"The server does not speak HTTP/1.1: {error}"))
            return
        self._waiting_bytes += len(data)
        self._bytes_without_body = 0 if len(self._body) > pieces else self._bytes_without_body + len(data)
        if self._bytes_without_body > _MAX_BYTES_WITHOUT_BODY:
            self._fail(httpx2.RemoteProtocolError("The headers of the server's response are too long."))
        elif self._waiting_bytes > _MAX_WAITING_BYTES:
            self.pause_reading()
        self._wake_reader()

    def on_message_begin(self) -> None:
        """Called when a response begins."""
        if self.is_complete:
            raise _UnrequestedResponseError

    def on_status(self, reason: bytes) -> None:
        """Called with a part of the reason phrase."""
        self.reason += reason

    def on_header(self, name: bytes, value: bytes) -> None:
        """Called with a header or a trailer; trailers are ignored."""
        if not self._has_head:
            self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        """Called after the headers; after an interim response (1xx), the real one follows."""
        self.status = self._parser.get_status_code() if self._parser else 0
        self._has_head = self.status >= 200
        if not self._has_head:
            self.headers, self.reason = [], b""

    def on_message_complete(self) -> None:
        """Called at the end of a response; an interim one does not count."""
        self.is_complete = self._has_head
        self._keeps_alive = self._parser is not None and self._parser.should_keep_alive()

    def connection_lost(self, exc: Exception | None) -> None:
        """Called when the connection is closed, which completes a response without a length and breaks any other."""
        if self._has_head and not exc and _DELIMITERS.isdisjoint(name.lower() for name, _ in self.headers):
            self.is_complete = True
        self._fail(httpx2.ReadError(str(exc or "") or _BROKEN))

    def _fail(self, error: httpx2.TransportError) -> None:
        self._error = self._error or error
        self._parser = None  # it refers to this object
        self._transport.abort()
        self._wake_reader()

    def _wake_reader(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
