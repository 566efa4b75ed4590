"""A page of a list is read from an index, in its order: what it costs does not grow with the list."""

from collections.abc import Generator
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine

from app.database.base import Base
from app.settings import Settings
from tests.graphql.client import Client, Json
from tests.statements import recorded_work

PAGE = "nodes { id } pageInfo { endCursor startCursor }"
WINDOW = "first: $first, after: $after, last: $last, before: $before"
DECLARED = "$first: Int, $after: String, $last: Int, $before: String"
DOCUMENTS = f"""query($id: ID!, $filter: DocumentFilter, $order: DocumentOrder, {DECLARED}) {{
  project(id: $id) {{ list: documents(filter: $filter, orderBy: $order, {WINDOW}) {{ {PAGE} }} }} }}"""
SESSIONS = f"""query($id: ID!, $order: ChatSessionOrder, {DECLARED}) {{
  project(id: $id) {{ list: chatSessions(orderBy: $order, {WINDOW}) {{ {PAGE} }} }} }}"""
OWN_SESSIONS = f"""query($order: ChatSessionOrder, {DECLARED}) {{
  viewer {{ list: chatSessions(orderBy: $order, {WINDOW}) {{ {PAGE} }} }} }}"""
MESSAGES = f"""query($id: ID!, $all: Boolean!, {DECLARED}) {{
  chatSession(id: $id) {{ list: messages(allBranches: $all, {WINDOW}) {{ {PAGE} }} }} }}"""
CHUNKS = f"query($id: ID!, {DECLARED}) {{ document(id: $id) {{ list: chunks({WINDOW}) {{ {PAGE} }} }} }}"
PROJECTS = f"query({DECLARED}) {{ list: projects({WINDOW}) {{ {PAGE} }} }}"


@pytest.fixture(scope="module")
def schema() -> Generator[Connection]:
    """The same tables without content: to open the server's file here, and close it, would end the server's locks."""
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        Base.metadata.create_all(connection)
        yield connection
    engine.dispose()


async def plans(
    client: Client, database: Path, schema: Connection, table: str, query: str, **variables: Json
) -> list[str]:
    """The steps of SQLite's plans for the pages that the query asks for: first, next, last, and the one before.

    What the server does beside it is left out: it is about other tables.
    """
    found: list[str] = []
    with recorded_work(Settings.model_validate({"database_url": f"sqlite:///{database}"})) as work:
        after = before = None
        for window in ("first", "first", "last", "last"):
            cursor = {"after": after} if window == "first" else {"before": before}
            result = await client.run(query, **{window: 1}, **cursor, **variables)
            page = result["list"] if "list" in result else next(iter(result.values()))["list"]
            after, before = page["pageInfo"]["endCursor"], page["pageInfo"]["startCursor"]
    listing = [
        statement for statement in work.statements if f"FROM {table} \nWHERE" in statement and " LIMIT ?" in statement
    ]
    assert len(listing) >= 4, work.statements
    for statement in listing:
        values = (0,) * statement.count("?")
        found += [str(row[-1]) for row in schema.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)]
    return found


@pytest.mark.parametrize("field", ["CREATED_AT", "UPDATED_AT", "TITLE"])
@pytest.mark.parametrize("direction", ["ASC", "DESC"])
@pytest.mark.parametrize("status", [None, ["READY"], ["READY", "FAILED"], ["FAILED"], ["QUEUED", "PROCESSING"]])
async def test_documents_are_read_in_order_unless_few_match(
    client: Client, database: Path, schema: Connection, field: str, direction: str, status: Json
) -> None:
    project = await client.project(f"{field} {direction} {status}")
    order, which = {"field": field, "direction": direction}, {"status": status} if status else None
    steps = await plans(client, database, schema, "documents", DOCUMENTS, id=project, order=order, filter=which)
    if status and "READY" not in status:
        assert all("documents_status_project_id" in step for step in steps if "documents" in step), steps
    else:
        assert not [step for step in steps if "TEMP B-TREE" in step or "SCAN" in step], steps


@pytest.mark.parametrize("field", ["CREATED", "LAST_ACTIVITY", "TITLE"])
@pytest.mark.parametrize("direction", ["ASC", "DESC"])
async def test_sessions_are_read_in_order(
    client: Client, database: Path, schema: Connection, field: str, direction: str
) -> None:
    project, order = await client.project(f"asked {field} {direction}"), {"field": field, "direction": direction}
    for steps in (
        await plans(client, database, schema, "chat_sessions", SESSIONS, id=project, order=order),
        await plans(client, database, schema, "chat_sessions", OWN_SESSIONS, order=order),
    ):
        assert not [step for step in steps if "SCAN chat_sessions" in step or "chat_sessions_1" in step], steps
        assert any("USING INDEX ix_chat_sessions" in step for step in steps)


@pytest.mark.parametrize("all_branches", [False, True])
async def test_messages_chunks_and_projects_are_read_in_order(
    client: Client, database: Path, schema: Connection, all_branches: bool
) -> None:
    project = await client.project(f"read {all_branches}")
    document = await client.ready(project, "Bees", "Bees dance.")
    session = await client.session(project)
    await client.answered(session, "What do bees do?")
    for steps in (
        await plans(client, database, schema, "messages", MESSAGES, id=session, all=all_branches),
        await plans(client, database, schema, "chunks", CHUNKS, id=document),
        await plans(client, database, schema, "projects", PROJECTS),
    ):
        assert not [step for step in steps if "TEMP B-TREE" in step], steps
