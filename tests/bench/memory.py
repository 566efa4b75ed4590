"""Measure a server's peak memory under each attack in turn, with a fresh server for each.

`python -m tests.bench memory` runs all of them, `… memory NAME` those that are named. The server, its parsers and the
model server are processes of their own; counted are the server and its children.
"""

import asyncio
import json
import os
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from tests.bench import load
from tests.bench.measured import Row
from tests.graphql.client import SEND, Client

MB = 1_000_000
SAMPLED_SECONDS = 0.05
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


async def measure(names: list[str]) -> list[Row]:
    """The peak memory under each attack, next to the same server's memory at rest."""
    unknown = set(names) - set(ATTACKS)
    if unknown:
        raise SystemExit(f"no such attack: {', '.join(sorted(unknown))}; there are {', '.join(ATTACKS)}")
    return [await _attacked(name, ATTACKS[name]) for name in names or ATTACKS]


async def _attacked(name: str, attack: Attack) -> Row:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        model = stack.enter_context(load.process("tests.servers.endless"))
        port = load.line(model)
        environment = {
            **os.environ,
            "DATABASE_URL": f"sqlite:///{folder}/memory.db",
            "OPENAI_BASE_URL": f"http://127.0.0.1:{port}/v1",
            "CHAT_MODEL": "openai/fine",
        }
        running = stack.enter_context(load.serving(environment))
        async with httpx.AsyncClient(timeout=120, limits=httpx.Limits(max_connections=None)) as http:
            server = Server(running.pid, running.url.removesuffix("/graphql"), http)
            await server.client.run("{ __typename }")
            at_rest = resident(server.pid)
            with sampled(server.pid) as peak:
                try:
                    async with asyncio.timeout(180):
                        await attack(server)
                except TimeoutError:
                    server.said["went on for 180 s"] += 1
                except Exception as error:  # of a server that is down nothing better can be said
                    server.said[type(error).__name__] += 1
            try:
                fine = (await http.get(f"{server.root}/health", timeout=20)).status_code
            except httpx.HTTPError as error:
                fine = type(error).__name__
        told = ", ".join(f"{count} × {what}" for what, count in server.said.most_common(4))
        row = f"at rest {at_rest / MB:4.0f} MB, peak {max(peak) / MB:5.0f} MB; then health {fine}; {told}"
        print(f"  {name:34} {row}", flush=True)
        return name, row


def resident(pid: int) -> int:
    """Resident bytes of a process and its children."""
    return sum(own(one) for one in [pid, *children(pid)])


def own(pid: int) -> int:
    """Resident bytes of one process."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def children(pid: int) -> list[int]:
    """The processes below a process."""
    try:
        found = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
    return [*found, *(below for child in found for below in children(child))]


@contextmanager
def sampled(pid: int) -> Generator[list[int]]:
    """Sample the memory and keep the maximum."""
    peak, stop = [resident(pid)], threading.Event()

    def watch() -> None:
        while not stop.wait(SAMPLED_SECONDS):
            peak.append(max(peak.pop(), resident(pid)))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield peak
    finally:
        stop.set()
        thread.join()


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


async def _alone() -> None:
    await measure(sys.argv[1:])


if __name__ == "__main__":
    asyncio.run(_alone())
