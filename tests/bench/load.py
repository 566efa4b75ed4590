"""Load test: 200 answers at once at 50 tokens a second through one server; throughput, lag and CPU cost.

The server, the model, and the readers are processes of their own. Lag is counted per token, from the model's sending it
to a reader's having it. `python -m tests.bench load` runs it for a minute. Beside it stands a bare relay of the same
streams to the same readers, which stores nothing (see `bare_relay`).
"""

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import httpx

from tests.bench.measured import Row
from tests.graphql.client import SEND, Client

ANSWERS = 200
PER_SECOND = 50
SECONDS = 60
# How many of the answers are followed through a second server too.
ELSEWHERE = 50
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Server:
    """A running `footnote serve`: its process and its GraphQL address."""

    pid: int
    url: str

    def cpu(self) -> float:
        """CPU seconds used so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def memory(self) -> float:
        """Resident MB."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@dataclass
class Cost:
    """What one server took while it carried the answers: CPU is in seconds per second."""

    cpu: float
    groups: float
    memory: str
    readers: list[dict[str, float]]

    @property
    def token_microseconds(self) -> float:
        """CPU time per token."""
        return self.cpu / self.readers[0]["rate"] * 1e6

    def __str__(self) -> str:
        return f"    {self.cpu * 100:6.0f} % of one core, {self.token_microseconds:.0f} µs a token"


async def measure(seconds: int = SECONDS, answers: int = ANSWERS) -> list[Row]:
    """Measure one server alone, then a bare relay, then a server with readers on a second one over the same file."""
    ours = await _measure_server(seconds, answers, 0)
    bare = await _measure_relay(min(seconds, 20), answers)
    [_, elsewhere] = (await _measure_server(min(seconds, 20), answers, min(ELSEWHERE, answers))).readers
    first = ours.readers[0]
    return [
        ("answers at once", f"    {answers} at {PER_SECOND} tokens/s, for {seconds} s"),
        ("tokens through", f"    {first['rate']:6.0f} /s in {first['events'] / (seconds + 2):.0f} events/s"),
        ("lag of a token", _lag(first)),
        ("write groups", f"    {ours.groups:6.1f} /s"),
        ("CPU of the server", str(ours)),
        ("memory of the server", f"    {ours.memory}"),
        ("beside: a bare relay's lag", _lag(bare.readers[0])),
        ("beside: a bare relay's CPU", f"{bare}; ours / bare {ours.token_microseconds / bare.token_microseconds:.2f}"),
        (f"lag at a second server, {min(ELSEWHERE, answers)} answers", _lag(elsewhere)),
    ]


async def _measure_server(seconds: int, answers: int, elsewhere: int) -> Cost:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        tokens = (seconds + 2) * PER_SECOND
        model = stack.enter_context(process("tests.bench.pacing", str(tokens), str(PER_SECOND)))
        environment = {
            **os.environ,
            "DATABASE_URL": f"sqlite:///{folder}/load.db",
            "MODEL_REQUESTS_AT_ONCE": str(answers),
            "MAX_RUNNING_ANSWERS_PER_USER": str(answers),
            "OPENAI_BASE_URL": f"http://127.0.0.1:{line(model)}/v1",
            "CHAT_MODEL": "openai/chat",
        }
        servers = [stack.enter_context(serving(environment)) for _ in range(2 if elsewhere else 1)]
        ids = await _asked(servers[0].url.removesuffix("/graphql"), answers, tokens)
        followed = [ids, ids[:elsewhere]][: len(servers)]
        with _commits(f"{folder}/load.db") as commits:
            return await _follow(stack, servers, followed, model, seconds, commits)


async def _measure_relay(seconds: int, answers: int) -> Cost:
    with ExitStack() as stack:
        tokens = (seconds + 2) * PER_SECOND
        model = stack.enter_context(process("tests.bench.pacing", str(tokens), str(PER_SECOND)))
        relay = stack.enter_context(process("tests.bench.bare_relay", f"http://127.0.0.1:{line(model)}/v1"))
        server = Server(relay.pid, line(relay).strip())
        return await _follow(stack, [server], [[str(number) for number in range(answers)]], model, seconds, [])


async def _follow(
    stack: ExitStack,
    servers: Sequence[Server],
    followed: Sequence[Sequence[str]],
    model: subprocess.Popen[str],
    seconds: int,
    commits: Sequence[float],
) -> Cost:
    """Follow answers through each server while the model speaks, and measure the first server."""
    readers = [stack.enter_context(process("tests.bench.followers", server.url)) for server in servers]
    for reader, some in zip(readers, followed, strict=True):
        say(reader, " ".join(some))
        line(reader)
    server = servers[0]
    say(model)
    await asyncio.sleep(1)
    began, cpu, written = time.monotonic(), server.cpu(), len(commits)
    memory: list[str] = []
    for before, after in pairwise([0, *sorted({seconds // 6, seconds // 2, seconds})]):
        await asyncio.sleep(after - before)
        memory.append(f"{server.memory():.0f} MB at {after} s")
    took = time.monotonic() - began
    cpu, groups = (server.cpu() - cpu) / took, (len(commits) - written) / took
    figures = [json.loads(await asyncio.to_thread(line, reader)) for reader in readers]
    for got, some in zip(figures, followed, strict=True):
        # Figures of readers that missed something would say nothing.
        assert (got["ended"], got["gaps"]) == (len(some), 0), got
        assert got["fewest"] == got["most"] == (seconds + 2) * PER_SECOND, got
    return Cost(cpu, groups, ", ".join(memory), figures)


def _lag(figures: dict[str, float]) -> str:
    return f"p50 {figures['p50']:6.1f} ms   p99 {figures['p99']:6.1f} ms   worst {figures['worst']:6.1f} ms"


async def _asked(url: str, answers: int, max_tokens: int) -> list[str]:
    """Start this many answers and return their ids."""
    async with httpx.AsyncClient(timeout=60) as http:
        client = Client(http, url)
        project = await client.project("Load")
        sessions = [await client.session(project, enableRag=False, maxTokens=max_tokens) for _ in range(answers)]

        async def ask(session: str) -> str:
            return (await client.mutate(SEND, sessionId=session, content="Well?"))["answer"]["id"]

        return await asyncio.gather(*map(ask, sessions))


@contextmanager
def process(
    *command: str, env: dict[str, str] | None = None, stderr: int | None = None
) -> Generator[subprocess.Popen[str]]:
    """Run a Python module with pipes; kill it at the end."""
    arguments, pipe = [sys.executable, "-m", *command], subprocess.PIPE
    with subprocess.Popen(arguments, text=True, stdin=pipe, stdout=pipe, stderr=stderr, env=env) as running:
        try:
            yield running
        finally:
            running.kill()


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def say(process: subprocess.Popen[str], line: str = "") -> None:
    """Write a line to the standard input of a process."""
    assert process.stdin is not None
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


@contextmanager
def serving(environment: dict[str, str]) -> Generator[Server]:
    with process("app", "serve", "--port", "0", env=environment, stderr=subprocess.DEVNULL) as running:
        assert running.stdout is not None
        url = next(word for line in running.stdout for word in line.split() if word.endswith("/graphql"))
        yield Server(running.pid, url)


@contextmanager
def _commits(path: str) -> Generator[list[float]]:
    """The times of commits, as another connection sees them, sampled more often than the journal writes."""
    seen: list[float] = []
    stop = threading.Event()

    def watch() -> None:
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        last = None
        while not stop.wait(0.004):
            version = connection.execute("PRAGMA data_version").fetchone()[0]
            if version != last:
                seen.append(time.monotonic())
                last = version
        connection.close()

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield seen
    finally:
        stop.set()
        thread.join()


async def _alone() -> None:
    for name, value in await measure(*map(int, sys.argv[1:])):
        print(f"{name:34} {value}")


if __name__ == "__main__":
    asyncio.run(_alone())
