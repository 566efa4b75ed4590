"""Access lost mid-stream: the stream soon ends with NOT_FOUND, even when nothing else happens on it."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, aclosing, asynccontextmanager

import pytest
from sqlalchemy import update
from websockets.exceptions import ConnectionClosed

from app.accounts.members import Role
from app.database import models
from app.services.accounts import Accounts
from tests.graphql.access.people import CANCEL, MARK, STALLED, Person, World, in_work, plain, stalled
from tests.graphql.client import Json, received, start

DOCUMENT = """subscription($id: ID!) { ingestionEvents(documentId: $id) { __typename sequence } }"""
PROJECT = """subscription($id: ID!) { ingestionEvents(projectId: $id) { __typename documentId } }"""
COMPLETED = {"__typename": "IngestionCompleted"}
ADD = """mutation($input: AddTextDocumentInput!) { addTextDocument(input: $input) { __typename } }"""
SHARE = """mutation($input: UpdateChatSessionInput!) { updateChatSession(input: $input) { __typename } }"""
VIEWER = "{ viewer { user { id } } }"
SOON = 120

Messages = AsyncGenerator[Json]


async def by_socket(person: Person, query: str, id: str) -> Messages:
    """Results over a WebSocket of its own."""
    async with person.socket() as socket:
        await start(socket, "1", query, id=id)
        while (message := await received(socket))["type"] != "complete":
            yield {"errors": message["payload"]} if message["type"] == "error" else message["payload"]


async def by_events(person: Person, query: str, id: str) -> Messages:
    """Results as server-sent events."""
    body, headers = {"query": query, "variables": {"id": id}}, {"accept": "text/event-stream"}
    async with person.http.stream("POST", person.url, json=body, headers=headers) as response:
        async for line in response.aiter_lines():
            if line.startswith("data: {"):
                yield json.loads(line.removeprefix("data: "))


TRANSPORTS = [by_socket, by_events]


@asynccontextmanager
async def listening(messages: Messages) -> AsyncGenerator[Messages]:
    """A stream that has delivered everything that comes on its own."""
    async with aclosing(messages):
        async with asyncio.timeout(SOON):
            while "AnswerDelta" not in (come := json.dumps(await anext(messages))):
                assert "errors" not in come
                if "Ingestion" in come:
                    break
        yield messages


async def rest(messages: Messages) -> list[str]:
    """The error codes that arrive until the stream ends."""
    found: list[str] = []
    async with asyncio.timeout(SOON):
        async for message in messages:
            assert MARK not in json.dumps(message)
            found += [error["extensions"]["code"] for error in message.get("errors", [])]
    return found


async def settled(alice: Person, project: str, messages: list[Messages]) -> None:
    """Documents are added until everybody is listening, and everybody has been told all about them."""
    firsts = [asyncio.create_task(anext(each)) for each in messages]  # pyright: ignore[reportArgumentType]
    async with asyncio.timeout(2 * SOON):
        number = 0
        while (await asyncio.wait(firsts, timeout=0.3))[1]:
            number += 1
            await alice.ready(project, "More", f"Bees {number}.")
        assert all("errors" not in first.result() for first in firsts)
        last = await alice.ready(project, "Last", "Bees sleep.")
        for each in messages:
            while (told := (await anext(each))["data"]["ingestionEvents"]) != {**COMPLETED, "documentId": last}:
                assert told["__typename"] != "IngestionFailed"


async def removed(accounts: Accounts, world: World, name: str, project: str) -> None:
    await accounts.members.remove_member(plain(project), world.users[name], world.users["alice"])


async def disabled(accounts: Accounts, world: World, name: str, project: str) -> None:
    await accounts.users.disable(world.users[name])


async def revoked(accounts: Accounts, world: World, name: str, project: str) -> None:
    [token] = await accounts.access_tokens.tokens_of_user(world.users[name])
    await accounts.access_tokens.revoke(token.id, world.users[name])


@pytest.mark.parametrize(
    ("lose", "code"), [(removed, "NOT_FOUND"), (disabled, "NOT_FOUND"), (revoked, "UNAUTHENTICATED")]
)
async def test_streams_end_when_membership_or_credential_ends(
    world: World, lose: Callable[[Accounts, World, str, str], Awaitable[None]], code: str
) -> None:
    """For an answer, a document and a project at once, over both transports."""
    name = f"{lose.__name__}.listener"
    async with AsyncExitStack() as stack:
        accounts, database = await stack.enter_async_context(world.accounts())
        alice = await stack.enter_async_context(world.person("alice"))
        project = await alice.project(f"{lose.__name__} {MARK}")
        session = await alice.session(project, shared=True, model="openai/chat")
        answer, document = await stalled(alice, session), await in_work(database, project)
        await world.newcomer(accounts, name, Role.VIEWER, project)
        person = await stack.enter_async_context(world.person(name))
        streams = [
            await stack.enter_async_context(listening(transport(person, query, id)))
            for transport in TRANSPORTS
            for query, id in ((DOCUMENT, document), (STALLED, answer))
        ]
        of_project = [
            await stack.enter_async_context(aclosing(transport(person, PROJECT, project))) for transport in TRANSPORTS
        ]
        await settled(alice, project, of_project)
        waiting = [asyncio.create_task(rest(each)) for each in (*streams[1::2], *streams[::2], *of_project)]
        await lose(accounts, world, name, project)
        for codes in await asyncio.gather(*waiting):
            assert codes == [code]
        await alice.mutate(CANCEL, messageId=answer)


async def test_a_disabled_user_sees_no_project_even_before_the_server_is_told(world: World) -> None:
    """Another machine's notification may come late: the credential is still cached, and no follower is checked."""
    async with AsyncExitStack() as stack:
        accounts, database = await stack.enter_async_context(world.accounts())
        alice = await stack.enter_async_context(world.person("alice"))
        project = await alice.project(f"untold {MARK}")
        await world.newcomer(accounts, "untold", Role.VIEWER, project)
        person = await stack.enter_async_context(world.person("untold"))
        streams = [
            await stack.enter_async_context(aclosing(transport(person, PROJECT, project))) for transport in TRANSPORTS
        ]
        await settled(alice, project, streams)
        async with database.begin() as db:
            disabling = update(models.User).where(models.User.id == world.users["untold"])
            await db.execute(disabling.values(disabled_at=models.now()))
        waiting = [asyncio.create_task(rest(stream)) for stream in streams]
        await alice.mutate(ADD, projectId=project, title="Hidden", text="Bees sleep.")
        assert await asyncio.gather(*waiting) == [["NOT_FOUND"]] * 2


async def test_streams_end_when_a_chat_is_no_longer_shared(world: World) -> None:
    async with world.people("alice", "vera") as (alice, vera), AsyncExitStack() as stack:
        session = await alice.session(world.seen["Project"], shared=True, model="openai/chat")
        answer = await stalled(alice, session)
        streams = [
            await stack.enter_async_context(listening(transport(vera, STALLED, answer))) for transport in TRANSPORTS
        ]
        own = await stack.enter_async_context(listening(by_socket(alice, STALLED, answer)))
        waiting = [asyncio.create_task(rest(each)) for each in streams]
        await alice.mutate(SHARE, id=session, shared=False)
        assert await asyncio.gather(*waiting) == [["NOT_FOUND"]] * 2
        still = asyncio.create_task(rest(own))
        await alice.mutate(CANCEL, messageId=answer)
        assert await still == [], "whose it is goes on listening to the end"


async def test_an_open_socket_checks_its_credential_again(world: World) -> None:
    """It may stay open for hours; access granted once is not granted for ever."""
    async with world.accounts() as (accounts, _):
        await world.newcomer(accounts, "socket", Role.VIEWER, world.seen["Project"])
        async with world.person("socket") as person, person.socket() as socket:
            await start(socket, "1", VIEWER)
            assert "errors" not in (await received(socket))["payload"]
            assert (await received(socket))["type"] == "complete"
            await accounts.users.disable(world.users["socket"])
            number = 1
            async with asyncio.timeout(SOON):
                with pytest.raises(ConnectionClosed) as closed:
                    while number := number + 1:
                        await start(socket, str(number), VIEWER)
                        while (await received(socket))["type"] != "complete":
                            pass
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4403
