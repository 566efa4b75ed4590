"""Fairness between projects: they take turns at ingestion, and work that is no longer wanted stops.

`slow_pdf` takes far longer to read than these tests; that they end shows that nobody waits for it.
"""

import asyncio
import json

import httpx
import pytest

from tests import behind
from tests.answers import Start
from tests.files.pdf import slow_pdf
from tests.graphql.client import ADD_TEXT, INGESTION, Client, Json
from tests.looking import pause

UPLOAD = """mutation($input: UploadDocumentInput!) { uploadDocument(input: $input) {
  __typename ... on UploadDocumentPayload { document { id } } ... on UnavailableError { message retryAfterMs } } }"""
STATUSES = """query($project: ID!) { project(id: $project) { documents(first: 50) { nodes { id status } } } }"""
DELETE = "mutation($input: DeleteDocumentInput!) { deleteDocument(input: $input) { __typename } }"
RETRY = """mutation($input: RetryDocumentInput!) { retryDocument(input: $input) { __typename
  ... on UnavailableError { message } } }"""
ADD = """mutation($input: AddTextDocumentInput!) { addTextDocument(input: $input) { __typename
  ... on AddTextDocumentPayload { document { id } } ... on UnavailableError { message retryAfterMs } } }"""
SLOW = slow_pdf()
REFUSE = """
    CREATE TRIGGER refuse_{name} BEFORE UPDATE ON documents WHEN OLD.status = '{old}' AND NEW.status = '{new}'
    BEGIN SELECT RAISE(ABORT, 'no {name}'); END
"""


async def upload(client: Client, project: str, data: bytes, **values: Json) -> Json:
    variables = {"input": {"file": None, "projectId": project, **values}}
    response: httpx.Response = await client.http.post(
        client.url,
        data={
            "operations": json.dumps({"query": UPLOAD, "variables": variables}),
            "map": '{"0": ["variables.input.file"]}',
        },
        files={"0": ("slow.pdf", data, "application/pdf")},
        headers={"graphql-require-preflight": "1"},
    )
    return response.json()["data"]["uploadDocument"]


async def slow_documents(client: Client, name: str, count: int) -> tuple[str, list[str]]:
    """A project of slow documents; returns its id and theirs."""
    project = await client.project(name)
    added = [await upload(client, project, SLOW, source=str(number)) for number in range(count)]
    return project, [one["document"]["id"] for one in added]


async def statuses(client: Client, project: str) -> list[str]:
    found = await client.run(STATUSES, project=project)
    return [document["status"] for document in found["project"]["documents"]["nodes"]]


async def processing(client: Client, project: str, count: int) -> None:
    """Wait until this many documents of the project are being processed."""
    while (await statuses(client, project)).count("PROCESSING") < count:
        await pause()


async def test_ten_slow_documents_do_not_delay_another_project(start: Start) -> None:
    client = start(parse_seconds=3600)
    bad, _ = await slow_documents(client, "bad", 10)
    await processing(client, bad, 2)
    await client.ready(await client.project("good"), "Larks", "Larks sing at dawn.")
    # None of them has ended, one project has two workers at most, and the others were not even begun.
    assert sorted(await statuses(client, bad)) == ["PROCESSING"] * 2 + ["QUEUED"] * 8


async def test_what_is_behind_a_slow_document_waits_for_a_database_that_cannot_be_written(
    start: Start, database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    client = start(parse_seconds=3600)
    behind.execute(database_url, REFUSE.format(name="claims", old="QUEUED", new="PROCESSING"))
    project = await client.project("mixed")
    await upload(client, project, slow_pdf(3_000))  # small enough to be claimed together with others
    added = await client.mutate(ADD_TEXT, projectId=project, title="Larks", text="Larks sing at dawn.")
    refuse_requeuing = REFUSE.format(name="requeuing", old="PROCESSING", new="QUEUED")
    behind.execute(database_url, refuse_requeuing, "DROP TRIGGER refuse_claims")
    async with asyncio.timeout(60):
        while not any("no requeuing" in record.getMessage() for record in caplog.records):
            await pause()
    assert await statuses(client, project) == ["PROCESSING"] * 2
    behind.execute(database_url, "DROP TRIGGER refuse_requeuing")
    async with asyncio.timeout(60):
        happened = await client.follow(INGESTION, document=added["document"]["id"])
    assert happened[-1]["__typename"] == "IngestionCompleted"


async def test_two_slow_projects_cannot_take_all_workers_either(start: Start) -> None:
    """They hold all workers until another project comes; then slow work gives way."""
    client = start(parse_seconds=3600)
    bad = [(await slow_documents(client, name, 3))[0] for name in ("bad", "worse")]
    while sum([(await statuses(client, project)).count("PROCESSING") for project in bad]) < 3:
        await pause()
    await client.ready(await client.project("good"), "Larks", "Larks sing at dawn.")
    left = [status for project in bad for status in await statuses(client, project)]
    assert set(left) == {"PROCESSING", "QUEUED"}
    await client.ready(await client.project("better"), "Owls", "Owls hunt at night.")


@pytest.mark.parametrize("how", ["deleted", "replaced"])
async def test_processing_stops_when_the_document_is_no_longer_wanted(start: Start, how: str) -> None:
    client = start(parse_seconds=3600)
    project, slow = await slow_documents(client, "changing", 2)
    await processing(client, project, 2)
    added = await client.mutate(ADD_TEXT, projectId=project, title="Larks", text="Larks sing at dawn.")
    for number, document in enumerate(slow):
        if how == "deleted":
            await client.mutate(DELETE, id=document)
        else:
            await client.mutate(ADD_TEXT, projectId=project, title="Owls", text="Owls.", source=str(number))
    waiting = [added["document"]["id"], *(slow if how == "replaced" else [])]
    ends = [(await client.follow(INGESTION, document=document))[-1] for document in waiting]
    assert {end["__typename"] for end in ends} == {"IngestionCompleted"}


async def test_one_project_cannot_fill_the_queue(start: Start) -> None:
    client = start(parse_seconds=3600, max_queued_documents_per_project=2)
    project = await client.project("full")
    broken = (await upload(client, project, b"%PDF-1.7\nno more"))["document"]["id"]
    await client.follow(INGESTION, document=broken)
    for number in range(2):
        await upload(client, project, SLOW, source=str(number))
    await processing(client, project, 2)
    for number in range(2):
        await upload(client, project, SLOW, source=f"next {number}")
    told = "At most 2 documents of a project may wait at once; try again in a moment."
    refused = {"__typename": "UnavailableError", "message": told, "retryAfterMs": 5000}
    assert await upload(client, project, SLOW) == refused
    assert await client.mutate(ADD, projectId=project, title="a", text="b") == refused
    assert await client.mutate(RETRY, id=broken) == {"__typename": "UnavailableError", "message": told}
    await client.ready(await client.project("others"), "Larks", "Larks sing at dawn.")
