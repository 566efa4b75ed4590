"""A server that has another model under the same name: vectors of another length reach neither searches nor indexes."""

import pytest

from tests.answers import Start, codes
from tests.graphql.client import ADD_TEXT, INGESTION, Client, Json
from tests.graphql.embedding_models.switching import SPACE_EVENTS, switch
from tests.ingestion.embedding import embedding
from tests.servers.openai import OpenAIServer
from tests.servers.running import running

SEARCH = """query($input: SearchInput!) { search(input: $input) {
  edges { vectorScore node { document { title } } } notices { code message } } }"""
RETRY = "mutation($input: RetryDocumentInput!) { retryDocument(input: $input) { __typename } }"
PROBLEM = "It now returns vectors with 24 dimensions instead of 16; switch the project to it again."


async def search(client: Client, project: str, query: str) -> Json:
    return (await client.run(SEARCH, input={"projectId": project, "query": query}))["search"]


@pytest.mark.parametrize("memory", [0, 256], ids=["searched in the database", "searched in memory"])
async def test_vectors_of_another_length_are_refused_until_the_project_is_switched(start: Start, memory: int) -> None:
    with running(OpenAIServer()) as model:
        client = start(**embedding(model), vector_memory_mb=memory)
        project = await client.project("Fruit")
        await client.ready(project, "Apples", "Apples grow on trees.")
        for query in ("Where do apples grow?", "What grows on trees?"):
            assert codes(await search(client, project, query)) == []
        model.dimensions = 24
        found = await search(client, project, "Do apples grow?")
        assert [edge["vectorScore"] for edge in found["edges"]] == [None]
        assert [notice["code"] for notice in found["notices"]] == ["EMBEDDER_UNAVAILABLE"]
        assert PROBLEM in found["notices"][0]["message"]

        added = await client.mutate(ADD_TEXT, projectId=project, title="Bananas", text="Bananas are yellow.")
        document = added["document"]["id"]
        [*_, last] = await client.follow(INGESTION, document=document)
        assert (last["failure"]["code"], last["failure"]["retryable"]) == ("EMBEDDER_UNAVAILABLE", True)
        assert PROBLEM in last["failure"]["message"]

        # A new space is built. The vectors of questions asked before belong to the old one.
        space = (await switch(client, project, "openai/embedder"))["space"]
        assert (await client.follow(SPACE_EVENTS, id=space["id"]))[-1]["state"] == "ACTIVE"
        await client.mutate(RETRY, id=document)
        assert (await client.follow(INGESTION, document=document))[-1]["__typename"] == "IngestionCompleted"
        found = await search(client, project, "Where do apples grow?")
        assert codes(found) == []
        assert {edge["node"]["document"]["title"] for edge in found["edges"]} == {"Apples", "Bananas"}
        assert all(edge["vectorScore"] is not None for edge in found["edges"])
