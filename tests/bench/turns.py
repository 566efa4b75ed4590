"""Measure whole turns and searches beside the same work done by hand: the same statements on the raw driver."""

import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial

import httpx

from app.knowledge.search.hybrid import SearchQuery
from app.services import open_backend
from app.settings import Settings
from tests.bench import by_hand
from tests.bench.load import Server, line, process, serving
from tests.bench.measured import Row, timed
from tests.bench.searching import fill_project, numbered_texts
from tests.bench.texts import questions
from tests.graphql.client import SEND, Client, received, start

_FOLLOW = "subscription($id: ID!) { answerEvents(messageId: $id) { __typename sequence } }"
_TURNS = 60
_AT_ONCE = 32
_PEER_BATCH = 500


async def measure(size: int = 10_000) -> list[Row]:
    """Turns over GraphQL, one by one and 32 at once, against a model that answers at once."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        url = f"sqlite:///{folder}/bench.db"
        async with open_backend(
            Settings.model_validate({"database_url": url, "search_cache_seconds": 0}), "serve"
        ) as footnote:
            project = await fill_project(footnote, size)
            search = footnote.knowledge.search.search_project
            await search(project, SearchQuery("warm"))
            asked = questions()[:_TURNS]
            searches = [await timed(partial(search, project, SearchQuery(question))) for question in asked]
            embedder = footnote.models.embedding_model(footnote.settings.embedding_model)
            vectors = await embedder.embed_texts(asked, "query")
        running_model = stack.enter_context(process("tests.bench.instant"))
        model = int(line(running_model))
        with by_hand.opened(f"{folder}/bench.db") as connection:
            raw = by_hand.RawSearch(connection)
            statements = [raw.search(question, vector) for question, vector in zip(asked, vectors, strict=True)]
            parts = statistics.median(statements) + by_hand.rest_of_turn(connection, model)
        environment = {
            **os.environ,
            "DATABASE_URL": url,
            "OPENAI_BASE_URL": f"http://127.0.0.1:{model}/v1",
            "CHAT_MODEL": "openai/chat",
            "MAX_RUNNING_ANSWERS_PER_USER": str(_AT_ONCE),
            "MODEL_REQUESTS_AT_ONCE": str(_AT_ONCE),
        }
        server = stack.enter_context(serving(environment))
        async with httpx.AsyncClient(timeout=60) as http:
            client = Client(http, server.url.removesuffix("/graphql"))
            name = (await client.run("{ projects(last: 1) { nodes { id } } }"))["projects"]["nodes"][0]["id"]
            await _take_turns(client, name, 10, server)
            alone, cpu, _ = await _take_turns(client, name, _TURNS, server)
            beside = Server(running_model.pid, "")
            many = await _take_many([client], name, [server], beside)
            added = stack.enter_context(serving(environment))
            second = Client(http, added.url.removesuffix("/graphql"))
            await _take_turns(second, name, 10, added)
            both = await _take_many([client, second], name, [server, added], beside)
            peer_alone, peer_many = await _measure_peer(http, stack, model, numbered_texts(size))
        median = statistics.median(alone)
        return [
            (f"search, {size:,} chunks", _spread(searches)),
            ("  its statements by hand", f"{_spread(statements)}   ratio {_ratio(searches, statements):.2f}"),
            (f"turn, {size:,} chunks", f"{_spread(alone)}   {cpu * 1000:.1f} ms CPU"),
            ("  its parts by hand", f"p50 {parts:6.1f} ms   ratio {median / parts:.2f}"),
            (f"turns, {_AT_ONCE} at once", many.text()),
            ("  with a second server on the file", f"{both.text()}   ratio {both.rate / many.rate:.2f}"),
            ("  at most, with all cores busy", f"    {both.bound:6.1f} /s   ratio {both.bound / many.rate:.2f}"),
            (
                "a naive peer in memory, alone",
                f"{_spread(peer_alone)}   ratio {median / statistics.median(peer_alone):.2f}",
            ),
            (f"  {_AT_ONCE} at once", f"    {peer_many:6.1f} /s   ratio {many.rate / peer_many:.2f}"),
        ]


async def _measure_peer(
    http: httpx.AsyncClient, stack: ExitStack, model: int, texts: Sequence[str]
) -> tuple[list[float], float]:
    """Milliseconds of each chat of the naive peer with the same texts, and chats per second."""
    peer = stack.enter_context(process("tests.bench.naive_peer", f"http://127.0.0.1:{model}/v1/"))
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


async def _take_turns(client: Client, project: str, count: int, server: Server) -> tuple[list[float], float, list[str]]:
    """Milliseconds of each turn, from the question to the last event; and the server's CPU seconds for each."""
    asked = questions()
    times: list[float] = []
    last: list[str] = []
    async with client.socket() as socket:
        cpu = server.cpu()
        for number in range(count):
            session = await client.session(project)
            began = time.perf_counter()
            sent = await client.mutate(SEND, sessionId=session, content=asked[number % len(asked)])
            await start(socket, str(number), _FOLLOW, id=sent["answer"]["id"])
            while (message := await received(socket))["type"] == "next":
                last = [message["payload"]["data"]["answerEvents"]["__typename"]]
            times.append((time.perf_counter() - began) * 1000)
            assert last == ["AnswerCompleted"], last
        return times, (server.cpu() - cpu) / count, last


@dataclass(frozen=True, slots=True)
class _Many:
    """Turns per second, and the CPU seconds of one turn: in the servers, and in the users and the model beside them."""

    rate: float
    servers: float
    beside: float

    @property
    def bound(self) -> float:
        """The turns per second that this machine's cores can do at this cost, if nothing ever waits."""
        return (os.cpu_count() or 1) / (self.servers + self.beside)

    def text(self) -> str:
        """The figures of one row."""
        return f"    {self.rate:6.1f} /s   {self.servers * 1000:.1f} ms CPU, beside it {self.beside * 1000:.1f}"


async def _take_many(clients: Sequence[Client], project: str, servers: Sequence[Server], model: Server) -> _Many:
    """What happens when many users ask at once, each of one of the servers."""
    asked = questions()

    async def one(user: int) -> None:
        client = clients[user % len(clients)]
        async with client.socket() as socket:
            for number in range(5):
                session = await client.session(project)
                content = asked[(user * 5 + number) % len(asked)]
                sent = await client.mutate(SEND, sessionId=session, content=content)
                await start(socket, str(number), _FOLLOW, id=sent["answer"]["id"])
                while (await received(socket))["type"] == "next":
                    pass

    began, used, aside = time.perf_counter(), sum(server.cpu() for server in servers), time.process_time() + model.cpu()
    await asyncio.gather(*map(one, range(_AT_ONCE)))
    count = _AT_ONCE * 5
    return _Many(
        count / (time.perf_counter() - began),
        (sum(server.cpu() for server in servers) - used) / count,
        (time.process_time() + model.cpu() - aside) / count,
    )


def _spread(times: Sequence[float]) -> str:
    ordered = sorted(times)
    return f"p50 {statistics.median(ordered):6.1f} ms   p99 {ordered[int(len(ordered) * 0.99)]:6.1f} ms"


def _ratio(ours: Sequence[float], beside: Sequence[float]) -> float:
    return statistics.median(ours) / statistics.median(beside)


async def _alone() -> None:
    for name, value in await measure(*map(int, sys.argv[1:])):
        print(f"{name:34} {value}")


if __name__ == "__main__":
    asyncio.run(_alone())
