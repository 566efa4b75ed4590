"""Commands that wait for work in the background end where the database can be read but not written, and lose nothing.

Their clock runs sixty times as fast, so that the minute of their patience takes a second.
"""

import asyncio
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response

from tests.database.test_full_disk import Embedding
from tests.database.upkeep.databases import opened
from tests.servers.gated import Gated
from tests.servers.openai import OpenAIServer
from tests.servers.running import running
from tests.stalled import Folder, go_on_writing, read_failure, stop_writing

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the limits of a running process are set by Linux")

REASON = (
    "footnote: The database cannot be written to right now: disk I/O error "
    "(a quota, a limit on file sizes as set by `ulimit -f`, or a failing disk)."
)


class Stepwise(OpenAIServer):
    """An embedding model that answers one request for each `release` of the gate; `asked` counts those that came."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.gate = threading.Semaphore(0), threading.Semaphore(0)

    def stop(self) -> None:
        self.gate.release(100)

    async def _embed(self, request: Request) -> Response:
        self.asked.release()
        await asyncio.to_thread(self.gate.acquire)
        return await super()._embed(request)


class AskedAgain(Embedding):
    """Serves one request before the gate is looked at: a switch to it asks it how long its vectors are."""

    def __init__(self) -> None:
        super().__init__()
        self._has_served = False

    async def _embed(self, request: Request) -> Response:
        if self._has_served:
            return await super()._embed(request)
        self._has_served = True
        return await OpenAIServer._embed(self, request)


def stall(folder: Folder, model: Embedding, *arguments: str) -> str:
    """What a command tells last that can write nothing from the moment at which it has asked its model."""
    model.asked.clear()
    model.open.clear()
    with folder.started(*arguments) as process:
        assert model.asked.wait(120)
        stop_writing(process)
        model.open.set()
        return read_failure(process)


def test_ingest(tmp_path: Path) -> None:
    with running(Embedding()) as model:
        folder = Folder(tmp_path, model, EMBEDDING_MODEL="openai/embedder")
        told = stall(folder, model, "ingest", "bees.md", "-p", "Bees")
        left = "0 of 1 document can be searched in Bees, 1 queued. Run the same command again to continue."
        assert told == f"{REASON} {left}"
        assert folder.run("ingest", "bees.md", "-p", "Bees").startswith("Bees: 1 ingested (1 chunk)")


def test_ingest_goes_on_while_a_model_works_for_long_after_a_write_that_failed(tmp_path: Path) -> None:
    with running(Stepwise()) as model:
        folder = Folder(tmp_path, model, EMBEDDING_MODEL="openai/embedder")
        with folder.started("ingest", "bees.md", "-p", "Bees") as process:
            assert model.asked.acquire(timeout=120)
            stop_writing(process)
            model.gate.release()
            assert process.stderr is not None
            while "documents are waiting" not in process.stderr.readline():
                assert process.poll() is None
            go_on_writing(process)
            assert model.asked.acquire(timeout=120)
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(1.5)  # a minute and a half for the command
            model.stop()
            printed, told = process.communicate(timeout=120)
        assert printed.startswith("Bees: 1 ingested"), told


def test_ingest_without_workers_that_read(tmp_path: Path) -> None:
    """As where an upgrade has removed the Python that runs."""
    with running(OpenAIServer()) as model:
        folder = Folder(tmp_path, model, BROKEN_PYTHON=str(tmp_path / "python"))
        names = ("bats.html", "larks.html", "owls.html")
        for name in names:  # a few form a batch, and wait for more
            (tmp_path / name).write_text(f"<p>{name} hunt at night.")
        with folder.started("ingest", *names, "-p", "Bees") as process:
            told = read_failure(process)
        reason = f"No worker can read documents now: {tmp_path / 'python'}: No such file or directory."
        left = "0 of 3 documents can be searched in Bees, 3 queued. Run the same command again to continue."
        assert told == f"footnote: {reason} {left}"
        assert folder.run("ingest", *names, "-p", "Bees").startswith("Bees: 3 ingested")


def test_reembed(tmp_path: Path) -> None:
    with running(AskedAgain()) as model:
        folder = Folder(tmp_path, model)
        folder.run("ingest", "bees.md", "-p", "Bees")
        switch = ("reembed", "-p", "Bees", "-m", "openai/embedder")
        assert stall(folder, model, *switch) == REASON
        assert "1 chunk embedded with openai/embedder" in folder.run(*switch)


def test_repair(tmp_path: Path) -> None:
    with running(Embedding()) as model:
        folder = Folder(tmp_path, model, EMBEDDING_MODEL="openai/embedder")
        folder.run("ingest", "bees.md", "-p", "Bees")
        with opened(tmp_path / "footnote.db") as connection:
            connection.execute("UPDATE chunks SET position = 7")
        assert stall(folder, model, "check", "--repair") == REASON
        assert "agree." in folder.run("check", "--repair")


def test_repair_without_the_model(tmp_path: Path) -> None:
    with running(OpenAIServer()) as model:
        folder = Folder(tmp_path, model, EMBEDDING_MODEL="openai/embedder")
        folder.run("ingest", "bees.md", "-p", "Bees")
        with opened(tmp_path / "footnote.db") as connection:
            connection.execute("UPDATE chunks SET position = 7")
    with folder.started("check", "--repair") as process:
        told = read_failure(process)
    assert told.startswith("footnote: Bees has 1 document waiting for the embedding model: ")
    assert told.endswith(" `footnote serve` continues with them; then check again.")


def test_ask(tmp_path: Path) -> None:
    with running(Gated()) as model:
        folder = Folder(tmp_path, model, CHAT_MODEL="openai/chat")
        folder.run("ingest", "bees.md", "-p", "Bees")
        with folder.started("ask", "Hello?", "-p", "Bees", "--set", "enableRag=false") as process:
            assert process.stdout is not None
            assert process.stdout.read(len("The first half, ")) == "The first half, "
            stop_writing(process)
            model.open.set()
            told = read_failure(process)
    assert told.startswith(f"{REASON} The question is kept. Continue with: footnote chat --session ")
