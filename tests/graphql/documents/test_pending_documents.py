"""Answers, previews, searches and the OpenAI API all say when documents are still being processed."""

import json

import pytest

from tests.answers import Start, openai
from tests.files.pdf import slow_pdf
from tests.graphql.client import Client, Json
from tests.graphql.documents.test_fair_ingestion import processing, upload
from tests.servers.openai import OpenAIServer
from tests.servers.running import running

NOTICES = "notices { code message }"
MESSAGE = f"query($id: ID!) {{ message(id: $id) {{ content outcome {NOTICES} }} }}"
PREVIEW = f"query($input: PreviewAnswerInput!) {{ previewAnswer(input: $input) {{ {NOTICES} }} }}"
SEARCH = f"query($input: SearchInput!) {{ search(input: $input) {{ {NOTICES} }} }}"
TOLD = "still being processed; new content cannot be found yet."


def pending(found: Json) -> list[str]:
    return [notice["message"] for notice in found["notices"] if notice["code"] == "DOCUMENTS_PENDING"]


async def reading(client: Client, count: int) -> tuple[str, list[str]]:
    """A project with documents that are queued or being processed."""
    project = await client.project("busy")
    added = [await upload(client, project, slow_pdf(), source=str(number)) for number in range(count)]
    await processing(client, project, 1)
    return project, [one["document"]["id"] for one in added]


@pytest.mark.parametrize(("count", "says"), [(1, f"1 document is {TOLD}"), (3, f"3 documents are {TOLD}")])
async def test_an_answer_without_sources_reports_pending_documents(start: Start, count: int, says: str) -> None:
    client = start(parse_seconds=3600)
    project, _ = await reading(client, count)
    session = await client.session(project)
    answer = await client.answered(session, "When do larks sing?")
    message = (await client.run(MESSAGE, id=answer))["message"]
    assert message["outcome"] == "NO_SOURCES"
    assert pending(message) == [says]
    preview = await client.run(PREVIEW, input={"sessionId": session, "content": "When do larks sing?"})
    assert pending(preview["previewAnswer"]) == [says]
    found = await client.run(SEARCH, input={"projectId": project, "query": "larks"})
    assert pending(found["search"]) == [says]


async def test_only_searched_documents_are_reported_and_only_while_pending(start: Start) -> None:
    client = start(parse_seconds=3600)
    project, slow = await reading(client, 2)
    larks = await client.ready(await client.project("other"), "Larks", "Larks sing at dawn.")
    own = (await client.run("query($id: ID!) { document(id: $id) { project { id } } }", id=larks))["document"]
    found = await client.run(SEARCH, input={"projectId": own["project"]["id"], "query": "larks"})
    assert found["search"]["notices"] == []
    found = await client.run(SEARCH, input={"projectId": project, "query": "larks", "documentIds": slow[:1]})
    assert pending(found["search"]) == [f"1 document is {TOLD}"]


@pytest.mark.parametrize("words", ["", "Larks sing at dawn."])
async def test_the_openai_api_reports_pending_documents_with_and_without_passages(start: Start, words: str) -> None:
    with running(OpenAIServer(lambda _: ["At dawn [1]."])) as model:
        client = start(**openai(model), parse_seconds=3600)
        project, _ = await reading(client, 1)
        if words:
            await client.ready(project, "Larks", words)
        asked = {
            "model": "chat",
            "index_name": project,
            "messages": [{"role": "user", "content": "When do larks sing?"}],
        }
        response = await client.http.post(
            client.url.replace("/graphql", "/v1/chat/completions"), json=asked, timeout=120
        )
        answer = json.loads(response.text)
        assert pending(answer) == [f"1 document is {TOLD}"]
        assert bool(answer["source_nodes"]) == bool(words)
