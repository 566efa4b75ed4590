"""Streams on all three transports: resources are released, errors arrive, slow readers delay nobody."""

import asyncio
import gc
import json
import socket
import threading
from collections.abc import Generator
from contextlib import aclosing
from urllib.parse import urlsplit

import httpx
import pytest
from graphql.execution.collect_fields import FieldDetails
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from app.graphql.api_config import GraphQLConfig
from tests.graphql.client import Json, received, start
from tests.graphql.transport.endless import Watched, endless, endless_schema

SSE = {"accept": "text/event-stream"}
MULTIPART = {"accept": 'multipart/mixed;boundary="graphql";subscriptionSpec=1.0,application/json'}
EVENTS = 500
PATIENCE = 120  # only who is never released takes so long; how long it takes is measured by the bench
SIGNS = 12
FASTER_SECONDS = 50  # Strawberry's own signs come every 5 s and every 15 s


@pytest.fixture
def watched() -> Watched:
    return Watched()


@pytest.fixture
def url(watched: Watched) -> Generator[str]:
    with endless(watched, max_socket_operations=3, request_seconds=2, ping_seconds=0.2) as address:
        yield f"{address}/graphql"


async def happens(event: threading.Event) -> bool:
    return await asyncio.to_thread(event.wait, PATIENCE)


def open_socket(url: str) -> connect:
    return connect(
        url.replace("http", "ws", 1), subprotocols=[Subprotocol("graphql-transport-ws")], max_queue=1, close_timeout=1
    )


async def greeted(connection: ClientConnection) -> None:
    await connection.send(json.dumps({"type": "connection_init"}))
    assert (await received(connection))["type"] == "connection_ack"


async def begun(connection: ClientConnection, query: str) -> None:
    await greeted(connection)
    await start(connection, "1", query)
    assert (await received(connection))["type"] == "next"


@pytest.mark.parametrize("query", ["subscription { busy }", "subscription { idle }"])
@pytest.mark.parametrize("how", ["complete", "close", "abort"])
async def test_leaving_a_socket_releases_its_resources(url: str, watched: Watched, query: str, how: str) -> None:
    async with open_socket(url) as connection:
        await begun(connection, query)
        if how == "complete":
            await connection.send(json.dumps({"type": "complete", "id": "1"}))
            assert await happens(watched.ended)
        elif how == "abort":
            connection.transport.abort()
    assert await happens(watched.ended)


@pytest.mark.parametrize("query", ["subscription { busy }", "subscription { idle }"])
@pytest.mark.parametrize("headers", [SSE, MULTIPART], ids=["events", "multipart"])
async def test_leaving_a_response_releases_its_resources(
    url: str, watched: Watched, query: str, headers: dict[str, str]
) -> None:
    async with httpx.AsyncClient() as http:
        async with http.stream("POST", url, json={"query": query}, headers=headers) as response:
            assert await anext(response.aiter_bytes())
        assert await happens(watched.ended)
        fine = await http.post(url, json={"query": "{ fine }"})
    assert fine.json() == {"data": {"fine": "fine"}}


async def results(url: str, headers: dict[str, str], query: str) -> list[Json]:
    """All results of an operation whose stream ends on its own."""
    async with httpx.AsyncClient() as http:
        response = await http.post(url, json={"query": query}, headers=headers)
    if not response.headers["content-type"].startswith(("text/event-stream", "multipart/mixed")):
        return [response.json()]
    if headers is SSE:
        assert response.text.endswith("event: complete\ndata: \n\n")
        lines = response.text.splitlines()
        return [json.loads(line[6:]) for line in lines if line.startswith("data: ") and line != "data: "]
    assert response.text.endswith("--graphql--\r\n")
    parts = [json.loads(part) for part in response.text.splitlines() if part.startswith("{")]
    return [part["payload"] for part in parts if "payload" in part]


async def socket_results(url: str, query: str) -> list[Json]:
    async with open_socket(url) as connection:
        await greeted(connection)
        await start(connection, "1", query)
        found: list[Json] = []
        while (message := await received(connection))["type"] == "next":
            found.append(message["payload"])
        return [*found, {"errors": message["payload"]}] if message["type"] == "error" else found


TOO_MUCH = "subscription { " + " ".join(f"a{number}: busy" for number in range(40)) + " }"


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("subscription {", "GRAPHQL_PARSE_FAILED"),
        ("subscription { absent }", "GRAPHQL_VALIDATION_FAILED"),
        (TOO_MUCH, "QUERY_TOO_EXPENSIVE"),
        ("subscription { " * 900, "QUERY_TOO_EXPENSIVE"),
    ],
)
@pytest.mark.parametrize("transport", ["socket", "events", "multipart"])
async def test_errors_before_the_first_event_are_reported(url: str, query: str, code: str, transport: str) -> None:
    headers = SSE if transport == "events" else MULTIPART
    [result] = await (socket_results(url, query) if transport == "socket" else results(url, headers, query))
    codes = {error["extensions"]["code"] for error in result["errors"]}
    assert codes & {code, "GRAPHQL_PARSE_FAILED"} == codes
    assert not result.get("data")


@pytest.mark.parametrize("transport", ["socket", "events", "multipart"])
async def test_internal_errors_in_a_stream_are_reported_and_masked(
    url: str, transport: str, caplog: pytest.LogCaptureFixture
) -> None:
    query = "subscription { broken }"
    headers = SSE if transport == "events" else MULTIPART
    found = await (socket_results(url, query) if transport == "socket" else results(url, headers, query))
    assert found[0] == {"data": {"broken": 1}}
    [error] = found[-1]["errors"]
    assert error["extensions"]["code"] == "INTERNAL_SERVER_ERROR"
    assert "secret" not in json.dumps(found)
    assert error["extensions"]["id"] in caplog.text


async def test_an_event_stream_says_what_it_is(url: str) -> None:
    async with (
        httpx.AsyncClient() as http,
        http.stream("POST", url, json={"query": "subscription { idle }"}, headers=SSE) as response,
    ):
        assert response.headers["content-type"].startswith("text/event-stream")
        assert "no-cache" in response.headers["cache-control"]
        assert response.headers["x-accel-buffering"] == "no"
        first = await anext(response.aiter_text())
    assert first == 'event: next\ndata: {"data":{"idle":1}}\n\n'


@pytest.mark.parametrize(
    ("headers", "sign"), [(SSE, ": ping"), (MULTIPART, "\r\n\r\n{}\r\n")], ids=["events", "multipart"]
)
async def test_an_idle_stream_sends_keep_alives(watched: Watched, headers: dict[str, str], sign: str) -> None:
    """So that no proxy drops it as dead; a socket's pings are tested below."""
    query = {"query": "subscription { idle }"}
    with endless(watched, ping_seconds=0.1) as address:
        async with (
            httpx.AsyncClient() as http,
            http.stream("POST", f"{address}/graphql", json=query, headers=headers) as response,
            asyncio.timeout(FASTER_SECONDS),
        ):
            pieces, text = response.aiter_text(), ""
            while text.partition("idle")[2].count(sign) < SIGNS:
                text += await anext(pieces)


async def test_too_many_operations_on_a_socket_are_refused_and_the_rest_continue(url: str) -> None:
    async with open_socket(url) as connection:
        await greeted(connection)
        for id in ("1", "2", "3"):
            await start(connection, id, "subscription { idle }")
            assert (await received(connection))["type"] == "next"
        await start(connection, "4", "{ fine }")
        refused = await received(connection)
        assert (refused["type"], refused["id"]) == ("error", "4")
        [error] = refused["payload"]
        assert error["extensions"]["code"] == "RATE_LIMITED"
        await connection.send(json.dumps({"type": "complete", "id": "2"}))
        await start(connection, "5", "{ fine }")
        assert (await received(connection))["payload"] == {"data": {"fine": "fine"}}


async def test_thousands_of_operations_on_one_socket_are_served(url: str) -> None:
    async with open_socket(url) as connection:
        await greeted(connection)
        for number in range(2000):
            await start(connection, str(number), "{ fine }")
            assert (await received(connection))["payload"] == {"data": {"fine": "fine"}}
            assert await received(connection) == {"type": "complete", "id": str(number)}


async def test_a_peer_that_ignores_pings_is_disconnected(url: str, watched: Watched) -> None:
    async with open_socket(url) as connection:
        await begun(connection, "subscription { idle }")
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                await connection.recv()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4408
    assert await happens(watched.ended)


async def test_a_socket_without_a_connection_init_is_closed(url: str) -> None:
    async with open_socket(url) as connection:
        with pytest.raises(ConnectionClosed) as closed:
            await connection.recv()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4408


def handshake(url: str) -> bytes:
    address = urlsplit(url)
    return (
        f"GET {address.path} HTTP/1.1\r\nHost: {address.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n"
    ).encode()


def frame(message: Json) -> bytes:
    """A masked text frame of less than 126 bytes; with a zero mask the text stays readable."""
    text = json.dumps(message).encode()
    return bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text


@pytest.mark.parametrize("transport", ["socket", "events"])
async def test_a_client_that_reads_nothing_is_cut_off_and_delays_nobody(
    url: str, watched: Watched, transport: str
) -> None:
    query = "subscription { large(size: 100000) }"
    address = urlsplit(url)
    with socket.create_connection((str(address.hostname), address.port or 0)) as connection:
        if transport == "socket":
            connection.sendall(handshake(url))
            assert b"101" in connection.recv(4000)
            connection.sendall(frame({"type": "connection_init"}))
            payload = {"query": query}
            connection.sendall(frame({"type": "subscribe", "id": "1", "payload": payload}))
        else:
            body = json.dumps({"query": query})
            connection.sendall(
                f"POST {address.path} HTTP/1.1\r\nHost: {address.netloc}\r\nAccept: text/event-stream\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
            )
        assert await happens(watched.began)
        async with httpx.AsyncClient() as http:
            fine = await http.post(url, json={"query": "{ fine }"})
        assert fine.json() == {"data": {"fine": "fine"}}
        assert await happens(watched.ended)


async def test_sent_events_are_freed() -> None:
    """However long a subscription lasts: graphql-core would keep the fields of all its events."""
    schema = endless_schema(Watched(), GraphQLConfig(max_upload_bytes=1000))

    def kept() -> int:
        gc.collect()
        return sum(isinstance(found, FieldDetails) for found in gc.get_objects())

    before = kept()
    async with aclosing(await schema.stream("subscription { things { number } }")) as results:
        async for result in results:
            assert result.errors is None
            if result.data["things"]["number"] == EVENTS:
                break
        else:
            pytest.fail("the stream ended by itself")
        assert kept() - before < EVENTS / 10
