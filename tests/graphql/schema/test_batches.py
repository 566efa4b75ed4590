"""Batching: nested lists take as many SQL statements for a hundred rows as for one."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event

from tests.graphql.client import Client

DOCUMENTS = """query($id: ID!) { project(id: $id) { documents(first: 50) {
  nodes { id title project { id name } } } } }"""
MESSAGES = """query($id: ID!) { chatSession(id: $id) { messages(first: 50) { nodes { content
  session { id title project { id } createdBy { id } } replyTo { id session { id } }
  citations { sourceStatus document { id project { id } } chunk { id document { id } } uses { chunk { id } } }
  budget { candidates { chunk { id document { id } } } } } } } }"""


@contextmanager
def counted() -> Generator[list[str]]:
    """Record the SELECT statements of every engine in this process."""
    statements: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        # A worker that has just finished a document looks whether there is another.
        if statement.startswith("SELECT") and "documents.queued_at)" not in statement:
            statements.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(Engine, "before_cursor_execute", note)


async def read_counted(client: Client, query: str, **variables: Any) -> tuple[Any, list[str]]:
    """The data of a query and its SELECT statements: the fewest of three readings, as other work may add to one."""
    readings: list[list[str]] = []
    data: Any = None
    for _ in range(3):
        with counted() as statements:
            data = await client.run(query, **variables)
        readings.append(statements)
    return data, min(readings, key=len)


async def test_documents_and_their_project(client: Client) -> None:
    counts: list[int] = []
    for size in (1, 15):  # too few chunks to be measured meanwhile
        project = await client.project(f"batch {size}")
        for number in range(size):  # ready: nothing else is going on when statements are counted
            await client.ready(project, f"Note {number}", f"Note {number}.")
        _, statements = await read_counted(client, DOCUMENTS, id=project)
        counts.append(len(statements))
    assert counts == [2, 2], counts


async def test_messages_and_everything_attached_to_them(client: Client) -> None:
    project = await client.project("batch of messages")
    for number in range(3):
        await client.ready(project, f"Planet {number}", f"Planet number {number} has {number + 2} moons and one ring.")
    counts: list[int] = []
    for turns in (1, 5):
        session = await client.session(project)
        for number in range(turns):
            await client.answered(session, f"How many moons does planet number {number % 3} have?")
        read, statements = await read_counted(client, MESSAGES, id=session)
        assert len(read["chatSession"]["messages"]["nodes"]) == 2 * turns
        assert any(message["citations"] for message in read["chatSession"]["messages"]["nodes"])
        counts.append(len(statements))
    assert counts[0] == counts[1] <= 8, counts


LISTS = """query($first: Int) { nodes(ids: [IDS]) { ... on Project { id
  documents(first: $first) { totalCount pageInfo { hasNextPage } nodes { title
    chunks(first: 2) { totalCount nodes { position } } } }
  chatSessions(last: 2) { totalCount nodes { title ragThreshold
    messages(last: 1) { totalCount pageInfo { hasPreviousPage } nodes { role } } } } } } }"""


async def test_lists_in_lists(client: Client) -> None:
    projects: list[str] = []
    for number in range(4):
        project = await client.project(f"lists {number}")
        projects.append(project)
        for note in range(number):
            await client.ready(project, f"Note {note}", f"Note {note} of project {number}.")
            await client.answered(await client.session(project, title=f"Session {note}"), "What does the note say?")
    counts: list[int] = []
    for asked in (projects[2:3], projects):
        named = ", ".join(f'"{id}"' for id in asked)
        read, statements = await read_counted(client, LISTS.replace("IDS", named), first=2)
        counts.append(len(statements))
        for number, project in zip(range(4) if len(asked) == 4 else (2,), read["nodes"], strict=True):
            documents, sessions = project["documents"], project["chatSessions"]
            assert [node["title"] for node in documents["nodes"]] == [f"Note {i}" for i in range(min(number, 2))]
            assert (documents["totalCount"], documents["pageInfo"]["hasNextPage"]) == (number, number > 2)
            assert all(node["chunks"]["totalCount"] == len(node["chunks"]["nodes"]) == 1 for node in documents["nodes"])
            assert [node["title"] for node in sessions["nodes"]] == [f"Session {i}" for i in range(number)][-2:]
            for session in sessions["nodes"]:
                assert session["messages"] == {
                    "totalCount": 2,
                    "pageInfo": {"hasPreviousPage": True},
                    "nodes": [{"role": "ASSISTANT"}],
                }
    assert counts[0] == counts[1] <= 11, counts


async def test_totals_are_counted_only_when_requested(client: Client) -> None:
    project = await client.project("counted")
    await client.ready(project, "Note", "A note.")
    lists = "projects {} project(id: $id) { documents {} chatSessions {} } document(id: $of) { chunks {} }"
    read = await client.run("query($id: ID!) { project(id: $id) { documents { nodes { id } } } }", id=project)
    document = read["project"]["documents"]["nodes"][0]["id"]
    for selected, count in (("{ nodes { id } pageInfo { hasNextPage } }", 0), ("{ nodes { id } totalCount }", 4)):
        query = "query($id: ID!, $of: ID!) { " + lists.replace("{}", selected) + " }"
        _, statements = await read_counted(client, query, id=project, of=document)
        assert sum("count(" in statement for statement in statements) == count, statements


async def test_projects_and_their_memories(client: Client) -> None:
    counts: list[int] = []
    for number in range(6):
        project = await client.project(f"batch of memories {number}")
        fact = {"projectId": project, "content": f"Fact {number}"}
        await client.run("mutation($input: RememberInput!) { remember(input: $input) { __typename } }", input=fact)
    for first in (1, 6):
        listed = "query($first: Int!) { projects(last: $first) { nodes { memories { content } } } }"
        read, statements = await read_counted(client, listed, first=first)
        assert [len(node["memories"]) for node in read["projects"]["nodes"]] == [1] * first
        counts.append(len(statements))
    assert counts == [2, 2], counts
