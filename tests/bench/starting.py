"""Measure starts: `--version`, a server to its address and to its first cited answer, and its memory at rest.

`python -m tests.bench.starting`. Each figure is the least of several runs, as a ratio to importing four libraries that
every such server imports: SQLAlchemy, Strawberry, Starlette and uvicorn. Files are read before, so the cache is warm.
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

from tests.bench.load import Server, serving
from tests.bench.measured import Row, table
from tests.bench.memory import resident
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

    def beside(self, other: "Spent") -> str:
        """Both, and their ratios to those of `other`."""
        return (
            f"    {self.wall:5.2f} s ({self.wall / other.wall:4.1f} ×)   "
            f"{self.cpu:5.2f} CPU s ({self.cpu / other.cpu:4.1f} ×)"
        )


async def measure() -> list[Row]:
    """Every kind of start, beside the imports."""
    beside = _least([_ran("-c", _BESIDE) for _ in range(_RUNS)])
    version = _least([_ran("-m", "app", "--version") for _ in range(_RUNS)])
    with tempfile.TemporaryDirectory() as folder:
        new = _least([_until_address(f"{folder}/new{run}.db")[0] for run in range(_RUNS)])
        environment = _environment(f"{folder}/kept.db")
        with serving(environment) as server:
            await _until_read(server)
        runs = [_until_address(f"{folder}/kept.db") for _ in range(_RUNS)]
        answers = [await _until_answer(environment) for _ in range(_RUNS)]
    return [
        ("the imports beside", beside.beside(beside)),
        ("footnote --version", version.beside(beside)),
        ("serve to address, new database", new.beside(beside)),
        ("serve to address", _least([spent for spent, _ in runs]).beside(beside)),
        ("serve to first cited answer", _least([spent for spent, _ in answers]).beside(beside)),
        ("memory at rest", f"    {min(memory for _, memory in runs) / 1e6:5.0f} MB"),
        ("memory after the first answer", f"    {min(memory for _, memory in answers) / 1e6:5.0f} MB"),
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


async def _until_read(server: Server) -> None:
    """Wait until all documents of the sample project can be searched."""
    async with httpx.AsyncClient(timeout=60) as http:
        client = Client(http, server.url.removesuffix("/graphql"))
        while True:
            project = (await client.run(_HANDBOOK))["projects"]["nodes"][0]
            if {document["status"] for document in project["documents"]["nodes"]} == {"READY"}:
                return
            await asyncio.sleep(0.2)


if __name__ == "__main__":
    table("Starts", asyncio.run(measure()))
