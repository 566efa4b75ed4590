"""Measure whole turns and searches beside the same work done by hand: the same statements on the raw driver."""

import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial

import httpx

from app.knowledge.search.queries import SearchQuery
from app.services import open_backend
from app.settings import Settings
from tests.bench.measured import Row, at_least, compare_times, timed
from tests.bench.peers import by_hand
from tests.bench.running import Server, line, process, serving
from tests.bench.search.searching import fill_project, numbered_texts
from tests.bench.texts import questions
from tests.bench.traffic import crowd
from tests.bench.traffic.crowd import Load
from tests.graphql.client import Client

_TURNS = 60
_AT_ONCE = 32
_RUNS = 3
_PEER_BATCH = 500
# What is aimed at: times the parts by hand; turns per second, three times those of version 0.1, each of which took
# 141 ms of the one core that a server can use (`before` measures that one itself); and times the turns of one server.
_PARTS_LIMIT = 2.5
_SETTLE_SECONDS = 3.0  # the second worker starts after the first has said that it serves
_LEAST_RATE = 21.0
_TWO_LIMIT = 1.6


async def measure(size: int = 10_000) -> list[Row]:
    """Turns over GraphQL, one by one and 32 at once, against a model that answers at once."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        url = f"sqlite:///{folder}/bench.db"
        async with open_backend(Settings.model_validate({"database_url": url}), "serve") as footnote:
            project = await fill_project(footnote, size)
            search = footnote.knowledge.search.search_project
            await search(project, SearchQuery("warm"))
            asked = questions()[:_TURNS]
            searches = [await timed(partial(search, project, SearchQuery(question))) for question in asked]
            embedder = footnote.models.embedding_model(footnote.settings.embedding_model)
            vectors = await embedder.embed_texts(asked, "query")
        running_model = stack.enter_context(process("tests.bench.traffic.instant"))
        model = int(line(running_model))
        with by_hand.opened(f"{folder}/bench.db") as connection:
            raw = by_hand.RawSearch(connection)
            statements = [raw.search(question, vector) for question, vector in zip(asked, vectors, strict=True)]
            parts = statistics.median(statements) + by_hand.rest_of_turn(connection, model)
        environment = _environment(url, model)
        server = stack.enter_context(serving(environment))
        async with httpx.AsyncClient(timeout=60) as http:
            client = Client(http, server.url.removesuffix("/graphql"))
            name = (await client.run("{ projects(last: 1) { nodes { id } } }"))["projects"]["nodes"][0]["id"]
            await _take_turns(name, 10, server)
            alone, cpu = await _take_turns(name, _TURNS, server)
            loads = await _measure_many(stack, environment, server, Server(running_model.pid, ""), name)
            peer_alone, peer_many = await _measure_peer(http, stack, model, numbered_texts(size))
        return [
            compare_times(f"search, {size:,} chunks", searches, "statements by hand", statements),
            compare_times(f"turn, {size:,} chunks", alone, "parts by hand", [parts], _PARTS_LIMIT),
            compare_times(f"turn, {size:,} chunks", alone, "naive peer", peer_alone),
            *_rows_of_many(cpu, loads, peer_many),
        ]


def _environment(database_url: str, model: int) -> dict[str, str]:
    return {
        **os.environ,
        "DATABASE_URL": database_url,
        "OPENAI_BASE_URL": f"http://127.0.0.1:{model}/v1",
        "CHAT_MODEL": "openai/chat",
        "MAX_RUNNING_ANSWERS_PER_USER": str(_AT_ONCE),
        "MODEL_REQUESTS_AT_ONCE": str(_AT_ONCE),
    }


def _rows_of_many(cpu: float, loads: Sequence[Load], peer: float) -> list[Row]:
    one, two, pinned = loads
    name, alone = f"turns, {_AT_ONCE} at once", f"one server {one.rate:.1f} /s"
    shares = f"alone {cpu * 1000:.1f} ms"
    both = two.rate / one.rate
    return [
        Row(
            name,
            f"{one.rate:.1f} /s",
            f"naive peer {peer:.1f} /s",
            one.rate / peer,
            at_least(_LEAST_RATE, one.rate, "/s"),
        ),
        Row("  CPU of a turn", f"{one.servers * 1000:.1f} ms", shares, one.servers / cpu),
        Row(f"{name}, two servers on the file", f"{two.rate:.1f} /s", alone, both, at_least(_TWO_LIMIT, both)),
        Row("  all cores busy at this cost", f"{two.bound:.1f} /s", alone, two.bound / one.rate),
        Row("  what two servers use", two.description),
        Row(f"{name}, two workers on a core each", f"{pinned.rate:.1f} /s", alone, pinned.rate / one.rate),
        Row("  what two workers use", pinned.description),
    ]


async def _measure_peer(
    http: httpx.AsyncClient, stack: ExitStack, model: int, texts: Sequence[str]
) -> tuple[list[float], float]:
    """Milliseconds of each chat of the naive peer with the same texts, and chats per second."""
    peer = stack.enter_context(process("tests.bench.peers.naive_peer", f"http://127.0.0.1:{model}/v1/"))
    url = f"http://127.0.0.1:{line(peer)}"
    for first in range(0, len(texts), _PEER_BATCH):
        (await http.post(f"{url}/documents", json=texts[first : first + _PEER_BATCH])).raise_for_status()
    asked = questions()

    async def ask(number: int) -> None:
        response = await http.post(f"{url}/chat", json=asked[number % len(asked)])
        assert response.text.endswith('[1]."'), response.text

    await ask(0)
    alone = [await timed(partial(ask, number)) for number in range(_TURNS)]

    async def ask_several(user: int) -> None:
        for number in range(5):
            await ask(user * 5 + number)

    began = time.perf_counter()
    await asyncio.gather(*map(ask_several, range(_AT_ONCE)))
    return alone, _AT_ONCE * 5 / (time.perf_counter() - began)


async def _take_turns(project: str, count: int, server: Server) -> tuple[list[float], float]:
    """Milliseconds of each turn, from the question to the last event; and the server's CPU seconds for each."""
    asked = questions()
    times: list[float] = []
    user = await crowd.User.arrive(server)
    cpu = server.cpu()
    for number in range(count):
        session = await user.begin_session(project)
        times.append(await timed(partial(user.take_turn, session, asked[number % len(asked)], number)))
    cpu = server.cpu() - cpu
    user.leave()
    return times, cpu / count


async def _measure_many(
    stack: ExitStack, environment: Mapping[str, str], server: Server, model: Server, project: str
) -> list[Load]:
    """Turns of many users at one server, at two on the same file, and at two workers that stay on a core each.

    The best of several runs, taken in turns.
    """
    second = stack.enter_context(serving(dict(environment)))
    pinned = stack.enter_context(serving({**environment, "WORKERS": "2", "PIN_WORKERS": "true"}))
    await asyncio.sleep(_SETTLE_SECONDS)
    for other in (second, pinned):
        await crowd.take_turns([other], project, model, _AT_ONCE, 1)
    crowds = [server], [server, second], [pinned]
    runs = [[await crowd.take_turns(servers, project, model, _AT_ONCE, 5) for servers in crowds] for _ in range(_RUNS)]
    return [max(loads, key=lambda load: load.rate) for loads in zip(*runs, strict=True)]
