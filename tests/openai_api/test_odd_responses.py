"""The Responses API in front of servers whose chunks have odd shapes: its own have the usual ones."""

from typing import Any

import openai
import pytest

from tests.openai_api.api import OpenAIServer, RawServer, assistant, error
from tests.openai_api.conftest import Start
from tests.openai_api.test_clients import ARGUMENTS, calling, official
from tests.openai_api.test_pass_through import chunk
from tests.openai_api.test_responses import CALL, DOCS, FUNCTION, OUTPUT, create, named_events
from tests.servers.running import running

Json = Any
WEATHER = {"name": "get_weather", "arguments": ARGUMENTS}
# Not one of these is a part of an answer.
NO_ANSWERS: list[Json] = [
    {"tool_calls": {"index": 0}},
    {"tool_calls": [None, "call", 7, {}, {"index": [0], "function": "get_weather"}]},
    {"tool_calls": [{"index": {}, "id": ["c"], "function": []}]},
    {"content": {"text": "No."}, "reasoning": ["No."]},
    {"content": [7, {"type": ["text"], "text": "No."}, {"type": "text", "text": 7}]},
]


def sending(*chunks: Json) -> RawServer:
    return RawServer(lambda _: chunks)


@pytest.mark.parametrize("odd", NO_ANSWERS)
async def test_what_is_no_part_of_an_answer_is_left_out(start: Start, odd: Json) -> None:
    with running(sending(chunk(odd), chunk({"content": "Yes."}), chunk(odd), chunk({}, "stop"))) as model:
        events = named_events(await create(await start(model), stream=True))
    assert events[-1]["type"] == "response.completed"
    [message] = events[-1]["response"]["output"]
    assert message["content"][0]["text"] == "Yes."


CALLS: dict[str, list[Json]] = {
    "unhashable indexes": [{"index": [], "id": "a", "function": WEATHER}],
    "no id": [{"index": 0, "function": WEATHER}],
    "arguments as an object": [{"index": 0, "id": "a", "function": {**WEATHER, "arguments": {"city": "Zürich"}}}],
    "id and name apart": [{"index": 0, "id": "a"}, {"index": 0, "function": WEATHER}],
    "repeated ids": [
        {"index": 0, "id": "a", "function": {**WEATHER, "arguments": ARGUMENTS[:5]}},
        {"index": 0, "id": "a", "function": {**WEATHER, "arguments": ARGUMENTS[5:]}},
    ],
    "new ids": [
        {"index": 0, "id": "a", "function": {**WEATHER, "arguments": ARGUMENTS[:5]}},
        {"index": 0, "id": "b", "function": {"arguments": ARGUMENTS[5:]}},
    ],
}


@pytest.mark.parametrize("calls", CALLS.values(), ids=CALLS)
async def test_a_function_call_in_an_odd_shape_is_read(start: Start, calls: list[Json]) -> None:
    with running(sending(*(chunk({"tool_calls": [call]}) for call in calls), chunk({}, "tool_calls"))) as model:
        events = named_events(await create(await start(model), tools=[FUNCTION], stream=True))
    [call] = events[-1]["response"]["output"]
    assert (call["name"], call["arguments"].replace(" ", "")) == ("get_weather", ARGUMENTS.replace(" ", ""))
    assert call["call_id"] not in ("", "None")
    assert events[-2]["item"] == call


@pytest.mark.parametrize("ids", [("a", "b"), ("", ""), (None, None)])
async def test_two_calls_are_two_calls(start: Start, ids: tuple[str | None, str | None]) -> None:
    """Some servers give all calls one index, or none an id."""
    calls = [{"index": 0 if id else at, "id": id, "function": WEATHER} for at, id in enumerate(ids)]
    with running(sending(*(chunk({"tool_calls": [call]}) for call in calls), chunk({}, "tool_calls"))) as model:
        async with official(await start(model)) as client:
            tools: Json = [{**FUNCTION, "strict": False}]
            async with client.responses.stream(model="openai/chat", input="Weather?", tools=tools) as events:
                output: Json = (await events.get_final_response()).output
    assert [(call.name, call.arguments) for call in output] == [("get_weather", ARGUMENTS)] * 2
    assert len({call.call_id for call in output}) == 2


async def test_pieces_of_parallel_calls_may_come_in_turn(start: Start) -> None:
    half = len(ARGUMENTS) // 2
    pieces = [(at, arguments) for arguments in (ARGUMENTS[:half], ARGUMENTS[half:]) for at in (0, 1)]
    begun = [{"index": at, "id": id, "function": {"name": "get_weather"}} for at, id in enumerate("ab")]
    calls = [*begun, *({"index": at, "function": {"arguments": arguments}} for at, arguments in pieces)]
    with running(sending(*(chunk({"tool_calls": [call]}) for call in calls), chunk({}, "tool_calls"))) as model:
        events = named_events(await create(await start(model), tools=[FUNCTION], stream=True))
    output = events[-1]["response"]["output"]
    assert [(call["call_id"], call["arguments"], call["status"]) for call in output] == [
        (id, ARGUMENTS, "completed") for id in "ab"
    ]
    for at, call in enumerate(output):
        of_call = [event for event in events if event.get("output_index") == at]
        added, *deltas, whole, done = of_call
        assert (added["type"], done["type"]) == ("response.output_item.added", "response.output_item.done")
        assert [event["type"] for event in deltas] == ["response.function_call_arguments.delta"] * 2
        assert "".join(event["delta"] for event in deltas) == whole["arguments"] == ARGUMENTS
        assert done["item"] == call


async def test_of_parallel_calls_the_one_that_was_cut_is_incomplete(start: Start) -> None:
    calls = [{"index": at, "id": id, "function": WEATHER} for at, id in enumerate("ab")]
    with running(sending(*(chunk({"tool_calls": [call]}) for call in calls), chunk({}, "length"))) as model:
        events = named_events(await create(await start(model), tools=[FUNCTION], stream=True))
    assert [call["status"] for call in events[-1]["response"]["output"]] == ["completed", "incomplete"]


async def test_parts_of_text_and_thinking_are_read(start: Start) -> None:
    """As Mistral's servers send them."""
    parts = [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}, {"type": "text", "text": "Yes."}]
    with running(sending(chunk({"content": parts}), chunk({}, "stop"))) as model:
        events = named_events(await create(await start(model), stream=True))
    reasoning, message = events[-1]["response"]["output"]
    assert (reasoning["content"][0]["text"], message["content"][0]["text"]) == ("Hm.", "Yes.")


async def test_counts_and_names_of_other_types_are_left_out(start: Start) -> None:
    usage = {"prompt_tokens": 3, "completion_tokens": "4", "prompt_tokens_details": {"cached_tokens": 1e400}}
    with running(sending(chunk({"content": "Yes."}, model=[7]), chunk({}, "stop", usage=usage))) as model:
        response = named_events(await create(await start(model), stream=True))[-1]["response"]
    assert response["model"] == "openai/chat"
    assert response["usage"] == {
        "input_tokens": 3,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": 0,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 3,
    }


async def test_each_message_has_the_citations_in_its_own_text(start: Start) -> None:
    """A model may think again in the middle of its answer."""
    pieces = [{"content": "KAITO is an operator [1]."}, {"reasoning_content": "Hm."}, {"content": " It has GPUs [1]."}]
    with running(sending(*map(chunk, pieces), chunk({}, "stop"))) as model:
        response = await create(await start(model), **DOCS, stream=True)
    output = named_events(response)[-1]["response"]["output"]
    texts = [item["content"][0] for item in output if item["type"] == "message"]
    assert len(texts) == 2
    for text in texts:
        [annotation] = text["annotations"]
        assert text["text"][annotation["index"] :].startswith("[1]")


@pytest.mark.parametrize("place", [0, 1, 2])
async def test_text_and_calls_of_one_answer_are_one_message(start: Start, place: int) -> None:
    """Templates of some models refuse two messages of the assistant in a row, or text between a call and its output."""
    items: list[Json] = [CALL, {**CALL, "call_id": "call_2"}]
    items.insert(place, assistant("I shall look."))
    with running(RawServer(calling)) as model:
        await create(await start(model), [*items, OUTPUT], parallel_tool_calls=False)
    [sent] = model.chats
    message, output = sent["messages"]
    assert (message["role"], message["content"]) == ("assistant", "I shall look.")
    assert [call["id"] for call in message["tool_calls"]] == ["call_1", "call_2"]
    assert output["role"] == "tool"
    assert "parallel_tool_calls" not in sent


async def test_an_item_that_is_not_stored_is_refused_with_the_way_out(start: Start) -> None:
    async with official(await start()) as client:
        with pytest.raises(openai.BadRequestError, match="set the provider option `store` to false"):
            await client.responses.create(model="openai/chat", input=[{"type": "item_reference", "id": "msg_1"}])


@pytest.mark.parametrize("index", [{}, DOCS], ids=["passed through", "from documents"])
async def test_a_server_that_cannot_report_usage_is_asked_only_once(start: Start, index: Json) -> None:
    refuses = {"stream_options": "Unrecognized request argument supplied: stream_options"}
    with running(OpenAIServer(lambda _: ["Yes."], refuses=refuses)) as model:
        api = await start(model)
        responses = [named_events(await create(api, stream=True, **index))[-1] for _ in range(2)]
    assert [response["type"] for response in responses] == ["response.completed"] * 2
    assert responses[1]["response"]["output"][0]["content"][0]["text"] == "Yes."
    assert ["stream_options" in sent for sent in model.chats] == [True, False, False]


@pytest.mark.parametrize("index", [{}, DOCS], ids=["passed through", "from documents"])
async def test_a_server_may_know_only_the_older_name_of_the_limit(start: Start, index: Json) -> None:
    """As Mistral's does."""
    refuses = {"max_completion_tokens": "extra_forbidden: max_completion_tokens. Extra inputs are not permitted."}
    with running(OpenAIServer(lambda _: ["Yes."], refuses=refuses)) as model:
        api = await start(model)
        for _ in range(2):
            assert (await create(api, max_output_tokens=90, **index)).json()["status"] == "completed"
    assert [(sent.get("max_completion_tokens"), sent.get("max_tokens")) for sent in model.chats] == [
        *((90, None), (None, 90), (None, 90))
    ]


async def test_what_a_client_has_chosen_itself_is_not_adapted(start: Start) -> None:
    refuses = {name: f"Unknown parameter: {name}." for name in ("stream_options", "max_completion_tokens")}
    with running(OpenAIServer(lambda _: ["Yes."], refuses=refuses)) as model:
        api = await start(model)
        for chosen in ({"stream_options": {"include_usage": True}}, {"max_completion_tokens": 90}):
            response = await api.ask("Hello", index_name=None, stream=True, **chosen)
            assert error(response, 400)["code"] == "model_refused"
    assert len(model.chats) == 2
