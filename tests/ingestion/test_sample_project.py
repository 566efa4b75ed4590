"""The sample project: created once, on a new database, and only where nobody has to sign in."""

import asyncio
import logging
import os
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from app import services
from tests.answers import Start, final
from tests.commands import printed_here, run_here
from tests.conftest import MakeSettings
from tests.graphql.client import INGESTION, Client, Json
from tests.looking import pause
from tests.processes.test_several_processes import Server, serving
from tests.readme import HANDBOOK
from tests.serving import serve

QUESTION = "Which document formats can Footnote read?"
PROJECTS = """{ projects { nodes { id name viewerRole
  documents(first: 50) { nodes { id title source status version } } } } }"""
DELETE = "mutation($input: DeleteProjectInput!) { deleteProject(input: $input) { __typename } }"


@pytest.fixture
async def http() -> AsyncGenerator[httpx.AsyncClient]:
    async with httpx.AsyncClient(timeout=120) as client:
        yield client


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The environment for `footnote` commands, with no database yet."""
    return {**os.environ, "DATABASE_URL": f"sqlite:///{tmp_path}/footnote.db", "SAMPLE_PROJECT": "true"}


async def projects(client: Client) -> list[Json]:
    return (await client.run(PROJECTS))["projects"]["nodes"]


async def the_handbook(client: Client) -> Json:
    """Wait until the only project's documents are processed, and return it."""
    (project,) = await projects(client)
    for document in project["documents"]["nodes"]:
        assert (await client.follow(INGESTION, document=document["id"]))[-1]["__typename"] == "IngestionCompleted"
    (project,) = await projects(client)
    return project


async def test_the_first_start_creates_the_handbook_and_answers_cite_it(start: Start) -> None:
    client = start(sample_project=True)
    project = await the_handbook(client)
    assert (project["name"], project["viewerRole"]) == ("Handbook", "OWNER")
    documents = project["documents"]["nodes"]
    assert [document["source"] for document in documents] == [f"handbook/{page.name}" for page in HANDBOOK]
    assert {(document["status"], document["version"]) for document in documents} == {("READY", 1)}
    titles = [page.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ") for page in HANDBOOK]
    assert [document["title"] for document in documents] == titles
    answer = await final(client, await client.session(project["id"]), QUESTION)
    assert answer["outcome"] == "CITED"
    assert answer["citations"][0]["documentTitle"] in titles


async def test_a_newcomer_is_told_nothing_of_what_is_measured(start: Start, caplog: pytest.LogCaptureFixture) -> None:
    """It would stand below the first hints of the terminal."""
    caplog.set_level(logging.DEBUG)
    await the_handbook(start(sample_project=True))
    async with asyncio.timeout(60):
        while not (told := [record for record in caplog.records if record.msg.startswith("relevance measured")]):
            await pause()
    assert {record.levelname for record in told} == {"DEBUG"}


async def test_the_next_start_completes_a_handbook_interrupted_by_a_kill(
    environment: dict[str, str], tmp_path: Path, http: httpx.AsyncClient
) -> None:
    with serving(environment):
        pass
    with serving(environment) as second:
        project = await the_handbook(Client(http, second.url))
    assert [document["status"] for document in project["documents"]["nodes"]] == ["READY"] * len(HANDBOOK)
    done = await asyncio.to_thread(run_here, tmp_path, "check", DATABASE_URL=environment["DATABASE_URL"])
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


async def test_two_simultaneous_first_starts_create_one_handbook(
    environment: dict[str, str], http: httpx.AsyncClient
) -> None:
    with ExitStack() as stack:

        def started(_: int) -> Server:
            return stack.enter_context(serving(environment))

        with ThreadPoolExecutor(2) as threads:
            servers = list(threads.map(started, range(2)))
        found = [await projects(Client(http, server.url)) for server in servers]
    assert [[project["name"] for project in projects] for projects in found] == [["Handbook"]] * 2
    assert [len(project["documents"]["nodes"]) for (project,) in found] == [len(HANDBOOK)] * 2


async def test_a_deleted_handbook_is_not_recreated(make_settings: MakeSettings, http: httpx.AsyncClient) -> None:
    settings = make_settings(sample_project=True)
    with serve(settings) as url:
        (project,) = await projects(Client(http, url))
        deleted = await Client(http, url).mutate(DELETE, id=project["id"])
        assert deleted["__typename"] == "DeleteProjectPayload"
    with serve(settings) as url:
        assert await projects(Client(http, url)) == []


async def test_a_used_database_gets_no_handbook(make_settings: MakeSettings, http: httpx.AsyncClient) -> None:
    with serve(make_settings(sample_project=False)) as url:
        await Client(http, url).project("Shop")
    with serve(make_settings(sample_project=True)) as url:
        assert [project["name"] for project in await projects(Client(http, url))] == ["Shop"]


async def test_a_database_created_by_ingest_gets_no_handbook(
    environment: dict[str, str], tmp_path: Path, http: httpx.AsyncClient
) -> None:
    page = tmp_path / "larks.md"
    page.write_text("Larks sing at dawn.")
    settings = {name: environment[name] for name in ("DATABASE_URL", "SAMPLE_PROJECT")}
    await asyncio.to_thread(printed_here, tmp_path, "ingest", str(page), "--project", "docs", **settings)
    with serving(environment) as server:
        assert [project["name"] for project in await projects(Client(http, server.url))] == ["docs"]


@pytest.mark.parametrize(
    "values",
    [
        {"sample_project": False},
        {"require_sign_in": True},
        {"public_url": "https://chat.example.org"},
        {"host": "0.0.0.0"},
        {"host": "0.0.0.0", "require_sign_in": False, "allow_open_access": True},
    ],
    ids=lambda values: "-".join(values),
)
async def test_there_is_no_handbook_where_it_is_disabled_or_others_sign_in(
    make_settings: MakeSettings, values: dict[str, Any]
) -> None:
    async with services.open_services(make_settings(**{"sample_project": True, **values}), "serve") as opened:
        assert await opened.operator().projects.count_projects() == 0


async def test_a_full_queue_or_a_small_upload_limit_does_not_stop_the_start(start: Start) -> None:
    client = start(sample_project=True, max_queued_documents=1, max_upload_bytes=1000)
    (project,) = await projects(client)
    assert len(project["documents"]["nodes"]) == len(HANDBOOK)
