"""What a user takes in; counted and bounded by whatever door or transport it is taken, out."""

import asyncio
from typing import Any

import httpx
from sqlalchemy import func, select

from app.database import models
from tests.accounts_room import until
from tests.answer_room import TEXT
from tests.answer_room import openai as asked_of
from tests.conftest import MakeSettings
from tests.graphql.client import CREATE_PROJECT, CREATE_SESSION, EVENTS, SEND, received, start
from tests.servers.openai import OpenAIServer
from tests.servers.running import Break, running
from tests.signed_room import Signed, accounts

VIEWER = "{ viewer { user { email } } }"
QUESTION = "Within how many days may goods be returned?"
CANCEL = """mutation($input: CancelAnswerInput!) { cancelAnswer(input: $input) {
  ... on CancelAnswerPayload { answer { status } } } }"""
PREVIEW = """query($input: PreviewAnswerInput!) { previewAnswer(input: $input) { searchQuery } }"""


async def counted(room: Signed, settings: Any) -> int:
    """Tokens that were counted for the user."""
    async with accounts(settings) as (database, _), database.read() as db:
        of_tokens = models.UsageCount.key == f"tokens:{room.user.id}"
        return await db.scalar(select(func.sum(models.UsageCount.amount)).where(of_tokens)) or 0


async def shop(room: Signed) -> str:
    """The id of a project with a document."""
    project = (await room.client.mutate(CREATE_PROJECT, name="Shop"))["project"]["id"]
    await room.client.ready(project, "Returns", TEXT)
    return project


async def test_operations_on_a_socket_are_requests_too(signed: Any) -> None:
    room = await signed(max_requests_per_minute=20)
    codes: list[str] = []
    async with room.client.socket() as socket:
        for number in range(30):
            await start(socket, str(number), VIEWER)
            message = await received(socket)
            if message["type"] == "next":
                assert (await received(socket))["type"] == "complete"
            codes.append(message["payload"][0]["extensions"]["code"] if message["type"] == "error" else "OK")
    assert 0 < codes.count("OK") < 20
    assert set(codes) == {"OK", "RATE_LIMITED"}
    assert codes[-1] == "RATE_LIMITED"


async def test_health_tells_who_asks_too_often_when_to_come_again(signed: Any) -> None:
    room = await signed(max_requests_per_minute=20)
    async with asyncio.timeout(20):
        while (response := await room.http.get(f"{room.url}/health")).status_code == 200:
            pass
    assert response.status_code == 429
    assert int(response.headers["retry-after"]) > 0


async def test_an_answer_that_is_cancelled_has_cost_what_it_took(signed: Any, make_settings: MakeSettings) -> None:
    with running(OpenAIServer(lambda _: ["Yes. "] * 50)) as model:
        model.scripts = {"chat": iter(lambda: Break("stall", 40), None)}
        room = await signed(**asked_of(model), max_tokens_per_day=10)
        project = await shop(room)
        session = (await room.client.mutate(CREATE_SESSION, projectId=project))["chatSession"]["id"]
        answer = (await room.client.mutate(SEND, sessionId=session, content=QUESTION))["answer"]["id"]
        async with room.client.socket() as socket:
            await start(socket, "1", EVENTS, id=answer)
            while (await received(socket))["payload"]["data"]["answerEvents"]["__typename"] != "AnswerDelta":
                pass
        cancelled = await room.client.mutate(CANCEL, messageId=answer)
        assert cancelled["answer"]["status"] == "CANCELLED"
        assert await counted(room, make_settings()) > 100, "the prompt and what was said"
        again = await room.client.mutate(SEND, sessionId=session, content=QUESTION)
        assert again["__typename"] == "RateLimitedError"


async def test_who_leaves_the_openai_door_has_cost_what_they_took(signed: Any, make_settings: MakeSettings) -> None:
    with running(OpenAIServer(lambda _: ["Yes. "] * 50)) as model:
        model.scripts = {"chat": iter(lambda: Break("stall", 40), None)}
        room = await signed(**asked_of(model), max_tokens_per_day=10)
        project = await shop(room)
        body = {"index_name": project, "stream": True, "messages": [{"role": "user", "content": QUESTION}]}
        async with room.http.stream("POST", f"{room.url}/v1/chat/completions", json=body) as response:
            assert response.headers["x-footnote-route"] == "rag"
            await anext(response.aiter_lines())

        async def are_counted() -> bool:
            return await counted(room, make_settings()) > 100

        assert await until(are_counted), "the prompt and what was said"
        refused = await room.http.post(f"{room.url}/v1/chat/completions", json=body)
        assert refused.status_code == 429


async def test_rewriting_a_question_for_a_preview_costs_tokens(signed: Any) -> None:
    with running(OpenAIServer(lambda _: ["returns"])) as model:
        room = await signed(**asked_of(model), max_tokens_per_day=2)
        project = await shop(room)
        session = (await room.client.mutate(CREATE_SESSION, projectId=project))["chatSession"]["id"]
        values = {"sessionId": session, "content": QUESTION, "reformulate": True}
        await room.client.run(PREVIEW, input=values)
        [error] = await room.client.errors(PREVIEW, input=values)
        assert error["extensions"]["code"] == "RATE_LIMITED"
        await room.client.run(PREVIEW, input={**values, "reformulate": False})


async def test_the_openai_door_gives_a_user_so_many_answers_at_once(signed: Any) -> None:
    with running(OpenAIServer(lambda _: ["Yes. "])) as model:
        model.scripts = {"chat": iter(lambda: Break("stall", 1), None)}
        room = await signed(**asked_of(model), max_running_answers_per_user=2)
        url, body = f"{room.url}/v1/chat/completions", {"stream": True, "messages": [{"role": "user", "content": "Hi"}]}
        async with (
            room.http.stream("POST", url, json=body) as first,
            room.http.stream("POST", url, json=body) as second,
        ):
            assert (first.status_code, second.status_code) == (200, 200)
            refused = await room.http.post(url, json=body)
            assert (refused.status_code, refused.json()["error"]["code"]) == (429, "rate_limit_exceeded")
            assert int(refused.headers["retry-after"]) > 0

        async def has_a_place() -> httpx.Response | None:
            async with room.http.stream("POST", url, json=body) as response:
                return response if response.status_code == 200 else None

        assert await until(has_a_place)
