"""A model server that answers every request at once with a cited sentence. Prints its port; runs until killed."""

import asyncio
import re

from tests.bench.traffic.pacing import END, HEAD, frame

WORDS = ("The ", "language ", "reference ", "describes ", "this ", "[1].")
_ANSWER = HEAD + b"".join(frame({"content": word}) for word in WORDS) + END
_MODELS = b'{"object": "list", "data": [{"id": "chat", "object": "model"}]}'
_LISTED = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(_MODELS), _MODELS)
_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)


class _Connection(asyncio.Protocol):
    """Requests one after another; what they ask is not read."""

    def __init__(self) -> None:
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        end = self._received.find(b"\r\n\r\n")
        if end < 0:
            return
        length = _LENGTH.search(self._received, 0, end)
        if len(self._received) >= end + 4 + int(length[1] if length else 0):
            self._transport.write(_LISTED if self._received.startswith(b"GET") else _ANSWER)
            self._received = b""


async def _main() -> None:
    server = await asyncio.get_running_loop().create_server(_Connection, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_main())
