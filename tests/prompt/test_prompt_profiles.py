"""Prompts for small and large models, and the fence that lasts for a session."""

import pytest

from app.providers import catalog
from tests.answers import TEXT, Start, final, openai
from tests.graphql.client import Json
from tests.servers.openai import OpenAIServer
from tests.servers.running import running

QUESTION = "Until when can goods be returned?"
ANSWER = "Goods may be returned within 30 days of delivery [1]."


def fence(message: Json) -> str:
    """The secret word of the fences in a message."""
    word: str = message["content"].split("<<<")[1].split(" ")[0]
    return word


async def test_a_small_model_gets_a_short_policy_an_example_and_the_passages_beside_the_question(start: Start) -> None:
    with running(OpenAIServer(lambda _: [ANSWER])) as model:
        client = start(**openai(model, "writer:0.5b"))
        project = await client.project("Shop")
        await client.ready(project, "Returns", TEXT)
        small = await final(client, await client.session(project), QUESTION)
        large = await final(client, await client.session(project, promptProfile="LARGE"), QUESTION)
        nothing = await final(client, await client.session(project, enableRag=False), QUESTION)
    (first, second, third) = (chat["messages"] for chat in model.chats)
    assert [message["role"] for message in first] == ["system", "user", "assistant", "user"]
    system, shown, told, asked = (message["content"] for message in first)
    assert "[1]" in system
    assert len(system) < len(second[0]["content"].split("<<<")[0]) * 0.7
    assert (shown.count("<<<"), told.endswith("[1].")) == (2, True)
    assert asked.endswith(f"\n\n{QUESTION}")
    assert "30 days" in asked
    assert "Relevance" not in asked
    assert [message["role"] for message in second] == ["system", "user"]
    assert [message["content"] for message in third] == [QUESTION]
    assert {small["outcome"], large["outcome"], nothing["outcome"]} == {"CITED", "PASSED_THROUGH"}
    segments = {one["kind"]: one["tokens"] for one in small["budget"]["segments"]}
    sent = sum(segments.values()) - segments["MARGIN"] - segments["COMPLETION"]
    assert sent == small["budget"]["inputTokens"]
    assert segments["SYSTEM"] > (len(system) + len(shown) + len(told)) / 8
    assert sum(segments.values()) <= small["budget"]["contextWindow"]


async def test_turns_of_a_session_share_the_fence_and_all_that_comes_before_the_passages(start: Start) -> None:
    with running(OpenAIServer(lambda _: [ANSWER])) as model:
        client = start(**openai(model, "writer:0.5b"))
        project = await client.project("Shop")
        await client.ready(project, "Returns", TEXT)
        session = await client.session(project)
        await final(client, session, QUESTION)
        await final(client, session, "Can opened software be returned?")
        await final(client, await client.session(project), QUESTION)
    first, second, other = (chat["messages"] for chat in model.chats)
    assert second[:3] == first[:3]
    assert [message["role"] for message in second[3:]] == ["user", "assistant", "user"]
    assert "<<<" not in second[3]["content"]
    assert fence(first[-1]) == fence(second[-1]) == fence(second[1])
    assert fence(other[-1]) != fence(first[-1])


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("ollama/qwen2.5:0.5b", 500_000_000),
        ("llamacpp/models/SmolLM2-135M-Instruct.Q4_1.gguf", 135_000_000),
        ("ollama/llama3.2:3b", 3_000_000_000),
        ("ollama/mixtral:8x22b", 22_000_000_000),
        ("ollama/tinyllama", 1_100_000_000),
        ("openai/gpt-4o-mini", None),
        ("openrouter/some/model-4bit", None),
    ],
)
def test_the_size_of_a_model_is_read_from_its_name(name: str, parameters: int | None) -> None:
    assert catalog.find_parameters(name) == parameters
