"""Half-closed connections, clients that have left, and clients of HTTP/1.0."""

import asyncio
import json
import socket
import threading
from collections.abc import Generator

import pytest

from tests.graphql.client import Client
from tests.http.test_memory_bounds import connected, head
from tests.looking import pause
from tests.openai_api.conftest import Start
from tests.servers.openai import CHAT, OpenAIServer
from tests.servers.running import Body, running

_PATIENCE = 120
_ASKED = b'{"model": "openai/chat", "messages": [{"role": "user", "content": "What is KAITO?"}], "stream": %s}'


class _Slow:
    """A model that answers when it is told to."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.may_answer = threading.Event()

    def __call__(self, body: Body) -> list[str]:
        self.asked.set()
        assert self.may_answer.wait(_PATIENCE)
        return ["KAITO is ", "an operator."]


@pytest.fixture
def slow() -> Generator[_Slow]:
    """The model, which answers at the latest when the test ends."""
    model = _Slow()
    yield model
    model.may_answer.set()


@pytest.mark.parametrize("streams", [False, True])
async def test_a_client_that_sends_nothing_more_gets_its_answer(start: Start, slow: _Slow, streams: bool) -> None:
    body = _ASKED % json.dumps(streams).encode()
    with running(OpenAIServer(slow)) as model:
        api = await start(model)
        async with (
            connected(Client(api.http, api.base.removesuffix("/v1"))) as (reader, writer),
            asyncio.timeout(_PATIENCE),
        ):
            writer.write(head(CHAT, len(body)) + body)
            writer.write_eof()
            for _ in range(2):  # it is asked whether it is still there
                assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
            slow.may_answer.set()
            answered = await reader.read(-1)
    _, found, rest = answered.rpartition(b"HTTP/1.1 200 OK")
    assert found
    assert b"connection: close" in rest
    assert (b"data: [DONE]" if streams else b"KAITO is an operator.") in rest


@pytest.mark.parametrize("version", [b"1.0", b"1.1"])
async def test_a_request_that_is_answered_at_once_gets_its_response_alone(start: Start, version: bytes) -> None:
    """So that `printf ... | nc -N` shows it."""
    api = await start()
    async with (
        connected(Client(api.http, api.base.removesuffix("/v1"))) as (reader, writer),
        asyncio.timeout(_PATIENCE),
    ):
        writer.write((b"GET /livez HTTP/%s\r\nHost: 127.0.0.1\r\n\r\n" % version) * 2)
        writer.write_eof()
        answered = await reader.read(-1)
    assert answered.startswith(b"HTTP/1.1 200 OK\r\n")
    assert answered.count(b"HTTP/1.1 200 OK\r\n") == (1 if version == b"1.0" else 2)  # 1.0 closes after each
    assert answered.endswith(b"\r\n\r\nok\n")


async def test_a_client_of_http_1_0_gets_a_stream_without_sizes_of_chunks(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["KAITO is ", "an operator."])) as model:
        api = await start(model)
        async with connected(Client(api.http, api.base.removesuffix("/v1"))) as (reader, writer):
            body = _ASKED % b"true"
            writer.write(head(CHAT, len(body)).replace(b"HTTP/1.1", b"HTTP/1.0") + body)
            found, _, streamed = (await reader.read(-1)).partition(b"\r\n\r\n")
    assert b"transfer-encoding" not in found
    assert streamed.startswith(b"data: {")
    assert streamed.endswith(b"}\n\ndata: [DONE]\n\n")
    assert b"\r\n" not in streamed


async def test_a_client_that_has_left_is_noticed_also_if_its_stream_is_silent(start: Start) -> None:
    """It may leave before the stream starts. Each connection counts for its address."""
    api = await start(max_connections_per_address=5)
    client = Client(api.http, api.base.removesuffix("/v1"))
    watching = "subscription($id: ID!) { ingestionEvents(projectId: $id) { __typename } }"
    body = json.dumps({"query": watching, "variables": {"id": await client.project("Watched")}}).encode()
    request = head("/graphql", len(body), accept="text/event-stream") + body
    for _ in range(4):
        async with connected(client) as (_, writer):
            writer.write(request)
            writer.close()
            await writer.wait_closed()
    async with asyncio.timeout(10):  # less than between two heartbeats
        while True:
            async with connected(client) as (reader, writer):
                writer.write(request)
                if await reader.readuntil(b"\r\n") == b"HTTP/1.1 200 OK\r\n":
                    return


@pytest.mark.skipif(not hasattr(socket, "TCP_LINGER2"), reason="needs Linux")
async def test_a_client_of_http_1_0_that_has_left_is_noticed(start: Start, slow: _Slow) -> None:
    """Nothing may be written to it before its answer, so it looks like one that sends nothing more, and waits."""
    body = _ASKED % b"false"
    request = (head(CHAT, len(body)) + body).replace(b"HTTP/1.1", b"HTTP/1.0")
    with running(OpenAIServer(slow)) as model:
        api = await start(model, max_connections_per_address=5)
        client = Client(api.http, api.base.removesuffix("/v1"))
        for _ in range(4):
            async with connected(client) as (_, writer):
                # Its system is to know nothing of the connection after a second; usually, that takes a minute.
                writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_LINGER2, 1)
                writer.write(request)
                await asyncio.to_thread(slow.asked.wait, _PATIENCE)
                writer.close()
                await writer.wait_closed()
        async with asyncio.timeout(_PATIENCE / 2):  # or they would have got their answers
            while not await _is_served(client):
                await pause()
        slow.may_answer.set()


async def _is_served(client: Client) -> bool:
    async with connected(client) as (reader, writer):
        writer.write(b"GET /livez HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
        return await reader.readuntil(b"\r\n") == b"HTTP/1.1 200 OK\r\n"


async def test_a_request_that_is_cut_is_not_answered(start: Start) -> None:
    api = await start()
    async with (
        connected(Client(api.http, api.base.removesuffix("/v1"))) as (reader, writer),
        asyncio.timeout(_PATIENCE),
    ):
        writer.write(head("/graphql", 100) + b'{"query": ')
        writer.write_eof()
        assert await reader.read(-1) == b""


async def test_the_beginning_of_another_request_does_not_cut_an_answer(start: Start, slow: _Slow) -> None:
    """Some clients send an empty line after each request."""
    body = _ASKED % b"false"
    with running(OpenAIServer(slow)) as model:
        api = await start(model, request_seconds=1)
        async with (
            connected(Client(api.http, api.base.removesuffix("/v1"))) as (reader, writer),
            asyncio.timeout(_PATIENCE),
        ):
            writer.write(head(CHAT, len(body)) + body)
            assert await asyncio.to_thread(slow.asked.wait, _PATIENCE)
            writer.write(b"\r\n")
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(reader.read(1), 2.5)
            slow.may_answer.set()
            assert await reader.readuntil(b"\r\n") == b"HTTP/1.1 200 OK\r\n"
