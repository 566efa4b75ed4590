"""Nested lists cost as many statements for a hundred rows as for one."""

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
    """The SELECT statements that any engine of this process executes meanwhile."""
    statements: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        # A worker that has just finished a document looks whether there is another.
        if statement.startswith("SELECT") and "ORDER BY documents.queued_at" not in statement:
            statements.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(Engine, "before_cursor_execute", note)


async def test_documents_and_their_project(client: Client) -> None:
    counts: list[int] = []
    for size in (1, 20):
        project = await client.project(f"batch {size}")
        for number in range(size):  # ready: nothing else is going on when statements are counted
            await client.ready(project, f"Note {number}", f"Note {number}.")
        with counted() as statements:
            await client.run(DOCUMENTS, id=project)
        counts.append(len(statements))
    assert counts == [2, 2], counts


async def test_messages_and_all_that_hangs_on_them(client: Client) -> None:
    project = await client.project("batch of messages")
    for number in range(3):
        await client.ready(project, f"Planet {number}", f"Planet number {number} has {number + 2} moons and one ring.")
    counts: list[int] = []
    for turns in (1, 5):
        session = await client.session(project)
        for number in range(turns):
            await client.answered(session, f"How many moons does planet number {number % 3} have?")
        with counted() as statements:
            read = await client.run(MESSAGES, id=session)
        assert len(read["chatSession"]["messages"]["nodes"]) == 2 * turns
        assert any(message["citations"] for message in read["chatSession"]["messages"]["nodes"])
        counts.append(len(statements))
    assert counts[0] == counts[1] <= 8, counts


async def test_projects_and_what_is_remembered_in_them(client: Client) -> None:
    counts: list[int] = []
    for number in range(6):
        project = await client.project(f"batch of memories {number}")
        fact = {"projectId": project, "content": f"Fact {number}"}
        await client.run("mutation($input: RememberInput!) { remember(input: $input) { __typename } }", input=fact)
    for first in (1, 6):
        with counted() as statements:
            read = await client.run(
                "query($first: Int!) { projects(last: $first) { nodes { memories { content } } } }", first=first
            )
        assert all(len(node["memories"]) == 1 for node in read["projects"]["nodes"])
        counts.append(len(statements))
    assert counts == [2, 2], counts
