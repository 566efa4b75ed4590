"""A PostgreSQL that only reads, goes away, or loses its replies: nothing is lost, and work goes on."""

import asyncio
from contextlib import ExitStack

import httpx
import pytest
from sqlalchemy import text

from app import errors
from app.database import opening
from app.database.protocol import Database
from app.settings import Settings
from tests import postgres
from tests.answers import openai
from tests.graphql.client import ADD_TEXT, CREATE_PROJECT, EVENTS, INGESTION, SEND, Client, Json, subscribe
from tests.looking import pause
from tests.servers.lost_replies import LostReplies
from tests.servers.running import running
from tests.serving import serve
from tests.torture.server import SlowModel

# A transaction that adds to the numbers of a project's words, and waits.
STORING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%keyword_totals%'"
END_CONNECTIONS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}'"


async def test_a_server_that_is_read_only_cannot_be_written(database: Database, url: str) -> None:
    name = url.rpartition("/")[2].partition("?")[0]
    postgres.run_statements(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    with pytest.raises(errors.Unavailable, match="the server is read-only"):
        await database.probe()
    postgres.run_statements(f"ALTER DATABASE {name} RESET default_transaction_read_only", END_CONNECTIONS.format(name))
    await database.probe()


async def test_a_connection_that_the_server_ends_is_replaced(database: Database, url: str) -> None:
    assert await database.run_read(lambda db: db.scalar(text("SELECT 1"))) == 1
    async with database.begin() as db:
        await db.execute(text("SELECT 1"))
    postgres.run_statements(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()",
        url=url,
    )
    assert await database.run_read(lambda db: db.scalar(text("SELECT 2"))) == 2
    await database.probe()


async def test_a_transaction_whose_connection_ends_is_unavailable(database: Database) -> None:
    with pytest.raises(errors.Unavailable):
        async with database.begin() as db:
            await db.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
    await database.probe()


async def test_a_server_that_is_down_is_named() -> None:
    database = opening.open_database("postgresql://kim:secret@127.0.0.1:1/footnote")
    with pytest.raises(errors.Unavailable) as caught:
        await database.probe()
    assert "secret" not in caught.value.message
    assert "secret" not in database.name
    with pytest.raises(errors.Unavailable):
        await database.run_read(lambda db: db.scalar(text("SELECT 1")))
    await database.close()


async def test_a_server_that_goes_away_is_told_and_work_goes_on_when_it_is_back(url: str) -> None:
    settings = Settings.model_validate({"database_url": url, "port": 0})
    name = url.rpartition("/")[2].partition("?")[0]
    async with httpx.AsyncClient(timeout=60) as http:
        with serve(settings) as address:
            client = Client(http, address)
            assert (await http.get(f"{address}/readyz")).status_code == 200
            postgres.run_statements(
                f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false",
                END_CONNECTIONS.format(name),
            )
            assert (await http.get(f"{address}/readyz")).status_code == 503
            assert (await http.get(f"{address}/livez")).status_code == 200
            refused = await http.post(f"{address}/graphql", json={"query": "{ projects { totalCount } }"})
            assert "UNAVAILABLE" in refused.text
            postgres.run_statements(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS true")
            async with asyncio.timeout(30):  # a connection that was being made when it came back still fails
                while (await http.get(f"{address}/readyz")).status_code != 200:
                    await pause()
            await client.ready(await client.project("Bees"), "Bees", "Bees make honey in hives.")


async def test_connections_to_a_server_that_only_reads_are_given_up(url: str) -> None:
    """After a failover, a host's name leads to the former writer for a while, and connections to that stay open."""
    settings = Settings.model_validate({"database_url": url, "port": 0})
    name = url.rpartition("/")[2].partition("?")[0]
    async with httpx.AsyncClient(timeout=60) as http:
        with serve(settings) as address:
            client = Client(http, address)
            project = await client.project("Bees")
            postgres.run_statements(
                f"ALTER DATABASE {name} SET default_transaction_read_only = on", END_CONNECTIONS.format(name)
            )
            while "read-only" not in (await client.post(CREATE_PROJECT, input={"name": "More"})).text:
                await pause()
            assert (await http.get(f"{address}/readyz")).status_code == 503
            postgres.run_statements(f"ALTER DATABASE {name} SET default_transaction_read_only = off")
            async with asyncio.timeout(30):
                while (await http.get(f"{address}/readyz")).status_code != 200:
                    await pause()
            await client.ready(project, "Bees", "Bees make honey in hives.")


async def test_a_project_whose_documents_take_long_to_store_holds_up_no_other(url: str) -> None:
    settings = Settings.model_validate({"database_url": url, "port": 0})
    async with httpx.AsyncClient(timeout=60) as http:
        with serve(settings) as address:
            client = Client(http, address)
            bees, owls = await client.project("Bees"), await client.project("Owls")
            await client.ready(bees, "Bees", "Bees make honey in hives.")
            held = opening.open_database(url)
            async with held.begin() as db:
                await db.execute(text("SELECT * FROM keyword_totals FOR UPDATE"))
                added = await client.mutate(ADD_TEXT, projectId=bees, title="More", text="Drones make none.")
                while not await asyncio.to_thread(postgres.fetch_value, url, STORING):
                    await pause()
                async with asyncio.timeout(30):
                    await client.ready(owls, "Owls", "Owls hunt mice at night.")
            await held.close()
            [*_, last] = await client.follow(INGESTION, document=added["document"]["id"])
            assert last["__typename"] == "IngestionCompleted"


async def test_documents_whose_claim_is_committed_without_a_reply_are_processed(url: str, database: Database) -> None:
    """The server's own lease on them is renewed, so that no other process would take them."""
    claim = b"UPDATE documents SET status=$1, owner=$2::VARCHAR, lease_until="
    stack = ExitStack()
    async with LostReplies(url, claim, at_once=True).opened() as way, httpx.AsyncClient(timeout=60) as http:
        way.losing = 1
        settings = Settings.model_validate({"database_url": way.url, "port": 0})
        client = Client(http, await asyncio.to_thread(stack.enter_context, serve(settings)))
        async with asyncio.timeout(30):
            await client.ready(await client.project("Bees"), "Bees", "Bees make honey in hives.")
        await asyncio.to_thread(stack.close)
    assert way.lost == 1


async def test_who_watches_a_server_gets_an_answer_while_its_database_hangs(url: str, database: Database) -> None:
    async with httpx.AsyncClient(timeout=8) as http:
        with serve(Settings.model_validate({"database_url": url, "port": 0})) as address:
            async with database.begin() as db:
                await db.execute(text("LOCK TABLE documents"))
                refused, ready = await asyncio.gather(*(http.get(f"{address}/{of}") for of in ("metrics", "readyz")))
            assert (refused.status_code, "does not respond in time" in refused.text) == (503, True), refused.text
            assert ready.text.strip() == "DEGRADED"
            assert (await http.get(f"{address}/metrics")).status_code == 200


async def test_connections_that_the_server_is_ending_are_told_as_lost(url: str, database: Database) -> None:
    """Between its last words and the end, the driver refuses each statement with an error without a code."""
    ended = 0
    async with LostReplies(url).opened() as way:
        for way.ends_after in range(1, 100):
            through = opening.open_database(way.url)
            try:
                await through.run_read(lambda db: db.scalar(text("SELECT 1")))
                async with through.begin() as db:
                    await db.execute(text("SELECT 1"))
            except errors.Unavailable:
                ended += 1
            else:
                break
            finally:
                await through.close()
    assert ended > 20, "each piece of two connections' beginnings"


async def test_an_answer_whose_writes_are_committed_without_a_reply_is_whole(url: str) -> None:
    """Nobody knows whether what was being written is there: it is found, and neither lost nor written twice."""
    words = [f"word{number} " for number in range(40)]
    model, stack, events = SlowModel(lambda _: words), ExitStack(), list[Json]()
    async with LostReplies(url).opened() as way, httpx.AsyncClient(timeout=60) as http:
        with running(model):
            settings = Settings.model_validate({"database_url": way.url, "port": 0, **openai(model)})
            # On a thread, because the way to the database is in this event loop.
            client = Client(http, await asyncio.to_thread(stack.enter_context, serve(settings)))
            session = await client.session(await client.project("Bees"), enableRag=False)
            answer = (await client.mutate(SEND, sessionId=session, content="Well?"))["answer"]["id"]
            async with client.socket() as socket:
                async for event in subscribe(socket, EVENTS, id=answer):
                    events.append(event)
                    if event["__typename"] == "AnswerDelta" and len(events) % 3 == 0:
                        way.losing = 1
            await asyncio.to_thread(stack.close)
    assert events[-1]["__typename"] == "AnswerCompleted", events[-1]
    assert "".join(event["text"] for event in events if "text" in event) == "".join(words)
    assert [event["sequence"] for event in events] == list(range(1, len(events) + 1))
    assert way.lost > 0
