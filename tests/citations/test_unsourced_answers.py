"""Answers without passages: their text stays as it is, and nothing in it becomes a citation."""

from typing import Any

import pytest

from app.rag.context.prompt import OPEN_POLICY
from tests.answers import MESSAGE, TEXT, Start, openai
from tests.graphql.client import EVENTS
from tests.servers.openai import OpenAIServer
from tests.servers.running import running

BRACKETS = "[1] Knuth wrote of a[0] and b[1], as in [^2] and [3](https://example.org/a[4]).\n\n[5]: `open [6"
ASKED = "What do a[0] and b[1] mean?"


@pytest.mark.parametrize(
    ("question", "settings", "outcome"),
    [
        (ASKED, {"enableRag": False}, "PASSED_THROUGH"),
        ("Thank you very much!", {}, "PASSED_THROUGH"),
        ("Who won the chess championship [1]?", {"grounding": "OPEN"}, "UNCITED"),
    ],
)
async def test_brackets_stay_where_nothing_was_retrieved(
    start: Start, question: str, settings: dict[str, Any], outcome: str
) -> None:
    with running(OpenAIServer(lambda _: list(BRACKETS))) as model:
        client = start(**openai(model))
        project = await client.project("Shop")
        await client.ready(project, "Returns", TEXT)
        answer = await client.answered(await client.session(project, **settings), question)
        happened = await client.follow(EVENTS, id=answer)
        message = (await client.run(MESSAGE, id=answer))["message"]
    assert message["content"] == BRACKETS
    assert (message["outcome"], message["citations"], message["notices"]) == (outcome, [], [])
    assert "".join(event["text"] for event in happened if event["__typename"] == "AnswerDelta") == BRACKETS
    assert not {event["__typename"] for event in happened} & {"CitationAdded", "AnswerReplaced"}
    # What goes out is as it was typed, and no policy asks for markers that nobody would check.
    assert model.chats[0]["messages"] == [{"role": "user", "content": question}]


async def test_brackets_are_still_checked_where_something_was_retrieved(start: Start) -> None:
    with running(OpenAIServer(lambda _: list("Within 30 days [1], as b[7] says."))) as model:
        client = start(**openai(model))
        project = await client.project("Shop")
        await client.ready(project, "Returns", TEXT)
        session = await client.session(project, grounding="OPEN")
        answer = await client.answered(session, "Until when can goods be returned?")
        message = (await client.run(MESSAGE, id=answer))["message"]
    assert message["content"] == "Within 30 days [1], as b says."
    assert model.chats[0]["messages"][0]["content"].startswith(OPEN_POLICY)
