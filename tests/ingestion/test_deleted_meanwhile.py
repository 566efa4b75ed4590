"""What is deleted while it is read or followed is not found; nothing fails."""

import asyncio
import logging
import threading

import pytest
from starlette.requests import Request
from starlette.responses import Response

from tests.answers import Start
from tests.graphql.client import ADD_TEXT, INGESTION, Json, received
from tests.graphql.client import start as begin
from tests.graphql.embedding_models.switching import NEW, OLD, SPACE_EVENTS, TwoModels, switch, text_of
from tests.ingestion.embedding import embedding
from tests.servers.openai import OpenAIServer
from tests.servers.running import running

READ = "query($id: ID!) { project(id: $id) { name embeddingSpace { state } embeddingSpaces { state } } }"
DELETE = "mutation($input: DeleteProjectInput!) { deleteProject(input: $input) { __typename } }"
DELETE_DOCUMENT = "mutation($input: DeleteDocumentInput!) { deleteDocument(input: $input) { __typename } }"
SECONDS = 60


class Slow(OpenAIServer):
    """A model that embeds only once it may."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.may_answer = threading.Event(), threading.Event()

    async def _embed(self, request: Request) -> Response:
        self.asked.set()
        await asyncio.to_thread(self.may_answer.wait, SECONDS)
        return await super()._embed(request)


async def test_a_project_deleted_while_its_space_is_created_is_not_found(start: Start) -> None:
    with running(Slow()) as model:
        client = start(**embedding(model))
        project = await client.project("Short")
        reading = asyncio.create_task(client.post(READ, id=project))
        try:
            assert await asyncio.to_thread(model.asked.wait, SECONDS)
            assert (await client.mutate(DELETE, id=project))["__typename"] == "DeleteProjectPayload"
        finally:
            model.may_answer.set()
        told: Json = (await reading).json()
        assert told["data"] == {"project": None}
        assert {error["extensions"]["code"] for error in told["errors"]} == {"NOT_FOUND"}


async def test_its_documents_are_given_up_and_others_go_on(start: Start, caplog: pytest.LogCaptureFixture) -> None:
    with running(Slow()) as model:
        client = start(**embedding(model))
        project = await client.project("Short")
        await client.mutate(ADD_TEXT, projectId=project, title="Larks", text="Larks sing at dawn.")
        try:
            assert await asyncio.to_thread(model.asked.wait, SECONDS)
            await client.mutate(DELETE, id=project)
        finally:
            model.may_answer.set()
        await client.ready(await client.project("Long"), "Owls", "Owls hunt at night.")
        assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []


@pytest.mark.parametrize("deletes", ["document", "project"])
async def test_the_follower_of_a_document_is_told_that_it_was_deleted(start: Start, deletes: str) -> None:
    with running(Slow()) as model:
        client = start(**embedding(model))
        project = await client.project("Short")
        added = await client.mutate(ADD_TEXT, projectId=project, title="Larks", text="Larks sing at dawn.")
        async with client.socket() as socket, asyncio.timeout(SECONDS):
            await begin(socket, "1", INGESTION, document=added["document"]["id"])
            try:
                assert "errors" not in (await received(socket))["payload"]
                assert await asyncio.to_thread(model.asked.wait, SECONDS)
                if deletes == "project":
                    await client.mutate(DELETE, id=project)
                else:
                    await client.mutate(DELETE_DOCUMENT, id=added["document"]["id"])
                while "errors" not in (told := await received(socket))["payload"]:
                    assert told["payload"]["data"]["ingestionEvents"]["__typename"] == "IngestionProgressed"
            finally:
                model.may_answer.set()
            assert [error["extensions"]["code"] for error in told["payload"]["errors"]] == ["NOT_FOUND"]
            assert (await received(socket))["type"] == "complete"


async def test_the_follower_of_a_switch_is_told_that_its_project_was_deleted(start: Start) -> None:
    with running(TwoModels()) as model:
        client = start(openai_base_url=model.url, openai_api_key="sk-1", embedding_model=OLD)
        project = await client.project("Short")
        await client.ready(project, "Fruit", text_of(2, "apple"))
        model.gate.clear()
        space = (await switch(client, project, NEW))["space"]["id"]
        assert await asyncio.to_thread(model.reached.wait, SECONDS)
        async with client.socket() as socket, asyncio.timeout(SECONDS):
            await begin(socket, "1", SPACE_EVENTS, id=space)
            told = [await received(socket)]
            await client.mutate(DELETE, id=project)
            while told[-1]["type"] == "next":
                told.append(await received(socket))
    assert told[-2]["payload"]["data"]["embeddingSpaceEvents"]["state"] == "RETIRED"
    assert told[-1]["type"] == "complete"
