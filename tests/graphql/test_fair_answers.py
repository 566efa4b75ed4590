"""A user's many questions do not hold another's one, whichever API they come by."""

import asyncio
import threading
from typing import Any

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import Response

from tests.answer_room import openai
from tests.graphql.client import SEND, Client
from tests.servers.openai import OpenAIServer
from tests.servers.running import running
from tests.signed_room import Signed

HEALTH = "{ health { components { detail } } }"
MANY = 20


class Held(OpenAIServer):
    """Answers nobody until it is told to; `chats` are in the order in which requests had a place."""

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
    """Until so many requests wait for the model."""
    told = f"{requests} requests are waiting for their turn."
    while told not in [part["detail"] for part in (await client.run(HEALTH))["health"]["components"]]:
        pass


async def ask(client: Client, api: str, words: str) -> None:
    """Ask a question, in a session of its own where there are sessions."""
    if api == "openai":
        body = {"model": "chat", "messages": [{"role": "user", "content": words}]}
        response = await client.http.post(client.url.replace("/graphql", "/v1/chat/completions"), json=body)
        assert response.status_code == 200, response.text
    else:
        session = await client.session(await client.project(words), enableRag=False)
        assert (await client.mutate(SEND, sessionId=session, content=words))["answer"]["id"]


@pytest.mark.parametrize("api", ["graphql", "openai"])
async def test_one_question_is_answered_before_the_many_of_another_user(signed: Any, api: str) -> None:
    with running(Held()) as model:
        room: Signed = await signed(**openai(model), model_requests_at_once=2)
        lee = await room.accounts.users.create("lee@example.org", "Lee", "correct horse battery")
        token, _ = await room.accounts.access_tokens.create(lee.id, "test")
        async with httpx.AsyncClient(timeout=120, headers={"authorization": f"Bearer {token}"}) as http:
            tasks = [asyncio.create_task(ask(room.client, api, f"many {number}")) for number in range(MANY)]
            other = Client(http, room.url)
            await waiting(other, MANY - 2)
            tasks.append(asyncio.create_task(ask(other, api, "the one")))
            await waiting(other, MANY - 1)
            model.may_go.set()
            await asyncio.gather(*tasks)
            while len(model.chats) <= MANY:
                await other.run(HEALTH)
        order = [chat["messages"][-1]["content"] for chat in model.chats]
        assert order.index("the one") == 2
        assert len(set(order)) == MANY + 1
