"""A full disk: writes fail with a clear error, reads go on, and all recovers once there is room."""

import asyncio
import contextlib
import logging
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator
from pathlib import Path

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import Response

from app.settings import Settings
from tests import newest
from tests.answers import openai
from tests.forks.commands import run_footnote
from tests.graphql.chat.test_answers import CANCEL, first_delta
from tests.graphql.client import ADD_TEXT, CREATE_SESSION, EVENTS, INGESTION, SEND, Client, subscribe
from tests.looking import pause
from tests.old_databases import OWNER
from tests.servers.gated import Gated
from tests.servers.openai import OpenAIServer
from tests.servers.running import running
from tests.serving import serve
from tests.stalled import Folder, read_failure

REFUSED = """mutation($input: AddTextDocumentInput!) { addTextDocument(input: $input) {
  __typename ... on Error { message } ... on UnavailableError { service retryAfterMs } } }"""
HEALTH = "{ health { status components { name status detail } } }"
MESSAGE = "query($id: ID!) { message(id: $id) { status content } }"
UPLOAD = {
    "operations": (None, '{"query": "mutation($f: Upload!) { a: __typename }", "variables": {"f": null}}'),
    "map": (None, '{"0": ["variables.f"]}'),
    "0": ("large.txt", bytes(4_000_000)),
}
TITLE = "query($id: ID!) { document(id: $id) { title status chunks(first: 1) { nodes { text } } } }"


class Disk:
    """A file system of a few megabytes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        """Leave no room."""
        with self._ballast.open("wb", buffering=0) as file:
            for size in (1 << 20, 1 << 12):
                try:
                    while True:
                        file.write(bytes(size))
                except OSError:
                    continue

    def free(self) -> None:
        """Make room again."""
        self._ballast.unlink()

    def set_writable(self, writable: bool) -> None:
        """Make it read-only, as systems do with a failing disk, or not any more."""
        subprocess.run(["mount", "-o", f"remount,{'rw' if writable else 'ro'}", self.folder], check=True)


@pytest.fixture
def disk(tmp_path: Path) -> Generator[Disk]:
    """A disk of its own for this test's database."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if sys.platform != "linux" or os.geteuid() != 0:
        reason = "only the superuser of a Linux machine can mount a small disk"
        assert os.environ.get("CI") != "true", reason
        pytest.skip(reason)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "footnote-test", folder], check=True)
    try:
        yield Disk(folder)
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


async def component(client: Client, name: str) -> dict[str, str]:
    """The server's report on one of its components."""
    health = (await client.run(HEALTH))["health"]
    return next(part for part in health["components"] if part["name"] == name)


async def test_a_full_disk_refuses_writes_and_loses_nothing(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(disk.folder))
    model = Gated()
    with running(model):
        values = {"database_url": f"sqlite:///{disk.folder / 'footnote.db'}", **openai(model)}
        with serve(Settings.model_validate(values)) as url:
            async with httpx.AsyncClient(timeout=120) as http:
                client = Client(http, url)
                project = await client.project("Full")
                document = await client.ready(project, "Kept", "Words that stay readable.")
                session = await client.session(project, enableRag=False)
                answer = (await client.mutate(SEND, sessionId=session, content="Go on."))["answer"]["id"]
                async with client.socket() as socket:
                    await first_delta(subscribe(socket, EVENTS, id=answer))
                disk.fill()
                large = {"projectId": project, "title": "Large", "text": "Much text. " * 50_000}
                refused = await client.mutate(REFUSED, **large)
                assert (refused["__typename"], refused["service"]) == ("UnavailableError", "database")
                assert "full" in refused["message"]
                assert refused["retryAfterMs"] > 0
                database = await component(client, "database")
                assert database["status"] == "DOWN"
                assert "full" in database["detail"]
                [error] = await client.errors(CREATE_SESSION, input={"projectId": project})
                assert error["extensions"]["code"] == "UNAVAILABLE"
                response = await http.post(client.url, files=UPLOAD, headers={"GraphQL-Require-Preflight": "1"})
                assert (response.status_code, response.json()["errors"][0]["message"]) == (
                    507,
                    "The server has no room for files right now: No space left on device.",
                )
                kept = (await client.run(TITLE, id=document))["document"]
                assert kept["chunks"]["nodes"] == [{"text": "Words that stay readable."}]
                model.open.set()
                reading = asyncio.create_task(client.follow(EVENTS, id=answer))
                disk.free()
                events = await reading
                assert events[-1]["message"] == {
                    "status": "COMPLETED",
                    "content": "The first half, and the second.",
                    "outcome": "PASSED_THROUGH",
                }
                added = await client.mutate(ADD_TEXT, **large)
                assert added["__typename"] == "AddTextDocumentPayload"
                assert (await component(client, "database"))["status"] == "OK"


async def test_a_server_stops_with_a_full_disk_and_the_next_one_ends_its_answers(disk: Disk) -> None:
    model = Gated()
    with running(model):
        values = {"database_url": f"sqlite:///{disk.folder / 'footnote.db'}", **openai(model)}
        async with httpx.AsyncClient(timeout=120) as http:
            with serve(Settings.model_validate(values)) as url:
                client = Client(http, url)
                session = await client.session(await client.project("Full"), enableRag=False)
                answer = (await client.mutate(SEND, sessionId=session, content="Go on."))["answer"]["id"]
                async with client.socket() as socket:
                    await first_delta(subscribe(socket, EVENTS, id=answer))
                disk.fill()
            disk.free()
            with serve(Settings.model_validate(values)) as url:
                message = (await Client(http, url).run(MESSAGE, id=answer))["message"]
                assert message == {"status": "INTERRUPTED", "content": "The first half, "}
        model.open.set()


def test_what_starts_while_no_byte_is_left_says_that_the_disk_is_full(disk: Disk, tmp_path: Path) -> None:
    file = disk.folder / "footnote.db"
    newest.put(file)
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{file}"}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return run_footnote(*arguments, environment=environment)

    disk.fill()
    for arguments in (("documents", "list"), ("serve", "--port", "0"), ("backup", str(tmp_path / "copy.db"))):
        ended = run(*arguments)
        assert ended.returncode in {1, 2}
        assert ended.stderr.strip().endswith(f"(the disk of {disk.folder} is full).")
    disk.free()
    assert run("check").returncode == 0


def test_half_an_export_of_a_user_is_not_kept(disk: Disk, tmp_path: Path) -> None:
    newest.put(tmp_path / "footnote.db")
    command = ("user", "export", "owner@localhost", str(disk.folder / "owner.json"))
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{tmp_path}/footnote.db"}
    disk.fill()
    refused = run_footnote(*command, environment=environment)
    reason = "cannot be written: No space left on device."
    assert (refused.returncode, refused.stderr) == (1, f"footnote: {disk.folder}/owner.json {reason}\n")
    disk.free()
    done = run_footnote(*command, environment=environment)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_database_on_a_disk_that_became_read_only_can_be_backed_up(disk: Disk, tmp_path: Path) -> None:
    file, copy = disk.folder / "footnote.db", tmp_path / "copy.db"
    newest.put(file)
    with contextlib.closing(sqlite3.connect(file)) as db:
        db.execute(OWNER)
        db.commit()
    log_file = disk.folder / "footnote.db-wal"

    def back_up() -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "DATABASE_URL": f"sqlite:///{file}"}
        return run_footnote("backup", str(copy), environment=environment)

    log_file.write_bytes(b"what a crash has left")
    disk.set_writable(False)
    refused = back_up()
    assert refused.returncode == 1
    assert refused.stderr.startswith(f"footnote: {file} cannot be read: unable to open database file (")
    assert refused.stderr.endswith("its file system is read-only).\n")
    disk.set_writable(True)
    log_file.unlink()
    disk.set_writable(False)
    copied = back_up()
    assert (copied.returncode, copied.stderr) == (0, "")
    with contextlib.closing(sqlite3.connect(copy)) as db:
        assert db.execute("SELECT email FROM users").fetchall() == [("owner@localhost",)]


class Embedding(OpenAIServer):
    """An embedding model that waits while the test keeps the gate shut; `asked` is set once a request is waiting."""

    def __init__(self) -> None:
        super().__init__()
        self.open, self.asked = threading.Event(), threading.Event()
        self.open.set()

    def stop(self) -> None:
        self.open.set()

    async def _embed(self, request: Request) -> Response:
        if not self.open.is_set():
            self.asked.set()
            await asyncio.to_thread(self.open.wait)
        return await super()._embed(request)


async def test_a_document_resumes_after_a_full_disk_however_long_it_lasted(
    disk: Disk, caplog: pytest.LogCaptureFixture
) -> None:
    with running(Embedding()) as model:
        database = {"database_url": f"sqlite:///{disk.folder / 'footnote.db'}"}
        with serve(Settings.model_validate({**database, **openai(model), "embedding_model": "openai/embedder"})) as url:
            async with httpx.AsyncClient(timeout=120) as http:
                client = Client(http, url)
                project = await client.project("Full")
                await client.ready(project, "First", "It makes the space.")
                model.open.clear()
                text = "Much text. " * 2_000
                added = (await client.mutate(ADD_TEXT, projectId=project, title="Next", text=text))["document"]["id"]
                assert await asyncio.to_thread(model.asked.wait, 120)
                disk.fill()
                caplog.set_level(logging.DEBUG, "app.knowledge.ingestion.workers")
                model.open.set()
                async with asyncio.timeout(120):  # it could not be stored, and not be put back into the queue either
                    while sum("documents are waiting: " in record.getMessage() for record in caplog.records) < 2:
                        assert (await component(client, "database"))["status"] == "DOWN"
                        await pause()
                warned = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
                assert sum("documents are waiting: " in line for line in warned) == 1, "it is told once"
                disk.free()
                async with asyncio.timeout(120):
                    assert (await client.follow(INGESTION, document=added))[-1]["__typename"] == "IngestionCompleted"


async def test_cancelling_does_not_wait_for_a_full_disk(disk: Disk) -> None:
    with running(Gated()) as model:
        values = {"database_url": f"sqlite:///{disk.folder / 'footnote.db'}", **openai(model)}
        with serve(Settings.model_validate(values)) as url:
            async with httpx.AsyncClient(timeout=120) as http:
                client = Client(http, url)
                session = await client.session(await client.project("Full"), enableRag=False)
                answer = (await client.mutate(SEND, sessionId=session, content="Go on."))["answer"]["id"]
                async with client.socket() as socket:
                    await first_delta(subscribe(socket, EVENTS, id=answer))
                disk.fill()
                async with asyncio.timeout(120):
                    twice = await asyncio.gather(*(client.errors(CANCEL, input={"messageId": answer}) for _ in "12"))
                assert [error["extensions"]["code"] for [error] in twice] == ["UNAVAILABLE", "UNAVAILABLE"]
                assert "The answer was stopped" in twice[0][0]["message"]
                assert await asyncio.to_thread(model.left.wait, 120)
                disk.free()
                last = (await client.follow(EVENTS, id=answer))[-1]
                assert last["message"] == {"status": "CANCELLED", "content": "The first half, "}
        model.open.set()


def test_a_restore_that_fails_on_a_full_disk_leaves_no_part_of_a_copy(tmp_path: Path, disk: Disk) -> None:
    """The database is damaged, so that its bytes are kept as they are."""
    database = disk.folder / "footnote.db"
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{database}"}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "app", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=240)

    newest.put(tmp_path / "good.db")
    damaged = b"no database " * 500_000
    database.write_bytes(damaged)
    (disk.folder / "ballast").write_bytes(bytes(7_000_000))
    refused = run("restore", f"{tmp_path}/good.db")
    assert (refused.returncode, "No space left on device" in refused.stderr) == (1, True), refused.stderr
    assert sorted(each.name for each in disk.folder.iterdir()) == ["ballast", "footnote.db"]
    assert database.read_bytes() == damaged


def test_ingest_ends_where_the_temporary_folder_is_full(tmp_path: Path, disk: Disk) -> None:
    with running(OpenAIServer()) as model:
        folder = Folder(tmp_path, model, TMPDIR=str(disk.folder))
        (disk.folder / "ballast").write_bytes(bytes(15_500_000))
        (tmp_path / "large.pdf").write_bytes(b"%PDF-1.7\n" + bytes(3_000_000))
        with folder.started("ingest", "large.pdf", "-p", "Bees") as process:
            told = read_failure(process)
        assert told.startswith(f"footnote: No worker can read documents now: {disk.folder}: ")
        assert ": No space left on device. 0 of 1 document can be searched in Bees, 1 queued." in told
