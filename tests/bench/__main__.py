"""`make bench`: measure citations, sign-ins, ingestion, search and streaming, and print tables. Nothing is kept.

`python -m tests.bench load` measures 200 answers at once instead, which takes over a minute, `… memory` the most
memory under attacks, `… soak [SECONDS]` five minutes of mixed use, `… stalls` how long the largest operations hold up
all others, and `… tenants 1000 1000` the search of words among 1,000 projects of 1,000 chunks.
"""

import asyncio
import sys
import tempfile

from app.services import open_backend
from app.settings import Settings
from tests.bench import (
    accounts,
    citing,
    graphql_api,
    ingestion,
    load,
    memory,
    prompting,
    searching,
    soak,
    stalls,
    streaming,
    tenants,
)
from tests.bench.measured import table


async def main() -> None:
    """Run each measurement on a fresh database in a temporary folder."""
    if sys.argv[1:] == ["load"]:
        table("200 answers at once", await load.measure())
        return
    if sys.argv[1:2] == ["memory"]:
        await memory.measure(sys.argv[2:])
        return
    if sys.argv[1:] == ["stalls"]:
        table("The longest that the event loop was held", await stalls.measure())
        return
    if sys.argv[1:2] == ["tenants"]:
        table("Words among other projects", await tenants.measure(*map(int, sys.argv[2:])))
        return
    if sys.argv[1:2] == ["soak"]:
        table("Mixed use", await soak.measure(*map(int, sys.argv[2:])))
        return
    table("Citations of an answer", citing.measure())
    table("Signing in", await accounts.measure())
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/bench.db"
        async with open_backend(Settings.model_validate({"database_url": url}), "serve") as footnote:
            table("Ingestion (embedded embedder)", await ingestion.measure(footnote))
            table("Search of one project", await searching.measure(footnote))
            table("A prompt, beyond its search", await prompting.measure(footnote))
        table(
            "The GraphQL API, beside Strawberry's own view (bare with its caches, stock)", await graphql_api.measure()
        )
        table("Answers over WebSocket, 10,000 chunks", await streaming.measure(url, "10000 chunks"))


if __name__ == "__main__":
    asyncio.run(main())
