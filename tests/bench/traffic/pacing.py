"""A model server that answers at a steady pace; the text of each token is the time it was sent, in 7 letters.

`python -m tests.bench.traffic.pacing TOKENS PER_SECOND` prints its port; the answers begin with a line on its standard
input, all at once, however long it took to ask for them. It does no more than it must: it shares the machine with the
server that is measured.
"""

import asyncio
import json
import sys
import time
from collections.abc import Iterator

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
# Answers are spread over the time between two tokens, as those of many users are.
_GROUPS = 5


def frame(delta: object, finish: str | None = None) -> bytes:
    """One event of a stream as a chunk of a body."""
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    fields = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "chat"}
    return _chunk(f"data: {json.dumps({**fields, 'choices': [choice]})}\n\n".encode())


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


# A token is about as long as one of a real model. Its stamp has always so many digits, so that the length of a chunk is
# known; it is in units of 10 µs and begins again after 100 seconds.
STAMP_DIGITS, STAMP_UNIT = 7, 10
_BEFORE, _AFTER = frame({"content": " " + "0" * STAMP_DIGITS}).split(b"0" * STAMP_DIGITS)
END = frame({}, "stop") + _chunk(b"data: [DONE]\n\n") + b"0\r\n\r\n"


class PacedModel:
    """Every answer has `tokens` tokens, `per_second` each second."""

    def __init__(self, tokens: int, per_second: int) -> None:
        self._tokens = tokens
        self._pause = 1 / per_second / _GROUPS
        self._groups: list[dict[asyncio.StreamWriter, int]] = [{} for _ in range(_GROUPS)]
        self._asked = 0

    async def run(self) -> None:
        """Until killed."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        print(server.sockets[0].getsockname()[1], flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        loop = asyncio.get_running_loop()
        due = loop.time()
        while True:
            for group in self._groups:
                due += self._pause
                await asyncio.sleep(due - loop.time())
                for writer in self._tick(group):
                    del group[writer]

    def _tick(self, group: dict[asyncio.StreamWriter, int]) -> Iterator[asyncio.StreamWriter]:
        stamp = time.monotonic_ns() // 1000 // STAMP_UNIT % 10**STAMP_DIGITS
        token = b"%s%0*d%s" % (_BEFORE, STAMP_DIGITS, stamp, _AFTER)
        for writer, left in list(group.items()):
            if writer.is_closing():
                yield writer
            elif left == 0:
                writer.write(END)
                yield writer
            else:
                group[writer] = left - 1
                writer.write(token)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                if head.startswith(b"get"):  # the list of models
                    body = b'{"object": "list", "data": [{"id": "chat", "object": "model"}]}'
                    writer.write(
                        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                        % (len(body), body)
                    )
                    continue
                await reader.readexactly(int(head.split(b"content-length:")[1].split(b"\r\n")[0]))
                writer.write(HEAD)
                self._asked += 1
                self._groups[self._asked % _GROUPS][writer] = self._tokens
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()


if __name__ == "__main__":
    asyncio.run(PacedModel(int(sys.argv[1]), int(sys.argv[2])).run())
