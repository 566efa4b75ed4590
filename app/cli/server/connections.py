"""Limits on connections: their number per client, the size of request heads, and the time clients take.

uvicorn waits forever for the rest of a request head and accepts headers of any length, before and after a body, so a
few clients could use up all connections and memory. (The time to read a body is limited where it is read.)
"""

import asyncio
import socket
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import ClassVar, cast

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from app.addresses import Proxies, client_network
from app.cli.server.garbage import GarbageCollector

MAX_HEAD_BYTES = 65_536
# How long a refused connection stays open for its request, so that the client gets a response.
_REFUSED_SECONDS = 1.0
# How many bytes are parsed at once: a few hundred requests at most, which take about 20 ms.
_PIECE_BYTES = 16_384
# The first check of whether a client that sends nothing more is still there. By then, most responses have been sent.
_PROBE_SECONDS = 0.2
_MAX_PROBE_SECONDS = 10.0
_PROBE = b"HTTP/1.1 100 Continue\r\n\r\n"
# For clients that do not know that response, the system probes instead. The system of a client that has left only
# remembers the connection for a minute.
_SYSTEM_PROBES = {"TCP_KEEPIDLE": 5, "TCP_KEEPINTVL": 5}


class StallTimer:
    """Aborts a connection whose client has read nothing for too long, because tasks would wait for it forever."""

    def __init__(self, transport: asyncio.BaseTransport, seconds: float) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Start the timer: the write buffer is full."""
        self._timer = asyncio.get_running_loop().call_later(self._seconds, self._transport.abort)

    def stop(self) -> None:
        """Stop the timer: the client reads again, or the connection is closed."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class ConnectionLimits:
    """Limits the number of open connections, per client network and in total.

    The limit per client does not apply to trusted proxies, because they serve many clients.
    """

    def __init__(self, max_connections: int, max_per_address: int, proxies: Proxies) -> None:
        self._max_connections = max_connections
        self._max_per_address = max_per_address
        self._proxies = proxies
        self._networks: dict[asyncio.BaseTransport, str] = {}
        self._counts = Counter[str]()

    def try_add(self, transport: asyncio.BaseTransport) -> bytes | None:
        """Count a connection. Returns None, or the status to refuse it with if a limit is reached."""
        peer: object = transport.get_extra_info("peername")
        address = str(cast("tuple[object, ...]", peer)[0]) if isinstance(peer, tuple) and peer else ""
        if len(self._networks) >= self._max_connections:
            return b"503 Service Unavailable"
        client = client_network(address)
        if self._counts[client] >= self._max_per_address and not self._proxies.trusts(address):
            return b"429 Too Many Requests"
        self._networks[transport] = client
        self._counts[client] += 1
        return None

    def remove(self, transport: asyncio.BaseTransport) -> None:
        """Stop counting a connection, because it is closed."""
        client = self._networks.pop(transport, None)
        if client is not None:
            self._counts[client] -= 1
            if not self._counts[client]:
                del self._counts[client]


def _keep_probing(connection: socket.socket) -> None:
    """Let the system check every few seconds whether the other side still knows the connection."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, seconds in _SYSTEM_PROBES.items():
        if (number := getattr(socket, option, None)) is not None:  # not on every system
            connection.setsockopt(socket.IPPROTO_TCP, number, seconds)


class BoundedHttpProtocol(HttpToolsProtocol):
    """Closes a connection if the next head is too slow or too large, or if a refused body does not end.

    Headers that follow a body are dropped: uvicorn would add them to those that were already checked.
    """

    seconds: ClassVar[float] = 30
    limits: ClassVar[ConnectionLimits]
    collector: ClassVar[GarbageCollector]

    _refused: bytes | None = None
    _timer: asyncio.TimerHandle | None = None
    _has_ended = False
    _in_head = True
    _bytes_beside_bodies = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Start waiting for the first request."""
        super().connection_made(transport)
        self._unparsed = bytearray()
        self._stalled = StallTimer(transport, self.seconds)
        self._refused = self.limits.try_add(transport)
        self._start_timer(_REFUSED_SECONDS if self._refused else None)

    def pause_writing(self) -> None:
        """The client does not read: start the timer."""
        super().pause_writing()
        self._stalled.start()

    def resume_writing(self) -> None:
        """The client reads again: stop the timer."""
        super().resume_writing()
        self._stalled.stop()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all timers and stop counting the connection."""
        self._stop_timer()
        self._stalled.stop()
        self._unparsed.clear()
        self.limits.remove(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Process data. A refused connection gets the refusal, whatever it requests."""
        if self._refused is not None:
            self._send_refusal(self._refused)
            return
        self.collector.count_received(len(data))
        self._unparsed += data
        self._parse_waiting()

    def _parse_waiting(self) -> None:
        """Parse what has arrived, in pieces, until a request in it has to wait for the response to another."""
        while self._unparsed and not self.pipeline and not self.transport.is_closing():
            piece = bytes(self._unparsed[:_PIECE_BYTES])
            del self._unparsed[:_PIECE_BYTES]
            self._parse(piece)
            if self.transport.get_protocol() is not self:  # it is a WebSocket now
                return
        if self._unparsed:
            self.flow.pause_reading()
        elif not self._is_responding():
            self.flow.resume_reading()

    def _is_responding(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete  # pyright: ignore[reportUnnecessaryComparison]

    def eof_received(self) -> bool:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The client sends nothing more: it has left, or waits for the responses to what it has sent, as `nc -N` does.

        A stream that has started ends: it may be silent for long before a write would show that its client has left.
        """
        if not self._in_head or not self._is_responding() or self.cycle.chunked_encoding:
            return False
        if not self._has_ended:
            self._has_ended = True
            self.cycle.keep_alive = False
            _keep_probing(self.transport.get_extra_info("socket"))
            self.loop.call_later(_PROBE_SECONDS, self._probe, 2 * _PROBE_SECONDS)
        return True

    def _probe(self, seconds: float) -> None:
        """Write to a client that sends nothing more: the system of one that has left resets the connection.

        Otherwise this would go unnoticed, because nothing more is read from the client.
        """
        if self.transport.is_closing():
            return
        if cast("socket.socket", self.transport.get_extra_info("socket")).getsockopt(
            socket.SOL_SOCKET, socket.SO_ERROR
        ):
            self.transport.abort()
            return
        if not self.cycle.response_started and not self.pipeline and self.cycle.scope["http_version"] == "1.1":
            self.transport.write(_PROBE)
        self.loop.call_later(seconds, self._probe, min(2 * seconds, _MAX_PROBE_SECONDS))

    def _parse(self, data: bytes) -> None:
        self._bytes_beside_bodies += len(data)
        if self._in_head:
            self._start_timer()
        super().data_received(data)
        if self._bytes_beside_bodies > MAX_HEAD_BYTES:
            self._send_refusal(b"431 Request Header Fields Too Large")

    def on_message_begin(self) -> None:
        """A request starts, possibly in the same data in which the previous one ended."""
        self._start_timer()
        self.collector.count_message()
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header, of the head or behind the body."""
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The head of the request is complete."""
        self._in_head = False
        self._bytes_beside_bodies = 0
        self._stop_timer()
        super().on_headers_complete()
        if self._is_responding() and self.scope["http_version"] == "1.0":
            self.cycle.send = _send_unframed(self.cycle)  # pyright: ignore[reportAttributeAccessIssue]

    def on_body(self, body: bytes) -> None:
        """A piece of the body."""
        self._bytes_beside_bodies = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The body of the request is complete."""
        self._in_head = True
        self._bytes_beside_bodies = 0
        self._stop_timer()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """The response is complete. If the body still arrives, nobody reads it any more."""
        super().on_response_complete()
        if self._unparsed:
            self._parse_waiting()
        if not self._in_head:
            self._start_timer()

    def _start_timer(self, seconds: float | None = None) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(seconds or self.seconds, self._give_up)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        self._timer = None
        if self._in_head and self._is_responding():
            self._start_timer()  # the next request may wait for the response to this one
        elif self._in_head and self._bytes_beside_bodies:
            self._send_refusal(b"408 Request Timeout")
        else:
            self.transport.close()

    def _send_refusal(self, status: bytes) -> None:
        if not self.transport.is_closing() and not self._is_responding():
            retry = b"retry-after: 2\r\n" if self._refused else b""
            self.transport.write(
                b"HTTP/1.1 " + status + b"\r\n" + retry + b"connection: close\r\ncontent-length: 0\r\n\r\n"
            )
        self.transport.close()


def _send_unframed(cycle: RequestResponseCycle) -> Callable[[ASGISendEvent], Awaitable[None]]:
    """The cycle's `send` for HTTP/1.0, which has no chunks: a body of unknown length ends with the connection.

    uvicorn sends chunks to all clients, and clients without them take the chunk sizes for part of the body.
    """
    send, is_unframed = cycle.send, False

    async def send_unframed(message: ASGISendEvent) -> None:
        nonlocal is_unframed
        if message["type"] == "http.response.start":
            is_unframed = all(name.lower() != b"content-length" for name, _ in message.get("headers", ()))
            if is_unframed:
                cycle.chunked_encoding, cycle.expected_content_length = False, sys.maxsize
        elif is_unframed and message["type"] == "http.response.body" and not message.get("more_body", False):
            cycle.expected_content_length = len(message.get("body", b""))
        await send(message)

    return send_unframed


def log_level(level: str) -> str:
    """The level at which uvicorn logs: its warnings are about malformed data, with which anybody could fill it."""
    return "warning" if level == "DEBUG" else "error"


def http_protocol(seconds: float, limits: ConnectionLimits, collector: GarbageCollector) -> type[BoundedHttpProtocol]:
    """The HTTP protocol of a server with this time limit and these connection limits."""
    values = {"seconds": seconds, "limits": limits, "collector": collector}
    return type("BoundedHttpProtocol", (BoundedHttpProtocol,), values)
