"""Switching a project's embedding model: searches go on, never mix models, and nothing is embedded twice."""

import asyncio
from collections.abc import Callable, Generator
from datetime import timedelta

import pytest
from sqlalchemy import update

from app.database import models, opening
from tests.graphql.client import ADD_TEXT, INGESTION, Client
from tests.graphql.embedding_models.switching import (
    CANCEL,
    NEW,
    OLD,
    OTHER,
    SEARCH,
    SPACE_EVENTS,
    SPACES,
    TwoModels,
    models_of,
    removed,
    switch,
    text_of,
)
from tests.looking import pause
from tests.servers.running import Body, Fault, Refusal, running

Start = Callable[..., Client]

LOCAL = """mutation($input: UpdateProjectInput!) { updateProject(input: $input) { __typename } }"""
DELETE = "mutation($input: DeleteDocumentInput!) { deleteDocument(input: $input) { __typename } }"


@pytest.fixture
def model() -> Generator[TwoModels]:
    with running(TwoModels()) as server:
        yield server
        server.gate.set()


def started(start: Start, model: TwoModels) -> Client:
    return start(openai_base_url=model.url, openai_api_key="sk-1", embedding_model=OLD)


async def test_searches_and_additions_go_on_during_a_switch(start: Start, model: TwoModels) -> None:
    client = started(start, model)
    project = await client.project("switched")
    text = text_of(300, "apple")
    await client.ready(project, "Fruit", text, source="fruit")
    gone = await client.ready(project, "Gone", text_of(3, "melon"))
    model.gate.clear()
    model.before_gate = 1
    asked = await switch(client, project, NEW)
    assert (asked["space"]["model"], asked["space"]["state"]) == (NEW, "BUILDING")
    again = await switch(client, project, NEW)
    assert again["space"]["id"] == asked["space"]["id"]
    other = await switch(client, project, OTHER)
    assert (other["__typename"], other["conflicting"]["id"]) == ("ConflictError", asked["space"]["id"])

    query, seen, ended = "Where does apple7 grow?", list[set[str]](), asyncio.Event()

    async def search_until_the_end() -> None:
        while not ended.is_set():
            found = (await client.run(SEARCH, project=project, query=query))["search"]
            assert found["edges"]
            assert {notice["code"] for notice in found["notices"]} <= {"DOCUMENTS_PENDING"}
            seen.append(models_of(found, query))
            await pause()

    searching = asyncio.create_task(search_until_the_end())
    # Added, replaced and deleted while the build waits for its second batch.
    await client.ready(project, "Late", text_of(2, "plum"))
    await client.ready(project, "Fruit", text_of(290, "pear"), source="fruit")
    await client.mutate(DELETE, id=gone)
    spaces = {each["id"]: each for each in (await client.run(SPACES, id=project))["project"]["embeddingSpaces"]}
    building = spaces[asked["space"]["id"]]
    assert building["state"] == "BUILDING"
    assert building["chunksDone"] < building["chunksTotal"]
    model.gate.set()
    told = await client.follow(SPACE_EVENTS, id=asked["space"]["id"])
    assert told[-1]["state"] == "ACTIVE", told
    assert told[-1]["chunksDone"] == told[-1]["chunksTotal"] > 280
    for _ in range(3):
        found = (await client.run(SEARCH, project=project, query="plum1"))["search"]
        assert models_of(found, "plum1") == {"second"}
    ended.set()
    await searching
    assert {len(each) for each in seen} == {1}
    assert seen[0] == {"first"}
    space = (await client.run(SPACES, id=project))["project"]["embeddingSpace"]
    assert (space["model"], space["dimensions"]) == (NEW, 24)
    assert space["measuredChunks"] > 0
    # A document added afterwards is embedded with the new model only.
    before = len(model.made)
    await client.ready(project, "After", "Quinces are late.")
    assert {name for name, _ in model.made[before:]} == {"second"}


async def test_a_switch_can_be_cancelled(start: Start, model: TwoModels) -> None:
    client = started(start, model)
    project = await client.project("cancelled")
    await client.ready(project, "Fruit", text_of(5, "apple"))
    assert (await client.mutate(CANCEL, projectId=project))["__typename"] == "ConflictError"
    model.gate.clear()
    asked = await switch(client, project, NEW)
    following = asyncio.create_task(client.follow(SPACE_EVENTS, id=asked["space"]["id"]))
    cancelled = await client.mutate(CANCEL, projectId=project)
    assert cancelled["space"] == {"id": asked["space"]["id"], "state": "RETIRED"}
    assert (await following)[-1]["state"] == "RETIRED"
    model.gate.set()
    assert [(each["model"], each["state"]) for each in await removed(client, project)] == [(OLD, "ACTIVE")]
    found = (await client.run(SEARCH, project=project, query="apple1"))["search"]
    assert models_of(found, "apple1") == {"first"}
    # And there and back again: the vectors of the model before are removed.
    for name in (NEW, OLD):
        asked = await switch(client, project, name)
        await client.follow(SPACE_EVENTS, id=asked["space"]["id"])
        assert [(each["model"], each["state"]) for each in await removed(client, project)] == [(name, "ACTIVE")]


@pytest.mark.parametrize("between", ["nothing", "changes", "a day"])
async def test_a_cancelled_switch_continues_with_what_it_has(
    start: Start, model: TwoModels, database_url: str, between: str
) -> None:
    client = started(start, model)
    project = await client.project("continued")
    await client.ready(project, "Fruit", text_of(300, "apple"))
    gone = await client.ready(project, "Gone", text_of(3, "melon"))
    first = await cancel_after_a_batch(client, model, project)
    if between == "changes":
        await client.ready(project, "Late", text_of(2, "plum"))
        await client.mutate(DELETE, id=gone)
    if between == "a day":
        await let_a_day_pass(database_url)
        await switch(client, await client.project("another"), NEW)  # which looks for spaces to work on
        assert [each["state"] for each in await removed(client, project)] == ["ACTIVE"]
    before = len(model.made)
    again = await switch(client, project, NEW)
    assert (again["space"]["id"] == first) == (between != "a day")
    told = await client.follow(SPACE_EVENTS, id=again["space"]["id"])
    assert told[-1]["state"] == "ACTIVE"
    texts = [text for name, text in model.made[before:] if name == "second" and "\n" in text]
    assert len(texts) == len(set(texts)) == told[-1]["chunksTotal"] - (0 if between == "a day" else 256)
    for query in ("apple1", "apple250", "apple299"):
        found = (await client.run(SEARCH, project=project, query=query))["search"]
        assert models_of(found, query) == {"second"}


async def cancel_after_a_batch(client: Client, model: TwoModels, project: str) -> str:
    """Switch to the new model, and cancel that when 256 chunks are embedded; the space."""
    model.gate.clear()
    model.reached.clear()
    model.before_gate = 4  # the first 256 texts go in so many requests
    space = (await switch(client, project, NEW))["space"]["id"]
    assert await asyncio.to_thread(model.reached.wait, 60)
    cancelled = await client.mutate(CANCEL, projectId=project)
    assert cancelled["space"] == {"id": space, "state": "RETIRED"}
    model.gate.set()
    spaces = (await client.run(SPACES, id=project))["project"]["embeddingSpaces"]
    assert [each["chunksDone"] for each in spaces if each["id"] == space] == [256]
    return space


async def let_a_day_pass(database_url: str) -> None:
    """For spaces that are kept."""
    database = opening.open_database(database_url)
    async with database.begin() as db:
        earlier = models.now() - timedelta(seconds=1)
        await db.execute(
            update(models.EmbeddingSpace).values(lease_until=earlier).where(models.EmbeddingSpace.state == "RETIRED")
        )
    await database.close()


async def test_what_a_cancelled_switch_has_is_removed_when_a_third_model_is_asked_for(
    start: Start, model: TwoModels
) -> None:
    client = started(start, model)
    project = await client.project("third")
    await client.ready(project, "Fruit", text_of(300, "apple"))
    await cancel_after_a_batch(client, model, project)
    asked = await switch(client, project, OTHER)
    assert (await client.follow(SPACE_EVENTS, id=asked["space"]["id"]))[-1]["state"] == "ACTIVE"
    assert [each["model"] for each in await removed(client, project)] == [OTHER]


class Failing(TwoModels):
    """The new model fails with this for texts of documents, if one is set."""

    failure: Fault = None

    def fault(self, body: Body) -> Fault:
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        return self.failure if body["model"] != "first" and any("\n" in text for text in texts) else None


async def test_a_model_that_fails_leaves_the_old_one_and_resumes_when_asked_again(start: Start) -> None:
    with running(Failing()) as model:
        client = started(start, model)
        project = await client.project("failing")
        await client.ready(project, "Fruit", text_of(300, "apple"))
        model.gate.clear()
        model.before_gate = 4  # the first 256 texts go in so many requests
        asked = await switch(client, project, NEW)
        assert await asyncio.to_thread(model.reached.wait, 60)
        model.failure = Refusal(400, {"error": {"message": "out of order"}})
        model.gate.set()
        told = await client.follow(SPACE_EVENTS, id=asked["space"]["id"])
        assert (told[-1]["state"], told[-1]["problem"].split(":")[0]) == ("FAILED", "The embedding model failed")
        assert "out of order" in told[-1]["problem"]
        done = told[-1]["chunksDone"]
        assert done == 256
        found = (await client.run(SEARCH, project=project, query="apple1"))["search"]
        assert models_of(found, "apple1") == {"first"}
        model.failure, before = None, len(model.made)
        again = await switch(client, project, NEW)
        assert again["space"]["id"] == asked["space"]["id"]
        told = await client.follow(SPACE_EVENTS, id=asked["space"]["id"])
        assert told[-1]["state"] == "ACTIVE"
        texts = [text for name, text in model.made[before:] if name == "second" and text.startswith("Fruit")]
        assert len(texts) == len(set(texts)) == told[-1]["chunksTotal"] - done


@pytest.mark.one_database
@pytest.mark.parametrize(
    ("name", "code", "says"),
    [
        ("nonsense", "INVALID", "There is no model “nonsense” here"),
        ("embedded/nothing", "INVALID", "There is no model “embedded/nothing” here"),
        ("embedded/extractive", "INVALID", "“embedded/extractive” is a chat model, not an embedding model"),
        ("openai/" + "x" * 200, "TOO_LONG", "200"),
    ],
)
async def test_a_model_that_is_none_is_refused(start: Start, model: TwoModels, name: str, code: str, says: str) -> None:
    client = started(start, model)
    project = await client.project("refused")
    await client.ready(project, "Fruit", "Apples are red.")
    refused = await switch(client, project, name)
    assert [issue["code"] for issue in refused["issues"]] == [code]
    assert says in refused["message"]
    spaces = (await client.run(SPACES, id=project))["project"]["embeddingSpaces"]
    assert [each["model"] for each in spaces] == [OLD]


@pytest.mark.one_database
async def test_a_local_project_refuses_a_remote_model(start: Start) -> None:
    client = start(openai_api_key="sk-1")
    project = await client.project("local")
    await client.mutate(LOCAL, id=project, localProvidersOnly=True)
    refused = await switch(client, project, "openai/text-embedding-3-small")
    assert "allows local models only" in refused["message"]


@pytest.mark.one_database
async def test_a_model_that_is_down_is_refused(start: Start) -> None:
    with running(Failing()) as model:
        client = started(start, model)
        project = await client.project("down")
        await client.ready(project, "Fruit", "Apples are red.")
        model.fault = lambda body: Refusal(503, headers={"retry-after": "0"}) if body["model"] != "first" else None
        refused = await switch(client, project, NEW)
        assert (refused["__typename"], refused["service"]) == ("UnavailableError", "embeddings")


async def test_an_empty_project_switches_at_once(start: Start, model: TwoModels) -> None:
    client = started(start, model)
    project = await client.project("empty")
    asked = await switch(client, project, NEW)
    assert asked["space"]["state"] == "ACTIVE"
    added = await client.mutate(ADD_TEXT, projectId=project, title="A", text="Apples are red.")
    await client.follow(INGESTION, document=added["document"]["id"])
    assert "first" not in {name for name, _ in model.made}
