"""Transports: HTTP, WebSocket, server-sent events and multipart; errors have codes and show no internals."""

import asyncio
import json
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from app.database.sqlite import driver
from tests.graphql.client import CREATE_PROJECT, EVENTS, Client, Json, received, start
from tests.graphql.conftest import Scripted
from tests.servers.openai import OpenAIServer
from tests.servers.running import Break

JSON = {"content-type": "application/json"}
GRAPHQL_RESPONSE = "application/graphql-response+json"


async def test_a_lone_surrogate_is_replaced(client: Client) -> None:
    body = json.dumps({"query": CREATE_PROJECT, "variables": {"input": {"name": "half \ud83d"}}})
    made = (await client.http.post(client.url, content=body, headers=JSON)).json()["data"]["createProject"]
    read = await client.run("query($id: ID!) { project(id: $id) { name } }", id=made["project"]["id"])
    assert read["project"]["name"] == "half \ufffd"
    whole = await client.project("whole \U0001f600")
    read = await client.run("query($id: ID!) { project(id: $id) { name } }", id=whole)
    assert read["project"]["name"] == "whole \U0001f600"


async def test_a_subscription_needs_a_transport_that_carries_it(client: Client) -> None:
    response = await client.post(EVENTS, id="x")
    assert response.status_code == 406
    assert "WebSocket" in response.json()["errors"][0]["message"]


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("{", "GRAPHQL_PARSE_FAILED"),
        ("{ nothing }", "GRAPHQL_VALIDATION_FAILED"),
        ("query($id: ID!) { node(id: $id) { id } }", "BAD_USER_INPUT"),
        ("query($n: Int) { projects(first: $n) { totalCount } }", "BAD_USER_INPUT"),
        ("query A { __typename } query B { __typename }", "GRAPHQL_VALIDATION_FAILED"),
        ("query($n: String) { projects(first: $n) { totalCount } }", "GRAPHQL_VALIDATION_FAILED"),
    ],
)
async def test_a_wrong_operation_has_a_code_and_a_status(client: Client, query: str, code: str) -> None:
    body = {"query": query, "variables": {"n": "many"}}
    plain = await client.http.post(client.url, json=body)
    known = await client.http.post(client.url, json=body, headers={"accept": GRAPHQL_RESPONSE})
    assert (plain.status_code, known.status_code) == (200, 400)
    assert known.headers["content-type"].startswith(GRAPHQL_RESPONSE)
    assert "data" not in known.json()
    for response in (plain, known):
        assert [error["extensions"]["code"] for error in response.json()["errors"]] == [code]


async def test_internal_errors_are_masked(client: Client, database: Path, server: str) -> None:
    project = await client.project("odd")
    document = await client.ready(project, "Odd", "Some text.")
    # The server's own library: a second one in this process would undo the locks of the first when it closes.
    connection = driver.choose_driver().module.connect(database)
    connection.execute("UPDATE documents SET status = 'ODD' WHERE title = 'Odd'")
    connection.commit()
    connection.close()
    read = "query($id: ID!) { document(id: $id) { id } }"
    [error] = await client.errors(read, id=document)
    assert error["extensions"]["code"] == "INTERNAL_SERVER_ERROR"
    assert error["extensions"]["id"] in error["message"]
    assert "ODD" not in json.dumps(error)
    async with client.socket() as socket:
        await start(socket, "1", read, id=document)
        [over_socket] = (await received(socket))["payload"]["errors"]
        assert over_socket["extensions"]["code"] == "INTERNAL_SERVER_ERROR"
        assert "ODD" not in json.dumps(over_socket)


async def test_a_value_its_type_cannot_represent_is_masked_too(client: Client, database: Path, server: str) -> None:
    project = await client.project("large")
    document = await client.ready(project, "Large", "Some text.")
    connection = driver.choose_driver().module.connect(database)
    connection.execute("UPDATE chunks SET token_count = 5000000000")
    connection.commit()
    connection.close()
    read = "query($id: ID!) { document(id: $id) { chunks { nodes { tokenCount } } } }"
    [error] = await client.errors(read, id=document)
    assert error["extensions"]["code"] == "INTERNAL_SERVER_ERROR"
    assert error["extensions"]["id"] in error["message"]
    assert "5000000000" not in json.dumps(error)


async def test_a_browser_gets_the_playground(client: Client) -> None:
    page = await client.http.get(client.url, headers={"accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'none'; script-src 'self'" in page.headers["content-security-policy"]
    assert page.headers["cache-control"] == "no-cache"
    assert "Accept" in page.headers["vary"]
    assert page.headers["x-content-type-options"] == "nosniff"
    assert "<title>Footnote" in page.text


# ---------------------------------------------------------------- sockets


async def test_a_wrong_operation_does_not_close_the_socket(client: Client) -> None:
    async with client.socket() as socket:
        wrong = (("{", "GRAPHQL_PARSE_FAILED"), ("{ nothing }", "GRAPHQL_VALIDATION_FAILED"), ("", "BAD_USER_INPUT"))
        for query, code in wrong:
            await start(socket, "1", query)
            message = await received(socket)
            assert (message["type"], message["id"]) == ("error", "1")
            assert [error["extensions"]["code"] for error in message["payload"]] == [code], query
        await start(socket, "1", "{ __typename }")
        assert (await received(socket))["payload"] == {"data": {"__typename": "Query"}}


@pytest.mark.parametrize(
    "message",
    [
        "not json",
        "[" * 100_000,
        "[]",
        "1",
        "null",
        "{}",
        '{"type": 1}',
        '{"type": "unknown"}',
        '{"type": "subscribe"}',
        '{"type": "subscribe", "id": "1"}',
        '{"type": "subscribe", "id": 1, "payload": {"query": "{ __typename }"}}',
        '{"type": "subscribe", "id": "1", "payload": []}',
        '{"type": "subscribe", "id": "1", "payload": {}}',
        '{"type": "subscribe", "id": "1", "payload": {"query": 1}}',
        '{"type": "subscribe", "id": "1", "payload": {"query": "{ __typename }", "variables": []}}',
        '{"type": "subscribe", "id": "1", "payload": {"query": "{ __typename }", "operationName": 1}}',
        b"bytes",
    ],
)
async def test_a_malformed_message_closes_the_socket_with_4400(client: Client, message: str | bytes) -> None:
    async with client.socket() as socket:
        await socket.send(message)
        with pytest.raises(ConnectionClosed) as closed:
            await received(socket)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4400


async def test_the_protocols_own_rules_hold(client: Client) -> None:
    async with client.raw_socket() as socket:
        await start(socket, "1", "{ __typename }")
        with pytest.raises(ConnectionClosed) as closed:
            await received(socket)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4401
    async with client.socket() as socket:
        await socket.send(json.dumps({"type": "connection_init"}))
        with pytest.raises(ConnectionClosed) as closed:
            await received(socket)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4429
    async with client.socket() as socket:
        await socket.send(json.dumps({"type": "ping"}))
        assert (await received(socket))["type"] == "pong"


async def test_a_page_of_another_origin_cannot_open_a_socket(client: Client) -> None:
    own = client.url.removesuffix("/graphql")
    async with client.socket(origin=own):
        pass
    for origin in ("https://evil.example", "null", own.replace("127.0.0.1", "localhost")):
        with pytest.raises(InvalidStatus) as refused:
            async with client.socket(origin=origin):
                pass
        assert refused.value.response.status_code == 403


# ---------------------------------------------------------------- event streams over HTTP


def events_of(text: str) -> list[Json]:
    found: list[Json] = []
    for block in text.strip().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":") and ": " in line)
        if lines.get("event") == "next":
            found.append(json.loads(lines["data"]))
    return found


async def test_an_answer_can_be_followed_as_server_sent_events(client: Client) -> None:
    project = await client.project("sse")
    await client.ready(project, "Facts", "The moon is made of rock.")
    answer = await client.answered(await client.session(project), "What is the moon made of?")
    for accept in ("text/event-stream", "text/event-stream, application/json"):
        body = {"query": EVENTS, "variables": {"id": answer}}
        response = await client.http.post(client.url, json=body, headers={"accept": accept})
        assert response.headers["content-type"].startswith("text/event-stream")
        assert "\r" not in response.text
        sequences = [event["data"]["answerEvents"]["sequence"] for event in events_of(response.text)]
        assert sequences == list(range(1, len(sequences) + 1))
        assert "event: complete" in response.text
    query = {"query": "{ __typename }"}
    both = await client.http.post(client.url, json=query, headers={"accept": "text/event-stream, application/json"})
    assert both.json() == {"data": {"__typename": "Query"}}
    wrong = await client.http.post(client.url, json={"query": "{"}, headers={"accept": "text/event-stream"})
    assert events_of(wrong.text)[0]["errors"][0]["extensions"]["code"] == "GRAPHQL_PARSE_FAILED"


async def test_an_answer_can_be_followed_as_multipart(client: Client) -> None:
    project = await client.project("multipart")
    await client.ready(project, "Facts", "The moon is made of rock.")
    answer = await client.answered(await client.session(project), "What is the moon made of?")
    body = {"query": EVENTS, "variables": {"id": answer}}
    accept = 'multipart/mixed;boundary="graphql";subscriptionSpec="1.0",application/json'
    response = await client.http.post(client.url, json=body, headers={"accept": accept})
    assert response.headers["content-type"].startswith("multipart/mixed")
    parts = [json.loads(line) for line in response.text.splitlines() if line.startswith("{")]
    sequences = [part["payload"]["data"]["answerEvents"]["sequence"] for part in parts if part]
    assert sequences == list(range(1, len(sequences) + 1))
    assert sequences


async def test_leaving_a_stream_does_not_disturb_the_answer(scripted: Scripted) -> None:
    client = scripted(OpenAIServer(lambda _: ["Half ", "an answer."], faults=[Break("stall", after=1)]))
    session = await client.session(await client.project("leaving"), enableRag=False)
    send = """mutation($input: SendMessageInput!) { sendMessage(input: $input) {
      ... on SendMessagePayload { answer { id } } } }"""
    answer = (await client.mutate(send, sessionId=session, content="Go on."))["answer"]["id"]
    body = {"query": EVENTS, "variables": {"id": answer}}
    async with client.http.stream("POST", client.url, json=body, headers={"accept": "text/event-stream"}) as response:
        async for line in response.aiter_lines():
            if "AnswerDelta" in line:
                break
        else:
            pytest.fail("the stream ended before there was a piece of the answer")
    status = "query($id: ID!) { message(id: $id) { status } }"
    assert (await client.run(status, id=answer))["message"]["status"] == "STREAMING"
    cancel = """mutation($input: CancelAnswerInput!) { cancelAnswer(input: $input) {
      ... on CancelAnswerPayload { answer { status } } } }"""
    async with asyncio.timeout(120):
        cancelled = await client.mutate(cancel, messageId=answer)
    assert cancelled["answer"]["status"] == "CANCELLED"


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [("gzip, br", "gzip"), ("br, GZIP;q=0.5", "gzip"), ("gzip;q=0, identity", None), ("", None)],
)
async def test_files_of_the_page_are_compressed_for_those_who_accept_it(
    client: Client, server: str, accepted: str, encoding: str | None
) -> None:
    page = await client.http.get(server)
    script = page.text.partition('src="')[2].partition('"')[0]
    response = await client.http.get(f"{server}{script}", headers={"accept-encoding": accepted})
    assert response.headers["content-type"].partition(";")[0] == "text/javascript"
    assert response.headers.get("content-encoding") == encoding
