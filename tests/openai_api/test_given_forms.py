"""Answers from documents in a form that the client gives, such as JSON, where `[1]` is a value and no marker."""

import json
from typing import Any

import pytest

from app.rag.context.prompt import FORM_POLICY
from tests.openai_api.api import KAITO, OpenAIServer, RawServer, events, text
from tests.openai_api.conftest import Start
from tests.openai_api.test_pass_through import chunk
from tests.servers.running import running

Json = Any
ASKED = "Which sections has KAITO [1]?"
NOTED = f"{KAITO}\n\nTested on three clouds [1], see [7]."
WRITTEN = ['{"sections": [1', ', 2], "pages": [[7]], "ids": [', '99], "by": "[1]"}']
FORMS: dict[str, Json] = {
    "JSON": {"response_format": {"type": "json_object"}},
    "a schema": {"response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": {}}}},
    "vLLM": {"guided_json": {"type": "object"}},
    "SGLang": {"regex": "[a-z]+"},
    "llama.cpp": {"grammar": "root ::= [a-z]+"},
}


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
async def test_an_answer_in_a_given_form_comes_as_the_model_wrote_it(start: Start, form: Json, stream: bool) -> None:
    with running(OpenAIServer(lambda _: WRITTEN)) as model:
        api = await start(model, documents=(NOTED,))
        response = await api.ask(ASKED, stream=stream, **form)
    assert response.headers["x-footnote-route"] == "rag"
    last = [event for event in events(response) if event != "[DONE]"][-1] if stream else response.json()
    written = text(events(response)) if stream else last["choices"][0]["message"]["content"]
    assert json.loads(written) == {"sections": [1, 2], "pages": [[7]], "ids": [99], "by": "[1]"}
    assert (last["citations"], last["notices"]) == ([], [])
    assert [node["text"] for node in last["source_nodes"]] == [NOTED]
    assert form.items() <= model.chats[0].items()


async def test_the_model_is_not_asked_for_markers_in_a_given_form(start: Start) -> None:
    earlier = [{"role": "user", "content": "What is [1]?"}, {"role": "assistant", "content": '{"ids": [1]}'}]
    with running(OpenAIServer(lambda _: ["{}"])) as model:
        api = await start(model, documents=(NOTED,), prompt_profile="SMALL")
        await api.ask([*earlier, {"role": "user", "content": ASKED}], response_format={"type": "json_object"})
    system, *rest = model.chats[0]["messages"]
    assert system == {"role": "system", "content": FORM_POLICY}
    assert rest[:2] == earlier
    assert rest[2]["content"].endswith(ASKED)
    assert NOTED in rest[2]["content"]


async def test_plain_text_is_no_form(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["It is an operator [1], not a [7]."])) as model:
        api = await start(model)
        body = (await api.ask(response_format={"type": "text"})).json()
    assert body["choices"][0]["message"]["content"] == "It is an operator [1], not a."
    assert len(body["citations"]) == 1


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
async def test_a_refusal_is_not_taken_for_the_form(start: Start, stream: bool) -> None:
    """A client that parses `content` as JSON would fail with it."""
    pieces = [chunk({"refusal": "I can't "}), chunk({"refusal": "do that [1."}), chunk({}, "stop")]
    with running(RawServer(lambda _: pieces)) as model:
        response = await (await start(model)).ask(stream=stream, **FORMS["a schema"])
    assert response.headers["x-footnote-route"] == "rag"
    if stream:
        deltas = [choice["delta"] for event in events(response)[:-1] for choice in event["choices"]]
        assert "".join(delta.get("refusal", "") for delta in deltas) == "I can't do that [1."
        assert text(events(response)) == ""
    else:
        message = response.json()["choices"][0]["message"]
        assert message == {"role": "assistant", "content": None, "refusal": "I can't do that [1."}


async def test_a_refusal_that_is_held_back_is_one_to_its_end(start: Start) -> None:
    """Text that may become a marker is held back; the answer ends before that is decided."""
    with running(RawServer(lambda _: [chunk({"refusal": "No [1"}), chunk({}, "stop")])) as model:
        message = (await (await start(model)).ask()).json()["choices"][0]["message"]
    assert message == {"role": "assistant", "content": None, "refusal": "No [1"}
