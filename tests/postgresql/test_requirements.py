"""What is about PostgreSQL alone: its schema, what it must have, and a server that goes away."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import ExitStack

import httpx
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, make_url, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from app import errors
from app.database import models, opening, upgrade
from app.database.locks import Lock
from app.database.postgres.database import PostgresDatabase
from app.database.postgres.lock_queues import LockQueues
from app.database.protocol import Database
from app.settings import Settings
from tests import postgres
from tests.answers import openai
from tests.graphql.client import ADD_TEXT, CREATE_PROJECT, EVENTS, INGESTION, SEND, Client, Json, subscribe
from tests.looking import pause
from tests.old_databases import NEWEST
from tests.servers.lost_replies import LostReplies
from tests.servers.running import running
from tests.serving import serve
from tests.torture.server import SlowModel

# Text that is not compared by its bytes would be sorted otherwise than in SQLite.
OTHER_COLLATIONS = (
    "SELECT string_agg(table_name || '.' || column_name, ', ') FROM information_schema.columns "
    "WHERE table_schema = 'public' AND data_type IN ('text', 'character varying') "
    "AND collation_name IS DISTINCT FROM 'C' AND table_name <> 'alembic_version'"
)
WAITING = (
    "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'advisory' "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
END_LOCKS = (
    "SELECT pg_terminate_backend(pid, 10000) FROM pg_locks WHERE locktype = 'advisory' "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)

# A transaction that adds to the numbers of a project's words, and waits.
STORING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%keyword_totals%'"
END_CONNECTIONS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}'"


@pytest.fixture
def url() -> Generator[str]:
    with postgres.empty_database() as empty:
        yield empty


@pytest.fixture
async def database(url: str) -> AsyncGenerator[Database]:
    opened = opening.open_database(url)
    await upgrade.upgrade_database(opened)
    yield opened
    await opened.close()


async def test_migrations_build_what_the_models_say(url: str) -> None:
    database = opening.open_database(url)
    assert await upgrade.upgrade_database(database) == upgrade.UpgradeResult(None, NEWEST, None)
    assert await upgrade.upgrade_database(database) == upgrade.UpgradeResult(NEWEST, NEWEST, None)

    def ours(name: str | None, kind: str, _: object) -> bool:
        return kind != "table" or name in models.Base.metadata.tables

    def differences(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"include_name": ours})
        return list(compare_metadata(context, models.Base.metadata))

    assert await database.inspect_schema(differences) == []
    assert postgres.fetch_value(url, OTHER_COLLATIONS) is None
    await database.close()


async def test_tables_and_views_of_others_are_left_alone(url: str) -> None:
    """Such as those of pg_stat_statements, which nobody but its owner could change."""
    others = 'CREATE TABLE notes (note text COLLATE "POSIX"); CREATE VIEW noted AS SELECT note FROM notes'
    postgres.run_statements(others, url=url)
    database = opening.open_database(url)
    await upgrade.upgrade_database(database)
    await database.close()
    noted = "SELECT string_agg(collation_name, ', ') FROM information_schema.columns WHERE table_name LIKE 'note%'"
    assert postgres.fetch_value(url, noted) == "POSIX, POSIX"


async def test_processes_that_start_at_once_migrate_once(url: str) -> None:
    opened = [opening.open_database(url) for _ in range(4)]
    await asyncio.gather(*map(upgrade.upgrade_database, opened))
    for database in opened:
        await database.close()
    assert postgres.fetch_value(url, "SELECT version_num FROM alembic_version") == NEWEST


async def test_a_migration_may_take_longer_than_anything_else(url: str) -> None:
    sleep = text("SELECT pg_sleep(2)")
    database = PostgresDatabase(make_url(url).set(drivername="postgresql+asyncpg"), command_seconds=0.5)
    with pytest.raises(errors.Unavailable, match="does not respond"):
        await database.run_write(lambda db: db.execute(sleep))
    async with database.open_schema() as connection:
        await connection.execute(sleep)
        await connection.execute(text("CREATE TABLE made (id int)"))
    await database.close()
    assert postgres.fetch_value(url, "SELECT count(*) FROM made") == 0


async def test_readers_see_one_snapshot_and_cannot_write(database: Database) -> None:
    async with database.read() as db:
        count = text("SELECT count(*) FROM projects")
        assert (await db.execute(count)).scalar_one() == 0
        await database.run_write(lambda other: other.add(models.Project(name="later")))
        assert (await db.execute(count)).scalar_one() == 0
        with pytest.raises((DBAPIError, errors.Unavailable), match="read-only"):
            await db.execute(text("DELETE FROM projects"))


async def test_a_failed_write_leaves_nothing(database: Database) -> None:
    with pytest.raises(RuntimeError):
        async with database.begin() as db:
            db.add(models.Project(name="half"))
            await db.flush()
            raise RuntimeError
    assert await database.run_read(lambda db: db.scalar(text("SELECT count(*) FROM projects"))) == 0


async def test_a_write_that_is_cancelled_while_it_waits_on_the_server_leaves_nothing(
    database: Database, url: str
) -> None:
    lock = text("SELECT pg_advisory_xact_lock(1)")

    def write(db: Session) -> None:
        db.add(models.Project(name="cancelled"))
        db.flush()
        db.execute(lock)

    async with database.begin() as db:
        await db.execute(lock)
        writing = asyncio.create_task(database.run_write(write))
        while not await asyncio.to_thread(postgres.fetch_value, url, WAITING):
            await pause()  # it is on its way, or the test runs into its time limit
        writing.cancel()
        await asyncio.sleep(0)
        assert not writing.done(), "its transaction is still open"
    with pytest.raises(asyncio.CancelledError):
        await writing
    assert await database.run_read(lambda db: db.scalar(text("SELECT count(*) FROM projects"))) == 0


async def test_writes_that_wait_for_each_other_are_both_done(database: Database) -> None:
    async with database.begin() as db:
        db.add_all(models.Project(id=id, name=id) for id in "ab")
    both, tries = threading.Barrier(2), list[str]()

    def rename(first: str, second: str) -> Callable[[Session], None]:
        def work(db: Session) -> None:
            tries.append(first)
            for id in (first, second):
                project = db.get_one(models.Project, id)
                project.name += first
                db.flush()
                if len(tries) <= 2 and id == first:
                    both.wait(10)

        return work

    await asyncio.gather(database.run_write(rename("a", "b")), database.run_write(rename("b", "a")))
    assert sorted(tries) in (["a", "a", "b"], ["a", "b", "b"])
    async with database.read() as db:
        names = [(await db.get_one(models.Project, id)).name for id in "ab"]
    assert [name[1:] for name in names] in (["ab", "ab"], ["ba", "ba"])


async def test_nobody_waits_for_a_lock_without_end() -> None:
    queues = LockQueues(wait_seconds=0.05)
    async with queues.enter([Lock.DOCUMENTS]), queues.enter([Lock.DOCUMENTS]):
        with pytest.raises(errors.Unavailable, match="too many writers are waiting"):
            async with queues.enter([Lock.PROJECT_NAMES, Lock.DOCUMENTS]):
                raise AssertionError("two are there already")
        async with queues.enter([Lock.PROJECT_NAMES]), queues.enter([Lock.PROJECT_NAMES]):
            pass  # what the third had while it waited is free again


async def test_those_who_wait_for_a_lock_leave_connections_to_others(database: Database, url: str) -> None:
    other = opening.open_database(url)
    one = text("SELECT 1")

    async def begin() -> None:
        async with database.begin(Lock.MEMORIES):
            pass

    async with asyncio.TaskGroup() as waiting, other.begin(Lock.DOCUMENTS), other.begin(Lock.MEMORIES):
        for _ in range(10):
            waiting.create_task(database.run_write(lambda db: db.scalar(one), Lock.DOCUMENTS))
            waiting.create_task(begin())
        while not await asyncio.to_thread(postgres.fetch_value, url, WAITING):
            await pause()  # they are on their way, or the test runs into its time limit
        async with asyncio.timeout(20):
            assert await database.run_write(lambda db: db.scalar(one)) == 1
            await database.probe()
    await other.close()


async def test_one_process_at_a_time_does_the_upkeep(database: Database, url: str) -> None:
    other = opening.open_database(url)
    assert await database.hold_upkeep()
    assert (await database.hold_upkeep(), await other.hold_upkeep()) == (True, False)
    postgres.run_statements(END_LOCKS, url=url)
    assert (await other.hold_upkeep(), await database.hold_upkeep()) == (True, False), "whoever lost it asks again"
    await other.close()
    assert await database.hold_upkeep()


async def test_text_that_cannot_be_stored_is_refused(database: Database) -> None:
    with pytest.raises(errors.Invalid, match=r"U\+0000"):
        await database.run_write(lambda db: db.add(models.Project(name="a\0b")) or db.flush())


async def test_values_outside_of_a_column_are_refused(database: Database) -> None:
    calibration = models.TokenCalibration(user_id="u", model="m", script="Latin", samples=2**31, mean=1, variance=0)
    for row in (models.Project(name="x" * 201), calibration):
        with pytest.raises(errors.Invalid, match="can store here"):
            await database.run_write(lambda db, row=row: db.add(row) or db.flush())


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
