"""Whole trees of branches: any order of steps, two processes at once, and conversations of thousands of messages."""

import asyncio
import random
from collections.abc import Callable

from sqlalchemy import func, insert, select

from app.chat.messages import read_conversation
from app.database import models, pages
from app.services import Backend, Services
from app.statuses import AnswerOutcome, MessageStatus
from tests.answers import openai
from tests.graphql.chat.test_branches import path, spoken
from tests.graphql.chat.test_branches import select as select_branch
from tests.graphql.chat.test_turns import REGENERATE, counting
from tests.graphql.client import EVENTS, SEND, Client
from tests.servers.openai import OpenAIServer
from tests.servers.running import Break, running
from tests.tree import Tree

Start = Callable[..., Client]
STEPS = 60
TURNS = 1_500


async def test_any_order_of_steps_shows_and_sends_what_the_rules_say(start: Start) -> None:
    chance = random.Random(15)  # noqa: S311
    breaks = [Break("end", after=1) if chance.random() < 0.25 else None for _ in range(STEPS)]
    with running(OpenAIServer(counting(), faults=breaks)) as model:
        client = start(**openai(model))
        session = await client.session(await client.project("Any order"), enableRag=False)
        told, texts, whole = Tree(), dict[str, str](), dict[str, bool]()

        async def end(answer: str) -> None:
            last = (await client.follow(EVENTS, id=answer))[-1]["message"]
            whole[answer], texts[answer] = last["status"] == "COMPLETED", last["content"]

        async def ask(n: int) -> str:
            questions, values, place = (
                [id for id in told.previous if id not in whole],
                {},
                next(iter(told.path[-1:]), None),
            )
            if questions and chance.random() < 0.4:
                edited = chance.choice(questions)
                values, place = {"editedMessageId": edited}, told.previous[edited]
            elif whole and chance.random() < 0.3:
                place = chance.choice([*whole])
                values = {"previousMessageId": place}
            sent = await client.mutate(SEND, sessionId=session, content=f"Question {n}?", **values)
            question, answer = sent["question"]["id"], sent["answer"]["id"]
            texts[question] = f"Question {n}?"
            told.ask(question, answer, place)
            await end(answer)
            return question

        async def regenerate() -> str:
            of = chance.choice([*whole])
            question = told.previous[of] or ""
            answer = (await client.mutate(REGENERATE, messageId=of))["answer"]["id"]
            told.answer_again(question, answer, at_once=not whole[told.current[question]])
            await end(answer)
            if whole[answer]:
                told.complete(answer)
            return question

        for n in range(STEPS):
            step = chance.random()
            if step < 0.25 and whole:
                chosen = chance.choice([*told.previous])
                told.show(chosen)
                await select_branch(client, chosen)
            else:
                question = await (regenerate() if step < 0.5 and whole else ask(n))
                before = told.before(question)
                turns = zip(before[::2], before[1::2], strict=False)
                history = [texts[id] for turn in turns if whole[turn[1]] for id in turn]
                assert spoken(model.chats[-1]) == [*history, texts[question]]
            assert [message["id"] for message in await path(client, session)] == told.path
        every = await path(client, session, all=True)
    assert [message["id"] for message in every] == [*told.previous]
    for message in every:
        alternatives = told.alternatives(message["id"])
        current = told.current[told.previous[message["id"]]]
        assert message["alternatives"] == [{"id": id, "isCurrent": id == current} for id in alternatives]


async def test_two_processes_keep_one_path(start: Start) -> None:
    with running(OpenAIServer(counting())) as model:
        clients = [start(**openai(model), max_running_answers_per_session=4) for _ in "12"]
        session = await clients[0].session(await clients[0].project("Two"), enableRag=False)
        answer = await clients[0].answered(session, "One?")
        [one, _] = await path(clients[0], session)

        async def work(client: Client, name: str) -> None:
            for n in range(6):
                sent = await client.mutate(SEND, sessionId=session, content=f"{name}{n}", editedMessageId=one["id"])
                again = await client.mutate(REGENERATE, messageId=answer)
                await client.follow(EVENTS, id=sent["answer"]["id"])
                await client.follow(EVENTS, id=again["answer"]["id"])
                await select_branch(client, (answer, sent["answer"]["id"])[n % 2])

        await asyncio.gather(*(work(client, name) for client, name in zip(clients, "ab", strict=True)))
        every = await path(clients[1], session, all=True)
        shown = await path(clients[0], session)
    assert len(every) == 2 + 2 * 6 * 3
    assert [message["previous"] for message in shown] == [None, {"id": shown[0]["id"]}]
    for message in every:
        assert [each["isCurrent"] for each in message["alternatives"]].count(True) == 1
    versions, answers = (every[0]["alternatives"], every[1]["alternatives"])
    assert (len(versions), len(answers)) == (1 + 2 * 6, 1 + 2 * 6)


async def test_a_long_conversation_can_be_read_branched_and_deleted(footnote: Backend) -> None:
    """SQLite cascades through no more than a thousand rows, one after another."""
    chats = Services(footnote).as_user(footnote.owner).chats
    project = await footnote.knowledge.projects.create_project("long")
    session = await chats.create_session(project.id, {})
    place = {"project_id": project.id, "session_id": session.id, "status": MessageStatus.COMPLETED}
    ids = [f"{n:032}" for n in range(2 * TURNS)]
    rows = [
        {
            **place,
            "id": id,
            "position": n + 1,
            "role": ("USER", "ASSISTANT")[n % 2],
            "content": f"Text {n}.",
            "previous_id": ids[n - 1] if n else None,
            "outcome": AnswerOutcome.UNCITED if n % 2 else None,
            "current": True,
            "shown": True,
        }
        for n, id in enumerate(ids)
    ]
    async with footnote.database.begin() as db:
        await db.execute(insert(models.Message), rows)
        fork = models.Message(**place, id="fork", position=len(ids) + 1, role="ASSISTANT", previous_id=ids[0])
        fork.current = fork.shown = False
        db.add(fork)
    told = await footnote.database.run_read(lambda db: read_conversation(db, ids[-1], "And now?"))
    assert [message.content for message in told[:2]] == [f"Text {2 * TURNS - 1_000}.", f"Text {2 * TURNS - 999}."]
    assert len(told) == 1_001
    for chosen, count, last in (
        ("fork", 2, "fork"),
        (ids[-1], len(ids), ids[-1]),
        ("fork", 2, "fork"),
        (ids[1], len(ids), ids[-1]),
    ):
        await chats.select_branch(chosen)
        assert await chats.count_messages([session.id], all_branches=False) == [count]
        [page] = await chats.list_messages([session.id], pages.PageRequest(last=1), all_branches=False)
        assert [row.id for row in page.rows] == [last]
    await chats.delete_session(session.id)
    async with footnote.database.read() as db:
        assert await db.scalar(select(func.count()).select_from(models.Message)) == 0
