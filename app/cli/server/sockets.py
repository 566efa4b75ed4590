"""The WebSocket protocol of the server: it batches writes, and limits how a client can affect others.

A client that does not read is cut off. So is one that sends frames that cost work and carry nothing: pings, pongs and
tiny pieces of messages. Whole messages are read only as fast as they are handled, which the application decides. They
must be small until it says that it knows the sender; then what has arrived of an unfinished one counts against a quota.
"""

import asyncio
from typing import Any, ClassVar, cast

from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.frames import CloseCode, Frame
from websockets.http11 import Request

from app import errors
from app.cli.server.connections import ConnectionLimits, StallTimer
from app.cli.server.garbage import GarbageCollector
from app.graphql.transport import large_messages
from app.http.request_body import MAX_ANONYMOUS_BYTES
from app.quotas import Share, TokenBucket

_MAX_GATHERED_BYTES = 16_384
# How many bytes are parsed before the messages in them are handled: at most 700 frames, which take 10 ms.
_PIECE_BYTES = 4_096
# How many nearly empty frames a client may send: at once, and per second. Clients need one every few seconds.
_EMPTY_FRAMES = 1_000
_EMPTY_FRAMES_PER_SECOND = 50
# A piece of a message that is at least this large is worth the work of handling it.
_LARGE_FRAME_BYTES = 1_000
# A longer text is sent in fragments of this size. Compressing one takes about a millisecond.
_FRAGMENT_BYTES = 65_536


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
    limits: ClassVar[ConnectionLimits]
    collector: ClassVar[GarbageCollector]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A handshake starts."""
        self._inner = cast("asyncio.Transport", transport)
        super().connection_made(GatheredWrites(self._inner))
        self._stalled = StallTimer(transport, self.seconds)
        self._unparsed = bytearray()
        self._empty_frames = TokenBucket(_EMPTY_FRAMES, _EMPTY_FRAMES_PER_SECOND, self.loop.time)
        self._unfinished: Share | None = None
        self.conn.max_message_size = min(MAX_ANONYMOUS_BYTES, self.config.ws_max_size)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed."""
        self._stalled.stop()
        self._unparsed.clear()
        if self._unfinished is not None:
            self._unfinished.give_back()
        self.limits.remove(self._inner)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse data in pieces, up to the first that contains a message. The rest waits until that is handled."""
        self.collector.count_received(len(data))
        self._unparsed += data
        self._parse_waiting()

    def _parse_waiting(self) -> None:
        while self._unparsed and not self.read_paused and not self.transport.is_closing():
            piece = bytes(self._unparsed[:_PIECE_BYTES])
            del self._unparsed[:_PIECE_BYTES]
            super().data_received(piece)
            self._count_unfinished()

    def handle_connect(self, event: Request) -> None:
        """The handshake has arrived. The application gets a way to allow large messages."""
        super().handle_connect(event)
        if not self.close_sent:
            extensions = cast("dict[str, object]", self.scope.setdefault("extensions", {}))
            extensions[large_messages.EXTENSION] = self._allow_large_messages

    def _allow_large_messages(self, unfinished: Share) -> None:
        self._unfinished = unfinished
        self.conn.max_message_size = self.config.ws_max_size

    def _count_unfinished(self) -> None:
        """Charge the received part of an unfinished message to the quota; close the socket if that is exhausted."""
        if self._unfinished is None or self.close_sent or self.disconnected:
            return
        size = len(self.conn.reader.buffer) + (self.conn.current_size or 0)
        if size < self._unfinished.amount:  # the message is complete, and counts elsewhere
            self._unfinished.give_back()
        if size <= MAX_ANONYMOUS_BYTES:  # this little is accepted whatever others send
            return
        try:
            self._unfinished.grow_to(size)
        except (errors.RateLimited, errors.Unavailable) as error:
            self._refuse(CloseCode.TRY_AGAIN_LATER, error.message)

    async def receive(self) -> ASGIReceiveEvent:
        """The next message. When the application has all of them, parse more."""
        message = await super().receive()
        self._parse_waiting()
        return message

    async def send(self, message: ASGISendEvent) -> None:
        """Send a message. A close does not wait for a client that does not read.

        Raises ClientDisconnected if the socket was closed while the message waited.
        """
        if message["type"] == "websocket.close":
            self.writable.set()
        text = message.get("text") if message["type"] == "websocket.send" else None
        try:
            if text is not None and len(text) > _FRAGMENT_BYTES and self.handshake_complete and not self.close_sent:
                await self._send_fragments(text.encode())
            else:
                await super().send(message)
        except RuntimeError as error:
            if not self.close_sent:
                raise
            raise ClientDisconnected from error
        self._parse_waiting()  # after a close, for the client's

    async def _send_fragments(self, text: bytes) -> None:
        """Send a large text while others run: most clients want it compressed. Raises ClientDisconnected."""
        for start in range(0, len(text), _FRAGMENT_BYTES):
            await self.writable.wait()
            if self.disconnected or self.close_sent:
                raise ClientDisconnected
            end = start + _FRAGMENT_BYTES
            send = self.conn.send_continuation if start else self.conn.send_text
            try:
                send(text[start:end], fin=end >= len(text))
            except InvalidState as error:
                raise ClientDisconnected from error
            self.transport.write(b"".join(self.conn.data_to_send()))
            await asyncio.sleep(0)

    def handle_ping(self) -> None:
        """A ping, which is answered."""
        if self._count_empty_frame():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """A pong."""
        if self._count_empty_frame():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        """A piece of a message, but not the first."""
        if len(event.data) >= _LARGE_FRAME_BYTES or self._count_empty_frame():
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """A message is complete. After we have closed the socket, nobody handles it."""
        if self.close_sent:
            self._count_empty_frame()
        self.collector.count_message()
        # It may have arrived compressed, so that it counted as few bytes.
        self.collector.count_received(sum(map(len, self.frames)))
        is_text = self.curr_msg_data_type == "text"
        if is_text and not self.close_sent and not _is_utf8(b"".join(self.frames)):
            self._refuse(CloseCode.INVALID_DATA, "A text must be UTF-8.")  # uvicorn would log a traceback
            return
        super().send_receive_event_to_app()

    def _count_empty_frame(self) -> bool:
        """Whether the client may send one more. If not, the socket is closed."""
        if self._empty_frames.take():
            return True
        if not self.close_sent:
            self._refuse(CloseCode.POLICY_VIOLATION, "Too many empty frames.")
        else:
            self.transport.close()
        return False

    def _refuse(self, code: CloseCode, reason: str) -> None:
        self.conn.fail(code, reason)
        self.handle_parser_exception()

    def pause_writing(self) -> None:
        """The client does not read: start the timer."""
        super().pause_writing()
        self._stalled.start()

    def resume_writing(self) -> None:
        """The client reads again: stop the timer."""
        super().resume_writing()
        self._stalled.stop()


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def websocket_protocol(
    seconds: float, limits: ConnectionLimits, collector: GarbageCollector
) -> type[BoundedWebSocketProtocol]:
    """The WebSocket protocol of a server with this time limit and these connection limits."""
    values = {"seconds": seconds, "limits": limits, "collector": collector}
    return type("BoundedWebSocketProtocol", (BoundedWebSocketProtocol,), values)
