"""A standby of PostgreSQL: it only reads, until it is promoted."""

import asyncio
from pathlib import Path

import httpx

from app.settings import Settings
from tests.commands import printed_here, run_here
from tests.graphql.client import CREATE_PROJECT, Client
from tests.looking import pause
from tests.outages.nodes import PostgresNode
from tests.serving import serve


async def test_a_standby_is_read_and_a_server_on_it_works_once_it_is_promoted(
    node: PostgresNode, tmp_path: Path
) -> None:
    await asyncio.to_thread(printed_here, tmp_path, "migrate", DATABASE_URL=node.url())
    with serve(Settings.model_validate({"database_url": node.url(), "port": 0})):
        pass  # makes the owner
    node.become_standby()
    listed = await asyncio.to_thread(run_here, tmp_path, "projects", DATABASE_URL=node.url())
    assert (listed.returncode, "Traceback" in listed.stderr) == (0, False), listed.stderr
    async with httpx.AsyncClient(timeout=60) as http:
        with serve(Settings.model_validate({"database_url": node.url(), "port": 0})) as address:
            client = Client(http, address)
            [refusal] = await client.errors(CREATE_PROJECT, input={"name": "Bees"})
            assert "the server is read-only" in refusal["message"]
            assert (await http.get(f"{address}/readyz")).status_code == 503
            node.promote()
            while (await http.get(f"{address}/readyz")).status_code != 200:
                await pause()
            project = await client.project("Bees")
            await client.ready(project, "Bees", "Bees make honey in hives.")
