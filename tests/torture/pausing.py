"""Kill a server while the embedding model is away and vectors are kept or taken up again.

Whatever a kill leaves, the document is READY once the model is back, each chunk has the vector of its own text, and
what was kept is not made again.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

import httpx
from sqlalchemy import exists, select

from app.database import models
from tests import looking
from tests.graphql.client import INGESTION, Client
from tests.servers.openai import OpenAIServer
from tests.servers.running import Body, Fault, Refusal, running
from tests.torture import checks
from tests.torture.chain import Chain, Kill
from tests.torture.load import ADD
from tests.torture.server import Server
from tests.torture.vectors import find_wrong_vectors

_DOWN = Refusal(503, headers={"retry-after": "0"})
# Vectors are kept by batches of 256; the first request asks for the length of a vector.
_PARTS, _BATCH, _FIRST = 270, 256, 2
_MEASURED = "query($id: ID!) { project(id: $id) { embeddingSpace { measuredChunks } } }"
_WAITING = "{ health { components { name status } } }"
# Whether vectors of waiting documents are stored.
_IS_KEPT = select(exists().where(models.PausedVectors.document_id.is_not(None)))
# Kills after which the kept vectors are still there.
_KEPT = ("pause.committed", "pause.waiting", "resume.taken", "resume.forgotten", "resume.ready")


class Absent(OpenAIServer):
    """An embedding model that answers `left` more requests, or all while that is None."""

    def __init__(self) -> None:
        super().__init__()
        self.left: int | None = None
        self.texts: list[str] = []
        """Those that it has made vectors of, in order."""

    def fault(self, body: Body) -> Fault:
        """Use up one of the answers left."""
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                return _DOWN
        self.texts += body["input"]
        return None


async def pause(chain: Chain, kills: Sequence[Kill]) -> None:
    """Run each kill with its own project; every other document gets a new version while its model is away."""
    with running(Absent()) as model:
        for number, kill in enumerate(kills):
            assert kill.point is not None
            began = time.monotonic()
            document = _Document(chain, model)
            await document.kept(kill)
            if kill.point.name.startswith("resume"):
                await document.resumed(kill)
            await document.finished(renewed=number % 2 == 0, kept=kill.point.name in _KEPT)
            chain.told(kill, began)


class _Document:
    """A document and the servers that process it."""

    def __init__(self, chain: Chain, model: Absent) -> None:
        self._chain = chain
        self._model = model
        self._word = chain.ledger.fresh("w")
        self._id = ""
        self._project = ""
        self._made: set[str] = set()

    async def kept(self, kill: Kill) -> None:
        """Take the model away halfway."""
        assert kill.point is not None
        resumes = kill.point.name.startswith("resume")
        self._model.left = _FIRST
        async with self._server(None if resumes else kill) as (server, client):
            self._project = await client.project(self._word)
            await self._add(client, self._word)
            if resumes:
                await _waiting(client)
                await server.kill()
            else:
                await self._dead(server, kill)
        self._made = {text for text in self._model.texts if self._word in text}

    async def resumed(self, kill: Kill) -> None:
        """Bring the model back, and kill the server soon after."""
        self._model.left = None
        server = self._start(kill)
        try:
            await server.address()
            await self._dead(server, kill)
        finally:
            server.end()

    async def finished(self, *, renewed: bool, kept: bool) -> None:
        """Wait until it is READY, and check everything."""
        before = len(self._model.texts)
        self._model.left = 0 if renewed else None
        async with self._server(None) as (server, client):
            if renewed:
                await self._add(client, self._chain.ledger.fresh("w"))
                self._model.left = None
            [*_, last] = await client.follow(INGESTION, document=self._id)
            assert last["__typename"] == "IngestionCompleted", last
            await _measured(client, self._project)
            await server.stop()
        twice = self._made & set(self._model.texts[before:]) if kept else set[str]()
        assert not twice, f"{len(twice)} texts were embedded twice"
        await self._at_rest()

    @asynccontextmanager
    async def _server(self, kill: Kill | None) -> AsyncGenerator[tuple[Server, Client]]:
        server = self._start(kill)
        try:
            url = await server.address()
            assert url is not None, "killed before there was anything to do"
            async with httpx.AsyncClient(timeout=30) as http:
                yield server, Client(http, url)
        finally:
            server.end()

    def _start(self, kill: Kill | None) -> Server:
        return self._chain.start(kill, OPENAI_BASE_URL=self._model.url, EMBEDDING_MODEL="openai/embedder")

    async def _dead(self, server: Server, kill: Kill) -> None:
        await server.dead()
        assert kill.point is not None
        self._chain.hit(kill.point)
        await self._at_rest()
        async with self._chain.storage.open_remains() as database:
            kept = await database.run_read(lambda db: db.scalar(_IS_KEPT))
        assert kept == (kill.point.name in _KEPT), f"vectors are kept: {kept}, after {kill.point.name}"

    async def _add(self, client: Client, word: str) -> None:
        rest = "The lark sings at dawn over the fields. " * 6
        text = "\n\n".join(f"## Part {number}\n\nThis is {word}, part {number}. {rest}" for number in range(_PARTS))
        got = await client.mutate(ADD, projectId=self._project, source="long", title="T", text=text)
        self._id = got["document"]["id"]

    async def _at_rest(self) -> None:
        await checks.at_rest(self._chain.storage, self._chain.ledger)
        async with self._chain.storage.open_remains() as database:
            wrong = await find_wrong_vectors(database)
        assert not wrong, f"{len(wrong)} chunks have the vectors of other texts: {wrong[:3]}"


async def _waiting(client: Client) -> None:
    """Wait until the server reports a document waiting for its model."""
    async with asyncio.timeout(checks.BOUND_SECONDS):
        while True:
            components = (await client.run(_WAITING))["health"]["components"]
            if any(part == {"name": "work", "status": "DEGRADED"} for part in components):
                return
            await asyncio.sleep(0.02)


async def _measured(client: Client, project: str) -> None:
    """Wait until the project is measured; else the next server would ask the model, whose answers are counted."""
    async with asyncio.timeout(checks.BOUND_SECONDS):
        while not (await client.run(_MEASURED, id=project))["project"]["embeddingSpace"]["measuredChunks"]:
            await looking.pause()
