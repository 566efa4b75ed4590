"""A model server that never stops: answers, thoughts, lines or errors, as fast as they are read.

The model's name says what it does; `python -m tests.servers.endless` prints the port of one and runs until killed.
"""

import asyncio
import json
import threading
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import repeat
from typing import Any

WINDOW = 1_000_000
PIECE = "and so on, with words that never come to an end, " * 20
# A test or a measurement that fails should not fill the machine.
MAX_BYTES = 400_000_000


def _event(delta: Any, finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    chunk = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return f"data: {json.dumps(chunk)}\n\n".encode()


def _frame(**message: Any) -> bytes:
    return json.dumps({"model": "m", "message": {"role": "assistant", **message}, "done": False}).encode() + b"\n"


_SSE = (b"200 OK", b"text/event-stream")
_NDJSON = (b"200 OK", b"application/x-ndjson")
_JSON = (b"200 OK", b"application/json")
_ERROR = (b"400 Bad Request", b"application/json")
_END = [_event({}, "stop"), b"data: [DONE]\n\n"]

OPENAI: dict[str, tuple[tuple[bytes, bytes], Iterable[bytes]]] = {
    "text": (_SSE, repeat(_event({"content": PIECE}))),
    "thoughts": (_SSE, repeat(_event({"reasoning_content": PIECE}))),
    "tiny": (_SSE, repeat(_event({"content": "a"}))),
    "drip": (_SSE, repeat(_event({"content": "a"}))),
    "empty": (_SSE, repeat(_event({}))),
    "comments": (_SSE, repeat(b": nothing\n\n")),
    "calls": (_SSE, repeat(_event({"tool_calls": [{"index": 0, "function": {"arguments": PIECE}}]}))),
    "huge": (_SSE, repeat(_event({"content": PIECE * 800}))),
    "line": (_SSE, [b"data: ", *repeat(b"x" * 65_536, MAX_BYTES // 65_536)]),
    "fine": (_SSE, [_event({"content": "All is "}), _event({"content": "well."}), *_END]),
    "long": (_SSE, [*repeat(_event({"content": PIECE}), 500), *_END]),
    "error": (_ERROR, [b'{"error": {"message": "', *repeat(b"x" * 65_536, MAX_BYTES // 65_536)]),
    "whole": (_JSON, [b'{"choices": [{"message": {"content": "', *repeat(b"x" * 65_536, MAX_BYTES // 65_536)]),
}
OLLAMA: dict[str, tuple[tuple[bytes, bytes], Iterable[bytes]]] = {
    "text": (_NDJSON, repeat(_frame(content=PIECE))),
    "thoughts": (_NDJSON, repeat(_frame(content="", thinking=PIECE))),
    "empty": (_NDJSON, repeat(_frame(content=""))),
    "line": OPENAI["line"],
    "error": OPENAI["error"],
}
_MODELS = {"object": "list", "data": [{"id": name, "object": "model", "context_length": WINDOW} for name in OPENAI]}


class EndlessServer:
    """Speaks just enough of the OpenAI and Ollama APIs to receive requests.

    By model, `left` counts the requests whose client left early, and `sent` the bytes of all requests; `asked` has
    their bodies. With `lists_for_ever` the list of models never ends either.
    """

    def __init__(self, *, lists_for_ever: bool = False) -> None:
        self.left = Counter[str]()
        self.sent = Counter[str]()
        self.asked: list[Any] = []
        self.gone = threading.Event()
        self.port = 0
        self._writers: set[asyncio.StreamWriter] = set()
        self._lists_for_ever = lists_for_ever
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping: asyncio.Event | None = None

    @property
    def url(self) -> str:
        """The base URL, as OPENAI_BASE_URL."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def host(self) -> str:
        """As OLLAMA_HOST."""
        return f"http://127.0.0.1:{self.port}"

    async def run(self, began: Callable[[], object]) -> None:
        """Until `stop`."""
        self._loop, self._stopping = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        began()
        await self._stopping.wait()
        server.close()
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.sleep(0)

    def stop(self) -> None:
        """End `run` from another thread."""
        if self._loop is not None and self._stopping is not None:
            self._loop.call_soon_threadsafe(self._stopping.set)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                path = head.split(b" ")[1].decode()
                length = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
                raw = await reader.readexactly(int(length[0].split(b":")[1])) if length else b"{}"
                await self._answer(path, json.loads(raw), writer)
        self._writers.discard(writer)
        writer.transport.abort()

    async def _answer(self, path: str, body: Any, writer: asyncio.StreamWriter) -> None:
        name = str(body.get("model"))
        if path.endswith("/models") and self._lists_for_ever:
            name, answer = "list", OPENAI["whole"]
        elif path.endswith("/chat/completions"):
            answer = OPENAI[name]
        elif path.endswith("/api/chat"):
            answer = OLLAMA[name]
        else:
            shown = {"model_info": {"general.architecture": "m", "m.context_length": WINDOW}}
            listed = {"models": [{"model": model} for model in OLLAMA]}
            found = _MODELS if path.endswith("/models") else shown if path.endswith("/show") else listed
            answer = _JSON, [json.dumps(found).encode()]
        if path.endswith(("/chat/completions", "/api/chat")):
            self.asked.append(body)
        await self._write(name, *answer, writer)

    async def _write(
        self, name: str, head: tuple[bytes, bytes], pieces: Iterable[bytes], writer: asyncio.StreamWriter
    ) -> None:
        status, media_type = head
        writer.write(b"HTTP/1.1 %s\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\n\r\n" % (status, media_type))
        try:
            for piece in self._bounded(name, pieces):
                if name == "drip":
                    await asyncio.sleep(0.01)
                writer.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                await writer.drain()
            writer.write(b"0\r\n\r\n")
            await writer.drain()
        except ConnectionError:
            self.left[name] += 1
            self.gone.set()
            raise

    def _bounded(self, name: str, pieces: Iterable[bytes]) -> Iterator[bytes]:
        size = 0
        for piece in pieces:
            size += len(piece)
            self.sent[name] += len(piece)
            yield piece
            if size > MAX_BYTES:
                return


@contextmanager
def endless_models(**given: bool) -> Generator[EndlessServer]:
    """A server in a thread, for a test."""
    server, began = EndlessServer(**given), threading.Event()
    thread = threading.Thread(target=lambda: asyncio.run(server.run(began.set)), daemon=True)
    thread.start()
    assert began.wait(10)
    try:
        yield server
    finally:
        server.stop()
        thread.join(10)


if __name__ == "__main__":
    _server = EndlessServer()
    asyncio.run(_server.run(lambda: print(_server.port, flush=True)))
