"""Branches: edited questions, answers given again, and the path through them that is shown and sent to the model."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from app.chat.branches import tree
from tests.answers import TEXT, openai
from tests.graphql.chat.test_answers import CANCEL
from tests.graphql.chat.test_turns import REGENERATE, again, counting
from tests.graphql.client import EVENTS, SEND, Client, Json
from tests.servers.openai import OpenAIServer
from tests.servers.running import Body, Break, running

Start = Callable[..., Client]
SELECT = """mutation($input: SelectBranchInput!) { selectBranch(input: $input) { __typename
  ... on SelectBranchPayload { chatSession { messages(last: 1) { nodes { id } } } }
  ... on Error { message } } }"""
PATH = """query($id: ID!, $all: Boolean! = false) { chatSession(id: $id) { messages(first: 100, allBranches: $all) {
  totalCount nodes { id role content status isCurrent previous { id } replyTo { id }
    alternatives { id isCurrent } } } } }"""
PAGE = """query($id: ID!, $first: Int, $after: String, $last: Int, $before: String) { chatSession(id: $id) {
  messages(first: $first, after: $after, last: $last, before: $before) {
    edges { cursor node { content } } pageInfo { hasNextPage hasPreviousPage } } } }"""
PREVIEW = """query($input: PreviewAnswerInput!) { previewAnswer(input: $input) { messages { role content } } }"""
REFUSED = """mutation($input: SendMessageInput!) { sendMessage(input: $input) {
  __typename ... on Error { message } ... on ValidationError { issues { path code } }
  ... on ConflictError { conflicting { id } } } }"""


async def path(client: Client, session: str, *, all: bool = False) -> list[Json]:
    """The messages that a session shows, or all."""
    messages = (await client.run(PATH, id=session, all=all))["chatSession"]["messages"]
    assert messages["totalCount"] == len(messages["nodes"])
    return messages["nodes"]


async def texts(client: Client, session: str) -> list[str]:
    return [message["content"] for message in await path(client, session)]


async def select(client: Client, message: str) -> Json:
    selected = await client.mutate(SELECT, messageId=message)
    assert selected["__typename"] == "SelectBranchPayload", selected
    return selected


def spoken(chat: Body) -> list[str]:
    """What a model was sent, without the system's part."""
    return [message["content"] for message in chat["messages"] if message["role"] != "system"]


async def conversation(client: Client) -> tuple[str, list[str]]:
    """A session with three turns, and the ids of its messages."""
    session = await client.session(await client.project("Branches"), enableRag=False)
    for question in ("One?", "Two?", "Three?"):
        await client.answered(session, question)
    return session, [message["id"] for message in await path(client, session)]


async def test_an_edited_question_starts_a_branch(start: Start) -> None:
    with running(OpenAIServer(counting())) as model:
        client = start(**openai(model))
        session, [one, _, two, answer, *_] = await conversation(client)
        await client.answered(session, "Two, edited?", editedMessageId=two)
        assert spoken(model.chats[-1]) == ["One?", "Answer 1.", "Two, edited?"]
        shown = await path(client, session)
        assert [message["content"] for message in shown] == ["One?", "Answer 1.", "Two, edited?", "Answer 4."]
        edited = shown[2]
        assert edited["alternatives"] == [{"id": two, "isCurrent": False}, {"id": edited["id"], "isCurrent": True}]
        assert [message["previous"] for message in shown] == [None, *({"id": each["id"]} for each in shown[:3])]
        assert [message["replyTo"] for message in shown] == [None, {"id": one}, None, {"id": edited["id"]}]
        await client.answered(session, "More?")
        assert spoken(model.chats[-1]) == ["One?", "Answer 1.", "Two, edited?", "Answer 4.", "More?"]

        selected = await select(client, two)
        assert await texts(client, session) == ["One?", "Answer 1.", "Two?", "Answer 2.", "Three?", "Answer 3."]
        last = (await path(client, session))[-1]["id"]
        assert selected["chatSession"]["messages"]["nodes"] == [{"id": last}]
        await client.answered(session, "Four?")
        assert spoken(model.chats[-1]) == [
            *("One?", "Answer 1.", "Two?", "Answer 2.", "Three?", "Answer 3."),
            "Four?",
        ]
        # A client that shows another branch says which answer its question follows.
        await client.answered(session, "Elsewhere?", previousMessageId=answer)
        assert spoken(model.chats[-1])[-3:] == ["Two?", "Answer 2.", "Elsewhere?"]
        assert (await texts(client, session))[-2:] == ["Elsewhere?", "Answer 7."]


async def test_a_first_question_can_be_edited(start: Start) -> None:
    with running(OpenAIServer(counting())) as model:
        client = start(**openai(model))
        session, [one, *_] = await conversation(client)
        await client.answered(session, "One, edited?", editedMessageId=one)
        assert spoken(model.chats[-1]) == ["One, edited?"]
        assert await texts(client, session) == ["One, edited?", "Answer 4."]
        [edited, _] = await path(client, session)
        assert [each["id"] for each in edited["alternatives"]] == [one, edited["id"]]
        await select(client, one)
        assert len(await path(client, session)) == 6


async def test_an_earlier_answer_can_be_regenerated(start: Start) -> None:
    with running(OpenAIServer(counting())) as model:
        client = start(**openai(model))
        session, [_, first, *_] = await conversation(client)
        second = await again(client, first)
        assert spoken(model.chats[-1]) == ["One?"]
        assert await texts(client, session) == ["One?", "Answer 4."]
        assert (await path(client, session))[1]["alternatives"] == [
            {"id": first, "isCurrent": False},
            {"id": second, "isCurrent": True},
        ]
        await select(client, first)
        assert (await texts(client, session))[-2:] == ["Three?", "Answer 3."]


async def test_a_branch_is_shown_as_it_was_left(start: Start) -> None:
    with running(OpenAIServer(counting())) as model:
        client = start(**openai(model))
        session, [one, first, *_] = await conversation(client)
        await again(client, first)  # the newest, which the user leaves for the older one
        await select(client, first)
        left = await path(client, session)
        await client.answered(session, "One, edited?", editedMessageId=one)
        await select(client, one)
        assert await path(client, session) == [
            {**message, "alternatives": (await path(client, session))[place]["alternatives"]}
            for place, message in enumerate(left)
        ]
        # A message anywhere in the tree can be selected: what leads to it becomes current, too.
        hidden = [message for message in await path(client, session, all=True) if message["content"] == "Answer 4."]
        await select(client, hidden[0]["id"])
        assert await texts(client, session) == ["One?", "Answer 4."]


async def test_pages_fit_together_when_another_branch_is_shown(start: Start) -> None:
    """Before the fork nothing changes; after it, a page continues on the branch that is shown."""
    with running(OpenAIServer(counting())) as model:
        client = start(**openai(model))
        session, ids = await conversation(client)

        async def page(**window: Json) -> tuple[list[str], list[str]]:
            edges = (await client.run(PAGE, id=session, **window))["chatSession"]["messages"]["edges"]
            return [edge["node"]["content"] for edge in edges], [edge["cursor"] for edge in edges]

        before, cursors = await page(first=6)
        await client.answered(session, "Two, edited?", editedMessageId=ids[2])
        for place in (0, 1):
            assert (await page(first=10, after=cursors[place]))[0] == [
                *before[place + 1 : 2],
                *("Two, edited?", "Answer 4."),
            ]
            assert (await page(last=10, before=cursors[place + 1]))[0] == before[: place + 1]
        _, edited = await page(first=10)
        await select(client, ids[2])
        assert (await page(last=10, before=edited[2]))[0] == before
        assert (await page(first=2, after=cursors[1]))[0] == before[2:4]
        assert (await page(last=3))[0] == before[3:]


async def test_the_place_of_a_question_must_exist(start: Start) -> None:
    with running(OpenAIServer(counting())) as model:
        client = start(**openai(model))
        session, [one, answer, *_] = await conversation(client)
        other = await client.session(await client.project("Other"), enableRag=False)
        elsewhere = await client.answered(other, "Elsewhere?")
        shown = await path(client, session, all=True)

        async def refused(**values: Json) -> Json:
            return await client.mutate(REFUSED, sessionId=session, content="Where?", **values)

        both = await refused(editedMessageId=one, previousMessageId=answer)
        assert both["issues"] == [{"path": ["previousMessageId"], "code": "INVALID"}]
        assert (await refused(editedMessageId=answer))["issues"] == [{"path": ["editedMessageId"], "code": "INVALID"}]
        assert (await refused(previousMessageId=one))["issues"] == [{"path": ["previousMessageId"], "code": "INVALID"}]
        for missing in (elsewhere, session, "nothing"):
            for name in ("editedMessageId", "previousMessageId"):
                assert (await refused(**{name: missing}))["__typename"] == "NotFoundError"
        assert (await client.mutate(SELECT, messageId=other))["__typename"] == "NotFoundError"
        assert await path(client, session, all=True) == shown


async def test_a_key_stands_for_a_place(start: Start) -> None:
    with running(OpenAIServer(counting())) as model:
        client = start(**openai(model))
        session, [one, _, two, answer, *_] = await conversation(client)
        values = {"sessionId": session, "content": "Edited?", "idempotencyKey": "once"}
        sent = await asyncio.gather(*(client.mutate(SEND, **values, editedMessageId=two) for _ in range(10)))
        [question] = {each["question"]["id"] for each in sent}
        await client.follow(EVENTS, id=sent[0]["answer"]["id"])
        assert [chat for chat in model.chats if spoken(chat)[-1] == "Edited?"] == model.chats[3:]
        for other in ({"editedMessageId": one}, {"previousMessageId": answer}, {}):
            refused = await client.mutate(REFUSED, **values, **other)
            assert (refused["__typename"], refused["conflicting"]) == ("ConflictError", {"id": question})
        await select(client, two)
        repeated = await client.mutate(SEND, **values, editedMessageId=two)
        assert repeated["question"]["id"] == question
        assert (await texts(client, session))[2] == "Two?", "repeating it changes nothing"
        at_the_end = {"sessionId": session, "content": "At the end?", "idempotencyKey": "end"}
        last = await client.mutate(SEND, **at_the_end)
        await client.follow(EVENTS, id=last["answer"]["id"])
        assert (await client.mutate(SEND, **at_the_end))["question"] == last["question"], "the end has moved since"


async def test_alternatives_are_bounded(start: Start) -> None:
    with running(OpenAIServer(counting())) as model:
        client = start(**openai(model))
        session = await client.session(await client.project("Bounds"), enableRag=False)
        answer = await client.answered(session, "One?")
        [question, _] = await path(client, session)
        for _ in range(1, tree.MAX_ALTERNATIVES):
            await again(client, answer)
        refused = await client.mutate(REGENERATE, messageId=answer)
        assert (refused["__typename"], refused["conflicting"]) == ("ConflictError", {"id": question["id"]})
        shown = await path(client, session)
        assert len(shown[1]["alternatives"]) == tree.MAX_ALTERNATIVES
        assert shown[1]["content"] == f"Answer {tree.MAX_ALTERNATIVES}."


async def test_a_running_answer_stays_in_its_branch(start: Start) -> None:
    stall = Break("stall", after=1)
    with running(OpenAIServer(counting(), faults=[None, None, None, stall, None, stall])) as model:
        client = start(**openai(model))
        session, [one, *_, last] = await conversation(client)
        running_id = (await client.mutate(REGENERATE, messageId=last))["answer"]["id"]
        assert (await path(client, session))[-1]["id"] == last, "what is complete stays until the next one is"
        busy = await client.mutate(REFUSED, sessionId=session, content="Edited?", editedMessageId=one)
        assert (busy["__typename"], busy["conflicting"]) == ("ConflictError", {"id": running_id})
        await select(client, running_id)  # to watch it
        assert (await path(client, session))[-1]["status"] == "STREAMING"
        cancelled = await client.mutate(CANCEL, messageId=running_id)
        assert cancelled["answer"]["status"] == "CANCELLED"
        assert (await path(client, session))[-1]["id"] == running_id
        await select(client, last)

        await client.answered(session, "One, edited?", editedMessageId=one)
        edited, answer = await path(client, session)
        running_id = (await client.mutate(REGENERATE, messageId=answer["id"]))["answer"]["id"]
        await select(client, one)
        assert (await client.mutate(CANCEL, messageId=running_id))["answer"]["status"] == "CANCELLED"
        assert len(await path(client, session)) == 6
        await select(client, edited["id"])
        assert [message["id"] for message in await path(client, session)] == [edited["id"], answer["id"]]


async def test_a_failed_answer_is_replaced_at_once(start: Start) -> None:
    faults = [Break("end", after=1), Break("end", after=1), None, Break("end", after=1)]
    with running(OpenAIServer(counting(), faults=faults)) as model:
        client = start(**openai(model))
        session = await client.session(await client.project("Failed"), enableRag=False)
        failed = await client.answered(session, "One?")
        failed_again = await again(client, failed)
        assert (await path(client, session))[-1]["id"] == failed_again
        complete = await again(client, failed)
        assert (await path(client, session))[-1]["id"] == complete
        await again(client, complete)
        shown = await path(client, session)
        assert [message["id"] for message in shown[1:]] == [complete]
        assert len(shown[1]["alternatives"]) == 4


async def test_a_branch_that_is_left_completes(start: Start) -> None:
    """Two answers of one session at once, each with its own history, whatever is shown meanwhile."""
    stall = Break("stall", after=0)
    with running(OpenAIServer(counting(), faults=[None, None, None, stall, None])) as model:
        client = start(**openai(model), max_running_answers_per_session=2)
        session, [one, _, two, *_, last] = await conversation(client)
        stalled = (await client.mutate(SEND, sessionId=session, content="Two, edited?", editedMessageId=two))["answer"]
        assert (await client.mutate(REGENERATE, messageId=stalled["id"]))["__typename"] == "ConflictError"
        await client.answered(session, "One, edited?", editedMessageId=one)
        left = ["One, edited?", "Answer 5."]
        assert await texts(client, session) == left
        assert sorted(map(spoken, model.chats[3:])) == [["One, edited?"], ["One?", "Answer 1.", "Two, edited?"]]
        await client.mutate(CANCEL, messageId=stalled["id"])
        assert await texts(client, session) == left
        await select(client, last)
        assert len(await path(client, session)) == 6


@pytest.mark.parametrize("place", ["end", "edited", "after"])
async def test_a_preview_is_of_the_same_branch_as_the_answer(start: Start, place: str) -> None:
    with running(OpenAIServer(counting())) as model:
        client = start(**openai(model))
        session, [_, _, two, answer, *_] = await conversation(client)
        await client.answered(session, "Two, edited?", editedMessageId=two)
        values: dict[str, Any] = {"end": {}, "edited": {"editedMessageId": two}, "after": {"previousMessageId": answer}}
        asked = {"sessionId": session, "content": "What now?", **values[place]}
        previewed = (await client.run(PREVIEW, input=asked))["previewAnswer"]
        shown = await texts(client, session)
        await client.mutate(SEND, **asked)
        await client.follow(EVENTS, id=(await path(client, session))[-1]["id"])
    assert [message["content"] for message in previewed["messages"] if message["role"] != "system"] == spoken(
        model.chats[-1]
    )
    assert shown[-2:] == ["Two, edited?", "Answer 4."], "a preview changes nothing"


async def test_sources_of_a_hidden_branch_are_told_of_when_it_is_shown_again(start: Start) -> None:
    cited = """query($id: ID!) { chatSession(id: $id) { messages(last: 1) { nodes { citations {
      documentTitle quote sourceStatus } } } } }"""
    with running(OpenAIServer(lambda _: ["Within 30 days of delivery [1]."])) as model:
        client = start(**openai(model))
        project = await client.project("Deleted")
        document = await client.ready(project, "Returns", TEXT)
        session = await client.session(project)
        await client.answered(session, "When can goods be returned?")
        [question, _] = await path(client, session)
        await client.answered(session, "Hello!", editedMessageId=question["id"], enableRag=False)
        delete = "mutation($input: DeleteDocumentInput!) { deleteDocument(input: $input) { __typename } }"
        assert (await client.mutate(delete, id=document))["__typename"] == "DeleteDocumentPayload"
        await select(client, question["id"])
        [citation] = (await client.run(cited, id=session))["chatSession"]["messages"]["nodes"][0]["citations"]
    assert (citation["documentTitle"], citation["sourceStatus"]) == ("Returns", "DELETED")
    assert "30 days" in citation["quote"]
