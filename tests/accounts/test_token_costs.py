"""What answers cost their user in tokens, also when they fail, are cancelled or are left."""

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable
from contextlib import closing

import pytest
from sqlalchemy import func, select

from app.accounts.redis_client import RedisClient
from app.database import models
from app.database.sqlite.driver import choose_driver
from app.providers.tokens import TokenCounter
from app.rag.reformulation import INSTRUCTIONS
from app.settings import Settings
from tests.accounts.shop import shop
from tests.answers import openai as asked_of
from tests.conftest import MakeSettings
from tests.graphql.client import CREATE_SESSION, EVENTS, SEND, Json, received, start
from tests.looking import until
from tests.openai_api.api import RawServer, events, text
from tests.servers.openai import OpenAIServer
from tests.servers.redis import RedisServer
from tests.servers.running import Body, Break, Fault, Refusal, StandIn, running
from tests.signed_in_server import SignedInServer, StartSignedIn, accounts

QUESTION = "Within how many days may goods be returned?"
CANCEL = """mutation($input: CancelAnswerInput!) { cancelAnswer(input: $input) {
  ... on CancelAnswerPayload { answer { status } } } }"""
PREVIEW = """query($input: PreviewAnswerInput!) { previewAnswer(input: $input) { searchQuery } }"""


async def counted(server: SignedInServer, settings: Settings) -> int:
    """The tokens counted for the user."""
    async with accounts(settings) as (database, _), database.read() as db:
        of_tokens = models.UsageCount.key == f"tokens:{server.user.id}"
        return await db.scalar(select(func.sum(models.UsageCount.amount)).where(of_tokens)) or 0


async def test_a_cancelled_answer_costs_what_it_used(signed: StartSignedIn, make_settings: MakeSettings) -> None:
    with running(OpenAIServer(lambda _: ["Yes. "] * 50)) as model:
        model.scripts = {"chat": iter(lambda: Break("stall", 40), None)}
        server = await signed(**asked_of(model), max_tokens_per_day=10)
        project = await shop(server)
        session = (await server.client.mutate(CREATE_SESSION, projectId=project))["chatSession"]["id"]
        answer = (await server.client.mutate(SEND, sessionId=session, content=QUESTION))["answer"]["id"]
        async with server.client.socket() as socket:
            await start(socket, "1", EVENTS, id=answer)
            while (await received(socket))["payload"]["data"]["answerEvents"]["__typename"] != "AnswerDelta":
                pass
        cancelled = await server.client.mutate(CANCEL, messageId=answer)
        assert cancelled["answer"]["status"] == "CANCELLED"
        assert await counted(server, make_settings()) > 100, "the prompt and what was said"
        again = await server.client.mutate(SEND, sessionId=session, content=QUESTION)
        assert again["__typename"] == "RateLimitedError"


async def test_an_answer_that_is_cancelled_while_its_tokens_are_counted_ends(
    signed: StartSignedIn, redis_server: RedisServer
) -> None:
    """Its model broke off, and Redis, in which they are counted, accepts no writes."""
    goes_on, observer = threading.Event(), RedisClient(redis_server.url)

    def answer(_: Body) -> list[str]:
        assert goes_on.wait(60)
        return ["Yes. "] * 50

    async def is_counting() -> bool:
        async with observer.commands() as commands:
            connection: Json = commands
            return (await connection.info("clients"))["blocked_clients"] > 0

    with running(OpenAIServer(answer)) as model:
        model.scripts = {"chat": iter(lambda: Break("end", 40), None)}
        server = await signed(
            **asked_of(model),
            max_tokens_per_day=1_000_000,
            max_requests_per_minute=None,  # they are counted in Redis, too
            redis_url=f"{redis_server.url}?socket_timeout=60",
        )
        session = (await server.client.mutate(CREATE_SESSION, projectId=await shop(server)))["chatSession"]["id"]
        message = (await server.client.mutate(SEND, sessionId=session, content=QUESTION))["answer"]["id"]
        redis_server.command("CLIENT PAUSE 60000 WRITE")
        try:
            goes_on.set()
            await until(is_counting)
            cancelled = await server.client.mutate(CANCEL, messageId=message)
            async with asyncio.timeout(30):
                last = (await server.client.follow(EVENTS, id=message))[-1]
            assert await is_counting(), "it ended meanwhile"
        finally:
            redis_server.command("CLIENT UNPAUSE")
            await observer.close()
    ends = {"AnswerFailed": "FAILED", "AnswerCancelled": "CANCELLED"}
    assert cancelled["answer"]["status"] == ends[last["__typename"]], "whichever is written first"


async def test_an_answer_that_is_cancelled_while_its_end_is_written_is_counted_once(
    signed: StartSignedIn, make_settings: MakeSettings, make_remote: Callable[[], RedisClient]
) -> None:
    """Another program locks the database then; the tokens are counted in Redis."""
    remote, goes_on = make_remote(), threading.Event()
    redis_url = os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379")

    def answer(_: Body) -> list[str]:
        assert goes_on.wait(60)
        return ["Within 30 days [1]."]

    with running(OpenAIServer(answer, reads=lambda _: 1234)) as model:
        server = await signed(**asked_of(model), max_tokens_per_day=1_000_000, redis_url=redis_url)

        async def count_tokens() -> int:
            async with remote.commands() as commands:
                connection: Json = commands
                counts = [
                    await connection.hvals(key) async for key in connection.scan_iter(f"*count:tokens:{server.user.id}")
                ]
            return sum(int(count) for values in counts for count in values)

        session = (await server.client.mutate(CREATE_SESSION, projectId=await shop(server)))["chatSession"]["id"]
        message = (await server.client.mutate(SEND, sessionId=session, content=QUESTION))["answer"]["id"]
        await until(lambda: asyncio.sleep(0, model.chats))
        before = await count_tokens()
        database = str(make_settings().database_url).removeprefix("sqlite:///")
        with closing(choose_driver().module.connect(database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            goes_on.set()
            await until(lambda: _differs(count_tokens, before))
            [error] = await server.client.errors(CANCEL, input={"messageId": message})
            assert error["extensions"]["code"] == "UNAVAILABLE"
            other.execute("ROLLBACK")
        assert (await server.client.follow(EVENTS, id=message))[-1]["__typename"] == "AnswerCompleted"
        assert await count_tokens() == before + 1234 + 1


async def _differs(count: Callable[[], Awaitable[int]], before: int) -> bool:
    return await count() != before


async def test_leaving_an_openai_stream_costs_what_it_used(signed: StartSignedIn, make_settings: MakeSettings) -> None:
    with running(OpenAIServer(lambda _: ["Yes. "] * 50)) as model:
        model.scripts = {"chat": iter(lambda: Break("stall", 40), None)}
        server = await signed(**asked_of(model), max_tokens_per_day=10)
        project = await shop(server)
        body = {"index_name": project, "stream": True, "messages": [{"role": "user", "content": QUESTION}]}
        async with server.http.stream("POST", f"{server.url}/v1/chat/completions", json=body) as response:
            assert response.headers["x-footnote-route"] == "rag"
            await anext(response.aiter_lines())

        async def are_counted() -> bool:
            return await counted(server, make_settings()) > 100

        assert await until(are_counted), "the prompt and what was said"
        refused = await server.http.post(f"{server.url}/v1/chat/completions", json=body)
        assert refused.status_code == 429


def streamed(**more: Json) -> Json:
    return {"model": "openai/chat", "stream": True, "messages": [{"role": "user", "content": QUESTION}], **more}


async def passed_on(
    signed: StartSignedIn, make_settings: MakeSettings, model: StandIn, body: Json
) -> tuple[list[Json], int]:
    """The events of a passed-through stream, and the tokens counted for it."""
    with running(model):
        # So few that a server counts none in advance.
        server = await signed(**asked_of(model), max_tokens_per_day=10)
        response = await server.http.post(f"{server.url}/v1/chat/completions", json=body)
        assert response.headers["x-footnote-route"] == "pass-through"

        async def spent() -> int:
            """What was counted, without the one that is taken before anything is asked."""
            return await counted(server, make_settings()) - 1

        return events(response), await until(spent)


@pytest.mark.parametrize(
    "options", [None, {"include_usage": False}, {"include_usage": True}, {"include_obfuscation": 1}]
)
async def test_a_passed_through_stream_costs_what_the_model_reports(
    signed: StartSignedIn, make_settings: MakeSettings, options: Json
) -> None:
    model = OpenAIServer(lambda _: ["Yes. "] * 50, reads=lambda _: 1234)
    told, count = await passed_on(signed, make_settings, model, streamed(stream_options=options))
    assert text(told) == "Yes. " * 50
    assert count == 1234 + 50
    assert model.chats[0]["stream_options"] == {**(options or {}), "include_usage": True}
    asked = options == {"include_usage": True}
    assert [chunk.get("usage") is not None for chunk in told[:-1]] == [False] * 52 + [True] * asked
    assert all("usage" in chunk or chunk["choices"] for chunk in told[:-1])


async def test_usage_a_model_does_not_report_is_counted_here(
    signed: StartSignedIn, make_settings: MakeSettings
) -> None:
    calls = [{"index": 0, "id": "x", "function": {"name": "find", "arguments": '{"what": "returns and refunds"}'}}]
    deltas: list[Json] = [
        {"content": "Goods may be returned. " * 20},
        {"reasoning_content": "Hm, well. " * 20},
        {"tool_calls": calls},
    ]
    chunks = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}], "usage": None} for delta in deltas]
    nothing: dict[str, Json] = {}
    end = {"choices": [{"index": 0, "delta": nothing, "finish_reason": "stop"}]}
    tools = [{"type": "function", "function": {"name": "find", "description": "Finds things. " * 20}}]
    model = RawServer(lambda _: [*chunks, end])
    told, count = await passed_on(signed, make_settings, model, streamed(tools=tools))
    assert told == [{"choices": chunk["choices"]} for chunk in chunks] + [end, "[DONE]"]
    whole = TokenCounter().count(QUESTION + str(tools) + str(deltas))
    assert 0.7 * whole < count < 1.3 * whole


async def test_a_server_that_refuses_usage_reporting_is_asked_without_it(
    signed: StartSignedIn, make_settings: MakeSettings
) -> None:
    model = OpenAIServer(lambda _: ["Yes. "] * 50, refuses={"stream_options": "stream_options is not supported"})
    told, count = await passed_on(signed, make_settings, model, streamed())
    assert text(told) == "Yes. " * 50
    assert ["stream_options" in body for body in model.chats] == [True, False]
    assert count > 100


async def test_an_interrupted_stream_costs_what_arrived(signed: StartSignedIn, make_settings: MakeSettings) -> None:
    model = OpenAIServer(lambda _: ["Yes. "] * 50, faults=[Break("die", 40)])
    told, count = await passed_on(signed, make_settings, model, streamed())
    assert "error" in told[-1]
    assert count > 60, "the prompt and what was said"


async def test_leaving_a_passed_through_stream_costs_what_it_used(
    signed: StartSignedIn, make_settings: MakeSettings
) -> None:
    with running(OpenAIServer(lambda _: ["Yes. "] * 50)) as model:
        model.scripts = {"chat": iter(lambda: Break("stall", 40), None)}
        server = await signed(**asked_of(model), max_tokens_per_day=10)
        async with server.http.stream("POST", f"{server.url}/v1/chat/completions", json=streamed()) as response:
            lines = response.aiter_lines()
            for _ in range(60):
                await anext(lines)

        async def are_counted() -> bool:
            return await counted(server, make_settings()) > 40

        assert await until(are_counted), "the prompt and what was said"
        assert model.left.wait(120)
        refused = await server.http.post(f"{server.url}/v1/chat/completions", json=streamed())
        assert refused.status_code == 429


async def test_usage_is_not_requested_where_nothing_is_counted(signed: StartSignedIn) -> None:
    with running(OpenAIServer(lambda _: ["Yes. "])) as model:
        server = await signed(**asked_of(model))
        await server.http.post(f"{server.url}/v1/chat/completions", json=streamed())
    assert "stream_options" not in model.chats[0]


async def test_rewriting_a_question_for_a_preview_costs_tokens(signed: StartSignedIn) -> None:
    with running(OpenAIServer(lambda _: ["returns"])) as model:
        server = await signed(**asked_of(model), max_tokens_per_day=2)
        project = await shop(server)
        session = (await server.client.mutate(CREATE_SESSION, projectId=project))["chatSession"]["id"]
        values = {"sessionId": session, "content": QUESTION, "reformulate": True}
        await server.client.run(PREVIEW, input=values)
        [error] = await server.client.errors(PREVIEW, input=values)
        assert error["extensions"]["code"] == "RATE_LIMITED"
        await server.client.run(PREVIEW, input={**values, "reformulate": False})


class Rewriting(OpenAIServer):
    """It rewrites questions, and refuses to answer them."""

    def fault(self, body: Body) -> Fault:
        return None if body["messages"][0]["content"] == INSTRUCTIONS else Refusal(400)


@pytest.mark.parametrize("way", ["preview", "turn"])
async def test_what_fails_after_its_question_was_rewritten_costs_those_tokens(
    signed: StartSignedIn, make_settings: MakeSettings, way: str
) -> None:
    with running(Rewriting(lambda _: ["returns"])) as model:
        server = await signed(**asked_of(model), max_tokens_per_day=10, enable_query_reformulation=True)
        project = await shop(server)
        # It leaves no room for the question in the model's window.
        long = f"{QUESTION} " + "word " * 15_000
        if way == "preview":
            session = (await server.client.mutate(CREATE_SESSION, projectId=project, grounding="OPEN"))["chatSession"]
            values = {"sessionId": session["id"], "content": long, "reformulate": True}
            [error] = await server.client.errors(PREVIEW, input=values)
            assert error["extensions"]["code"] == "BAD_USER_INPUT"
        else:
            session = (await server.client.mutate(CREATE_SESSION, projectId=project))["chatSession"]["id"]
            answer = (await server.client.mutate(SEND, sessionId=session, content=QUESTION))["answer"]["id"]
            assert (await server.client.follow(EVENTS, id=answer))[-1]["__typename"] == "AnswerFailed"
    rewritten = [body for body in model.chats if body["messages"][0]["content"] == INSTRUCTIONS]
    assert len(rewritten) == 1
    assert await counted(server, make_settings()) > 100


async def test_a_rewrite_that_the_model_refused_costs_nothing(
    signed: StartSignedIn, make_settings: MakeSettings
) -> None:
    """As an answer that it refused: it may not have read the prompt."""
    with running(OpenAIServer(faults=[Refusal(400)] * 2)) as model:
        server = await signed(**asked_of(model), max_tokens_per_day=10, enable_query_reformulation=True)
        session = (await server.client.mutate(CREATE_SESSION, projectId=await shop(server)))["chatSession"]["id"]
        answer = (await server.client.mutate(SEND, sessionId=session, content=QUESTION))["answer"]["id"]
        assert (await server.client.follow(EVENTS, id=answer))[-1]["__typename"] == "AnswerFailed"
    assert [body["messages"][0]["content"] == INSTRUCTIONS for body in model.chats] == [True, False]
    assert await counted(server, make_settings()) == 1, "the one that is taken before anything is asked"


async def test_a_request_without_sources_that_the_model_refuses_costs_nothing(
    signed: StartSignedIn, make_settings: MakeSettings
) -> None:
    with running(OpenAIServer(faults=[Refusal(400)])) as model:
        server = await signed(**asked_of(model), max_tokens_per_day=10)
        await shop(server)
        asked: Json = {"index_name": "Shop", "messages": [{"role": "user", "content": "Who won the chess game?"}]}
        response = await server.http.post(f"{server.url}/v1/chat/completions", json=asked)
        assert (response.status_code, model.chats[0]["messages"]) == (400, asked["messages"])
        assert await counted(server, make_settings()) == 1, "the one that is taken before anything is asked"
