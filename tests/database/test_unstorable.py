"""What PostgreSQL cannot store and SQLite can: both take it alike, and nothing is lost for it."""

import random

import pytest

from tests import behind
from tests.answers import Start
from tests.graphql.client import ADD_TEXT, CREATE_SESSION, INGESTION
from tests.servers.openai import OpenAIServer
from tests.servers.running import Refusal, Thought, running

MANY = """mutation($input: AddTextDocumentsInput!) { addTextDocuments(input: $input) {
  ... on AddTextDocumentsPayload { results { __typename ... on ValidationError { message } } } } }"""
WRITTEN = """mutation($id: ID!) { updateProject(input: { id: $id, description: "a\\u0000b" }) {
  ... on ValidationError { issues { path code message } } } }"""
READ = """query($s: ID!, $a: ID!, $d: ID!) { chatSession(id: $s) { systemPrompt }
  document(id: $d) { metadata chunks { nodes { text } } } message(id: $a) { status content reasoning } }"""
FAILURE = "query($id: ID!) { document(id: $id) { failure { code message } } }"


async def test_half_characters_and_nul_are_replaced_or_refused(start: Start) -> None:
    said = ["Half \ud800", Thought("Hm\0m."), " nul \0", " whole 🦊."]
    with running(OpenAIServer(lambda _: said, reads=lambda _: 10**30)) as model:
        client = start(openai_base_url=model.url, chat_model="openai/chat")
        project = await client.project("Odd")
        document = await client.ready(
            project, "Larks", "Larks\0sing in the fields at dawn.", metadata={"a\0": "\0"}, source="\0"
        )
        session = (await client.mutate(CREATE_SESSION, projectId=project, systemPrompt="a\0b"))["chatSession"]["id"]
        answer = await client.answered(session, "Do larks\0sing?", grounding="OPEN", idempotencyKey="\0")
        read = await client.run(READ, s=session, a=answer, d=document)
        assert read["chatSession"]["systemPrompt"] == "a�b"
        assert read["document"]["metadata"] == {"a�": "�"}
        assert "Larks�sing" in read["document"]["chunks"]["nodes"][0]["text"]
        assert read["message"] == {"status": "COMPLETED", "content": "Half � nul � whole 🦊.", "reasoning": "Hm�m."}
        refused = (await client.run(WRITTEN, id=project))["updateProject"]["issues"]
    message = "`description` must not contain the character U+0000."
    assert refused == [{"path": ["description"], "code": "INVALID", "message": message}]


async def test_a_source_that_fits_no_index_refuses_itself_alone(start: Start) -> None:
    client, letters = start(), random.Random(0)  # noqa: S311 - they only must not be compressible
    source = "".join(chr(letters.randrange(0x20000, 0x2A000)) for _ in range(651))
    texts = [{"title": "A", "text": "Fees rise.", "source": each} for each in ("a", source, source[:-1])]
    project = await client.project("Long")
    results = (await client.run(MANY, input={"projectId": project, "documents": texts}))["addTextDocuments"]["results"]
    taken = {"__typename": "AddTextDocumentPayload"}
    message = "`source` must have at most 2,600 bytes in UTF-8."
    assert results == [taken, {"__typename": "ValidationError", "message": message}, taken]


@pytest.mark.timeout(60)
async def test_an_error_that_cannot_be_stored_fails_its_document_alone(start: Start) -> None:
    odd = Refusal(400, {"error": {"message": "odd \0 letters \ud800 here"}})
    with running(OpenAIServer(faults=[odd] * 2)) as model:
        client = start(openai_base_url=model.url, embedding_model="openai/small")
        project = await client.project("Errors")
        added = (await client.mutate(ADD_TEXT, projectId=project, title="A", text="Fees rise."))["document"]["id"]
        assert (await client.follow(INGESTION, document=added))[-1]["__typename"] == "IngestionFailed"
        failure = (await client.run(FAILURE, id=added))["document"]["failure"]
        assert failure["code"] == "EMBEDDER_UNAVAILABLE"
        assert "odd letters here" in failure["message"]
        await client.ready(project, "B", "Fees fall.")


async def test_a_model_name_that_is_no_unicode_hides_no_other(start: Start) -> None:
    listed = [{"id": name, "object": "model"} for name in ("half \ud800", "whole")]
    with running(OpenAIServer(models=listed)) as model:
        client = start(openai_base_url=model.url)
        names = {found["name"] for found in (await client.run("{ models { name } }"))["models"]}
        by_openai = await client.http.get(client.url.replace("/graphql", "/v1/models"))
    assert {"openai/half \ud800", "openai/whole"} <= names
    assert {"openai/half \ud800", "openai/whole"} <= {found["id"] for found in by_openai.json()["data"]}


async def test_the_log_says_where_an_unexpected_error_of_an_addition_arose(
    start: Start, database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    client = start()
    project = await client.project("Unique")
    await client.ready(project, "A", "Fees rise.")
    behind.execute(database_url, "CREATE UNIQUE INDEX titles ON documents (title)")
    response = await client.post(ADD_TEXT, input={"projectId": project, "title": "A", "text": "Fees fall."})
    [error] = response.json()["errors"]
    assert error["extensions"]["code"] == "INTERNAL_SERVER_ERROR"
    assert error["message"].rpartition(" ")[2].strip("().") in caplog.text
    assert "IntegrityError" in caplog.text
    assert "in _add_all" in caplog.text
