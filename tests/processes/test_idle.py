"""What a server does while nothing happens: next to nothing."""

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress

import httpx
import pytest
from sqlalchemy import Connection, Engine, event, make_url

from app import main
from app.cli.server.serve import Server
from app.cli.server.starting import bind_socket
from app.database.leases import RENEW_SECONDS
from app.settings import Settings
from tests import skipping
from tests.answers import openai
from tests.conftest import MakeSettings
from tests.graphql.access.people import Person
from tests.graphql.client import EVENTS, INGESTION, SEND, received, start
from tests.servers.openai import OpenAIServer
from tests.servers.running import Break, running
from tests.signed_in_server import accounts


@asynccontextmanager
async def serving(settings: Settings) -> AsyncGenerator[str]:
    """The server, in the event loop of the test."""
    listening = bind_socket("127.0.0.1", 0)
    server = Server(settings, main.create_app(settings))
    task = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.stop()
        while not task.done():
            await skipping.skip(0.1)


@contextmanager
def recorded(statements: list[str], settings: Settings) -> Generator[None]:
    """Record the statements on this database. Servers of other tests may still run in this process, on theirs."""
    assert settings.database_url
    database = make_url(settings.database_url).database

    def record(connection: Connection, _cursor: object, statement: str, *_: object) -> None:
        if connection.engine.url.database == database:
            statements.append(statement)

    event.listen(Engine, "before_cursor_execute", record)
    try:
        yield
    finally:
        event.remove(Engine, "before_cursor_execute", record)


async def quiet(statements: list[str]) -> None:
    """Wait until no statement has come for a while."""
    count = -1
    while count != len(statements):
        count = len(statements)
        await asyncio.sleep(0.3)


async def reading(person: Person, stack: AsyncExitStack, query: str, **variables: str) -> None:
    """Follow something, and answer pings."""
    socket = await stack.enter_async_context(person.socket())
    await start(socket, "1", query, **variables)

    async def read() -> None:
        while (await received(socket))["type"] != "complete":
            pass

    task = asyncio.create_task(read())
    stack.callback(task.cancel)


@pytest.mark.sqlite  # on PostgreSQL it looks now and then which vector indexes are needed
def test_a_server_whose_clients_wait_for_something_reads_nothing(make_settings: MakeSettings) -> None:
    statements: list[str] = []

    async def test() -> None:
        with running(OpenAIServer(lambda _: ["Words"], faults=[Break("stall", 1)])) as model:
            settings = make_settings(require_sign_in=True, **openai(model))
            async with accounts(settings) as (_, opened):
                user = await opened.users.create("kim@example.org", "Kim")
                token, _ = await opened.access_tokens.create(user.id, "laptop")
            async with AsyncExitStack() as stack:
                url = await stack.enter_async_context(serving(settings))
                http = await stack.enter_async_context(httpx.AsyncClient(timeout=120))
                kim = Person(http, url, f"Bearer {token}")
                project = await kim.project("Idle")
                session = await kim.session(project, enableRag=False)
                answer = (await kim.mutate(SEND, sessionId=session, content="Go."))["answer"]["id"]
                await reading(kim, stack, EVENTS, id=answer)
                await reading(kim, stack, INGESTION, project=project)
                await quiet(statements)
                stack.enter_context(recorded(statements, settings))
                # Leases are renewed, and what is old is tidied up, now and then: here, and not again for a while.
                await skipping.skip(RENEW_SECONDS + 1)
                await quiet(statements)
                assert any("lease_until" in statement for statement in statements), "statements are seen"
                statements.clear()
                for _ in range(int(RENEW_SECONDS) - 4):
                    await skipping.skip(1.0)
                assert statements == []

    with suppress(asyncio.CancelledError):
        skipping.run(test())


def test_a_server_at_rest_writes_nothing(make_settings: MakeSettings) -> None:
    statements: list[str] = []

    async def test() -> None:
        settings = make_settings()
        async with serving(settings):
            await quiet(statements)
            with recorded(statements, settings):
                for _ in range(10 * int(RENEW_SECONDS)):
                    await skipping.skip(1.0)
                await quiet(statements)

    with suppress(asyncio.CancelledError):
        skipping.run(test())
    assert statements, "what dead processes left is looked for"
    assert [statement for statement in statements if not statement.startswith(("SELECT", "BEGIN"))] == []
    assert "BEGIN IMMEDIATE" not in statements
