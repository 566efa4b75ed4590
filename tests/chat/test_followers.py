"""Followers of an answer whose access ends: slow ones, ones that wait for a slot, ones that cannot be checked."""

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from datetime import datetime

import pytest

from app import errors
from app.accounts.members import Role
from app.chat.answer_log.log_entries import LogEntry
from app.database import models
from app.notifier import topics
from app.rag import events
from app.services import Services, open_backend
from app.services.authorization.followers import CredentialCheck, ResultSlot, never_expires
from app.services.backend import Backend
from tests.conftest import MakeSettings
from tests.servers.openai import OpenAIServer
from tests.servers.running import Break, running

SECONDS = 60
# How many followers cannot be checked: whichever is checked first, one of them probably comes before the others.
MANY = 20

Entries = AsyncGenerator[LogEntry]


@dataclass
class Credential:
    """A credential, and what is wrong with it."""

    error: errors.Unauthenticated | errors.Unavailable | None = None

    async def check(self) -> datetime | None:
        """The check of it."""
        if self.error is not None:
            raise self.error


@dataclass
class Followed:
    """An answer that has said one word and says no more, and a member who follows it."""

    backend: Backend
    owner: models.User
    member: models.User
    answer: models.Message

    def follow(self, check: CredentialCheck = never_expires, slot: ResultSlot | None = None) -> aclosing[Entries]:
        """The answer's events, as the member sees them."""
        chats = Services(self.backend).as_user(self.member).chats
        return aclosing(chats.follow_answer(self.answer, 0, check, slot))

    async def remove_member(self) -> None:
        """End the member's access to the project."""
        await self.backend.accounts.members.remove_member(self.answer.project_id, self.member.id, self.owner.id)


@pytest.fixture
def model() -> Generator[OpenAIServer]:
    """A model that says one word and then stalls."""
    with running(OpenAIServer(lambda _: ["One", "two"], faults=[Break("stall", 1)])) as server:
        yield server


@pytest.fixture
async def followed(make_settings: MakeSettings, model: OpenAIServer) -> AsyncGenerator[Followed]:
    """The answer, on a server that requires sign-in."""
    settings = make_settings(require_sign_in=True, openai_base_url=model.url, chat_model="openai/chat")
    async with open_backend(settings, "serve") as backend:
        accounts = backend.accounts
        owner, member = [await accounts.users.create(f"{name}@example.org") for name in ("owner", "member")]
        access = Services(backend).as_user(owner)
        project = await access.projects.create_project("Shop", None, local_providers_only=False)
        await accounts.members.set_member(project.id, member.id, Role.VIEWER, owner.id)
        session = await access.chats.create_session(project.id, {"shared": True, "enable_rag": False})
        _, answer = await access.chats.send_message(session.id, "Hello?", key=None, overrides={})
        yield Followed(backend, owner, member, answer)
        await access.chats.cancel_answer(answer.id)


async def read_word(entries: Entries) -> None:
    """Read all that the model has said."""
    async for entry in entries:
        if isinstance(entry.event, events.DeltaEvent):
            return


async def read_error(entries: Entries) -> str:
    """The code of the error that ends the entries, after which none may come."""
    async with asyncio.timeout(SECONDS):
        with pytest.raises(errors.FootnoteError) as raised:
            await anext(entries)
    return raised.value.code


async def test_a_slow_follower_ends_although_nothing_else_happens(followed: Followed) -> None:
    """Its access ends while the last event is being sent."""
    async with followed.follow() as slow, followed.follow() as quick:
        await read_word(slow)
        await read_word(quick)
        ended = asyncio.create_task(read_error(quick))
        await followed.remove_member()
        assert await ended == "NOT_FOUND"
        assert await read_error(slow) == "NOT_FOUND"


async def test_an_event_that_waits_for_a_slot_is_not_sent_after_access_has_ended(followed: Followed) -> None:
    slot = asyncio.Lock()
    async with followed.follow(slot=slot) as waiting, followed.follow() as quick:
        await read_word(quick)
        async with slot:  # another result is being sent to the same client
            first = asyncio.create_task(read_error(waiting))
            ended = asyncio.create_task(read_error(quick))
            await followed.remove_member()
            assert await ended == "NOT_FOUND"
        assert await first == "NOT_FOUND"


async def test_followers_that_cannot_be_checked_hold_nobody_up_and_are_checked_again(followed: Followed) -> None:
    """As when Redis, which keeps some of the credentials, is down."""
    kept_in_redis, kept_here = Credential(), Credential()
    async with AsyncExitStack() as stack:
        follow = [kept_in_redis.check] * MANY + [kept_here.check]
        *unchecked, ending = [await stack.enter_async_context(followed.follow(check)) for check in follow]
        for entries in (*unchecked, ending):
            await read_word(entries)
        kept_in_redis.error = errors.Unavailable("Redis does not respond.", "redis", 1000)
        kept_here.error = errors.Unauthenticated("This credential is revoked.")
        reading = [asyncio.create_task(read_error(entries)) for entries in unchecked]
        followed.backend.notifier.notify(topics.ACCESS)
        assert await read_error(ending) == "UNAUTHENTICATED"
        assert not any(task.done() for task in reading)
        kept_in_redis.error = errors.Unauthenticated("This sign-in has ended.")
        assert await asyncio.gather(*reading) == ["UNAUTHENTICATED"] * MANY
