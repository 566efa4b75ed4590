"""The rules that named locks protect, each broken by twenty connections at once unless its lock holds."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import AsyncExitStack
from functools import partial

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from app import errors, services
from app.accounts.limits.counters import DatabaseCounters, LimitWindow
from app.accounts.members import Role
from app.database import models, opening
from app.database.locks import Lock
from app.database.protocol import Database
from app.services import Backend, first_start
from app.settings import Settings
from tests import postgres

# Each process writes over four connections.
PROCESSES, AT_ONCE = 5, 20


@pytest.fixture
def url() -> Generator[str]:
    with postgres.fresh_database() as fresh:
        yield fresh


@pytest.fixture
async def databases(url: str) -> AsyncGenerator[list[Database]]:
    opened = [opening.open_database(url) for _ in range(PROCESSES)]
    yield opened
    for database in opened:
        await database.close()


@pytest.fixture
async def backends(url: str) -> AsyncGenerator[list[Backend]]:
    settings = Settings.model_validate({"database_url": url})
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(services.open_backend(settings, "ask")) for _ in range(PROCESSES)]


async def outcomes(each: Callable[[int], Awaitable[object]]) -> Counter[str]:
    """What became of twenty at once: `ok`, or the name of an error of ours."""
    done = await asyncio.gather(*map(each, range(AT_ONCE)), return_exceptions=True)
    for one in done:
        if isinstance(one, BaseException) and not isinstance(one, errors.FootnoteError):
            raise one
    return Counter(type(one).__name__ if isinstance(one, BaseException) else "ok" for one in done)


async def test_whoever_holds_a_lock_sees_what_the_one_before_wrote(databases: list[Database]) -> None:
    """Read, compute in Python, write: without its lock, most of the twenty would be lost."""
    counters = [models.User(id=lock.name.lower(), email=lock.name) for lock in Lock]
    await databases[0].run_write(lambda db: db.add_all(counters))

    async def count(lock: Lock, number: int) -> None:
        ours = models.User.id == lock.name.lower()
        counted = select(models.User.sign_in_generation).where(ours)

        def on_thread(db: Session) -> None:
            before = db.scalar(counted) or 0
            db.execute(update(models.User).where(ours).values(sign_in_generation=before + 1))

        database = databases[number % PROCESSES]
        if number % 2:
            async with database.begin(lock) as db:
                await db.run_sync(on_thread)
        else:
            await database.run_write(on_thread, lock)

    for lock in Lock:
        assert await outcomes(partial(count, lock)) == {"ok": AT_ONCE}
    reached = await databases[0].run_read(lambda db: db.scalars(select(models.User.sign_in_generation)).all())
    assert list(reached) == [AT_ONCE] * len(Lock)


async def test_one_first_start(databases: list[Database]) -> None:
    await outcomes(lambda n: first_start.find_or_create_owner(databases[n % PROCESSES], sample_project=True))
    assert await databases[0].run_read(lambda db: len(db.scalars(select(models.User)).all())) == 1
    assert await databases[0].run_read(lambda db: len(db.scalars(select(models.Project)).all())) == 1


async def test_no_limit_is_exceeded(databases: list[Database]) -> None:
    counters = [DatabaseCounters(database) for database in databases]
    windows = [LimitWindow(7, 86_400)]
    waits = await asyncio.gather(*(counters[n % PROCESSES].take("key", 1, windows) for n in range(AT_ONCE)))
    assert sum(seconds <= 0 for seconds in waits) == 7


async def test_one_project_of_a_name_one_owner_left_and_one_answer_at_a_time(backends: list[Backend]) -> None:
    owner, first = backends[0].owner, backends[0]
    found = await outcomes(lambda n: backends[n % PROCESSES].knowledge.projects.create_project("Bees"))
    assert found == {"ok": 1, "Conflict": AT_ONCE - 1}
    [project] = await first.knowledge.projects.find_projects("Bees")

    found = await outcomes(lambda n: backends[n % PROCESSES].chat.memories.remember(project.id, owner.id, "Likes", 0.5))
    assert found == {"ok": AT_ONCE}
    assert len((await first.chat.memories.memories_by_project([project.id], owner.id))[0]) == 1

    people = [await first.accounts.users.create(f"kim{n}@example.org", "Kim", None) for n in range(AT_ONCE)]
    for person in people:
        await first.accounts.members.set_member(project.id, person.id, Role.OWNER, None)
    members = [backend.accounts.members for backend in backends]
    found = await outcomes(lambda n: members[n % PROCESSES].remove_member(project.id, people[n].id, None))
    assert found == {"ok": AT_ONCE - 1, "Conflict": 1}

    session = await first.chat.sessions.create_session(project.id, owner.id, {})
    turns = [backend.chat.turns for backend in backends]
    found = await outcomes(
        lambda n: turns[n % PROCESSES].send_message(session.id, "Why?", user_id=owner.id, idempotency_key="once")
    )
    assert found == {"ok": AT_ONCE}
    messages = select(models.Message).where(models.Message.session_id == session.id)
    assert await first.database.run_read(lambda db: len(db.scalars(messages).all())) == 2
