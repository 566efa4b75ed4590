"""A connection that speaks HTTP/1.1: sends a request, and reads its response with a parser written in C.

Parsers in Python take up to 50 µs for a piece of a body, and those in C hand each piece on with several calls in
Python: two hundred answers of fifty tokens a second would take a third of a core for that alone. Here the pieces that
have arrived are a list that the parser itself appends to, and are joined when they are read.
"""

import asyncio
from typing import cast

import httptools
import httpx2

# More than any head or any end of a response; a server that sends more would fill the memory.
_MAX_BYTES_WITHOUT_BODY = 64 << 10
# How much of a body may wait to be read.
_MAX_WAITING_BYTES = 256 << 10
_BROKEN = "The server closed the connection before its response was complete."
_DELIMITERS = frozenset({b"content-length", b"transfer-encoding"})


class _UnrequestedResponseError(Exception):
    """The server sends more than it was asked for."""


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
        self.on_body = self._body.append  # called by the parser, as the other methods named so
        self.headers: list[tuple[bytes, bytes]] = []
        self.reason = b""
        self.status = 0
        self.is_complete = True
        """Whether all of the response has arrived."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The server has accepted."""
        self._transport = cast("asyncio.Transport", transport)

    async def send_request(self, request: bytes) -> None:
        """Send a request and wait for the head of its response."""
        self._parser = httptools.HttpResponseParser(self)
        # What servers in use get wrong, and what browsers read all the same.
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
        """The next piece of the body: all that has arrived. Empty at its end."""
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
        """Whether another request may be sent. What is left of a body would be taken for the next one's."""
        return self.is_complete and self._keeps_alive and not self._body and not self._is_closed

    @property
    def _is_closed(self) -> bool:
        return self._error is not None or self._transport.is_closing()

    def pause_reading(self) -> None:
        """Leave what arrives in the socket, where it costs nothing."""
        if not self._is_closed:
            self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Read again."""
        if not self._is_closed:
            self._transport.resume_reading()

    def close(self) -> None:
        """Close the connection, whatever has not been read."""
        self._transport.abort()

    def data_received(self, data: bytes) -> None:
        """Parse what has arrived."""
        pieces = len(self._body)
        try:
            if self._parser is None:
                raise httptools.HttpParserError("it sends what nobody asked for")
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            self._fail(httpx2.RemoteProtocolError(f"The server does not speak HTTP/1.1: {error}"))
            return
        self._waiting_bytes += len(data)
        self._bytes_without_body = 0 if len(self._body) > pieces else self._bytes_without_body + len(data)
        if self._bytes_without_body > _MAX_BYTES_WITHOUT_BODY:
            self._fail(httpx2.RemoteProtocolError("The head of the server's response is too long."))
        elif self._waiting_bytes > _MAX_WAITING_BYTES:
            self.pause_reading()
        self._wake_reader()

    def on_message_begin(self) -> None:
        """A response begins."""
        if self.is_complete:
            raise _UnrequestedResponseError

    def on_status(self, reason: bytes) -> None:
        """A part of the reason phrase."""
        self.reason += reason

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header, or one after the body, which nobody reads."""
        if not self._has_head:
            self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        """The head is complete; if it announces another one, that follows."""
        self.status = self._parser.get_status_code() if self._parser else 0
        self._has_head = self.status >= 200
        if not self._has_head:
            self.headers, self.reason = [], b""

    def on_message_complete(self) -> None:
        """The response is complete, unless another one was announced."""
        self.is_complete = self._has_head
        self._keeps_alive = self._parser is not None and self._parser.should_keep_alive()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed: that ends a response whose length was not told, and breaks any other."""
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
