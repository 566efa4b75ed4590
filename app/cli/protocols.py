"""Bytes of a connection in; requests out, as uvicorn makes them, of clients that send their heads within bounds.

uvicorn waits for ever for the rest of a request, and keeps headers of any length: a few slow clients would hold all
connections, and their memory. (How long a body takes is the matter of who reads it.)
"""

import asyncio
from typing import ClassVar, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

MAX_HEAD_BYTES = 65_536


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


class PatientProtocol(HttpToolsProtocol):
    """Closes a connection whose next head is not whole in time, or too large, or whose refused body does not end."""

    seconds: ClassVar[float] = 30

    _timer: asyncio.TimerHandle | None = None
    _in_head = True
    _head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Wait for the first request."""
        super().connection_made(transport)
        self._stalled = _Stalled(transport, self.seconds)
        self._wait()

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
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on."""
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

    def _wait(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(self.seconds, self._give_up)

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
            self.transport.write(b"HTTP/1.1 " + status + b"\r\nconnection: close\r\ncontent-length: 0\r\n\r\n")
        self.transport.close()


def patient(seconds: float) -> type[PatientProtocol]:
    """The protocol of a server that waits so long for a request."""
    return type("PatientProtocol", (PatientProtocol,), {"seconds": seconds})


class PatientSocketProtocol(WebSocketsSansIOProtocol):
    """Breaks a WebSocket off whose client does not read."""

    seconds: ClassVar[float] = 30

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A handshake begins."""
        super().connection_made(transport)
        self._stalled = _Stalled(transport, self.seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._stalled.end()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """The client does not read."""
        super().pause_writing()
        self._stalled.begin()

    def resume_writing(self) -> None:
        """It reads again."""
        super().resume_writing()
        self._stalled.end()


def patient_socket(seconds: float) -> type[PatientSocketProtocol]:
    """The protocol of a server that waits so long for a reader."""
    return type("PatientSocketProtocol", (PatientSocketProtocol,), {"seconds": seconds})
