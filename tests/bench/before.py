"""Measure this version beside version 0.1, in turns on the same machine: documents, turns, and streamed tokens.

Version 0.1 is taken from the history of this repository, which must be whole, and runs with today's libraries.
"""

import io
import os
import secrets
import subprocess
import tarfile
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

import httpx

from tests.bench.answers.load import measure_server
from tests.bench.documents.small_documents import BATCH, CLIENTS, add_texts, small_texts
from tests.bench.measured import Row, at_least, at_most
from tests.bench.running import Server, line, process, serving
from tests.bench.search.searching import numbered_texts
from tests.bench.traffic import crowd
from tests.graphql.client import Client

_VERSION = "45db38514b2d22a45e8884f722396b1925beecde"
_ROUNDS = 3
_USERS, _TURNS = 32, 3
# Chunks of a document; version 0.1 takes long for many documents.
_CHUNKS = 25
# What version 0.1 can carry: more and it falls behind, and sends many tokens together.
_ANSWERS, _STREAMING_SECONDS = 50, 12


@dataclass(frozen=True, slots=True)
class _Figures:
    """Documents and turns per second, and milliseconds of CPU of a turn. Version 0.1 has no batches."""

    one_by_one: float
    batches: float
    turns: float
    turn: float


class _Version:
    """One version, running, with a project to ask."""

    def __init__(self, server: Server, http: httpx.AsyncClient, *, has_batches: bool) -> None:
        self._server = server
        self._client = Client(http, server.url.removesuffix("/graphql"))
        self._has_batches = has_batches
        self._asked = ""

    async def fill(self, texts: Sequence[str]) -> None:
        """Make the project to ask."""
        parts = ["\n\n".join(texts[at : at + _CHUNKS]) for at in range(0, len(texts), _CHUNKS)]
        self._asked = await self._client.project("asked")
        titled = [(f"Part {number}", part) for number, part in enumerate(parts)]
        await add_texts(self._client, self._server, titled, self._asked, together=1)

    async def measure(self, model: Server, count: int) -> _Figures:
        """Let many ask, and add so many documents to new projects; in the other order, what an addition has going on in
        the background would count as turns.
        """
        load = await crowd.take_turns([self._server], self._asked, model, _USERS, _TURNS)
        one_by_one = await self._add(count, 1)
        batches = await self._add(count, BATCH) if self._has_batches else one_by_one
        return _Figures(one_by_one, batches, load.rate, load.servers * 1000)

    async def _add(self, count: int, together: int) -> float:
        project = await self._client.project(f"added {secrets.token_hex(8)}")
        speed, _ = await add_texts(self._client, self._server, small_texts(count), project, together=together)
        return speed


async def measure(count: int = 1000, chunks: int = 10_000) -> list[Row]:
    """Documents of 120 words, turns of many users in a project of so many chunks, and the CPU of a streamed token."""
    with tempfile.TemporaryDirectory() as folder:
        code = _unpack(f"{folder}/code")
        figures = await _measure_in_turns(folder, code, count, chunks)
        tokens = [await measure_server(_STREAMING_SECONDS, _ANSWERS, code=one) for one in (None, code)]
    now, before = (_find_best(rounds) for rounds in zip(*figures, strict=True))
    token, earlier = (cost.token_microseconds for cost in tokens)
    streamed = f"CPU of a token, {_ANSWERS} answers at once"
    return [
        _row(f"documents one by one, {CLIENTS} clients", now.one_by_one, before.one_by_one, 8),
        _row(f"{BATCH} in a mutation, beside one by one", now.batches, before.batches, 15),
        _row(f"turns, {_USERS} at once", now.turns, before.turns, 3),
        _cost("  CPU of a turn", f"{now.turn:.1f} ms", f"{before.turn:.1f} ms", now.turn / before.turn),
        _cost(streamed, f"{token:.0f} µs", f"{earlier:.0f} µs", token / earlier, 0.4),
    ]


async def _measure_in_turns(folder: str, code: str, count: int, chunks: int) -> list[list[_Figures]]:
    """The figures of this version and of the one before, in each round."""
    texts = list(numbered_texts(chunks))
    async with AsyncExitStack() as stack:
        running_model = stack.enter_context(process("tests.bench.traffic.instant"))
        address = f"http://127.0.0.1:{line(running_model)}/v1"
        http = await stack.enter_async_context(httpx.AsyncClient(timeout=60))
        versions: list[_Version] = []
        for name, folder_of_code in (("now", None), ("before", code)):
            environment = _environment(f"sqlite:///{folder}/{name}.db", address)
            server = stack.enter_context(serving(environment, folder_of_code))
            versions.append(_Version(server, http, has_batches=folder_of_code is None))
        for version in versions:
            await version.fill(texts)
        model = Server(running_model.pid, "")
        return [[await version.measure(model, count) for version in versions] for _ in range(_ROUNDS)]


def _environment(database_url: str, model: str) -> dict[str, str]:
    return {
        **os.environ,
        "DATABASE_URL": database_url,
        "OPENAI_BASE_URL": model,
        "CHAT_MODEL": "openai/chat",
        "MAX_QUEUED_DOCUMENTS": "100000",
        "MAX_QUEUED_DOCUMENTS_PER_PROJECT": "100000",
        "MAX_RUNNING_ANSWERS_PER_USER": str(_USERS),
        "MODEL_REQUESTS_AT_ONCE": str(_USERS),
    }


def _unpack(folder: str) -> str:
    """Version 0.1 in a new folder."""
    archive = subprocess.run(["git", "archive", _VERSION], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(folder, filter="data")
    return folder


def _find_best(rounds: Sequence[_Figures]) -> _Figures:
    """Of each figure the best: what else the machine does only makes them worse."""
    return _Figures(
        max(one.one_by_one for one in rounds),
        max(one.batches for one in rounds),
        max(one.turns for one in rounds),
        min(one.turn for one in rounds),
    )


def _row(name: str, now: float, before: float, least: float) -> Row:
    ratio = now / before
    return Row(name, f"{now:.1f} /s", f"version 0.1 {before:.1f} /s", ratio, at_least(least, ratio))


def _cost(name: str, now: str, before: str, ratio: float, limit: float | None = None) -> Row:
    return Row(name, now, f"version 0.1 {before}", ratio, None if limit is None else at_most(limit, ratio))
