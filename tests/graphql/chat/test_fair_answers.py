"""Fairness between users: many questions by one do not delay a single question by another, on either API."""

import asyncio
import contextlib
import threading

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import Response

from tests.answers import openai
from tests.graphql.client import SEND, Client
from tests.looking import pause
from tests.servers.openai import OpenAIServer
from tests.servers.running import running
from tests.signed_in_server import StartSignedIn

HEALTH = "{ health { components { detail } } }"
MANY = 20


class Held(OpenAIServer):
    """A model that answers nobody until released; `chats` are in the order of admission."""

    def __init__(self) -> None:
        super().__init__(lambda _: ["Yes."])
        self.may_go = threading.Event()

    def stop(self) -> None:
        self.may_go.set()

    async def _chat(self, request: Request) -> Response:
        response = await super()._chat(request)
        await asyncio.to_thread(self.may_go.wait)
        return response


async def waiting(client: Client, requests: int) -> None:
    """Wait until this many requests are queued for the model."""
    told = f"Requests waiting for their turn: {requests}."
    details: list[str | None] = []
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(100):
            while told not in details:
                details = [part["detail"] for part in (await client.run(HEALTH))["health"]["components"]]
                await pause()
    assert told in details


async def open_sessions(client: Client, api: str, count: int) -> list[str]:
    """Chat sessions in projects of their own; empty ids where there are no sessions."""
    if api == "openai":
        return [""] * count
    return [await client.session(await client.project(f"{count} {n}"), enableRag=False) for n in range(count)]


async def ask(client: Client, session: str, words: str) -> None:
    """Ask a question, in a session or through the OpenAI API."""
    if not session:
        body = {"model": "chat", "messages": [{"role": "user", "content": words}]}
        response = await client.http.post(client.url.replace("/graphql", "/v1/chat/completions"), json=body)
        assert response.status_code == 200, response.text
    else:
        assert (await client.mutate(SEND, sessionId=session, content=words))["answer"]["id"]


@pytest.mark.parametrize("api", ["graphql", "openai"])
async def test_one_users_single_question_overtakes_anothers_many(signed: StartSignedIn, api: str) -> None:
    with running(Held()) as model:
        server = await signed(**openai(model), model_requests_at_once=2, max_requests_per_minute=None)
        lee = await server.accounts.users.create("lee@example.org", "Lee", "correct horse battery")
        token, _ = await server.accounts.access_tokens.create(lee.id, "test")
        async with httpx.AsyncClient(timeout=120, headers={"authorization": f"Bearer {token}"}) as http:
            other = Client(http, server.url)
            [others] = await open_sessions(other, api, 1)
            sessions = await open_sessions(server.client, api, MANY)
            async with asyncio.TaskGroup() as asking:  # a question that is refused ends the test
                for number, session in enumerate(sessions):
                    asking.create_task(ask(server.client, session, f"many {number}"))
                await waiting(other, MANY - 2)
                asking.create_task(ask(other, others, "the one"))
                await waiting(other, MANY - 1)
                model.may_go.set()
            while len(model.chats) <= MANY:
                await other.run(HEALTH)
                await pause()
        order = [chat["messages"][-1]["content"] for chat in model.chats]
        assert order.index("the one") == 2
        assert len(set(order)) == MANY + 1
