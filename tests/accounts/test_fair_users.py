"""Fairness between users: nobody gets more of the ingestion by many projects, or takes a model from the others."""

import asyncio
from typing import Any

import httpx
from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import Response

from app import services
from app.database import models
from app.providers.resilience.circuit_breaker import FAILURES_TO_OPEN
from tests.conftest import MakeSettings
from tests.graphql.client import ADD_TEXT, CREATE_PROJECT, INGESTION, Client
from tests.ingestion.embedding import embedding
from tests.servers.openai import OpenAIServer
from tests.servers.running import Body, Fault, Refusal, running
from tests.signed_in_server import SignedInServer, StartSignedIn


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


class Slow(OpenAIServer):
    """A model behind a proxy that gives up on long prompts."""

    def fault(self, body: Body) -> Fault:
        is_long = "long" in body["messages"][-1]["content"]
        return Refusal(504, headers={"retry-after": "60"}) if is_long else None


async def test_prompts_of_one_user_that_take_too_long_deny_nobody_else_the_model(signed: StartSignedIn) -> None:
    with running(Slow()) as model:
        server = await signed(openai_base_url=model.url, chat_model="openai/chat")
        tokens = [server.token]
        for name in ("bob", "eve"):
            user = await server.accounts.users.create(f"{name}@example.org")
            tokens.append((await server.accounts.access_tokens.create(user.id, "test"))[0])
        kim, bob, eve = tokens
        assert await ask(server, kim, "chat", "long") == [503] * FAILURES_TO_OPEN
        asked = len(model.chats)
        assert await ask(server, kim, "chat", "short", times=1) == [503], "it would take too long again"
        assert len(model.chats) == asked
        health = await read_health(server)
        assert health["status"] == "OK", "one user cannot make the server look sick"
        assert health["components"]["openai"]["detail"].startswith("For some user, openai/chat has failed 5 times")
        assert await ask(server, bob, "chat", "short") == [200] * FAILURES_TO_OPEN
        for token in (kim, bob, kim, bob, kim):
            assert await ask(server, token, "other", "long", times=1) == [503]
        assert await ask(server, eve, "other", "short", times=1) == [503], "it is down for several"
        assert (await read_health(server))["status"] == "DEGRADED"


async def read_health(server: SignedInServer) -> Any:
    """What `/health` tells kim."""
    return (await server.http.get(f"{server.url}/health", headers={"authorization": f"Bearer {server.token}"})).json()


async def ask(server: SignedInServer, token: str, model: str, text: str, times: int = FAILURES_TO_OPEN) -> list[int]:
    """The statuses of so many requests, one after the other."""
    body = {"model": f"openai/{model}", "messages": [{"role": "user", "content": text}]}
    headers = {"authorization": f"Bearer {token}"}
    url = f"{server.url}/v1/chat/completions"
    return [(await server.http.post(url, json=body, headers=headers)).status_code for _ in range(times)]


async def test_workers_of_a_paused_project_count_for_its_user(make_settings: MakeSettings) -> None:
    async with services.open_backend(make_settings(process_documents=False), "serve") as backend:
        queue, database = backend.knowledge.ingestion.queue, backend.database

        async def add(user: models.User, name: str) -> models.Project:
            def write(db: Session) -> models.Project:
                project = models.Project(id=models.new_id(), name=name)
                db.add(project)
                db.flush()
                db.add(models.ProjectMember(project_id=project.id, user_id=user.id, role="OWNER"))
                db.add(models.Document(project_id=project.id, title="", media_type="text/plain", bytes=1, sha256=""))
                return project

            return await database.run_write(write)

        kim, bob = (
            await backend.accounts.users.create("kim@example.org"),
            await backend.accounts.users.create("bob@b.org"),
        )
        busy = [await add(kim, "First"), await add(kim, "Second")]
        claimed = [(await queue.claim_documents())[0].project_id for _ in busy]
        assert sorted(claimed) == sorted(project.id for project in busy)
        for project in busy:
            await queue.pause_project(project.id, "It is down.", None)
        await add(kim, "Third")
        assert await queue.claim_documents() == [], "kim already has all workers but one"
        owls = await add(bob, "Owls")
        assert [document.project_id for document in await queue.claim_documents()] == [owls.id]
