"""What one WebSocket sends in a flood does not keep others waiting; honest clients are not cut."""

import asyncio
import json
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from app.http.request_body import MAX_ANONYMOUS_BYTES
from tests.graphql.client import Client, received
from tests.graphql.client import start as begin
from tests.http.test_garbage import resident_bytes
from tests.http.test_memory_bounds import connected
from tests.serving import serve_in_process
from tests.signed_in_server import StartSignedIn

Start = Callable[..., Client]
_PATIENCE = 90
_HANDSHAKE = b"""GET /graphql HTTP/1.1\r
Host: 127.0.0.1\r
Upgrade: websocket\r
Connection: Upgrade\r
Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
Sec-WebSocket-Version: 13\r
Sec-WebSocket-Protocol: graphql-transport-ws\r
\r
"""
_INIT = b'{"type":"connection_init"}'
_PING = b'{"type":"ping"}'


def frame(opcode: int, payload: bytes = b"", *, final: bool = True, length: int | None = None) -> bytes:
    """A frame as clients send it, with a mask of zeros. With a `length`, it is the beginning of one so long."""
    length = len(payload) if length is None else length
    size = bytes([0x80 | length]) if length < 126 else b"\xff" + length.to_bytes(8, "big")
    return bytes([(0x80 if final else 0) | opcode]) + size + bytes(4) + payload


def init(length: int) -> bytes:
    """A message so long that begins a connection."""
    start, end = b'{"type":"connection_init","payload":{"x":"', b'"}}'
    return start + b"x" * (length - len(start) - len(end)) + end


@pytest.mark.parametrize(
    ("first", "repeated"),
    [
        (b"", frame(9)),
        (b"", frame(10)),
        (frame(1, final=False), frame(0, final=False)),
        (frame(1, _INIT), frame(9, b"x" * 10)),
    ],
)
async def test_a_flood_of_empty_frames_closes_the_socket(start: Start, first: bytes, repeated: bytes) -> None:
    client = start()
    async with connected(client) as (reader, writer), asyncio.timeout(_PATIENCE):
        writer.write(_HANDSHAKE)
        await reader.readuntil(b"\r\n\r\n")
        writer.write(first + repeated * 2_000)
        end = b""
        while data := await reader.read(100_000):
            end = (end + data)[-200:]
        assert b"\x03\xf0Too many empty frames." in end  # 1008


@pytest.mark.parametrize("first", [b"", frame(1, _INIT)])
async def test_a_flood_of_messages_is_answered_no_faster_than_its_rate(start: Start, first: bytes) -> None:
    """Others are answered while it waits, so it is not over when they are."""
    client, count = start(), 20_000
    async with connected(client) as (reader, writer), asyncio.timeout(_PATIENCE):
        writer.write(_HANDSHAKE)
        await reader.readuntil(b"\r\n\r\n")
        writer.write(first + frame(1, _PING) * count)
        seen = b""
        while seen.count(b"pong") < 20:
            seen += await reader.read(100_000)
        for _ in range(20):
            assert (await client.post("{ __typename }")).status_code == 200
        assert seen.count(b"pong") < count // 2


async def test_many_operations_and_pings_of_an_honest_client_are_answered(start: Start) -> None:
    client = start(max_socket_operations=300)
    async with client.socket() as socket, asyncio.timeout(_PATIENCE):
        for number in range(300):
            await begin(socket, str(number), "{ __typename }")
        for _ in range(200):
            await socket.send(_PING.decode())
            await socket.ping()
        completed: set[str] = set()
        while len(completed) < 300:
            message = await received(socket)
            assert message["type"] in ("next", "complete", "pong"), message
            if message["type"] == "complete":
                completed.add(message["id"])
        await socket.send(["x" * 900] * 500)  # a message in many pieces
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                await socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4400


@pytest.mark.parametrize(
    "sent",
    [
        frame(1, b"x", length=MAX_ANONYMOUS_BYTES + 1),
        frame(1, init(MAX_ANONYMOUS_BYTES + 1)),
        frame(1, b"x" * 15_000, final=False) + frame(0, b"x" * 15_000, final=False),
        frame(1, _PING) * 5 + frame(2, b"x", length=2_000_000),
    ],
    ids=["announced", "sent", "in pieces", "after others"],
)
async def test_a_message_is_small_until_its_sender_is_known(start: Start, sent: bytes) -> None:
    async with connected(start()) as (reader, writer), asyncio.timeout(_PATIENCE):
        writer.write(_HANDSHAKE)
        await reader.readuntil(b"\r\n\r\n")
        writer.write(sent)
        assert b"\x03\xf1" in (await reader.read(-1))[-100:]  # 1009


async def test_a_message_may_be_large_once_its_sender_is_known(start: Start) -> None:
    client = start()
    async with client.raw_socket() as socket, asyncio.timeout(_PATIENCE):
        await socket.send(init(MAX_ANONYMOUS_BYTES).decode())
        assert (await received(socket))["type"] == "connection_ack"
        await begin(socket, "1", "{ __typename }", x="x" * 1_900_000)
        assert (await received(socket))["payload"]["data"] == {"__typename": "Query"}


async def test_unfinished_messages_are_limited_per_user(signed: StartSignedIn) -> None:
    server = await signed()
    other = await server.accounts.users.create("bob@example.org")
    token, _ = await server.accounts.access_tokens.create(other.id, "test")
    hello = json.dumps({"type": "connection_init", "payload": server.headers}).encode()
    async with AsyncExitStack() as stack, asyncio.timeout(_PATIENCE):
        ends: list[asyncio.Task[bytes]] = []
        for _ in range(9):  # eight of them have a place
            reader, writer = await stack.enter_async_context(connected(server.client))
            writer.write(_HANDSHAKE)
            await reader.readuntil(b"\r\n\r\n")
            writer.write(frame(1, hello))
            await reader.readuntil(b"connection_ack")
            writer.write(frame(1, b"x" * 1_900_000, length=2_000_000))
            ends.append(asyncio.ensure_future(reader.read(-1)))
        [refused], waiting = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        # What it had sent beyond that is not read; then its own system may forget why it was closed (1013).
        assert isinstance(refused.exception(), ConnectionResetError) or b"\x03\xf5You may" in refused.result()
        assert len(waiting) == 8
        # Nobody else is concerned, and small messages pass.
        for credential in (token, server.token):
            async with Client(server.http, server.url).raw_socket(authorization=f"Bearer {credential}") as socket:
                await socket.send(init(MAX_ANONYMOUS_BYTES).decode())
                assert (await received(socket))["type"] == "connection_ack"
                await begin(socket, "1", "{ __typename }", x="x" * (1_900_000 if credential == token else 10))
                assert (await received(socket))["payload"]["data"] == {"__typename": "Query"}
        for one in waiting:
            one.cancel()


@pytest.mark.parametrize("kind", ["x" * 200, "é" * 100, "\ud800"])
async def test_a_long_reason_to_close_is_cut(start: Start, kind: str) -> None:
    url = start().url.replace("http://", "ws://")
    async with connect(url, subprotocols=[Subprotocol("graphql-transport-ws")]) as socket, asyncio.timeout(_PATIENCE):
        await socket.send(json.dumps({"type": kind}))
        with pytest.raises(ConnectionClosed):
            await socket.recv()
        assert socket.close_code == 4400
        assert (socket.close_reason or "").startswith("Unknown message type: ")


async def test_a_long_id_that_is_in_use_closes_the_socket_with_its_code(start: Start) -> None:
    client = start()
    document = await client.ready(await client.project("Docs"), "Small", "Some words.")
    waits = "subscription($id: ID!) { ingestionEvents(documentId: $id, after: 1000) { sequence } }"
    async with client.socket() as socket, asyncio.timeout(_PATIENCE):
        for _ in range(2):
            await begin(socket, "i" * 200, waits, id=document)
        with pytest.raises(ConnectionClosed):
            while True:
                await socket.recv()
        assert socket.close_code == 4409


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux")
async def test_operations_that_are_completed_before_they_begin_leave_nothing(tmp_path: Path) -> None:
    """Each has half a megabyte of extensions."""
    payload = {"query": "{ __typename }", "extensions": {"x": "x" * 500_000}}
    # Nobody here answers pings.
    with serve_in_process({"PING_SECONDS": "3600"}, folder=tmp_path, is_measured=True) as (process, url):
        async with httpx.AsyncClient() as http, connected(Client(http, url)) as (reader, writer):
            writer.write(_HANDSHAKE)
            await reader.readuntil(b"\r\n\r\n")
            writer.write(frame(1, _INIT))
            await reader.readuntil(b"connection_ack")
            sizes: list[int] = []
            for start_of in range(0, 300, 100):
                for number in range(start_of, start_of + 100):
                    begins = {"type": "subscribe", "id": f"{number}", "payload": payload}
                    ends = {"type": "complete", "id": f"{number}"}
                    writer.write(frame(1, json.dumps(begins).encode()) + frame(1, json.dumps(ends).encode()))
                    await writer.drain()
                writer.write(frame(1, _PING))
                seen = b""
                async with asyncio.timeout(_PATIENCE):
                    while b'"pong"' not in seen:
                        data = await reader.read(100_000)
                        assert data, seen
                        seen = seen[-10:] + data
                sizes.append(resident_bytes(process.pid))
    assert sizes[-1] - sizes[0] < 50_000_000, sizes


async def test_an_id_that_every_result_would_repeat_is_short(start: Start) -> None:
    async with start().socket() as socket, asyncio.timeout(_PATIENCE):
        await begin(socket, "i" * 200, "{ __typename }")
        assert (await received(socket))["id"] == "i" * 200
        await begin(socket, "i" * 201, "{ __typename }")
        with pytest.raises(ConnectionClosed):
            while True:
                assert len((await received(socket))["id"]) == 200
        assert (socket.close_code, socket.close_reason) == (
            4400,
            "The id of an operation may have at most 200 characters.",
        )


async def test_a_client_that_leaves_unanswered_is_no_error(start: Start, caplog: pytest.LogCaptureFixture) -> None:
    client = start()
    async with asyncio.timeout(_PATIENCE):
        for _ in range(30):
            async with connected(client) as (reader, writer):
                writer.write(_HANDSHAKE)
                await reader.readuntil(b"\r\n\r\n")
                writer.write(frame(1, _PING) * 15 + frame(8))
                await writer.drain()
                await reader.readexactly(1)
            assert (await client.post("{ __typename }")).status_code == 200
    assert not [record.getMessage() for record in caplog.records if record.exc_info]


async def test_all_of_many_pipelined_requests_are_answered(start: Start) -> None:
    """Others are answered meanwhile."""
    client, count = start(), 10_000
    async with connected(client) as (reader, writer), asyncio.timeout(_PATIENCE):
        writer.write(b"GET /x HTTP/1.1\r\nHost: a\r\n\r\n" * count + b"GET /y HTTP/1.1\r\nConnection: close\r\n\r\n")
        seen = await reader.readuntil(b"HTTP/1.1 ")
        for _ in range(5):
            assert (await client.post("{ __typename }")).status_code == 200
        answers = seen.count(b"HTTP/1.1 ")
        while data := await reader.read(100_000):
            seen = seen[-8:] + data
            answers += seen.count(b"HTTP/1.1 ")
        assert answers >= count


_CHUNKED = (
    b"POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
)


@pytest.mark.parametrize(
    ("start_of", "endless"), [(b"0\r\n", b"X-Some: thing\r\n" * 100), (b"0\r\n", b"x" * 1_000), (b"5;", b"x" * 1_000)]
)
async def test_what_surrounds_a_body_is_bounded(start: Start, start_of: bytes, endless: bytes) -> None:
    """Headers behind it, and what stands beside the size of a piece of it."""
    client = start()
    async with connected(client) as (reader, writer), asyncio.timeout(_PATIENCE):
        writer.write(_CHUNKED + start_of)
        with pytest.raises(ConnectionError):
            for _ in range(100):
                writer.write(endless * 100)
                await writer.drain()
            await reader.read(-1)
            raise AssertionError("everything was read")


async def test_headers_behind_a_body_count_for_nothing(start: Start) -> None:
    client = start()
    async with connected(client) as (reader, writer), asyncio.timeout(_PATIENCE):
        writer.write(_CHUNKED + b"17\r\n" + b'{"query":"{__typename}"' + b"\r\n1\r\n}\r\n0\r\n")
        writer.write(b"Authorization: Bearer fn_none\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n")
        assert await reader.readuntil(b"\r\n") == b"HTTP/1.1 200 OK\r\n"
