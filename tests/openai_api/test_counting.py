"""Token counts on the OpenAI API are as exact as in chat sessions: from the model server, or from its reports."""

from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from app.providers.base import PromptMessage
from app.providers.tokens import TokenCounter
from tests.openai_api.api import QUESTION, error
from tests.openai_api.conftest import Start
from tests.servers.openai import OpenAIServer
from tests.servers.running import Body, running

Json = Any
WINDOW = 8192
COUNTING = "x-footnote-counting"
SIGN = "\u1200"


def real(body: Body) -> int:
    """This server's token count for a prompt: 0.7 of the plain estimate."""
    messages = (PromptMessage(message["role"], message["content"]) for message in body["messages"])
    return TokenCounter(100).count_messages(messages) * 7 // 10


class CountingServer(OpenAIServer):
    """Counts as vLLM does, before it is asked."""

    def routes(self) -> list[Route]:
        return [*super().routes(), Route("/tokenize", self._count, methods=["POST"])]

    async def _count(self, request: Request) -> Response:
        return JSONResponse({"count": self.count_tokens(await self.record(request))})

    def count_tokens(self, body: Body) -> int:
        """Its own count of a prompt."""
        return real(body)


class ByteCountingServer(CountingServer):
    """Knows no Ethiopic: each sign takes three tokens, one for each of its bytes. All other text takes few."""

    def count_tokens(self, body: Body) -> int:
        signs = sum(message["content"].count(SIGN) for message in body["messages"])
        known = [{**message, "content": message["content"].replace(SIGN, "")} for message in body["messages"]]
        return real({"messages": known}) * 7 // 10 + 3 * signs


def listed(window: int, owner: str) -> list[Json]:
    return [{"id": "chat", "object": "model", "owned_by": owner, "max_model_len": window}]


def long_question(tokens: int) -> str:
    """A question about KAITO with at least this many real tokens, and hardly more."""
    words = "Tell me of the workloads. "
    text = f"{QUESTION} "
    while real({"messages": [{"role": "user", "content": text}]}) < tokens:
        text += words
    return text


async def test_a_prompt_that_fits_by_the_servers_own_count_is_answered_from_documents(start: Start) -> None:
    """6,136 tokens in a window of 8,192, which the estimate would put over the limit."""
    question = long_question(6136)
    assert TokenCounter().count_messages([PromptMessage("user", question)]) > WINDOW
    with running(CountingServer(lambda _: ["It is an operator [1]."], models=listed(WINDOW, "vllm"))) as model:
        response = await (await start(model)).ask(question, max_tokens=1000)
    assert response.status_code == 200, response.text
    assert (response.headers["x-footnote-route"], response.headers[COUNTING]) == ("rag", "EXACT")
    assert len(response.json()["source_nodes"]) == 1
    (sent,) = model.chats
    assert sent["messages"][-1]["content"].strip() == question.strip()
    assert sent["max_tokens"] == 1000
    assert real(sent) + 1000 <= WINDOW


@pytest.mark.parametrize(("margin", "status"), [(0, 200), (-1, 400)])
async def test_the_servers_own_count_decides(start: Start, margin: int, status: int) -> None:
    question = long_question(3000)
    window = real({"messages": [{"role": "user", "content": question}]}) + margin
    with running(CountingServer(lambda _: ["It is."], models=listed(window, "vllm"))) as model:
        response = await (await start(model)).ask(question)
    if status == 400:
        assert error(response, 400)["message"] == "Prompt length exceeds context window."
        assert model.chats == []
    else:
        assert (response.headers["x-footnote-route"], response.headers[COUNTING]) == ("no-sources", "EXACT")
        assert [chat["messages"][0]["content"] for chat in model.chats] == [question]


async def test_calibration_from_chat_sessions_applies_here_too(start: Start) -> None:
    question = long_question(6136)
    answers = OpenAIServer(lambda _: ["It is an operator [1]."], models=listed(WINDOW, "someone"), reads=real)
    with running(answers) as model:
        api = await start(model)
        session = await api.graphql.session(api.project, enableRag=False)
        for number in range(6):
            await api.graphql.answered(session, f"{number}: {long_question(300)}")
        response = await api.ask(question, max_tokens=500)
    assert response.status_code == 200, response.text
    assert (response.headers["x-footnote-route"], response.headers[COUNTING]) == ("rag", "CALIBRATED")
    assert real(model.chats[-1]) + model.chats[-1]["max_tokens"] <= WINDOW


async def test_a_prompt_within_the_estimates_error_is_left_to_the_server(start: Start) -> None:
    """An estimate refuses only what is surely too long; within its error margin the request is sent as it is."""
    question = long_question(6136)
    with running(OpenAIServer(lambda _: ["It is."], models=listed(WINDOW, "someone"))) as model:
        api = await start(model)
        response = await api.ask(question, max_tokens=700)
        refused = await api.ask(long_question(12_000))
    assert response.status_code == 200, response.text
    assert (response.headers["x-footnote-route"], response.headers[COUNTING]) == ("no-sources", "ESTIMATED")
    assert model.chats == [{"model": "chat", "messages": [{"role": "user", "content": question}], "max_tokens": 700}]
    assert error(refused, 400)["code"] == "context_length_exceeded"


async def test_a_passed_through_request_is_not_counted(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["It is."])) as model:
        response = await (await start(model)).ask(QUESTION, index_name=None)
    assert response.headers["x-footnote-route"] == "pass-through"
    assert COUNTING not in response.headers


async def test_a_session_also_asks_the_server_before_refusing_a_long_prompt(start: Start) -> None:
    question = long_question(6136)
    with running(CountingServer(lambda _: ["It is an operator [1]."], models=listed(WINDOW, "vllm"))) as model:
        api = await start(model)
        answer = await api.graphql.answered(await api.graphql.session(api.project, maxTokens=500), question)
        read = "query($id: ID!) { message(id: $id) { status outcome budget { counting inputTokens } } }"
        message = (await api.graphql.run(read, id=answer))["message"]
    assert (message["status"], message["outcome"]) == ("COMPLETED", "CITED")
    assert message["budget"] == {"counting": "EXACT", "inputTokens": real(model.chats[0])}


async def test_a_prompt_that_fits_is_sent_if_a_fuller_one_does_not(start: Start) -> None:
    """By the server's count there is room for another passage, whose tokens are far more than estimated."""
    plain = "KAITO is " + ", ".join(["an operator for workloads on GPU nodes"] * 8) + "."
    signs = f"What KAITO is: {SIGN * 1000}"
    with running(ByteCountingServer(lambda _: ["It is an operator [1]."], models=listed(2048, "vllm"))) as model:
        api = await start(model, documents=(plain, signs))
        session = await api.graphql.session(api.project, maxTokens=1200, contextTokenRatio=0.2)
        answer = await api.graphql.answered(session, QUESTION)
        read = """query($id: ID!) { message(id: $id) { status failure { message }
          budget { counting inputTokens candidates { decision } } } }"""
        message = (await api.graphql.run(read, id=answer))["message"]
    assert message["status"] == "COMPLETED", message["failure"]
    assert message["budget"] == {
        "counting": "EXACT",
        "inputTokens": model.count_tokens(model.chats[0]),
        "candidates": [{"decision": "OVER_BUDGET"}, {"decision": "INCLUDED"}],
    }
