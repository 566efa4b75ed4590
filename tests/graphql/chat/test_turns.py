"""Turns: one per idempotency key, one at a time per session, limited in number, and retried on request."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, select, text, update
from starlette.requests import Request
from starlette.responses import Response

from app.chat.answer_log import compaction, log_entries
from app.chat.answer_log.compaction import Compaction
from app.database import models, opening
from app.notifier import topics
from app.notifier.machine import MachineNotifier
from app.rag import events
from app.statuses import AnswerOutcome
from tests.answers import openai
from tests.conftest import MakeSettings
from tests.graphql.chat.test_answers import CANCEL
from tests.graphql.client import EVENTS, SEND, Client, Json, received, subscribe
from tests.looking import pause
from tests.servers.openai import OpenAIServer
from tests.servers.running import Answer, Body, Break, Thought, running

Start = Callable[..., Client]
REGENERATE = """mutation($input: RegenerateAnswerInput!) { regenerateAnswer(input: $input) {
  __typename ... on RegenerateAnswerPayload { answer { id status replyTo { id } } } ... on Error { message }
  ... on UnavailableError { service retryAfterMs }
  ... on ConflictError { conflicting { id } } ... on ValidationError { issues { path } } } }"""
SEND_BOUNDED = """mutation($input: SendMessageInput!) { sendMessage(input: $input) {
  __typename ... on SendMessagePayload { answer { id } } ... on Error { message }
  ... on UnavailableError { service retryAfterMs } } }"""
FOLLOW = """subscription($id: ID!, $after: Int) { answerEvents(messageId: $id, after: $after) {
  __typename sequence ... on AnswerDelta { text content } } }"""
HISTORY = (
    """query($id: ID!) { chatSession(id: $id) { messages(first: 20) { totalCount nodes { id status content } } } }"""
)


def counting() -> Answer:
    """A model that numbers its answers."""
    given: list[None] = []

    def answer(_: Body) -> list[str]:
        given.append(None)
        return [f"Answer {len(given)}", "."]

    return answer


async def history(client: Client, session: str) -> list[Json]:
    """The messages that a session shows."""
    messages = (await client.run(HISTORY, id=session))["chatSession"]["messages"]
    assert messages["totalCount"] == len(messages["nodes"])
    return messages["nodes"]


async def again(client: Client, answer: str, **values: Json) -> str:
    """Regenerate an answer, wait for its end, and return its id."""
    made = await client.mutate(REGENERATE, messageId=answer, **values)
    await client.follow(EVENTS, id=made["answer"]["id"])
    return made["answer"]["id"]


async def test_the_same_key_ten_times_at_once_is_one_turn(start: Start) -> None:
    with running(OpenAIServer(counting())) as model:
        client = start(**openai(model))
        session = await client.session(await client.project("keys"), enableRag=False)
        values = {"sessionId": session, "content": "One?", "idempotencyKey": "once"}
        sent = await asyncio.gather(*(client.mutate(SEND, **values) for _ in range(10)))
        [answer] = {one["answer"]["id"] for one in sent}
        await client.follow(EVENTS, id=answer)
        assert len(await history(client, session)) == 2
        assert len(model.chats) == 1
        other = await client.mutate(SEND, sessionId=session, content="Another question?", idempotencyKey="once")
        assert (other["__typename"], other["conflicting"]["id"]) == ("ConflictError", sent[0]["question"]["id"])


@pytest.mark.parametrize(
    "other", [{}, {"temperature": 0.8}, {"temperature": 0.7, "maxTokens": 10}, {"searchQuery": "words"}]
)
async def test_a_key_stands_for_a_question_and_its_settings(start: Start, other: Json) -> None:
    with running(OpenAIServer(counting())) as model:
        client = start(**openai(model))
        session = await client.session(await client.project("overrides"), enableRag=False)
        values = {"sessionId": session, "content": "One?", "idempotencyKey": "once"}
        first = await client.mutate(SEND, **values, temperature=0.7)
        same = await client.mutate(SEND, **values, temperature=0.7, maxTokens=None)
        changed = await client.mutate(SEND, **values, **other)
        await client.follow(EVENTS, id=first["answer"]["id"])
    assert same["answer"]["id"] == first["answer"]["id"]
    assert (changed["__typename"], changed["conflicting"]["id"]) == ("ConflictError", first["question"]["id"])
    assert [chat["temperature"] for chat in model.chats] == [0.7]


async def test_a_regenerated_answer_replaces_the_previous_one(start: Start) -> None:
    with running(OpenAIServer(counting())) as model:
        client = start(**openai(model))
        session = await client.session(await client.project("again"), enableRag=False)
        first = await client.answered(session, "How many?", temperature=0.7)
        made = await asyncio.gather(*(again(client, first, idempotencyKey="more") for _ in range(5)))
        [second] = set(made)
        question, answer = await history(client, session)
        assert (answer["id"], answer["content"]) == (second, "Answer 2.")
        assert [chat["temperature"] for chat in model.chats] == [0.7, 0.7]
        assert model.chats[0]["messages"] == model.chats[1]["messages"]
        old = (await client.run("query($id: ID!) { message(id: $id) { content replyTo { id } } }", id=first))["message"]
        assert old == {"content": "Answer 1.", "replyTo": {"id": question["id"]}}
        third = await again(client, first)
        await client.answered(session, "And now?")
        assert [message["content"] for message in model.chats[-1]["messages"]][-3:] == [
            "How many?",
            "Answer 3.",
            "And now?",
        ]
        assert [message["id"] for message in await history(client, session)][:2] == [question["id"], third]
        refused = await client.mutate(REGENERATE, messageId=question["id"])
        assert refused["issues"] == [{"path": ["messageId"]}]
        assert (await client.mutate(REGENERATE, messageId="nothing"))["__typename"] == "NotFoundError"
        taken = await client.mutate(SEND, sessionId=session, content="How many?", idempotencyKey="more")
        assert (taken["__typename"], taken["conflicting"]["id"]) == ("ConflictError", second)


async def test_an_answer_is_regenerated_with_other_options(start: Start) -> None:
    with running(OpenAIServer(counting())) as model:
        client = start(**openai(model))
        session = await client.session(await client.project("compared"), enableRag=False, maxTokens=700)
        first = await client.answered(session, "How many?", temperature=0.7, maxTokens=300)
        values = {"temperature": 0.1, "idempotencyKey": "compare"}
        made = {await again(client, first, **values) for _ in range(2)}
        await again(client, first)
        sent = [(chat["temperature"], chat["max_tokens"]) for chat in model.chats]
        assert sent == [(0.7, 300), (0.1, 300), (0.7, 300)], "the question's other options stay, for this answer only"
        for other in ({"temperature": 0.2}, {}):
            refused = await client.mutate(REGENERATE, messageId=first, idempotencyKey="compare", **other)
            assert (refused["__typename"], refused["conflicting"]["id"]) == ("ConflictError", *made)
        for wrong in ("temperature", "ragTopK"):
            refused = await client.mutate(REGENERATE, messageId=first, **{wrong: 99})
            assert refused["issues"] == [{"path": [wrong]}]


async def test_an_answer_stays_if_its_regeneration_breaks_off(start: Start) -> None:
    faults = [None, Break("end", after=1), Break("stall", after=1)]
    with running(OpenAIServer(lambda _: ["Whole ", "answer."], faults=faults)) as model:
        client = start(**openai(model))
        session = await client.session(await client.project("stays"), enableRag=False)
        whole = await client.answered(session, "What?")
        await again(client, whole)
        stalled = (await client.mutate(REGENERATE, messageId=whole))["answer"]
        busy = await client.mutate(REGENERATE, messageId=whole)
        assert (busy["__typename"], busy["conflicting"]) == ("ConflictError", {"id": stalled["id"]})
        assert (await client.mutate(CANCEL, messageId=stalled["id"]))["answer"]["status"] == "CANCELLED"
        assert [message["id"] for message in await history(client, session)][1:] == [whole]
        await client.answered(session, "Next?")
        assert [message["content"] for message in model.chats[-1]["messages"]][-3:] == [
            "What?",
            "Whole answer.",
            "Next?",
        ]


async def test_late_readers_of_a_long_answer_get_it_from_where_they_were(start: Start) -> None:
    """Only the latest entries are in memory; each comes with the text up to it all the same."""
    after = (0, 0, 11, 12)  # before a text, and before a thought
    pieces = [part for number in range(log_entries.KEPT_ENTRIES + 1) for part in (Thought(f"{number}?"), f" {number}.")]
    with running(OpenAIServer(lambda _: pieces, faults=[Break("stall", after=len(pieces))])) as model:
        client = start(**openai(model))
        session = await client.session(await client.project("Long"), enableRag=False)
        answer = (await client.mutate(SEND, sessionId=session, content="Count."))["answer"]["id"]
        async with AsyncExitStack() as stack:
            sockets = [await stack.enter_async_context(client.socket()) for _ in after]
            seen: list[list[Json]] = []
            for socket, begin in zip(sockets, after, strict=True):
                seen.append([])
                async for event in subscribe(socket, FOLLOW, id=answer, after=begin):
                    seen[-1].append(event)
                    if event.get("content", "").endswith(f"{log_entries.KEPT_ENTRIES}."):
                        break
                else:
                    pytest.fail("the stream ended before the model stalled")
            await client.mutate(CANCEL, messageId=answer)
            for socket, events_of in zip(sockets, seen, strict=True):
                events_of.append((await received(socket))["payload"]["data"]["answerEvents"])
    assert len(seen[0]) > 2 * log_entries.KEPT_ENTRIES
    assert seen == [seen[0][begin:] for begin in after]
    assert [event["sequence"] for event in seen[0]] == list(range(1, len(seen[0]) + 1))
    assert seen[0][-1]["__typename"] == "AnswerCancelled"


async def test_the_operator_limits_simultaneous_answers_per_session(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["Wait."], faults=[Break("stall", after=0)] * 3)) as model:
        for most in (1, 2):
            client = start(**openai(model), max_running_answers_per_session=most)
            session = await client.session(await client.project(f"{most} at once"), enableRag=False)
            begun = [await client.mutate(SEND, sessionId=session, content="Go.") for _ in range(most)]
            refused = await client.mutate(REGENERATE, messageId=begun[-1]["answer"]["id"])
            assert refused["__typename"] == "ConflictError"
            assert refused["conflicting"]["id"] in {one["answer"]["id"] for one in begun}
            for one in begun:
                await client.mutate(CANCEL, messageId=one["answer"]["id"])


async def test_simultaneous_answers_are_limited(start: Start) -> None:
    stalls = [Break("stall", after=0), Break("stall", after=0), None]
    with running(OpenAIServer(lambda _: ["Wait."], faults=stalls * 2)) as model:
        for limits in ({"max_running_answers": 2}, {"max_running_answers_per_user": 2}):
            client = start(**openai(model), **limits)
            project = await client.project(f"bounds {limits}")
            sessions = [await client.session(project, enableRag=False) for _ in range(3)]
            begun = [await client.mutate(SEND_BOUNDED, sessionId=id, content="Go.") for id in sessions[:2]]
            refused = await client.mutate(SEND_BOUNDED, sessionId=sessions[2], content="Go.")
            assert (refused["__typename"], refused["service"]) == ("UnavailableError", "answers")
            assert refused["retryAfterMs"] > 0
            for one in begun:
                await client.mutate(CANCEL, messageId=one["answer"]["id"])
            assert await client.answered(sessions[2], "Go.")


class Ticking(OpenAIServer):
    """A model that keeps talking for a long time."""

    def __init__(self) -> None:
        super().__init__(lambda _: (f"word{number} " for number in range(5_000)))

    def stream(self, request: Request, frames: AsyncGenerator[bytes], media_type: str) -> Response:
        async def ticking() -> AsyncGenerator[bytes]:
            async for frame in frames:
                yield frame
                await asyncio.to_thread(self.left.wait, 0.005)

        return super().stream(request, ticking(), media_type)


async def test_a_listener_sees_the_end_that_another_server_wrote(start: Start) -> None:
    with running(Ticking()) as model:
        first, second = start(**openai(model)), start(**openai(model))
        session = await first.session(await first.project("elsewhere"), enableRag=False)
        answer = (await first.mutate(SEND, sessionId=session, content="Go."))["answer"]["id"]
        seen: list[Json] = []
        async with first.socket() as socket:
            async for event in subscribe(socket, EVENTS, id=answer):
                seen.append(event)
                if len(seen) == 10:
                    assert (await second.mutate(CANCEL, messageId=answer))["answer"]["status"] == "CANCELLED"
        assert seen[-1]["__typename"] == "AnswerCancelled"
        assert seen == await second.follow(EVENTS, id=answer)


@pytest.mark.sqlite
async def test_background_work_survives_a_temporarily_unreadable_database(
    start: Start, make_settings: MakeSettings, caplog: pytest.LogCaptureFixture
) -> None:
    with running(OpenAIServer(lambda _: ["Words", "."], faults=[Break("stall", 1)])) as model:
        client = start(**openai(model))
        session = await client.session(await client.project("unreadable"), enableRag=False)
        answer = (await client.mutate(SEND, sessionId=session, content="Go."))["answer"]["id"]
        database = opening.open_database(make_settings().database_url or "")
        try:
            async with database.begin() as db:
                await db.execute(text("ALTER TABLE messages RENAME TO elsewhere"))
            with MachineNotifier.opened(Path(database.name)) as beside:
                beside.notify(topics.ANSWERS_ENDED)
            async with asyncio.timeout(120):
                while not any(
                    "which answers other processes have ended" in record.getMessage() for record in caplog.records
                ):
                    health = (await client.run("{ health { components { name status } } }"))["health"]["components"]
                    assert {"name": "work", "status": "OK"} in health
                    await pause()
            async with database.begin() as db:
                await db.execute(text("ALTER TABLE elsewhere RENAME TO messages"))
        finally:
            await database.close()
        assert (await client.mutate(CANCEL, messageId=answer))["answer"]["status"] == "CANCELLED"


async def test_old_logs_are_compacted_without_changing_what_they_tell(
    start: Start, make_settings: MakeSettings
) -> None:
    words = [Thought("Let me "), Thought("think."), *(f"word{n} " for n in range(40))]
    with running(OpenAIServer(lambda _: words)) as model:
        client = start(**openai(model))
        session = await client.session(await client.project("short"), enableRag=False)
        answer = await client.answered(session, "Words?")
        told = await client.follow(EVENTS, id=answer)
        database, other = (opening.open_database(make_settings().database_url or "") for _ in "12")
        try:
            assert await Compaction(database).compact_old_logs() == 0  # who reads it may still be in its rows
            async with database.begin() as db:
                earlier = models.now() - timedelta(minutes=5)
                await db.execute(update(models.Message).values(completed_at=earlier))
            # Two processes at once: one finds what there is to do, both end in peace.
            assert (
                sum(await asyncio.gather(Compaction(database).compact_old_logs(), Compaction(other).compact_old_logs()))
                == 1
            )
            async with database.read() as db:
                assert await db.scalar(select(func.count()).select_from(models.AnswerEvent)) == 0
                [entries] = await db.scalars(select(models.CompactLog.entries))
            assert len(str(entries)) < 1_500
        finally:
            await other.close()
            await database.close()
        for after in range(len(told) + 1):
            assert await client.follow(EVENTS, id=answer, after=after) == told[after:]


async def test_a_damaged_log_does_not_stop_the_compaction_of_others(start: Start, make_settings: MakeSettings) -> None:
    with running(OpenAIServer(lambda _: ["Words", "."])) as model:
        client = start(**openai(model))
        project = await client.project("damaged")
        answers = [await client.answered(await client.session(project, enableRag=False), "Words?") for _ in "12"]
        database = opening.open_database(make_settings().database_url or "")
        try:
            async with database.begin() as db:
                earlier = models.now() - timedelta(minutes=5)
                await db.execute(update(models.Message).values(completed_at=earlier))
                damaged = (
                    models.AnswerEvent.message_id == select(func.min(models.AnswerEvent.message_id)).scalar_subquery()
                )
                await db.execute(update(models.AnswerEvent).where(damaged).values(payload={"kind": "NONE"}))
            assert await Compaction(database).compact_old_logs() == 1
        finally:
            await database.close()
        assert (await client.follow(EVENTS, id=answers[1]))[-1]["__typename"] == "AnswerCompleted"


TEXTS = st.text(max_size=8)
LOGS = st.lists(
    st.one_of(
        TEXTS.map(events.DeltaEvent),
        TEXTS.map(events.ReasoningEvent),
        st.builds(events.ReplacedEvent, TEXTS, st.just(AnswerOutcome.REJECTED)),
        st.builds(events.QueryReformulatedEvent, TEXTS, TEXTS),
    ),
    max_size=20,
)


@given(LOGS, st.booleans())
def test_a_compacted_log_is_complete(log: list[events.LoggedEvent], damaged: bool) -> None:
    content, reasoning = "", ""
    for event in log:
        match event:
            case events.DeltaEvent(text):
                content += text
            case events.ReplacedEvent(text):
                content = text
            case events.ReasoningEvent(text):
                reasoning += text
            case _:
                pass
    if damaged:  # what stands in the message is then of no use for the log
        content = content[1:]
    entries = compaction.compact_log(log, content, reasoning)
    assert compaction.expand_log(entries, content, reasoning) == list(enumerate(log, 1))
