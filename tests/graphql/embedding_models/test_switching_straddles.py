"""Documents that were begun with one embedding model and are stored after the switch to another: no space is mixed."""

import asyncio
import threading
from collections.abc import Generator
from typing import Any

import pytest

from tests import behind
from tests.answers import Start
from tests.graphql.client import ADD_TEXT, INGESTION
from tests.graphql.embedding_models.switching import (
    SEARCH,
    SPACE_EVENTS,
    SPACES,
    TwoModels,
    models_of,
    removed,
    switch,
    text_of,
)
from tests.servers.running import Body, Fault, Refusal, running
from tests.torture.vectors import find_wrong_vectors_at

KEPT = "SELECT count(*) FROM paused_vectors"
BATCH = 256
# A busy server: of two statements that requeue documents, the second goes on when a worker has claimed one again.
DELAY_REQUEUING = (
    "CREATE SEQUENCE requeued",
    """CREATE FUNCTION delay_requeuing() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE place bigint; before bigint; BEGIN
        IF current_query() NOT LIKE '%owner=%chunks_total=%' THEN RETURN NULL; END IF;
        SELECT nextval('requeued'), max(progress) INTO place, before FROM documents;
        FOR attempt IN 1..50 LOOP
            EXIT WHEN place = 1 AND (SELECT last_value FROM requeued) > 1;
            EXIT WHEN place > 1 AND (SELECT max(progress) FROM documents) > before;
            PERFORM pg_sleep(0.01);
        END LOOP;
        RETURN NULL;
    END $$""",
    "CREATE TRIGGER delay BEFORE UPDATE ON documents EXECUTE FUNCTION delay_requeuing()",
)
NONE_DELAYED = "SELECT count(*) = 0 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'"


class Slow(TwoModels):
    """The models `stuck` do not answer until `gate` opens, not even to tell the length of a vector."""

    stuck: tuple[str, ...] = ()
    down = False
    """Whether the second model fails for documents, after its first 256 texts."""

    async def _embed(self, request: Any) -> Any:
        body: Body = await request.json()
        if body["model"] in self.stuck:
            self.reached.set()
            await asyncio.to_thread(self.gate.wait)
        return await super()._embed(request)

    def fault(self, body: Body) -> Fault:
        made = [text for name, text in self.made if name == "second" and "\n" in text]
        is_late = body["model"] == "second" and len(made) > BATCH
        return Refusal(503, headers={"retry-after": "0"}) if self.down and is_late else None


@pytest.fixture
def model() -> Generator[Slow]:
    with running(Slow()) as server:
        yield server
        server.gate.set()


def asked_of(model: TwoModels, title: str) -> dict[str, list[str]]:
    """The texts of this document that were sent to each model."""
    found: dict[str, list[str]] = {}
    for name, text in model.asked:
        if text.startswith(title):
            found.setdefault(name, []).append(text)
    return found


async def reached(event: threading.Event) -> None:
    assert await asyncio.to_thread(event.wait, 60)


async def test_a_document_under_way_during_the_switch_is_embedded_again(
    start: Start, model: Slow, database_url: str
) -> None:
    client = start(openai_base_url=model.url, openai_api_key="sk-1", embedding_model="openai/first")
    project = await client.project("straddling")
    await client.ready(project, "Fruit", text_of(5, "apple"))
    if behind.is_postgresql(database_url):
        behind.execute(database_url, *DELAY_REQUEUING)
    model.held = ("first",)
    model.gate.clear()
    late = (await client.mutate(ADD_TEXT, projectId=project, title="Late", text=text_of(4, "plum")))["document"]["id"]
    await reached(model.reached)
    asked = await switch(client, project, "openai/second")
    assert (await client.follow(SPACE_EVENTS, id=asked["space"]["id"]))[-1]["state"] == "ACTIVE"
    model.reached.clear()
    first_gate, model.gate, model.held = model.gate, threading.Event(), ("second",)
    first_gate.set()
    await reached(model.reached)
    if behind.is_postgresql(database_url):
        await behind.wait_for_value(database_url, NONE_DELAYED)
    model.gate.set()
    assert (await client.follow(INGESTION, document=late))[-1]["__typename"] == "IngestionCompleted"
    sent = asked_of(model, "Late")
    assert len(sent["first"]) == 4
    assert sent["first"] == sent["second"]
    found = (await client.run(SEARCH, project=project, query="plum1"))["search"]
    assert models_of(found, "plum1") == {"second"}
    assert found["edges"][0]["node"]["document"]["title"] == "Late"
    await removed(client, project)
    assert not await find_wrong_vectors_at(database_url)


async def test_vectors_kept_while_the_former_model_was_away_are_not_used(
    start: Start, model: Slow, database_url: str
) -> None:
    client = start(openai_base_url=model.url, openai_api_key="sk-1", embedding_model="openai/second")
    project = await client.project("kept")
    model.down = True
    added = await client.mutate(ADD_TEXT, projectId=project, title="Fruit", text=text_of(300, "apple"))
    await behind.wait_for_value(database_url, KEPT)
    # Its vectors have the same length, so that only their origin tells them apart.
    asked = await switch(client, project, "openai/third")
    assert (await client.follow(SPACE_EVENTS, id=asked["space"]["id"]))[-1]["state"] == "ACTIVE"
    assert (await client.follow(INGESTION, document=added["document"]["id"]))[-1]["__typename"] == "IngestionCompleted"
    sent = asked_of(model, "Fruit")
    assert len(set(sent["second"])) > BATCH
    assert len(sent["third"]) == len(set(sent["third"])) == 300


async def test_a_first_document_uses_the_model_that_was_chosen_while_the_default_one_loaded(
    start: Start, model: Slow
) -> None:
    client = start(openai_base_url=model.url, openai_api_key="sk-1", embedding_model="openai/third")
    project = await client.project("first space")
    model.stuck = ("third",)
    model.gate.clear()
    added = await client.mutate(ADD_TEXT, projectId=project, title="Fruit", text=text_of(3, "apple"))
    await reached(model.reached)
    asked = await switch(client, project, "openai/second")
    assert asked["space"]["state"] == "ACTIVE"
    model.gate.set()
    assert (await client.follow(INGESTION, document=added["document"]["id"]))[-1]["__typename"] == "IngestionCompleted"
    assert (await client.run(SPACES, id=project))["project"]["embeddingSpace"]["model"] == "openai/second"
    assert asked_of(model, "Fruit").keys() == {"second"}
