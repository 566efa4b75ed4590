"""Signals that reach all processes of a server, and one that is meant to reload it."""

import asyncio
import os
import resource
import signal
import sys
from pathlib import Path

import httpx
import pytest

from tests.forks.commands import FootnoteProcess
from tests.graphql.client import Client
from tests.graphql.documents.test_fair_ingestion import SLOW, upload
from tests.looking import pause
from tests.processes.test_interrupts import rows
from tests.processes.test_workers import HALF, ask, environment, footnote, read_children, stalling, variables, workers
from tests.servers.openai import OpenAIServer
from tests.servers.running import Break, Silence, running

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


def is_read(process: FootnoteProcess) -> bool:
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


async def test_requests_that_are_cut_off_are_told_so_and_logged_in_one_line(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    """Also those that have begun to answer, which can be told by nothing but the end of their connection."""
    chat = {"model": "openai/chat", "messages": [{"role": "user", "content": "Go on."}]}
    faults = [Silence(), Break("stall", after=2)]
    model = OpenAIServer(lambda _: HALF, faults=faults)
    with running(model), workers(tmp_path, {**environment, **variables(model)}, 1) as server:
        async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
            whole = asyncio.create_task(http.post("/v1/chat/completions", json=chat))
            while not model.chats:
                await pause()
            async with http.stream("POST", "/v1/chat/completions", json={**chat, "stream": True}) as stream:
                pieces = stream.aiter_text()
                await anext(pieces)
                server.process.terminate()
                with pytest.raises(httpx.RemoteProtocolError):
                    async for _ in pieces:
                        pass
            refused = await whole
        assert server.process.wait(60) == 0
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
    assert refused.json()["error"]["message"] == "The server is stopping, and has not finished this request."
    log = server.log.read_text()
    assert "2 requests did not end in time, and are cut off" in log
    assert "Traceback" not in log
