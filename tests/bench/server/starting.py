"""Measure starts: `--version`, a server to its address and to its first cited answer, and its memory at rest.

Each figure is the least of several runs, beside importing four libraries that every such server imports: SQLAlchemy,
Strawberry, Starlette and uvicorn. Files are read before, so the cache is warm.
"""

import asyncio
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

import httpx

from tests.bench.measured import Aim, Row, at_most
from tests.bench.resources import resident
from tests.bench.running import Server, serving
from tests.graphql.client import EVENTS, SEND, Client

_RUNS = 5
_BESIDE = "import sqlalchemy, strawberry, starlette, uvicorn"
_QUESTION = "Which document formats can Footnote read?"
_REST_SECONDS = 3.0
_HANDBOOK = "{ projects(first: 1) { nodes { id documents(first: 50) { nodes { status } } } } }"
_OUTCOME = "query($id: ID!) { message(id: $id) { status outcome citations { index } } }"


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds by the clock, and of CPU."""

    wall: float
    cpu: float

    def compared(self, name: str, imports: "Spent", aim: Aim | None = None) -> Row:
        """The ratio is that of CPU, on which others on this machine have less influence."""
        measured = f"{self.cpu:.2f} CPU s, {self.wall:.2f} s"
        return Row(name, measured, f"the imports {imports.cpu:.2f} CPU s", self.cpu / imports.cpu, aim)


async def measure() -> list[Row]:
    """Every kind of start, beside the imports."""
    beside = _least([_ran("-c", _BESIDE) for _ in range(_RUNS)])
    version = _least([_ran("-m", "app", "--version") for _ in range(_RUNS)])
    with tempfile.TemporaryDirectory() as folder:
        new = _least([_until_address(f"{folder}/new{run}.db")[0] for run in range(_RUNS)])
        environment = _environment(f"{folder}/kept.db")
        with serving(environment) as server:
            await until_read(server)
        runs = [_until_address(f"{folder}/kept.db") for _ in range(_RUNS)]
        answers = [await _until_answer(environment) for _ in range(_RUNS)]
    first = _least([spent for spent, _ in answers])
    return [
        version.compared("footnote --version", beside, at_most(0.3, version.cpu, "CPU s")),
        new.compared("serve to address, new database", beside),
        _least([spent for spent, _ in runs]).compared("serve to address", beside),
        first.compared("serve to first cited answer", beside, at_most(2, first.wall, "s")),
        *_memory(min(memory for _, memory in runs), min(memory for _, memory in answers)),
    ]


def _memory(rest: int, answered: int) -> list[Row]:
    command = [sys.executable, "-c", f"{_BESIDE}; print(open('/proc/self/statm').read().split()[1])"]
    pages = int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    imports = pages * os.sysconf("SC_PAGE_SIZE")
    return [
        Row(name, f"{memory / 1e6:.0f} MB", f"the imports {imports / 1e6:.0f} MB", memory / imports)
        for name, memory in (("memory at rest", rest), ("memory after the first answer", answered))
    ]


def _least(runs: list[Spent]) -> Spent:
    return Spent(min(run.wall for run in runs), min(run.cpu for run in runs))


def _environment(file: str) -> dict[str, str]:
    return {**os.environ, "DATABASE_URL": f"sqlite:///{file}", "SAMPLE_PROJECT": "true"}


def _ran(*arguments: str) -> Spent:
    """What a process of Python takes, from its start to its end."""
    used, start = _of_children(), time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return Spent(time.perf_counter() - start, _of_children() - used)


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _until_address(file: str) -> tuple[Spent, int]:
    """What a server takes until it prints its address, and its memory a little later."""
    start = time.perf_counter()
    with serving(_environment(file)) as server:
        spent = Spent(time.perf_counter() - start, server.cpu())
        time.sleep(_REST_SECONDS)
        return spent, resident(server.pid)


async def _until_answer(environment: dict[str, str]) -> tuple[Spent, int]:
    """What a server takes until it has answered a question with citations, and its memory then."""
    start = time.perf_counter()
    with serving(environment) as server:
        async with httpx.AsyncClient(timeout=60) as http:
            client = Client(http, server.url.removesuffix("/graphql"))
            project = (await client.run(_HANDBOOK))["projects"]["nodes"][0]["id"]
            sent = await client.mutate(SEND, sessionId=await client.session(project), content=_QUESTION)
            await client.follow(EVENTS, id=sent["answer"]["id"])
            spent = Spent(time.perf_counter() - start, server.cpu())
            answer = (await client.run(_OUTCOME, id=sent["answer"]["id"]))["message"]
        # The time to anything else would say nothing.
        assert answer["status"] == "COMPLETED", answer
        assert answer["citations"], answer
        return spent, resident(server.pid)


async def until_read(server: Server) -> None:
    """Wait until all documents of the sample project can be searched."""
    async with httpx.AsyncClient(timeout=60) as http:
        client = Client(http, server.url.removesuffix("/graphql"))
        while True:
            project = (await client.run(_HANDBOOK))["projects"]["nodes"][0]
            if {document["status"] for document in project["documents"]["nodes"]} == {"READY"}:
                return
            await asyncio.sleep(0.2)
