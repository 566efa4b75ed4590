"""A chain of kills: start a server on a folder, check it, load it, kill it, and record what was hit."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from tests.graphql.client import Client
from tests.torture import checks
from tests.torture.ledger import Ledger
from tests.torture.load import Load
from tests.torture.points import Point
from tests.torture.server import Nursery, Server
from tests.torture.storage import SQLiteStorage, Storage

RANDOM = "at random"
OUTAGE = "PostgreSQL at random"
# How long a life waits for its point under load before it is ended from outside.
_PATIENCE_SECONDS = 60.0
_MIN_SECONDS, _MAX_SECONDS = 0.2, 2.0
_SESSIONS = 3


@dataclass(frozen=True, slots=True)
class Kill:
    """A kill when a point is passed for the `hit`th time, or, without a point, after some seconds of load."""

    point: Point | None
    hit: int = 1
    seconds: float = 0.0


@dataclass
class Tally:
    """How often each point was hit, and how often it was missed."""

    hits: Counter[str] = field(default_factory=Counter[str])
    missed: Counter[str] = field(default_factory=Counter[str])

    @property
    def kills(self) -> int:
        """All of them."""
        return sum(self.hits.values())


Tell = Callable[[str], None]


def planned(point: Point | None, numbers: random.Random) -> Kill:
    """Plan a kill at this point, not always on the same hit."""
    if point is None:
        return Kill(None, seconds=numbers.uniform(_MIN_SECONDS, _MAX_SECONDS))
    return Kill(point, hit=numbers.randint(1, point.often))


class Chain:
    """Successive servers on one database. `folder` has their logs, and the database unless `storage` names another."""

    def __init__(
        self, folder: Path, nursery: Nursery, seed: int, tally: Tally, tell: Tell, storage: Storage | None = None
    ) -> None:
        self._folder = folder
        self._nursery = nursery
        self._tally = tally
        self.tell = tell
        self.ledger = Ledger(seed)
        self.storage = storage or SQLiteStorage(folder / "footnote.db")
        self._lives: list[Server] = []

    async def kill(self, kills: Sequence[Kill]) -> None:
        """Carry out each kill and check what it left. Raises AssertionError for a broken promise."""
        for kill in kills:
            await self.live(kill)
            await checks.at_rest(self.storage, self.ledger)

    async def rest(self) -> None:
        """Start without a kill: every promise holds, every log too, and the database is consistent."""
        server = self.start(None)
        try:
            url = await server.address()
            assert url is not None
            async with httpx.AsyncClient(timeout=30) as http:
                await self.check(Client(http, url), every_log=True)
            await server.stop()
        finally:
            server.end()
        await checks.at_rest(self.storage, self.ledger)
        for life in self._lives:
            await life.alone()

    def end(self) -> None:
        """Stop everything, whatever happened."""
        for life in self._lives:
            life.end()

    def start(self, kill: Kill | None, what: str = "app", **environment: str) -> Server:
        """Start a process that dies at its point. `what` is its module; `environment` is passed to it."""
        point, hit = (kill.point, kill.hit) if kill else (None, 1)
        environment = {"DATABASE_URL": self.storage.url, **environment}
        self._lives.append(self._nursery.start(self._folder, point, hit, what, environment))
        return self._lives[-1]

    async def live(self, kill: Kill) -> None:
        """Start, run all checks, and load the server until the kill; a kill during startup ends it there."""
        began = time.monotonic()
        server = self.start(kill)
        try:
            url = await server.address()
            if url is not None:
                async with httpx.AsyncClient(timeout=30) as http:
                    client = Client(http, url)
                    await self.check(client)
                    await self._load(client, server, kill)
            else:
                self.hit(kill.point)
        finally:
            server.end()
        self.told(kill, began)

    def told(self, kill: Kill, began: float) -> None:
        """A line about a finished kill."""
        name = kill.point.name if kill.point else RANDOM
        self.tell(f"{name} #{kill.hit}, {time.monotonic() - began:.1f} s")

    async def check(self, client: Client, *, every_log: bool = False) -> None:
        """Everything that was promised is there; on a new database there is a project and sessions now."""
        if not self.ledger.project:
            self.ledger.project = await client.project("docs")
            self.ledger.sessions = [await self._session(client, number) for number in range(_SESSIONS)]
        await checks.restarted(client, self.ledger, every_log=every_log)

    async def _session(self, client: Client, number: int) -> str:
        """The last of them answers from the documents."""
        return await client.session(self.ledger.project, enableRag=number == _SESSIONS - 1, grounding="OPEN")

    async def _load(self, client: Client, server: Server, kill: Kill) -> None:
        waits = kill.seconds
        if kill.point is not None:
            waits = _PATIENCE_SECONDS if kill.point.during == "work" else _MAX_SECONDS
            server.arm()
        load = Load(client, self.ledger)
        clients = asyncio.create_task(load.run())
        await asyncio.wait([clients], timeout=waits)
        if clients.done():
            await clients
            await server.dead()
            self.hit(kill.point)
            return
        lost = load.lost
        if not server.died():
            assert not lost, f"{lost} clients lost a server that lives\n{server.log()}"
            self.missed(kill.point)
            self.hit(None)  # whatever is not reached is killed all the same, from outside
        await server.kill()
        await clients

    def hit(self, point: Point | None) -> None:
        """Record that a process died there."""
        self._tally.hits[point.name if point else RANDOM] += 1

    def hit_outage(self) -> None:
        """Record that the database was stopped."""
        self._tally.hits[OUTAGE] += 1

    def missed(self, point: Point | None) -> None:
        """Record that a point was not reached."""
        if point is not None:
            self._tally.missed[point.name] += 1
