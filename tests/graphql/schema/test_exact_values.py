"""What is stored is exactly what was sent, and what is answered is what is stored, also within one operation."""

import json
from typing import Any

import pytest

from tests.graphql.access.people import RATE
from tests.graphql.client import ADD_TEXT, SEND, Client

UPDATE_DOCUMENT = """mutation($input: UpdateDocumentInput!) { updateDocument(input: $input) {
  ... on UpdateDocumentPayload { document { metadata } } ... on Error { message } } }"""
UPDATE_SESSION = """mutation($input: UpdateChatSessionInput!) { updateChatSession(input: $input) {
  ... on UpdateChatSessionPayload { chatSession { title documentIds documentFilter { metadata } } }
  ... on Error { message } } }"""
REGENERATE = """mutation($input: RegenerateAnswerInput!) { regenerateAnswer(input: $input) {
  __typename ... on RegenerateAnswerPayload { answer { id } } ... on Error { message } } }"""
SESSION = "query($id: ID!) { chatSession(id: $id) { title documentIds documentFilter { metadata } } }"
METADATA = "query($id: ID!) { document(id: $id) { version metadata } }"


async def read_session(client: Client, session: str) -> dict[str, Any]:
    return (await client.run(SESSION, id=session))["chatSession"]


async def read_document(client: Client, document: str) -> tuple[int, str]:
    """Its version and its metadata as JSON: to Python, 1 and true are equal."""
    found = (await client.run(METADATA, id=document))["document"]
    return found["version"], json.dumps(found["metadata"])


@pytest.mark.parametrize(
    ("earlier", "later"), [(1, True), (True, 1), (0, False), ([1], [True]), ({"b": 1}, {"b": True})]
)
async def test_one_becomes_true_in_metadata(client: Client, earlier: Any, later: Any) -> None:
    project = await client.project(f"exact {earlier!r}")
    first, second = {"a": earlier}, {"a": later}
    document = await client.ready(project, "One", "Text.", source="s", metadata=first)
    changed = await client.mutate(UPDATE_DOCUMENT, id=document, metadata=second)
    assert json.dumps(changed["document"]["metadata"]) == json.dumps(second)
    assert await read_document(client, document) == (1, json.dumps(second))
    await client.mutate(ADD_TEXT, projectId=project, title="One", text="More.", source="s", metadata=first)
    assert await read_document(client, document) == (2, json.dumps(first))


async def test_one_becomes_true_in_the_filter_of_a_chat(client: Client) -> None:
    session = await client.session(await client.project("exact filters"), documentFilter={"metadata": {"a": 1}})
    changed = await client.mutate(UPDATE_SESSION, id=session, documentFilter={"metadata": {"a": True}})
    assert changed["chatSession"]["documentFilter"]["metadata"]["a"] is True
    assert (await read_session(client, session))["documentFilter"]["metadata"]["a"] is True


async def test_a_key_stands_for_exactly_one_question(client: Client) -> None:
    project = await client.project("exact keys")
    session = await client.session(project)

    async def ask(value: Any, key: str = "k") -> str:
        given = {"documentFilter": {"metadata": {"a": value}}}
        sent = await client.mutate(SEND, sessionId=session, content="What?", idempotencyKey=key, **given)
        return sent["__typename"]

    assert [await ask(1), await ask(1), await ask(True)] == ["SendMessagePayload"] * 2 + ["ConflictError"]
    answer = await client.answered(await client.session(project), "And then?")

    async def regenerate(value: Any) -> str:
        given = {"documentFilter": {"metadata": {"a": value}}}
        return (await client.mutate(REGENERATE, messageId=answer, idempotencyKey="r", **given))["__typename"]

    assert [await regenerate(1), await regenerate(True)] == ["RegenerateAnswerPayload", "ConflictError"]


async def test_a_key_stands_for_one_place(client: Client) -> None:
    session = await client.session(await client.project("exact places"))
    sent = await client.mutate(SEND, sessionId=session, content="What?", idempotencyKey="k")
    edited = await client.mutate(
        SEND, sessionId=session, content="What?", idempotencyKey="k", editedMessageId=sent["question"]["id"]
    )
    assert edited["__typename"] == "ConflictError"


async def test_an_empty_key_is_refused(client: Client) -> None:
    project = await client.project("no keys")
    refused = await client.mutate(ADD_TEXT, projectId=project, title="a", text="b", idempotencyKey="")
    assert refused["issues"] == [{"path": ["idempotencyKey"], "code": "REQUIRED"}]


async def test_a_blank_title_is_as_good_as_none(client: Client) -> None:
    project = await client.project("blank titles")
    document = await client.ready(project, " ", "# Opening hours\n\nFrom nine to five.")
    assert (await client.run("query($id: ID!) { document(id: $id) { title } }", id=document))["document"] == {
        "title": "Opening hours"
    }


async def test_a_chat_without_a_title_has_that_of_its_first_question(client: Client) -> None:
    session = await client.session(await client.project("titles"))
    assert (await read_session(client, session))["title"] == "New chat"
    await client.answered(session, "What is first?")
    assert (await read_session(client, session))["title"] == "What is first?"
    await client.mutate(UPDATE_SESSION, id=session, title="New chat")
    await client.answered(session, "What is second?")
    assert (await read_session(client, session))["title"] == "New chat"
    reset = await client.mutate(UPDATE_SESSION, id=session, title=None)
    assert reset["chatSession"]["title"] == "What is first?"


async def test_a_chat_may_keep_documents_that_are_deleted(client: Client) -> None:
    """A form sends back all that it has shown."""
    project = await client.project("deleted documents")
    kept, deleted = [await client.ready(project, title, f"The {title}.") for title in ("kept", "deleted")]
    session = await client.session(project, documentIds=[kept, deleted])
    await client.run("mutation($id: ID!) { deleteDocument(input: { id: $id }) { __typename } }", id=deleted)
    shown = (await read_session(client, session))["documentIds"]
    saved = await client.mutate(UPDATE_SESSION, id=session, documentIds=shown, title="Saved")
    assert saved["chatSession"] == {"title": "Saved", "documentIds": shown, "documentFilter": None}
    other = await client.mutate(UPDATE_SESSION, id=session, documentIds=[kept])
    assert other["chatSession"]["documentIds"] == [kept]
    refused = await client.mutate(UPDATE_SESSION, id=session, documentIds=[kept, deleted])
    assert refused == {"message": "There is no document with this id."}


async def test_each_mutation_of_an_operation_shows_what_is_stored_then(client: Client) -> None:
    project = await client.project("in a row")
    sessions = [await client.session(project) for _ in range(2)]
    answer = await client.answered(sessions[0], "What?")
    rate = "rateAnswer(input: { messageId: $id, helpful: %s }) { ... on RateAnswerPayload { answer { %s } } }"
    rated = "feedback { helpful }"
    found = await client.run(
        f"""mutation($id: ID!) {{ yes: {rate % ("true", rated)} no: {rate % ("false", rated)}
        none: withdrawRating(input: {{ messageId: $id }}) {{ ... on WithdrawRatingPayload {{ answer {{ {rated} }} }} }}
        }}""",
        id=answer,
    )
    assert [found[name]["answer"]["feedback"] for name in ("yes", "no", "none")] == [
        {"helpful": True},
        {"helpful": False},
        None,
    ]
    left = "... on DeleteChatSessionPayload { project { chatSessions { totalCount nodes { id } } } }"
    found = await client.run(
        f"""mutation($a: ID!, $b: ID!) {{ a: deleteChatSession(input: {{ id: $a }}) {{ {left} }}
        b: deleteChatSession(input: {{ id: $b }}) {{ {left} }} }}""",
        a=sessions[0],
        b=sessions[1],
    )
    lists = [found[name]["project"]["chatSessions"] for name in "ab"]
    assert lists == [{"totalCount": 1, "nodes": [{"id": sessions[1]}]}, {"totalCount": 0, "nodes": []}]
    assert (await client.mutate(RATE, messageId=answer, helpful=True))["__typename"] == "NotFoundError"
