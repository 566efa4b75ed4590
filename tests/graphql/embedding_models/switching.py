"""Switch embedding models: a server with two of them, the operations, and texts to embed."""

import asyncio
import threading
from typing import Any

import pytest

from tests.graphql.client import Client, Json
from tests.servers.openai import OpenAIServer
from tests.servers.running import Body, vector

SWITCH = """mutation($input: SwitchEmbeddingModelInput!) { switchEmbeddingModel(input: $input) { __typename
  ... on SwitchEmbeddingModelPayload { space { id model state } }
  ... on ConflictError { conflicting { __typename id } } ... on UnavailableError { service }
  ... on ValidationError { issues { path code } } ... on Error { message } } }"""
CANCEL = """mutation($input: CancelEmbeddingSwitchInput!) { cancelEmbeddingSwitch(input: $input) { __typename
  ... on CancelEmbeddingSwitchPayload { space { id state } } ... on Error { message } } }"""
SPACE_EVENTS = """subscription($id: ID!) { embeddingSpaceEvents(spaceId: $id) {
  model state problem chunksDone chunksTotal } }"""
SPACES = """query($id: ID!) { project(id: $id) { embeddingSpace { id model dimensions threshold measuredChunks }
  embeddingSpaces { id model state chunksDone chunksTotal } } }"""
SEARCH = """query($project: ID!, $query: String!) { search(input: {projectId: $project, query: $query}, first: 5) {
  notices { code } edges { vectorScore node { text locator { heading } document { title } } } } }"""
OLD, NEW, OTHER = "openai/first", "openai/second", "openai/third"
DIMENSIONS = {"first": 16, "second": 24, "third": 24}


class TwoModels(OpenAIServer):
    """Embeds with two models of different lengths; `gate` holds back the documents of those that are `held`."""

    held: tuple[str, ...] = ("second", "third")

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, str]] = []
        """The models and texts of all requests, in the order of their arrival."""
        self.gate = threading.Event()
        self.gate.set()
        self.reached = threading.Event()
        self.before_gate = 0
        """Requests for documents by such models that pass the gate even while it is closed."""
        self.made: list[tuple[str, str]] = []
        """The models and texts of requests that were answered."""

    def stop(self) -> None:
        self.gate.set()

    async def _embed(self, request: Any) -> Any:
        body: Body = await request.json()
        self.dimensions = DIMENSIONS.get(body["model"], 8)
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        self.asked += [(body["model"], text) for text in texts]
        if body["model"] in self.held and any("\n" in text for text in texts):
            self.before_gate -= 1
            if self.before_gate < 0:
                self.reached.set()
                await asyncio.to_thread(self.gate.wait)
        self.dimensions = DIMENSIONS.get(body["model"], 8)
        self.made += [(body["model"], text) for text in texts]
        return await super()._embed(request)


def text_of(parts: int, word: str) -> str:
    return "\n\n".join(
        f"# Part {n}\n\n" + f"The {word}{n} grows on hill number {n} and is picked in autumn. " * 20
        for n in range(parts)
    )


async def switch(client: Client, project: str, name: str) -> Json:
    return await client.mutate(SWITCH, projectId=project, model=name)


def cosine(a: str, b: str, dimensions: int) -> float:
    return sum(x * y for x, y in zip(vector(a, dimensions), vector(b, dimensions), strict=True))


def models_of(found: Json, query: str) -> set[str]:
    """The models whose cosines these are."""
    of: set[str] = set()
    for edge in found["edges"]:
        node = edge["node"]
        path = [part for part in node["locator"]["heading"] if part != node["document"]["title"]]
        text = f"{' > '.join([node['document']['title'], *path])}\n{node['text']}"
        fits = {
            name
            for name, dimensions in DIMENSIONS.items()
            if name != "third" and edge["vectorScore"] == pytest.approx(cosine(query, text, dimensions), abs=1e-3)
        }
        assert fits, (edge, text[:60])
        of |= fits
    return of


async def removed(client: Client, project: str) -> Json:
    """The project's spaces, once the vectors of all but the active one are removed."""
    async with asyncio.timeout(60):
        while True:
            spaces = (await client.run(SPACES, id=project))["project"]["embeddingSpaces"]
            if len(spaces) == 1:
                return spaces
            await asyncio.sleep(0.02)
