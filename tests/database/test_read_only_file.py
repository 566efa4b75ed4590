"""A database file that cannot be written for a while: health says so, and work goes on once it can be written."""

import os
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import httpx
import pytest

from tests import newest
from tests.cli.test_sources import WITHOUT_CAPABILITIES
from tests.graphql.client import Client


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    newest.put(tmp_path / "footnote.db")
    return tmp_path


@pytest.fixture
def address(folder: Path) -> Generator[str]:
    """A server that may write a file only if its mode says so, as that of an ordinary user."""
    program = (sys.executable, "-c", WITHOUT_CAPABILITIES) if os.geteuid() == 0 else (sys.executable,)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "SAMPLE_PROJECT": "false"}
    command = [*program, "-m", "app", "serve", "--port", "0"]
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = next(word for line in process.stdout for word in line.split() if word.endswith("/graphql"))
        yield url.removesuffix("/graphql")
        process.kill()


def set_mode(folder: Path, mode: int) -> None:
    """Of the database and the files beside it."""
    for file in folder.glob("footnote.db*"):
        if file.is_file():
            file.chmod(mode)


@pytest.mark.skipif(sys.platform == "win32", reason="modes of files mean something else there")
async def test_connections_that_were_opened_meanwhile_are_replaced(folder: Path, address: str) -> None:
    set_mode(folder, 0o400)  # before any client has made the server write
    async with httpx.AsyncClient(timeout=60) as http:
        health = (await http.get(f"{address}/health")).json()["components"]["database"]
        assert health["status"] == "DOWN" and "readonly database" in health["detail"]
        set_mode(folder, 0o600)
        assert (await http.get(f"{address}/readyz")).status_code == 200
        client = Client(http, address)
        await client.ready(await client.project("Bees"), "Bees", "Bees make honey in hives.")
