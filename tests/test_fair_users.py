"""Fairness between users: who has many projects gets no more of the ingestion for it."""

import asyncio

import httpx
from starlette.requests import Request
from starlette.responses import Response

from tests.graphql.client import ADD_TEXT, CREATE_PROJECT, INGESTION, Client
from tests.servers.openai import OpenAIServer
from tests.servers.running import running
from tests.signed_in_server import StartSignedIn
from tests.test_embedding_pauses import embedding


class Holding(OpenAIServer):
    """A model that embeds kim's texts only after it has been sent one of bob's."""

    def __init__(self) -> None:
        super().__init__()
        self.held = 0
        self.bobs_turn = asyncio.Event()

    async def _embed(self, request: Request) -> Response:
        body = await request.body()
        if b"bobsowls" in body:
            self.bobs_turn.set()
        elif b"kimslarks" in body and not self.bobs_turn.is_set():
            self.held += 1
            await self.bobs_turn.wait()
        return await super()._embed(request)


async def test_many_projects_of_one_user_do_not_delay_another_user(signed: StartSignedIn) -> None:
    with running(Holding()) as model:
        server = await signed(**embedding(model))
        bob = await server.accounts.users.create("bob@example.org")
        token, _ = await server.accounts.access_tokens.create(bob.id, "test")
        documents: list[str] = []
        for number in range(6):
            project = (await server.client.mutate(CREATE_PROJECT, name=f"Larks {number}"))["project"]["id"]
            added = await server.client.mutate(ADD_TEXT, projectId=project, title="Larks", text=f"kimslarks {number}")
            documents.append(added["document"]["id"])
        async with (
            asyncio.timeout(30),
            httpx.AsyncClient(timeout=30, headers={"authorization": f"Bearer {token}"}) as http,
        ):
            client = Client(http, server.url)
            await client.ready((await client.mutate(CREATE_PROJECT, name="Owls"))["project"]["id"], "Owls", "bobsowls")
            assert model.held <= 2, "one user never has all three workers"
            for document in documents:
                ended = (await server.client.follow(INGESTION, document=document))[-1]
                assert ended["__typename"] == "IngestionCompleted"
