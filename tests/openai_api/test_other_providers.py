"""Providers with other protocols: what they receive of a request, what they refuse, and how their answers look."""

import json
from collections.abc import AsyncGenerator, Sequence
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.openai_api.api import QUESTION, OpenAIAPI, error, events, text
from tests.openai_api.conftest import Start
from tests.servers.ollama import CHAT, OllamaServer
from tests.servers.running import Thought, running

Json = Any
USER = {"role": "user", "content": QUESTION}
TOOL = {"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object"}}}
DONE: Json = {"message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "stop"}


class Framed(OllamaServer):
    """An Ollama server that answers with these frames."""

    def __init__(self, frames: Sequence[Json]) -> None:
        super().__init__()
        self._scripted = frames

    def routes(self) -> list[Route]:
        return [Route(CHAT, self._raw, methods=["POST"]), *super().routes()]

    async def _raw(self, request: Request) -> Response:
        await self.record(request)

        async def frames() -> AsyncGenerator[bytes]:
            for frame in self._scripted:
                yield json.dumps(frame).encode() + b"\n"

        return self.stream(request, frames(), "application/x-ndjson")


async def ollama(start: Start, model: OllamaServer, name: str = "tiny") -> OpenAIAPI:
    return await start(ollama_host=model.url, chat_model=f"ollama/{name}", ollama_num_ctx=4096)


async def test_ollama_gets_a_request_in_its_own_terms(start: Start) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    conversation: Json = [
        {"role": "developer", "content": "Be brief."},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "What is this?"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}},
            ],
        },
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Ulm"}'}}
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "Rain"},
    ]
    with running(OllamaServer(lambda _: ["Rain", "."])) as model:
        api = await ollama(start, model)
        response = await api.post(
            {
                "model": "tiny",
                "messages": conversation,
                "tools": [TOOL],
                "temperature": 0.25,
                "top_p": 0.5,
                "seed": 3,
                "stop": "END",
                "frequency_penalty": 0.5,
                "presence_penalty": 0.25,
                "max_completion_tokens": 70,
                "response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": schema}},
                "min_p": 0.1,
                "options": {"mirostat": 2},
                "user": "u",
            }
        )
    assert response.headers["x-footnote-route"] == "pass-through", response.text
    (sent,) = model.chats
    assert sent == {
        "model": "tiny",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "What is this?", "images": ["iVBORw0KGgo="]},
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [{"function": {"name": "get_weather", "arguments": {"city": "Ulm"}}}],
            },
            {"role": "tool", "content": "Rain", "tool_name": "get_weather"},
        ],
        "tools": [TOOL],
        "format": schema,
        "stream": True,
        "truncate": False,
        "shift": False,
        "options": {
            "mirostat": 2,
            "min_p": 0.1,
            "temperature": 0.25,
            "top_p": 0.5,
            "seed": 3,
            "stop": ["END"],
            "frequency_penalty": 0.5,
            "presence_penalty": 0.25,
            "num_predict": 70,
            "num_ctx": 4096,
        },
    }
    body = response.json()
    assert body["choices"][0]["message"] == {"role": "assistant", "content": "Rain."}
    assert body["model"] == "tiny"


async def test_ollama_gets_no_limit_or_temperature_unless_requested(start: Start) -> None:
    with running(OllamaServer(lambda _: ["It is [1]."])) as model:
        api = await ollama(start, model)
        await api.post({"messages": [USER]})
        found = await api.post({"messages": [USER], "index_name": "Docs", "seed": 4, "stop": ["X"]})
        limited = await api.post({"messages": [USER], "index_name": "Docs", "max_completion_tokens": 40})
    assert found.headers["x-footnote-route"] == limited.headers["x-footnote-route"] == "rag"
    assert [sent["options"] for sent in model.chats] == [
        {"num_ctx": 4096},
        {"num_ctx": 4096, "seed": 4, "stop": ["X"]},
        {"num_ctx": 4096, "num_predict": 40},
    ]


async def test_no_user_makes_ollama_load_a_model_again_for_all(start: Start) -> None:
    """Ollama loads it again for other options of this kind, and unloads it when its time is up."""
    loading = {"num_ctx": 99, "num_gpu": 0, "num_thread": 1, "num_batch": 1, "main_gpu": 1, "use_mmap": False}
    with running(OllamaServer(lambda _: ["It is [1]."])) as model:
        api = await ollama(start, model)
        for more in ({}, {"index_name": "Docs"}):
            body = {"messages": [USER], "keep_alive": 0, "options": {**loading, "top_k": 3}, **more}
            assert (await api.post(body)).status_code == 200
    for sent in model.chats:
        assert "keep_alive" not in sent
        assert sent["options"] == {"top_k": 3, "num_ctx": 4096}


async def test_ollama_tool_calls_are_translated(start: Start) -> None:
    call = {"function": {"name": "get_weather", "arguments": {"city": "Zürich"}}}
    frames = [
        {"message": {"role": "assistant", "content": "", "thinking": "Hm."}, "done": False},
        {"message": {"role": "assistant", "content": "", "tool_calls": [call]}, "done": False},
        # Some versions send a call with the last frame.
        {**DONE, "message": {"content": "", "tool_calls": [call]}, "prompt_eval_count": 9, "eval_count": 4},
    ]
    with running(Framed(frames)) as model:
        api = await ollama(start, model)
        body: Json = {"messages": [USER], "tools": [TOOL]}
        whole = (await api.post(body)).json()
        options = {"stream": True, "stream_options": {"include_usage": True}}
        *chunks, done = events(await api.post({**body, **options}))
        off = await api.post({**body, "tool_choice": "none"})
    assert done == "[DONE]"
    (choice,) = whole["choices"]
    calls = choice["message"]["tool_calls"]
    assert choice["finish_reason"] == "tool_calls"
    assert choice["message"]["reasoning_content"] == "Hm."
    assert choice["message"]["content"] is None
    assert [found["function"]["name"] for found in calls] == ["get_weather"] * 2
    assert [json.loads(found["function"]["arguments"]) for found in calls] == [{"city": "Zürich"}] * 2
    assert len({found["id"] for found in calls}) == 2
    streamed = [c for chunk in chunks for choice in chunk["choices"] for c in choice["delta"].get("tool_calls", [])]
    assert [found["index"] for found in streamed] == [0, 1]
    assert chunks[-2]["choices"][0]["finish_reason"] == "tool_calls"
    assert chunks[-1]["usage"] == {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13}
    assert off.status_code == 200
    assert "tools" not in model.chats[-1]


async def test_an_ollama_answer_that_is_cut_after_a_tool_call_ends_with_its_length(start: Start) -> None:
    call: Json = {"function": {"name": "get_weather", "arguments": {}}}
    frames: list[Json] = [
        {"message": {"role": "assistant", "content": "", "tool_calls": [call]}, "done": False},
        {"message": {"role": "assistant", "content": "And then"}, "done": False},
        {**DONE, "done_reason": "length", "eval_count": 9},
    ]
    with running(Framed(frames)) as model:
        api = await ollama(start, model)
        body: Json = {"messages": [USER], "tools": [TOOL], "max_tokens": 9}
        whole = (await api.post(body)).json()
        *chunks, _ = events(await api.post({**body, "stream": True}))
    assert len(whole["choices"][0]["message"]["tool_calls"]) == 1
    assert whole["choices"][0]["finish_reason"] == chunks[-1]["choices"][0]["finish_reason"] == "length"


async def test_ollama_streams_are_translated(start: Start) -> None:
    with running(OllamaServer(lambda _: [Thought("Hm."), "It ", "is."])) as model:
        api = await ollama(start, model, "thinking")
        *chunks, done = events(await api.post({"messages": [USER], "stream": True}))
    assert (done, text(chunks)) == ("[DONE]", "It is.")
    assert chunks[0]["choices"][0]["delta"] == {"role": "assistant", "reasoning_content": "Hm."}
    assert chunks[-1]["choices"][0]["finish_reason"] == "stop"
    assert all("usage" not in chunk for chunk in chunks)
    assert model.chats[0]["think"] is True


async def test_a_broken_ollama_stream_is_reported(start: Start) -> None:
    with running(Framed([{"message": {"content": "It "}, "done": False}])) as model:
        api = await ollama(start, model)
        *chunks, last = events(await api.post({"messages": [USER], "stream": True}))
        whole = error(await api.post({"messages": [USER]}), 502)
    assert text(chunks) == "It "
    assert last["error"]["code"] == whole["code"] == "model_incomplete"


NO_CALLS: list[Json] = ["x", 1, True, {"a": 1}, [None], ["x"], [[]], [{"function": "x"}]]
# What is sent, what the message names, and the field that is wrong.
CANNOT: list[Json] = [
    ({"functions": [{"name": "f"}]}, "functions", "functions"),
    ({"tools": [TOOL], "tool_choice": "required"}, "tool_choice", "tool_choice"),
    ({"logprobs": True}, "logprobs", "logprobs"),
    ({"logit_bias": {"1": 2}}, "logit_bias", "logit_bias"),
    ({"response_format": {"type": "grammar"}}, "response_format", "response_format"),
    ({"modalities": ["text", "audio"]}, "modalities", "modalities"),
    ({"messages": [{"role": "function", "name": "f", "content": "x"}, USER]}, "function", "messages[0].role"),
    (
        {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://x/y.png"}}]}]},
        "data:",
        "messages[0].content",
    ),
    (
        {"messages": [USER, {"role": "user", "content": [{"type": "input_audio", "input_audio": {}}]}]},
        "text and images",
        "messages[1].content",
    ),
    (
        {"messages": [{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": "{"}}]}, USER]},
        "not valid JSON",
        "messages[0].tool_calls",
    ),
    *(
        (
            {"messages": [USER, {"role": "assistant", "content": "", "tool_calls": calls}, USER]},
            "tool call",
            "messages[1].tool_calls",
        )
        for calls in NO_CALLS
    ),
    ({"response_format": {"type": "json_schema", "json_schema": "x"}}, "json_schema", "response_format.json_schema"),
]


async def test_what_ollama_cannot_do_is_refused(start: Start) -> None:
    with running(OllamaServer()) as model:
        api = await ollama(start, model)
        for fields, named, parameter in CANNOT:
            found = error(await api.post({"messages": [USER], **fields}), 400)
            assert (found["code"], found["param"]) == ("model_refused", parameter)
            assert named in found["message"]
    assert model.chats == []


async def test_the_embedded_model_quotes_from_documents(start: Start) -> None:
    api = await start()
    body = (await api.ask(model="embedded/extractive", temperature=2, seed=1, unknown=1)).json()
    *chunks, done = events(await api.ask(model="extractive", stream=True))
    content = body["choices"][0]["message"]["content"]
    assert content.startswith("KAITO is a Kubernetes operator for AI workloads [1].")
    assert (text(chunks), done) == (content, "[DONE]")
    assert body["citations"][0]["uses"][0]["quote"] == "KAITO is a Kubernetes operator for AI workloads."
    assert body["usage"]["prompt_tokens"] > 50


async def test_the_embedded_model_stops_where_it_is_told_to(start: Start) -> None:
    api = await start()
    said = (await api.ask(model="embedded/extractive")).json()["choices"][0]["message"]["content"]
    first, second = said.split()[2], said.split()[4]
    for stop, kept in (
        (first, said.partition(first)[0]),
        (["nowhere", second, first], said.partition(first)[0]),
        ("nowhere", said),
        (None, said),
        ([], said),
    ):
        [choice] = (await api.ask(model="embedded/extractive", stop=stop)).json()["choices"]
        assert (choice["message"]["content"].strip(), choice["finish_reason"]) == (kept.strip(), "stop")
    for wrong in (1, [1], ["a", ""], {"a": "b"}):
        found = error(await api.ask(model="embedded/extractive", stop=wrong), 400)
        assert ("`stop`" in found["message"], found["param"]) == (True, "stop")


async def test_the_embedded_model_says_what_it_is(start: Start) -> None:
    api = await start()
    whole = await api.post({"messages": [USER], "unknown": 1})
    short = (await api.post({"messages": [USER], "max_tokens": 12})).json()
    *chunks, _ = events(await api.post({"messages": [USER], "stream": True}))
    content = whole.json()["choices"][0]["message"]["content"]
    assert "I can only quote sentences" in content
    assert "/projects/NAME/v1" in content
    assert "`index_name`" in content
    assert text(chunks) == content
    named = await api.ask("Who won the chess championship?", model="extractive")
    assert named.headers["x-footnote-route"] == "no-sources"
    told = named.json()["choices"][0]["message"]["content"]
    assert ("I can only quote sentences" in told, "`index_name`" in told) == (True, False)
    found = (await api.ask(model="extractive")).json()
    assert {body["model"] for body in (whole.json(), found, *chunks)} == {"embedded/extractive"}
    assert whole.headers["x-footnote-route"] == "pass-through"
    assert short["choices"][0]["finish_reason"] == "length"
    assert 0 < short["usage"]["completion_tokens"] <= 12


@pytest.mark.parametrize(
    ("fields", "parameter"),
    [
        ({"tools": [TOOL]}, "tools"),
        ({"functions": [{"name": "f"}]}, "functions"),
        ({"response_format": {"type": "json_object"}}, "response_format"),
        ({"response_format": {"type": "json_object"}, "index_name": "Docs"}, "response_format"),
        ({"guided_json": {"type": "object"}, "index_name": "Docs"}, "guided_json"),
        ({"logprobs": True}, "logprobs"),
        ({"messages": [USER, {"role": "tool", "tool_call_id": "x", "content": "x"}]}, "messages[1]"),
        (
            {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}]},
            "messages[0]",
        ),
    ],
)
async def test_what_the_embedded_model_cannot_do_is_refused(start: Start, fields: Json, parameter: str) -> None:
    found = error(await (await start()).post({"messages": [USER], **fields}), 400)
    assert (found["code"], found["param"]) == ("model_refused", parameter)
    named = "text" if "messages" in fields else f"`{parameter}`"
    assert named in found["message"]
