"""Results of few fields with long texts are bounded, and those of one user wait until others of theirs are read."""

import asyncio
import json
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

import httpx
import pytest

from app.http.json_pieces import encode_with_pauses
from tests.graphql.client import Client
from tests.graphql.client import start as begin
from tests.http.test_memory_bounds import PATIENCE, connected, head, status
from tests.signed_in_server import StartSignedIn

Start = Callable[..., Client]


async def many_sessions(client: Client, count: int, text: str) -> str:
    """A project with so many chat sessions, each with a long system prompt; twenty are made at once."""
    project = await client.project("Docs")
    new = "createChatSession(input: { projectId: $id, systemPrompt: $text }) { __typename }"
    aliases = " ".join(f"c{number}: {new}" for number in range(min(count, 20)))
    for _ in range(0, count, 20):
        await client.run(f"mutation($id: ID!, $text: String!) {{ {aliases} }}", id=project, text=text)
    return project


async def test_a_result_of_few_fields_with_long_texts_is_refused(start: Start) -> None:
    """Three thousand fields that have a hundred thousand characters each would be hundreds of megabytes."""
    client = start()
    project = await many_sessions(client, 60, "x" * 100_000)
    own = "chatSessions(first: 90) { nodes { systemPrompt } }"
    within = f"chatSessions(first: 90) {{ nodes {{ project {{ {own} }} }} }}"
    errors = await client.errors(f"query($id: ID!) {{ project(id: $id) {{ {within} }} }}", id=project)
    assert {error["extensions"]["code"] for error in errors} == {"QUERY_TOO_EXPENSIVE"}
    assert errors[0]["message"].startswith("The result has more than 30,000,000 characters. Request smaller pages")
    found = await client.run(f"query($id: ID!) {{ project(id: $id) {{ {own} }} }}", id=project)
    assert len(found["project"]["chatSessions"]["nodes"]) == 60


@pytest.mark.parametrize(("aliases", "status"), [(20, 200), (30, 400)])
async def test_a_result_that_its_escapes_make_too_large_is_refused(start: Start, aliases: int, status: int) -> None:
    """An emoji has twelve bytes there."""
    client = start()
    project = await many_sessions(client, 2, "\U0001f600" * 100_000)
    fields = " ".join(f"s{number}: systemPrompt" for number in range(aliases))
    query = f"query($id: ID!) {{ project(id: $id) {{ chatSessions {{ nodes {{ {fields} }} }} }} }}"
    response = await client.post(query, id=project)
    assert response.status_code == status
    if status == 400:
        [error] = response.json()["errors"]
        assert error["extensions"]["code"] == "QUERY_TOO_EXPENSIVE"
        assert error["message"].startswith("The result has more than 64,000,000 bytes. Request smaller pages")


@pytest.mark.parametrize(
    ("sessions", "letter"), [(20, "x"), (8, "\U0001f600")], ids=["too many characters", "too many bytes"]
)
async def test_a_mutation_whose_result_is_too_large_says_that_it_was_executed(
    start: Start, sessions: int, letter: str
) -> None:
    """Whoever takes it for refused does it again."""
    client = start()
    project = await many_sessions(client, sessions, letter * 100_000)
    prompts = "chatSessions { nodes { project { chatSessions { nodes { systemPrompt } } } } }"
    rename = f"""mutation($id: ID!) {{ updateProject(input: {{id: $id, name: "Renamed"}}) {{
      ... on UpdateProjectPayload {{ project {{ {prompts} }} }} }} }}"""
    response = await client.post(rename, id=project)
    [error] = response.json()["errors"]
    assert (response.status_code, response.json()["data"]) == (200, None)
    assert error["extensions"]["code"] == "QUERY_TOO_EXPENSIVE"
    assert error["message"].startswith("The mutation was executed, but its result is not sent: The result has ")
    named = await client.run("query($id: ID!) { project(id: $id) { name } }", id=project)
    assert named["project"]["name"] == "Renamed"


LARGE: list[Any] = [
    {"texts": ['\U0001f600é"\\\n' * 100_000, "x", ""], "numbers": [[n, n / 7, None, True] for n in range(50_000)]},
    {"\ud800": ["\ud800" * 60_000, {}, [], float("nan")], "e\u0301": {str(n): "a" for n in range(30_000)}},
]


@pytest.mark.parametrize("value", [*LARGE, LARGE, "\u2028" * 200_000, {"a": [1, {"b": "c"}]}])
async def test_a_large_result_is_encoded_as_if_at_once(value: object) -> None:
    encoded = await encode_with_pauses(value)
    assert json.loads(encoded) == json.loads(json.dumps(value), parse_constant=lambda _: None)
    assert encoded.isascii()


async def test_others_run_while_a_large_result_is_encoded() -> None:
    """Thirty million characters kept the event loop for most of a second."""
    rounds = 0

    async def count() -> None:
        nonlocal rounds
        while True:
            rounds += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(count())
    await encode_with_pauses({"nodes": [{"text": "\U0001f600" * 100_000} for _ in range(200)]})
    counting.cancel()
    assert rounds > 10


async def test_a_large_result_on_a_socket_is_sent_in_fragments(start: Start) -> None:
    """At once, it would be compressed while nobody else is served."""
    client = start()
    project = await many_sessions(client, 6, "x" * 100_000)
    query = "query($id: ID!) { project(id: $id) { chatSessions { nodes { systemPrompt } } } }"
    async with client.socket() as socket, asyncio.timeout(PATIENCE):
        for id in "12":
            await begin(socket, id, query, id=project)
            fragments: list[str] = []
            while len(fragments) < 5:  # a ping is a single one
                fragments = [fragment async for fragment in socket.recv_streaming(decode=True)]
            told = json.loads("".join(fragments))
            assert (told["type"], told["id"], told["payload"]["data"]) == (
                "next",
                id,
                await client.run(query, id=project),
            )
            assert json.loads(await socket.recv()) == {"type": "complete", "id": id}


async def test_results_of_a_user_wait_until_others_of_theirs_are_read(signed: StartSignedIn) -> None:
    """A hundred that nobody reads took two gigabytes."""
    server = await signed(request_seconds=600)
    project = await many_sessions(server.client, 60, "x" * 100_000)
    other = await server.accounts.users.create("bob@example.org")
    token, _ = await server.accounts.access_tokens.create(other.id, "test")
    query = "query($id: ID!) { project(id: $id) { chatSessions(first: 60) { nodes { systemPrompt } } } }"
    body = json.dumps({"query": query, "variables": {"id": project}}).encode()
    request = head("/graphql", len(body), Authorization=f"Bearer {server.token}") + body
    async with AsyncExitStack() as stack, asyncio.timeout(3 * PATIENCE):

        async def ask() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
            reader, writer = await stack.enter_async_context(connected(server.client))
            writer.write(request)
            return reader, writer

        deaf = [await ask() for _ in range(32)]
        assert {await status(reader) for reader, _ in deaf} == {200}
        others = Client(
            await stack.enter_async_context(
                httpx.AsyncClient(timeout=PATIENCE, headers={"authorization": f"Bearer {token}"})
            ),
            server.url,
        )
        own = await many_sessions(others, 60, "x" * 100_000)
        reader, _ = await ask()
        waits = asyncio.ensure_future(status(reader))
        for _ in range(5):
            assert (await others.post(query, id=own)).status_code == 200
        assert not waits.done()
        deaf[0][1].transport.abort()
        assert await waits == 200
