"""Stop PostgreSQL like a crash while a server is loaded, and start it again.

The server goes on by itself: what it had promised is true again as soon as the database is back, also of answers that
were being given meanwhile.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence

import httpx

from tests.graphql.client import Client
from tests.torture import checks
from tests.torture.chain import Chain, Kill
from tests.torture.load import Load
from tests.torture.server import Server
from tests.torture.storage import PostgresServer, PostgresStorage

# How long it is away: shorter and longer than clients and connections wait.
_AWAY_SECONDS = (0.0, 0.5, 3.0)


async def interrupt_database(chain: Chain, kills: Sequence[Kill]) -> None:
    """Stop PostgreSQL after some load, once for each of these; then start another server."""
    assert isinstance(chain.storage, PostgresStorage)
    server = chain.start(None)
    try:
        url = await server.address()
        assert url is not None
        async with httpx.AsyncClient(timeout=60) as http:
            client = Client(http, url)
            await chain.check(client)
            for kill in kills:
                began, before = time.monotonic(), len(chain.ledger.asked)
                away = chain.ledger.random.choice(_AWAY_SECONDS)
                await _interrupt(chain, server, client, chain.storage.server, kill.seconds, away)
                await chain.check(client)
                chain.hit_outage()
                ended = Counter(str(asked.status_at_end) for asked in chain.ledger.asked[before:])
                chain.tell(f"PostgreSQL away for {away} s, {time.monotonic() - began:.1f} s, answers: {dict(ended)}")
        await server.stop()
    finally:
        server.end()
    await checks.at_rest(chain.storage, chain.ledger)
    await chain.rest()


async def _interrupt(
    chain: Chain, server: Server, client: Client, postgres: PostgresServer, after: float, away: float
) -> None:
    """Load the server, and stop its database while it works."""
    load = Load(client, chain.ledger, may_refuse=True)
    clients = asyncio.create_task(load.run())
    try:
        await asyncio.wait([clients], timeout=after)
        await asyncio.to_thread(postgres.stop_at_once)
        await asyncio.sleep(away)
        await asyncio.to_thread(postgres.start)
        load.end()
        async with asyncio.timeout(checks.BOUND_SECONDS):
            await clients
    finally:
        clients.cancel()
    assert not server.died(), f"the server has died with its database\n{server.log()}"
    async with asyncio.timeout(checks.BOUND_SECONDS):
        while (await client.http.get(client.url.replace("/graphql", "/readyz"))).status_code != 200:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
