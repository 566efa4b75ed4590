"""What could hold up a switch of the embedding model for ever: rows that are there already, a model that is away."""

import asyncio

import pytest

from tests import behind
from tests.answers import Start
from tests.graphql.client import ADD_TEXT, INGESTION
from tests.graphql.embedding_models.switching import (
    NEW,
    OLD,
    SPACE_EVENTS,
    TwoModels,
    removed,
    switch,
    text_of,
)
from tests.servers.running import Refusal, running
from tests.torture.vectors import find_wrong_vectors_at

STORED = "SELECT max(rowid) FROM chunk_vectors_24"
LEFT = """INSERT INTO chunk_vectors_24 (rowid, space, embedding)
  SELECT rowid + 1, space, embedding FROM chunk_vectors_24 WHERE rowid = {row}"""
WAITING = "SELECT max(id) FROM documents WHERE status = 'QUEUED' AND stage = 'EMBEDDING'"


@pytest.mark.sqlite  # where vectors have a table of their own for each length
async def test_a_vector_that_is_there_already_is_replaced(start: Start, database_url: str) -> None:
    with running(TwoModels()) as model:
        client = start(openai_base_url=model.url, openai_api_key="sk-1", embedding_model=OLD)
        project = await client.project("left over")
        await client.ready(project, "Fruit", text_of(300, "apple"))
        model.gate.clear()
        model.before_gate = 4  # the first 256 texts go in so many requests
        asked = await switch(client, project, NEW)
        row = await behind.wait_for_value(database_url, STORED)
        behind.execute(database_url, LEFT.format(row=row))
        model.gate.set()
        told = await asyncio.wait_for(client.follow(SPACE_EVENTS, id=asked["space"]["id"]), 60)
    assert (told[-1]["state"], told[-1]["chunksDone"]) == ("ACTIVE", 300)
    await removed(client, project)
    assert not await find_wrong_vectors_at(database_url)


async def test_documents_do_not_wait_for_a_model_that_the_project_no_longer_has(
    start: Start, database_url: str
) -> None:
    with running(TwoModels()) as model:
        client = start(openai_base_url=model.url, openai_api_key="sk-1", embedding_model=OLD)
        project = await client.project("waiting")
        await client.ready(project, "Fruit", text_of(2, "apple"))
        model.fault = lambda body: Refusal(503, headers={"retry-after": "250"})
        added = await client.mutate(ADD_TEXT, projectId=project, title="Late", text=text_of(2, "plum"))
        await behind.wait_for_value(database_url, WAITING)
        await switch(client, project, "embedded/wordllama")
        happened = await asyncio.wait_for(client.follow(INGESTION, document=added["document"]["id"]), 60)
    assert happened[-1]["__typename"] == "IngestionCompleted"
