"""Markers that the server places: where a passage supports a sentence that the model left without one."""

import random
from typing import Any

import httpx
import pytest

from app.rag.citations.citation_stream import CitationStream
from app.rag.citations.citation_types import CheckedCitation, CheckedText, CitableSource, CitationEvent
from tests.answers import Start, asked, openai, told
from tests.graphql.client import Client
from tests.servers.openai import OpenAIServer
from tests.servers.running import running
from tests.servers.scripted import DONE, STOP, ScriptedServer, chunk, say

QUESTION = "Until when can goods be returned?"
SUPPORTED, INVENTED = "Goods may be returned within 30 days of delivery.", "Our founder loves bananas and tea."


def placed(message: dict[str, Any]) -> list[tuple[str, str]]:
    """The marker of each use as it stands in the content, and who placed it."""
    return [
        (message["content"][use["markerSpan"]["startOffset"] : use["markerSpan"]["endOffset"]], use["placedBy"])
        for citation in message["citations"]
        for use in citation["uses"]
    ]


async def test_a_supported_sentence_gets_a_marker_and_an_invented_one_does_not(start: Start) -> None:
    pieces = ["Goods may be ", "returned within 30", " days of delivery", ". Our founder loves bananas and tea."]
    with running(OpenAIServer(lambda _: pieces)) as model:
        message = await asked(start(**openai(model)), QUESTION)
    assert message["content"] == f"{SUPPORTED} [1] {INVENTED}"
    assert (message["outcome"], placed(message)) == ("CITED", [("[1]", "SERVER")])
    assert message["citations"][0]["quote"] in message["citations"][0]["chunk"]["text"]


async def test_a_refusal_gets_no_marker(start: Start) -> None:
    with running(ScriptedServer(chunk({"refusal": SUPPORTED}), STOP, DONE)) as model:
        message = await asked(start(**openai(model)), QUESTION)
    assert (message["outcome"], message["citations"]) == ("REJECTED", [])


async def test_only_what_precedes_a_refusal_gets_a_marker(start: Start) -> None:
    with running(ScriptedServer(say(f"{SUPPORTED}\n"), chunk({"refusal": SUPPORTED}), STOP, DONE)) as model:
        message = await asked(start(**openai(model)), QUESTION)
    assert message["content"] == f"{SUPPORTED} [1]\n{SUPPORTED}"


async def test_the_models_own_marker_is_its_own_and_is_not_repeated(start: Start) -> None:
    with running(OpenAIServer(lambda _: [f"{SUPPORTED} ", "[1]", " Opened software cannot be returned."])) as model:
        message = await asked(start(**openai(model)), QUESTION)
    assert message["content"] == f"{SUPPORTED} [1] Opened software cannot be returned. [1]"
    assert placed(message) == [("[1]", "MODEL"), ("[1]", "SERVER")]


async def test_nothing_shown_changes_and_a_replay_is_the_same(start: Start) -> None:
    with running(
        OpenAIServer(lambda _: ["Goods may be returned within 30 days", " of delivery.", "\n\n", INVENTED])
    ) as model:
        client = start(**openai(model))
        project = await client.project("Shop")
        await client.ready(project, "Returns", "Goods may be returned within 30 days of delivery.")
        events = await told(client, await client.session(project), QUESTION)
    kinds = [event["__typename"] for event in events]
    assert "AnswerReplaced" not in kinds
    deltas = [event["text"] for event in events if event["__typename"] == "AnswerDelta"]
    assert "".join(deltas) == events[-1]["message"]["content"] == f"{SUPPORTED} [1]\n\n{INVENTED}"
    assert kinds.index("CitationAdded") < len(kinds) - 1


@pytest.mark.parametrize(
    "sentence",
    [INVENTED, "Goods may be returned within 31 days of delivery.", "Goods can be returned.", "…"],
)
async def test_an_answer_without_support_is_withdrawn(start: Start, sentence: str) -> None:
    with running(OpenAIServer(lambda _: [sentence])) as model:
        message = await asked(start(**openai(model)), QUESTION)
    assert (message["outcome"], message["citations"]) == ("REJECTED", [])


@pytest.mark.parametrize(
    ("sentence", "placed_by"),
    [
        ("The upload limit is 3 days.", []),
        ("The upload limit is 3 megabytes.", ["SERVER"]),
        ("Step 3 checks the upload limit.", ["SERVER"]),
    ],
)
async def test_a_number_must_count_the_same_in_the_quote(start: Start, sentence: str, placed_by: list[str]) -> None:
    text = "# Upload\n\nStep 3: the upload limit, 3 MB, is checked.\n\n# Limits\n\nUploads end after some days."
    stream = CitationStream(
        [CitableSource(1, 1, "a", "Limits", None, None, (), 0, text)], "NUMBERED", question="What is checked?"
    )
    stream.feed(sentence)
    stream.finish()
    assert [use.placed_by for citation in stream.citations for use in citation.uses] == placed_by


@pytest.mark.parametrize(
    ("cut", "content"),
    [(" Opened software", f"{SUPPORTED} [1] Opened software"), ("", f"{SUPPORTED} [1]")],
)
async def test_a_sentence_that_is_cut_off_gets_no_marker(start: Start, cut: str, content: str) -> None:
    with running(OpenAIServer(lambda _: [f"{SUPPORTED}{cut}"], finish="length")) as model:
        message = await asked(start(**openai(model)), QUESTION)
    assert (message["content"], message["finishReason"]) == (content, "LENGTH")


async def test_yes_or_no_adds_nothing_to_the_words_of_its_question(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["Opened software cannot be returned."])) as model:
        message = await asked(start(**openai(model)), "Can opened software be returned?")
    assert placed(message) == [("[1]", "SERVER")]


async def test_hidden_markers_leave_the_text_of_the_model(start: Start) -> None:
    with running(OpenAIServer(lambda _: [f"{SUPPORTED} {INVENTED}"])) as model:
        message = await asked(start(**openai(model)), QUESTION, includeCitations=False)
    assert message["content"] == f"{SUPPORTED} {INVENTED}"
    assert placed(message) == [("", "SERVER")]


async def test_chunk_markers_are_placed_too(start: Start) -> None:
    with running(OpenAIServer(lambda _: [f"{SUPPORTED} {INVENTED}"])) as model:
        message = await asked(start(**openai(model)), QUESTION, citationStyle="CHUNK")
    assert placed(message) == [(message["citations"][0]["label"], "SERVER")]
    assert message["content"] == f"{SUPPORTED} {message['citations'][0]['label']} {INVENTED}"


async def test_open_answers_get_no_markers(start: Start) -> None:
    with running(OpenAIServer(lambda _: [SUPPORTED])) as model:
        client = start(**openai(model))
        message = await asked(client, QUESTION, grounding="OPEN")
    assert (message["content"], message["outcome"], message["citations"]) == (SUPPORTED, "UNCITED", [])


SOURCES = [
    CitableSource(1, 1, "a", "Tower", None, None, (), 0, "The tower is 330 metres tall. It was built in 1889."),
    CitableSource(2, 2, "b", "Limits", None, None, (), 0, "The maximum upload size is 80 MB. 最大上传大小为八十兆。"),
]


def checked(answer: str, seed: int) -> tuple[str, tuple[CheckedCitation, ...]]:
    """The content and citations of an answer that comes in pieces of random sizes; all at once with seed 0."""
    chance = random.Random(seed)  # noqa: S311 - the same every time
    stream, at, shown = CitationStream(SOURCES, "NUMBERED", question=QUESTION), 0, ""
    events: list[CitationEvent] = []
    while at < len(answer):
        size = chance.randint(1, 7) if seed else len(answer)
        events += stream.feed(answer[at : at + size])
        at += size
    for event in [*events, *stream.finish()]:
        shown += event.text if isinstance(event, CheckedText) else ""
    assert shown == stream.content
    return stream.content, stream.citations


@pytest.mark.parametrize(
    ("answer", "content"),
    [
        ("80 MB", "80 MB [1]"),
        ("It.", "It."),
        ("- The tower is 330 metres tall\n- Bananas\n", "- The tower is 330 metres tall [1]\n- Bananas\n"),
        ("1. The tower is 330 metres tall.\n2. Tea.", "1. The tower is 330 metres tall. [1]\n2. Tea."),
        ("[1] The tower is 330 metres tall. Tea.", "[1] The tower is 330 metres tall. Tea."),
        ("[2] Tea. The tower is 330 metres tall.\n", "[1] Tea. The tower is 330 metres tall. [2]\n"),
        ("The tower is 330 metres tall [9].", "The tower is 330 metres tall. [1]"),
        ("The tower is\n330 metres tall. It", "The tower is\n330 metres tall. [1] It"),
        ("# The tower is 330 metres tall\nTea.", "# The tower is 330 metres tall\nTea."),
        ("```\nThe tower is 330 metres tall.\n```\nTea.", "```\nThe tower is 330 metres tall.\n```\nTea."),
        ("`The tower is 330 metres tall. It`", "`The tower is 330 metres tall. It`"),
        ("| The tower | 330 metres |\n", "| The tower | 330 metres |\n"),
        ("See [The tower. It was built in 1889](x).", "See [The tower. It was built in 1889](x). [1]"),
        ("最大上传大小为八十兆。茶。", "最大上传大小为八十兆。 [1]茶。"),
        ("The tower is 330 metres tall:\n\nTea.", "The tower is 330 metres tall:\n\nTea."),
        ("**The tower is 330 metres tall:**\n\nTea.", "**The tower is 330 metres tall:**\n\nTea."),
        ("**330 metres**", "**330 metres** [1]"),
    ],
)
def test_where_markers_are_placed_does_not_depend_on_the_pieces(answer: str, content: str) -> None:
    whole = checked(answer, 0)
    assert whole[0] == content
    assert all(checked(answer, seed) == whole for seed in range(1, 60))


async def test_the_openai_api_is_open_and_places_nothing(start: Start) -> None:
    with running(OpenAIServer(lambda _: [SUPPORTED])) as model:
        client: Client = start(**openai(model))
        project = await client.project("Shop")
        await client.ready(project, "Returns", SUPPORTED)
        request = {"messages": [{"role": "user", "content": QUESTION}], "index_name": "Shop"}
        async with httpx.AsyncClient(trust_env=False) as http:
            answer = await http.post(
                f"{client.url.removesuffix('/graphql')}/v1/chat/completions", json=request | {"model": "openai/chat"}
            )
    assert answer.headers["X-Footnote-Route"] == "rag"
    assert answer.json()["choices"][0]["message"]["content"].startswith(SUPPORTED)
    assert "[1]" not in answer.json()["choices"][0]["message"]["content"]
