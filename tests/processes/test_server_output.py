"""A server whose output nobody reads any more, or whose disk is full for it, serves and stops like any other."""

import sqlite3
import subprocess
import sys
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import IO

import httpx
import pytest

from tests.forks.commands import start_footnote
from tests.graphql.client import Client
from tests.looking import pause
from tests.processes.test_workers import HALF, GatedServer, ask, environment, variables, workers
from tests.servers.ports import closed_port
from tests.servers.running import running

__all__ = ["environment"]

pytestmark = [pytest.mark.sqlite, pytest.mark.skipif(sys.platform == "win32", reason="needs signals")]


@pytest.mark.parametrize("count", [1, 2])
async def test_a_server_stops_as_always_when_the_reader_of_its_output_is_gone(
    tmp_path: Path, environment: dict[str, str], count: int
) -> None:
    """As after `footnote serve | tee log` and Ctrl-C, which ends `tee`, too."""
    with running(GatedServer()) as model, workers(tmp_path, {**environment, **variables(model)}, count) as server:
        assert server.process.stdout
        server.process.stdout.close()
        async with httpx.AsyncClient(timeout=60) as http:
            await ask(Client(http, server.url))
            while not model.chats:
                await pause()
        server.process.terminate()
        model.gate.set()
        assert server.process.wait(60) == 0
    with closing(sqlite3.connect(tmp_path / "footnote.db")) as db:
        [found] = db.execute("SELECT status, content FROM messages WHERE role = 'ASSISTANT'").fetchall()
    assert found == ("COMPLETED", "".join(HALF))


@pytest.fixture
def full_disk() -> Generator[IO[str]]:
    """A file on one."""
    if not (device := Path("/dev/full")).exists():
        pytest.skip("there is no /dev/full")
    with device.open("w") as file:
        yield file


@pytest.mark.parametrize("command", ["serve", "work"])
async def test_a_server_starts_although_its_output_cannot_be_written(
    environment: dict[str, str], full_disk: IO[str], command: str
) -> None:
    port = str(closed_port())
    with start_footnote(
        *(command, "--port", port),
        environment={**environment, "ACCESS_LOG": "false"},
        stdout=full_disk,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            async with httpx.AsyncClient() as http:
                while not await is_alive(http, port):
                    assert process.poll() is None, process.communicate()
                    await pause()
            process.terminate()
            assert (process.communicate()[1], process.returncode) == ("", 0)
        finally:
            process.kill()


async def is_alive(http: httpx.AsyncClient, port: str) -> bool:
    try:
        return (await http.get(f"http://127.0.0.1:{port}/livez")).status_code == 200
    except httpx.ConnectError:
        return False
