"""`make torture`: kill a server hundreds of times, remove its guards, and check every promise afterwards.

`python -m tests.torture` does both; `kills` or `guards` one of them. `--seed` repeats the kills of a run that failed,
`--rounds` says how often each point is hit, `--only` names points or guards. `--database postgresql` starts a
PostgreSQL, which is stopped in the middle of work, too (`--only outages`: nothing else is).
"""

import argparse
import asyncio
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from tests.bench.measured import Row, table
from tests.servers.running import running
from tests.torture import guards
from tests.torture.chain import OUTAGE, RANDOM, Chain, Kill, Tally, planned
from tests.torture.compacting import compact
from tests.torture.migrating import migrate
from tests.torture.outages import interrupt_database
from tests.torture.pausing import pause
from tests.torture.points import BY_NAME, Point, points_on
from tests.torture.server import Nursery, SlowModel
from tests.torture.storage import PostgresServer, PostgresStorage, postgres_server
from tests.torture.switching import switch

_ROUNDS = 5
# Kills on one folder: later ones meet what earlier ones have left, and searching all of it still takes no time.
_TOGETHER = 9
# How often PostgreSQL is stopped in each round.
_OUTAGES = 4
# While a database is made.
_MAKING = {"migrate.based", "migrate.committing", "migrate.committed"}
# A start has something to take up after a kill in the middle of something.
_AFTER = {
    "recover.answers": "journal.inserting",
    "recover.answer": "journal.committing",
    "recover.event": "journal.taken",
    "recover.committing": "turn.committed",
    "recover.next": "journal.committed",
    "recover.documents": "read",
    "recover.queue": "claim.committed",
}


# Kills that are not under load, each kind with a folder of its own or at the end of one.
_OTHERS = ("migration", "compaction", "pause", "switch")


class Run:
    """One run: what it has hit, and its progress."""

    def __init__(self, seed: int, server: PostgresServer | None) -> None:
        """`server` is what each folder gets a database on; without it, a file in the folder."""
        self.seed = seed
        self._server = server
        self.tally = Tally()
        self._numbers = random.Random(seed)  # noqa: S311
        self._began = time.monotonic()

    def tell(self, text: str) -> None:
        """Print a line of progress."""
        print(f"{time.monotonic() - self._began:6.0f} s {self.tally.kills:4} kills  {text}", flush=True)

    async def kills(self, nursery: Nursery, rounds: int, points: Sequence[Point], *, outages: bool) -> None:
        """Hit every point in every round, then retry those that were not reached; `outages`: the database, too."""
        for _ in range(rounds):
            if points:
                await self._round(nursery, points)
            if self._server is not None and outages:
                stops = [planned(None, self._numbers) for _ in range(_OUTAGES)]
                await self._folder(nursery, None, [], interrupt_database, stops)
        for _ in range(rounds):
            missing = [point for point in points if self.tally.hits[point.name] < rounds]
            if missing:
                await self._round(nursery, missing)

    async def _round(self, nursery: Nursery, points: Sequence[Point]) -> None:
        starts = {_AFTER[point.name]: point for point in points if point.during == "start"}
        working = {point.name for point in points if point.during == "work"} | set(starts)
        units = [self._unit(BY_NAME[name], starts.get(name)) for name in sorted(working)]
        units += [[planned(None, self._numbers)] for _ in range(len(units) // 6)]
        self._numbers.shuffle(units)
        kills = [kill for unit in units for kill in unit] or [planned(None, self._numbers)]
        others = {name: [planned(p, self._numbers) for p in points if p.during == name] for name in _OTHERS}
        migrations = others["migration"]
        for start in range(0, len(kills), _TOGETHER):
            last = start + _TOGETHER >= len(kills)
            first = self._numbers.choice(
                [kill for kill in migrations if kill.point and kill.point.name in _MAKING] or [None]
            )
            plain = kills[start : start + _TOGETHER]
            await self._folder(nursery, first, plain, compact if last else None, others["compaction"])
        if migrations:
            await self._folder(nursery, None, [], migrate, migrations, again=False)
        if others["pause"]:
            self._numbers.shuffle(others["pause"])
            await self._folder(nursery, None, [], pause, others["pause"])
        if others["switch"]:
            self._numbers.shuffle(others["switch"])
            await self._folder(nursery, None, [], switch, others["switch"])

    def _unit(self, point: Point, start: Point | None) -> list[Kill]:
        kill = planned(point, self._numbers)
        return [kill, Kill(start)] if start else [kill]

    async def _folder(
        self,
        nursery: Nursery,
        first: Kill | None,
        kills: list[Kill],
        then: Callable[[Chain, list[Kill]], Awaitable[None]] | None,
        others: list[Kill],
        *,
        again: bool = True,
    ) -> None:
        """Run kills on a folder of their own, kept if a promise is broken; `then` adds kills of another kind."""
        seed = self._numbers.randrange(10**9)
        folder = Path(tempfile.mkdtemp(prefix="footnote-torture-"))
        storage = PostgresStorage(self._server) if self._server is not None else None
        chain = Chain(folder, nursery, seed, self.tally, self.tell, storage)
        chain.ledger.again = again
        try:
            if first is not None:
                await chain.live(first)  # of a database that is not made yet there is nothing to see
            await chain.kill(kills)
            if kills:
                await chain.rest()
            if then is not None and others:
                await then(chain, others)
        except BaseException:
            print(f"seed {self.seed}; the database and the server's log are in {folder}", flush=True)
            raise
        finally:
            chain.end()
        shutil.rmtree(folder)

    def report(self, points: Sequence[Point]) -> None:
        """A table of what was hit."""
        rows = [Row(point.name, f"{self._counted(point.name)}  after: {point.before}") for point in points]
        others = [Row(name, self._counted(name)) for name in (RANDOM, OUTAGE) if self.tally.hits[name]]
        table(f"{self.tally.kills} kills, seed {self.seed}", [*rows, *others])

    def _counted(self, name: str) -> str:
        missed = self.tally.missed[name]
        return f"{self.tally.hits[name]:3}" + (f" (not reached {missed} times)" if missed else "")


async def take_away(model: SlowModel, chosen: Sequence[guards.Guard], seed: int, server: PostgresServer | None) -> bool:
    """Remove each guard, and check that it is noticed."""
    silent: list[str] = []
    with tempfile.TemporaryDirectory(prefix="footnote-guards-") as name:
        copy = guards.copied(Path(name))
        for guard in chosen:
            with tempfile.TemporaryDirectory(prefix="footnote-torture-") as folder:
                storage = PostgresStorage(server) if server is not None else None
                try:
                    said = await guards.noticed(guard, copy, Path(folder), model, seed, storage)
                except AssertionError as error:
                    said = None
                    print(error)
            print(f"without “{guard.name}”: {'NOT NOTICED' if said is None else said[:150]}", flush=True)
            if said is None:
                silent.append(guard.name)
    return not silent


async def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    parser.add_argument("what", nargs="?", choices=["all", "kills", "guards"], default="all")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--rounds", type=int, default=_ROUNDS)
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME")
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    given = parser.parse_args()
    print(f"seed {given.seed}")
    ok = True
    with ExitStack() as stack:
        model = stack.enter_context(running(SlowModel()))
        server = stack.enter_context(postgres_server()) if given.database == "postgresql" else None
        run = Run(given.seed, server)
        if given.what != "guards":
            points = [point for point in points_on(given.database) if not given.only or point.name in given.only]
            try:
                outages = not given.only or "outages" in given.only
                await run.kills(stack.enter_context(Nursery(model)), given.rounds, points, outages=outages)
            finally:
                run.report(points)
            ok = all(run.tally.hits[point.name] >= given.rounds for point in points)
        if given.what != "kills":
            possible = guards.guards_on(given.database)
            chosen = [guard for guard in possible if not given.only or guard.name in given.only]
            ok = await take_away(model, chosen, given.seed, server) and ok
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
