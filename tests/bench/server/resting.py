"""Measure what a server does while nothing happens: CPU and writes, alone and with idle watchers of a project.

Beside it rests a bare relay: Starlette on uvicorn, with as many open sockets, which sends no pings.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path

import httpx

from tests.bench.measured import Aim, Row, at_most
from tests.bench.resources import children
from tests.bench.running import Server, commits, line, process, serving
from tests.bench.server.starting import until_read
from tests.graphql.client import INGESTION, Client, start

SECONDS = 60
WATCHERS = 200
# Parse workers end when they have had nothing to do for 30 seconds.
_LONGEST_SECONDS = 45
_WATCHED_SECONDS = 20
# Seconds in which everything that follows the last request has been done.
_SETTLED_SECONDS = 5


async def measure(seconds: int = SECONDS, watchers: int = WATCHERS) -> list[Row]:
    """A server with a few documents, and the relay beside it, at the same time."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        file = f"{folder}/rest.db"
        environment = {**os.environ, "DATABASE_URL": f"sqlite:///{file}", "SAMPLE_PROJECT": "true"}
        server = stack.enter_context(serving(environment))
        running = stack.enter_context(process("tests.bench.peers.bare_relay", "http://127.0.0.1:9/v1"))
        relay = Server(running.pid, line(running))
        await until_read(server)
        await _settle(server)
        rows = await _measure_rest(server, relay, file, seconds)
        return [*rows, await _measure_watched(server, relay, min(seconds, _WATCHED_SECONDS), watchers)]


async def _settle(server: Server) -> None:
    """Wait until the workers that read documents have ended."""
    until = time.monotonic() + _LONGEST_SECONDS
    while children(server.pid) and time.monotonic() < until:  # noqa: ASYNC110 - other processes tell nobody
        await asyncio.sleep(1)
    await asyncio.sleep(_SETTLED_SECONDS)


async def _measure_rest(server: Server, relay: Server, file: str, seconds: int) -> list[Row]:
    with commits(file) as written:
        await asyncio.sleep(1)  # the first look counts as a commit
        before, stamp = len(written), _written_at(file)
        ours, beside = await _spent([server, relay], seconds)
        count, is_untouched = len(written) - before, _written_at(file) == stamp
    limit = 0.1 * seconds / SECONDS
    return [
        Row(
            f"{seconds} s at rest",
            f"{ours:.2f} CPU s",
            f"bare relay {beside:.2f} CPU s",
            ours / beside if beside else None,
            at_most(limit, ours, "CPU s"),
        ),
        Row("  commits", f"{count}", aim=Aim("none", count == 0 and is_untouched)),
    ]


def _written_at(file: str) -> int:
    """When the log of writes was last written, which is also for those that commit nothing."""
    return Path(f"{file}-wal").stat().st_mtime_ns


async def _measure_watched(server: Server, relay: Server, seconds: int, watchers: int) -> Row:
    """Sockets that each follow one project, where nothing happens."""
    async with AsyncExitStack() as stack, httpx.AsyncClient(timeout=60) as http:
        client = Client(http, server.url.removesuffix("/graphql"))
        project = await client.project("Watched")
        for _ in range(watchers):
            socket = await stack.enter_async_context(client.socket())
            await start(socket, "all", INGESTION, project=project)
            await stack.enter_async_context(Client(http, relay.url.removesuffix("/graphql")).socket())
        await asyncio.sleep(_SETTLED_SECONDS)
        ours, beside = (spent / seconds for spent in await _spent([server, relay], seconds))
        return Row(
            f"{watchers} idle watchers of a project",
            f"{ours:.3f} of a core",
            f"bare relay's sockets {beside:.3f}",
            ours / beside if beside else None,
            at_most(0.03, ours, "of a core"),
        )


async def _spent(servers: Sequence[Server], seconds: float) -> list[float]:
    """CPU seconds that each of them used in the same time."""
    before = [server.cpu() for server in servers]
    await asyncio.sleep(seconds)
    return [server.cpu() - earlier for server, earlier in zip(servers, before, strict=True)]
