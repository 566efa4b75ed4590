"""Memories: given to the model by importance and recency, within the budget, and to no other user."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update

from app import errors
from app.chat.memories import MAX_MEMORIES
from app.database import models, opening
from app.rag.context.prompt import GROUNDED_POLICY, MEMORIES_HEADING
from app.services import Backend
from tests.answers import TEXT, Start, final, openai
from tests.graphql.client import Client, Json
from tests.servers.openai import OpenAIServer
from tests.servers.running import running

QUESTION = "Until when can goods be returned?"
REMEMBER = """mutation($input: RememberInput!) { remember(input: $input) { __typename
  ... on RememberPayload { memory { id content importance createdAt } }
  ... on Error { message } ... on ValidationError { issues { path code } } ... on NotFoundError { id } } }"""
FORGET = """mutation($input: ForgetInput!) { forget(input: $input) { __typename
  ... on ForgetPayload { forgottenId } ... on NotFoundError { id message } } }"""
MEMORY = "query($id: ID!) { project(id: $id) { memories { id content importance } } }"
NODE = "query($id: ID!) { node(id: $id) { __typename id ... on Memory { content } } }"


async def remembered(client: Client, project: str, content: str, importance: float = 0.8) -> str:
    result = await client.mutate(REMEMBER, projectId=project, content=content, importance=importance)
    return result["memory"]["id"]


async def shop(client: Client, name: str = "Shop") -> str:
    project = await client.project(name)
    await client.ready(project, "Returns", TEXT)
    return project


async def contents(client: Client, project: str) -> list[str]:
    return [memory["content"] for memory in (await client.run(MEMORY, id=project))["project"]["memories"]]


def segments(message: dict[str, Any]) -> dict[str, Any]:
    return {segment["kind"]: segment for segment in message["budget"]["segments"]}


async def test_important_memories_follow_the_policy_with_their_brackets_escaped(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["Within 30 days [1]."])) as model:
        client = start(**openai(model))
        project = await shop(client)
        await remembered(client, project, "The user lives in Kiel.", 0.7)
        await remembered(client, project, "The user is called Kim,\nas in [3].", 0.9)
        await remembered(client, project, "The user has a cat.", 0.7)
        await remembered(client, project, "Exactly at the limit.", 0.6)
        await remembered(client, project, "Hardly matters.", 0.1)
        session = await client.session(project, systemPrompt="Be brief.")
        message = await final(client, session, QUESTION)
        thanks = await final(client, session, "Thank you!")
    expected = (
        f"{MEMORIES_HEADING}\n- The user is called Kim, as in ⟦3⟧.\n- The user has a cat.\n- The user lives in Kiel."
    )
    system = model.chats[0]["messages"][0]["content"]
    assert system.startswith(f"Be brief.\n\n{GROUNDED_POLICY}\n\n{expected}\n\n<<<")
    segment = segments(message)["MEMORIES"]
    assert (segment["itemsKept"], segment["itemsDropped"]) == (3, 0)
    assert segment["tokens"] > 20
    # What is said about the conversation itself is said to the same person.
    untouched = expected.replace("⟦3⟧", "[3]")  # nothing can be cited there
    assert model.chats[1]["messages"][0]["content"] == f"Be brief.\n\n{untouched}"
    assert thanks["outcome"] == "PASSED_THROUGH"


async def test_memories_of_other_projects_and_forgotten_ones_are_not_used(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["Within 30 days [1]."])) as model:
        client = start(**openai(model))
        project, other = await shop(client), await shop(client, "Other")
        await remembered(client, other, "The secret of the other project.")
        forgotten = await remembered(client, project, "To be forgotten.")
        await remembered(client, project, "To be kept.")
        done = await client.mutate(FORGET, id=forgotten)
        assert done == {"__typename": "ForgetPayload", "forgottenId": forgotten}
        await final(client, await client.session(project), QUESTION)
        assert await contents(client, project) == ["To be kept."]
        assert await contents(client, other) == ["The secret of the other project."]
        assert (await client.run(NODE, id=forgotten))["node"] is None
        again = await client.mutate(FORGET, id=forgotten)
    sent = str(model.chats[0]["messages"])
    assert "To be kept." in sent
    assert "secret" not in sent
    assert "forgotten" not in sent
    assert (again["__typename"], again["id"]) == ("NotFoundError", forgotten)


async def test_old_memories_are_kept_but_not_used(start: Start, database_url: str) -> None:
    with running(OpenAIServer(lambda _: ["Within 30 days [1]."])) as model:
        client = start(**openai(model), memory_max_age_days=2, memory_min_importance=0.3)
        project = await shop(client)
        for content, importance, days in (("Old.", 0.9, 2.1), ("Young.", 0.4, 1.9), ("Trifle.", 0.3, 0)):
            await remembered(client, project, content, importance)
            await aged(database_url, content, days)
        await final(client, await client.session(project), QUESTION)
        assert await contents(client, project) == ["Old.", "Young.", "Trifle."]
        # Said again, it is recent again, and not there twice.
        await remembered(client, project, "Old.", 0.5)
        await final(client, await client.session(project), QUESTION)
        assert await contents(client, project) == ["Old.", "Young.", "Trifle."]
    first, second = (chat["messages"][0]["content"] for chat in model.chats)
    assert f"{MEMORIES_HEADING}\n- Young.\n\n<<<" in first
    assert f"{MEMORIES_HEADING}\n- Old.\n- Young.\n\n<<<" in second


async def aged(url: str, content: str, days: float) -> None:
    """Move a memory into the past."""
    database = opening.open_database(url)
    async with database.begin() as db:
        moved = models.now() - timedelta(days=days)
        await db.execute(update(models.Memory).where(models.Memory.content == content).values(created_at=moved))
    await database.close()


async def test_memories_take_at_most_a_tenth_and_the_least_important_go_first(start: Start) -> None:
    models_ = [{"id": "chat", "object": "model", "max_model_len": 4000}]
    with running(OpenAIServer(lambda _: ["Within 30 days [1]."], models=models_)) as model:
        client = start(**openai(model))
        project = await shop(client)
        await remembered(client, project, "Far too long: " + "word " * 390, 1.0)
        for number in range(20):
            await remembered(client, project, f"Fact {number:02}: " + "word " * 20, 0.99 - number / 100)
        message = await final(client, await client.session(project), QUESTION)
    told = segments(message)
    others = sum(told[kind]["tokens"] for kind in ("SYSTEM", "QUESTION", "MARGIN"))
    assert 0 < told["MEMORIES"]["tokens"] <= (4000 - others) / 10
    kept = told["MEMORIES"]["itemsKept"]
    assert (kept > 5, kept + told["MEMORIES"]["itemsDropped"]) == (True, 21)
    system = model.chats[0]["messages"][0]["content"]
    assert [f"Fact {number:02}" in system for number in range(20)] == [number < kept for number in range(20)]
    assert "Far too long" not in system
    assert sum(segment["tokens"] for segment in told.values()) <= 4000


@pytest.mark.one_database
@pytest.mark.parametrize(
    ("values", "path", "code"),
    [
        ({"content": " \n"}, "content", "REQUIRED"),
        ({"content": "x" * 2001}, "content", "TOO_LONG"),
        ({"content": "x", "importance": 1.01}, "importance", "OUT_OF_RANGE"),
        ({"content": "x", "importance": -0.01}, "importance", "OUT_OF_RANGE"),
    ],
)
async def test_invalid_memories_are_reported(start: Start, values: Json, path: str, code: str) -> None:
    client = start()
    project = await client.project("Strict")
    result = await client.mutate(REMEMBER, projectId=project, **values)
    assert result["__typename"] == "ValidationError"
    assert result["issues"] == [{"path": [path], "code": code}]
    assert await contents(client, project) == []


async def test_a_memory_is_a_node_and_goes_with_its_project(start: Start) -> None:
    client = start()
    project = await client.project("Node")
    memory = await remembered(client, project, "A fact.")
    assert (await client.run(NODE, id=memory))["node"] == {"__typename": "Memory", "id": memory, "content": "A fact."}
    await client.run("mutation($id: ID!) { deleteProject(input: { id: $id }) { __typename } }", id=project)
    assert (await client.run(NODE, id=memory))["node"] is None
    gone = await client.mutate(REMEMBER, projectId=project, content="x")
    assert (gone["__typename"], gone["id"]) == ("NotFoundError", project)


async def test_other_users_memories_are_invisible(footnote: Backend) -> None:
    project = await footnote.knowledge.projects.create_project("shared")
    async with footnote.database.begin() as db:
        other = models.User(email="other@example.org")
        db.add(other)
    mine = await footnote.chat.memories.remember(project.id, footnote.owner.id, "Mine.", 0.9)
    await footnote.chat.memories.remember(project.id, other.id, "Theirs.", 0.9)
    memories = footnote.chat.memories
    found = await footnote.database.run_read(lambda db: memories.read_memories(db, project.id, footnote.owner.id))
    assert found == ("Mine.",)
    assert [
        [row.content for row in rows]
        for rows in await footnote.chat.memories.memories_by_project([project.id], other.id)
    ] == [["Theirs."]]
    assert await footnote.chat.memories.by_ids([mine.id], other.id) == [None]
    with pytest.raises(errors.NotFound):
        await footnote.chat.memories.forget(mine.id, other.id)
    # The same words of two people are two memories.
    await footnote.chat.memories.remember(project.id, other.id, "Mine.", 0.9)
    assert len((await footnote.chat.memories.memories_by_project([project.id], other.id))[0]) == 2


async def test_the_number_of_memories_is_limited(footnote: Backend) -> None:
    project = await footnote.knowledge.projects.create_project("full")
    async with footnote.database.begin() as db:
        db.add_all(
            models.Memory(project_id=project.id, user_id=footnote.owner.id, content=f"Fact {number}", importance=0.5)
            for number in range(MAX_MEMORIES)
        )
    with pytest.raises(errors.Invalid, match="At most 500 memories"):
        await footnote.chat.memories.remember(project.id, footnote.owner.id, "One more.", 0.5)
    await footnote.chat.memories.remember(project.id, footnote.owner.id, "Fact 7", 0.9)
    assert (await footnote.chat.memories.memories_by_project([project.id], footnote.owner.id))[0][0].content == "Fact 7"
