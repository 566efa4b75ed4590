"""Limits on connections: their number per client, the size of request heads, and the time clients take.

uvicorn waits forever for the rest of a request head and accepts headers of any length, so a few slow clients could use
up all connections and memory. (The time to read a body is limited where it is read.)
"""

import asyncio
from collections import Counter
from typing import Any, ClassVar, cast

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from app.addresses import Proxies, client_network

MAX_HEAD_BYTES = 65_536
# How long a refused connection stays open for its request, so that the client gets a response.
_REFUSED_SECONDS = 1.0
_MAX_GATHERED_BYTES = 16_384


class _StallTimer:
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


class BoundedHttpProtocol(HttpToolsProtocol):
    """Closes a connection if the next head is too slow or too large, or if a refused body does not end."""

    seconds: ClassVar[float] = 30
    places: ClassVar[ConnectionLimits]

    _refused: bytes | None = None
    _timer: asyncio.TimerHandle | None = None
    _in_head = True
    _head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Start waiting for the first request."""
        super().connection_made(transport)
        self._stalled = _StallTimer(transport, self.seconds)
        self._refused = self.places.try_add(transport)
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
        self.places.remove(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Process data. A refused connection gets its refusal, whatever it requests."""
        if self._refused is not None:
            self._send_refusal(self._refused)
            return
        if self._in_head:
            self._head_bytes += len(data)
            self._start_timer()
        super().data_received(data)
        if self._in_head and self._head_bytes > MAX_HEAD_BYTES:
            self._send_refusal(b"431 Request Header Fields Too Large")

    def on_message_begin(self) -> None:
        """A request starts, possibly in the same data in which the previous one ended."""
        self._start_timer()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head of the request is complete."""
        self._in_head = False
        self._stop_timer()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The body of the request is complete."""
        self._in_head = True
        self._head_bytes = 0
        self._stop_timer()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """The response is complete. If the body still arrives, nobody reads it any more."""
        super().on_response_complete()
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
        if self._in_head and self._head_bytes:
            self._send_refusal(b"408 Request Timeout")
        else:
            self.transport.close()

    def _send_refusal(self, status: bytes) -> None:
        if not self.transport.is_closing() and (self.cycle is None or self.cycle.response_complete):  # pyright: ignore[reportUnnecessaryComparison]
            retry = b"retry-after: 2\r\n" if self._refused else b""
            self.transport.write(
                b"HTTP/1.1 " + status + b"\r\n" + retry + b"connection: close\r\ncontent-length: 0\r\n\r\n"
            )
        self.transport.close()


def http_protocol(seconds: float, places: ConnectionLimits) -> type[BoundedHttpProtocol]:
    """The HTTP protocol of a server with this time limit and these connection limits."""
    return type("BoundedHttpProtocol", (BoundedHttpProtocol,), {"seconds": seconds, "places": places})


class GatheredWrites(asyncio.Transport):
    """Writes what is sent within one iteration of the event loop at once: many answers may share a socket."""

    def __init__(self, transport: asyncio.Transport) -> None:
        super().__init__()
        self.inner = transport
        self._loop = asyncio.get_running_loop()
        self._waiting: list[bytes | bytearray | memoryview] = []
        self._waiting_bytes = 0

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Write soon, or now if much is waiting: how much the client has not read must be known."""
        if not self._waiting:
            self._loop.call_soon(self._write_waiting)
        self._waiting.append(data)
        self._waiting_bytes += len(data)
        if self._waiting_bytes >= _MAX_GATHERED_BYTES:
            self._write_waiting()

    def _write_waiting(self) -> None:
        data = b"".join(self._waiting)
        self._waiting.clear()
        self._waiting_bytes = 0
        if data and not self.inner.is_closing():
            self.inner.write(data)

    def close(self) -> None:
        """Close after everything is written."""
        self._write_waiting()
        self.inner.close()

    def abort(self) -> None:
        """Close at once."""
        self._waiting.clear()
        self.inner.abort()

    def is_closing(self) -> bool:
        """As the inner transport."""
        return self.inner.is_closing()

    def pause_reading(self) -> None:
        """As the inner transport."""
        self.inner.pause_reading()

    def resume_reading(self) -> None:
        """As the inner transport."""
        self.inner.resume_reading()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """As the inner transport."""
        return self.inner.get_extra_info(name, default)


class BoundedWebSocketProtocol(WebSocketsSansIOProtocol):
    """Aborts a WebSocket whose client does not read. It still counts as the connection of its handshake."""

    seconds: ClassVar[float] = 30
    places: ClassVar[ConnectionLimits]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A handshake starts."""
        self._inner = cast("asyncio.Transport", transport)
        super().connection_made(GatheredWrites(self._inner))
        self._stalled = _StallTimer(transport, self.seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed."""
        self._stalled.stop()
        self.places.remove(self._inner)
        super().connection_lost(exc)

    async def send(self, message: ASGISendEvent) -> None:
        """Send a message. A close does not wait for a client that does not read."""
        if message["type"] == "websocket.close":
            self.writable.set()
        await super().send(message)

    def pause_writing(self) -> None:
        """The client does not read: start the timer."""
        super().pause_writing()
        self._stalled.start()

    def resume_writing(self) -> None:
        """The client reads again: stop the timer."""
        super().resume_writing()
        self._stalled.stop()


def websocket_protocol(seconds: float, places: ConnectionLimits) -> type[BoundedWebSocketProtocol]:
    """The WebSocket protocol of a server with this time limit and these connection limits."""
    return type("BoundedWebSocketProtocol", (BoundedWebSocketProtocol,), {"seconds": seconds, "places": places})
