"""A reranker that fails is reported and changes no order. What fails is behind the search of either database."""

from typing import Any

import pytest

from tests.answers import Start, codes, final, openai
from tests.search.test_degradation import found, two_documents
from tests.servers.openai import OpenAIServer
from tests.servers.ports import closed_port
from tests.servers.rerank import RerankServer
from tests.servers.running import Break, Page, Refusal, running

FAILURES: list[tuple[str, dict[str, Any]]] = [
    ("is broken", {"faults": [Refusal(500)] * 2}),
    ("is too slow", {"faults": [Break("stall")] * 2}),
    ("is a web page", {"faults": [Page()] * 2}),
    ("does not accept the key", {"key": "another"}),
    ("scores one of two", {"body": {"results": [{"index": 0, "relevance_score": 1.0}]}}),
    ("scores what was not sent", {"body": [{"index": 0, "score": 1}, {"index": 7, "score": 1}]}),
    ("scores without numbers", {"body": {"results": [{"index": 0, "score": None}, {"index": 1, "score": "?"}]}}),
]


@pytest.mark.parametrize("how", [how for _, how in FAILURES], ids=[name for name, _ in FAILURES])
async def test_without_the_reranker_the_fused_order_stands(start: Start, how: dict[str, Any]) -> None:
    with running(OpenAIServer(lambda _: ["Mice [1]."])) as model, running(RerankServer("wolf", **how)) as server:
        client = start(
            **openai(model),
            rerank_url=f"{server.url}/v1/rerank",
            rerank_api_key="sk-rank-secret",
            rerank_seconds=1,
        )
        project = await two_documents(client)
        results = await found(client, project, "fox hunts at night")
        message = await final(client, await client.session(project, ragTopK=1), "What does the fox hunt at night?")
    assert [edge["node"]["document"]["title"] for edge in results["edges"]] == ["Foxes", "Wolves"]
    assert codes(results) == codes(message) == ["RERANKER_UNAVAILABLE"]
    assert "secret" not in results["notices"][0]["message"]
    assert "The fox hunts mice" in model.chats[0]["messages"][0]["content"]


@pytest.mark.parametrize("limit", [{"max_batch": 1, "tei": True}, {"max_batch": 1}, {"max_characters": 300}])
async def test_a_reranker_that_takes_fewer_texts_or_shorter_ones_gets_them(start: Start, limit: dict[str, Any]) -> None:
    with running(RerankServer("wolf deer", **limit)) as server:
        client = start(rerank_url=f"{server.url}/v1/rerank")
        project = await client.project("Zoo")
        await client.ready(project, "Foxes", f"The fox hunts mice at night in the forest. {'It sleeps all day. ' * 20}")
        await client.ready(project, "Wolves", "The wolf hunts deer at night in the forest.")
        results = await found(client, project, "fox hunts at night")
        first = len(server.requests)
        assert codes(await found(client, project, "fox hunts at night in the forest")) == []
    assert codes(results) == []
    if "max_batch" in limit:  # and not that both texts are too many
        assert len(server.requests) - first == 2
    assert [edge["node"]["document"]["title"] for edge in results["edges"]] == ["Wolves", "Foxes"]
    assert [edge["rerankScore"] for edge in results["edges"]] == [2.0, 0.0]


async def test_a_missing_reranker_is_reported(start: Start) -> None:
    client = start(rerank_url=f"http://127.0.0.1:{closed_port()}")
    project = await two_documents(client)
    assert codes(await found(client, project, "fox hunts")) == ["RERANKER_UNAVAILABLE"]
    assert codes(await found(start(), project, "fox hunts", rerank=True)) == ["RERANKER_UNAVAILABLE"]
    assert codes(await found(start(), project, "fox hunts")) == []


async def test_a_local_only_project_sends_nothing_to_a_reranker_elsewhere(start: Start) -> None:
    client = start(rerank_url="http://footnote-test.invalid")
    made = await client.run(
        'mutation { createProject(input: { name: "Local", localProvidersOnly: true }) '
        "{ ... on CreateProjectPayload { project { id } } } }"
    )
    project = made["createProject"]["project"]["id"]
    await client.ready(project, "Foxes", "The fox hunts mice.")
    await client.ready(project, "Wolves", "The wolf hunts deer.")
    results = await found(client, project, "fox hunts")
    assert codes(results) == ["RERANKER_UNAVAILABLE"]
    assert "allows local models only" in results["notices"][0]["message"]
