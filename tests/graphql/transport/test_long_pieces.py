"""Answers that come in one long piece, or in very many sentences or ids: they keep nobody waiting, and stay bounded."""

import asyncio
import time
from typing import Any

import httpx

from tests.answers import TEXT, Start, openai
from tests.graphql.client import EVENTS, Client
from tests.servers.openai import OpenAIServer
from tests.servers.running import running

QUESTION = "Until when may goods be returned?"
SENTENCE = "Goods may be returned within 30 days of delivery. "
MOST = 1_000
"""Uses of sources that are kept, sentences for which the server looks for one, and invented ids that it reports."""
MOST_QUOTED = 200_000
"""Characters of quotes from which on no more uses are kept."""
CITED = """query($id: ID!) { message(id: $id) { content notices { code } citations { uses { placedBy quote } } } }"""


async def answered(start: Start, text: str, document: str = TEXT) -> tuple[list[Any], dict[str, Any]]:
    """The events of an answer that is this text in one piece, and the message."""
    with running(OpenAIServer(lambda _: [text])) as model:
        client: Client = start(**openai(model))
        project = await client.project("Shop")
        await client.ready(project, "Returns", document)
        session = await client.session(project, maxTokens=20_000)
        answer = await client.answered(session, QUESTION)
        happened = await client.follow(EVENTS, id=answer)
        found = await client.run(CITED, id=answer)
    return happened, found["message"]


async def test_an_answer_in_one_piece_is_checked_part_by_part(start: Start) -> None:
    """To check all of it at once would keep everybody else waiting: it took a minute per hundred kilobytes."""
    text = "Foxes hunt mice at night. " * 1_200
    happened, _ = await answered(start, text)
    deltas = [event["text"] for event in happened if event["__typename"] == "AnswerDelta"]
    assert len(deltas) > 1
    assert "".join(deltas) == text


async def test_the_server_looks_for_sources_of_a_number_of_sentences(start: Start) -> None:
    _, message = await answered(start, SENTENCE * (MOST + 100))
    assert message["content"] == (SENTENCE.strip() + " [1] ") * MOST + SENTENCE * 100
    uses = [use["placedBy"] for citation in message["citations"] for use in citation["uses"]]
    assert uses == ["SERVER"] * MOST


async def test_uses_are_kept_up_to_a_number(start: Start) -> None:
    """Each has its quote: an answer of 200 kB took 37 MB of the database."""
    text = " ".join(f"Goods may be returned within 30 days, says number {number} [1]." for number in range(MOST + 100))
    _, message = await answered(start, text)
    assert message["content"] == text
    assert [len(citation["uses"]) for citation in message["citations"]] == [MOST]


async def test_long_quotes_are_kept_up_to_their_characters(start: Start) -> None:
    """A text without full stops is one sentence, which a short answer can quote very often."""
    rules = "The rules of the shop say that " + " and that ".join(f"item {number} may return" for number in range(36))
    text = " ".join(f"The rules say number {number} [1]." for number in range(MOST))
    _, message = await answered(start, text, rules)
    lengths = [len(use["quote"]) for citation in message["citations"] for use in citation["uses"]]
    assert len(rules) == lengths[0]
    assert sum(lengths) >= MOST_QUOTED > sum(lengths[:-1])


async def test_invented_ids_are_reported_up_to_a_number(start: Start) -> None:
    ids = "".join(f"[RG9jdW1lbnQ6{number:06}:1] " for number in range(MOST + 100))
    _, message = await answered(start, f"{SENTENCE.strip()} [1]. {ids}")
    assert "RG9jdW1lbnQ6" not in message["content"]
    assert [notice["code"] for notice in message["notices"]].count("INVENTED_CITATION_REMOVED") == MOST


async def test_a_long_conversation_keeps_nobody_waiting(start: Start) -> None:
    """Its markers take seconds to remove: as long as that takes, others are served again and again."""
    said = [("user", "Hi!"), ("assistant", "[1](" * 100_000), ("user", QUESTION)]
    messages = [{"role": role, "content": content} for role, content in said]
    with running(OpenAIServer(lambda _: [f"{SENTENCE.strip()} [1]."])) as model:
        client: Client = start(**openai(model, "gpt-4.1"))
        project = await client.project("Shop")
        await client.ready(project, "Returns", TEXT)
        body = {"index_name": project, "messages": messages}
        async with httpx.AsyncClient(base_url=client.url.removesuffix("/graphql"), timeout=120) as http:
            began = time.monotonic()
            asked = asyncio.create_task(http.post("/v1/chat/completions", json=body))
            waits = await latencies(http, asked)
        assert asked.result().headers["x-footnote-route"] == "rag"
    assert max(waits) < (time.monotonic() - began) / 2


async def latencies(http: httpx.AsyncClient, until: asyncio.Task[Any]) -> list[float]:
    """How long each of the requests takes that are made one after the other until the task is done."""
    found: list[float] = []
    while not until.done():
        began = time.monotonic()
        await http.get("/livez")
        found.append(time.monotonic() - began)
    return found
