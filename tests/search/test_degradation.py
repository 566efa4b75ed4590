"""Degraded search: each failure moves one step down the ladder and is always reported."""

import pytest

from tests import behind
from tests.answers import TEXT, Start, codes, final, openai
from tests.graphql.client import Client, Json
from tests.servers.openai import OpenAIServer
from tests.servers.rerank import RerankServer
from tests.servers.running import Refusal, running

QUESTION = "Until when can goods be returned?"
SEARCH = """query($input: SearchInput!) { search(input: $input) {
  edges { score vectorScore lexicalScore rerankScore node { text document { title } } }
  notices { code message } } }"""


def no_words(url: str) -> None:
    """Drop the full text under a running server."""
    behind.execute(url, "DROP TABLE chunk_texts")


def no_vectors(url: str) -> None:
    """Drop the vectors under a running server."""
    behind.execute(url, "DROP TABLE chunk_vectors" if behind.is_postgresql(url) else "DROP TABLE chunk_vectors_256")


async def shop(client: Client) -> str:
    project = await client.project("Shop")
    await client.ready(project, "Returns", TEXT)
    return project


async def found(client: Client, project: str, query: str = QUESTION, **values: Json) -> Json:
    return (await client.run(SEARCH, input={"projectId": project, "query": query, **values}))["search"]


async def test_without_full_text_vectors_answer_alone(
    start: Start, database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    with running(OpenAIServer(lambda _: ["Within 30 days [1]."])) as model:
        client = start(**openai(model))
        project = await shop(client)
        no_words(database_url)
        message = await final(client, await client.session(project), QUESTION)
        results = await found(client, project)
    assert (message["outcome"], codes(message)) == ("CITED", ["RETRIEVAL_FAILED"])
    assert "only vector search was used" in message["notices"][0]["message"]
    assert "Goods may be returned" in model.chats[0]["messages"][0]["content"]
    assert codes(results) == ["RETRIEVAL_FAILED"]
    edge = results["edges"][0]
    # With one leg the score is that leg's, not a share of it.
    assert (edge["lexicalScore"], edge["score"]) == (None, edge["vectorScore"])
    # The log has the cause, and not the question.
    missing = "no such fts5 table: main.chunk_texts"
    if behind.is_postgresql(database_url):
        missing = 'relation "chunk_texts" does not exist'
    assert "one leg of a search failed: " in caplog.text and missing in caplog.text
    assert "returned" not in caplog.text


async def test_without_vectors_words_answer_alone(start: Start, database_url: str) -> None:
    with running(OpenAIServer(lambda _: ["Within 30 days [1]."])) as model:
        client = start(**openai(model))
        project = await shop(client)
        no_vectors(database_url)
        message = await final(client, await client.session(project), QUESTION)
        edge = (await found(client, project))["edges"][0]
    assert (message["outcome"], codes(message)) == ("CITED", ["EMBEDDER_UNAVAILABLE"])
    assert (edge["vectorScore"], edge["score"]) == (None, edge["lexicalScore"])


async def test_without_both_open_sessions_go_on_and_grounded_ones_refuse(start: Start, database_url: str) -> None:
    with running(OpenAIServer(lambda _: ["Usually 30 days."])) as model:
        client = start(**openai(model))
        project = await shop(client)
        no_words(database_url)
        no_vectors(database_url)
        grounded = await final(client, await client.session(project), QUESTION)
        assert model.chats == []
        opened = await final(client, await client.session(project, grounding="OPEN"), QUESTION)
        errors = await client.errors(SEARCH, input={"projectId": project, "query": QUESTION})
    failure = grounded["failure"]
    assert (grounded["status"], failure["code"], failure["retryable"]) == ("FAILED", "RETRIEVAL_UNAVAILABLE", True)
    assert (opened["content"], opened["outcome"], codes(opened)) == (
        "Usually 30 days.",
        "UNCITED",
        ["RETRIEVAL_FAILED"],
    )
    assert "given without them" in opened["notices"][0]["message"]
    assert "<<<" not in str(model.chats[0]["messages"])
    assert errors[0]["extensions"]["code"] == "UNAVAILABLE"


async def test_a_search_mode_with_one_leg_has_no_fallback(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["Usually 30 days."])) as model:
        client = start(**openai(model), embedding_model="openai/embed")
        project = await shop(client)
        model.faults = iter([Refusal(401), Refusal(401)])
        grounded = await final(client, await client.session(project, searchMode="VECTOR"), QUESTION)
        opened = await final(client, await client.session(project, searchMode="VECTOR", grounding="OPEN"), QUESTION)
    assert grounded["failure"]["code"] == "RETRIEVAL_UNAVAILABLE"
    assert codes(opened) == ["RETRIEVAL_FAILED"]


async def two_documents(client: Client) -> str:
    project = await client.project("Zoo")
    await client.ready(project, "Foxes", "The fox hunts mice at night in the forest.")
    await client.ready(project, "Wolves", "The wolf hunts deer at night in the forest.")
    return project


@pytest.mark.parametrize("tei", [False, True])
async def test_a_reranker_orders_what_was_found(start: Start, tei: bool) -> None:
    with running(OpenAIServer(lambda _: ["Deer [1]."])) as model, running(RerankServer("wolf deer", tei=tei)) as server:
        client = start(
            **openai(model), rerank_url=f"{server.url}/v1/", rerank_model="cross", rerank_api_key="sk-rank-secret"
        )
        project = await two_documents(client)
        plain = await found(client, project, "fox hunts at night", rerank=False)
        assert server.requests == []
        ranked = await found(client, project, "fox hunts at night")
        session = await client.session(project, ragTopK=1)
        message = await final(client, session, "What does the fox hunt at night?")
    assert [edge["node"]["document"]["title"] for edge in plain["edges"]] == ["Foxes", "Wolves"]
    assert [edge["rerankScore"] for edge in plain["edges"]] == [None, None]
    assert [edge["node"]["document"]["title"] for edge in ranked["edges"]] == ["Wolves", "Foxes"]
    assert [edge["rerankScore"] for edge in ranked["edges"]] == [2.0, 0.0]
    # The reranker only orders: the score stays the search's.
    assert ranked["edges"][0]["score"] < ranked["edges"][1]["score"]
    sent = server.bodies("/v1/rerank")[-1]
    assert sent["query"] == "What does the fox hunt at night?"
    assert "Foxes\nThe fox hunts mice at night in the forest." in sent["texts" if tei else "documents"]
    assert sent.keys() == ({"query", "texts", "truncate"} if tei else {"model", "query", "documents"})
    assert tei or sent["model"] == "cross"
    assert server.requests[-1].headers["authorization"] == "Bearer sk-rank-secret"
    # Which shape the server speaks is found out once.
    assert len(server.requests) == (3 if tei else 2)
    # It comes before top_k: the passage that is in is the reranker's first.
    assert "The wolf hunts deer" in model.chats[0]["messages"][0]["content"]
    assert "The fox hunts mice" not in model.chats[0]["messages"][0]["content"]
    assert [one["decision"] for one in message["budget"]["candidates"]] == ["INCLUDED", "BEYOND_TOP_K"]
    assert codes(message) == []


async def test_without_sources_no_model_is_asked(start: Start) -> None:
    with running(OpenAIServer()) as model:
        client = start(**openai(model))
        message = await final(client, await client.session(await shop(client)), "Who won the chess championship?")
        empty = await client.session(await client.project("Empty"))
        nothing = await final(client, empty, "Who won the chess championship?")
    assert message["outcome"] == nothing["outcome"] == "NO_SOURCES"
    assert message["content"] == "No relevant information was found in the knowledge base."
    assert {request.path for request in model.requests} <= {"/v1/models"}, "only its window is asked for"
