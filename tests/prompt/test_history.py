"""The history a model receives: answered turns only, and none of our own refusals."""

import pytest

from app.chat import messages
from app.database import models
from app.rag.reformulation import INSTRUCTIONS
from app.services import Backend
from app.statuses import AnswerOutcome, MessageStatus
from tests.answers import TEXT, Start, openai
from tests.graphql.chat.test_answers import CANCEL, first_delta
from tests.graphql.chat.test_turns import again
from tests.graphql.client import EVENTS, SEND, Client, Json, subscribe
from tests.servers.openai import OpenAIServer
from tests.servers.running import Answer, Body, Break, running

GOOD, BAD, NEXT = "Until when can goods be returned?", "Can goods be returned opened?", "And how are goods returned?"
ABSENT = "Who won the chess championship?"
WITHDRAWN = "Opened goods vanish into thin air."
INSUFFICIENT = "The passages do not hold the answer."


def answering(bad: str) -> Answer:
    """A model that answers BAD with `bad` and everything else properly, with a fixed query rewrite."""

    def answer(body: Body) -> list[str]:
        system, question = body["messages"][0]["content"], body["messages"][-1]["content"]
        if system == INSTRUCTIONS:
            return ["how goods are returned"]
        return [bad] if question.endswith(BAD) else ["Within 30 days ", "of delivery [1]."]

    return answer


async def bad_turn(client: Client, session: str, how: str) -> None:
    """Add a turn that ends this way."""
    if how == "CANCELLED":
        answer = (await client.mutate(SEND, sessionId=session, content=BAD))["answer"]["id"]
        async with client.socket() as socket:
            events = subscribe(socket, EVENTS, id=answer)
            await first_delta(events)
            assert (await client.mutate(CANCEL, messageId=answer))["answer"]["status"] == "CANCELLED"
        return
    answer = await client.answered(session, ABSENT if how == "NO_SOURCES" else BAD)
    if how == "REGENERATED":
        answer = await again(client, answer)
    told = (await client.run("query($id: ID!) { message(id: $id) { status outcome content } }", id=answer))["message"]
    assert told["content"] != ""
    assert how in {told["status"], told["outcome"], "REGENERATED"}, told


@pytest.mark.parametrize("how", ["REJECTED", "REGENERATED", "INSUFFICIENT", "NO_SOURCES", "FAILED", "CANCELLED"])
async def test_turns_without_a_valid_answer_are_not_sent_again(start: Start, how: str) -> None:
    """Neither for the answer, nor for the query rewrite, nor for the search."""
    bad = INSUFFICIENT if how == "INSUFFICIENT" else WITHDRAWN
    broken = {"FAILED": Break("end", after=1), "CANCELLED": Break("stall", after=1)}.get(how)
    with running(OpenAIServer(answering(bad))) as model:
        model.scripts["chat"] = iter([None, broken])
        client = start(**openai(model), embedding_model="openai/embed")
        project = await client.project("Shop")
        await client.ready(project, "Returns", TEXT)
        session = await client.session(project, ragThreshold=0.01 if how != "NO_SOURCES" else 0.15)
        await client.answered(session, GOOD)
        await bad_turn(client, session, how)
        before = len(model.chats), len(model.embeddings)
        changed: Json = await client.run(
            "mutation($input: UpdateChatSessionInput!) { updateChatSession(input: $input) { __typename } }",
            input={"id": session, "reformulate": True},
        )
        assert changed["updateChatSession"]["__typename"] == "UpdateChatSessionPayload"
        await client.answered(session, NEXT)
        rewriting, answered = model.chats[before[0] :]
        searched = model.embeddings[before[1] :]
    spoken = [(message["role"], message["content"]) for message in answered["messages"][1:]]
    assert spoken == [("user", GOOD), ("assistant", "Within 30 days of delivery."), ("user", NEXT)]
    told = rewriting["messages"][1]["content"]
    assert (GOOD in told, "Within 30 days" in told) == (True, True)
    assert searched[0]["input"] == [NEXT, GOOD, "how goods are returned"]
    for text in (BAD, ABSENT, WITHDRAWN, INSUFFICIENT, "could not be supported", "No relevant information"):
        assert text not in told
        assert text not in str(answered["messages"])


async def test_a_long_conversation_is_sent_whole(start: Start) -> None:
    """Even where it is read after its last question was stored."""
    with running(OpenAIServer(lambda body: [f"You said {body['messages'][-1]['content']}"])) as model:
        client = start(**openai(model))
        session = await client.session(await client.project("Talk"), enableRag=False)
        answer = ""
        for turn in range(25):
            answer = await client.answered(session, f"Word {turn}.")
        await again(client, answer)
        *_, last, repeated = model.chats
    words = [f"Word {turn}." for turn in range(25)]
    spoken = [text for word in words for text in (word, f"You said {word}")][:-1]
    for sent in (last, repeated):
        assert [message["content"] for message in sent["messages"] if message["role"] != "system"] == spoken


async def test_a_long_conversation_is_loaded_from_its_end(footnote: Backend) -> None:
    """A thousand one-megabyte messages must not be loaded for a window that holds three."""
    project = await footnote.knowledge.projects.create_project("shop")
    session = await footnote.chat.sessions.create_session(project.id, footnote.owner.id, {})
    place = {"project_id": project.id, "session_id": session.id}
    last: str | None = None
    async with footnote.database.begin() as db:
        for turn in range(1, 6):
            question = models.Message(
                **place, role="USER", position=2 * turn - 1, content="?" * 1_000_000, status="COMPLETED"
            )
            question.previous_id = last
            db.add(question)
            await db.flush()
            answer = models.Message(**place, role="ASSISTANT", position=2 * turn, content=f"Answer {turn}.")
            answer.previous_id, answer.status, answer.outcome = (
                question.id,
                MessageStatus.COMPLETED,
                AnswerOutcome.CITED,
            )
            db.add(answer)
            await db.flush()
            last = answer.id
    told = await footnote.database.run_read(lambda db: messages.read_conversation(db, last, "And now?"))
    answers = [message.content for message in told if message.role == "assistant"]
    assert answers == ["Answer 3.", "Answer 4.", "Answer 5."]
    assert [message.role for message in told] == ["user", "assistant"] * 3 + ["user"]
