"""Asking questions and following answers over graphql-transport-ws: in order, complete, by any number of readers."""

import asyncio
import json

import pytest
from gql import Client as GqlClient
from gql import gql
from gql.transport.websockets import WebsocketsTransport

from tests.graphql.client import EVENTS, SEND, Client, Json, received, start, subscribe
from tests.graphql.conftest import Scripted
from tests.servers.gated import Gated
from tests.servers.openai import OpenAIServer
from tests.servers.running import Break

CANCEL = """mutation($input: CancelAnswerInput!) { cancelAnswer(input: $input) {
  __typename ... on CancelAnswerPayload { answer { id status content } }
  ... on ValidationError { issues { path code } } ... on NotFoundError { id } } }"""
MESSAGE = """query($id: ID!) { message(id: $id) { role status content contentWithSources outcome finishReason
  searchQuery reasoning createdAt completedAt replyTo { id role content } session { id }
  citations { index label documentTitle page url quote support sourceStatus document { title } chunk { text }
    quoteSpan { startOffset endOffset } uses { markerSpan { startOffset endOffset } chunk { id } support } }
  usage { model inputTokens outputTokens totalMs costUsd } failure { code retryable } notices { code }
  budget { contextWindow inputTokens adjustedMaxTokens counting segments { kind tokens }
    candidates { decision score chunk { id } } } } }"""
BOIL = "Water boils at 100 degrees Celsius at sea level."


async def asked(client: Client, name: str) -> tuple[str, str]:
    """A project with one document, and the id of an answer about it."""
    project = await client.project(name)
    document = await client.ready(project, "Facts", BOIL, url="https://example.org/facts", source="facts")
    return document, await client.answered(await client.session(project), "At what temperature does water boil?")


async def test_an_answer_streams_without_gaps_and_can_be_resumed_anywhere(client: Client) -> None:
    _, answer = await asked(client, "resume")
    events = await client.follow(EVENTS, id=answer)
    assert [event["sequence"] for event in events] == list(range(1, len(events) + 1))
    assert {event["messageId"] for event in events} == {answer}
    assert events[0]["__typename"] == "RetrievalCompleted"
    assert events[0]["passages"][0]["text"] == BOIL
    assert events[0]["passages"][0]["chunk"]["id"]
    assert "CitationAdded" in {event["__typename"] for event in events}
    last = events[-1]
    assert (last["__typename"], last["message"]["status"], last["message"]["outcome"]) == (
        "AnswerCompleted",
        "COMPLETED",
        "CITED",
    )
    deltas = [event for event in events if event["__typename"] == "AnswerDelta"]
    assert "".join(delta["text"] for delta in deltas) == deltas[-1]["content"] == last["message"]["content"]
    for after in range(len(events) + 1):
        assert await client.follow(EVENTS, id=answer, after=after) == events[after:]


FORMS = """subscription($id: ID!, $whole: Boolean!) { followed: answerEvents(messageId: $id) {
    kind: __typename ...Place
    ... on AnswerDelta { piece: text @skip(if: $whole) all: content @include(if: $whole) ...Place }
    ... on CitationAdded { citation { index } } } }
  fragment Place on AnswerEvent { at: sequence ... on AnswerEvent { messageId at: sequence } }"""


async def test_events_have_the_selected_fields_in_any_form_of_selection(client: Client) -> None:
    _, answer = await asked(client, "forms")
    events = await client.follow(EVENTS, id=answer)
    for whole, names in ((True, {"all": "content"}), (False, {"piece": "text"})):
        selected = await client.follow(FORMS, id=answer, whole=whole)
        for event, got in zip(events, selected, strict=True):
            expected = {"kind": event["__typename"], "at": event["sequence"], "messageId": answer}
            if event["__typename"] == "AnswerDelta":
                expected |= {alias: event[name] for alias, name in names.items()}
            if event["__typename"] == "CitationAdded":
                expected["citation"] = {"index": event["citation"]["index"]}
            assert list(got.items()) == list(expected.items())


async def test_a_final_message_keeps_everything(client: Client) -> None:
    document, answer = await asked(client, "kept")
    message = (await client.run(MESSAGE, id=answer))["message"]
    assert (message["role"], message["status"], message["outcome"], message["finishReason"]) == (
        "ASSISTANT",
        "COMPLETED",
        "CITED",
        "STOP",
    )
    assert message["replyTo"]["content"] == "At what temperature does water boil?"
    [citation] = message["citations"]
    assert (citation["index"], citation["label"], citation["documentTitle"]) == (1, "[1]", "Facts")
    assert citation["url"] == "https://example.org/facts"
    span = citation["quoteSpan"]
    assert citation["chunk"]["text"][span["startOffset"] : span["endOffset"]] == citation["quote"]
    marker = citation["uses"][0]["markerSpan"]
    assert message["content"][marker["startOffset"] : marker["endOffset"]] == "[1]"
    assert message["contentWithSources"] == f"{message['content']}\n\n---\n**Sources:**\n- [1] Facts\n"
    assert message["usage"]["model"] == "embedded/extractive"
    assert message["usage"]["costUsd"] == 0
    budget = message["budget"]
    assert sum(segment["tokens"] for segment in budget["segments"]) <= budget["contextWindow"]
    assert budget["candidates"][0]["decision"] == "INCLUDED"
    assert budget["candidates"][0]["chunk"]["id"]
    assert citation["sourceStatus"] == "UNCHANGED"
    assert citation["document"]["title"] == "Facts"
    project = (await client.run("query($id: ID!) { document(id: $id) { project { id } } }", id=document))["document"]
    await client.ready(project["project"]["id"], "Facts", "Water boils sooner on mountains.", source="facts")
    changed = (await client.run(MESSAGE, id=answer))["message"]["citations"][0]
    assert (changed["sourceStatus"], changed["quote"]) == ("CHANGED", citation["quote"])
    delete = """mutation($input: DeleteDocumentInput!) { deleteDocument(input: $input) { __typename } }"""
    await client.mutate(delete, id=document)
    deleted = (await client.run(MESSAGE, id=answer))["message"]["citations"][0]
    assert (deleted["sourceStatus"], deleted["document"], deleted["chunk"]) == ("DELETED", None, None)
    assert deleted["quote"] == citation["quote"]
    replayed = await client.follow(EVENTS, id=answer)
    assert replayed[0]["passages"][0] | {"chunk": None} == replayed[0]["passages"][0]


async def test_the_gql_client_follows_an_answer(client: Client) -> None:
    _, answer = await asked(client, "gql")
    transport = WebsocketsTransport(url=client.url.replace("http", "ws", 1))
    async with GqlClient(transport=transport, fetch_schema_from_transport=True) as session:
        operation = gql(EVENTS)
        operation.variable_values = {"id": answer}
        seen = [event["answerEvents"]["sequence"] async for event in session.subscribe(operation)]
    assert seen == list(range(1, len(seen) + 1))
    assert seen


async def first_delta(socket_events: Json) -> Json:
    async for event in socket_events:
        if event["__typename"] == "AnswerDelta":
            return event
    raise AssertionError("there was no delta")


async def test_many_read_one_answer_and_leaving_does_not_stop_it(scripted: Scripted) -> None:
    gated = Gated()
    client = scripted(gated)
    session = await client.session(await client.project("readers"), enableRag=False)
    sent = await client.mutate(SEND, sessionId=session, content="Say it.", idempotencyKey="once")
    answer = sent["answer"]["id"]
    assert sent["answer"]["status"] == "PENDING"
    again = await client.mutate(SEND, sessionId=session, content="Say it.", idempotencyKey="once")
    assert again["answer"]["id"] == answer
    async with client.socket() as socket:
        delta = await first_delta(subscribe(socket, EVENTS, id=answer))
    assert delta["content"] == "The first half, "
    growing = (await client.run(MESSAGE, id=answer))["message"]
    assert (growing["status"], growing["content"]) == ("STREAMING", "The first half, ")
    readers = [asyncio.create_task(client.follow(EVENTS, id=answer, after=n % 3)) for n in range(12)]
    async with client.socket() as socket:
        await first_delta(subscribe(socket, EVENTS, id=answer))
        gated.open.set()
    all_read = await asyncio.gather(*readers)
    whole = await client.follow(EVENTS, id=answer)
    assert whole[-1]["message"]["content"] == "The first half, and the second."
    assert list(all_read) == [whole[n % 3 :] for n in range(12)]


async def test_a_second_question_waits_for_the_first(scripted: Scripted) -> None:
    gated = Gated()
    client = scripted(gated)
    session = await client.session(await client.project("conflict"), enableRag=False)
    answer = (await client.mutate(SEND, sessionId=session, content="One."))["answer"]["id"]
    refused = await client.mutate(SEND, sessionId=session, content="Two.")
    assert refused["__typename"] == "ConflictError"
    assert refused["conflicting"] == {"__typename": "Message", "id": answer}
    gated.open.set()
    await client.follow(EVENTS, id=answer)


async def test_cancelling_keeps_the_text_and_closes_the_models_request(scripted: Scripted) -> None:
    client = scripted(OpenAIServer(lambda _: ["Half ", "an answer."], faults=[Break("stall", after=1)]))
    session = await client.session(await client.project("cancel"), enableRag=False)
    sent = await client.mutate(SEND, sessionId=session, content="Go on.")
    answer, question = sent["answer"]["id"], sent["question"]["id"]
    async with client.socket() as socket:
        events = subscribe(socket, EVENTS, id=answer)
        await first_delta(events)
        cancelled = await client.mutate(CANCEL, messageId=answer)
        assert cancelled["answer"] == {"id": answer, "status": "CANCELLED", "content": "Half "}
        rest = [event async for event in events]
    assert rest[-1]["__typename"] == "AnswerCancelled"
    assert rest[-1]["message"] == {"status": "CANCELLED", "content": "Half "}
    assert await client.mutate(CANCEL, messageId=answer) == cancelled
    refused = await client.mutate(CANCEL, messageId=question)
    assert refused["issues"] == [{"path": ["messageId"], "code": "INVALID"}]
    assert (await client.mutate(CANCEL, messageId="nothing"))["id"] == "nothing"


async def test_a_model_that_breaks_off_becomes_a_failure(scripted: Scripted) -> None:
    client = scripted(OpenAIServer(lambda _: ["Half ", "an answer."], faults=[Break("end", after=1)]))
    session = await client.session(await client.project("broken"), enableRag=False)
    answer = await client.answered(session, "Go on.")
    last = (await client.follow(EVENTS, id=answer))[-1]
    assert last["__typename"] == "AnswerFailed"
    assert (last["failure"]["code"], last["failure"]["retryable"]) == ("MODEL_INCOMPLETE", True)
    message = (await client.run(MESSAGE, id=answer))["message"]
    assert (message["status"], message["failure"]["code"]) == ("FAILED", "MODEL_INCOMPLETE")


async def test_options_given_with_a_question_reach_the_model(scripted: Scripted) -> None:
    model = OpenAIServer(lambda _: ["Yes."])
    client = scripted(model)
    session = await client.session(await client.project("overrides"), enableRag=False, temperature=0.1)
    await client.answered(session, "First?", temperature=1.25, maxTokens=77)
    await client.answered(session, "Second?")
    assert [(chat["temperature"], chat["max_tokens"]) for chat in model.chats] == [(1.25, 77), (0.1, 1200)]


async def test_subscribing_to_an_unknown_id_is_an_error_and_the_socket_stays_open(client: Client) -> None:
    _, answer = await asked(client, "errors")
    question = (await client.run(MESSAGE, id=answer))["message"]["replyTo"]["id"]
    async with client.socket() as socket:
        for id, code in (("nothing", "NOT_FOUND"), (question, "BAD_USER_INPUT")):
            await start(socket, "s", EVENTS, id=id)
            message = await received(socket)
            assert message["type"] == "next"
            assert message["payload"]["errors"][0]["extensions"]["code"] == code
            assert (await received(socket))["type"] == "complete"
        events = [event async for event in subscribe(socket, EVENTS, id=answer)]
        assert events[-1]["__typename"] == "AnswerCompleted"


async def test_completing_an_operation_frees_its_id(scripted: Scripted) -> None:
    gated = Gated()
    client = scripted(gated)
    session = await client.session(await client.project("free"), enableRag=False)
    answer = (await client.mutate(SEND, sessionId=session, content="Say it."))["answer"]["id"]
    async with client.socket() as socket:
        await start(socket, "1", EVENTS, id=answer)
        while (await received(socket))["payload"]["data"]["answerEvents"]["__typename"] != "AnswerDelta":
            pass
        await socket.send(json.dumps({"type": "complete", "id": "1"}))
        await start(socket, "1", EVENTS, id=answer)
        assert (await received(socket))["payload"]["data"]["answerEvents"]["sequence"] == 1
        gated.open.set()
        while (await received(socket))["type"] != "complete":
            pass


@pytest.mark.parametrize(("key", "code"), [("", "REQUIRED"), ("x" * 201, "TOO_LONG")])
async def test_the_key_of_a_message_has_a_length(scripted: Scripted, key: str, code: str) -> None:
    client = scripted(OpenAIServer(lambda _: ["Fine."]))
    session = await client.session(await client.project("keys"), enableRag=False)
    send = """mutation($input: SendMessageInput!) { sendMessage(input: $input) {
      ... on ValidationError { issues { path code } } } }"""
    refused = await client.mutate(send, sessionId=session, content="Say it.", idempotencyKey=key)
    assert refused["issues"] == [{"path": ["idempotencyKey"], "code": code}]
