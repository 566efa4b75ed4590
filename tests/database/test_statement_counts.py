"""How many statements, transactions and trips to the database the frequent operations take.

These cost more than what the database does for them, so a number that grows is a regression.
"""

import asyncio
import re
import threading
from contextlib import aclosing
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import httpx
import pytest

from app.answer_options import SearchMode
from app.answer_options.document_filter import DocumentFilter, read_metadata
from app.chat.answer_log.log_entries import RunningLog
from app.database import models
from app.database.pages import PageRequest
from app.knowledge.search.queries import SearchQuery
from app.knowledge.uploads import NewDocument
from app.notifier import topics
from app.rag import events
from app.services import Services, open_backend
from app.settings import Settings
from app.statuses import DocumentStatus, MessageRole, MessageStatus
from tests.answers import openai
from tests.conftest import MakeSettings
from tests.documents import add
from tests.graphql.client import EVENTS, SEND, Client, received, start
from tests.servers.openai import OpenAIServer
from tests.servers.running import Body, running
from tests.serving import serve
from tests.statements import recorded_work

# Those of SQLite. PostgreSQL has a few others, for locks that SQLite does not need.
pytestmark = pytest.mark.sqlite
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
PROGRESS = "UPDATE documents SET stage=?, progress=?, chunks_done=?"
# A worker looks at the queue.
LOOK = "SELECT documents.project_id, count(*) FILTER"
QUESTION = "Where does the red fox live?"
# With the same terms, for what a first search loads.
ALIKE = "So where does the red fox live?"
PAGE = Path(__file__).parents[2] / "app" / "handbook" / "11-architecture.md"


def stated(operation: str) -> list[int]:
    """The numbers of an operation in the handbook's table: statements, transactions and trips."""
    [row] = re.findall(rf"^\| {re.escape(operation)} \|(.*)\|$", PAGE.read_text("utf-8"), re.M)
    return [int(number) for number in re.findall(r"\d+", row)]


async def fill_project(settings: Settings) -> str:
    """A project with a document, by a process that has ended: nothing else is recorded."""
    async with open_backend(settings, "serve") as footnote:
        project = await footnote.knowledge.projects.create_project("counted")
        await add(footnote, project.id, "The red fox lives in forests.\n\nAn owl turns its head.")
    return project.id


@pytest.mark.parametrize(
    ("mode", "operation"),
    [
        ("HYBRID", "search, words and meaning, in memory"),
        ("LEXICAL", "search, words alone"),
        ("VECTOR", "search, meaning alone"),
    ],
)
async def test_a_search_in_memory(make_settings: MakeSettings, mode: SearchMode, operation: str) -> None:
    """The project; its totals of words; the version of its vectors; and the passages."""
    settings = make_settings()
    project_id = await fill_project(settings)
    async with open_backend(settings, "ask") as footnote:
        await footnote.knowledge.search.search_project(project_id, SearchQuery(ALIKE))
        with recorded_work(settings) as found:
            first = await footnote.knowledge.search.search_project(project_id, SearchQuery(QUESTION, mode=mode))
        assert found.counts == stated(operation), found.statements
        with recorded_work(settings) as found:
            again = await footnote.knowledge.search.search_project(project_id, SearchQuery(QUESTION, mode=mode))
        assert found.counts == stated("search, the same question again"), found.statements
        assert again.passages == first.passages


async def test_a_filtered_search_in_memory(make_settings: MakeSettings) -> None:
    """One statement more: the chunks of the documents that match."""
    settings = make_settings()
    project_id = await fill_project(settings)
    chosen = DocumentFilter(frozenset({DocumentStatus.READY}), "", read_metadata({"a": 1}))
    async with open_backend(settings, "ask") as footnote:
        [page] = await footnote.knowledge.library.list_documents([project_id], DocumentFilter(), PageRequest(1))
        await footnote.knowledge.library.update_document(page.rows[0].id, {"metadata": {"a": 1}})
        search = footnote.knowledge.search.search_project
        await search(project_id, SearchQuery(ALIKE))
        with recorded_work(settings) as found:
            assert (await search(project_id, SearchQuery(QUESTION, documents=chosen))).passages
        assert found.counts == stated("search, with a filter of documents"), found.statements


async def test_a_search_in_the_database(make_settings: MakeSettings) -> None:
    """Both legs side by side, each on its own connection; postings are read once for each of the three terms."""
    settings = make_settings(vector_memory_mb=0)
    project_id = await fill_project(settings)
    async with open_backend(settings, "ask") as footnote:
        with recorded_work(settings) as found:
            await footnote.knowledge.search.search_project(project_id, SearchQuery(QUESTION))
        assert found.counts == stated("search, with `VECTOR_MEMORY_MB=0` (three words)"), found.statements


@pytest.mark.parametrize("values", [{}, {"event_days": 1}], ids=["alone", "with events"])
async def test_a_turn(make_settings: MakeSettings, values: dict[str, int]) -> None:
    """The turn, with what was said before; the search; and the answer's events, in groups.

    Events for other programs add three statements, and no transaction: for the question, for the answer that ended,
    and to read what is told of it.
    """
    settings = make_settings(**values)
    project_id = await fill_project(settings)
    async with open_backend(settings, "ask") as footnote:
        chats = Services(footnote).as_user(footnote.owner).chats
        session = await chats.create_session(project_id, {})
        await footnote.knowledge.search.search_project(project_id, SearchQuery(ALIKE))
        with recorded_work(settings) as found:
            _, answer = await chats.send_message(session.id, QUESTION, key=None, overrides={})
            async with aclosing(chats.follow_answer(answer)) as entries:
                last = [entry async for entry in entries][-1]
        assert isinstance(last.event, events.CompletedEvent)
        groups = sum(statement.startswith("INSERT INTO answer_events") for statement in found.statements)
        assert groups <= 5  # of the first event, the first text, the end, and what came with a tick
        assert found.transactions == found.trips
        statements, transactions, _ = stated("turn inside the server, at most")
        of_group, one, _ = stated("each group of an answer's events, beside these")
        assert one == 1
        # Two more if it has ended before it is followed.
        assert found.trips - groups in (transactions - 2, transactions), found.statements
        told = [statement for statement in found.statements if "outbox_events" in statement]
        assert len(told) == (2 if values else 0)
        assert len(found.statements) <= statements + of_group * groups + (3 if values else 0), found.statements


async def test_answers_that_go_on_together_are_written_together(make_settings: MakeSettings) -> None:
    """What was read together reaches the log within a few iterations of the event loop."""
    settings = make_settings()
    project_id = await fill_project(settings)
    async with open_backend(settings, "ask") as footnote:
        session = await Services(footnote).as_user(footnote.owner).chats.create_session(project_id, {})
        of_session = {"project_id": project_id, "session_id": session.id, "role": MessageRole.ASSISTANT}
        rows = [
            models.Message(**of_session, position=position, current=False, shown=False, status=MessageStatus.PENDING)
            for position in range(1, 13)
        ]
        await footnote.database.run_write(lambda db: db.add_all(rows))
        answers = [footnote.chat.answer_log.open_log(row.id, replaces=False) for row in rows]

        async def go_on(running: RunningLog, iterations: int) -> None:
            for _ in range(iterations):
                await asyncio.sleep(0)
            footnote.chat.answer_log.append_event(running, events.QueryReformulatedEvent("Whither?", "Where?"))
            await running.readers.wait()

        with recorded_work(settings) as found:
            async with asyncio.TaskGroup() as group:
                for number, running in enumerate(answers):
                    group.create_task(go_on(running, number % 3))
        assert all(running.tail.length == 1 for running in answers)
        assert found.write_transactions == 1, found.statements


async def test_what_was_said_in_a_chat_is_not_read_while_others_wait(make_settings: MakeSettings) -> None:
    """All turns take one lock: what need not be read under it is read after it, in a transaction of its own."""
    settings = make_settings()
    project_id = await fill_project(settings)
    async with open_backend(settings, "ask") as footnote:
        chats = Services(footnote).as_user(footnote.owner).chats
        session = await chats.create_session(project_id, {"enable_rag": False})
        with recorded_work(settings) as found:
            for turn in range(3):
                _, answer = await chats.send_message(session.id, f"Word {turn}.", key=None, overrides={})
                async with aclosing(chats.follow_answer(answer)) as entries:
                    assert [entry async for entry in entries]
    read_while_writing = [writes for statement, writes in found.sent if statement.startswith("WITH RECURSIVE path")]
    assert read_while_writing == [False] * 2


@pytest.mark.parametrize("count", [1, 16])
async def test_small_documents(make_settings: MakeSettings, count: int) -> None:
    """Any number that is added together is added (6), claimed (2), read (3), measured (1) and stored (9) together."""
    settings = make_settings()
    project_id = await fill_project(settings)
    async with open_backend(settings, "serve") as footnote:
        texts = [(NewDocument("text/plain", title=f"{n}"), BytesIO(b"The red fox lives.")) for n in range(count)]
        library, ready = footnote.knowledge.library, DocumentFilter(frozenset({DocumentStatus.READY}))
        with recorded_work(settings) as counting:
            assert await library.count_documents([project_id], ready) == [1]
        with (
            footnote.notifier.subscribe(topics.project_documents(project_id)) as changes,
            recorded_work(settings) as found,
        ):
            await library.add_documents(project_id, texts)
            while await library.count_documents([project_id], ready) != [count + 1]:
                await changes.wait()
        work = [
            statement
            for statement in found.statements
            if not statement.startswith(LOOK)
            and "count(chunks.id)" not in statement  # a look at what was never measured, when the server starts
            and "embedding_spaces.state IN" not in statement  # and at spaces that were being built
            and "messages.searchable" not in statement  # and at messages that an older version left
            and "retention_days IS NOT NULL" not in statement  # and at what is kept for a time only
            and statement not in counting.statements
        ]
        told = [statement for statement in work if statement.startswith(PROGRESS)]  # where it takes its time
        assert [len(work) - len(told), found.write_transactions - len(told)] == stated(
            "1 to 16 small documents, added together"
        ), work


async def test_followers_of_a_project_read_together(make_settings: MakeSettings) -> None:
    """The project, its members and what has changed; then the rows that are new."""
    settings = make_settings()
    project_id = await fill_project(settings)
    async with open_backend(settings, "ask") as footnote:
        documents = Services(footnote).as_user(footnote.owner).documents
        statements, *others = stated("look at the changes of a project, for all its watchers")
        for more in (1, 0):
            with recorded_work(settings) as found:
                reads = await asyncio.gather(*(documents.changed_since(project_id, LONG_AGO) for _ in range(50)))
            assert found.counts == [statements + more, *others], found.statements
            assert {len(changes.documents) for changes in reads} == {1}


async def test_chat_sessions_of_several_projects_are_looked_up_together(make_settings: MakeSettings) -> None:
    """The sessions, and the user's roles."""
    settings = make_settings(require_sign_in=True)
    async with open_backend(settings, "ask") as footnote:
        user, ids = await footnote.accounts.users.create("kim@example.org"), list[str]()
        access = Services(footnote).as_user(user)
        for name in ("one", "two", "three"):
            project = await access.projects.create_project(name, None, local_providers_only=False)
            ids.append((await access.chats.create_session(project.id, {})).id)
        chats = Services(footnote).as_user(user).chats
        with recorded_work(settings) as found:
            assert None not in await chats.by_ids(ids)
    assert len(found.statements) == 2, found.statements


async def test_a_turn_of_each_api(make_settings: MakeSettings) -> None:
    """Over HTTP: GraphQL stores it and follows it; the OpenAI API finds the project, and searches."""
    with running(OpenAIServer(lambda _: ["Foxes live in forests [1]."])) as model:
        settings = make_settings(**openai(model))
        await fill_project(settings)
        with serve(settings) as url:
            async with httpx.AsyncClient(timeout=60) as http:
                client = Client(http, url)
                project = (await client.run("{ projects { nodes { id } } }"))["projects"]["nodes"][0]["id"]
                sessions = [await client.session(project) for _ in range(2)]
                await client.answered(
                    sessions[0], "Where does the owl live?"
                )  # the first search loads what it keeps in memory
                with recorded_work(settings) as turn:
                    await client.answered(sessions[1], QUESTION)
                with recorded_work(settings) as completion:
                    body = {
                        "model": "openai/chat",
                        "index_name": "counted",
                        "messages": [{"role": "user", "content": "And where does the red fox live?"}],
                    }
                    response = await http.post(f"{url}/v1/chat/completions", json=body)
    assert response.status_code == 200, response.text
    groups = sum(statement.startswith("INSERT INTO answer_events") for statement in turn.statements)
    # Three more read the answer and its log if it has ended before it is followed.
    assert turn.transactions == turn.trips
    statements, transactions, _ = stated("turn over GraphQL, at most")
    assert turn.trips - groups in (transactions - 3, transactions), turn.statements
    assert len(turn.statements) <= statements + 3 * groups, turn.statements
    assert completion.counts == stated("completion at the OpenAI API"), completion.statements


async def test_an_answer_is_not_read_to_be_followed_where_it_is_generated(make_settings: MakeSettings) -> None:
    goes_on = threading.Event()

    def answer(_: Body) -> list[str]:
        assert goes_on.wait(60)
        return ["Foxes live in forests [1]."]

    with running(OpenAIServer(answer)) as model:
        settings = make_settings(**openai(model))
        await fill_project(settings)
        with serve(settings) as url:
            async with httpx.AsyncClient(timeout=60) as http:
                client = Client(http, url)
                project = (await client.run("{ projects { nodes { id } } }"))["projects"]["nodes"][0]["id"]
                sent = await client.mutate(SEND, sessionId=await client.session(project), content=QUESTION)
                async with client.socket() as socket:
                    with recorded_work(settings) as found:
                        await start(socket, "1", EVENTS, id=sent["answer"]["id"])
                        first = await received(socket)
                    goes_on.set()
    assert first["type"] == "next", first
    read = [
        statement
        for statement in found.statements
        if re.search(r"messages\.content.* messages\.id IN", statement, re.S)
    ]
    assert read == []
