"""Measure how fast many small documents become searchable over GraphQL, beside the same statements by hand.

By hand: the same documents are parsed, split and embedded one after the other, and the statements that were recorded
when they were added in batches run on the raw driver.
"""

import asyncio
import io
import json
import os
import random
import shutil
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pydoc_data.topics import topics
from typing import Any

import httpx
from sqlalchemy import Engine, event

from app.answer_options.document_filter import DocumentFilter
from app.knowledge.index import terms
from app.knowledge.parsing import worker
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.uploads import NewDocument
from app.notifier.topics import project_documents
from app.providers.embedded.word_vectors import WordVectors
from app.services import open_backend
from app.settings import Settings
from app.statuses import DocumentStatus
from tests.bench.measured import Row, at_least, at_most
from tests.bench.peers.by_hand import opened
from tests.bench.running import Server, line, process, serving
from tests.documents import add
from tests.graphql.client import INGESTION, Client, received, start

DOCUMENTS = 1000
_WORDS = 120
CLIENTS = 8
BATCH = 200
_WATCHERS = 50
# Documents per second that are aimed at: 8 and 15 times those of version 0.1, which added 51 on two slower cores.
_ONE_BY_ONE_LEAST, _TOGETHER_LEAST = 408, 765
_ADD = """mutation($input: AddTextDocumentInput!) { addTextDocument(input: $input) {
  __typename ... on AddTextDocumentPayload { document { id } } ... on Error { message } } }"""
_ADD_ALL = """mutation($input: AddTextDocumentsInput!) { addTextDocuments(input: $input) { __typename
  ... on AddTextDocumentsPayload { results { __typename ... on AddTextDocumentPayload { document { id } } } } } }"""
_COUNT = "query($id: ID!) { project(id: $id) { documents(filter: { status: [READY] }) { totalCount } } }"

Text = tuple[str, str]


async def measure(count: int = DOCUMENTS) -> list[Row]:
    """A fresh server's first document; documents one by one, in batches, with watchers, and by hand."""
    texts = small_texts(count)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        began = time.perf_counter()
        limits = {"MAX_QUEUED_DOCUMENTS": "100000", "MAX_QUEUED_DOCUMENTS_PER_PROJECT": "100000"}
        environment = {**os.environ, **limits, "DATABASE_URL": f"sqlite:///{folder}/bench.db"}
        server = stack.enter_context(serving(environment))
        started = time.perf_counter() - began
        async with httpx.AsyncClient(timeout=60) as http:
            client = Client(http, server.url.removesuffix("/graphql"))
            await client.ready(await client.project("first"), "First", "The first document.")
            first = time.perf_counter() - began
            one_by_one = await add_texts(client, server, texts, await client.project("one"), together=1)
            together = await add_texts(client, server, texts, await client.project("all"), together=BATCH)
            watched = await _watched(client, server, texts)
            peer = await _add_to_peer(http, stack, texts)
        by_hand = await _by_hand(folder, texts)
    return [
        Row(
            "first document of a fresh server, searchable",
            f"{first:.2f} s after its start",
            f"it listens after {started:.2f} s",
            first / started,
            at_most(1.5, first, "s"),
        ),
        _row(f"{count:,} documents one by one, {CLIENTS} clients", one_by_one, "by hand", by_hand, _ONE_BY_ONE_LEAST),
        _row(f"  {BATCH} in a mutation, one client", together, "by hand", by_hand, _TOGETHER_LEAST),
        _row(f"  {BATCH} in a mutation, one client", together, "naive peer", peer),
        _row(f"  the same, {_WATCHERS} watchers", watched, "without watchers", together[0]),
    ]


def _row(name: str, ours: tuple[float, float], peer: str, beside: float, least: float | None = None) -> Row:
    speed, cpu = ours
    aim = None if least is None else at_least(least, speed, "/s")
    return Row(name, f"{speed:.0f} /s, {cpu:.2f} ms CPU each", f"{peer} {beside:.0f} /s", speed / beside, aim)


async def _add_to_peer(http: httpx.AsyncClient, stack: ExitStack, texts: Sequence[Text]) -> float:
    """Documents per second of the naive peer, which keeps them in memory and has neither words nor chunks."""
    peer = stack.enter_context(process("tests.bench.peers.naive_peer", "http://127.0.0.1:9/v1/"))
    url, contents = f"http://127.0.0.1:{line(peer)}/documents", [text for _, text in texts]
    (await http.post(url, json=contents[:1])).raise_for_status()
    began = time.perf_counter()
    for at in range(0, len(contents), BATCH):
        (await http.post(url, json=contents[at : at + BATCH])).raise_for_status()
    return len(contents) / (time.perf_counter() - began)


def small_texts(count: int) -> list[Text]:
    """(title, text): passages of prose, the same ones each time."""
    words = " ".join(text for _, text in sorted(topics.items())).split()
    random_places = random.Random(7)  # noqa: S311 - no secret
    places = [random_places.randrange(len(words) - _WORDS) for _ in range(count)]
    return [(f"Passage {number}", " ".join(words[at : at + _WORDS])) for number, at in enumerate(places)]


async def add_texts(
    client: Client, server: Server, texts: Sequence[Text], project: str, *, together: int
) -> tuple[float, float]:
    """Documents per second until all are searchable in an empty project, and milliseconds of CPU for each."""
    count = len(texts)
    batches = iter([texts[at : at + together] for at in range(0, count, together)])
    began, cpu = time.perf_counter(), server.cpu()

    async def send() -> None:
        async with _Connection(server.url) as connection:
            for batch in batches:
                inputs = [{"title": title, "text": text} for title, text in batch]
                if together == 1:
                    await connection.post(_ADD, {"projectId": project, **inputs[0]})
                else:
                    await connection.post(_ADD_ALL, {"projectId": project, "documents": inputs})

    await asyncio.gather(*(send() for _ in range(CLIENTS if together == 1 else 1)))
    while (await client.run(_COUNT, id=project))["project"]["documents"]["totalCount"] < count:  # noqa: ASYNC110
        await asyncio.sleep(0.02)
    speed = count / (time.perf_counter() - began)
    return speed, (server.cpu() - cpu) / count * 1000


async def _watched(client: Client, server: Server, texts: Sequence[Text]) -> tuple[float, float]:
    """As in batches, while many follow the project."""
    project = await client.project("watched")

    async def watch(ready: asyncio.Event) -> None:
        async with client.socket() as socket:
            await start(socket, "all", INGESTION, project=project)
            ready.set()
            while True:
                await received(socket)

    begun = [asyncio.Event() for _ in range(_WATCHERS)]
    watching = [asyncio.create_task(watch(ready)) for ready in begun]
    try:
        await asyncio.gather(*(ready.wait() for ready in begun))
        return await add_texts(client, server, texts, project, together=BATCH)
    finally:
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)


class _Connection:
    """A connection of a client that takes little time itself: both share the machine's cores."""

    def __init__(self, url: str) -> None:
        self._url = httpx.URL(url)

    async def __aenter__(self) -> "_Connection":
        self._reader, self._writer = await asyncio.open_connection(self._url.host, self._url.port, limit=1 << 22)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._writer.close()

    async def post(self, query: str, values: dict[str, Any]) -> None:
        """Send a mutation that succeeds."""
        body = json.dumps({"query": query, "variables": {"input": values}}).encode()
        head = f"POST {self._url.path} HTTP/1.1\r\nHost: {self._url.netloc.decode()}\r\n"
        head += f"Content-Type: application/json\r\nAccept: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        self._writer.write(head.encode() + body)
        answer = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        length = int(answer.partition(b"content-length:")[2].partition(b"\r\n")[0])
        result = await self._reader.readexactly(length)
        assert b"rror" not in result, result


async def _by_hand(folder: str, texts: Sequence[Text]) -> float:
    """Documents per second in one thread: everything is computed, then the same statements run on the raw driver."""
    vectors, limits = WordVectors(), ParsingLimits()
    writes = await _recorded(folder, texts)
    vectors.unit_vectors(["Load the files."])
    began = time.perf_counter()
    for _, text in texts:
        for chunk in worker.split(text.encode(), None, "text/markdown", limits).chunks:
            vectors.unit_vectors([chunk.text])
            terms.count_terms("", chunk.text)
    with opened(f"{folder}/hand.db") as connection:
        for statement, values, many in writes:
            if statement.startswith("BEGIN") and connection.in_transaction:
                connection.execute("COMMIT")
            (connection.executemany if many else connection.execute)(statement, values).fetchall()
        connection.execute("COMMIT")
        [found] = connection.execute("SELECT count(*) FROM documents WHERE status = 'READY'").fetchone()
    assert found == len(texts) + 1, found
    return len(texts) / (time.perf_counter() - began)


async def _recorded(folder: str, texts: Sequence[Text]) -> list[tuple[str, Any, bool]]:
    """What adding these texts writes, statement by statement; `hand.db` is the database before."""
    writes: list[tuple[str, Any, bool]] = []

    def record(_connection: object, _cursor: object, statement: str, values: Any, _context: object, many: bool) -> None:
        if statement.startswith(("BEGIN IMMEDIATE", "INSERT", "UPDATE", "DELETE")):
            # Rows with ids to return are one statement with all values in a row.
            writes.append((statement, values, many and isinstance(values[0], tuple)))

    settings = Settings.model_validate({"database_url": f"sqlite:///{folder}/recorded.db", "sample_project": False})
    async with open_backend(settings, "serve") as footnote:
        project = await footnote.knowledge.projects.create_project("by hand")
        await add(footnote, project.id, "First.")
    shutil.copy(f"{folder}/recorded.db", f"{folder}/hand.db")
    async with open_backend(settings, "serve") as footnote:
        topic = project_documents(project.id)
        library, ready = footnote.knowledge.library, DocumentFilter(frozenset({DocumentStatus.READY}))
        event.listen(Engine, "before_cursor_execute", record)
        try:
            news = [(NewDocument("text/markdown", title=title), io.BytesIO(text.encode())) for title, text in texts]
            for at in range(0, len(news), BATCH):
                await library.add_documents(project.id, news[at : at + BATCH])
            with footnote.notifier.subscribe(topic) as changes:
                while await library.count_documents([project.id], ready) != [len(texts) + 1]:
                    await changes.wait()
        finally:
            event.remove(Engine, "before_cursor_execute", record)
    return writes
