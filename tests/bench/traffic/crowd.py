"""Users who take turns over GraphQL at as little cost as possible: prepared bytes on bare sockets, no client library.

They share the cores with the servers that are measured, so what they cost is taken from what those can do.
"""

import asyncio
import json
import os
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle

import httpx

from tests.bench.running import Server
from tests.bench.texts import questions

_CREATE = """mutation($input: CreateChatSessionInput!) { createChatSession(input: $input) {
  ... on CreateChatSessionPayload { chatSession { id } } } }"""
_SEND = (
    "mutation($input: SendMessageInput!) { sendMessage(input: $input) { ... on SendMessagePayload { answer { id } } } }"
)
_FOLLOW = "subscription($id: ID!) { answerEvents(messageId: $id) { __typename sequence } }"
_POST = b"POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
_UPGRADE = (
    b"GET /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    b"Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n"
)
_ID = re.compile(rb'"id": ?"([^"]+)"')
_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
_COMPLETED, _COMPLETE, _PING = b'"AnswerCompleted"', b'"complete"', b'"ping"'
_MAX_SHORT, _EXTENDED, _MASKED, _TEXT = 125, 126, 0x80, 0x81


class _Connection(asyncio.Protocol):
    """A connection whose next bytes are awaited."""

    def __init__(self) -> None:
        self._received = b""
        self._arrived = asyncio.Event()
        self._transport: asyncio.Transport | None = None

    @classmethod
    async def open(cls, server: Server) -> "_Connection":
        host, port = httpx.URL(server.url).netloc.decode().split(":")
        _, connection = await asyncio.get_running_loop().create_connection(cls, host, int(port))
        return connection

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        self._arrived.set()
        if _PING in data and self._transport is not None:
            self._transport.write(_frame({"type": "pong"}))

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self._arrived.set()

    def send(self, data: bytes) -> None:
        """Send; nothing received before matters any more."""
        self._received = b""
        assert self._transport is not None, "The server has closed the connection."
        self._transport.write(data)

    async def receive_until(self, mark: bytes) -> bytes:
        """All that has been received since something was sent, when it has the mark."""
        while mark not in self._received:
            await self._receive_more()
        return self._received

    async def receive_response(self) -> bytes:
        """The body of a response."""
        head, _, _ = (await self.receive_until(b"\r\n\r\n")).partition(b"\r\n\r\n")
        found = _LENGTH.search(head)
        assert found is not None, head
        while len(self._received) < len(head) + 4 + int(found[1]):
            await self._receive_more()
        return self._received[len(head) + 4 :]

    async def _receive_more(self) -> None:
        assert self._transport is not None, self._received
        self._arrived.clear()
        await self._arrived.wait()

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


class User:
    """One connection for requests, another for events."""

    def __init__(self, requests: _Connection, events: _Connection) -> None:
        self._requests = requests
        self._events = events

    @classmethod
    async def arrive(cls, server: Server) -> "User":
        """A user of this server, connected."""
        requests, events = await _Connection.open(server), await _Connection.open(server)
        events.send(_UPGRADE)
        await events.receive_until(b"\r\n\r\n")
        events.send(_frame({"type": "connection_init"}))
        await events.receive_until(b'"connection_ack"')
        return cls(requests, events)

    async def begin_session(self, project: str) -> str:
        """A new chat session's id."""
        return await self._mutate(_CREATE, projectId=project)

    async def take_turn(self, session: str, question: str, number: int) -> None:
        """A question, and its answer's events to their end; no two of a user have the same number."""
        answer = await self._mutate(_SEND, sessionId=session, content=question)
        payload = {"query": _FOLLOW, "variables": {"id": answer}}
        self._events.send(_frame({"type": "subscribe", "id": str(number), "payload": payload}))
        received = await self._events.receive_until(_COMPLETE)
        assert _COMPLETED in received, received

    async def _mutate(self, query: str, **values: str) -> str:
        """The id in the payload."""
        body = json.dumps({"query": query, "variables": {"input": values}}).encode()
        self._requests.send(_POST % (len(body), body))
        found = _ID.search(await self._requests.receive_response())
        assert found is not None, (query, values)
        return found[1].decode()

    def leave(self) -> None:
        """Close both connections."""
        self._requests.close()
        self._events.close()


def _frame(message: object) -> bytes:
    """A WebSocket frame masked with zeros, which leaves the bytes as they are."""
    data = json.dumps(message).encode()
    long = len(data) > _MAX_SHORT
    size = bytes([_MASKED | _EXTENDED]) + len(data).to_bytes(2, "big") if long else bytes([_MASKED | len(data)])
    return bytes([_TEXT]) + size + bytes(4) + data


@dataclass(frozen=True, slots=True)
class Load:
    """What a crowd's turns took: CPU seconds of one turn in the servers, and in the users and the model beside them.

    `lock`: seconds that a turn waited until no other process held the database's write lock.
    """

    rate: float
    servers: float
    beside: float
    lock: float

    @property
    def busy(self) -> float:
        """The share of all cores that the turns kept busy."""
        return self.rate * (self.servers + self.beside) / _cores()

    @property
    def bound(self) -> float:
        """The turns per second that this machine's cores can do at this cost, if nothing ever waits."""
        return _cores() / (self.servers + self.beside)

    @property
    def description(self) -> str:
        """What a turn costs, and how busy the cores are."""
        return (
            f"CPU of a turn {self.servers * 1000:.1f} ms, of users and model {self.beside * 1000:.1f}; "
            f"cores {self.busy * 100:.0f} % busy; {self.lock * 1000:.1f} ms for the lock"
        )


async def take_turns(servers: Sequence[Server], project: str, model: Server, users: int, turns: int) -> Load:
    """Turns of so many users at once, each user at one of the servers."""
    arrived = [await User.arrive(server) for server, _ in zip(cycle(servers), range(users), strict=False)]
    asked = cycle(questions())

    async def converse(user: User, content: Sequence[str]) -> None:
        for number, question in enumerate(content):
            await user.take_turn(await user.begin_session(project), question, number)

    conversations = [(user, [next(asked) for _ in range(turns)]) for user in arrived]
    began, before = time.perf_counter(), _spent(servers, model)
    await asyncio.gather(*(converse(*each) for each in conversations))
    seconds = time.perf_counter() - began
    each = [(after - earlier) / users / turns for after, earlier in zip(_spent(servers, model), before, strict=True)]
    for user in arrived:
        user.leave()
    return Load(users * turns / seconds, *each)


def _spent(servers: Sequence[Server], model: Server) -> tuple[float, float, float]:
    """CPU seconds so far in the servers, and in the users and the model; and seconds that servers waited for a lock."""
    return sum(server.cpu() for server in servers), time.process_time() + model.cpu(), sum(map(_lock_seconds, servers))


def _lock_seconds(server: Server) -> float:
    metrics = httpx.get(server.url.replace("/graphql", "/metrics")).text.splitlines()
    # Version 0.1 does not count them.
    return sum(float(line.split()[1]) for line in metrics if line.startswith("footnote_database_lock_seconds_total "))


def _cores() -> int:
    return os.cpu_count() or 1
