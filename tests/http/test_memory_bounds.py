"""What clients send and do not read takes bounded memory in the server; more is refused."""

import asyncio
import json
import os
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from app.http import strict_json
from tests.graphql.client import INGESTION, SEND, Client, received
from tests.graphql.client import start as begin
from tests.looking import pause
from tests.openai_api.api import error
from tests.servers.endless import endless_models
from tests.signed_in_server import StartSignedIn

Json = Any
Start = Callable[..., Client]
PATIENCE = 90
# A broken file of a kind that is read: others are refused when they arrive.
PDF = b"%PDF-1.7\n"
CHAT = "/v1/chat/completions"
UPLOAD = """mutation($input: UploadDocumentInput!) { uploadDocument(input: $input) {
  __typename ... on UploadDocumentPayload { document { id originalUrl } } } }"""
DELETE = """mutation($input: DeleteDocumentInput!) { deleteDocument(input: $input) { __typename } }"""


@asynccontextmanager
async def connected(client: Client) -> AsyncGenerator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection whose client reads only on demand."""
    host, port = client.url.removeprefix("http://").removesuffix("/graphql").split(":")
    reader, writer = await asyncio.open_connection(host, int(port), limit=4096)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()
        with suppress(ConnectionError):
            await writer.wait_closed()


def head(path: str, length: int, **headers: str) -> bytes:
    """The head of a JSON request."""
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json", f"Content-Length: {length}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode()


async def status(reader: asyncio.StreamReader) -> int:
    """The status of the response."""
    return int((await reader.readuntil(b"\r\n")).split(b" ")[1])


async def post(client: Client, path: str, body: bytes) -> Any:
    url = client.url.removesuffix("/graphql") + path
    return await client.http.post(url, content=body, headers={"content-type": "application/json"})


async def test_chat_requests_have_their_own_limit(start: Start) -> None:
    client = start(max_chat_body_bytes=10_000)
    told = error(await post(client, CHAT, b" " * 10_001), 413)
    assert told["code"] == "request_too_large"
    assert "10,000 bytes" in told["message"]


@pytest.mark.parametrize("value", [b"[]", b"{}", b"0", b'{"a":0}', b'""'])
async def test_a_body_of_too_many_values_is_refused_before_it_is_parsed(start: Start, value: bytes) -> None:
    client = start()
    values = b",".join([value] * strict_json.MAX_VALUES)
    chat = b'{"messages":[{"role":"user","content":"hi"}],"x":[' + values + b"]}"
    assert error(await post(client, CHAT, chat), 400)["code"] == "invalid_json"
    response = await post(client, "/graphql", b'{"query":"{ __typename }","variables":{"x":[' + values + b"]}}")
    assert response.status_code == 400
    assert "too many values" in response.json()["errors"][0]["message"]


@pytest.mark.parametrize("text", [",", "[{,:", '\\",', "\\", '"'])
async def test_text_inside_strings_does_not_count_as_values(start: Start, text: str) -> None:
    client = start()
    words = text * (2 * strict_json.MAX_VALUES // len(text))
    response = await client.post("query($x: String) { __typename @include(if: true) }", x=words)
    assert "values" not in response.text
    # Whether a text ends or not, it is looked at once.
    strict_json.check_size(json.dumps(words).encode()[:-1])


@pytest.mark.parametrize("path", [CHAT, "/graphql"])
async def test_incoming_bodies_are_limited_per_user(signed: StartSignedIn, path: str) -> None:
    site = await signed(max_chat_body_bytes=8_000_000, max_body_bytes=8_000_000)
    other = await site.accounts.users.create("bob@example.org", "Bob", "correct horse battery")
    token, _ = await site.accounts.access_tokens.create(other.id, "test")
    async with AsyncExitStack() as stack, asyncio.timeout(PATIENCE):
        readers: list[asyncio.Task[bytes]] = []
        for _ in range(3):
            reader, writer = await stack.enter_async_context(connected(site.client))
            writer.write(head(path, 7_000_000, **site.headers) + b'"')
            readers.append(asyncio.ensure_future(reader.readuntil(b"\r\n\r\n")))
        # Two have a place, whichever they are, and one has none.
        [refused], waiting = await asyncio.wait(readers, return_when=asyncio.FIRST_COMPLETED)
        assert len(waiting) == 2
        assert refused.result().split(b" ")[1] == b"429"
        assert b"retry-after: 2" in refused.result().lower()
        # Nobody else is concerned.
        response = await site.http.post(
            f"{site.url}/graphql", json={"query": "{ __typename }"}, headers={"authorization": f"Bearer {token}"}
        )
        assert response.json() == {"data": {"__typename": "Query"}}
        for one in waiting:
            one.cancel()
    async with asyncio.timeout(PATIENCE):  # and once those are gone there is room again
        while (await post(site.client, CHAT, b" " * 7_000_000)).status_code == 429:
            await pause()


async def test_incoming_bodies_are_limited_in_total(start: Start) -> None:
    client = start(max_chat_body_bytes=16_000_000)
    async with AsyncExitStack() as stack, asyncio.timeout(PATIENCE):
        for _ in range(4):
            _, writer = await stack.enter_async_context(connected(client))
            writer.write(head(CHAT, 15_999_000) + b'"')
        while (response := await post(client, CHAT, b" " * 15_000)).status_code != 503:
            assert response.status_code == 400
        assert response.headers["retry-after"] == "2"
        assert error(response, 503)["code"] == "unavailable"


async def uploaded(client: Client, data: bytes) -> Json:
    project = await client.project("Large")
    operations = {"query": UPLOAD, "variables": {"input": {"projectId": project, "file": None}}}
    response = await client.http.post(
        client.url,
        data={"operations": json.dumps(operations), "map": '{"0": ["variables.input.file"]}'},
        files={"0": ("large.pdf", data)},
        headers={"graphql-require-preflight": "1"},
    )
    document = response.json()["data"]["uploadDocument"]["document"]
    await client.follow(INGESTION, document=document["id"])  # a server should not stop in the middle of it
    return document


async def test_downloads_are_limited_and_complete(start: Start) -> None:
    client = start(max_downloads=2)
    data = PDF + os.urandom(9_500_000)
    document = await uploaded(client, data)
    url = client.url.removesuffix("/graphql") + document["originalUrl"]
    request = f"GET {document['originalUrl']} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
    async with AsyncExitStack() as stack, asyncio.timeout(PATIENCE):
        for _ in range(2):
            reader, writer = await stack.enter_async_context(connected(client))
            writer.write(request)
            assert await status(reader) == 200
        refused = await client.http.get(url)
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "2")
        assert refused.json()["errors"][0]["extensions"]["code"] == "UNAVAILABLE"
    async with asyncio.timeout(PATIENCE):
        while (response := await client.http.get(url)).status_code == 503:
            await pause()
    assert response.content == data
    assert response.headers["content-length"] == str(len(data))


async def test_deleting_a_document_breaks_off_its_download(start: Start) -> None:
    client = start()
    data = PDF + os.urandom(30_000_000)
    document = await uploaded(client, data)
    async with connected(client) as (reader, writer), asyncio.timeout(PATIENCE):
        writer.write(f"GET {document['originalUrl']} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        assert await status(reader) == 200
        # Nothing that a slow reader holds stands in the way.
        deleted = await client.mutate(DELETE, id=document["id"])
        assert deleted["__typename"] == "DeleteDocumentPayload"
        rest = await reader.read(-1)
        assert len(rest) < len(data)


LONG = "query($id: ID!) { message(id: $id) { " + " ".join(f"c{number}: content" for number in range(2)) + " } }"
CONTENT = "subscription($id: ID!) { answerEvents(messageId: $id) { sequence ... on AnswerDelta { content } } }"
SEQUENCES = "subscription($id: ID!) { answerEvents(messageId: $id) { sequence } }"


async def long_answer(client: Client) -> str:
    """The id of an answer of half a megabyte."""
    session = await client.session(
        await client.project("Long"), enableRag=False, model="openai/long", maxTokens=200_000
    )
    sent = await client.mutate(SEND, sessionId=session, content="Well?")
    await client.follow(SEQUENCES, id=sent["answer"]["id"])
    return sent["answer"]["id"]


@asynccontextmanager
async def deaf_socket(client: Client) -> AsyncGenerator[ClientConnection]:
    """A socket whose client stops reading after the handshake; uncompressed, so that size counts."""
    url = client.url.replace("http", "ws", 1)
    protocols = [Subprotocol("graphql-transport-ws")]
    async with connect(url, subprotocols=protocols, compression=None, max_size=None) as socket:
        await socket.send('{"type":"connection_init"}')
        assert (await received(socket))["type"] == "connection_ack"
        socket.transport.pause_reading()
        yield socket


async def test_only_a_socket_that_does_not_read_is_cut(start: Start) -> None:
    with endless_models() as models:
        # Pings wait long enough that unread bytes, not a missing pong, close the socket on a slow machine, too.
        client = start(openai_base_url=models.url, ping_seconds=120)
        id = await long_answer(client)
        async with deaf_socket(client) as laggard, client.socket() as other, asyncio.timeout(3 * PATIENCE):
            # A socket sends a few results at once, so these are large: together more than one socket may hold.
            query = LONG.replace("c0: content", " ".join(f"d{number}: content" for number in range(10)))
            for number in range(20):
                await begin(laggard, str(number), query, id=id)
            await begin(other, "1", CONTENT, id=id)
            last = ""
            while (message := await received(other))["type"] == "next":
                last = message["payload"]["data"]["answerEvents"].get("content", last)
            assert len(last) == 490_000
            laggard.transport.resume_reading()
            with pytest.raises(ConnectionClosed):
                while True:
                    await laggard.recv()
            assert (laggard.close_code, laggard.close_reason) == (
                1013,
                "Too much unread data is waiting on this socket.",
            )
            await begin(other, "2", "{ __typename }")
            assert (await received(other))["payload"]["data"] == {"__typename": "Query"}


async def test_only_a_stream_that_is_not_read_is_cut(start: Start) -> None:
    """The last event far exceeds a connection's buffers; together they exceed the server's memory limit."""
    aliases = " ".join(f"c{number}: content" for number in range(28))
    query = SEQUENCES.replace("sequence", f"sequence ... on AnswerCompleted {{ message {{ {aliases} }} }}")
    with endless_models() as models:
        client = start(openai_base_url=models.url)
        body = json.dumps({"query": query, "variables": {"id": await long_answer(client)}}).encode()
        request = head("/graphql", len(body), Accept="text/event-stream") + body
        async with AsyncExitStack() as stack, asyncio.timeout(3 * PATIENCE):
            deaf = [await stack.enter_async_context(connected(client)) for _ in range(24)]
            for reader, writer in deaf:
                writer.write(request)
                assert await status(reader) == 200
            reader, writer = await stack.enter_async_context(connected(client))
            writer.write(request)
            assert (await read_to_end(reader)).endswith(b"0\r\n\r\n")
            ends = [await read_to_end(reader) for reader, _ in deaf]
        cut = [end for end in ends if not end.endswith(b"0\r\n\r\n")]
        assert cut
        assert len(cut) < len(deaf)


async def read_to_end(reader: asyncio.StreamReader) -> bytes:
    """The last bytes of a response: its end, or what came before it broke off."""
    end = b""
    while not end.endswith(b"0\r\n\r\n"):
        try:
            data = await reader.read(1_000_000)
        except ConnectionError:
            break
        if not data:
            break
        end = (end + data)[-100:]
    return end


async def test_a_client_that_reads_gets_all_of_a_hundred_large_results(start: Start) -> None:
    with endless_models() as models:
        client = start(openai_base_url=models.url)
        id = await long_answer(client)
        async with client.socket() as socket, asyncio.timeout(3 * PATIENCE):
            for number in range(60):
                await begin(socket, str(number), CONTENT if number % 2 else LONG, id=id)
            ended: set[str] = set()
            while len(ended) < 60:
                message = await received(socket)
                assert message["type"] in ("next", "complete"), message
                if message["type"] == "complete":
                    ended.add(message["id"])


async def test_operations_on_sockets_count_towards_memory_limits(start: Start) -> None:
    client = start(max_message_bytes=16_000_000)
    document = await client.ready(await client.project("Docs"), "Small", "Some words.")
    waits = "subscription($id: ID!) { ingestionEvents(projectId: $id) { sequence } }"
    project = await client.run("query($id: ID!) { node(id: $id) { ... on Document { project { id } } } }", id=document)
    project = project["node"]["project"]["id"]
    async with client.socket() as socket, asyncio.timeout(PATIENCE):
        for number in range(6):
            await begin(socket, str(number), waits, id=project, x="x" * 15_000_000)
        while (message := await received(socket))["type"] == "next":
            pass  # the document's last event, if it comes late
        assert message["type"] == "error"
        assert message["payload"][0]["extensions"]["code"] == "UNAVAILABLE"


async def test_connections_are_limited_per_address_and_in_total(start: Start) -> None:
    for limits, refused in (({"max_connections": 10}, 503), ({"max_connections_per_address": 10}, 429)):
        client = start(**limits)
        request = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        async with asyncio.timeout(PATIENCE):
            async with AsyncExitStack() as stack:
                opened = [await stack.enter_async_context(connected(client)) for _ in range(10)]
                for reader, writer in opened:  # all of them are known to the server
                    writer.write(request)
                    assert await status(reader) == 200
                async with connected(client) as (reader, writer):
                    writer.write(request)
                    answer = await reader.read(-1)
                    assert answer.split(b" ")[1] == str(refused).encode()
                    assert b"retry-after: 2" in answer
                async with connected(client) as (reader, writer):  # and who asks nothing is not kept
                    assert await reader.read(-1) == b""
            while (response := await client.post("{ __typename }")).status_code != 200:
                assert response.status_code == refused
                await pause()


async def test_a_trusted_proxy_may_have_many_connections(start: Start) -> None:
    client = start(max_connections_per_address=1, trusted_proxies=["127.0.0.1"], require_sign_in=False)
    async with connected(client) as (first, one), connected(client) as (second, other), asyncio.timeout(PATIENCE):
        for reader, writer in ((first, one), (second, other)):
            writer.write(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert await status(reader) == 200
