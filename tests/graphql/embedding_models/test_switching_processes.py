"""Switches of the embedding model by two servers on one file: each batch once, one switch, and no end with one."""

import asyncio
import os
import signal
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import pytest

from app.database.sqlite import driver
from tests.graphql.client import ADD_TEXT, INGESTION, Client
from tests.graphql.embedding_models.switching import (
    SPACE_EVENTS,
    SPACES,
    TwoModels,
    removed,
    switch,
    text_of,
)
from tests.processes.test_several_processes import Server, serving
from tests.servers.running import running
from tests.torture.vectors import find_wrong_vectors_at

Serve = Callable[..., Server]
BATCH = 256


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The database file that the servers share."""
    return tmp_path / "footnote.db"


@pytest.fixture
def model() -> Generator[TwoModels]:
    """The embedding models of all servers."""
    with running(TwoModels()) as server:
        yield server
        server.gate.set()


@pytest.fixture
def serve(file: Path, model: TwoModels) -> Generator[Serve]:
    """Start servers on the file, whose new projects use the first model."""
    with ExitStack() as stack:

        def started(**more: str) -> Server:
            values = {"OPENAI_BASE_URL": model.url, "EMBEDDING_MODEL": "openai/first", **more}
            return stack.enter_context(serving({**os.environ, "DATABASE_URL": f"sqlite:///{file}", **values}))

        yield started


@pytest.fixture
async def http() -> AsyncGenerator[httpx.AsyncClient]:
    async with httpx.AsyncClient(timeout=120) as client:
        yield client


def read(file: Path, statement: str, *values: object) -> list[tuple[object, ...]]:
    """Rows of the database, read beside the servers."""
    with closing(driver.choose_driver().module.connect(str(file))) as connection:
        return connection.execute(statement, values).fetchall()


def index_versions(file: Path) -> list[int]:
    """How often the chunks or the embedding space of each project have changed."""
    return [int(str(version)) for [version] in read(file, "SELECT index_version FROM projects ORDER BY id")]


def documents_asked(model: TwoModels, name: str, start: int) -> list[str]:
    """The texts of documents that were sent to a model, from request number `start` on."""
    return [text for model_name, text in model.asked[start:] if model_name == name and "\n" in text]


async def stopped(*servers: Server) -> None:
    for server in servers:
        assert await asyncio.to_thread(server.stop, signal.SIGTERM) == 0


async def test_two_servers_that_start_at_once_build_each_batch_once(
    file: Path, model: TwoModels, serve: Serve, http: httpx.AsyncClient
) -> None:
    first = serve()
    client = Client(http, first.url)
    projects = [await client.project(name) for name in ("A", "B", "C")]
    for number, project in enumerate(projects):
        await client.ready(project, f"Fruit {number}", text_of(300, "apple"))
    model.gate.clear()
    spaces = [(await switch(client, project, "openai/second"))["space"]["id"] for project in projects]
    assert await asyncio.to_thread(model.reached.wait, 60)
    assert await asyncio.to_thread(first.stop, signal.SIGKILL) == -signal.SIGKILL
    versions, start = index_versions(file), len(model.asked)
    model.gate.set()

    both = await asyncio.gather(asyncio.to_thread(serve), asyncio.to_thread(serve))
    clients = [Client(http, server.url) for server in both]
    for client in clients:
        for space in spaces:
            assert (await client.follow(SPACE_EVENTS, id=space))[-1]["state"] == "ACTIVE"
    for project in projects:
        assert [space["model"] for space in await removed(clients[0], project)] == ["openai/second"]
    await stopped(*both)
    [[chunks]] = read(file, "SELECT count(*) FROM chunks")
    asked = documents_asked(model, "second", start)
    assert len(asked) == len(set(asked)) == chunks
    assert chunks == 3 * 300
    assert index_versions(file) == [version + 1 for version in versions], "each project was switched once"
    assert not await find_wrong_vectors_at(f"sqlite:///{file}")


async def test_the_other_server_goes_on_when_the_one_that_builds_is_killed(
    file: Path, model: TwoModels, serve: Serve, http: httpx.AsyncClient
) -> None:
    servers = {server.process.pid: server for server in (serve(), serve())}
    client = Client(http, next(iter(servers.values())).url)
    project = await client.project("Killed")
    await client.ready(project, "Fruit", text_of(600, "apple"))
    model.gate.clear()
    model.before_gate = 4  # the first 256 texts go in so many requests
    space = (await switch(client, project, "openai/second"))["space"]["id"]
    assert await asyncio.to_thread(model.reached.wait, 60)
    [[owner, built_to]] = read(file, "SELECT owner, built_to FROM embedding_spaces WHERE state = 'BUILDING'")
    [[left]] = read(file, "SELECT count(*) FROM chunks WHERE id > ?", built_to)
    assert left == 600 - BATCH
    killed = servers.pop(int(str(owner).split(":")[-2]))
    assert await asyncio.to_thread(killed.stop, signal.SIGKILL) == -signal.SIGKILL
    versions, start = index_versions(file), len(model.asked)
    model.gate.set()

    [server] = servers.values()
    client = Client(http, server.url)
    assert (await client.follow(SPACE_EVENTS, id=space))[-1]["state"] == "ACTIVE", "nobody asked it to go on"
    await removed(client, project)
    await stopped(server)
    asked = documents_asked(model, "second", start)
    assert len(asked) == len(set(asked)) == left, "what was stored is not embedded again"
    assert index_versions(file) == [version + 1 for version in versions]
    assert not await find_wrong_vectors_at(f"sqlite:///{file}")


async def test_a_restart_with_another_model_in_the_settings_finishes_the_switch_that_was_asked_for(
    file: Path, model: TwoModels, serve: Serve, http: httpx.AsyncClient
) -> None:
    server = serve()
    client = Client(http, server.url)
    project = await client.project("Restarted")
    await client.ready(project, "Fruit", text_of(300, "apple"))
    model.held = ("first", "second")
    model.gate.clear()
    model.before_gate = 4
    # Half of the project is embedded with the second model, and a document with the first one is under way.
    space = (await switch(client, project, "openai/second"))["space"]["id"]
    assert await asyncio.to_thread(model.reached.wait, 60)
    model.reached.clear()
    added = await client.mutate(ADD_TEXT, projectId=project, title="Late", text=text_of(3, "plum"))
    assert await asyncio.to_thread(model.reached.wait, 60)
    assert documents_asked(model, "first", 0)[-1].startswith("Late")
    assert await asyncio.to_thread(server.stop, signal.SIGKILL) == -signal.SIGKILL
    start = len(model.asked)
    model.gate.set()

    server = serve(EMBEDDING_MODEL="openai/third")
    client = Client(http, server.url)
    assert (await client.follow(SPACE_EVENTS, id=space))[-1]["state"] == "ACTIVE"
    assert (await client.follow(INGESTION, document=added["document"]["id"]))[-1]["__typename"] == "IngestionCompleted"
    assert [each["model"] for each in await removed(client, project)] == ["openai/second"]
    other = await client.project("New")
    await client.ready(other, "Other", text_of(2, "quince"))
    assert (await client.run(SPACES, id=other))["project"]["embeddingSpace"]["model"] == "openai/third"
    await stopped(server)
    assert all(text.startswith("Other") for text in documents_asked(model, "third", start))
    assert not await find_wrong_vectors_at(f"sqlite:///{file}")
