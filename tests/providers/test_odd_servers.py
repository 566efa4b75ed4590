"""Model servers that send JSON of any shape: what they say is left out or told as their failure, never as ours."""

import json
from typing import Any

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.answers import MESSAGE, Start, final
from tests.openai_api.api import KAITO, events, text
from tests.servers.running import StandIn, running

Json = Any
QUESTION = "What is KAITO?"
TOO_DEEP = "[" * 5000 + "]" * 5000
TOO_LONG = f'{{"number": {"9" * 5000}}}'
WORDS = "KAITO is a Kubernetes operator for AI workloads [1]."
HUGE = 10**30
FILES = ["/v1/chat/completions", "/v1/models", "/v1/embeddings", "/api/chat", "/api/show", "/api/tags"]


def _events(*chunks: Json, usage: Json = None) -> str:
    ends: list[Json] = [{"choices": [{"delta": {}, "finish_reason": "stop"}]}, {"choices": [], "usage": usage}]
    sent = [chunk if isinstance(chunk, str) else json.dumps(chunk) for chunk in [*chunks, *ends]]
    return "".join(f"data: {chunk}\n\n" for chunk in sent)


def _frames(*frames: Json, **end: Json) -> str:
    sent = [frame if isinstance(frame, str) else json.dumps(frame) for frame in [*frames, {"done": True, **end}]]
    return "".join(f"{frame}\n" for frame in sent)


DELTA = {"choices": [{"delta": {"content": WORDS}}]}
FRAME = {"message": {"content": WORDS}}
SHOWN = {"model_info": {"general.architecture": "llama", "llama.context_length": 8192}}


class WrittenServer(StandIn):
    """Sends these texts, by path, whatever it is asked; a model in an Ollama and at an OpenAI server."""

    def __init__(self, texts: dict[str, str]) -> None:
        super().__init__(None, (), byte_by_byte=False)
        self.texts = {
            "/v1/models": '{"data": [{"id": "m"}]}',
            "/v1/chat/completions": _events(DELTA),
            "/api/chat": _frames(FRAME),
            "/api/show": json.dumps(SHOWN),
            "/api/tags": '{"models": [{"model": "m"}]}',
            **texts,
        }

    def routes(self) -> list[Route]:
        return [Route(path, self._send, methods=["GET", "POST"]) for path in FILES]

    async def _send(self, request: Request) -> Response:
        written = self.texts[request.url.path]
        streams = {"d": "text/event-stream", "\ufeff": "text/event-stream"}
        kind = (
            "application/x-ndjson" if request.url.path == "/api/chat" else streams.get(written[:1], "application/json")
        )
        return Response(written, media_type=kind)


def settings(server: StandIn, provider: str) -> Json:
    own = {"openai_base_url": f"{server.url}/v1"} if provider == "openai" else {"ollama_host": server.url}
    return {**own, "chat_model": f"{provider}/m"}


@pytest.mark.parametrize(
    ("provider", "texts"),
    [
        ("openai", {"/v1/models": json.dumps({"data": ["m", ["m"], 5, None, {"id": ["m"]}]})}),
        ("openai", {"/v1/models": json.dumps({"data": [{"id": "m", "meta": "x", "top_provider": [1]}]})}),
        ("openai", {"/v1/models": json.dumps({"data": [{"id": "m", "context_length": HUGE}]})}),
        ("openai", {"/v1/models": json.dumps({"data": [{"id": "m", "context_length": True}]})}),
        ("openai", {"/v1/models": TOO_DEEP}),
        ("openai", {"/v1/models": TOO_LONG}),
        ("ollama", {"/api/tags": TOO_DEEP}),
        ("ollama", {"/api/tags": TOO_LONG}),
        ("ollama", {"/api/show": TOO_DEEP}),
        ("ollama", {"/api/show": json.dumps({"model_info": {"general.architecture": "m", "m.context_length": -5}})}),
        ("ollama", {"/api/chat": _frames({**FRAME, "error": None}, {"message": WORDS}, {"message": [WORDS]})}),
    ],
)
async def test_an_answer_needs_nothing_that_is_odd(start: Start, provider: str, texts: dict[str, str]) -> None:
    with running(WrittenServer(texts)) as server:
        client = start(**settings(server, provider))
        project = await client.project("Docs")
        await client.ready(project, "KAITO", KAITO)
        found = await final(client, await client.session(project), QUESTION)
        models = (await client.run("{ models { name contextWindow } }"))["models"]
        health = await client.http.get(client.url.replace("graphql", "health"))
        listed = await client.http.get(client.url.replace("graphql", "v1/models"))
    assert (found["status"], found["content"], found["budget"]["contextWindow"]) == ("COMPLETED", WORDS, 8192)
    assert f"{provider}/m" in [model["name"] for model in models]
    assert (health.status_code, listed.status_code) == (200, 200)


@pytest.mark.parametrize("count", [HUGE, 2**31, 0, -7, True])
@pytest.mark.parametrize("provider", ["openai", "ollama"])
async def test_counts_that_are_none_are_not_stored(start: Start, provider: str, count: Json) -> None:
    usage = {"prompt_tokens": count, "completion_tokens": count}
    texts = {
        "/v1/chat/completions": _events(DELTA, usage=usage),
        "/api/chat": _frames(FRAME, prompt_eval_count=count, eval_count=count),
    }
    with running(WrittenServer(texts)) as server:
        client = start(**settings(server, provider))
        project = await client.project("Docs")
        await client.ready(project, "KAITO", KAITO)
        found = await final(client, await client.session(project), QUESTION)
    assert found["content"] == WORDS
    assert 100 < found["usage"]["inputTokens"] < 1000
    assert 5 < found["usage"]["outputTokens"] < 50


@pytest.mark.parametrize("sent", [TOO_DEEP, TOO_LONG], ids=["deep", "long"])
@pytest.mark.parametrize("provider", ["openai", "ollama"])
async def test_what_cannot_be_parsed_is_the_servers_failure(start: Start, provider: str, sent: str) -> None:
    with running(WrittenServer({"/v1/chat/completions": _events(DELTA, sent), "/api/chat": _frames(sent)})) as server:
        client = start(**settings(server, provider))
        session = await client.session(await client.project("Docs"), enableRag=False)
        answer = await client.answered(session, QUESTION)
        failure = (await client.run(MESSAGE, id=answer))["message"]["failure"]
        response = await _ask(client.http, client.url, stream=True)
        server.texts["/v1/chat/completions"] = sent
        whole = await _ask(client.http, client.url, stream=False)
    assert failure["code"] == "MODEL_INCOMPLETE"
    assert "model_incomplete" in response.text
    assert whole.json()["error"]["code"] in ("model_incomplete", "model_unavailable")


def _delta(content: Json, **more: Json) -> Json:
    return {"choices": [{"delta": {"content": content}, **more}]}


@pytest.mark.parametrize(
    "sent",
    [
        "\ufeff" + _events(_delta("KAITO"), _delta(WORDS[5:])),
        _events(_delta("KAITO", finish_reason=""), _delta(WORDS[5:], finish_reason="")),
        _events(_delta([{"type": "text", "text": "KAITO"}, 5, {"type": "text"}]), _delta(WORDS[5:])),
    ],
    ids=["byte order mark", "empty finish reason", "parts"],
)
async def test_no_piece_of_an_answer_is_lost(start: Start, sent: str) -> None:
    with running(WrittenServer({"/v1/chat/completions": sent})) as server:
        client = start(**settings(server, "openai"))
        project = await client.project("Docs")
        await client.ready(project, "KAITO", KAITO)
        found = await final(client, await client.session(project), QUESTION)
        relayed = events(await _ask(client.http, client.url, stream=True))
    assert (found["status"], found["content"]) == ("COMPLETED", WORDS)
    assert text([chunk for chunk in relayed if chunk != "[DONE]" and "KAITO" not in str(chunk)]) == WORDS[5:]
    assert relayed[-1] == "[DONE]"


async def test_a_whole_answer_as_the_only_chunk_of_a_stream_is_read(start: Start) -> None:
    whole: Json = {"choices": [{"message": {"role": "assistant", "content": WORDS}, "finish_reason": "stop"}]}
    with running(WrittenServer({"/v1/chat/completions": _events(whole)})) as server:
        client = start(**settings(server, "openai"))
        project = await client.project("Docs")
        await client.ready(project, "KAITO", KAITO)
        found = await final(client, await client.session(project), QUESTION)
    assert (found["status"], found["content"]) == ("COMPLETED", WORDS)


async def test_the_texts_of_a_server_that_completes_texts_are_read(start: Start) -> None:
    sent = [{"choices": [{"text": part, "index": 0, "finish_reason": None}]} for part in (WORDS[:5], WORDS[5:])]
    with running(WrittenServer({"/v1/chat/completions": _events(*sent)})) as server:
        client = start(**settings(server, "openai"))
        project = await client.project("Docs")
        await client.ready(project, "KAITO", KAITO)
        found = await final(client, await client.session(project), QUESTION)
    assert (found["status"], found["content"]) == ("COMPLETED", WORDS)


async def test_reasoning_in_parts_is_reasoning(start: Start) -> None:
    endless: Json = "?"
    for _ in range(460):
        endless = [{"type": "text", "text": endless}]
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "Hm"}, {"type": "text", "text": "m."}]}
    with running(WrittenServer({"/v1/chat/completions": _events(_delta([thought]), _delta(endless), DELTA)})) as server:
        client = start(**settings(server, "openai"))
        answer = await client.answered(await client.session(await client.project("Docs"), enableRag=False), QUESTION)
        found = (await client.run("query($id: ID!) { message(id: $id) { content reasoning } }", id=answer))["message"]
    assert found == {"content": WORDS, "reasoning": "Hmm."}


async def test_tool_calls_that_are_none_are_left_out(start: Start) -> None:
    calls: Json = [
        None,
        "x",
        {"function": "f"},
        {"function": {"arguments": {}}},
        {"function": {"name": "f", "arguments": 5}},
    ]
    with running(WrittenServer({"/api/chat": _frames({"message": {"content": "", "tool_calls": calls}})})) as server:
        client = start(**settings(server, "ollama"))
        [choice] = (await _ask(client.http, client.url, stream=False)).json()["choices"]
    assert [call["function"] for call in choice["message"]["tool_calls"]] == [{"name": "f", "arguments": "5"}]


async def _ask(http: httpx.AsyncClient, url: str, *, stream: bool) -> httpx.Response:
    body = {"messages": [{"role": "user", "content": QUESTION}], "stream": stream}
    return await http.post(url.replace("graphql", "v1/chat/completions"), json=body)
