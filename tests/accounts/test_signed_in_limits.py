"""A user's consumption is counted and limited on every API and transport."""

import asyncio
import re

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from app.graphql.limits import written_text
from tests.accounts.shop import shop
from tests.answers import TEXT
from tests.answers import openai as asked_of
from tests.graphql.client import ADD_TEXT, CREATE_PROJECT, CREATE_SESSION, INGESTION, SEND, Json, received, start
from tests.graphql.schema.walking import SCHEMA
from tests.looking import until
from tests.servers.openai import OpenAIServer
from tests.servers.running import Break, running
from tests.signed_in_server import StartSignedIn

VIEWER = "{ viewer { user { email } } }"
DELETE_SESSION = """mutation($input: DeleteChatSessionInput!) { deleteChatSession(input: $input) {
  ... on DeleteChatSessionPayload { deletedChatSessionId } } }"""
RETRY = """mutation($input: RetryDocumentInput!) { retryDocument(input: $input) { __typename } }"""


async def test_operations_on_a_socket_are_requests_too(signed: StartSignedIn) -> None:
    server = await signed(max_requests_per_minute=20)
    codes: list[str] = []
    async with server.client.socket() as socket:
        for number in range(30):
            await start(socket, str(number), VIEWER)
            message = await received(socket)
            if message["type"] == "next":
                assert (await received(socket))["type"] == "complete"
            refusal: Json = message["payload"][0]["extensions"] if message["type"] == "error" else {"code": "OK"}
            assert refusal["code"] == "OK" or refusal["retryAfterMs"] > 0
            codes.append(refusal["code"])
    assert 0 < codes.count("OK") < 20
    assert set(codes) == {"OK", "RATE_LIMITED"}
    assert codes[-1] == "RATE_LIMITED"


async def test_health_tells_a_limited_client_when_to_retry(signed: StartSignedIn) -> None:
    server = await signed(max_requests_per_minute=20)
    async with asyncio.timeout(120):
        while (response := await server.http.get(f"{server.url}/health")).status_code == 200:
            pass
    assert response.status_code == 429
    assert int(response.headers["retry-after"]) > 0


async def test_the_graphql_api_tells_a_limited_client_when_to_retry(signed: StartSignedIn) -> None:
    server = await signed(max_requests_per_minute=20)
    async with asyncio.timeout(120):
        while (response := await server.client.post(VIEWER)).status_code == 200:
            pass
        async with server.client.raw_socket() as socket:
            await socket.send('{"type": "connection_init"}')
            with pytest.raises(ConnectionClosed) as closed:
                await socket.recv()
    [error] = response.json()["errors"]
    assert (response.status_code, error["extensions"]["code"]) == (429, "RATE_LIMITED")
    seconds = int(response.headers["retry-after"])
    assert 1000 * (seconds - 1) < error["extensions"]["retryAfterMs"] <= 1000 * seconds
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1013, "the credential is valid: the client may try again"
    assert closed.value.rcvd.reason == error["message"]


async def test_what_a_user_writes_is_limited_and_deleting_never(signed: StartSignedIn) -> None:
    """A request may hold twenty chat sessions with a hundred thousand characters each."""
    server = await signed(max_characters_per_day=10_000)
    project = await shop(server)
    await server.client.ready(project, "Long", TEXT * 100)
    values = {"projectId": project, "systemPrompt": "x" * 6_000}
    session = (await server.client.mutate(CREATE_SESSION, **values))["chatSession"]["id"]
    [error] = await server.client.errors(CREATE_SESSION, input=values)
    assert error["extensions"]["code"] == "RATE_LIMITED"
    assert error["extensions"]["retryAfterMs"] > 0
    assert error["message"] == "Too many characters: at most 10,000 in one day are allowed."
    refused = await server.client.mutate(SEND, sessionId=session, content="x" * 3_000)
    assert refused["__typename"] == "RateLimitedError"
    assert await server.client.run(VIEWER)
    small = [(await server.client.post(CREATE_SESSION, input={"projectId": project})).json() for _ in range(10)]
    assert "errors" in small[-1], "every change counts, however short"
    deleted = await server.client.mutate(DELETE_SESSION, id=session)
    assert deleted["deletedChatSessionId"] == session


async def test_retries_count_as_changes(signed: StartSignedIn) -> None:
    """Each is an event that may be kept, and nothing else limits them: such a document fails within milliseconds."""
    server = await signed(max_characters_per_day=5_000)
    project = (await server.client.mutate(CREATE_PROJECT, name="Shop"))["project"]["id"]
    added = await server.client.mutate(ADD_TEXT, projectId=project, title="Empty", text=" ")
    codes: list[str] = []
    for _ in range(6):
        await server.client.follow(INGESTION, document=added["document"]["id"])
        response = (await server.client.post(RETRY, input={"id": added["document"]["id"]})).json()
        codes.append("OK" if "errors" not in response else response["errors"][0]["extensions"]["code"])
    assert codes == ["OK"] * codes.count("OK") + ["RATE_LIMITED"] * codes.count("RATE_LIMITED")
    assert codes.count("OK") < 5


@pytest.mark.parametrize(("kept", "statuses"), [({}, {200}), ({"event_days": 1}, {200, 429})], ids=["not kept", "kept"])
async def test_questions_to_the_openai_api_count_if_events_keep_them(
    signed: StartSignedIn, kept: Json, statuses: set[int]
) -> None:
    with running(OpenAIServer(lambda _: ["Yes."])) as model:
        server = await signed(**asked_of(model), max_characters_per_day=10_000, **kept)
        body = {"messages": [{"role": "user", "content": "x" * 3_000}]}
        url = f"{server.url}/v1/chat/completions"
        responses = [await server.http.post(url, json=body) for _ in range(5)]
    assert {response.status_code for response in responses} == statuses
    assert len(model.chats) == (2 if kept else 5)
    if kept:
        said = responses[-1].json()["error"]
        assert said["message"] == "Too many characters: at most 10,000 in one day are allowed."
        assert int(responses[-1].headers["retry-after"]) > 0


def test_what_ends_or_deletes_something_never_counts() -> None:
    mutation = SCHEMA.mutation_type
    assert mutation is not None
    ending = re.compile("delete|remove|revoke|forget|withdraw|cancel|sign")
    assert {name for name in mutation.fields if ending.match(name)} <= written_text.UNCOUNTED <= set(mutation.fields)


async def test_the_openai_api_limits_a_users_simultaneous_answers(signed: StartSignedIn) -> None:
    with running(OpenAIServer(lambda _: ["Yes. "])) as model:
        model.scripts = {"chat": iter(lambda: Break("stall", 1), None)}
        server = await signed(**asked_of(model), max_running_answers_per_user=2)
        url, body = (
            f"{server.url}/v1/chat/completions",
            {"stream": True, "messages": [{"role": "user", "content": "Hi"}]},
        )
        async with (
            server.http.stream("POST", url, json=body) as first,
            server.http.stream("POST", url, json=body) as second,
        ):
            assert (first.status_code, second.status_code) == (200, 200)
            refused = await server.http.post(url, json=body)
            assert (refused.status_code, refused.json()["error"]["code"]) == (429, "rate_limit_exceeded")
            assert int(refused.headers["retry-after"]) > 0

        async def has_a_place() -> httpx.Response | None:
            async with server.http.stream("POST", url, json=body) as response:
                return response if response.status_code == 200 else None

        assert await until(has_a_place)
