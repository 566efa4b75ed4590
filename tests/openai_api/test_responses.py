"""The Responses API: the same answers as chat completions, as OpenAI's client reads them."""

import json
from typing import Any

import httpx
import openai
import pytest

from tests.openai_api.api import ABSENT, QUESTION, OpenAIAPI, OpenAIServer, RawServer, assistant, error, user
from tests.openai_api.conftest import Start
from tests.openai_api.test_clients import ARGUMENTS, CONTENT, PIECES, TOOL, USAGE, calling, official
from tests.openai_api.test_pass_through import chunk
from tests.servers.running import Break, Refusal, running

Json = Any
DOCS = {"index_name": "Docs"}
PLACE = CONTENT.index("[1]")
FUNCTION = {"type": "function", **TOOL["function"]}
CALL: Json = {"type": "function_call", "call_id": "call_1", "name": "get_weather", "arguments": ARGUMENTS}
OUTPUT: Json = {"type": "function_call_output", "call_id": "call_1", "output": "Rain"}
SCHEMA: Json = {"name": "answer", "schema": {"type": "object"}, "strict": True}

# What is wrong, and the parameter that is named.
SHAPES: list[tuple[Json, str]] = [
    ({"input": None}, "input"),
    ({"input": " "}, "input"),
    ({"input": []}, "input"),
    ({"input": [{"type": "reasoning", "id": "rs_1", "summary": []}]}, "input"),
    ({"input": {"role": "user"}}, "input"),
    ({"input": ["Hello"]}, "input[0]"),
    ({"input": [{"content": "Hello"}]}, "input[0]"),
    ({"input": [user(7)]}, "input[0].content"),
    ({"input": [user([{"type": "input_file", "file_id": "f"}])]}, "input[0].content[0]"),
    ({"input": [user([{"type": "input_image", "file_id": "f"}])]}, "input[0].content[0]"),
    ({"input": [user([{"type": "input_text", "text": 7}])]}, "input[0].content[0].text"),
    ({"input": [{"type": "item_reference", "id": "msg_1"}]}, "input[0].type"),
    ({"input": [{**CALL, "arguments": {}}]}, "input[0].arguments"),
    ({"input": [{**OUTPUT, "call_id": None}]}, "input[0].call_id"),
    ({"instructions": ["Be brief."]}, "instructions"),
    ({"max_output_tokens": 0}, "max_output_tokens"),
    ({"max_output_tokens": True}, "max_output_tokens"),
    ({"reasoning": "high"}, "reasoning"),
    ({"text": "json"}, "text"),
    ({"text": {"format": "json"}}, "text.format"),
    ({"tools": {}}, "tools"),
    ({"tools": [{"type": "web_search"}]}, "tools[0].type"),
    ({"tools": [FUNCTION], "tool_choice": {"type": "file_search"}}, "tool_choice"),
    ({"truncation": "auto"}, "truncation"),
    ({"previous_response_id": "resp_1"}, "previous_response_id"),
    ({"conversation": "conv_1"}, "conversation"),
    ({"prompt": {"id": "p"}}, "prompt"),
    ({"background": True}, "background"),
    ({"top_logprobs": 3}, "top_logprobs"),
    ({"stream": "yes"}, "stream"),
    ({"temperature": "hot"}, "temperature"),
]


async def create(api: OpenAIAPI, input: Json = QUESTION, **fields: Json) -> httpx.Response:
    return await api.http.post(f"{api.base}/responses", json={"model": "openai/chat", "input": input, **fields})


def named_events(response: httpx.Response) -> list[Json]:
    """All events of a stream, each under its own name and number."""
    assert response.headers["content-type"].startswith("text/event-stream"), response.text
    found: list[Json] = []
    for number, event in enumerate(filter(None, response.text.split("\n\n"))):
        name, data = event.split("\n")
        found.append(json.loads(data.removeprefix("data: ")))
        assert (name, number) == (f"event: {found[-1]['type']}", found[-1]["sequence_number"])
    return found


def without_ids(output: Json) -> Json:
    return [{name: value for name, value in item.items() if name != "id"} for item in output]


async def test_openais_client_reads_an_answer_and_its_citations(start: Start) -> None:
    with running(OpenAIServer(lambda _: PIECES)) as model:
        async with official(await start(model)) as client:
            raw = await client.responses.with_raw_response.create(
                model="openai/chat", input=QUESTION, temperature=0.3, max_output_tokens=90, extra_body=DOCS
            )
    answer: Json = raw.parse()
    assert raw.headers["x-footnote-route"] == "rag"
    assert (answer.output_text, answer.status, answer.model) == (CONTENT, "completed", "openai/chat")
    assert answer.usage.output_tokens == len(PIECES)
    assert (answer.temperature, answer.max_output_tokens, answer.store) == (0.3, 90, False)
    extra: Json = answer.model_extra
    [annotation] = answer.output[0].content[0].annotations
    assert annotation.to_dict() == {
        "type": "file_citation",
        "file_id": extra["source_nodes"][0]["doc_id"],
        "filename": "Document 0",
        "index": PLACE,
    }
    assert [citation["label"] for citation in extra["citations"]] == ["[1]"]
    [sent] = model.chats
    assert (sent["temperature"], sent["max_completion_tokens"], "index_name" in sent) == (0.3, 90, False)
    assert "<<<" in sent["messages"][0]["content"]


async def test_openais_client_follows_a_stream(start: Start) -> None:
    with running(OpenAIServer(lambda _: PIECES)) as model:
        async with official(await start(model)) as client:
            stream: Json = client.responses.stream(model="openai/chat", input=QUESTION, extra_body=DOCS)
            async with stream as events:
                deltas = [event.delta async for event in events if event.type == "response.output_text.delta"]
                final: Json = await events.get_final_response()
    assert "".join(deltas) == final.output_text == CONTENT
    assert len(deltas) > 1
    assert final.output[0].content[0].annotations[0].index == PLACE
    assert final.usage.output_tokens == len(PIECES)


async def test_the_events_of_a_stream_build_the_whole_response(start: Start) -> None:
    with running(OpenAIServer(lambda _: PIECES)) as model:
        api = await start(model)
        whole = (await create(api, **DOCS)).json()
        events = named_events(await create(api, **DOCS, stream=True))
    kinds = [event["type"].removeprefix("response.") for event in events]
    deltas = [event["delta"] for event in events if event["type"] == "response.output_text.delta"]
    assert "".join(deltas) == CONTENT
    assert kinds == [
        *("created", "in_progress", "output_item.added", "content_part.added"),
        *["output_text.delta"] * len(deltas),
        *("output_text.annotation.added", "output_text.done", "content_part.done", "output_item.done", "completed"),
    ]
    done, item, final = events[-4], events[-2]["item"], events[-1]["response"]
    assert done["text"] == CONTENT
    assert item == final["output"][0]
    assert without_ids(final["output"]) == without_ids(whole["output"])
    assert {event["response"]["id"] for event in (*events[:2], events[-1])} == {final["id"]}
    assert {name: final[name] for name in ("citations", "source_nodes", "notices", "usage")} == {
        name: whole[name] for name in ("citations", "source_nodes", "notices", "usage")
    }


async def test_a_conversation_and_its_settings_reach_the_model(start: Start) -> None:
    earlier = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed"}
    with running(
        RawServer(lambda _: {"choices": [{"message": {"content": "Yes."}, "finish_reason": "stop"}]})
    ) as model:
        api = await start(model)
        response = await create(
            api,
            [
                {"role": "developer", "content": "Answer in English."},
                user([{"type": "input_text", "text": "Hello"}]),
                {"type": "reasoning", "id": "rs_1", "summary": []},
                {**earlier, "content": [{"type": "output_text", "text": "Good day.", "annotations": []}]},
                user([{"type": "input_image", "image_url": "data:image/png;base64,AA", "detail": "low"}]),
            ],
            instructions="Be brief.",
            max_output_tokens=50,
            reasoning={"effort": "low"},
            text={"format": {"type": "json_schema", **SCHEMA}, "verbosity": "low"},
            top_p=0.5,
            store=True,
            include=["reasoning.encrypted_content"],
            tools=[],
            tool_choice="auto",
        )
    assert (response.status_code, response.headers["x-footnote-route"]) == (200, "pass-through")
    assert (response.json()["model"], response.json()["output"][0]["content"][0]["text"]) == ("openai/chat", "Yes.")
    [sent] = model.chats
    assert sent["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "developer", "content": "Answer in English."},
        user([{"type": "text", "text": "Hello"}]),
        assistant([{"type": "text", "text": "Good day."}]),
        user([{"type": "image_url", "image_url": {"url": "data:image/png;base64,AA", "detail": "low"}}]),
    ]
    settings = {name: value for name, value in sent.items() if name not in ("messages", "model", "stream")}
    assert settings == {
        "max_completion_tokens": 50,
        "reasoning_effort": "low",
        "response_format": {"type": "json_schema", "json_schema": SCHEMA},
        "verbosity": "low",
        "top_p": 0.5,
    }


async def test_functions_are_called_and_their_output_is_sent(start: Start) -> None:
    with running(RawServer(calling)) as model:
        api = await start(model)
        choice = {"type": "function", "name": "get_weather"}
        whole = (await create(api, tools=[FUNCTION], tool_choice=choice)).json()
        events = named_events(await create(api, [user(QUESTION), CALL, OUTPUT], tools=[FUNCTION], stream=True))
    pieces = [event["delta"] for event in events if event["type"] == "response.function_call_arguments.delta"]
    assert ("".join(pieces), len(pieces)) == (ARGUMENTS, len(ARGUMENTS))
    for response in (whole, events[-1]["response"]):
        assert without_ids(response["output"]) == [{**CALL, "status": "completed"}]
        assert response["usage"]["total_tokens"] == USAGE["total_tokens"]
    first, second = model.chats
    assert (first["tools"], first["tool_choice"]) == (
        [TOOL],
        {"type": "function", "function": {"name": "get_weather"}},
    )
    called, answered = second["messages"][1:]
    assert [call["function"] for call in called["tool_calls"]] == [{"name": "get_weather", "arguments": ARGUMENTS}]
    assert answered == {"role": "tool", "tool_call_id": "call_1", "content": "Rain"}


async def test_reasoning_is_an_item_of_its_own(start: Start) -> None:
    thinking = [chunk({"reasoning_content": "Let me "}), chunk({"reasoning_content": "think."})]
    reply = [*thinking, chunk({"content": "Yes."}), chunk({}, "stop")]
    with running(RawServer(lambda _: reply)) as model:
        events = named_events(await create(await start(model), stream=True))
    reasoning, message = events[-1]["response"]["output"]
    assert reasoning["content"] == [{"type": "reasoning_text", "text": "Let me think."}]
    assert message["content"][0]["text"] == "Yes."
    indexes = [event["output_index"] for event in events if "output_index" in event]
    assert indexes == sorted(indexes)


async def test_fields_that_a_chat_request_does_not_take_stay_here(start: Start) -> None:
    """OpenAI's own server takes metadata only of chats that it stores."""
    refuses = {
        "metadata": "The 'metadata' parameter is only allowed when 'store' is enabled.",
        "max_tool_calls": "Unrecognized request argument supplied: max_tool_calls",
        "top_logprobs": "top_logprobs is only allowed when logprobs is enabled.",
    }
    with running(OpenAIServer(lambda _: PIECES, refuses=refuses)) as model:
        response = await create(await start(model), metadata={"run": "7"}, max_tool_calls=3, top_logprobs=0)
    assert response.status_code == 200, response.text
    assert response.json()["metadata"] == {"run": "7"}


REFUSED = ["I can't ", "help with that [1]."]


def refusing(body: Json) -> Json:
    """A model that refuses, as OpenAI's do when a schema is given."""
    if body.get("stream"):
        return [*(chunk({"refusal": piece}) for piece in REFUSED), chunk({}, "stop")]
    message = {"role": "assistant", "content": None, "refusal": "".join(REFUSED)}
    return {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}


async def test_a_refusal_is_a_part_of_its_own_kind(start: Start) -> None:
    refusal = "".join(REFUSED)
    with running(RawServer(refusing)) as model:
        api = await start(model)
        whole = (await create(api)).json()
        events = named_events(await create(api, stream=True))
        async with official(api) as client, client.responses.stream(model="openai/chat", input=QUESTION) as stream:
            read: Json = await stream.get_final_response()
    kinds = [event["type"].removeprefix("response.") for event in events]
    assert kinds[2:-1] == [
        *("output_item.added", "content_part.added", "refusal.delta", "refusal.delta"),
        *("refusal.done", "content_part.done", "output_item.done"),
    ]
    assert [event["delta"] for event in events if "delta" in event] == REFUSED
    assert events[-4]["refusal"] == refusal
    for response in (whole, events[-1]["response"], read.to_dict()):
        [message] = response["output"]
        assert message["content"] == [{"type": "refusal", "refusal": refusal}]


async def test_a_refusal_after_the_beginning_of_an_answer_is_its_second_part(start: Start) -> None:
    pieces = [chunk({"content": "Yes, "}), chunk({"refusal": "no."}), chunk({}, "stop")]
    with running(RawServer(lambda _: pieces)) as model:
        events = named_events(await create(await start(model), stream=True))
    [message] = events[-1]["response"]["output"]
    assert [part["type"] for part in message["content"]] == ["output_text", "refusal"]
    places = {event["type"]: event["content_index"] for event in events if "content_index" in event}
    assert (places["response.output_text.done"], places["response.refusal.done"]) == (0, 1)


async def test_an_answer_that_reaches_its_limit_is_incomplete(start: Start) -> None:
    with running(OpenAIServer(lambda _: PIECES, finish="length")) as model:
        api = await start(model)
        whole = (await create(api, **DOCS)).json()
        last = named_events(await create(api, **DOCS, stream=True))[-1]
    assert last["type"] == "response.incomplete"
    for response in (whole, last["response"]):
        assert (response["status"], response["incomplete_details"]) == ("incomplete", {"reason": "max_output_tokens"})
        assert response["output"][0]["status"] == "incomplete"


async def test_an_answer_that_breaks_off_has_failed(start: Start) -> None:
    with running(
        OpenAIServer(lambda _: PIECES, faults=[Break("error", after=1), Refusal(429, headers={"retry-after": "30"})])
    ) as model:
        api = await start(model)
        broken = named_events(await create(api, stream=True))[-1]
        refused = error(await create(api), 429)
    assert broken["type"] == "response.failed"
    response = broken["response"]
    assert (response["status"], response["error"]["code"]) == ("failed", "model_unavailable")
    assert response["output"][0]["content"][0]["text"] == PIECES[0]
    assert refused["code"] == "rate_limit_exceeded"


async def test_without_a_relevant_passage_the_model_answers_alone(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["Carlsen ", "[1]."])) as model:
        response = await create(await start(model), ABSENT, **DOCS)
    assert response.headers["x-footnote-route"] == "no-sources"
    body = response.json()
    assert (body["citations"], body["output"][0]["content"][0]["annotations"]) == ([], [])


async def test_citations_of_a_provider_are_its_own(start: Start) -> None:
    theirs = {"citations": [{"uses": 1}, "https://example.org"]}
    with running(RawServer(lambda _: [chunk({"content": "Yes."}), {**chunk({}, "stop"), **theirs}])) as model:
        response = named_events(await create(await start(model), stream=True))[-1]["response"]
    assert response["citations"] == theirs["citations"]
    assert response["output"][0]["content"][0]["annotations"] == []


async def test_what_cannot_be_expressed_is_refused_with_its_place(start: Start) -> None:
    api = await start()
    for fields, parameter in SHAPES:
        found = error(await create(api, **{"input": QUESTION, **fields}), 400)
        assert found["param"] == parameter, fields
        assert found["message"].startswith(f"`{parameter}")
        assert found["message"].endswith(".")
    silent = error(await create(api, [assistant("Hello.")], **DOCS, model="embedded/extractive"), 400)
    assert "There must be a user prompt since the latest assistant message." in silent["message"]


async def test_a_request_that_is_too_long_names_its_input(start: Start) -> None:
    small = {"id": "chat", "object": "model", "owned_by": "stand-in", "context_window": 1_000}
    with running(OpenAIServer(lambda _: PIECES, models=[small])) as model:
        async with official(await start(model)) as client:
            with pytest.raises(openai.BadRequestError) as long:
                await client.responses.create(model="openai/chat", input="word " * 5_000, extra_body=DOCS)
    assert (long.value.code, long.value.param) == ("context_length_exceeded", "input")
