"""Relevance over GraphQL: the measured values are shown, are the defaults, and can be overridden."""

from pydoc_data.topics import topics

import pytest

from app.knowledge import relevance
from tests.graphql.client import Client
from tests.looking import pause

SPACE = """query($id: ID!) { project(id: $id) {
  embeddingSpace { denseWeight threshold measuredChunks } answerDefaults { ragThreshold ragDenseWeight } } }"""
SEARCH = """query($input: SearchInput!) { search(input: $input, first: 3) {
  edges { score vectorScore lexicalScore } } }"""
PROSE = [part for name in sorted(topics) for part in topics[name].split("\n\n") if 200 < len(part) < 900]


async def test_the_measured_values_are_shown_and_can_be_overridden(client: Client) -> None:
    project = await client.project("shown")
    await client.ready(project, "Prose", "\n\n".join(f"# Part {n}\n\n{part}" for n, part in enumerate(PROSE[:40])))
    shown = (await client.run(SPACE, id=project))["project"]
    while not shown["embeddingSpace"]["measuredChunks"]:
        shown = (await client.run(SPACE, id=project))["project"]
        await pause()
    space, defaults = shown["embeddingSpace"], shown["answerDefaults"]
    assert space["measuredChunks"] >= relevance.MIN_CHUNKS
    assert (defaults["ragThreshold"], defaults["ragDenseWeight"]) == (space["threshold"], space["denseWeight"])
    question = {"projectId": project, "query": "How is an integer made of a string?"}
    for weight in (None, 0.0, 0.5, 1.0):
        found = await client.run(SEARCH, input={**question, "denseWeight": weight})
        used = space["denseWeight"] if weight is None else weight
        assert found["search"]["edges"]
        for edge in found["search"]["edges"]:
            words, meaning = edge["lexicalScore"] or 0, max(0, edge["vectorScore"] or 0)
            assert edge["score"] == pytest.approx(used * meaning + (1 - used) * words, abs=1e-5)


@pytest.mark.parametrize("weight", [-0.1, 1.1])
async def test_a_weight_out_of_range_is_refused(client: Client, weight: float) -> None:
    project = await client.project(f"refused {weight}")
    refused = (await client.post(SEARCH, input={"projectId": project, "query": "x", "denseWeight": weight})).json()
    assert refused["errors"][0]["message"] == "`denseWeight` must be between 0 and 1."
