"""Kill a server while a project switches to another embedding model.

Whatever a kill leaves, the project is searched with one model, the switch goes on after the next start, each chunk has
the vector of its own text, nothing stored is embedded again, and no vector of the former model is left.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import TypeVar

import httpx
from sqlalchemy import exists, func, select
from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import Response

from app.database import models
from app.knowledge.index.opening import open_index
from app.knowledge.index.protocol import SpaceKey, VectorIndex
from app.statuses import EmbeddingSpaceState
from tests.graphql.client import Client
from tests.servers.openai import OpenAIServer
from tests.servers.running import Body, running
from tests.torture import checks
from tests.torture.chain import Chain, Kill
from tests.torture.server import Server
from tests.torture.vectors import find_wrong_vectors

Result = TypeVar("Result")

_PARTS = 270
_DIMENSIONS = {"one": 16, "two": 24}
_SWITCH = """mutation($input: SwitchEmbeddingModelInput!) { switchEmbeddingModel(input: $input) { __typename
  ... on SwitchEmbeddingModelPayload { space { id state } } ... on Error { message } } }"""
_SPACES = "query($id: ID!) { project(id: $id) { embeddingSpaces { id model state } } }"
_BUILDING = models.EmbeddingSpace.state == EmbeddingSpaceState.BUILDING
_IS_USED = models.EmbeddingSpace.state.in_((EmbeddingSpaceState.BUILDING, EmbeddingSpaceState.ACTIVE))


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
        index = open_index(self._chain.storage.dialect).vectors
        ahead = await self._read(partial(_find_ahead, index))
        assert not ahead, f"{len(ahead)} vectors are ahead of what their space says"
        stored, before = await self._read(_read_built_to), len(self._model.texts)
        is_known = await self._read(partial(_is_known, f"openai/{name}"))
        async with self._server(None) as (server, client):
            if not is_known:  # else it goes on by itself
                asked = await client.mutate(_SWITCH, projectId=self._id, model=f"openai/{name}")
                assert "space" in asked, asked
            await self._switched(client, name)
            await server.stop()
        again = self._model.texts[before:]
        assert len(again) == len(set(again)), "texts were embedded twice after the start"
        if stored is not None:
            assert len(again) == await self._read(partial(_count_after, stored)), "what was stored is embedded again"
        await self._at_rest()
        async with self._chain.storage.open_remains() as database:
            wrong = await find_wrong_vectors(database)
        assert not wrong, f"{len(wrong)} vectors are wrong: {wrong[:3]}"

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
        active = await self._read(_count_active)
        assert active == 1, f"the project is searched with {active} models"
        await checks.at_rest(self._chain.storage, self._chain.ledger)

    async def _read(self, work: Callable[[Session], Result]) -> Result:
        """What `work` reads while no server runs."""
        async with self._chain.storage.open_remains() as database:
            return await database.run_read(work)


def _read_built_to(db: Session) -> int | None:
    """How far a space is built; None if none is being built."""
    return db.scalar(select(models.EmbeddingSpace.built_to).where(_BUILDING))


def _find_ahead(index: VectorIndex, db: Session) -> list[int]:
    """The chunks beyond those that their space says it has vectors of."""
    ahead: list[int] = []
    for space in db.scalars(select(models.EmbeddingSpace).where(_BUILDING)):
        beyond = select(models.Chunk.id).where(
            models.Chunk.project_id == space.project_id, models.Chunk.id > space.built_to
        )
        ahead += index.read_vectors(db, SpaceKey.from_row(space), db.scalars(beyond).all())[0]
    return ahead


def _is_known(model: str, db: Session) -> bool:
    """Whether a space of this model is searched or being built."""
    return bool(db.scalar(select(exists().where(models.EmbeddingSpace.model == model, _IS_USED))))


def _count_active(db: Session) -> int:
    """How many spaces the project is searched with."""
    active = models.EmbeddingSpace.state == EmbeddingSpaceState.ACTIVE
    return db.scalar(select(func.count()).select_from(models.EmbeddingSpace).where(active)) or 0


def _count_after(chunk: int, db: Session) -> int:
    return db.scalar(select(func.count()).select_from(models.Chunk).where(models.Chunk.id > chunk)) or 0
