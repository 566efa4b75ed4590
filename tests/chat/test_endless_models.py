"""A model that never stops: the answer ends with LENGTH, the request is closed, and nobody else notices."""

from collections.abc import Callable, Generator
from typing import Any

import httpx
import pytest

from tests.graphql.client import EVENTS, SEND, Client
from tests.looking import until
from tests.openai_api.api import error, events, text
from tests.servers.endless import EndlessServer, endless_models

Json = Any
MESSAGE = "query($id: ID!) { message(id: $id) { status content finishReason reasoning failure { code message } } }"
GRANTED = 100
# Ten times what a hundred tokens usually are.
MAX_CHARACTERS = 4_000
PATIENCE = 90


@pytest.fixture
def models() -> Generator[EndlessServer]:
    with endless_models() as server:
        yield server


Start = Callable[..., Client]


async def answer(client: Client, model: str) -> Json:
    """The outcome of an answer limited to a hundred tokens."""
    session = await client.session(await client.project("Docs"), enableRag=False, model=model, maxTokens=GRANTED)
    sent = await client.mutate(SEND, sessionId=session, content="Well?")
    last = (await client.follow(EVENTS, id=sent["answer"]["id"]))[-1]["__typename"]
    found = (await client.run(MESSAGE, id=sent["answer"]["id"]))["message"]
    assert last == {"COMPLETED": "AnswerCompleted", "FAILED": "AnswerFailed"}[found["status"]]
    return found


@pytest.mark.parametrize("provider", ["openai", "ollama"])
async def test_an_answer_ends_at_its_token_limit(start: Start, models: EndlessServer, provider: str) -> None:
    client = start(openai_base_url=models.url, ollama_host=models.host)
    found = await answer(client, f"{provider}/text")
    assert (found["status"], found["finishReason"], found["failure"]) == ("COMPLETED", "LENGTH", None)
    assert len(found["content"]) == MAX_CHARACTERS
    assert models.gone.wait(PATIENCE)
    assert models.left == {"text": 1}
    asked = models.asked[0]
    assert asked.get("max_tokens", asked.get("options", {}).get("num_predict")) == GRANTED


@pytest.mark.parametrize("model", ["openai/thoughts", "ollama/thoughts", "openai/tiny", "openai/huge"])
async def test_thoughts_and_pieces_of_any_size_count(start: Start, models: EndlessServer, model: str) -> None:
    client = start(openai_base_url=models.url, ollama_host=models.host)
    found = await answer(client, model)
    assert len(found["content"]) + len(found["reasoning"] or "") <= MAX_CHARACTERS
    assert models.gone.wait(PATIENCE)
    assert (found["status"], found["finishReason"]) == ("COMPLETED", "LENGTH")


@pytest.mark.parametrize("model", ["openai/line", "ollama/line", "openai/error", "ollama/error"])
async def test_endless_lines_and_errors_are_failures(start: Start, models: EndlessServer, model: str) -> None:
    client = start(openai_base_url=models.url, ollama_host=models.host)
    found = await answer(client, model)
    assert found["status"] == "FAILED"
    assert found["failure"]["code"] in ("MODEL_UNAVAILABLE", "MODEL_REFUSED")
    assert len(found["failure"]["message"]) < 400
    assert models.gone.wait(PATIENCE)
    # Of each request that was made no more than a piece of what would have come.
    assert models.sent.total() < 60_000_000


@pytest.mark.parametrize("model", ["openai/empty", "openai/calls"])
async def test_empty_chunks_are_not_an_answer(start: Start, models: EndlessServer, model: str) -> None:
    found = await answer(start(openai_base_url=models.url), model)
    assert (found["status"], found["failure"]["code"]) == ("FAILED", "MODEL_INCOMPLETE")
    assert models.gone.wait(PATIENCE)
    assert models.sent.total() < 60_000_000


async def test_an_answer_of_dripping_pieces_ends_in_time(start: Start, models: EndlessServer) -> None:
    client = start(openai_base_url=models.url, model_longest_answer_seconds=0.3)
    session = await client.session(await client.project("Docs"), enableRag=False, model="openai/drip")
    sent = await client.mutate(SEND, sessionId=session, content="Well?")
    await client.follow(EVENTS, id=sent["answer"]["id"])
    found = (await client.run(MESSAGE, id=sent["answer"]["id"]))["message"]
    assert (found["status"], found["finishReason"]) == ("COMPLETED", "LENGTH")
    assert set(found["content"]) == {"a"}
    assert models.gone.wait(PATIENCE)


async def chat(client: Client, model: str, **fields: Json) -> httpx.Response:
    """The response of the OpenAI API."""
    body = {"model": model, "messages": [{"role": "user", "content": "Well?"}], "max_tokens": GRANTED, **fields}
    return await client.http.post(client.url.replace("/graphql", "/v1/chat/completions"), json=body)


@pytest.mark.parametrize("model", ["openai/text", "openai/thoughts", "openai/tiny", "openai/empty", "ollama/text"])
async def test_a_passed_through_stream_ends_with_a_finish_reason(
    start: Start, models: EndlessServer, model: str
) -> None:
    client = start(openai_base_url=models.url, ollama_host=models.host)
    response = await chat(client, model, stream=True)
    assert response.status_code == 200
    *chunks, last, done = events(response)
    assert done == "[DONE]"
    assert last["choices"][0]["finish_reason"] == "length"
    assert [chunk["choices"][0]["finish_reason"] for chunk in chunks] == [None] * len(chunks)
    assert len(text(chunks)) <= MAX_CHARACTERS + 1000
    assert len(chunks) <= MAX_CHARACTERS
    assert models.gone.wait(PATIENCE)


async def test_tool_calls_that_are_passed_through_end(start: Start, models: EndlessServer) -> None:
    client = start(openai_base_url=models.url)
    *_, last, done = events(await chat(client, "openai/calls", stream=True))
    assert (last["choices"][0]["finish_reason"], done) == ("length", "[DONE]")
    assert models.gone.wait(PATIENCE)


async def test_a_completion_in_one_piece_ends(start: Start, models: EndlessServer) -> None:
    client = start(openai_base_url=models.url, ollama_host=models.host)
    whole = (await chat(client, "ollama/text")).json()["choices"][0]
    assert whole["finish_reason"] == "length"
    assert len(whole["message"]["content"]) <= MAX_CHARACTERS + 1000
    told = error(await chat(client, "openai/whole"), 502)
    assert told["code"] == "model_incomplete"
    assert "more than an answer can hold" in told["message"]

    async def have_left() -> bool:
        return models.left == {"text": 1, "whole": 1}

    await until(have_left)
    # Nor is a stream that nobody asked for read to its end.
    assert error(await chat(client, "openai/thoughts"), 502)["code"] == "model_incomplete"
    assert max(models.sent.values()) < 60_000_000


async def test_a_long_answer_within_its_limit_is_complete(start: Start, models: EndlessServer) -> None:
    client = start(openai_base_url=models.url)
    session = await client.session(
        await client.project("Docs"), enableRag=False, model="openai/long", maxTokens=200_000
    )
    sent = await client.mutate(SEND, sessionId=session, content="Well?")
    await client.follow("subscription($id: ID!) { answerEvents(messageId: $id) { sequence } }", id=sent["answer"]["id"])
    found = (await client.run(MESSAGE, id=sent["answer"]["id"]))["message"]
    assert (found["finishReason"], len(found["content"])) == ("STOP", 490_000)
    *_, last, done = events(await chat(client, "openai/long", stream=True, max_tokens=200_000))
    assert (last["choices"][0]["finish_reason"], done) == ("stop", "[DONE]")
    assert not models.left
