"""Turns per second of one, two and four servers on one PostgreSQL, and what they cost.

Half of the turns search a document of some hundred passages. The model answers at once, so that the turns are all that
there is to do.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.bench.measured import Row
from tests.bench.running import Server, line, process, serving
from tests.bench.search.searching import numbered_texts
from tests.bench.texts import questions
from tests.graphql.client import SEND, Client, received, start
from tests.outages.nodes import PostgresNode

_COUNTS = (1, 2, 4)
_USERS, _TURNS = 32, 4
_TEXTS = 300
_FOLLOW = "subscription($id: ID!) { answerEvents(messageId: $id) { __typename sequence } }"


@dataclass(frozen=True, slots=True)
class _Used:
    """CPU seconds."""

    servers: float
    database: float
    beside: float

    def since(self, before: "_Used") -> "_Used":
        return _Used(self.servers - before.servers, self.database - before.database, self.beside - before.beside)


async def measure() -> list[Row]:
    """Each number of servers, with the same users, who ask as fast as they can."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        place = Path(folder)
        await asyncio.to_thread(place.chmod, 0o755)  # PostgreSQL runs as another user
        node = stack.enter_context(PostgresNode(place))
        model = stack.enter_context(process("tests.bench.traffic.instant"))
        environment = {
            **os.environ,
            "DATABASE_URL": node.url(),
            "OPENAI_BASE_URL": f"http://127.0.0.1:{line(model)}/v1",
            "CHAT_MODEL": "openai/chat",
            "SAMPLE_PROJECT": "false",
            "MAX_RUNNING_ANSWERS_PER_USER": str(_USERS),
        }
        servers = [stack.enter_context(serving(environment)) for _ in range(max(_COUNTS))]
        async with httpx.AsyncClient(timeout=120) as http:
            client = Client(http, servers[0].url.removesuffix("/graphql"))
            project = await client.project("Languages")
            await client.ready(project, "Reference", "\n\n".join(numbered_texts(_TEXTS)))
        rows: list[Row] = []
        alone = 0.0
        for count in _COUNTS:  # those that nobody asks are idle
            rate, used = await _take_turns(servers[:count], project, node, Server(model.pid, ""))
            alone = alone or rate
            each = [seconds / _USERS / _TURNS * 1000 for seconds in (used.servers, used.database, used.beside)]
            bound = (os.cpu_count() or 1) / sum(each) * 1000
            rows += [
                Row(f"turns, servers: {count}", f"{rate:.1f} /s", f"one server {alone:.1f} /s", rate / alone),
                Row("  all cores busy at this cost", f"{bound:.1f} /s", f"one server {alone:.1f} /s", bound / alone),
                Row("  CPU of a turn", f"servers {each[0]:.1f} ms, PostgreSQL {each[1]:.1f}, users {each[2]:.1f}"),
            ]
        return rows


async def _take_turns(
    servers: Sequence[Server], project: str, node: PostgresNode, model: Server
) -> tuple[float, _Used]:
    """Turns per second, and what they used."""

    def used() -> _Used:
        return _Used(sum(server.cpu() for server in servers), node.cpu(), time.process_time() + model.cpu())

    async with httpx.AsyncClient(timeout=120) as http:
        clients = [Client(http, server.url.removesuffix("/graphql")) for server in servers]
        for client in clients:
            await _converse(client, project, 2)  # everything is loaded
        before, began = used(), time.perf_counter()
        await asyncio.gather(*(_converse(clients[user % len(clients)], project, _TURNS) for user in range(_USERS)))
        return _USERS * _TURNS / (time.perf_counter() - began), used().since(before)


async def _converse(client: Client, project: str, turns: int) -> None:
    asked = questions()
    async with client.socket() as socket:
        for number in range(turns):
            session = await client.session(project, enableRag=number % 2 == 0)
            sent = await client.mutate(SEND, sessionId=session, content=asked[number % len(asked)])
            await start(socket, str(number), _FOLLOW, id=sent["answer"]["id"])
            while (await received(socket))["type"] == "next":
                pass
