"""Load test: 200 answers at once at 50 tokens a second through one server; throughput, lag and CPU cost.

The server, the model, and the readers are processes of their own. Lag is counted per token, from the model's sending it
to a reader's having it. `python -m tests.bench load` runs it for a minute. Beside it stands a bare relay of the same
streams to the same readers, which stores nothing (see `bare_relay`).
"""

import asyncio
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise

import httpx

from tests.bench.measured import Aim, Row, at_most
from tests.bench.running import Server, commits, line, process, say, serving
from tests.graphql.client import SEND, Client

ANSWERS = 200
PER_SECOND = 50
SECONDS = 60
# How many of the answers are followed through a second server too.
ELSEWHERE = 50
# Memory is flat if it grows by less than that between the first and the last sample.
_FLAT = 1.1


@dataclass
class Cost:
    """What one server took while it carried the answers: CPU is in seconds per second."""

    cpu: float
    groups: float
    memory: Sequence[tuple[int, float]]  # seconds and MB
    readers: list[dict[str, float]]

    @property
    def token_microseconds(self) -> float:
        """CPU time per token."""
        return self.cpu / self.readers[0]["rate"] * 1e6


async def measure(seconds: int = SECONDS, answers: int = ANSWERS) -> list[Row]:
    """Measure one server alone, then a bare relay, then a server with readers on a second one over the same file."""
    ours = await measure_server(seconds, answers)
    bare = await _measure_relay(min(seconds, 20), answers)
    [_, elsewhere] = (await measure_server(min(seconds, 20), answers, min(ELSEWHERE, answers))).readers
    first, beside = ours.readers[0], bare.readers[0]
    each, least = ours.token_microseconds, bare.token_microseconds
    return [
        Row(
            f"{answers} answers at {PER_SECOND} tokens/s, {seconds} s",
            f"{first['rate']:,.0f} tokens/s in {first['events'] / (seconds + 2):,.0f} events/s",
            f"bare relay {beside['rate']:,.0f} tokens/s",
            first["rate"] / beside["rate"],
        ),
        _lag("lag of a token, p99", first, "bare relay", beside, at_most(100, first["p99"], "ms")),
        Row(
            "CPU of the server",
            f"{ours.cpu * 100:.0f} % of a core",
            f"bare relay {bare.cpu * 100:.0f} %",
            ours.cpu / bare.cpu,
            at_most(50, ours.cpu * 100, "%"),
        ),
        Row("CPU of a token", f"{each:.0f} µs", f"bare relay {least:.0f} µs", each / least, at_most(42, each, "µs")),
        _memory(ours.memory),
        Row("commits of the server", f"{ours.groups:.1f} /s"),
        _lag(f"lag at a second server, {min(ELSEWHERE, answers)} answers", elsewhere, "at the first", first),
    ]


def _memory(samples: Sequence[tuple[int, float]]) -> Row:
    (early, before), (late, after) = samples[0], samples[-1]
    flat = at_most(_FLAT, after / before)
    return Row(
        "memory of the server", f"{after:.0f} MB after {late} s", f"{before:.0f} after {early}", after / before, flat
    )


async def measure_server(seconds: int, answers: int, elsewhere: int = 0, code: str | None = None) -> Cost:
    """What a server takes while it carries so many answers, some of them to readers at a second server.

    `code`: the folder of another version.
    """
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        tokens = (seconds + 2) * PER_SECOND
        model = stack.enter_context(process("tests.bench.traffic.pacing", str(tokens), str(PER_SECOND)))
        environment = {
            **os.environ,
            "DATABASE_URL": f"sqlite:///{folder}/load.db",
            "MODEL_REQUESTS_AT_ONCE": str(answers),
            "MAX_RUNNING_ANSWERS_PER_USER": str(answers),
            "OPENAI_BASE_URL": f"http://127.0.0.1:{line(model)}/v1",
            "CHAT_MODEL": "openai/chat",
        }
        servers = [stack.enter_context(serving(environment, code)) for _ in range(2 if elsewhere else 1)]
        ids = await _asked(servers[0].url.removesuffix("/graphql"), answers, tokens)
        followed = [ids, ids[:elsewhere]][: len(servers)]
        with commits(f"{folder}/load.db") as written:
            return await _follow(stack, servers, followed, model, seconds, written)


async def _measure_relay(seconds: int, answers: int) -> Cost:
    with ExitStack() as stack:
        tokens = (seconds + 2) * PER_SECOND
        model = stack.enter_context(process("tests.bench.traffic.pacing", str(tokens), str(PER_SECOND)))
        relay = stack.enter_context(process("tests.bench.peers.bare_relay", f"http://127.0.0.1:{line(model)}/v1"))
        server = Server(relay.pid, line(relay).strip())
        return await _follow(stack, [server], [[str(number) for number in range(answers)]], model, seconds, [])


async def _follow(
    stack: ExitStack,
    servers: Sequence[Server],
    followed: Sequence[Sequence[str]],
    model: subprocess.Popen[str],
    seconds: int,
    committed: Sequence[float],
) -> Cost:
    """Follow answers through each server while the model speaks, and measure the first server."""
    readers = [stack.enter_context(process("tests.bench.traffic.followers", server.url)) for server in servers]
    for reader, some in zip(readers, followed, strict=True):
        say(reader, " ".join(some))
        line(reader)
    server = servers[0]
    say(model)
    await asyncio.sleep(1)
    began, cpu, written = time.monotonic(), server.cpu(), len(committed)
    memory: list[tuple[int, float]] = []
    for before, after in pairwise([0, *sorted({seconds // 6, seconds // 2, seconds})]):
        await asyncio.sleep(after - before)
        memory.append((after, server.memory()))
    took = time.monotonic() - began
    cpu, groups = (server.cpu() - cpu) / took, (len(committed) - written) / took
    figures = [json.loads(await asyncio.to_thread(line, reader)) for reader in readers]
    for got, some in zip(figures, followed, strict=True):
        # Figures of readers that missed something would say nothing.
        assert (got["ended"], got["gaps"]) == (len(some), 0), got
        assert got["fewest"] == got["most"] == (seconds + 2) * PER_SECOND, got
    return Cost(cpu, groups, memory, figures)


def _lag(name: str, ours: dict[str, float], peer: str, beside: dict[str, float], aim: Aim | None = None) -> Row:
    lag = f"{ours['p99']:.1f} ms, p50 {ours['p50']:.1f}, worst {ours['worst']:.1f}"
    return Row(name, lag, f"{peer} {beside['p99']:.1f} ms", ours["p99"] / beside["p99"], aim)


async def _asked(url: str, answers: int, max_tokens: int) -> list[str]:
    """Start this many answers and return their ids."""
    async with httpx.AsyncClient(timeout=60) as http:
        client = Client(http, url)
        project = await client.project("Load")
        sessions = [await client.session(project, enableRag=False, maxTokens=max_tokens) for _ in range(answers)]

        async def ask(session: str) -> str:
            return (await client.mutate(SEND, sessionId=session, content="Well?"))["answer"]["id"]

        return await asyncio.gather(*map(ask, sessions))
