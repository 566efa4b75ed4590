"""Connections with bounds: their number per client, the size of request heads, and the time clients take.

uvicorn waits for ever for the rest of a request head and keeps headers of any length, so a few slow clients could hold
all connections and their memory. (Whoever reads a body bounds its time.)
"""

import asyncio
from collections import Counter
from typing import ClassVar, cast

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from app.addresses import Proxies, network

MAX_HEAD_BYTES = 65_536
# How long who was given no place may take to ask for something and be told so.
_REFUSED_SECONDS = 1.0


class _Stalled:
    """Breaks a connection off whose client has read nothing for too long: what waits for it would wait for ever."""

    def __init__(self, transport: asyncio.BaseTransport, seconds: float) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Nothing more can be written."""
        self._timer = asyncio.get_running_loop().call_later(self._seconds, self._transport.abort)

    def end(self) -> None:
        """It can again, or the connection is gone."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Places:
    """The connections that are open, bounded for each client's network and for all.

    Many people stand behind a proxy that is believed: its own address is not bounded.
    """

    def __init__(self, most: int, most_of_an_address: int, proxies: Proxies) -> None:
        self._most = most
        self._most_of_an_address = most_of_an_address
        self._proxies = proxies
        self._networks: dict[asyncio.BaseTransport, str] = {}
        self._counts = Counter[str]()

    def take(self, transport: asyncio.BaseTransport) -> bytes | None:
        """Take a place; the status that refuses it when there is none."""
        peer: object = transport.get_extra_info("peername")
        address = str(cast("tuple[object, ...]", peer)[0]) if isinstance(peer, tuple) and peer else ""
        if len(self._networks) >= self._most:
            return b"503 Service Unavailable"
        client = network(address)
        if self._counts[client] >= self._most_of_an_address and not self._proxies.trusts(address):
            return b"429 Too Many Requests"
        self._networks[transport] = client
        self._counts[client] += 1
        return None

    def give_back(self, transport: asyncio.BaseTransport) -> None:
        """The connection is closed."""
        client = self._networks.pop(transport, None)
        if client is not None:
            self._counts[client] -= 1
            if not self._counts[client]:
                del self._counts[client]


class PatientProtocol(HttpToolsProtocol):
    """Closes a connection whose next head is not whole in time, or too large, or whose refused body does not end."""

    seconds: ClassVar[float] = 30
    places: ClassVar[Places]

    _refused: bytes | None = None
    _timer: asyncio.TimerHandle | None = None
    _in_head = True
    _head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Wait for the first request."""
        super().connection_made(transport)
        self._stalled = _Stalled(transport, self.seconds)
        self._refused = self.places.take(transport)
        self._wait(_REFUSED_SECONDS if self._refused else None)

    def pause_writing(self) -> None:
        """The client does not read."""
        super().pause_writing()
        self._stalled.begin()

    def resume_writing(self) -> None:
        """It reads again."""
        super().resume_writing()
        self._stalled.end()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._stop_waiting()
        self._stalled.end()
        self.places.give_back(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on. Who was given no place is told so, whatever is asked for."""
        if self._refused is not None:
            self._refuse(self._refused)
            return
        if self._in_head:
            self._head_bytes += len(data)
            self._wait()
        super().data_received(data)
        if self._in_head and self._head_bytes > MAX_HEAD_BYTES:
            self._refuse(b"431 Request Header Fields Too Large")

    def on_message_begin(self) -> None:
        """A request begins, maybe in the same bytes in which another one ended."""
        self._wait()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Its head is here."""
        self._in_head = False
        self._stop_waiting()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Its body is here."""
        self._in_head = True
        self._head_bytes = 0
        self._stop_waiting()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """It is answered; if its body still comes, nobody reads it any more."""
        super().on_response_complete()
        if not self._in_head:
            self._wait()

    def _wait(self, seconds: float | None = None) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(seconds or self.seconds, self._give_up)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        if self._in_head and self._head_bytes:
            self._refuse(b"408 Request Timeout")
        else:
            self.transport.close()

    def _refuse(self, status: bytes) -> None:
        if not self.transport.is_closing() and (self.cycle is None or self.cycle.response_complete):  # pyright: ignore[reportUnnecessaryComparison]
            retry = b"retry-after: 2\r\n" if self._refused else b""
            self.transport.write(
                b"HTTP/1.1 " + status + b"\r\n" + retry + b"connection: close\r\ncontent-length: 0\r\n\r\n"
            )
        self.transport.close()


def patient(seconds: float, places: Places) -> type[PatientProtocol]:
    """The protocol of a server that waits so long for a request, and has these places."""
    return type("PatientProtocol", (PatientProtocol,), {"seconds": seconds, "places": places})


class PatientSocketProtocol(WebSocketsSansIOProtocol):
    """Breaks a WebSocket off whose client does not read. It has the place that its handshake took."""

    seconds: ClassVar[float] = 30
    places: ClassVar[Places]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A handshake begins."""
        super().connection_made(transport)
        self._stalled = _Stalled(transport, self.seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._stalled.end()
        self.places.give_back(self.transport)
        super().connection_lost(exc)

    async def send(self, message: ASGISendEvent) -> None:
        """Send it; a close does not wait for a client that does not read, which would keep all that waits for it."""
        if message["type"] == "websocket.close":
            self.writable.set()
        await super().send(message)

    def pause_writing(self) -> None:
        """The client does not read."""
        super().pause_writing()
        self._stalled.begin()

    def resume_writing(self) -> None:
        """It reads again."""
        super().resume_writing()
        self._stalled.end()


def patient_socket(seconds: float, places: Places) -> type[PatientSocketProtocol]:
    """The protocol of a server that waits so long for a reader."""
    return type("PatientSocketProtocol", (PatientSocketProtocol,), {"seconds": seconds, "places": places})
