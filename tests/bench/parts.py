"""`make bench`: measure what Footnote does beside its peers, in one table. Nothing is kept.

Ratios are ours to the peer's, in one run on whatever machine; README.md here says how to read them. `--quick` measures
in under two minutes, without what takes long. A name measures that part alone; what does not belong to the whole is
measured only by name: `before` (version 0.1, from this repository's history), `copying 100000` (`footnote copy`),
`memory` (the most memory under attacks), `model_files` (first words of SmolLM2, and others meanwhile), `postgres
1000000 100 200000` (vectors and ingestion on PostgreSQL beside SQLite), `processes` (one, two and four servers on one
PostgreSQL), `reembedding [CHUNKS]` (another embedding model for a project in use), `soak [SECONDS]`, `stalls` (how long
the largest operations hold up others) and `tenants 1000 1000` (words among 1,000 projects of 1,000 chunks).
"""

import argparse
import os
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

from app.services import open_backend
from app.settings import Settings
from tests.bench import before
from tests.bench.answers import citing, load, model_files, processes, prompting, streaming, turns
from tests.bench.api import accounts, graphql_api
from tests.bench.documents import copying, ingestion, reembedding, small_documents
from tests.bench.measured import Row, heading, table, tell
from tests.bench.search import postgres, searching, tenants
from tests.bench.server import footprint, memory, resting, soak, stalls, starting

Part = Callable[[Sequence[str], bool], AsyncIterator[tuple[str, Sequence[Row]]]]
"""Titles and rows, as they are measured; takes what is given after its name, and whether to be quick."""

_QUICK_SIZES = (10_000,)
_LEFT_OUT = """
What this leaves out: the time of a model that writes (every model here answers at once or at a steady pace), networks
(all is on one machine, whose cores servers, users, models and peers share), other disks and file systems, cold page
caches, text other than English, and databases used for months. The peers do less than Footnote: those by hand have no
users, limits or events, the naive peer and the bare relay store nothing. A figure beside no peer says something of this
machine alone. Aims in seconds, or per second, are those for two cores of our kind. Quality, isolation and what survives
a kill are measured elsewhere: `python -m tests.evaluation`, `make bench-retrieval`, the tests, and `make torture`."""


async def _measure_knowledge(_: Sequence[str], quick: bool) -> AsyncIterator[tuple[str, Sequence[Row]]]:
    sizes = _QUICK_SIZES if quick else searching.SIZES
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/bench.db"
        async with open_backend(Settings.model_validate({"database_url": url}), "serve") as footnote:
            yield "Ingestion (embedded embedder)", await ingestion.measure(footnote, 2 if quick else 8)
            yield "Search of one project", await searching.measure(footnote, sizes)
            yield "A prompt, beside its search", await prompting.measure(footnote, sizes)
        yield "Answers over WebSocket, 10,000 chunks", await streaming.measure(url, "10000 chunks")


def _titled(title: str, measure: Callable[..., Awaitable[Sequence[Row]]]) -> Part:
    async def run(numbers: Sequence[str], quick: bool) -> AsyncIterator[tuple[str, Sequence[Row]]]:
        yield title, await measure(*map(int, numbers))

    return run


async def _measure_memory(names: Sequence[str], quick: bool) -> AsyncIterator[tuple[str, Sequence[Row]]]:
    yield "The most memory under each attack", await memory.measure(list(names))


_WHOLE: dict[str, Part] = {
    "citations": _titled("Citations of an answer", citing.measure),
    "turns": _titled("Turns over GraphQL", turns.measure),
    "knowledge": _measure_knowledge,
    "vectors": _titled("Vectors in memory, without a database", searching.measure_vectors),
    "documents": _titled("Documents of 120 words over GraphQL", small_documents.measure),
    "graphql": _titled("The GraphQL API, CPU of an operation", graphql_api.measure),
    "load": _titled("200 answers at once", load.measure),
    "rest": _titled("While nothing happens", resting.measure),
    "starting": _titled("Starts", starting.measure),
    "footprint": _titled("Memory of a server and its workers", footprint.measure),
    "accounts": _titled("Signing in", accounts.measure),
}
_BY_NAME: dict[str, Part] = {
    "before": _titled("This version beside version 0.1", before.measure),
    "copying": _titled("footnote copy", copying.measure),
    "memory": _measure_memory,
    "model_files": _titled("A model from a file", model_files.measure),
    "postgres": _titled("PostgreSQL beside SQLite", postgres.measure),
    "processes": _titled("Servers on one PostgreSQL", processes.measure),
    "reembedding": _titled("Another embedding model for a project in use", reembedding.measure),
    "soak": _titled("Mixed use", soak.measure),
    "stalls": _titled("The longest that the event loop was held", stalls.measure),
    "tenants": _titled("Words among other projects", tenants.measure),
}
_QUICK = ("citations", "turns", "knowledge", "graphql")


async def main() -> None:
    """Measure the parts that were asked for, each on a fresh database in a temporary folder."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller and fewer measurements")
    parser.add_argument("part", nargs="?", choices=[*_WHOLE, *_BY_NAME], help="measure this part alone")
    parser.add_argument("numbers", nargs="*", help="what the part takes, such as seconds or sizes")
    given = parser.parse_args()
    # The same questions are asked again and again: what is measured is the search, not that its result is still there.
    os.environ["SEARCH_CACHE_SECONDS"] = "0"
    names = [given.part] if given.part else _QUICK if given.quick else list(_WHOLE)
    found: list[Row] = []
    heading()
    for name in names:
        tell(f"measuring {name}")
        async for title, rows in (_WHOLE | _BY_NAME)[name](given.numbers, given.quick):
            table(title, rows)
            found += rows
    aims = [row.aim for row in found if row.aim]
    met = sum(aim.is_met for aim in aims)
    if aims:
        print(f"\n{met} of {len(aims)} aims met; missed: {_missed(found)}")
    print(_LEFT_OUT)


def _missed(rows: Sequence[Row]) -> str:
    missed = [row.name.strip() for row in rows if row.aim and not row.aim.is_met]
    return "; ".join(missed) or "none"
