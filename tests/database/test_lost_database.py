"""A database that is removed, replaced or truncated under a running server: it says so and acknowledges nothing."""

import asyncio
import os
import shutil
import signal
import stat
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from app.cli.commands import cli
from app.database.sqlite import driver
from tests import old_databases
from tests.answers import Start, openai
from tests.commands import printed_here
from tests.graphql.chat.test_answers import first_delta
from tests.graphql.client import CREATE_SESSION, EVENTS, SEND, Client, subscribe
from tests.looking import pause
from tests.processes.test_several_processes import serving
from tests.servers.gated import Gated
from tests.servers.running import running

REFUSED = """mutation($input: SendMessageInput!) { sendMessage(input: $input) {
  __typename ... on Error { message } ... on UnavailableError { service retryAfterMs } } }"""
UPLOAD = """mutation($input: AddTextDocumentInput!) { addTextDocument(input: $input) {
  __typename ... on Error { message } } }"""
SEARCH = 'query($id: ID!) { search(input: { projectId: $id, query: "roses" }) { nodes { text } } }'
MEASURED = "query($id: ID!) { project(id: $id) { embeddingSpace { measuredChunks } } }"
PROJECTS = "{ projects(first: 1) { nodes { name } } }"
CHAT = {"model": "embedded/extractive", "messages": [{"role": "user", "content": "When do roses bloom?"}]}


def delete(file: Path) -> None:
    file.unlink()


def replace(file: Path) -> None:
    copy = file.with_name("copy.db")
    shutil.copyfile(file, copy)
    copy.replace(file)


def replace_folder(file: Path) -> None:
    without_sockets = shutil.ignore_patterns(f"{file.name}-wake")
    shutil.copytree(file.parent, file.parent.with_name("copy"), ignore=without_sockets)
    file.parent.rename(file.parent.with_name("aside"))
    file.parent.with_name("copy").rename(file.parent)


def cut(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def cut_to_nothing(file: Path) -> None:
    os.truncate(file, 0)


def cut_index(file: Path) -> None:
    os.truncate(f"{file}-shm", 0)


def delete_log(file: Path) -> None:
    Path(f"{file}-wal").unlink()


# A cut index is tried in a process of its own: it kills whoever reads it just then.
HARMS = {
    delete: "{file} was deleted or moved while it was in use.",
    replace: "{file} was replaced by another file while it was in use.",
    replace_folder: "{file} was replaced by another file while it was in use.",
    cut: "{file} was cut short while it was in use.",
    cut_to_nothing: "{file} was cut short while it was in use.",
    delete_log: "{file}-wal was deleted or moved while it was in use.",
}


async def wait_until_nothing_reads(client: Client) -> None:
    """Until for half a second looking itself has made all trips to the database that there were.

    Whoever is reading a mapped file while it is cut is killed by the system.
    """

    async def count_trips() -> float:
        text = (await client.http.get(client.url.replace("/graphql", "/metrics"))).text
        return float(text.partition("\nfootnote_database_trips_total ")[2].partition("\n")[0])

    trips, own, quiet_since = await count_trips(), 0.0, time.monotonic()
    while time.monotonic() - quiet_since < 0.5:
        now = await count_trips()
        if now - trips != own:
            own, quiet_since = now - trips, time.monotonic()
        trips = now


async def test_a_database_that_another_program_locks_is_told_of_in_time(start: Start, tmp_path: Path) -> None:
    client = start()
    said: list[str] = []

    async def ask() -> str:
        async with asyncio.timeout(5):  # a write waits for the lock longer than that
            said.append((await client.http.get(client.url.replace("/graphql", "/readyz"))).text.strip())
        return said[-1]

    with closing(driver.choose_driver().module.connect(tmp_path / "footnote.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        async with asyncio.timeout(60):
            while await ask() != "DOWN":
                assert said[-1] == "DEGRADED"
                await pause()
        other.execute("ROLLBACK")
    async with asyncio.timeout(60):
        while await ask() != "OK":
            await pause()
    assert said[0] == "DEGRADED"


@pytest.mark.parametrize(("harm", "says"), HARMS.items(), ids=[harm.__name__ for harm in HARMS])
async def test_a_lost_database_is_reported_and_nothing_is_acknowledged(
    start: Start, tmp_path: Path, caplog: pytest.LogCaptureFixture, harm: Callable[[Path], None], says: str
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    file = folder / "footnote.db"
    client = start(database_url=f"sqlite:///{file}")
    project = await client.project("Garden")
    await client.ready(project, "Roses", "Roses bloom in June and need water. " * 2000)
    while not (await client.run(MEASURED, id=project))["project"]["embeddingSpace"]["measuredChunks"]:
        await pause()
    session = await client.session(project)
    health = client.url.replace("/graphql", "/health")
    assert (await client.http.get(health)).json()["status"] == "OK"
    await wait_until_nothing_reads(client)

    harm(file)
    problem = await check_refusals(client, project, session, says.format(file=file))
    assert [record.getMessage() for record in caplog.records if record.levelname == "CRITICAL"] == [problem]
    if harm is delete:
        assert not file.exists(), "no empty one is made in its place"


async def test_the_log_of_a_database_behind_a_link_is_watched_as_well(start: Start, tmp_path: Path) -> None:
    """SQLite keeps it next to the database, not next to the link."""
    file, link = tmp_path / "data" / "footnote.db", tmp_path / "linked.db"
    file.parent.mkdir()
    await asyncio.to_thread(printed_here, tmp_path, "migrate", DATABASE_URL=f"sqlite:///{file}")
    link.symlink_to(file)
    client = start(database_url=f"sqlite:///{link}")
    project = await client.project("Garden")
    session = await client.session(project)
    delete_log(file)
    await check_refusals(client, project, session, HARMS[delete_log].format(file=file))


async def check_refusals(client: Client, project: str, session: str, says: str) -> str:
    """Check that a server whose database is lost says so wherever it is asked, and return what it says."""
    problem = (
        f"The database is lost: {says} Nothing can be read or written any more. Stop all "
        "processes that use it, restore the database or a backup (`footnote restore`), and start again."
    )
    refused = await client.mutate(REFUSED, sessionId=session, content="When do roses bloom?")
    assert refused == {
        "__typename": "UnavailableError",
        "message": problem,
        "service": "database",
        "retryAfterMs": 60_000,
    }
    uploaded = await client.mutate(UPLOAD, projectId=project, title="More", text="More.")
    assert uploaded == {"__typename": "UnavailableError", "message": problem}
    for query, variables in ((CREATE_SESSION, {"input": {"projectId": project}}), (SEARCH, {"id": project})):
        found = await client.errors(query, **variables)
        assert {(error["message"], error["extensions"]["code"]) for error in found} == {(problem, "UNAVAILABLE")}
    down = await client.http.get(client.url.replace("/graphql", "/health"))
    assert (down.status_code, down.json()["status"]) == (503, "DOWN")
    assert down.json()["components"]["database"] == {"status": "DOWN", "detail": problem}
    url = client.url.replace("/graphql", "/v1/chat/completions")
    chat = await client.http.post(url, json={**CHAT, "index_name": "Garden"})
    assert (chat.status_code, chat.json()["error"]["message"]) == (503, problem)
    return problem


@pytest.mark.sqlite
async def test_a_running_answer_ends_with_its_database(start: Start, tmp_path: Path) -> None:
    with running(model := Gated()):
        client = start(**openai(model))
        session = await client.session(await client.project("Garden"), enableRag=False)
        answer = (await client.mutate(SEND, sessionId=session, content="Go on."))["answer"]["id"]
        async with client.socket() as socket:
            events = subscribe(socket, EVENTS, id=answer)
            await first_delta(events)
            delete(tmp_path / "footnote.db")
            with pytest.raises(AssertionError, match="The database is lost"):
                async for _ in events:
                    pass
        assert await asyncio.to_thread(model.left.wait, 120), "its model has stopped, too"


@pytest.mark.parametrize(
    ("harm", "says"),
    [(cut, "{file} was cut short while it was in use."), (cut_index, "{file}-shm was cut short while it was in use.")],
    ids=["cut", "cut_index"],
)
async def test_a_server_survives_a_truncated_file(tmp_path: Path, harm: Callable[[Path], None], says: str) -> None:
    file = tmp_path / "footnote.db"
    settings = {**os.environ, "DATABASE_URL": f"sqlite:///{file}"}
    with serving(settings) as server:
        async with httpx.AsyncClient(timeout=120) as http:
            client = Client(http, server.url)
            project = await client.project("Garden")
            session = await client.session(project)
            await wait_until_nothing_reads(client)
            harm(file)
            await check_refusals(client, project, session, says.format(file=file))
        assert await asyncio.to_thread(server.stop, signal.SIGTERM) == 0


@pytest.mark.sqlite
async def test_a_restart_works_with_what_is_left(start: Start, tmp_path: Path) -> None:
    client = start()
    await client.project("Garden")
    replace(tmp_path / "footnote.db")
    [error] = await client.errors(PROJECTS)
    assert error["extensions"]["code"] == "UNAVAILABLE"
    for beside in ("-wal", "-shm"):
        (tmp_path / f"footnote.db{beside}").unlink(missing_ok=True)
    again = start()
    assert await again.project("House")


@pytest.mark.skipif(sys.platform == "win32", reason="folders decide there")
def test_data_files_are_readable_by_their_owner_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/footnote.db")

    def footnote(*arguments: str) -> None:
        before = os.umask(0)
        try:
            assert CliRunner().invoke(cli, [*arguments]).exit_code == 0
        finally:
            os.umask(before)

    def modes() -> dict[str, str]:
        return {file.name: oct(stat.S_IMODE(file.stat().st_mode)) for file in tmp_path.iterdir()}

    asyncio.run(old_databases.make(tmp_path / "footnote.db", "0001"))
    (tmp_path / "footnote.db").chmod(0o644)
    # Somebody has it open, so the files beside it are there while the command runs, and stay.
    with closing(driver.choose_driver().module.connect(str(tmp_path / "footnote.db"))) as connection:
        connection.execute("SELECT count(*) FROM projects").fetchall()
        assert modes()["footnote.db-wal"] == "0o644"
        footnote("migrate")
        footnote("backup", str(tmp_path / "kept.db"))
        assert set(modes().values()) == {"0o600"}, modes()
        assert len(modes()) == 5, "the database, two beside it, what was before the migration, and the backup"
    (tmp_path / "kept.db").chmod(0o644)
    footnote("restore", str(tmp_path / "kept.db"))
    (tmp_path / "kept.db").unlink()
    assert set(modes().values()) == {"0o600"}, modes()
    for file in tmp_path.iterdir():
        file.unlink()
    footnote("migrate")
    assert modes() == {"footnote.db": "0o600"}
    (tmp_path / "footnote.db").rename(tmp_path / "linked.db")
    (tmp_path / "footnote.db").symlink_to(tmp_path / "linked.db")
    (tmp_path / "linked.db").unlink()
    footnote("migrate")
    assert modes() == {"footnote.db": "0o600", "linked.db": "0o600"}
