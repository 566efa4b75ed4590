"""Follow many answers over WebSockets and report what their readers received, and how late.

`python -m tests.bench.traffic.followers GRAPHQL_URL` follows each answer over WebSockets, a few dozen on each, to its
end. It prints an empty line when all are followed; what comes in the second after that is not counted.
Frames are read by hand: the readers share the machine with the server that is measured.
"""

import asyncio
import base64
import json
import os
import re
import sys
import time
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from tests.bench.measured import percentiles
from tests.bench.traffic.pacing import STAMP_DIGITS, STAMP_UNIT

PER_SOCKET = 50
SETTLED = 1_000_000
_FOLLOW = "subscription($id: ID!) { answerEvents(messageId: $id) { sequence ... on AnswerDelta { text } } }"
_STAMP = re.compile(rb" (\d{%d})(?!\d)" % STAMP_DIGITS)
_STAMPS_BEGIN_AGAIN = STAMP_UNIT * 10**STAMP_DIGITS
_PLACE = re.compile(rb'"id": ?"(\d+)".*?"sequence": ?(\d+)')


@dataclass
class Got:
    """What one reader process received. Times are in µs of the machine's monotonic clock."""

    first: int = 0
    last: int = 0
    lags: list[int] = field(default_factory=list[int])
    tokens: dict[int, int] = field(default_factory=dict[int, int])
    events: int = 0
    gaps: int = 0
    ended: int = 0

    def figures(self) -> dict[str, float]:
        """Milliseconds and counts."""
        lag = percentiles(self.lags or [0])
        return {
            "p50": lag.p50 / 1000,
            "p99": lag.p99 / 1000,
            "worst": lag.worst / 1000,
            "rate": len(self.lags) / max(1, self.last - self.first - SETTLED) * 1e6,
            "events": self.events,
            "gaps": self.gaps,
            "ended": self.ended,
            "fewest": min(self.tokens.values(), default=0),
            "most": max(self.tokens.values(), default=0),
        }


class Follower(asyncio.Protocol):
    """One socket, and the answers followed on it."""

    def __init__(self, url: str, ids: list[str], got: Got) -> None:
        self._url = urlsplit(url)
        self._ids = ids
        self._got = got
        self._buffer = bytearray()
        self._greeted = False
        self._places = dict.fromkeys(range(len(ids)), 0)
        self.following = asyncio.Event()
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Shake hands."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET {self._url.path} HTTP/1.1\r\nHost: {self._url.netloc}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n".encode()
        )

    def connection_lost(self, exc: Exception | None) -> None:
        """Count everything unfinished as lost."""
        if not self.ended.done():
            self.ended.set_result(None)

    def data_received(self, data: bytes) -> None:
        """Parse the complete frames."""
        buffer = self._buffer
        buffer += data
        at = 0
        if not self._greeted:
            at = buffer.find(b"\r\n\r\n") + 4
            if at < 4:
                return
            self._greeted = True
            self._send({"type": "connection_init"})
        now = time.monotonic_ns() // 1000
        while (whole := _frame(buffer, at)) is not None:
            start, at = whole
            self._message(bytes(buffer[start:at]), now)
        del buffer[:at]

    def _message(self, message: bytes, now: int) -> None:
        if b'"next"' in message[:80]:
            self._next(message, now)
        elif b'"ping"' in message:
            self._send({"type": "pong"})
        elif b'"connection_ack"' in message:
            for number, id in enumerate(self._ids):
                payload = {"query": _FOLLOW, "variables": {"id": id}}
                self._send({"type": "subscribe", "id": str(number), "payload": payload})
            self.following.set()
        elif b'"complete"' in message:
            self._got.ended += 1
            self._places.pop(int(json.loads(message)["id"]))
            if not self._places:
                self._transport.close()

    def _next(self, message: bytes, now: int) -> None:
        place = _PLACE.search(message)
        assert place is not None, message
        number, sequence = int(place[1]), int(place[2])
        got = self._got
        got.events += 1
        got.gaps += sequence != self._places[number] + 1
        self._places[number] = sequence
        stamps = [int(stamp) for stamp in _STAMP.findall(message)]
        if stamps:
            answer = id(self) + number
            got.tokens[answer] = got.tokens.get(answer, 0) + len(stamps)
            got.first, got.last = got.first or now, now
            if now > got.first + SETTLED:
                got.lags.extend((now - stamp * STAMP_UNIT) % _STAMPS_BEGIN_AGAIN for stamp in stamps)

    def _send(self, message: object) -> None:
        """A masked text frame; with a zero mask the text stays readable."""
        text = json.dumps(message).encode()
        size = len(text)
        length = bytes([0x80 | size]) if size < 126 else bytes([0xFE, size >> 8, size & 255])
        self._transport.write(b"\x81" + length + b"\0\0\0\0" + text)


def _frame(buffer: bytearray, at: int) -> tuple[int, int] | None:
    """Where the next frame's text begins and ends; None while it is incomplete."""
    have = len(buffer) - at
    if have < 2:
        return None
    size, start = buffer[at + 1], at + 2
    if size == 126 and have >= 4:
        size, start = int.from_bytes(buffer[at + 2 : at + 4]), at + 4
    elif size == 127 and have >= 10:
        size, start = int.from_bytes(buffer[at + 2 : at + 10]), at + 10
    elif size >= 126:
        return None
    return (start, start + size) if start + size <= len(buffer) else None


async def _main(url: str, ids: list[str]) -> None:
    got, address = Got(), urlsplit(url)
    loop = asyncio.get_running_loop()
    followers = [Follower(url, ids[i : i + PER_SOCKET], got) for i in range(0, len(ids), PER_SOCKET)]
    for follower in followers:
        await loop.create_connection(lambda follower=follower: follower, str(address.hostname), address.port or 0)
    await asyncio.gather(*(follower.following.wait() for follower in followers))
    print(flush=True)
    await asyncio.gather(*(follower.ended for follower in followers))
    print(json.dumps(got.figures()))


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1], sys.stdin.readline().split()))
