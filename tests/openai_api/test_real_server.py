"""The OpenAI API over a real llama.cpp server with a toy model: the words are nonsense, the shapes are real."""

import json
from typing import Any

from tests.openai_api.api import QUESTION, events, text
from tests.openai_api.conftest import Start
from tests.openai_api.test_clients import TOOL
from tests.servers.llamacpp import CHAT, WINDOW, llamacpp

Json = Any
USER = {"role": "user", "content": QUESTION}


async def test_a_real_server_answers_with_and_without_documents(start: Start) -> None:
    with llamacpp("chat", CHAT, WINDOW * 2) as chat:
        api = await start(openai_base_url=f"{chat}/v1", chat_model="openai/tiny")
        options: Json = {"max_tokens": 32, "seed": 1, "stream": True, "stream_options": {"include_usage": True}}
        found = await api.ask(model="tiny", **options)
        passed = await api.post({"messages": [USER], "logprobs": True, **options})
        called = await api.post(
            {"messages": [USER], "tools": [TOOL], "tool_choice": "required", "max_tokens": 200, "index_name": "Docs"}
        )
        listed = (await api.raw("GET", "/models")).json()["data"]
    assert found.headers["x-footnote-route"] == "rag"
    *chunks, done = events(found)
    assert (done, bool(text(chunks))) == ("[DONE]", True)
    assert chunks[-1]["source_nodes"][0]["metadata"]["title"] == "Document 0"
    assert 0 < chunks[-1]["usage"]["completion_tokens"] <= 32
    assert passed.headers["x-footnote-route"] == called.headers["x-footnote-route"] == "pass-through"
    *chunks, done = events(passed)
    assert done == "[DONE]"
    # What only this server sends comes through.
    assert any(choice.get("logprobs") for chunk in chunks for choice in chunk["choices"])
    assert any("timings" in chunk for chunk in chunks)
    (call,) = called.json()["choices"][0]["message"]["tool_calls"]
    assert call["function"]["name"] == "get_weather"
    assert isinstance(json.loads(call["function"]["arguments"]), dict)
    assert {entry["owned_by"] for entry in listed} == {"embedded", "openai"}


async def test_a_real_server_reports_a_prompt_that_is_too_long(start: Start) -> None:
    with llamacpp("chat", CHAT, WINDOW) as chat:
        api = await start(openai_base_url=f"{chat}/v1", chat_model="openai/tiny")
        messages = [{"role": "user", "content": "word " * 5000}]
        passed = await api.post({"messages": messages})
        searched = await api.ask(messages, model="tiny")
    assert passed.status_code == searched.status_code == 400
    assert passed.json()["error"]["code"] == searched.json()["error"]["code"] == "context_length_exceeded"
    assert searched.json()["error"]["message"] == "Prompt length exceeds context window."
