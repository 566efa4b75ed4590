"""Search in one's own messages: words of any language, snippets, pages, and never what others wrote."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select, text, update

from app.database import models
from app.database.pages import PageRequest
from app.services import open_backend
from tests.conftest import MakeSettings
from tests.graphql.access.people import MARK, SECRET, World
from tests.graphql.client import Client, Json
from tests.statements import recorded_work

SEARCH = """query($input: SearchMessagesInput!, $first: Int! = 20, $after: String) {
  searchMessages(input: $input, first: $first, after: $after) {
    edges { cursor snippet snippetSpan { startOffset endOffset } highlights { startOffset endOffset }
      node { id role content session { id } } }
    nodes { id } pageInfo { hasNextPage hasPreviousPage endCursor } } }"""

# The table with a row for each message in the full text.
INDEXED = {"sqlite": "message_texts_docsize", "postgresql": "message_texts"}


async def searched(
    client: Client, query: str, *, first: int = 20, after: str | None = None, project: str | None = None
) -> Json:
    found = await client.run(SEARCH, input={"query": query, "projectId": project}, first=first, after=after)
    return found["searchMessages"]


def questions(found: Json) -> list[str]:
    return [edge["node"]["content"] for edge in found["edges"] if edge["node"]["role"] == "USER"]


def marked(edge: Json) -> list[str]:
    """The highlighted parts of a snippet, counted in code points."""
    snippet = [*edge["snippet"]]
    return ["".join(snippet[span["startOffset"] : span["endOffset"]]) for span in edge["highlights"]]


async def talk(client: Client, project: str, *said: str) -> str:
    """A session with these questions."""
    session = await client.session(project)
    for question in said:
        await client.answered(session, question, enableRag=False)
    return session


async def test_words_find_questions_and_answers_newest_first(client: Client) -> None:
    project = await client.project("words")
    await talk(client, project, "Do Otters swim?", "Do seals and otters dive?")
    await talk(client, project, "An otter on the shore, 😀 crème brûlée", "西湖龙井茶的价格是多少？")
    found = await searched(client, "otter")
    assert questions(found) == [
        "An otter on the shore, 😀 crème brûlée",
        "Do seals and otters dive?",
        "Do Otters swim?",
    ]
    assert [marked(edge) for edge in found["edges"] if edge["node"]["role"] == "USER"] == [
        ["otter"],
        ["otters"],
        ["Otters"],
    ]
    assert questions(await searched(client, "seal otters")) == ["Do seals and otters dive?"]
    assert questions(await searched(client, "CREME brulee")) == ["An otter on the shore, 😀 crème brûlée"]
    assert questions(await searched(client, "龙井")) == ["西湖龙井茶的价格是多少？"]
    assert questions(await searched(client, "龙茶")) == []
    for harmless in ('" OR "', "otter) OR (seal", "NEAR(otter seal)", "*", "otter AND narwhal"):
        assert questions(await searched(client, harmless)) in ([], ["Do seals and otters dive?"])


async def test_a_snippet_is_the_part_around_the_first_word(client: Client) -> None:
    project = await client.project("snippets")
    content = f"{'😀 lorem ' * 60}here a capybara bathes {'ipsum ' * 60}"
    await talk(client, project, content)
    [edge] = [each for each in (await searched(client, "capybaras"))["edges"] if each["node"]["role"] == "USER"]
    span = edge["snippetSpan"]
    assert edge["snippet"] == "".join([*content][span["startOffset"] : span["endOffset"]])
    assert marked(edge) == ["capybara"]
    assert 100 < len(edge["snippet"]) <= 240
    assert edge["snippet"].startswith(("😀", "lorem"))


async def test_pages_lead_through_all_messages(client: Client) -> None:
    project = await client.project("pages of messages")
    await talk(client, project, *(f"Question {n} about aardvarks" for n in range(5)))
    wanted: list[str] = []
    after: str | None = None
    for _ in range(3):
        page = await searched(client, "aardvarks question", first=2, after=after, project=project)
        wanted += questions(page)
        assert [node["id"] for node in page["nodes"]] == [edge["node"]["id"] for edge in page["edges"]]
        assert page["pageInfo"]["hasPreviousPage"] == (after is not None)
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break
        await talk(client, project, "Another question about aardvarks")
    assert wanted == [f"Question {n} about aardvarks" for n in (4, 3, 2, 1, 0)]
    for wrong in ({"after": "nonsense"}, {"after": "WyJhIl0="}, {"first": 101}, {"first": -1}):
        [error] = await client.errors(SEARCH, input={"query": "x"}, **wrong)
        assert error["extensions"]["code"] == "BAD_USER_INPUT"
    for query in ("  ", "x" * 1001):
        [error] = await client.errors(SEARCH, input={"query": query})
        assert error["extensions"]["code"] == "BAD_USER_INPUT"


async def test_nobody_finds_what_others_wrote(world: World) -> None:
    project = world.seen["Project"]
    async with world.people("alice", "vera", "bob", "rita") as (alice, vera, bob, rita):
        found = await searched(alice, f"{MARK} {SECRET}")
        assert world.more["private question"] in {edge["node"]["id"] for edge in found["edges"]}
        assert world.private["ChatSession"] in {edge["node"]["session"]["id"] for edge in found["edges"]}
        # Vera can read a shared session of Alice's, but it is not hers.
        for person in (vera, bob, rita):
            for where in (None, project) if person is vera else (None,):
                assert (await searched(person, f"goods returned {MARK}", project=where))["edges"] == []
        for person in (bob, rita):
            [error] = await person.errors(SEARCH, input={"query": MARK, "projectId": project})
            assert error["extensions"]["code"] == "NOT_FOUND"
        mine = {edge["node"]["session"]["id"] for edge in (await searched(vera, "bees"))["edges"]}
        assert mine == {world.own["vera"]["ChatSession"]}
        # Rita asked about bees in Alice's project, too, and has left it.
        left = {edge["node"]["session"]["id"] for edge in (await searched(rita, "bees"))["edges"]}
        assert left == {world.own["rita"]["ChatSession"]}


async def test_messages_of_an_earlier_version_are_added_in_the_background(make_settings: MakeSettings) -> None:
    settings = make_settings()
    async with open_backend(settings, "ask") as footnote:
        user, database = footnote.owner.id, footnote.database
        project = await footnote.knowledge.projects.create_project("old")
        session = await footnote.chat.sessions.create_session(project.id, user, {})
        async with database.begin() as db:
            for n in range(250):
                values = {"id": f"{n:032}", "project_id": project.id, "session_id": session.id, "position": n + 1}
                previous = f"{n - 1:032}" if n else None
                db.add(
                    models.Message(
                        **values, previous_id=previous, role="USER", content=f"old tapir {n}", status="COMPLETED"
                    )
                )
            waiting = {"id": "running", "project_id": project.id, "session_id": session.id, "position": 999}
            db.add(
                models.Message(
                    **waiting, previous_id=f"{249:032}", role="ASSISTANT", content="", status="STREAMING", owner="x"
                )
            )
        await asyncio.gather(*(footnote.chat.message_search.index_waiting() for _ in range(3)))
        indexed = text(f"SELECT count(*) FROM {INDEXED[database.dialect]}")
        async with database.read() as db:
            numbered = list(await db.scalars(select(models.MessageTextRow).order_by(models.MessageTextRow.number)))
            assert [row.message_id for row in numbered] == [f"{n:032}" for n in range(250)]
            assert list(await db.scalars(select(models.Message.id).where(~models.Message.searchable))) == ["running"]
            assert await db.scalar(indexed) == 250
        async with database.begin() as db:
            await db.execute(update(models.Message).where(models.Message.id == "running").values(status="COMPLETED"))
        await footnote.chat.sessions.delete_session(session.id)
        async with database.read() as db:
            assert await db.scalar(indexed) == 0


@pytest.mark.sqlite
async def test_messages_that_wait_are_found_without_reading_the_others(
    make_settings: MakeSettings, tmp_path: Path
) -> None:
    settings = make_settings()
    async with open_backend(settings, "ask") as footnote:
        search = footnote.chat.message_search
        with recorded_work(settings) as work:
            await search.index_waiting()
            await search.search(footnote.owner.id, "otters", None, PageRequest(20), None)
    reads = [statement for statement in work.statements if "messages.content" in statement]
    assert len(reads) == 2
    with closing(sqlite3.connect(tmp_path / "footnote.db")) as connection:
        for statement in reads:
            values = [0] * statement.count("?")
            plan = [row[-1] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", values)]
            assert "SCAN messages USING INDEX ix_messages_unsearchable" in " ".join(plan).replace("COVERING ", ""), plan
            assert not [step for step in plan if "SEARCH messages" in step and "(id=?)" not in step], plan
