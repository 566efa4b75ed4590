"""Third-party clients: OpenAI's own in Python and the AI SDK in Node, which share no code."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import openai
import pytest

from tests.openai_api.api import QUESTION, OpenAIAPI, OpenAIServer, RawServer
from tests.openai_api.conftest import NodeClient, Start
from tests.openai_api.test_pass_through import chunk
from tests.servers.running import Body, Break, Refusal, running

Json = Any
PIECES = ["KAITO is an", " operator [1", "]", " for AI [8]."]
CONTENT = "KAITO is an operator [1] for AI."
USER: Json = {"role": "user", "content": QUESTION}
TOOL: Json = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather in a city",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}
ARGUMENTS = '{"city": "Zürich"}'
CALL: Json = {"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": ARGUMENTS}}
USAGE = {"prompt_tokens": 240, "completion_tokens": 35, "total_tokens": 275}


def calling(body: Body) -> Json:
    """A model that calls a tool, in pieces where it streams."""
    if not body.get("stream"):
        message = {"role": "assistant", "content": None, "tool_calls": [CALL]}
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
        return {
            "id": "c",
            "object": "chat.completion",
            "created": 1,
            "model": "chat",
            "choices": [choice],
            "usage": USAGE,
        }
    first = {**CALL, "index": 0, "function": {"name": "get_weather", "arguments": ""}}
    return [
        chunk({"role": "assistant", "content": None, "tool_calls": [first]}),
        *(chunk({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}) for piece in ARGUMENTS),
        chunk({}, "tool_calls"),
        {**chunk({}), "choices": [], "usage": USAGE},
    ]


@asynccontextmanager
async def official(api: OpenAIAPI) -> AsyncGenerator[openai.AsyncOpenAI]:
    async with openai.AsyncOpenAI(base_url=api.base, api_key="none", max_retries=0) as client:
        yield client


async def test_openais_client_reads_an_answer_and_its_sources(start: Start) -> None:
    with running(OpenAIServer(lambda _: PIECES)) as model:
        async with official(await start(model)) as client:
            raw = await client.chat.completions.with_raw_response.create(
                model="openai/chat", messages=[USER], temperature=0.3, extra_body={"index_name": "Docs"}
            )
    answer = raw.parse()
    assert raw.headers["x-footnote-route"] == "rag"
    assert answer.choices[0].message.content == CONTENT
    assert answer.choices[0].finish_reason == "stop"
    assert answer.usage is not None
    assert answer.usage.completion_tokens == len(PIECES)
    extra: Json = answer.model_extra
    assert [citation["label"] for citation in extra["citations"]] == ["[1]"]
    assert extra["source_nodes"][0]["metadata"]["title"] == "Document 0"
    assert (model.chats[0]["temperature"], "index_name" in model.chats[0]) == (0.3, False)


async def test_openais_client_reads_a_stream(start: Start) -> None:
    with running(OpenAIServer(lambda _: PIECES)) as model:
        async with official(await start(model)) as client:
            stream = await client.chat.completions.create(
                model="openai/chat",
                messages=[USER],
                stream=True,
                stream_options={"include_usage": True},
                extra_body={"index_name": "Docs", "context_token_ratio": 0.6},
            )
            chunks = [piece async for piece in stream]
    assert "".join(choice.delta.content or "" for piece in chunks for choice in piece.choices) == CONTENT
    last = chunks[-1]
    assert last.usage is not None
    assert last.usage.completion_tokens == len(PIECES)
    extra: Json = last.model_extra
    assert extra["citations"][0]["label"] == "[1]"


async def test_openais_client_calls_tools(start: Start) -> None:
    with running(RawServer(calling)) as model:
        async with official(await start(model)) as client:
            given: Json = {"model": "openai/chat", "messages": [USER], "tools": [TOOL]}
            create: Json = client.chat.completions.create
            whole: Json = await create(**given, extra_body={"index_name": "Docs"})
            async with client.chat.completions.stream(**given, stream_options={"include_usage": True}) as stream:
                streamed: Json = await stream.get_final_completion()
    for completion in (whole, streamed):
        (call,) = completion.choices[0].message.tool_calls
        assert (call.function.name, json.loads(call.function.arguments)) == ("get_weather", {"city": "Zürich"})
        assert completion.choices[0].finish_reason == "tool_calls"
        assert completion.usage.total_tokens == 275
    assert [sent["tools"] for sent in model.chats] == [[TOOL]] * 2


async def test_openais_client_understands_errors(start: Start) -> None:
    faults = [Refusal(429, headers={"retry-after": "30"}), Break("error", after=1)]
    with running(OpenAIServer(lambda _: PIECES, faults=faults)) as model:
        async with official(await start(model)) as client:
            create = client.chat.completions.create
            with pytest.raises(openai.NotFoundError) as missing:
                await create(model="chat", messages=[USER], extra_body={"index_name": "Elsewhere"})
            with pytest.raises(openai.BadRequestError) as many:
                await create(model="chat", messages=[USER], n=2)
            with pytest.raises(openai.BadRequestError) as silent:
                await create(
                    model="chat", messages=[{"role": "assistant", "content": "x"}], extra_body={"index_name": "Docs"}
                )
            with pytest.raises(openai.RateLimitError) as limited:
                await create(model="chat", messages=[USER])
            with pytest.raises(openai.APIError) as broken:
                async for _ in await create(model="chat", messages=[USER], stream=True):
                    pass
            with pytest.raises(openai.NotFoundError):
                await client.models.retrieve("gpt-4")
    assert (missing.value.code, missing.value.param) == ("index_not_found", "index_name")
    assert many.value.param == "n"
    assert "There must be a user prompt since the latest assistant message." in silent.value.message
    assert limited.value.response.headers["retry-after"] == "30"
    assert broken.value.code == "model_unavailable"


async def test_openais_client_lists_models(start: Start) -> None:
    with running(OpenAIServer()) as model:
        async with official(await start(model)) as client:
            listed = [entry.id async for entry in await client.models.list()]
            one = await client.models.retrieve("openai/chat")
    assert listed == ["embedded/extractive", "openai/chat"]
    assert (one.id, one.owned_by) == ("openai/chat", "openai")


@pytest.mark.parametrize("streams", [False, True])
async def test_the_ai_sdk_reads_an_answer_and_its_sources(start: Start, ai_sdk: NodeClient, streams: bool) -> None:
    with running(OpenAIServer(lambda _: PIECES)) as model:
        api = await start(model)
        found = await ai_sdk(
            baseURL=api.base,
            model="openai/chat",
            prompt=QUESTION,
            streams=streams,
            fields={"index_name": "Docs", "context_token_ratio": 0.6},
            settings={"temperature": 0.3, "maxOutputTokens": 90},
        )
    assert found["text"] == CONTENT
    assert (found["finishReason"], found["outputTokens"], found["route"]) == ("stop", len(PIECES), "rag")
    assert [citation["label"] for citation in found["footnote"]["citations"]] == ["[1]"]
    assert found["footnote"]["source_nodes"][0]["metadata"]["title"] == "Document 0"
    (sent,) = model.chats
    assert (sent["temperature"], sent["max_tokens"], "index_name" in sent) == (0.3, 90, False)
    assert "<<<" in sent["messages"][0]["content"]


@pytest.mark.parametrize("streams", [False, True])
async def test_the_ai_sdk_calls_tools(start: Start, ai_sdk: NodeClient, streams: bool) -> None:
    with running(RawServer(calling)) as model:
        api = await start(model)
        found = await ai_sdk(
            baseURL=api.base,
            model="openai/chat",
            prompt=QUESTION,
            streams=streams,
            withTool=True,
            fields={"index_name": "Docs"},
        )
    assert found["toolCalls"] == [{"toolName": "get_weather", "input": {"city": "Zürich"}}]
    assert (found["finishReason"], found["inputTokens"], found["route"]) == ("tool-calls", 240, "pass-through")
    assert model.chats[0]["tools"][0]["function"]["name"] == "get_weather"


async def test_the_ai_sdk_understands_errors(start: Start, ai_sdk: NodeClient) -> None:
    with running(OpenAIServer(lambda _: PIECES, faults=[Break("error", after=1)])) as model:
        api = await start(model)
        given: Json = {"baseURL": api.base, "model": "openai/chat", "prompt": QUESTION}
        broken = await ai_sdk(**given, streams=True)
        missing = await ai_sdk(**given, fields={"index_name": "Elsewhere"})
    assert broken["parts"] == [PIECES[0]]
    assert "the model crashed" in json.dumps(broken["error"])
    assert (missing["error"]["name"], missing["error"]["status"]) == ("AI_APICallError", 404)
    assert "Elsewhere" in missing["error"]["message"]
