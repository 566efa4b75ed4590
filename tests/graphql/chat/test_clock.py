"""A clock that is set back: conversations stay in order, and cursors handed out earlier stay valid."""

import asyncio
import base64
import json

from tests import behind
from tests.answers import Start, openai
from tests.graphql.chat.test_turns import again, counting
from tests.graphql.client import INGESTION, Client, Json, subscribe
from tests.servers.openai import OpenAIServer
from tests.servers.running import Body, running

MESSAGES = """query($id: ID!, $first: Int, $after: String, $last: Int, $before: String) { chatSession(id: $id) {
  messages(first: $first, after: $after, last: $last, before: $before) {
    totalCount pageInfo { hasNextPage hasPreviousPage } edges { cursor node { id role content } } } } }"""


def set_back(url: str) -> None:
    """Make existing rows look as if the clock had been decades ahead when they were written."""
    columns = (("messages", "id"), ("messages", "previous_id"), ("answer_events", "message_id"))
    behind.execute(
        url,
        *(f"UPDATE {table} SET {column} = 'ffff' || substr({column}, 5)" for table, column in columns),
        "UPDATE messages SET created_at = '2099-01-01 00:00:00.000000'",
    )


async def page(client: Client, session: str, **window: Json) -> tuple[list[str], list[str]]:
    """The texts of a page, and their cursors."""
    edges = (await client.run(MESSAGES, id=session, **window))["chatSession"]["messages"]["edges"]
    return [edge["node"]["content"] for edge in edges], [edge["cursor"] for edge in edges]


async def test_turns_stay_in_order_when_the_clock_is_set_back(start: Start, database_url: str) -> None:
    with running(OpenAIServer(counting())) as model:
        client = start(**openai(model))
        session = await client.session(await client.project("Clock"), enableRag=False)
        await client.answered(session, "First?")
        set_back(database_url)
        second = await client.answered(session, "Second?")
        await client.answered(session, "Third?")

        def sent(chat: Body) -> list[str]:
            return [message["content"] for message in chat["messages"] if message["role"] != "system"]

        told = ["First?", "Answer 1.", "Second?", "Answer 2.", "Third?"]
        assert [sent(chat) for chat in model.chats] == [told[:1], told[:3], told]
        texts, _ = await page(client, session, first=10)
        assert texts == [*told, "Answer 3."]
        await again(client, second)
        texts, _ = await page(client, session, first=10)
        assert texts == [*told[:3], "Answer 4."]


async def test_the_latest_answer_can_be_regenerated_after_the_clock_was_set_back(
    start: Start, database_url: str
) -> None:
    with running(OpenAIServer(counting())) as model:
        client = start(**openai(model))
        session = await client.session(await client.project("Clock"), enableRag=False)
        await client.answered(session, "First?")
        set_back(database_url)
        await again(client, await client.answered(session, "Second?"))
        texts, _ = await page(client, session, first=10)
        assert texts == ["First?", "Answer 1.", "Second?", "Answer 3."]
        assert [message["content"] for message in model.chats[2]["messages"]][-3:] == ["First?", "Answer 1.", "Second?"]


async def test_cursors_of_earlier_versions_stay_valid(start: Start, database_url: str) -> None:
    with running(OpenAIServer(counting())) as model:
        client = start(**openai(model))
        session = await client.session(await client.project("Cursors"), enableRag=False)
        for question in ("First?", "Second?"):
            await client.answered(session, question)
        ids = [id for (id,) in behind.fetch(database_url, "SELECT id FROM messages ORDER BY id")]
        old = [base64.urlsafe_b64encode(json.dumps([id]).encode()).decode() for id in ids]
        every, new = await page(client, session, first=10)
        assert len(every) == 4
        for place in range(4):
            for cursors in (old, new):
                assert (await page(client, session, first=10, after=cursors[place]))[0] == every[place + 1 :]
                assert (await page(client, session, last=10, before=cursors[place]))[0] == every[:place]
        unknown = base64.urlsafe_b64encode(json.dumps(["0" * 32]).encode()).decode()
        [error] = await client.errors(MESSAGES, id=session, first=1, after=unknown)
        assert (error["extensions"]["code"], error["message"]) == (
            "BAD_USER_INPUT",
            "`after` is not a cursor of this list.",
        )


async def test_followers_of_a_project_learn_of_what_changes_after_the_clock_was_set_back(
    start: Start, database_url: str
) -> None:
    client = start()
    project = await client.project("Clock")
    await client.ready(project, "Before", "The clock is ahead.")
    behind.execute(database_url, "UPDATE documents SET updated_at = '2099-01-01 00:00:00.000000'")
    async with client.socket() as socket, asyncio.timeout(30):
        events = subscribe(socket, INGESTION, project=project)
        assert (await anext(events))["document"]["title"] == "Before"
        await client.ready(project, "After", "It was set back.")
        async for event in events:
            if event["__typename"] == "IngestionCompleted":
                assert event["document"]["title"] == "After"
                break
