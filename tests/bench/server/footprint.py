"""Measure what a server takes in memory: at rest, per 100,000 chunks, per parse worker and per open stream.

`python -m tests.bench footprint [CHUNKS] [STREAMS]`, on Linux. Memory is resident, and that of the server and all
processes below it together.
"""

import asyncio
import json
import os
import tempfile
import time
from contextlib import ExitStack

import httpx
from docx.document import Document

from app import global_ids
from app.services import open_backend
from app.settings import Settings
from tests.bench.measured import Row
from tests.bench.resources import children, own, resident, sampled
from tests.bench.running import Server, line, process, say, serving
from tests.bench.search.searching import fill_project
from tests.bench.texts import questions
from tests.files.office import word
from tests.files.pdf import paragraph, pdf
from tests.graphql.client import SEND, Client

_MB = 1e6
_REST_SECONDS = 3.0
_STREAM_SECONDS, _PER_SECOND = 20, 50
_SEARCH = (
    """query($id: ID!, $query: String!) { search(input: {projectId: $id, query: $query}) { nodes { id text } } }"""
)
_WAITING = """{ projects(first: 10) { nodes { documents(first: 1, filter: {status: [QUEUED, PROCESSING]}) {
  nodes { id } } } } }"""
_UPLOAD = "mutation($input: UploadDocumentInput!) { uploadDocument(input: $input) { __typename } }"
_DOCUMENTS = 24
_LEAST_WORKER = 20e6
_WORDS = "The warranty of a device begins with its delivery and ends after two years. "


async def measure(chunks: int = 100_000, streams: int = 200) -> list[Row]:
    """Each on a server of its own."""
    return [*_at_rest(), *await _searching(chunks), *await _parsing(), *await _streaming(streams)]


def _at_rest() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/footprint.db"
        with serving(_environment(file)):
            pass
        connected = {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "OLLAMA_HOST": "127.0.0.1:9"}
        rest = _rested(file)
        return [
            Row("a server at rest", f"{rest / _MB:.0f} MB"),
            _more("with OpenAI and Ollama", _rested(file, **connected) - rest, rest),
        ]


def _rested(file: str, **settings: str) -> float:
    with serving({**_environment(file), **settings}) as server:
        time.sleep(_REST_SECONDS)
        return resident(server.pid)


def _environment(file: str) -> dict[str, str]:
    return {**os.environ, "DATABASE_URL": f"sqlite:///{file}"}


def _more(name: str, memory: float, rest: float) -> Row:
    """Memory beyond that of the same server before."""
    return Row(name, f"{memory / _MB:.0f} MB more", f"before it {rest / _MB:.0f} MB", memory / rest)


async def _searching(chunks: int) -> list[Row]:
    """The embedded model when it is first used, then the vectors of a project."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/footprint.db"
        async with open_backend(Settings.model_validate({"database_url": url}), "serve") as footnote:
            small, large = await fill_project(footnote, 100), await fill_project(footnote, chunks)
        with serving({**os.environ, "DATABASE_URL": url}) as server:
            rest, few = resident(server.pid), await _searched(server, small)
            many = await _searched(server, large)
        with serving({**os.environ, "DATABASE_URL": url, "VECTOR_MEMORY_MB": "0"}) as server:
            base, none = await _searched(server, small), await _searched(server, large)
        return [
            _more("after a first search", few - rest, rest),
            _more(f"searching {chunks:,} chunks, beyond that", many - few, few),
            _more("the same, VECTOR_MEMORY_MB=0", none - base, base),
        ]


async def _searched(server: Server, project: str) -> float:
    """The memory after searches, the last of which find the vectors loaded."""
    async with httpx.AsyncClient(timeout=120) as http:
        client = Client(http, server.url.removesuffix("/graphql"))
        for _ in range(3):
            for question in questions()[:20]:
                await client.run(_SEARCH, id=global_ids.encode("Project", project), query=question)
            await asyncio.sleep(1)
    return resident(server.pid)


async def _parsing() -> list[Row]:
    """Many documents of each format at once, so that every worker reads some."""
    return [row for name, data in _files() for row in await _read(name, data)]


def _files() -> list[tuple[str, bytes]]:
    def write(document: Document) -> None:
        for number in range(1_000):
            document.add_paragraph(f"{_WORDS * 2}{number}")

    pages = [paragraph(*[_WORDS] * 45) for _ in range(45)]
    return [("text.txt", _WORDS.encode() * 2_000), ("word.docx", word(write)), ("pages.pdf", pdf(pages))]


async def _read(name: str, data: bytes) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder, serving(_environment(f"{folder}/footprint.db")) as server:
        rest, peaks = resident(server.pid), dict[int, int]()
        async with httpx.AsyncClient(timeout=120) as http:
            client = Client(http, server.url.removesuffix("/graphql"))
            projects = [await client.project(f"Footprint {number}") for number in range(4)]
            with sampled(server.pid) as peak:
                for number in range(_DOCUMENTS):
                    await _upload(client, projects[number % len(projects)], name, data)
                while await _waits(client):
                    for child in children(server.pid):
                        peaks[child] = max(peaks.get(child, 0), own(child))
                    await asyncio.sleep(0.02)
        # Processes that only keep account of the others stay small.
        workers = [memory for memory in peaks.values() if memory > _LEAST_WORKER]
        return [
            Row(f"{name}, each parse worker", ", ".join(f"{memory / _MB:.0f} MB" for memory in workers)),
            _more(f"{name}, {_DOCUMENTS} of them", peak[0] - rest, rest),
        ]


async def _upload(client: Client, project: str, name: str, data: bytes) -> None:
    operations = {"query": _UPLOAD, "variables": {"input": {"file": None, "projectId": project}}}
    fields = {"operations": json.dumps(operations), "map": '{"0": ["variables.input.file"]}'}
    headers = {"graphql-require-preflight": "1"}
    response = await client.http.post(client.url, data=fields, files={"0": (name, data)}, headers=headers)
    assert response.json()["data"]["uploadDocument"]["__typename"] == "UploadDocumentPayload", response.text


async def _waits(client: Client) -> bool:
    """Whether some document has not been read yet."""
    return any(project["documents"]["nodes"] for project in (await client.run(_WAITING))["projects"]["nodes"])


async def _streaming(streams: int) -> list[Row]:
    """Open streams of a model at a steady pace, each read by a client."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        tokens = _STREAM_SECONDS * _PER_SECOND
        model = stack.enter_context(process("tests.bench.traffic.pacing", str(tokens), str(_PER_SECOND)))
        environment = {
            **_environment(f"{folder}/footprint.db"),
            "MODEL_REQUESTS_AT_ONCE": str(streams),
            "MAX_RUNNING_ANSWERS_PER_USER": str(streams),
            "OPENAI_BASE_URL": f"http://127.0.0.1:{line(model)}/v1",
            "CHAT_MODEL": "openai/chat",
        }
        server = stack.enter_context(serving(environment))
        async with httpx.AsyncClient(timeout=60) as http:
            client = Client(http, server.url.removesuffix("/graphql"))
            project = await client.project("Footprint")
            sessions = [await client.session(project, enableRag=False) for _ in range(streams)]
            rest = resident(server.pid)
            sent = await asyncio.gather(*(client.mutate(SEND, sessionId=id, content="Well?") for id in sessions))
        reader = stack.enter_context(process("tests.bench.traffic.followers", server.url))
        say(reader, " ".join(one["answer"]["id"] for one in sent))
        line(reader)
        with sampled(server.pid) as peak:
            say(model)
            figures = json.loads(await asyncio.to_thread(line, reader))
        assert (figures["ended"], figures["gaps"]) == (streams, 0), figures
        return [
            _more(f"{streams} open streams", peak[0] - rest, rest),
            Row("  each of them", f"{(peak[0] - rest) / streams / 1e3:.0f} KB"),
        ]
