"""A PostgreSQL server that hangs: it keeps its connections, and answers nothing."""

import asyncio
import sys
import time
from pathlib import Path

import httpx
import pytest

from app.accounts import tokens
from app.database import opening, upgrade
from app.settings import Settings
from tests.graphql.client import ADD_TEXT, Client
from tests.looking import pause
from tests.outages.nodes import PostgresNode
from tests.serving import serve, serve_in_process

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the children of a process")

# Less than the driver waits for a single answer.
_SECONDS = 30
# As in `deploy/`.
_STOP_SECONDS = 20


async def test_connections_are_closed_although_the_server_hangs(node: PostgresNode) -> None:
    """There are twenty of them, and a server that stops must not wait for an answer on each."""
    database = opening.open_database(node.url())
    await upgrade.upgrade_database(database)
    await database.probe()
    assert await database.hold_upkeep()
    with node.hanging():
        began = time.monotonic()
        await database.close()
        assert time.monotonic() - began < _SECONDS


async def test_a_closed_database_leaves_its_upkeep_to_another_process(node: PostgresNode) -> None:
    """Closing does not wait for the server; the server ends the connections, and releases what they hold."""
    database, other = opening.open_database(node.url()), opening.open_database(node.url())
    await upgrade.upgrade_database(database)
    assert await database.hold_upkeep()
    assert not await other.hold_upkeep()
    await database.close()
    while not await other.hold_upkeep():
        await pause()
    await other.close()


async def test_a_database_that_hangs_is_told_of_in_time(node: PostgresNode) -> None:
    """Whoever sends requests to this server must learn of it long before the first of them fails."""
    settings = Settings.model_validate({"database_url": node.url(), "port": 0, "require_sign_in": True})
    credential = {"authorization": f"Bearer {tokens.new_token('access')}"}
    with serve(settings) as url:
        async with httpx.AsyncClient(timeout=5) as http:

            async def ask(path: str, says: str, **headers: str) -> list[tuple[int, str]]:
                """All answers of a path, of which the last contains what it `says`."""
                told: list[tuple[int, str]] = []
                async with asyncio.timeout(_SECONDS):
                    while not told or says not in told[-1][1]:
                        response = await http.get(url + path, headers=headers)
                        told.append((response.status_code, response.text))
                        await pause()
                return told

            await ask("/readyz", "OK")
            with node.hanging():
                *earlier, last = await ask("/readyz", "DOWN")
                assert last == (503, "DOWN\n")
                assert set(earlier) == {(200, "DEGRADED\n")}
                assert await ask("/health", "DOWN") == [(503, '{"status":"DOWN"}')]
                assert await ask("/health", "DOWN", **credential) == [(503, '{"status":"DOWN"}')]
            await ask("/readyz", "OK")


async def test_a_server_stops_in_time_although_its_database_hangs(node: PostgresNode, tmp_path: Path) -> None:
    """Each write waits for longer than supervisors do before they kill a server."""
    log = tmp_path / "log"
    with log.open("w") as errors, serve_in_process({"DATABASE_URL": node.url()}, stderr=errors) as (process, url):
        async with httpx.AsyncClient(timeout=_SECONDS) as http:
            client = Client(http, url)
            project = await client.project("Bees")
            with node.hanging():
                new = {"projectId": project, "title": "Owls", "text": "Owls live in barns."}
                writes = [asyncio.create_task(client.post(ADD_TEXT, input=new)) for _ in range(9)]
                with pytest.raises(httpx.ReadTimeout):
                    await http.post(client.url, json={"query": "{ projects { totalCount } }"}, timeout=2)
                process.terminate()
                began = time.monotonic()
                assert await asyncio.to_thread(process.wait, 2 * _SECONDS) == 0
                assert time.monotonic() - began < _STOP_SECONDS
                await asyncio.gather(*writes, return_exceptions=True)
        assert process.stdout is not None
        assert process.stdout.read().endswith("Stopped.\n")
    assert "connections to the database are cut off" in log.read_text()
    assert "Traceback" not in log.read_text()
