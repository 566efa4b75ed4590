"""Requests without retrieval: the model receives what came in, and the client what came back."""

import json
from typing import Any

import pytest

from tests.openai_api.api import ABSENT, QUESTION, OpenAIServer, RawServer, error, events, text
from tests.openai_api.conftest import Start
from tests.servers.running import How, running
from tests.servers.scripted import DONE, JSON, ScriptedServer, event

Json = Any
USER = {"role": "user", "content": QUESTION}
WEATHER = {"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object"}}}
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
CALL = {"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": "{}"}}

# The cases of seed 000, and their variants.
CASES: dict[str, Json] = {
    "no index": {"messages": [USER]},
    "a null index": {"messages": [USER], "index_name": None},
    "tools": {"messages": [USER], "index_name": "Docs", "tools": [WEATHER], "tool_choice": "auto"},
    "functions": {"messages": [USER], "index_name": "Docs", "functions": [{"name": "get_weather"}]},
    "a function speaks": {
        "messages": [{"role": "function", "name": "get_weather", "content": "Weather data: 75°F"}, USER],
        "index_name": "Docs",
    },
    "a tool speaks": {
        "messages": [
            USER,
            {"role": "assistant", "content": None, "tool_calls": [CALL]},
            {"role": "tool", "tool_call_id": "call_1", "content": "75°F"},
        ],
        "index_name": "Docs",
    },
    "a call without its tool": {
        "messages": [{"role": "assistant", "content": None, "tool_calls": [CALL]}, USER],
        "index_name": "Docs",
    },
    "a picture": {
        "messages": [{"role": "user", "content": [{"type": "text", "text": "What's in this image?"}, PICTURE]}],
        "index_name": "Docs",
        "context_token_ratio": 0.5,
    },
    "no user prompt, which only retrieval needs": {"messages": [{"role": "assistant", "content": "Hello"}]},
}
# Fields that change the answer, and one that nobody knows.
FIELDS: Json = {
    "temperature": 0.123456789,
    "top_p": 0.9,
    "max_tokens": 77,
    "seed": 2**60,
    "stop": ["\n\n", "END"],
    "response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "object"}}},
    "logprobs": True,
    "top_logprobs": 3,
    "logit_bias": {"50256": -100},
    "n": 1,
    "user": "u-1",
    "x_nobody_knows": {"deep": [1, 2.5, None, True, "ü \u2028 \u0085"]},
}
WHOLE: Json = {
    "id": "chatcmpl-of-the-provider",
    "object": "chat.completion",
    "created": 1795171789,
    "model": "chat-2026",
    "system_fingerprint": "fp_1",
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": "See [9] \u2028 [1].", "tool_calls": [CALL], "x": 1},
            "finish_reason": "tool_calls",
            "logprobs": {"content": [{"token": "See", "logprob": -0.31725305, "bytes": [83], "top_logprobs": []}]},
        }
    ],
    "usage": {"prompt_tokens": 9, "completion_tokens": 12, "total_tokens": 21, "prompt_tokens_details": {"x": 1}},
}


def chunk(delta: Json, finish: str | None = None, **more: Json) -> Json:
    head = {"id": "chatcmpl-9519", "object": "chat.completion.chunk", "created": 1795171789, "model": "tiny"}
    return {**head, "choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}], **more}


# As vLLM streams a call: its name, then its arguments in pieces of any size.
CHUNKS: list[Json] = [
    chunk({"role": "assistant", "content": ""}, prompt_token_ids=None),
    chunk({"content": None, "tool_calls": [{**CALL, "index": 0, "function": {"name": "get_weather"}}]}),
    chunk({"tool_calls": [{"index": 0, "function": {"arguments": "{"}}]}, token_ids=None),
    chunk({"tool_calls": [{"index": 0, "function": {"arguments": '"city": "Zürich \ud83d'}}]}),
    chunk({"content": "[9] stays"}),
    chunk({"reasoning_content": "Hm."}),
    chunk({}, "tool_calls", stop_reason=None),
    {**chunk({}), "choices": [], "usage": {"prompt_tokens": 240, "completion_tokens": 35, "total_tokens": 275}},
]


def outgoing(body: Json) -> Json:
    """The request the provider must receive: without our own fields, with its own model name."""
    return {k: v for k, v in body.items() if k not in ("index_name", "context_token_ratio")} | {"model": "chat"}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
async def test_request_and_answer_pass_through_unchanged(start: Start, case: Json) -> None:
    body = {"model": "openai/chat", **FIELDS, **case}
    with running(RawServer(lambda _: WHOLE)) as model:
        response = await (await start(model)).post(body)
    assert response.status_code == 200, response.text
    assert response.headers["x-footnote-route"] == "pass-through"
    assert response.json() == WHOLE
    assert model.chats == [outgoing(body)]
    assert model.embeddings == []


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
async def test_a_stream_passes_through_unchanged(start: Start, case: Json) -> None:
    body = {"model": "openai/chat", "stream": True, "stream_options": {"include_usage": True}, **FIELDS, **case}
    with running(RawServer(lambda _: CHUNKS)) as model:
        response = await (await start(model)).post(body)
    assert response.headers["x-footnote-route"] == "pass-through"
    assert events(response) == [*CHUNKS, "[DONE]"]
    assert model.chats == [outgoing(body)]


UNUSABLE: dict[str, tuple[bytes, How]] = {
    "half a body": (json.dumps(WHOLE).encode()[:200], "end"),
    "half a body and a closed connection": (json.dumps(WHOLE).encode()[:200], "die"),
    "a whole body and a closed connection": (json.dumps(WHOLE).encode(), "die"),
    "half a character": (b'{"choices": [{"message": {"content": "caf\xc3"}}]}', "end"),
    "nothing": (b"", "end"),
    "null": (b"null", "end"),
    "no choice": (b'{"id": "c", "choices": []}', "end"),
    "choices that are none": (b'{"id": "c", "choices": [null]}', "end"),
}


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(("body", "then"), UNUSABLE.values(), ids=UNUSABLE)
async def test_a_completion_that_breaks_off_is_not_asked_for_again(
    start: Start, body: bytes, then: How, stream: bool
) -> None:
    with running(ScriptedServer(body, then=then, media_type=JSON)) as model:
        response = await (await start(model)).post({"messages": [USER], "stream": stream})
    assert error(response, 502)["code"] == "model_incomplete"
    assert len(model.chats) == 1


@pytest.mark.parametrize("text", ["It is.", "Half \ud83d"])
async def test_numbers_that_json_does_not_have_are_null(start: Start, text: str) -> None:
    choice = {"index": 0, "message": {"content": text}, "finish_reason": "stop"}
    odd = {"choices": [choice], "usage": {"a": float("nan"), "b": float("inf"), "c": -float("inf"), "d": 1e300}}
    usage = {"a": None, "b": None, "c": None, "d": 1e300}
    with running(ScriptedServer(json.dumps(odd).encode(), media_type=JSON)) as model:
        response = await (await start(model)).post({"messages": [USER]})
    assert response.json() == {**odd, "usage": usage}
    with running(ScriptedServer(event({**odd, "choices": [{**choice, "delta": {"content": text}}]}), DONE)) as model:
        response = await (await start(model)).post({"messages": [USER], "stream": True})
    assert events(response)[0]["usage"] == usage


async def test_a_completion_in_the_place_of_a_stream_is_one_chunk(start: Start) -> None:
    with running(ScriptedServer(json.dumps(WHOLE).encode(), media_type=JSON)) as model:
        response = await (await start(model)).post({"messages": [USER], "stream": True})
    [sent, done] = events(response)
    [choice] = WHOLE["choices"]
    delta = {**choice["message"], "tool_calls": [{"index": 0, **CALL}]}
    expected = {name: value for name, value in choice.items() if name != "message"} | {"delta": delta}
    assert sent == {**WHOLE, "object": "chat.completion.chunk", "choices": [expected]}
    assert done == "[DONE]"


async def test_a_completion_in_the_place_of_a_stream_has_its_sources(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["KAITO is an operator [1]."], streams=False)) as model:
        api = await start(model)
        found = [await api.ask(question, stream=True) for question in (QUESTION, ABSENT)]
    for response, route in zip(found, ("rag", "no-sources"), strict=True):
        *chunks, _ = events(response)
        assert response.headers["x-footnote-route"] == route
        assert text(chunks) == "KAITO is an operator [1]."
        assert bool(chunks[-1]["source_nodes"]) is (route == "rag")


async def test_nothing_is_added_to_a_minimal_request(start: Start) -> None:
    """No limit, temperature or usage option that the client did not ask for."""
    with running(RawServer(lambda body: CHUNKS if body.get("stream") else WHOLE)) as model:
        api = await start(model)
        await api.post({"model": "chat", "messages": [USER]})
        await api.post({"model": "chat", "messages": [USER], "stream": True})
    assert model.chats == [
        {"model": "chat", "messages": [USER]},
        {"model": "chat", "messages": [USER], "stream": True},
    ]


async def test_retrieval_can_be_switched_off_for_the_server(start: Start) -> None:
    with running(RawServer(lambda _: WHOLE)) as model:
        response = await (await start(model, rag_enabled=False)).ask()
    assert response.headers["x-footnote-route"] == "pass-through"
    assert model.chats == [{"model": "chat", "messages": [USER]}]


@pytest.mark.parametrize(
    ("asked", "sent"),
    [("openai/chat", "chat"), ("chat", "chat"), (None, "chat"), ("openai/other/model:1b", "other/model:1b")],
)
async def test_the_provider_receives_its_own_model_name(start: Start, asked: str | None, sent: str) -> None:
    with running(RawServer(lambda _: WHOLE)) as model:
        response = await (await start(model)).post({"model": asked, "messages": [USER]})
    assert response.status_code == 200, response.text
    assert model.chats[0]["model"] == sent


async def test_a_model_of_no_provider_is_not_found(start: Start) -> None:
    with running(OpenAIServer()) as model:
        response = await (await start(model)).post({"model": "gpt-4", "messages": [USER]})
    found = error(response, 404)
    assert (found["code"], found["param"]) == ("model_not_found", "model")
    assert "gpt-4" in found["message"]
    assert model.chats == []


async def test_a_local_only_project_forwards_nothing(start: Start) -> None:
    with running(OpenAIServer()) as model:
        outside = model.url.replace("127.0.0.1", "footnote-test.invalid")
        api = await start(openai_base_url=outside, openai_api_key="sk-very-secret", chat_model="openai/chat")
        await api.graphql.run(
            'mutation { createProject(input: { name: "Local", localProvidersOnly: true }) { __typename } }'
        )
        passed = error(await api.ask(index_name="Local", tools=[WEATHER]), 400)
        searched = error(await api.ask(index_name="Local"), 400)
    assert "local models only" in passed["message"]
    assert "local models only" in searched["message"]


BRACKETS = "[1] Knuth wrote of a[0] and b[1], as in [^2] and [3](https://example.org/a[4]).\n\n[5]: `open [6"


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(("index", "way"), [({}, "pass-through"), ({"index_name": "Docs"}, "no-sources")])
async def test_brackets_that_match_no_passage_stay(start: Start, stream: bool, index: Json, way: str) -> None:
    asked = {"role": "user", "content": f"{ABSENT} a[1]"}
    with running(OpenAIServer(lambda _: list(BRACKETS))) as model:
        api = await start(model)
        body = {"index_name": None, **index}
        response = await api.ask([asked], stream=stream, **body)
    assert response.headers["x-footnote-route"] == way
    if stream:
        choices = [choice for event in events(response) if event != "[DONE]" for choice in event["choices"]]
        content = "".join(choice["delta"].get("content") or "" for choice in choices)
    else:
        content = response.json()["choices"][0]["message"]["content"]
    assert content == BRACKETS
    assert model.chats[0]["messages"] == [asked]
