"""Signals that reach all processes of a server, and one that is meant to reload it."""

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.graphql.client import Client
from tests.graphql.test_fair_ingestion import SLOW, upload
from tests.looking import pause
from tests.test_interrupts import rows
from tests.test_workers import ask, environment, footnote, read_children, stalling, variables, workers

__all__ = ["environment"]

pytestmark = [
    pytest.mark.sqlite,
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the limits of another process"),
]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_to_all_processes_fails_no_document(
    tmp_path: Path, environment: dict[str, str], number: signal.Signals
) -> None:
    """As systemd sends it. The server gives a running answer five seconds; the document goes back to the queue."""
    with stalling() as model, workers(tmp_path, {**environment, **variables(model)}, 1) as server:
        async with httpx.AsyncClient(timeout=60) as http:
            client = Client(http, server.url)
            await ask(client)
            await upload(client, await client.project("Slow"), SLOW)
            while not (model.chats and rows(tmp_path, "status = 'PROCESSING'") and is_read(server.process)):
                await pause()
        for process in (server.process.pid, *map(int, read_children(server.process.pid))):
            os.kill(process, number)
        assert server.process.wait(60) == 0
    assert rows(tmp_path, "status = 'QUEUED'") == 1


def is_read(process: subprocess.Popen[str]) -> bool:
    """Whether a process of its own reads a document: only then is its memory limited."""
    children = map(int, read_children(process.pid))
    return any(resource.prlimit(child, resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY for child in children)


@pytest.mark.parametrize("command", ["serve", "work"])
async def test_a_hangup_does_not_stop_a_single_process(
    tmp_path: Path, environment: dict[str, str], command: str
) -> None:
    """`systemctl reload` sends it, also where WORKERS=1; and a service that has ended well is not started again."""
    with footnote(tmp_path, environment, command, "--port", "0") as server:
        server.process.send_signal(signal.SIGHUP)
        while "SIGHUP reloads nothing here" not in server.log.read_text():
            assert server.process.poll() is None
            await pause()
        assert server.stop() == 0
