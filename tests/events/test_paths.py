"""Every path of an answer, a document and feedback tells exactly its events, as their schemas say."""

import json
import re
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from app import global_ids
from tests.answers import Start, openai
from tests.events.observing import Json, check_events, events_of, kept_events
from tests.graphql.client import ADD_TEXT, EVENTS, SEND, Client, subscribe
from tests.openai_api.api import RawServer
from tests.openai_api.test_pass_through import chunk
from tests.servers.openai import OpenAIServer
from tests.servers.running import Break, Refusal, running

TEXT = "Goods may be returned within 30 days of delivery."
QUESTION = "Until when can goods be returned?"
CITED = ["Goods may be returned ", "within 30 days [1]."]
SUBMITTED, GENERATED = "analytics.query.submitted", "analytics.response.generated"
CANCEL = """mutation($input: CancelAnswerInput!) { cancelAnswer(input: $input) { __typename } }"""
REGENERATE = """mutation($input: RegenerateAnswerInput!) { regenerateAnswer(input: $input) {
  ... on RegenerateAnswerPayload { answer { id } } } }"""


@pytest.fixture
async def shop(start: Start, database_url: str) -> AsyncGenerator[tuple[Client, OpenAIServer, str]]:
    """A server that keeps its events, its model, and a project with a document; its two events are in the database."""
    with running(OpenAIServer(lambda _: CITED)) as model:
        client = start(**openai(model), event_days=1)
        project = await client.project("Shop")
        await client.ready(project, "Returns", TEXT, source="returns.txt")
        yield client, model, project


def turn_of(events: list[Json], answer: str) -> list[Json]:
    """The payloads of the two events about an answer, after a check of what they share."""
    of_answer = [event for event in events if event["correlationId"] == answer]
    assert [event["eventType"] for event in of_answer] == [SUBMITTED, GENERATED]
    submitted, generated = (event["payload"] for event in of_answer)
    assert submitted["answer_id"] == generated["answer_id"] == answer
    for name, value in submitted.items():
        assert generated[name] == value, name
    for name, kind in {"user_id": "User", "session_id": "ChatSession", "project_id": "Project"}.items():
        assert global_ids.find(kind, submitted[name]), (name, submitted)
    return [submitted, generated]


async def test_a_cited_answer_and_the_same_again(shop: tuple[Client, OpenAIServer, str], database_url: str) -> None:
    client, _, project = shop
    session = await client.session(project)
    answer = await client.answered(session, QUESTION)
    submitted, generated = turn_of(await events_of(database_url, 4), answer)
    assert submitted | {"user_id": "", "question_id": ""} == {
        "query": QUESTION,
        "project_id": project,
        "user_id": "",
        "session_id": session,
        "question_id": "",
        "answer_id": answer,
        "model_id": "openai/chat",
    }
    told = {name: generated[name] for name in ("response", "status", "outcome", "failure")}
    assert told == {
        "response": "Goods may be returned within 30 days [1].",
        "status": "COMPLETED",
        "outcome": "CITED",
        "failure": None,
    }
    assert (generated["citation_count"], generated["retrieval_count"]) == (1, 1)
    assert generated["latency_ms"] > 0 and generated["input_tokens"] > 0 and generated["output_tokens"] > 0
    again = (await client.mutate(REGENERATE, messageId=answer))["answer"]["id"]
    await client.follow(EVENTS, id=again)
    assert turn_of(await events_of(database_url, 6), again)[0]["question_id"] == submitted["question_id"]


@pytest.mark.parametrize(
    ("question", "pieces", "faults", "expected"),
    [
        ("Who painted the ceiling?", CITED, [], ("COMPLETED", "NO_SOURCES", None, 0, 0)),
        (QUESTION, ["They cannot."], [], ("COMPLETED", "REJECTED", None, 0, 1)),
        (QUESTION, CITED, [Refusal(400)], ("FAILED", None, "MODEL_REFUSED", 0, 1)),
        (QUESTION, CITED, [Break("end", after=1)], ("FAILED", None, "MODEL_INCOMPLETE", 0, 1)),
    ],
)
async def test_answers_without_success(
    start: Start, database_url: str, question: str, pieces: list[str], faults: list[Any], expected: tuple[Any, ...]
) -> None:
    with running(OpenAIServer(lambda _: pieces, faults=faults)) as model:
        client = start(**openai(model), event_days=1)
        project = await client.project("Shop")
        await client.ready(project, "Returns", TEXT)
        answer = await client.answered(await client.session(project), question)
    names = ("status", "outcome", "failure", "citation_count", "retrieval_count")
    _, generated = turn_of(await events_of(database_url, 4), answer)
    assert tuple(generated[name] for name in names) == expected


async def test_a_cancelled_answer(start: Start, database_url: str) -> None:
    with running(OpenAIServer(lambda _: ["Half ", "an answer."], faults=[Break("stall", after=1)])) as model:
        client = start(**openai(model), event_days=1)
        session = await client.session(await client.project("Half"), enableRag=False)
        answer = (await client.mutate(SEND, sessionId=session, content="Go on."))["answer"]["id"]
        async with client.socket() as socket:
            async for event in subscribe(socket, EVENTS, id=answer):
                if event["__typename"] == "AnswerDelta":
                    await client.mutate(CANCEL, messageId=answer)
    _, generated = turn_of(await events_of(database_url, 2), answer)
    assert (generated["status"], generated["response"], generated["outcome"]) == ("CANCELLED", "Half ", None)


async def test_the_openai_api(shop: tuple[Client, OpenAIServer, str], database_url: str) -> None:
    client, model, project = shop
    before = len(await events_of(database_url, 2))

    async def complete(id: str, **fields: Any) -> list[Json]:
        nonlocal before
        url = client.url.replace("/graphql", "/v1/chat/completions")
        body = {"messages": [{"role": "user", "content": QUESTION}], **fields}
        response = await client.http.post(url, json=body, headers={"x-request-id": id})
        assert response.status_code == (503 if id == "fails" else 200), response.text
        before += 2
        events = (await events_of(database_url, before))[-2:]
        assert [(event["eventType"], event["correlationId"]) for event in events] == [(SUBMITTED, id), (GENERATED, id)]
        return [event["payload"] for event in events]

    for streams in (False, True):
        submitted, generated = await complete(f"searched-{streams}", index_name="Shop", stream=streams)
        assert submitted["query"] == generated["query"] == QUESTION
        assert (submitted["project_id"], submitted["session_id"], submitted["answer_id"]) == (project, None, None)
        assert (generated["outcome"], generated["citation_count"], generated["retrieval_count"]) == ("CITED", 1, 1)
        assert generated["response"] == "Goods may be returned within 30 days [1]."
        submitted, generated = await complete(f"passed-{streams}", stream=streams)
        assert (generated["status"], generated["outcome"]) == ("COMPLETED", "PASSED_THROUGH")
        assert (generated["project_id"], generated["response"]) == (None, "".join(CITED))
    messages = [{"role": "user", "content": "Who painted the ceiling?"}]
    _, generated = await complete("nothing", index_name="Shop", messages=messages)
    assert (generated["project_id"], generated["outcome"]) == (project, "PASSED_THROUGH")
    assert generated["retrieval_count"] == 0
    model.faults = iter([Refusal(503)] * 9)
    _, generated = await complete("fails", index_name="Shop")
    assert (generated["status"], generated["failure"]) == ("FAILED", "MODEL_UNAVAILABLE")


async def test_a_client_of_the_openai_api_that_leaves(start: Start, database_url: str) -> None:
    with running(OpenAIServer(lambda _: ["Half ", "an answer."], faults=[Break("stall", after=1)])) as model:
        client = start(**openai(model), event_days=1)
        url = client.url.replace("/graphql", "/v1/chat/completions")
        body = {"messages": [{"role": "user", "content": "Go on."}], "stream": True}
        async with client.http.stream("POST", url, json=body) as response:
            async for line in response.aiter_lines():
                if "Half" in line:
                    break
        _, generated = await events_of(database_url, 2)
    told = generated["payload"]
    assert (told["status"], told["response"], told["failure"]) == ("CANCELLED", "Half ", None)


async def test_an_empty_finish_reason_completes_no_answer(start: Start, database_url: str) -> None:
    """Some servers send one with each piece."""
    with running(RawServer(lambda _: [chunk({"content": "Half "}, "")])) as model:
        client = start(**openai(model), event_days=1)
        url = client.url.replace("/graphql", "/v1/chat/completions")
        body = {"messages": [{"role": "user", "content": "Go on."}], "stream": True}
        response = await client.http.post(url, json=body)
        assert "model_incomplete" in response.text
        _, generated = await events_of(database_url, 2)
    told = generated["payload"]
    assert (told["status"], told["response"], told["failure"]) == ("FAILED", "Half ", "MODEL_INCOMPLETE")


DELETE = """mutation($input: DeleteDocumentInput!) { deleteDocument(input: $input) { __typename } }"""
DELETE_PROJECT = """mutation($input: DeleteProjectInput!) { deleteProject(input: $input) { __typename } }"""
RATE = """mutation($input: RateAnswerInput!) { rateAnswer(input: $input) { __typename } }"""
WITHDRAW = """mutation($input: WithdrawRatingInput!) { withdrawRating(input: $input) { __typename } }"""
OPEN = """mutation($input: RecordCitationOpenedInput!) { recordCitationOpened(input: $input) { __typename } }"""


async def test_documents(shop: tuple[Client, OpenAIServer, str], database_url: str) -> None:
    client, _, project = shop
    document = await client.ready(project, "Returns", TEXT + " Or later.", source="returns.txt")
    await client.mutate(ADD_TEXT, projectId=project, title="Broken", text=" ")
    events = await events_of(database_url, 6)
    await client.mutate(DELETE, id=document)
    await client.mutate(DELETE_PROJECT, id=project)
    events = await events_of(database_url, 8)
    of_document = [event for event in events if event["correlationId"] == document]
    told = [(event["eventType"], event["payload"]["version"]) for event in of_document]
    assert told == [
        ("document.added", 1),
        ("document.ready", 1),
        ("document.replaced", 2),
        ("document.ready", 2),
        ("document.deleted", 2),
    ]
    assert {event["payload"]["source"] for event in of_document} == {"returns.txt"}
    failed = next(event["payload"] for event in events if event["eventType"] == "document.failed")
    assert (failed["title"], failed["project_id"], bool(failed["failure"])) == ("Broken", project, True)
    assert (events[-1]["eventType"], events[-1]["payload"]) == ("project.deleted", {"project_id": project})


async def test_feedback(shop: tuple[Client, OpenAIServer, str], database_url: str) -> None:
    client, _, project = shop
    answer = await client.answered(await client.session(project), QUESTION)
    rating = {"messageId": answer, "helpful": True, "reason": "CLEAR", "comment": "Short."}
    for mutation, values in (
        (RATE, rating),
        (OPEN, {"messageId": answer, "index": 1}),
        (WITHDRAW, {"messageId": answer}),
        (WITHDRAW, {"messageId": answer}),  # there is nothing left to tell of
    ):
        assert (await client.mutate(mutation, **values))["__typename"].endswith("Payload")
    events = (await events_of(database_url, 7))[-3:]
    assert [event["eventType"] for event in events] == ["feedback.given", "citation.opened", "feedback.withdrawn"]
    assert {event["correlationId"] for event in events} == {answer}
    given, opened, _ = (event["payload"] for event in events)
    assert (given["helpful"], given["reason"], given["comment"]) == (True, "CLEAR", "Short.")
    assert opened["citation_index"] == 1 and global_ids.find("Document", opened["document_id"])


async def test_texts_are_left_out(start: Start, database_url: str) -> None:
    with running(OpenAIServer(lambda _: CITED)) as model:
        client = start(**openai(model), event_days=1, event_texts=False)
        project = await client.project("Shop")
        await client.ready(project, "Returns", TEXT, source="returns.txt")
        answer = await client.answered(await client.session(project), QUESTION)
        await client.mutate(RATE, messageId=answer, helpful=False, comment="A long tale.")
    events = await events_of(database_url, 5)
    said = str(events)
    assert not [word for word in ("returned", "30 days", "Returns", "returns.txt", "tale") if word in said]


async def test_nothing_is_written_unless_events_go_somewhere(start: Start, database_url: str) -> None:
    with running(OpenAIServer(lambda _: CITED)) as model:
        client = start(**openai(model))
        await client.answered(await client.session(await client.project("Shop"), enableRag=False), QUESTION)
    assert kept_events(database_url) == []


def test_the_example_in_the_handbook_is_an_event() -> None:
    page = (Path(__file__).parents[2] / "app" / "handbook" / "09-operating.md").read_text(encoding="utf-8")
    [example] = re.findall(r"```json\n(\{\n  \"eventType\".*?)```", page, re.DOTALL)
    check_events([json.loads(example)])
