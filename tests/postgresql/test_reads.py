"""What is read of rows in PostgreSQL that others have written: no more than needed, whatever clocks they had."""

import asyncio
from collections.abc import Generator

import httpx
import pytest

from app.accounts.limits.counters import DatabaseCounters, LimitWindow
from app.answer_options.document_filter import DocumentFilter
from app.database import opening
from app.database.pages import PageRequest
from app.knowledge.search.filters import LibraryOrder
from app.services import open_backend
from app.settings import Settings
from tests import postgres
from tests.graphql.client import INGESTION, Client, subscribe
from tests.looking import pause
from tests.serving import serve

ADD_PROJECT = (
    "INSERT INTO projects (id, name, local_providers_only, index_version, created_at, updated_at) "
    "VALUES ('{name}', '{name}', false, 0, now(), now())"
)
ADD_DOCUMENTS = (
    "INSERT INTO documents (id, project_id, title, title_given, media_type, bytes, sha256, version, metadata, status, "
    "progress, chunks_done, queued_at, created_at, updated_at) SELECT '{name}' || lpad(n::text, 6, '0'), '{name}', "
    "'Document', true, 'text/plain', 1, '', 1, '{{}}', 'READY', 0, 0, now(), now(), now() "
    "FROM generate_series(1, {n}) AS n"
)
ROWS_READ = "SELECT idx_tup_fetch + seq_tup_read FROM pg_stat_user_tables WHERE relname = '{}'"
OTHERS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


# As a server whose clock is five minutes behind would date them.
DATE_BACK = (
    "CREATE FUNCTION date_back() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN NEW.updated_at = NEW.updated_at - interval '5 minutes'; RETURN NEW; END $$",
    "CREATE TRIGGER behind BEFORE INSERT OR UPDATE ON documents FOR EACH ROW EXECUTE FUNCTION date_back()",
)


@pytest.fixture
def url() -> Generator[str]:
    with postgres.fresh_database() as fresh:
        yield fresh


async def test_the_newest_documents_of_a_project_are_not_looked_for_among_those_of_all(url: str) -> None:
    for name, documents in (("a", 300), ("b", 20_000)):
        add = ADD_PROJECT.format(name=name), ADD_DOCUMENTS.format(name=name, n=documents)
        postgres.run_statements(*add, url=url)
    postgres.run_statements("VACUUM ANALYZE documents", "SELECT pg_stat_reset()", url=url)
    settings = Settings.model_validate({"database_url": url})
    async with open_backend(settings, "ask") as footnote:
        [page] = await footnote.knowledge.library.list_documents(
            ["a"], DocumentFilter(), PageRequest(first=20), LibraryOrder(descending=True)
        )
    assert [row.id for row in page.rows] == [f"a{number:06}" for number in range(300, 280, -1)]
    while postgres.fetch_value(url, OTHERS):
        await pause()  # what a connection has read is counted when it ends
    assert postgres.fetch_value(url, ROWS_READ.format("documents")) < 50


async def test_followers_of_a_project_learn_of_what_a_server_changes_whose_clock_is_behind(url: str) -> None:
    settings = Settings.model_validate({"database_url": url, "port": 0})
    async with httpx.AsyncClient(timeout=60) as http:
        with serve(settings) as address:
            client = Client(http, address)
            project = await client.project("Clock")
            await client.ready(project, "Before", "Nobody follows yet.")
            async with client.socket() as socket, asyncio.timeout(60):
                events = subscribe(socket, INGESTION, project=project)
                assert (await anext(events))["document"]["title"] == "Before"
                postgres.run_statements(*DATE_BACK, url=url)
                await client.ready(project, "After", "The other clock is behind.")
                told = [await anext(events)]
                while told[-1]["__typename"] != "IngestionCompleted":
                    told.append(await anext(events))
    assert told[-1]["document"]["title"] == "After"


async def test_a_server_whose_clock_is_ahead_leaves_the_counts_of_others(url: str) -> None:
    here, elsewhere = opening.open_database(url), opening.open_database(url)
    ours, ahead = DatabaseCounters(here, clock=lambda: 6000.0), DatabaseCounters(elsewhere, clock=lambda: 6300.0)
    limit = [LimitWindow(5, 60)]
    assert await ours.take("kim", 5, limit) == 0
    assert await ahead.take("lee", 1, limit) == 0
    assert await ours.take("kim", 1, limit) > 0
    for database in (here, elsewhere):
        await database.close()
