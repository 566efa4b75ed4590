"""Measure a server's peak memory under each attack in turn, with a fresh server for each.

`python -m tests.bench memory` runs all of them, `… memory NAME` those that are named. The server, its parsers and the
model server are processes of their own; counted are the server and its children.
"""

import asyncio
import os
import tempfile
from contextlib import ExitStack

import httpx

from tests.bench import running
from tests.bench.measured import Row, tell
from tests.bench.resources import resident, sampled
from tests.bench.server.attacks import ATTACKS, MB, Attack, Server


async def measure(names: list[str]) -> list[Row]:
    """The peak memory under each attack, next to the same server's memory at rest."""
    unknown = set(names) - set(ATTACKS)
    if unknown:
        raise SystemExit(f"no such attack: {', '.join(sorted(unknown))}; there are {', '.join(ATTACKS)}")
    return [await _attacked(name, ATTACKS[name]) for name in names or ATTACKS]


async def _attacked(name: str, attack: Attack) -> Row:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        model = stack.enter_context(running.process("tests.servers.endless"))
        port = running.line(model)
        environment = {
            **os.environ,
            "DATABASE_URL": f"sqlite:///{folder}/memory.db",
            "OPENAI_BASE_URL": f"http://127.0.0.1:{port}/v1",
            "CHAT_MODEL": "openai/fine",
        }
        started = stack.enter_context(running.serving(environment))
        async with httpx.AsyncClient(timeout=120, limits=httpx.Limits(max_connections=None)) as http:
            server = Server(started.pid, started.url.removesuffix("/graphql"), http)
            await server.client.run("{ __typename }")
            at_rest = resident(server.pid)
            with sampled(server.pid) as peak:
                try:
                    async with asyncio.timeout(180):
                        await attack(server)
                except TimeoutError:
                    server.said["went on for 180 s"] += 1
                except Exception as error:  # of a server that is down nothing better can be said
                    server.said[type(error).__name__] += 1
            try:
                fine = (await http.get(f"{server.root}/health", timeout=20)).status_code
            except httpx.HTTPError as error:
                fine = type(error).__name__
        told = ", ".join(f"{count} × {what}" for what, count in server.said.most_common(4))
        tell(f"{name}: {told}")
        most = max(peak)
        said = f"peak {most / MB:.0f} MB; then health {fine}; {told}"
        return Row(name, said, f"at rest {at_rest / MB:.0f} MB", most / at_rest)
