"""How a request's window is divided between its messages, passages and the answer."""

import re
from typing import Any

import pytest

from app.providers.base import PromptMessage
from app.providers.tokens import TokenCounter
from app.rag.pass_through import PromptMeasurement
from tests.openai_api.api import ABSENT, QUESTION, OpenAIServer, assistant, error, user
from tests.openai_api.conftest import Start
from tests.servers.running import running

Json = Any

# Twenty passages of about a hundred tokens each, all about the same.
MANY = tuple(f"KAITO part {n}. " + f"KAITO does thing {n} for workloads and more. " * 8 for n in range(20))


def window(tokens: int) -> list[Json]:
    return [{"id": "chat", "object": "model", "max_model_len": tokens}]


async def nodes_with(start: Start, tokens: int, **fields: Json) -> tuple[int, Json]:
    """The number of passages in the prompt, and the request as sent."""
    with running(OpenAIServer(lambda _: ["It is [1]."], models=window(tokens))) as model:
        response = await (await start(model, MANY)).ask(**fields)
    assert response.status_code == 200, response.text
    sent = model.chats[0]
    return len(re.findall(r"<<<\w+ passage \d+>>>", sent["messages"][0]["content"])), sent


async def test_top_k_is_wide_and_the_window_decides(start: Start) -> None:
    """Many more than a session's five; none is dropped while there is room."""
    count, sent = await nodes_with(start, 32_000)
    assert count == 20
    assert "max_tokens" not in sent


async def test_top_k_has_a_maximum(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["It is [1]."])) as model:
        response = await (await start(model, MANY, rag_max_top_k=7)).ask()
    assert len(response.json()["source_nodes"]) == 7


@pytest.mark.parametrize(
    ("measured", "per_passage", "most", "top_k"),
    [
        (PromptMeasurement(8192, 500), 500, 300, 100),
        (PromptMeasurement(128_000, 500), 500, 300, 255),
        (PromptMeasurement(200_000, 500), 500, 300, 300),
        (PromptMeasurement(128_000, 500), 1000, 300, 127),
        (PromptMeasurement(8192, 8192), 500, 300, 100),
        (PromptMeasurement(8192, 500), 500, 20, 20),
    ],
)
def test_top_k_worked_examples(measured: PromptMeasurement, per_passage: int, most: int, top_k: int) -> None:
    assert measured.candidate_limit(per_passage, most) == top_k


async def test_a_small_limit_leaves_more_room_for_passages(start: Start) -> None:
    """Seed 000's second example of `max_tokens`, against its first and an excessive one."""
    small, sent = await nodes_with(start, 3000, max_tokens=100)
    assert sent["max_tokens"] == 100
    assert small > 12


async def test_without_a_limit_none_is_sent(start: Start) -> None:
    count, sent = await nodes_with(start, 3000)
    assert "max_tokens" not in sent
    assert 0 < count <= 12  # half of the window is the answer's


async def test_an_excessive_limit_is_reduced_and_reported(start: Start) -> None:
    """Seed 000's third example: 8,000 asked for, with a window of 8,192 and a prompt of about 500 tokens."""
    prompt = "What is KAITO? " + "Tell me of the workloads. " * 70
    with running(OpenAIServer(lambda _: ["It is [1]."], models=window(8192))) as model:
        api = await start(model)
        body = (await api.ask(prompt, max_tokens=8000)).json()
        absent = await api.ask(ABSENT + " " + "Nobody of them plays. " * 100, max_tokens=8000)
        passed = await api.post({"model": "chat", "messages": [user("Hi")], "max_tokens": 8000})
    sent = model.chats[0]
    counted = TokenCounter().count_messages(PromptMessage(m["role"], m["content"]) for m in sent["messages"])
    assert 6000 < sent["max_tokens"] <= 8192 - counted
    assert body["notices"][0]["code"] == "MAX_TOKENS_REDUCED"
    # Nothing found: reduced to what is left beside the messages, and nothing else is changed.
    assert absent.headers["x-footnote-route"] == "no-sources"
    alone = TokenCounter().count_messages(PromptMessage("user", m["content"]) for m in model.chats[1]["messages"])
    assert model.chats[1]["max_tokens"] == 8192 - alone < 8000
    # Where retrieval does not apply, the provider judges.
    assert passed.status_code == 200
    assert model.chats[2]["max_tokens"] == 8000


async def test_a_window_full_of_messages_leaves_no_room_for_passages(start: Start) -> None:
    question = "What is KAITO? " + "Tell me of the workloads. " * 100
    tokens = TokenCounter().count_messages([PromptMessage("user", question)])
    with running(OpenAIServer(lambda _: ["It is."], models=window(tokens))) as model:
        response = await (await start(model)).ask(question)
    assert response.status_code == 200
    # There is room for the conversation, and none for passages: it goes as it is.
    assert response.headers["x-footnote-route"] == "no-sources"
    assert model.chats == [{"model": "chat", "messages": [user(question)]}]


async def test_history_never_shrinks(start: Start) -> None:
    turns = [m for n in range(30) for m in (user(f"Question {n}?"), assistant(f"Answer {n}: " + "so it is. " * 12))]
    with running(OpenAIServer(lambda _: ["It is [1]."], models=window(3800))) as model:
        response = await (await start(model, MANY)).ask([*turns, user(QUESTION)])
    assert response.headers["x-footnote-route"] == "rag"
    assert [m["content"].strip() for m in model.chats[0]["messages"][1:]] == [
        *(turn["content"].strip() for turn in turns),
        QUESTION,
    ]
    assert 0 < len(response.json()["source_nodes"]) < 20


async def test_the_ratio_decides_how_much_is_context(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["It is [1]."], models=window(3000))) as model:
        api = await start(model, MANY)
        counts = [len((await api.ask(context_token_ratio=ratio)).json()["source_nodes"]) for ratio in (0.2, 0.5, 0.8)]
    assert 0 < counts[0] < counts[1] < counts[2]


BAD_RATIOS = [0, 0.0, 0.1, 0.19999, 0.80001, 1, 5, -0.5]


@pytest.mark.parametrize("ratio", BAD_RATIOS)
async def test_a_ratio_out_of_bounds_is_refused(start: Start, ratio: float) -> None:
    with running(OpenAIServer()) as model:
        api = await start(model)
        found = error(await api.ask(context_token_ratio=ratio), 400)
        # It is checked before the route is chosen.
        passed = error(await api.ask(context_token_ratio=ratio, tools=[{"type": "function"}]), 400)
    assert found["param"] == passed["param"] == "context_token_ratio"
    assert "between 0.2 and 0.8" in found["message"]
    assert model.chats == []


@pytest.mark.parametrize("ratio", [0.2, 0.8, None])
async def test_a_ratio_on_its_bounds_passes(start: Start, ratio: float | None) -> None:
    with running(OpenAIServer(lambda _: ["It is [1]."])) as model:
        response = await (await start(model)).ask(context_token_ratio=ratio)
    assert response.headers["x-footnote-route"] == "rag"
