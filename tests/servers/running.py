"""A stand-in server in, its address on loopback out: real sockets, uvicorn in a thread, faults on demand.

with running(OpenAIServer(answer=lambda request: ["Hel", "lo"])) as server:
    OpenAIProvider("stand-in", server.url, "key") ...
    assert server.chats[0]["max_tokens"] == 100
"""

import asyncio
import hashlib
import json
import math
import re
import socket
import struct
import threading
from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route

Body = dict[str, Any]


@dataclass(frozen=True)
class Thought:
    """A piece of an answer that is thinking aloud."""

    text: str


Answer = Callable[[Body], Iterable[str | Thought]]
"""The body of a chat request in, the pieces of its answer out."""


@dataclass(frozen=True)
class Refusal:
    """Fault: no stream but this status; `body` is sent as JSON unless it is text."""

    status: int
    body: object = field(default_factory=lambda: {"error": {"message": "out of order"}})
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class Page:
    """Fault: 200 and a web page."""


@dataclass(frozen=True)
class Break:
    """Fault: after so many pieces the stream ends, dies, stalls, reports an error, or ends within a frame."""

    how: Literal["end", "die", "stall", "error", "half"]
    after: int = 1


Fault = Refusal | Page | Break | None


@dataclass(frozen=True)
class Recorded:
    """A request as it arrived."""

    path: str
    body: Body
    headers: Mapping[str, str]


class StandIn:
    """What both stand-ins share. `faults` are used up one per chat or embedding request, then all is well."""

    def __init__(self, answer: Answer | None, faults: Iterable[Fault], byte_by_byte: bool) -> None:
        self.answer = answer or echo
        self.faults = iter(faults)
        self.byte_by_byte = byte_by_byte
        self.requests: list[Recorded] = []
        self.left = threading.Event()
        """Set when a client closed its connection before its answer was complete."""
        self.root = ""

    @property
    def url(self) -> str:
        """Where a provider finds the server."""
        return self.root

    def routes(self) -> list[Route]:
        """The paths that are answered."""
        raise NotImplementedError

    def bodies(self, path: str) -> list[Body]:
        """What was sent to `path`, in order."""
        return [request.body for request in self.requests if request.path == path]

    async def record(self, request: Request) -> Body:
        """Note a request; its body, {} if it has none."""
        raw = await request.body()
        body: Body = json.loads(raw) if raw else {}
        self.requests.append(Recorded(request.url.path, body, dict(request.headers)))
        return body

    def fault(self) -> Fault:
        """The fault for this request."""
        return next(self.faults, None)

    def stream(self, request: Request, frames: AsyncGenerator[bytes], media_type: str) -> Response:
        """Send `frames`; a client that leaves is noticed."""

        async def sent() -> AsyncGenerator[bytes]:
            try:
                async for frame in frames:
                    for part in [frame[i : i + 1] for i in range(len(frame))] if self.byte_by_byte else [frame]:
                        yield part
            except (ClientDisconnect, asyncio.CancelledError, GeneratorExit):
                self.left.set()
                raise

        return StreamingResponse(sent(), media_type=media_type)


def refused(fault: Refusal | Page) -> Response:
    """The answer to a request that gets no stream."""
    if isinstance(fault, Page):
        return HTMLResponse("<!doctype html><title>Welcome</title><p>It works!</p>")
    text = isinstance(fault.body, str)
    return Response(
        fault.body if isinstance(fault.body, str) else json.dumps(fault.body),
        fault.status,
        dict(fault.headers),
        "text/plain" if text else "application/json",
    )


async def stalled(request: Request) -> None:
    """Wait until the client leaves."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
    raise ClientDisconnect


def echo(body: Body) -> list[str]:
    """The default answer: what the last message says, word by word."""
    words = f"You said: {body['messages'][-1]['content']}".split(" ")
    return [word if index == 0 else f" {word}" for index, word in enumerate(words)]


def vector(text: str, dimensions: int) -> list[float]:
    """A vector of norm 1 made of the text's words, so that texts which share words are near each other."""
    total = [0.0] * dimensions
    for word in re.findall(r"\w+", text.lower()) or [""]:
        seed = hashlib.shake_256(word.encode()).digest(dimensions)
        total = [old + byte / 127.5 - 1 for old, byte in zip(total, seed, strict=True)]
    norm = math.sqrt(sum(value * value for value in total))
    return [value / norm for value in total]


S = TypeVar("S", bound=StandIn)


@contextmanager
def running(server: S) -> Generator[S]:
    """`server` on a port of its own; stopped at the end whoever is still connected."""
    listener = socket.create_server(("127.0.0.1", 0))
    server.root = f"http://127.0.0.1:{listener.getsockname()[1]}"
    config = uvicorn.Config(Starlette(routes=server.routes()), log_level="critical", lifespan="off", ws="none")
    uvicorn_server = uvicorn.Server(config)
    thread = threading.Thread(target=uvicorn_server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        uvicorn_server.should_exit = uvicorn_server.force_exit = True
        thread.join(10)
        listener.close()


def closed_port() -> int:
    """A port on which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


@contextmanager
def resetting() -> Generator[tuple[str, Sequence[object]]]:
    """The address of a server that takes a request and resets the connection; and the connections it had."""
    listener = socket.create_server(("127.0.0.1", 0))
    had: list[object] = []

    def serve() -> None:
        while True:
            try:
                connection, peer = listener.accept()
            except OSError:
                return
            had.append(peer)
            connection.recv(65536)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", had
    finally:
        # Closing alone does not wake a thread that waits in accept.
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(10)
