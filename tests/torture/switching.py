"""Kill a server while a project switches to another embedding model.

Whatever a kill leaves, the project is searched with one model, the switch goes on after the next start, each chunk has
the vector of its own text, nothing stored is embedded again, and no vector of the former model is left.
"""

import asyncio
import json
import struct
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, closing, suppress
from math import isclose
from pathlib import Path

import httpx
from starlette.requests import Request
from starlette.responses import Response

from app.database.sqlite import driver
from tests.graphql.client import Client
from tests.servers.openai import OpenAIServer
from tests.servers.running import Body, running, vector
from tests.torture import checks
from tests.torture.chain import Chain, Kill
from tests.torture.server import Server

_PARTS = 270
_DIMENSIONS = {"one": 16, "two": 24}
_SWITCH = """mutation($input: SwitchEmbeddingModelInput!) { switchEmbeddingModel(input: $input) { __typename
  ... on SwitchEmbeddingModelPayload { space { id state } } ... on Error { message } } }"""
_SPACES = "query($id: ID!) { project(id: $id) { embeddingSpaces { id model state } } }"
_PROGRESS = (
    "SELECT dimensions, number << 48 | built_to, number + 1 << 48 FROM embedding_spaces WHERE state = 'BUILDING'"
)
_BUILT_TO = "SELECT built_to FROM embedding_spaces WHERE state = 'BUILDING'"
_OF_MODEL = "SELECT 1 FROM embedding_spaces WHERE model = ? AND state IN ('BUILDING', 'ACTIVE')"
_ACTIVE = "SELECT count(*) FROM embedding_spaces WHERE state = 'ACTIVE'"
_CHUNKS = """SELECT spaces.number << 48 | chunks.id, spaces.model, spaces.dimensions, documents.title, chunks.heading,
  chunks.text FROM chunks JOIN documents ON documents.id = chunks.document_id
  JOIN embedding_spaces AS spaces ON spaces.project_id = chunks.project_id WHERE spaces.state = 'ACTIVE'"""
_TABLES = "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL%USING vec0%'"


class _TwoModels(OpenAIServer):
    """Embeds with two models; `texts` are those that each has made vectors of."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[tuple[str, str]] = []

    async def _embed(self, request: Request) -> Response:
        body: Body = await request.json()
        self.texts += [(body["model"], text) for text in body["input"] if "\n" in text]
        self.dimensions = _DIMENSIONS[body["model"]]
        return await super()._embed(request)


async def switch(chain: Chain, kills: Sequence[Kill]) -> None:
    """Switch one project to and fro, and kill the server at each point once."""
    with running(_TwoModels()) as model:
        project = _Project(chain, model)
        await project.fill()
        for number, kill in enumerate(kills):
            assert kill.point is not None
            began = time.monotonic()
            await project.switch(kill, ("two", "one")[number % 2])
            chain.told(kill, began)


class _Project:
    """A project, and the servers that it is on."""

    def __init__(self, chain: Chain, model: _TwoModels) -> None:
        self._chain = chain
        self._model = model
        self._id = ""

    async def fill(self) -> None:
        """Add enough chunks for several batches."""
        text = "\n\n".join(
            f"# Part {n}\n\n" + f"This is part {n} of the larks that sing over the fields. " * 20 for n in range(_PARTS)
        )
        async with self._server(None) as (server, client):
            self._id = await client.project("switching")
            await client.ready(self._id, "Larks", text)
            await server.stop()

    async def switch(self, kill: Kill, name: str) -> None:
        """Switch to a model, be killed at the point, and go on."""
        assert kill.point is not None
        async with self._server(kill) as (server, client):
            with suppress(httpx.TransportError):  # it may die before it can answer
                await client.mutate(_SWITCH, projectId=self._id, model=f"openai/{name}")
            await server.dead()
        self._chain.hit(kill.point)
        await self._at_rest()
        assert not (ahead := _find_ahead(self._chain.file)), f"{len(ahead)} vectors are ahead of what their space says"
        stored, before = read_built_to(self._chain.file), len(self._model.texts)
        async with self._server(None) as (server, client):
            if not _is_known(self._chain.file, f"openai/{name}"):  # else it goes on by itself
                asked = await client.mutate(_SWITCH, projectId=self._id, model=f"openai/{name}")
                assert "space" in asked, asked
            await self._switched(client, name)
            await server.stop()
        again = self._model.texts[before:]
        assert len(again) == len(set(again)), "texts were embedded twice after the start"
        if stored is not None:
            assert len(again) == _after(self._chain.file, stored), "what was stored is embedded again"
        await self._at_rest()
        assert not (wrong := find_wrong_vectors(self._chain.file)), f"{len(wrong)} vectors are wrong: {wrong[:3]}"

    async def _switched(self, client: Client, name: str) -> None:
        """Wait until the project has one space, of this model."""
        deadline = time.monotonic() + checks.BOUND_SECONDS
        while True:
            spaces = (await client.run(_SPACES, id=self._id))["project"]["embeddingSpaces"]
            active = [each["model"] for each in spaces if each["state"] == "ACTIVE"]
            assert len(active) == 1, spaces
            if len(spaces) == 1 and active == [f"openai/{name}"]:
                return
            assert time.monotonic() < deadline, f"the switch to {name} does not end: {spaces}"
            await asyncio.sleep(0.02)

    @asynccontextmanager
    async def _server(self, kill: Kill | None) -> AsyncGenerator[tuple[Server, Client]]:
        server = self._chain.start(kill, OPENAI_BASE_URL=self._model.url, EMBEDDING_MODEL="openai/one")
        try:
            url = await server.address()
            assert url is not None, "killed before there was anything to do"
            async with httpx.AsyncClient(timeout=30) as http:
                yield server, Client(http, url)
        finally:
            server.end()

    async def _at_rest(self) -> None:
        active = _count_active(self._chain.file)
        assert active == 1, f"the project is searched with {active} models"
        await checks.at_rest(self._chain.file, self._chain.ledger)


def read_built_to(file: Path) -> int | None:
    """How far a space is built; None if none is being built."""
    with closing(driver.choose_driver().module.connect(str(file))) as connection:
        found = connection.execute(_BUILT_TO).fetchone()
    return found and found[0]


def _find_ahead(file: Path) -> list[int]:
    """The rows of vectors beyond those that their space says it has."""
    with closing(driver.choose_driver().module.connect(str(file))) as connection:
        driver.load_vector_extension(connection)
        return [
            row
            for dimensions, built_to, end in connection.execute(_PROGRESS).fetchall()
            for [row] in connection.execute(f"SELECT rowid FROM chunk_vectors_{dimensions}")
            if built_to < row < end
        ]


def _is_known(file: Path, model: str) -> bool:
    """Whether a space of this model is searched or being built."""
    with closing(driver.choose_driver().module.connect(str(file))) as connection:
        return connection.execute(_OF_MODEL, [model]).fetchone() is not None


def _count_active(file: Path) -> int:
    """How many spaces the project is searched with."""
    with closing(driver.choose_driver().module.connect(str(file))) as connection:
        [count] = connection.execute(_ACTIVE).fetchone()
    return count


def _after(file: Path, chunk: int) -> int:
    with closing(driver.choose_driver().module.connect(str(file))) as connection:
        [count] = connection.execute("SELECT count(*) FROM chunks WHERE id > ?", [chunk]).fetchone()
    return count


def find_wrong_vectors(file: Path) -> list[object]:
    """Vectors that do not match their chunks' texts, are missing, or belong to no chunk."""
    with closing(driver.choose_driver().module.connect(str(file))) as connection:
        driver.load_vector_extension(connection)
        chunks = connection.execute(_CHUNKS).fetchall()
        tables = [name for [name] in connection.execute(_TABLES)]
        rows = [row for name in tables for row in connection.execute(f"SELECT rowid, embedding FROM {name}")]
    vectors: dict[int, bytes] = dict(rows)
    wrong: list[object] = []
    for row, _, dimensions, title, heading, text in chunks:
        data = vectors.pop(row, b"")
        want = vector(f"{' > '.join((title, *json.loads(heading)))}\n{text}", dimensions)
        if len(data) != 4 * dimensions or not all(
            isclose(*pair, abs_tol=1e-4) for pair in zip(want, struct.unpack(f"{dimensions}f", data), strict=True)
        ):
            wrong.append(row)
    return [*wrong, *vectors]
