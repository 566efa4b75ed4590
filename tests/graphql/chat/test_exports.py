"""Exports of conversations: with sources, quotes, notices and one's own ratings."""

import asyncio
import json
import time
from contextlib import closing
from pathlib import Path

from app.database.sqlite import driver
from app.graphql import ids
from tests.graphql.access.people import MARK, RATE, SECRET, World
from tests.graphql.client import Client

EXPORT = "query($id: ID!, $format: ExportFormat!) { exportChatSession(id: $id, format: $format) }"
BEES = "# Bees\n\nBees dance to tell where flowers are.\n"


async def exported(client: Client, session: str, format: str) -> str:
    return (await client.run(EXPORT, id=session, format=format))["exportChatSession"]


async def test_an_export_has_everything_that_was_said(client: Client) -> None:
    project = await client.project("exported")
    await client.ready(project, "Bees <b>& co</b>", BEES)
    session = await client.session(project, title="*Bees* [1]")
    answer = await client.answered(session, "Why do bees dance?")
    await client.mutate(RATE, messageId=answer, helpful=True, reason="CLEAR", comment="So *good*.")
    found = json.loads(await exported(client, session, "JSON"))
    question, reply = found.pop("messages")
    assert (found["title"], found["isWhole"]) == ("*Bees* [1]", True)
    assert (question["role"], question["content"]) == ("USER", "Why do bees dance?")
    assert (reply["outcome"], reply["rating"]) == (
        "CITED",
        {"helpful": True, "reason": "CLEAR", "comment": "So *good*."},
    )
    [citation] = reply["citations"]
    assert citation["quotes"] == ["Bees dance to tell where flowers are."]
    assert citation["uses"] == [{"quote": "Bees dance to tell where flowers are.", "page": None, "row": None}]
    assert citation["documentTitle"] == "Bees <b>& co</b>"
    text = await exported(client, session, "MARKDOWN")
    assert text.startswith("# \\*Bees\\*")
    for part in ("## Question\n\nWhy do bees dance?", "## Answer", "> “Bees dance to tell", "Rated: Helpful, CLEAR"):
        assert part in text
    assert "<b>" not in text
    assert "So *good*" not in text


async def test_a_long_conversation_is_cut_and_says_so(client: Client, database: Path) -> None:
    session = await client.session(await client.project("long export"))
    for question in ("Hi!", "And now?"):
        await client.answered(session, question, enableRag=False)
    # The server's own library: a second one in this process would undo the locks of the first when it closes.
    with closing(driver.choose_driver().module.connect(database)) as connection, connection:
        connection.execute("UPDATE messages SET content = ? WHERE role = 'ASSISTANT'", ("x" * 2_100_000,))
    found = json.loads(await exported(client, session, "JSON"))
    assert (found["isWhole"], len(found["messages"])) == (False, 3)
    assert (await exported(client, session, "MARKDOWN")).endswith("the rest is left out.*\n")


async def test_others_export_what_is_shared_without_foreign_ratings(world: World) -> None:
    shared, private = world.seen["ChatSession"], world.private["ChatSession"]
    async with world.people("alice", "vera", "bob") as (alice, vera, bob):
        for format in ("MARKDOWN", "JSON"):
            assert f"{SECRET} praise" in await exported(alice, shared, format)
            seen = await exported(vera, shared, format)
            assert MARK in seen
            assert SECRET not in seen
            assert await exported(vera, private, format) is None
            assert await exported(bob, shared, format) is None


async def test_an_export_holds_so_many_quotes_in_memory(client: Client, database: Path) -> None:
    project = await client.project("quotes export")
    await client.ready(project, "Foxes", "The red fox lives in the forest.")
    session = await client.session(project)
    for _ in range(2):
        await client.answered(session, "Where does the red fox live?")
    with closing(driver.choose_driver().module.connect(database)) as connection, connection:
        [[citations]] = connection.execute("SELECT citations FROM messages WHERE role = 'ASSISTANT' LIMIT 1").fetchall()
        [citation] = json.loads(citations)
        citation["uses"] = [{**citation["uses"][0], "quote": "x" * 9_000_000}]
        changed = json.dumps([citation])
        connection.execute("UPDATE messages SET citations = ? WHERE role = 'ASSISTANT'", (changed,))
    found = json.loads(await exported(client, session, "JSON"))
    assert (found["isWhole"], len(found["messages"])) == (False, 3)


async def test_a_long_export_holds_up_nobody(client: Client, database: Path) -> None:
    """Thousands of quotes take a second to write down; other requests are answered meanwhile."""
    project = await client.project("busy export")
    await client.ready(project, "Owls", "The grey owl lives in the barn.")
    session = await client.session(project)
    await client.answered(session, "Where does the grey owl live?")
    with closing(driver.choose_driver().module.connect(database)) as connection, connection:
        statement = "SELECT citations FROM messages WHERE role = 'ASSISTANT' AND session_id = ?"
        [[citations]] = connection.execute(statement, (ids.read("ChatSession", session),)).fetchall()
        [citation] = json.loads(citations)
        quotes = [f"„Grüße [{number}] über Bäume“, *sagt* er. " * 12 for number in range(10_000)]
        citation["uses"] = [{**citation["uses"][0], "quote": quote} for quote in quotes]
        statement = "UPDATE messages SET citations = ? WHERE role = 'ASSISTANT' AND session_id = ?"
        connection.execute(statement, (json.dumps([citation]), ids.read("ChatSession", session)))
    began = time.monotonic()
    exporting = asyncio.create_task(exported(client, session, "MARKDOWN"))
    longest = 0.0
    while not exporting.done():
        asked = time.monotonic()
        await client.run("{ __typename }")
        longest = max(longest, time.monotonic() - asked)
    assert "Bäume" in await exporting
    assert longest < (time.monotonic() - began) / 3


async def test_an_operation_exports_only_a_few_conversations(client: Client) -> None:
    """Each may take seconds."""
    session = await client.session(await client.project("few exports"))
    export = "exportChatSession(id: $id, format: JSON)"
    query = "query($id: ID!) {{ {} }}".format
    four, five = (" ".join(f"e{number}: {export}" for number in range(count)) for count in (4, 5))
    assert len(await client.run(query(four), id=session)) == 4
    [error] = await client.errors(query(five), id=session)
    assert error["extensions"]["code"] == "QUERY_TOO_EXPENSIVE"
