"""Answers under way end when the user who asked loses access, and so do their requests to the model."""

import asyncio
import json
from collections.abc import Awaitable, Callable

import pytest

from app.accounts.members import Role
from tests.graphql.access.people import plain
from tests.openai_api.api import KAITO, QUESTION, Json, OpenAIServer, RawServer, error
from tests.servers.running import Break, StandIn, running
from tests.signed_in_server import SignedInServer, StartSignedIn

SECONDS = 120


async def removed(server: SignedInServer, project: str) -> None:
    other = await server.accounts.users.create("other@example.org")
    await server.accounts.members.set_member(plain(project), other.id, Role.OWNER, server.user.id)
    await server.accounts.members.remove_member(plain(project), server.user.id, other.id)


async def disabled(server: SignedInServer, project: str) -> None:
    await server.accounts.users.disable(server.user.id)


async def revoked(server: SignedInServer, project: str) -> None:
    [token] = await server.accounts.access_tokens.tokens_of_user(server.user.id)
    await server.accounts.access_tokens.revoke(token.id, server.user.id)


Lose = Callable[[SignedInServer, str], Awaitable[None]]
# How access is lost, whether the answer is from documents, and the error that ends it.
WAYS: dict[str, tuple[Lose, bool, int, str]] = {
    "removed": (removed, True, 404, "not_found"),
    "disabled": (disabled, True, 404, "not_found"),
    "revoked": (revoked, True, 401, "invalid_api_key"),
    "disabled, passed through": (disabled, False, 401, "invalid_api_key"),
    "revoked, passed through": (revoked, False, 401, "invalid_api_key"),
}
EACH_WAY = pytest.mark.parametrize(("lose", "searches", "status", "code"), WAYS.values(), ids=WAYS)


async def begin(signed: StartSignedIn, model: StandIn, *, searches: bool) -> tuple[SignedInServer, str, Json]:
    """A server, its project, and a request."""
    server = await signed(openai_base_url=model.url, chat_model="openai/chat")
    project = await server.client.project("Docs")
    await server.client.ready(project, "KAITO", KAITO)
    body = {"messages": [{"role": "user", "content": QUESTION}]}
    return server, project, {**body, "index_name": "Docs"} if searches else body


@EACH_WAY
async def test_a_stream_ends_with_an_error(
    signed: StartSignedIn, lose: Lose, searches: bool, status: int, code: str
) -> None:
    with running(OpenAIServer(lambda _: ["It ", "is"], faults=[Break("stall", after=1)])) as model:
        server, project, body = await begin(signed, model, searches=searches)
        url = f"{server.url}/v1/chat/completions"
        async with asyncio.timeout(SECONDS), server.http.stream("POST", url, json={**body, "stream": True}) as answer:
            assert answer.status_code == 200
            lines = answer.aiter_lines()
            while "It" not in await anext(lines):
                pass
            await lose(server, project)
            rest = [line.removeprefix("data: ") for line in [line async for line in lines] if line]
        *_, last = map(json.loads, rest)
        assert last["error"]["code"] == code
        assert await asyncio.to_thread(model.left.wait, SECONDS)


@EACH_WAY
async def test_a_response_is_an_error(
    signed: StartSignedIn, lose: Lose, searches: bool, status: int, code: str
) -> None:
    with running(RawServer(lambda _: {})) as model:
        model.stalls = True
        server, project, body = await begin(signed, model, searches=searches)
        asking = asyncio.create_task(server.http.post(f"{server.url}/v1/chat/completions", json=body))
        assert await asyncio.to_thread(model.asked.wait, SECONDS)
        await lose(server, project)
        async with asyncio.timeout(SECONDS):
            assert error(await asking, status)["code"] == code
        assert await asyncio.to_thread(model.left.wait, SECONDS)
