"""Attacks on the memory of a server: too much at once, too slow, never read, never ended."""

import asyncio
import json
import os
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from tests.graphql.client import SEND, Client

MB = 1_000_000
# How long an attack that only holds things goes on.
HELD_SECONDS = 8
FOLLOW = """subscription($id: ID!) { answerEvents(messageId: $id) { __typename sequence
  ... on AnswerDelta { text content } ... on AnswerCompleted { message { content } } } }"""
END = "subscription($id: ID!) { answerEvents(messageId: $id) { sequence } }"
ANSWER = "query($id: ID!) { message(id: $id) { status finishReason content } }"


@dataclass
class Server:
    """A server under attack."""

    pid: int
    root: str
    http: httpx.AsyncClient
    said: Counter[str] = field(default_factory=Counter[str])
    """What the attackers were told, and how often."""

    @property
    def client(self) -> Client:
        """Its GraphQL API."""
        return Client(self.http, self.root)

    @property
    def place(self) -> tuple[str, int]:
        """Host and port."""
        host, port = self.root.removeprefix("http://").split(":")
        return host, int(port)


Attack = Callable[[Server], Awaitable[None]]


async def _post(server: Server, path: str, body: bytes, kind: str = "application/json") -> None:
    try:
        response = await server.http.post(f"{server.root}{path}", content=body, headers={"content-type": kind})
    except httpx.HTTPError as error:
        server.said[type(error).__name__] += 1
        return
    server.said[str(response.status_code)] += 1


def _values(size: int) -> bytes:
    """A chat request of this size with as many values as possible."""
    head = b'{"model":"openai/fine","messages":[{"role":"user","content":"hi"}],"x":['
    return head + b"[]," * ((size - len(head)) // 3 - 1) + b"[]]}"


async def one_body_of_values(server: Server) -> None:
    """One request of 49 MB that is all lists."""
    await _post(server, "/v1/chat/completions", _values(49 * MB))


async def bodies_of_values(server: Server) -> None:
    """40 requests at once, each as large as chat requests may be (or as it was), all lists."""
    await asyncio.gather(*(_post(server, "/v1/chat/completions", _values(9 * MB)) for _ in range(40)))


async def bodies_that_stall(server: Server) -> None:
    """60 requests of 9 MB, each missing its last bytes."""
    head = b"POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    await _stalled(server, 60, head + b"Content-Length: 9000000\r\n\r\n", b'"' + b"x" * (9 * MB - 2))


async def graphql_bodies(server: Server) -> None:
    """200 GraphQL requests of just under 2 MB, whose variables are lists."""
    body = b'{"query":"{ __typename }","variables":{"x":[' + b"[]," * 660_000 + b"[]]}}"
    await asyncio.gather(*(_post(server, "/graphql", body) for _ in range(200)))


async def graphql_bodies_that_stall(server: Server) -> None:
    """400 GraphQL requests of 2 MB, each missing its last bytes."""
    head = b"POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    await _stalled(server, 400, head + b"Content-Length: 1999000\r\n\r\n", b'"' + b"x" * 1_998_000)


async def uploads_that_stall(server: Server) -> None:
    """40 uploads of 20 files of just under 1 MB, each missing its last bytes."""
    head = (
        b"POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: multipart/form-data; boundary=b\r\n"
        b"GraphQL-Require-Preflight: 1\r\nContent-Length: 45000000\r\n\r\n"
    )
    part = b'--b\r\nContent-Disposition: form-data; name="%d"; filename="f"\r\n\r\n' + b"x" * 990_000 + b"\r\n"
    await _stalled(server, 40, head, b"".join(part % number for number in range(20)))


async def _stalled(server: Server, count: int, head: bytes, body: bytes) -> None:
    async def stall() -> None:
        reader, writer = await asyncio.open_connection(*server.place)
        writer.write(head + body)
        try:
            async with asyncio.timeout(HELD_SECONDS):
                answer = await reader.readuntil(b"\r\n")
                server.said[answer.split(b" ")[1].decode()] += 1
        except TimeoutError:
            server.said["held"] += 1
        except (ConnectionError, asyncio.IncompleteReadError):
            server.said["cut"] += 1
        writer.transport.abort()

    await asyncio.gather(*(stall() for _ in range(count)))


async def _long_answer(server: Server) -> str:
    """The id of an answer of half a megabyte, in many pieces."""
    client = server.client
    session = await client.session(
        await client.project("Long"), enableRag=False, model="openai/long", maxTokens=200_000
    )
    sent = await client.mutate(SEND, sessionId=session, content="Well?")
    await client.follow(END, id=sent["answer"]["id"])
    return sent["answer"]["id"]


@asynccontextmanager
async def _deaf_socket(server: Server) -> AsyncGenerator[ClientConnection]:
    """A socket whose client reads nothing after the handshake."""
    url = server.root.replace("http", "ws", 1) + "/graphql"
    protocols = [Subprotocol("graphql-transport-ws")]
    async with connect(url, subprotocols=protocols, compression=None, max_queue=1, ping_interval=None) as socket:
        await socket.send('{"type":"connection_init"}')
        await socket.recv()
        socket.transport.pause_reading()
        try:
            yield socket
        finally:
            socket.transport.abort()


async def deaf_sockets(server: Server) -> None:
    """8 sockets with 100 subscriptions each that nobody reads."""
    payload = {"query": FOLLOW, "variables": {"id": await _long_answer(server)}}
    await _on_deaf_sockets(server, payload)


async def deaf_queries(server: Server) -> None:
    """The same with queries that have large results."""
    payload = {"query": ANSWER.replace("content", " ".join(f"c{n}: content" for n in range(8)))}
    await _on_deaf_sockets(server, {**payload, "variables": {"id": await _long_answer(server)}})


async def _on_deaf_sockets(server: Server, payload: Mapping[str, Any]) -> None:
    async with AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(_deaf_socket(server)) for _ in range(8)]
        for number in range(100):
            message = json.dumps({"type": "subscribe", "id": str(number), "payload": payload})
            await asyncio.gather(*(socket.send(message) for socket in sockets))
        await asyncio.sleep(HELD_SECONDS * 3)


async def deaf_streams(server: Server) -> None:
    """400 responses of server-sent events that nobody reads."""
    body = json.dumps({"query": FOLLOW, "variables": {"id": await _long_answer(server)}}).encode()
    head = (
        b"POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: text/event-stream\r\n"
        b"Content-Length: %d\r\n\r\n"
    )
    await _unread(server, 400, head % len(body) + body, HELD_SECONDS * 3)


async def _unread(server: Server, count: int, request: bytes, seconds: float) -> None:
    async def one() -> None:
        try:
            reader, writer = await asyncio.open_connection(*server.place, limit=1024)
        except OSError as error:
            server.said[type(error).__name__] += 1
            return
        writer.write(request)
        try:
            async with asyncio.timeout(seconds):
                line = await reader.readuntil(b"\r\n")
            server.said[line.split(b" ")[1].decode()] += 1
            await asyncio.sleep(seconds)
        except TimeoutError:
            server.said["nothing came"] += 1
        except (ConnectionError, asyncio.IncompleteReadError):
            server.said["cut"] += 1
        writer.transport.abort()

    await asyncio.gather(*(one() for _ in range(count)))


async def slow_downloads(server: Server) -> None:
    """40 readers of one original of 45 MB who read nothing."""
    project = await server.client.project("Large")
    operation = """mutation($input: UploadDocumentInput!) { uploadDocument(input: $input) {
      ... on Error { message } ... on UploadDocumentPayload { document { id originalUrl } } } }"""
    fields = {
        "operations": json.dumps({"query": operation, "variables": {"input": {"projectId": project, "file": None}}}),
        "map": json.dumps({"0": ["variables.input.file"]}),
    }
    response = await server.http.post(
        f"{server.root}/graphql",
        data=fields,
        files={"0": ("large.bin", os.urandom(45 * MB))},
        headers={"graphql-require-preflight": "1"},
    )
    document = response.json()["data"]["uploadDocument"]["document"]
    await _unread(
        server, 40, f"GET {document['originalUrl']} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode(), HELD_SECONDS
    )


def _endless_answer(model: str) -> Attack:
    async def attack(server: Server) -> None:
        client = server.client
        session = await client.session(await client.project("Endless"), enableRag=False, model=model, maxTokens=100)
        sent = await client.mutate(SEND, sessionId=session, content="Well?")
        id = sent["answer"]["id"]
        async with asyncio.timeout(60):
            await client.follow(END, id=id)
        found = (await client.run(ANSWER, id=id))["message"]
        server.said[f"{found['status']} {found['finishReason']} {len(found['content']):,} characters"] += 1

    return attack


def _endless_pass_through(model: str, *, stream: bool) -> Attack:
    async def attack(server: Server) -> None:
        body = {
            "model": f"openai/{model}",
            "messages": [{"role": "user", "content": "Well?"}],
            "max_tokens": 100,
            "stream": stream,
        }
        size, last = 0, b""
        async with (
            asyncio.timeout(60),
            server.http.stream("POST", f"{server.root}/v1/chat/completions", json=body) as response,
        ):
            async for data in response.aiter_bytes():
                size += len(data)
                last = data
        server.said[f"{response.status_code}, {size:,} bytes, … {last[-60:]!r}"] += 1

    return attack


async def idle_connections(server: Server) -> None:
    """4,000 connections from one address that send nothing."""
    await _connected(server, b"")


async def half_heads(server: Server) -> None:
    """4,000 connections that send 60 kB of headers and never finish them."""
    await _connected(server, b"GET / HTTP/1.1\r\n" + b"X-A: " + b"x" * 60_000)


async def _connected(server: Server, sent: bytes) -> None:
    writers: list[asyncio.StreamWriter] = []
    for _ in range(4000):
        try:
            _, writer = await asyncio.open_connection(*server.place, limit=1024)
        except OSError as error:
            server.said[type(error).__name__] += 1
            continue
        writer.write(sent)
        writers.append(writer)
    await asyncio.sleep(HELD_SECONDS / 2)
    server.said["still open"] = sum(not writer.transport.is_closing() for writer in writers)
    for writer in writers:
        writer.transport.abort()


ATTACKS: dict[str, Attack] = {
    "one-body": one_body_of_values,
    "40-bodies": bodies_of_values,
    "60-stalled-bodies": bodies_that_stall,
    "200-graphql-bodies": graphql_bodies,
    "400-stalled-graphql-bodies": graphql_bodies_that_stall,
    "40-stalled-uploads": uploads_that_stall,
    "800-deaf-subscriptions": deaf_sockets,
    "800-deaf-queries": deaf_queries,
    "400-deaf-streams": deaf_streams,
    "40-slow-downloads": slow_downloads,
    "endless-text": _endless_answer("openai/text"),
    "endless-thoughts": _endless_answer("openai/thoughts"),
    "endless-comments": _endless_answer("openai/comments"),
    "endless-line": _endless_answer("openai/line"),
    "endless-error": _endless_answer("openai/error"),
    "huge-pieces": _endless_answer("openai/huge"),
    "pass-through-endless-text": _endless_pass_through("text", stream=True),
    "pass-through-endless-calls": _endless_pass_through("calls", stream=True),
    "pass-through-endless-whole": _endless_pass_through("whole", stream=False),
    "pass-through-endless-error": _endless_pass_through("error", stream=True),
    "4000-idle-connections": idle_connections,
    "4000-half-heads": half_heads,
}
