"""`make bench`: measure what Footnote does beside the same work done by hand, and print tables. Nothing is kept.

Ratios are within one run, on whatever machine. `--quick` measures in under two minutes, without 100,000 chunks. A name
measures that part alone; what does not belong to the whole is measured only by name: `copying 100000` (`footnote
copy`), `load` (200 answers at once), `memory` (the most memory under attacks), `processes` (one, two and four servers
on one PostgreSQL), `reembedding [CHUNKS]` (another embedding model for a project in use), `postgres 1000000 100 200000`
(vectors and ingestion on PostgreSQL beside SQLite), `soak [SECONDS]`, `stalls` (how long the largest operations hold up
others) and `tenants 1000 1000` (words among 1,000 projects of 1,000 chunks).
"""

import argparse
import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Sequence

from app.services import open_backend
from app.settings import Settings
from tests.bench import (
    accounts,
    citing,
    copying,
    graphql_api,
    ingestion,
    load,
    memory,
    postgres,
    processes,
    prompting,
    reembedding,
    searching,
    small_documents,
    soak,
    stalls,
    starting,
    streaming,
    tenants,
    turns,
)
from tests.bench.measured import Row, table

Part = Callable[[Sequence[str], bool], Awaitable[None]]
"""Measures and prints; takes the numbers given after its name, and whether to be quick."""

_QUICK_SIZES = (1_000, 10_000)


async def _measure_citations(_: Sequence[str], quick: bool) -> None:
    table("Citations of an answer", citing.measure())


async def _measure_knowledge(_: Sequence[str], quick: bool) -> None:
    sizes = _QUICK_SIZES if quick else searching.SIZES
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/bench.db"
        async with open_backend(
            Settings.model_validate({"database_url": url, "search_cache_seconds": 0}), "serve"
        ) as footnote:
            table("Ingestion (embedded embedder)", await ingestion.measure(footnote, 2 if quick else 8))
            table("Search of one project", await searching.measure(footnote, sizes))
            table("A prompt, beyond its search", await prompting.measure(footnote, sizes))
        table("Answers over WebSocket, 10,000 chunks", await streaming.measure(url, "10000 chunks"))


def _tabled(title: str, measure: Callable[..., Awaitable[list[Row]]]) -> Part:
    async def run(numbers: Sequence[str], quick: bool) -> None:
        table(title, await measure(*map(int, numbers)))

    return run


async def _measure_memory(names: Sequence[str], quick: bool) -> None:
    await memory.measure(list(names))


_WHOLE: dict[str, Part] = {
    "citations": _measure_citations,
    "turns": _tabled("Turns, beside their parts done by hand", turns.measure),
    "knowledge": _measure_knowledge,
    "documents": _tabled("Small documents over GraphQL, beside the same statements by hand", small_documents.measure),
    "graphql": _tabled(
        "The GraphQL API, beside Strawberry's own view (bare with its caches, stock)", graphql_api.measure
    ),
    "starting": _tabled("Starts, beside the imports of four libraries", starting.measure),
    "accounts": _tabled("Signing in", accounts.measure),
}
_BY_NAME: dict[str, Part] = {
    "copying": _tabled("footnote copy", copying.measure),
    "load": _tabled("200 answers at once", load.measure),
    "memory": _measure_memory,
    "postgres": _tabled("PostgreSQL beside SQLite", postgres.measure),
    "processes": _tabled("Servers on one PostgreSQL", processes.measure),
    "reembedding": _tabled("Another embedding model for a project in use", reembedding.measure),
    "soak": _tabled("Mixed use", soak.measure),
    "stalls": _tabled("The longest that the event loop was held", stalls.measure),
    "tenants": _tabled("Words among other projects", tenants.measure),
}
_QUICK = ("citations", "turns", "knowledge", "graphql")


async def main() -> None:
    """Measure the parts that were asked for, each on a fresh database in a temporary folder."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller and fewer measurements")
    parser.add_argument("part", nargs="?", choices=[*_WHOLE, *_BY_NAME], help="measure this part alone")
    parser.add_argument("numbers", nargs="*", help="what the part takes, such as seconds or sizes")
    given = parser.parse_args()
    names = [given.part] if given.part else _QUICK if given.quick else list(_WHOLE)
    for name in names:
        await (_WHOLE | _BY_NAME)[name](given.numbers, given.quick)


if __name__ == "__main__":
    asyncio.run(main())
