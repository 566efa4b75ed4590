"""How streams of the OpenAI API end when a model server goes on after a finish reason, or breaks after it."""

from typing import Any

import pytest

from tests.openai_api.api import ABSENT, QUESTION, events, text
from tests.openai_api.conftest import Start
from tests.servers.running import How, running
from tests.servers.scripted import DONE, STOP, USAGE, ScriptedServer, event, say

Json = Any
# The question and the project, by the route that the request takes.
ROUTES: dict[str, tuple[str, Json]] = {
    "pass-through": (QUESTION, {"index_name": None}),
    "no-sources": (ABSENT, {}),
    "rag": (QUESTION, {}),
}
OURS = {"source_nodes", "citations", "notices"}


@pytest.mark.parametrize("route", ROUTES)
async def test_text_after_a_finish_reason_is_sent(start: Start, route: str) -> None:
    question, index = ROUTES[route]
    body = [say("KAITO"), STOP, say(" is an operator"), say(" for AI workloads."), DONE]
    with running(ScriptedServer(*body)) as model:
        response = await (await start(model)).ask(question, stream=True, **index)
    *chunks, done = events(response)
    assert response.headers["x-footnote-route"] == route
    assert (text(chunks), done) == ("KAITO is an operator for AI workloads.", "[DONE]")
    assert (chunks[-1].keys() >= OURS) is (route != "pass-through")
    assert not any(OURS & chunk.keys() for chunk in chunks[:-1])


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(
    ("behind", "then"),
    [
        ([], "die"),
        ([], "stall"),
        ([USAGE], "die"),
        ([b"data: {oops\n\n", DONE], "end"),
        ([event({"error": {"message": "no usage"}})], "end"),
    ],
    ids=["the connection ends", "silence", "the connection ends after the usage", "garbage", "an error"],
)
async def test_what_follows_a_complete_answer_does_not_undo_it(
    start: Start, route: str, behind: list[bytes], then: How
) -> None:
    question, index = ROUTES[route]
    with running(ScriptedServer(say("KAITO is an operator."), STOP, *behind, then=then)) as model:
        api = await start(model, model_between_tokens_seconds=1 if then == "stall" else 600)
        response = await api.ask(question, stream=True, **index)
    *chunks, done = events(response)
    assert (text(chunks), done) == ("KAITO is an operator.", "[DONE]")
    finishes = [choice["finish_reason"] for chunk in chunks for choice in chunk["choices"]]
    assert [finish for finish in finishes if finish] == ["stop"]
    assert (chunks[-1].keys() >= OURS) is (route != "pass-through")
