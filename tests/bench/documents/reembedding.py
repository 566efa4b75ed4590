"""Switch the embedding model of a large project while it is used and its server is killed; count what goes wrong.

`python -m tests.bench reembedding 20000`: two users search and one chats all the time, and a document is added every
second, while `embedded/multilingual` replaces `embedded/wordllama`. Half-way the server gets `kill -9` and is started
again. Every result is compared with the cosines of both models, so that a search that mixes them is noticed.
"""

import asyncio
import os
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import httpx
import numpy
from websockets.exceptions import WebSocketException

from app.knowledge.ingestion.embedding import text_to_embed
from app.providers.embedded.provider import TextEncoder
from app.providers.embedded.sentence_encoder import SentenceEncoder
from app.providers.embedded.word_vectors import WordVectors
from tests.bench import running
from tests.bench.measured import Aim, Row, at_least, percentiles
from tests.bench.texts import documents, questions
from tests.graphql.client import ADD_TEXT, SEND, Client

CHUNKS = 20_000
OLD, NEW = "embedded/wordllama", "embedded/multilingual"
SEARCHERS = 2
# Seconds that a user pauses between two searches or questions.
_PAUSE = 0.2
_TOLERANCE = 1e-3
# Searches with the new model that are waited for, and how long.
_SEARCHES_AFTER, _LONGEST_SECONDS = 20, 120
_DOWN = (httpx.TransportError, WebSocketException, OSError)

ADD_TEXTS = """mutation($input: AddTextDocumentsInput!) { addTextDocuments(input: $input) {
  ... on AddTextDocumentsPayload { results { __typename } } ... on Error { message } } }"""
SWITCH = """mutation($input: SwitchEmbeddingModelInput!) { switchEmbeddingModel(input: $input) {
  ... on SwitchEmbeddingModelPayload { space { id } } ... on Error { message } } }"""
STATE = """query($id: ID!) { project(id: $id) { embeddingSpace { model }
  embeddingSpaces { model state problem chunksDone chunksTotal } stats { chunkCount }
  documents { totalCount } ready: documents(filter: {status: [READY]}) { totalCount } } }"""
ACTIVE = "query($id: ID!) { project(id: $id) { embeddingSpace { model } } }"
SEARCH = """query($input: SearchInput!) { search(input: $input, first: 5) { notices { code } edges { vectorScore node {
  text locator { heading } document { title } } } } }"""
ANSWER = """subscription($id: ID!) { answerEvents(messageId: $id) { __typename
  ... on RetrievalCompleted { passages { vectorScore text heading documentTitle } }
  ... on NoticeGiven { notice { code } } ... on AnswerFailed { failure { code } } } }"""


@dataclass
class Use:
    """What users see of a project. `counts` are events by name; `wrong` describes what must not happen."""

    client: Client
    project: str
    up: asyncio.Event
    counts: Counter[str] = field(default_factory=Counter[str])
    wrong: Counter[str] = field(default_factory=Counter[str])
    search_times: list[float] = field(default_factory=list[float])
    encoders: dict[str, TextEncoder] = field(default_factory=lambda: {OLD: WordVectors(), NEW: SentenceEncoder()})

    def find_model(self, question: str, passages: Iterable[tuple[str, list[str], str, float | None]]) -> str | None:
        """The model whose cosines these are, “both” or “neither”; None if there are none.

        A passage is (title, heading, text, cosine). Its cosine may be that of both models by chance.
        """
        compared = [each for each in passages if each[-1] is not None]
        if not compared:
            return None
        texts = [text_to_embed(title, heading, text) for title, heading, text, _ in compared]
        found = numpy.array([score for *_, score in compared], dtype=numpy.float32)
        fits_any = numpy.zeros(len(compared), dtype=bool)
        for model, encoder in self.encoders.items():
            cosines = encoder.unit_vectors(texts) @ encoder.unit_vectors([question])[0]
            fits = numpy.abs(cosines - found) < _TOLERANCE
            if fits.all():
                return model
            fits_any |= fits
        return "both" if fits_any.all() else "neither"

    async def active_model(self) -> str:
        """The model that the project is searched with."""
        return (await self.client.run(ACTIVE, id=self.project))["project"]["embeddingSpace"]["model"]

    def check_model(self, what: str, found: str | None, before: str, after: str) -> None:
        """Count a result, which must have one model: that of before, or that of after it."""
        self.counts[f"{what}, {found}"] += 1
        if found not in (None, before, after):
            self.wrong[f"{what} with {found}; the project had {before} before it, {after} after it"] += 1

    def check_notices(self, what: str, codes: Iterable[str]) -> None:
        """Count notices, except that documents are still being added."""
        self.wrong.update(f"{what} with the notice {code}" for code in codes if code != "DOCUMENTS_PENDING")


async def measure(chunks: int = CHUNKS) -> list[Row]:
    """Fill a project, switch its model, use and kill the server meanwhile; then count."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        environment = {
            **os.environ,
            "DATABASE_URL": f"sqlite:///{folder}/bench.db",
            "EMBEDDING_MODEL": OLD,
        }
        async with httpx.AsyncClient(timeout=120) as http:

            def start() -> tuple[running.Server, Client]:
                server = stack.enter_context(running.serving(environment))
                return server, Client(http, server.url.removesuffix("/graphql"))

            server, client = start()
            use = Use(client, await client.project("Re-embedded"), asyncio.Event())
            use.up.set()
            await _fill(use, chunks)
            return await _switch(use, server, start)


async def _fill(use: Use, chunks: int) -> None:
    edition, done = 0, 0
    texts = list(documents(1))
    while done < chunks:
        some = [
            {
                "title": name.replace("-0.", f"-{edition}."),
                "text": data.decode().replace("edition 0", f"edition {edition}"),
            }
            for name, data in texts
        ]
        await use.client.mutate(ADD_TEXTS, projectId=use.project, documents=some)
        edition += 1
        done = (await _settled(use))["stats"]["chunkCount"]


async def _settled(use: Use) -> Any:
    """The project's state once all its documents are searchable."""
    while True:
        state = (await use.client.run(STATE, id=use.project))["project"]
        if state["documents"] == state["ready"]:
            return state
        await asyncio.sleep(0.2)


async def _switch(use: Use, server: running.Server, start: Callable[[], tuple[running.Server, Client]]) -> list[Row]:
    began = time.monotonic()
    switched = await use.client.mutate(SWITCH, projectId=use.project, model=NEW)
    assert "space" in switched, switched
    users = [asyncio.create_task(_repeat(use, _search, number)) for number in range(SEARCHERS)]
    users += [asyncio.create_task(_repeat(use, _chat, 0)), asyncio.create_task(_repeat(use, _add, 0))]
    half = await _build(use, lambda done, total: done > total / 2)
    killed = time.monotonic()
    use.up.clear()
    use.client = await asyncio.to_thread(_restart, server, start)
    use.up.set()
    restarted = time.monotonic()
    resumed = await _build(use, lambda done, total: True)
    await _build(use, lambda done, total: done > resumed)
    going_on = time.monotonic()
    await _build(use, None)
    took = time.monotonic() - began
    await _end(use, users)
    if resumed < half:
        use.wrong["begun again"] += 1
    return [
        Row("time until the switch", f"{took:.0f} s"),
        Row("resumed at", f"{resumed:,} chunks", f"killed at {half:,}", resumed / half, at_least(1, resumed / half)),
        Row("started again", f"{restarted - killed:.1f} s; next chunks after {going_on - killed:.1f} s"),
        *await _rows(use),
    ]


def _restart(server: running.Server, start: Callable[[], tuple[running.Server, Client]]) -> Client:
    """Kill the server, and start another on its database; returns the client of that."""
    os.kill(server.pid, signal.SIGKILL)
    os.waitpid(server.pid, 0)  # until then, its process id is taken
    return start()[1]


async def _end(use: Use, users: Sequence[asyncio.Task[None]]) -> None:
    """End the users, once they have searched with the new model."""
    for _ in range(_LONGEST_SECONDS):
        if use.counts[f"search, {NEW}"] >= _SEARCHES_AFTER:
            break
        await asyncio.sleep(1)
    else:
        use.wrong["not searched with the new model"] += 1
    for user in users:
        user.cancel()
    for ended in await asyncio.gather(*users, return_exceptions=True):
        if isinstance(ended, Exception):
            use.wrong[repr(ended)[:200]] += 1


async def _rows(use: Use) -> list[Row]:
    state, counts = await _settled(use), use.counts
    if state["embeddingSpace"]["model"] != NEW:
        use.wrong["not switched"] += 1
    searches = sum(count for name, count in counts.items() if name.startswith("search, "))
    answers = sum(count for name, count in counts.items() if name.startswith("answer, "))
    return [
        Row("chunks", f"{state['stats']['chunkCount']:,}; {counts['added']:,} documents were added meanwhile"),
        Row(
            "searches",
            f"{searches:,}: {percentiles(use.search_times)}",
            f"{counts[f'search, {NEW}']:,} with the new model",
        ),
        Row("answers", f"{answers:,}", f"{counts[f'answer, {NEW}']:,} with the new model"),
        Row("cut off by the kill", f"{counts['cut off']:,}"),
        Row("failures, mixed spaces", str(dict(use.wrong) or "none"), aim=Aim("none", not use.wrong)),
    ]


async def _build(use: Use, is_reached: Callable[[int, int], bool] | None) -> int:
    """How many chunks have a vector once that `is_reached`; None: once the project is searched with the new model."""
    while True:
        state = (await use.client.run(STATE, id=use.project))["project"]
        space = next(each for each in state["embeddingSpaces"] if each["model"] == NEW)
        assert space["state"] in ("BUILDING", "ACTIVE"), space
        if space["state"] == "ACTIVE" or (is_reached and is_reached(space["chunksDone"], space["chunksTotal"])):
            return space["chunksDone"]
        await asyncio.sleep(0.1)


async def _repeat(use: Use, work: Callable[[Use, int], Awaitable[None]], number: int) -> None:
    """Do it again and again. What the kill cuts off is done again; everything else that fails is wrong."""
    while True:
        await use.up.wait()
        client = use.client
        try:
            await work(use, number)
            number += SEARCHERS
            await asyncio.sleep(_PAUSE)
        except _DOWN as error:
            if use.up.is_set() and client is use.client:
                use.wrong[f"{work.__name__}: {error!r}"[:200]] += 1
            else:
                use.counts["cut off"] += 1
        except AssertionError as error:
            use.wrong[f"{work.__name__}: {error}"[:200]] += 1


async def _search(use: Use, number: int) -> None:
    asked = questions()
    question, before, start = asked[number % len(asked)], await use.active_model(), time.perf_counter()
    found = (await use.client.run(SEARCH, input={"projectId": use.project, "query": question}))["search"]
    use.search_times.append((time.perf_counter() - start) * 1000)
    passages = [
        (
            edge["node"]["document"]["title"],
            edge["node"]["locator"]["heading"],
            edge["node"]["text"],
            edge["vectorScore"],
        )
        for edge in found["edges"]
    ]
    assert passages, "a search without a result"
    use.check_notices("search", (notice["code"] for notice in found["notices"]))
    use.check_model("search", use.find_model(question, passages), before, await use.active_model())


async def _chat(use: Use, number: int) -> None:
    asked = questions()
    question, before = asked[number % len(asked)], await use.active_model()
    session = await use.client.session(use.project)
    sent = await use.client.mutate(SEND, sessionId=session, content=question)
    events = await use.client.follow(ANSWER, id=sent["answer"]["id"])
    last = events[-1]
    if last["__typename"] == "AnswerFailed" and last["failure"]["code"] == "INTERRUPTED":
        use.counts["cut off"] += 1
        return
    assert last["__typename"] == "AnswerCompleted", last
    use.check_notices("answer", (event["notice"]["code"] for event in events if "notice" in event))
    passages = [
        (each["documentTitle"], each["heading"], each["text"], each["vectorScore"])
        for event in events
        for each in event.get("passages", ())
    ]
    use.check_model("answer", use.find_model(question, passages), before, await use.active_model())


async def _add(use: Use, number: int) -> None:
    values = {
        "title": f"Note {number}",
        "text": f"Note {number} says where the key of room {number} is.",
        "source": str(number),
    }
    added = await use.client.mutate(ADD_TEXT, projectId=use.project, **values)
    assert "document" in added, added
    use.counts["added"] += 1
    await asyncio.sleep(1 - _PAUSE)
