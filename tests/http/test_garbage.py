"""What a request leaves behind is freed: large requests that are refused do not fill the memory."""

import asyncio
import gc
import re
import weakref
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
import typer

from app import errors
from app.cli.running import ExitCode, run_command
from app.cli.server.garbage import FULL_EVERY_BYTES, GarbageCollector
from app.database import models
from app.http.disconnects import run_while_connected
from tests.answers import Start
from tests.graphql.client import ADD_TEXT, Client
from tests.looking import until
from tests.serving import serve_in_process

_PATIENCE = 120
_MB = 1_000_000


class Body:
    """Something that a request holds."""


@contextmanager
def no_collections() -> Generator[None]:
    """Only reference counting frees objects."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def test_garbage_is_collected_again_once_a_command_has_loaded() -> None:
    collecting: list[bool] = []

    async def work() -> ExitCode:
        collecting.append(gc.isenabled())
        await asyncio.sleep(0)
        collecting.append(gc.isenabled())
        return ExitCode.OK

    with no_collections(), pytest.raises(typer.Exit):
        run_command(work)
    gc.unfreeze()
    assert collecting == [False, True]


def resident_bytes(pid: int) -> int:
    """The memory of a process, as Linux counts it."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text(encoding="utf-8"))
    assert found is not None
    return int(found[1]) * 1024


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux")
async def test_large_refused_requests_do_not_fill_the_memory(tmp_path: Path) -> None:
    environment = {"DATABASE_URL": f"sqlite:///{tmp_path}/garbage.db", "CHAT_MODEL": "embedded/extractive"}
    question = {"role": "user", "content": "a" * 6 * _MB}
    with serve_in_process(environment, folder=tmp_path, is_measured=True) as (process, address):
        async with httpx.AsyncClient(timeout=_PATIENCE) as http:
            client = Client(http, address)
            project = await client.project("Docs")
            await client.mutate(ADD_TEXT, projectId=project, title="T", text="Some words.", idempotencyKey="key")
            sizes: list[int] = []
            for _ in range(3):
                for _ in range(20):
                    chat = {"index_name": "nope", "messages": [question]}
                    assert (await http.post(f"{address}/v1/chat/completions", json=chat)).status_code == 404
                    text = "b" * (_MB - 1000)
                    added = await client.mutate(ADD_TEXT, projectId=project, title="T", text=text, idempotencyKey="key")
                    assert added["__typename"] == "ConflictError", added
                sizes.append(resident_bytes(process.pid))
            # 280 MB were sent since the first measurement.
            assert sizes[-1] - sizes[0] < 60 * _MB, sizes


async def test_a_request_that_fails_is_freed_at_once() -> None:
    async def receive() -> dict[str, str]:
        await asyncio.sleep(_PATIENCE)
        return {"type": "http.disconnect"}

    async def refuse(body: Body) -> None:
        await asyncio.sleep(0)
        raise errors.NotFound("project", str(id(body)))

    async def serve() -> weakref.ref[Body]:
        body = Body()
        with pytest.raises(errors.NotFound):
            await run_while_connected(refuse(body), receive)
        return weakref.ref(body)

    with no_collections():
        held = await serve()
        await asyncio.sleep(0)  # the tasks that were cancelled end
        assert held() is None


async def test_rows_are_freed_with_their_operation(start: Start) -> None:
    """They can be megabytes, and a hundred small requests are no reason to collect garbage."""
    client = start()
    project = await client.project("Docs")
    await client.session(project, systemPrompt="x" * 1_000)
    with no_collections():
        await client.run("query($id: ID!) { project(id: $id) { chatSessions { nodes { systemPrompt } } } }", id=project)
        await until(are_rows_freed)  # the operation ends just after its response has been sent


async def are_rows_freed() -> bool:
    return not any(isinstance(each, models.ChatSession) for each in gc.get_objects())


def test_garbage_is_collected_after_so_many_bytes() -> None:
    collector = GarbageCollector()
    body = Body()
    body.__dict__["itself"] = body
    held = weakref.ref(body)
    with no_collections():
        gc.collect()
        del body
        collector.count_received(FULL_EVERY_BYTES)
        assert held() is None
