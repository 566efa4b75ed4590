"""PostgreSQL lets several transactions change the same rows: none undoes what another has done, none fails for it."""

import asyncio
import io
import logging
import threading
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from typing import Any, cast

import asyncpg
import httpx
import pytest
from starlette.requests import Request
from starlette.responses import Response

from app import errors, services
from app.database.leases import LeaseOwner
from app.knowledge.ingestion.queue import IngestionQueue
from app.knowledge.uploads import NewDocument
from app.services import Backend
from app.settings import Settings
from tests import postgres
from tests.graphql.client import ADD_TEXT, Client
from tests.graphql.embedding_models.switching import (
    CANCEL,
    NEW,
    OLD,
    SEARCH,
    SPACE_EVENTS,
    TwoModels,
    models_of,
    switch,
    text_of,
)
from tests.ingestion.embedding import embedding, paragraphs
from tests.looking import pause
from tests.servers.openai import OpenAIServer
from tests.servers.running import running
from tests.serving import serve

WAITS = """SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND wait_event_type = 'Lock' AND pid <> pg_backend_pid()"""


@pytest.fixture
def url() -> Generator[str]:
    with postgres.fresh_database() as fresh:
        yield fresh


@pytest.fixture
async def footnote(url: str) -> AsyncGenerator[Backend]:
    """A process that answers, and ingests nothing."""
    async with services.open_backend(Settings.model_validate({"database_url": url}), "ask") as opened:
        yield opened


@pytest.fixture
async def other(url: str) -> AsyncGenerator[Any]:
    """Another transaction, which is under way."""
    connection = await cast("Any", asyncpg).connect(url)
    await connection.execute("BEGIN")
    yield connection
    await connection.close()


async def waits(url: str, task: asyncio.Task[Any]) -> None:
    """Return when somebody waits for the other transaction."""
    while not await asyncio.to_thread(postgres.fetch_value, url, WAITS):
        assert not task.done(), task.result()
        await pause()


@pytest.mark.parametrize("change", ["title", "version"])
async def test_a_document_that_changes_while_it_is_claimed_is_queued(
    footnote: Backend, url: str, other: Any, change: str
) -> None:
    """Or it would look as if it was being processed for as long as the process lives that has claimed it."""
    library = footnote.knowledge.library
    project = await footnote.knowledge.projects.create_project("shop")
    new = NewDocument("text/plain", source="a.txt")
    document, _ = await library.add_document(project.id, new, io.BytesIO(b"Foxes."))
    await other.execute("UPDATE documents SET status = 'PROCESSING', owner = 'another process'")
    if change == "title":
        changing = asyncio.create_task(library.update_document(document.id, {"title": "Owls"}))
    else:
        changing = asyncio.create_task(library.add_document(project.id, new, io.BytesIO(b"Owls.")))
    await waits(url, changing)
    await other.execute("COMMIT")
    await changing
    [claimed] = await IngestionQueue(footnote.database, footnote.notifier, LeaseOwner(), 1).claim_documents()
    assert claimed.id == document.id


async def test_what_is_deleted_while_it_is_changed_is_not_found(footnote: Backend, url: str, other: Any) -> None:
    project = await footnote.knowledge.projects.create_project("shop")
    session = await footnote.chat.sessions.create_session(project.id, footnote.owner.id, {})
    await other.execute("DELETE FROM chat_sessions")
    changing = asyncio.create_task(footnote.chat.sessions.update_session(session.id, {"title": "Foxes"}))
    await waits(url, changing)
    await other.execute("COMMIT")
    with pytest.raises(errors.NotFound):
        await changing


@asynccontextmanager
async def switching(url: str) -> AsyncGenerator[tuple[Client, TwoModels, str, str]]:
    """A server whose project is switched to a model that does not answer yet; the project, and its new space."""
    with running(TwoModels()) as model:
        values = {"openai_base_url": model.url, "openai_api_key": "sk-1", "embedding_model": OLD}
        settings = Settings.model_validate({"database_url": url, "port": 0, **values})
        with serve(settings) as address:
            async with httpx.AsyncClient(timeout=120) as http:
                client = Client(http, address)
                project = await client.project("shop")
                await client.ready(project, "Fruit", text_of(5, "apple"))
                model.gate.clear()
                yield client, model, project, (await switch(client, project, NEW))["space"]["id"]


async def test_a_switch_that_is_cancelled_as_it_ends_leaves_the_project_a_space(url: str, other: Any) -> None:
    """The end of the switch retired the former space, and the cancellation the new one."""
    async with switching(url) as (client, model, project, space):
        await other.execute("SELECT 1 FROM embedding_spaces WHERE state = 'ACTIVE' FOR UPDATE")
        following = asyncio.create_task(client.follow(SPACE_EVENTS, id=space))
        model.gate.set()
        await waits(url, following)
        cancelling = asyncio.create_task(client.mutate(CANCEL, projectId=project))
        while not cancelling.done() and await asyncio.to_thread(postgres.fetch_value, url, WAITS) < 2:
            await pause()
        await other.execute("COMMIT")
        assert (await following)[-1]["state"] == "ACTIVE"
        assert (await cancelling)["__typename"] == "ConflictError"
        found = (await client.run(SEARCH, project=project, query="apple1"))["search"]
        assert models_of(found, "apple1") == {"second"}


async def test_vectors_that_are_stored_while_their_switch_is_cancelled_are_kept(url: str, other: Any) -> None:
    """A day, like those from before: the cancellation had read that there were none yet."""
    async with switching(url) as (client, _, project, _):
        await other.execute("UPDATE embedding_spaces SET built_to = 1 WHERE state = 'BUILDING'")
        cancelling = asyncio.create_task(client.mutate(CANCEL, projectId=project))
        await waits(url, cancelling)
        await other.execute("COMMIT")
        assert (await cancelling)["space"]["state"] == "RETIRED"
        kept = "SELECT lease_until > now() AT TIME ZONE 'UTC' + interval '23 hours' FROM embedding_spaces"
        assert postgres.fetch_rows(url, f"{kept} WHERE state = 'RETIRED'") == [(True,)]


class Failing(OpenAIServer):
    """A model that fails after five requests, once it `may_fail`, until it is `up`."""

    def __init__(self) -> None:
        super().__init__()
        self.left, self.up = 5, False
        self.reached, self.may_fail = threading.Event(), threading.Event()

    async def _embed(self, request: Request) -> Response:
        self.left -= 1
        if self.left >= 0 or self.up:
            return await super()._embed(request)
        self.reached.set()
        await asyncio.to_thread(self.may_fail.wait, 60)
        return Response(status_code=503, headers={"retry-after": "0"})


async def test_a_document_deleted_while_its_vectors_are_saved_is_no_outage(
    url: str, other: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with running(Failing()) as model:
        settings = Settings.model_validate({"database_url": url, "port": 0, **embedding(model)})
        with serve(settings) as address:
            async with httpx.AsyncClient(timeout=120) as http:
                client = Client(http, address)
                project = await client.project("shop")
                await client.mutate(ADD_TEXT, projectId=project, title="Long", text=paragraphs(300, "alpha"))
                try:
                    assert await asyncio.to_thread(model.reached.wait, 60)
                    await other.execute("DELETE FROM documents")
                finally:
                    model.may_fail.set()
                while not await asyncio.to_thread(postgres.fetch_value, url, WAITS):
                    await pause()
                await other.execute("COMMIT")
                model.up = True
                await client.ready(project, "Owls", "Owls hunt at night.")
    warnings = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert [warning for warning in warnings if "database" in warning.lower()] == []
