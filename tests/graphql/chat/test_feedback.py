"""Ratings of answers and opened sources: kept, changed, withdrawn, counted, and shown to nobody else."""

import asyncio

from sqlalchemy import select

from app.database import models
from tests.graphql.access.people import RATE, SECRET, World, plain
from tests.graphql.client import Client, Json

WITHDRAW = """mutation($input: WithdrawRatingInput!) { withdrawRating(input: $input) {
  __typename ... on WithdrawRatingPayload { answer { feedback { helpful } } } ... on Error { message }
  ... on ValidationError { issues { path code } } } }"""
OPENED = """mutation($input: RecordCitationOpenedInput!) { recordCitationOpened(input: $input) {
  __typename ... on RecordCitationOpenedPayload { answer { id } } ... on Error { message }
  ... on ValidationError { issues { path code } } } }"""
FEEDBACK = """query($id: ID!) { message(id: $id) { feedback { helpful reason comment createdAt }
  replyTo { id feedback { helpful } } session { project { stats { helpfulRate } } } } }"""
BEES = "# Bees\n\nBees dance to tell where flowers are.\n"


async def answered(client: Client, name: str) -> str:
    """An answer with one source, in a project of its own."""
    project = await client.project(name)
    await client.ready(project, "Bees", BEES)
    return await client.answered(await client.session(project), "Why do bees dance?")


def rate_of(message: Json) -> float | None:
    return message["session"]["project"]["stats"]["helpfulRate"]


async def test_a_rating_is_kept_changed_and_withdrawn(client: Client) -> None:
    answer = await answered(client, "rated")
    before = (await client.run(FEEDBACK, id=answer))["message"]
    assert (before["feedback"], rate_of(before)) == (None, None)
    await client.mutate(RATE, messageId=answer, helpful=True, reason="WELL_SOURCED", comment=" Just right. ")
    rated = (await client.run(FEEDBACK, id=answer))["message"]
    first = rated["feedback"].pop("createdAt")
    assert rated["feedback"] == {"helpful": True, "reason": "WELL_SOURCED", "comment": "Just right."}
    assert (rated["replyTo"]["feedback"], rate_of(rated)) == (None, 1.0)
    changed = (await client.mutate(RATE, messageId=answer, helpful=False, comment="  "))["answer"]["feedback"]
    assert changed.pop("createdAt") > first
    assert changed == {"helpful": False, "reason": None, "comment": None}
    assert rate_of((await client.run(FEEDBACK, id=answer))["message"]) == 0.0
    for _ in range(2):
        assert await client.mutate(WITHDRAW, messageId=answer) == {
            "__typename": "WithdrawRatingPayload",
            "answer": {"feedback": None},
        }
    assert rate_of((await client.run(FEEDBACK, id=answer))["message"]) is None


async def test_a_rating_that_makes_no_sense_is_refused(client: Client) -> None:
    answer = await answered(client, "refused")
    question = (await client.run(FEEDBACK, id=answer))["message"]["replyTo"]["id"]
    for values, path, code in (
        ({"messageId": answer, "helpful": True, "comment": "x" * 2001}, "comment", "TOO_LONG"),
        ({"messageId": answer, "helpful": True, "reason": "INCORRECT"}, "reason", "INVALID"),
        ({"messageId": answer, "helpful": False, "reason": "CLEAR"}, "reason", "INVALID"),
        ({"messageId": question, "helpful": True}, "messageId", "INVALID"),
    ):
        refused = await client.mutate(RATE, **values)
        [issue] = refused["issues"]
        assert (refused["__typename"], issue["path"][-1], issue["code"]) == ("ValidationError", path, code)
    assert (
        "ACCURATE, WELL_SOURCED, CLEAR, OTHER"
        in (await client.mutate(RATE, messageId=answer, helpful=True, reason="INCORRECT"))["message"]
    )
    for helpful in (True, False):
        fits = await client.mutate(RATE, messageId=answer, helpful=helpful, reason="OTHER", comment="x" * 2000)
        assert fits["__typename"] == "RateAnswerPayload"
    assert (await client.mutate(WITHDRAW, messageId=question))["issues"] == [{"path": ["messageId"], "code": "INVALID"}]


async def test_each_user_has_one_rating_that_nobody_else_sees(world: World) -> None:
    shared = world.seen["Message"]
    async with world.people("alice", "vera", "bob") as (alice, vera, bob):
        before = rate_of((await alice.run(FEEDBACK, id=shared))["message"])
        assert before == 1.0
        seen = (await vera.run(FEEDBACK, id=shared))["message"]
        assert (seen["feedback"], rate_of(seen)) == (None, 1.0)
        told = await vera.mutate(RATE, messageId=shared, helpful=False, reason="OUTDATED", comment="Vera's word.")
        assert told["answer"]["feedback"]["comment"] == "Vera's word."
        try:
            of_alice = (await alice.run(FEEDBACK, id=shared))["message"]
            assert of_alice["feedback"]["comment"] == f"{SECRET} praise"
            assert rate_of(of_alice) == 2 / 3, "both of alice's answers, and vera's rating of one of them"
            for mutation in (RATE, WITHDRAW, OPENED):
                values: Json = {RATE: {"helpful": True}, OPENED: {"index": 1}}.get(mutation, {})
                refused = await bob.mutate(mutation, messageId=shared, **values)
                assert refused["__typename"] == "NotFoundError"
            hidden = await vera.mutate(RATE, messageId=world.private["Message"], helpful=True)
            assert hidden["__typename"] == "NotFoundError"
            async with world.accounts() as (accounts, _):
                export = await accounts.personal.export_user(world.users["vera"])
            [row] = export["answer_ratings"]
            assert (row["message_id"], row["reason"], row["comment"]) == (plain(shared), "OUTDATED", "Vera's word.")
        finally:
            await vera.mutate(WITHDRAW, messageId=shared)
        assert rate_of((await alice.run(FEEDBACK, id=shared))["message"]) == 1.0


async def test_ratings_given_at_once_leave_one(client: Client) -> None:
    answer = await answered(client, "hurried")
    ratings = [client.mutate(RATE, messageId=answer, helpful=n % 2 == 0, comment=f"{n}") for n in range(8)]
    assert {each["__typename"] for each in await asyncio.gather(*ratings)} == {"RateAnswerPayload"}
    found = (await client.run(FEEDBACK, id=answer))["message"]
    assert rate_of(found) == float(found["feedback"]["helpful"])


async def test_opened_sources_are_counted_per_user(world: World) -> None:
    shared = world.seen["Message"]
    async with world.people("alice", "vera") as (alice, vera):
        for person, times in ((alice, 1), (vera, 3)):
            opened = await asyncio.gather(*(person.mutate(OPENED, messageId=shared, index=1) for _ in range(times)))
            assert [each["answer"]["id"] for each in opened] == [shared] * times
        for index in (0, 2, -1):
            refused = await vera.mutate(OPENED, messageId=shared, index=index)
            assert refused["issues"] == [{"path": ["index"], "code": "INVALID"}]
    async with world.accounts() as (accounts, database):
        async with database.read() as db:
            rows = list(await db.scalars(select(models.CitationOpening)))
        export = await accounts.personal.export_user(world.users["vera"])
    found = {(row.user_id, row.citation_index): row.count for row in rows if row.message_id == plain(shared)}
    assert found == {(world.users["alice"], 1): 1, (world.users["vera"], 1): 3}
    assert all(row.first_opened_at <= row.last_opened_at for row in rows)
    assert [(row["citation_index"], row["count"]) for row in export["citation_openings"]] == [(1, 3)]


async def test_ratings_go_with_their_conversation(client: Client) -> None:
    answer = await answered(client, "gone")
    await client.mutate(RATE, messageId=answer, helpful=True)
    await client.mutate(OPENED, messageId=answer, index=1)
    session = await client.run("query($id: ID!) { message(id: $id) { session { id project { id } } } }", id=answer)
    delete = """mutation($input: DeleteChatSessionInput!) { deleteChatSession(input: $input) {
      ... on DeleteChatSessionPayload { project { stats { helpfulRate } } } ... on Error { message } } }"""
    gone = await client.mutate(delete, id=session["message"]["session"]["id"])
    assert gone["project"]["stats"] == {"helpfulRate": None}
