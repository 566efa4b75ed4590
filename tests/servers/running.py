"""Run a stand-in server on loopback: real sockets, uvicorn in a thread, faults on demand.

with running(OpenAIServer(answer=lambda request: ["Hel", "lo"])) as server:
    OpenAIProvider("stand-in", server.url, "key") ...
    assert server.chats[0]["max_tokens"] == 100
"""

import asyncio
import hashlib
import json
import math
import os
import re
import socket
import struct
import threading
from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route

from app.cli.server.stopping import StoppableServer
from tests.servers.ports import closed_port

Body = dict[str, Any]

How = Literal["end", "die", "stall", "error", "half", "reset", "garbage"]

_END_SECONDS = 120


@dataclass(frozen=True)
class Thought:
    """A piece of an answer that is reasoning."""

    text: str


Answer = Callable[[Body], Iterable[str | Thought]]
"""Turns the body of a chat request into the pieces of its answer."""


@dataclass(frozen=True)
class Refusal:
    """Fault: this status instead of a stream; `body` is sent as JSON unless it is text."""

    status: int
    body: object = field(default_factory=lambda: {"error": {"message": "out of order"}})
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class Page:
    """Fault: status 200 with a web page."""


@dataclass(frozen=True)
class Break:
    """Fault: after this many pieces the stream ends, dies, stalls, reports an error, breaks mid-frame, or is garbage.

    `die` ends the connection as a crashed program does, `reset` as a machine does that knows nothing of it.
    """

    how: How
    after: int = 1


@dataclass(frozen=True)
class Silence:
    """Fault: no status and no headers; the connection is reset, or stays silent."""

    reset: bool = False


@dataclass(frozen=True)
class Drip:
    """Fault: the answer comes one byte at a time."""


Fault = Refusal | Page | Break | Silence | Drip | None


@dataclass(frozen=True)
class Recorded:
    """A request as it arrived."""

    path: str
    body: Body
    headers: Mapping[str, str]


class StandIn:
    """Shared by all stand-ins. Each chat or embedding request uses up one of `faults`; after that all succeed."""

    def __init__(self, answer: Answer | None, faults: Iterable[Fault], byte_by_byte: bool) -> None:
        self.answer = answer or echo
        self.faults = iter(faults)
        self.byte_by_byte = byte_by_byte
        self.scripts: dict[str, Iterator[Fault]] = {}
        """Faults by model, used up like `faults`, which apply to all other models."""
        self.requests: list[Recorded] = []
        self.left = threading.Event()
        """Set when a client closed its connection before its answer was complete."""
        self.root = ""

    @property
    def url(self) -> str:
        """The base URL for providers."""
        return self.root

    def routes(self) -> list[Route]:
        """The server's routes."""
        raise NotImplementedError

    def stop(self) -> None:
        """Release every client this server keeps waiting, before it ends."""

    def bodies(self, path: str) -> list[Body]:
        """The bodies sent to `path`, in order."""
        return [request.body for request in self.requests if request.path == path]

    async def record(self, request: Request) -> Body:
        """Record a request, and return its body, or {} if it has none."""
        raw = await request.body()
        body: Body = json.loads(raw) if raw else {}
        self.requests.append(Recorded(request.url.path, body, dict(request.headers)))
        return body

    def fault(self, body: Body) -> Fault:
        """The fault for this request."""
        return next(self.scripts.get(str(body.get("model")), self.faults), None)

    def stream(self, request: Request, frames: AsyncGenerator[bytes], media_type: str) -> Response:
        """Send `frames`; a client that leaves is noticed."""

        async def sent() -> AsyncGenerator[bytes]:
            try:
                async for frame in frames:
                    for part in single_bytes(frame) if self.byte_by_byte else [frame]:
                        yield part
            except (ClientDisconnect, asyncio.CancelledError, GeneratorExit):
                self.left.set()
                raise

        return StreamingResponse(sent(), media_type=media_type)


async def instead(fault: Fault, request: Request) -> Response | None:
    """The response to send instead of an answer; None if an answer at least starts."""
    match fault:
        case Refusal() | Page():
            return refused(fault)
        case Silence():
            await break_off(Break("reset" if fault.reset else "stall"), request)
        case _:
            pass
    return None


async def break_off(fault: Break, request: Request) -> None:
    """Break the connection, or stall until the client leaves, as the fault says."""
    match fault.how:
        case "stall":
            await stalled(request)
        case "reset":
            reset(request)
            raise ConnectionResetError
        case "die":
            raise ConnectionResetError
        case _:
            pass


def refused(fault: Refusal | Page) -> Response:
    """The response to a refused request."""
    if isinstance(fault, Page):
        return HTMLResponse("<!doctype html><title>Welcome</title><p>It works!</p>")
    text = isinstance(fault.body, str)
    return Response(
        fault.body if isinstance(fault.body, str) else json.dumps(fault.body),
        fault.status,
        dict(fault.headers),
        "text/plain" if text else "application/json",
    )


def reset(request: Request) -> None:
    """Reset a request's connection, so that its client sees an error rather than an end."""
    transport: asyncio.Transport = request.receive.__self__.transport  # pyright: ignore[reportFunctionMemberAccess]
    with socket.socket(fileno=os.dup(transport.get_extra_info("socket").fileno())) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()


def single_bytes(data: bytes) -> list[bytes]:
    """A stream split into single bytes."""
    return [data[i : i + 1] for i in range(len(data))]


async def dripping(frames: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    """The same response, split into single bytes."""
    async for frame in frames:
        for byte in single_bytes(frame):
            yield byte


async def stalled(request: Request) -> None:
    """Wait until the client leaves."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
    raise ClientDisconnect


def echo(body: Body) -> list[str]:
    """The default answer: the last message, word by word."""
    words = f"You said: {body['messages'][-1]['content']}".split(" ")
    return [word if index == 0 else f" {word}" for index, word in enumerate(words)]


def vector(text: str, dimensions: int) -> list[float]:
    """A unit vector built from the text's words, so that texts sharing words are close."""
    total = [0.0] * dimensions
    for word in re.findall(r"\w+", text.lower()) or [""]:
        seed = hashlib.shake_256(word.encode()).digest(dimensions)
        total = [old + byte / 127.5 - 1 for old, byte in zip(total, seed, strict=True)]
    norm = math.sqrt(sum(value * value for value in total))
    return [value / norm for value in total]


S = TypeVar("S", bound=StandIn)


class _Server(StoppableServer):
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End at once. Clients need not be waited for: what they keep open is to break."""
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        await asyncio.sleep(0.01)  # connections close in the next turns of the loop


@contextmanager
def running(server: S, port: int = 0) -> Generator[S]:
    """Run `server` on its own port or this one; stop it at the end even if clients are connected."""
    port = port or closed_port()
    listener = socket.create_server(("127.0.0.1", port))
    server.root = f"http://127.0.0.1:{port}"
    config = uvicorn.Config(Starlette(routes=server.routes()), log_level="critical", lifespan="off", ws="none")
    uvicorn_server = _Server(config)
    thread = threading.Thread(target=uvicorn_server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        uvicorn_server.stop()
        thread.join(_END_SECONDS)
        listener.close()
        assert not thread.is_alive(), "the stand-in did not end"


@contextmanager
def resetting() -> Generator[tuple[str, Sequence[object]]]:
    """A server that resets every connection after its request: its address, and the connections it had."""
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
        thread.join(_END_SECONDS)
