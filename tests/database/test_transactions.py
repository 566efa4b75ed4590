"""Transactions that run on the database's own threads: whole, or not at all."""

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Callable, Coroutine
from typing import Any

import pytest
from sqlalchemy import Engine, event, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.orm import Session

from app import errors
from app.database import models, opening
from app.database.protocol import Database
from app.database.threads import call_after_commit

PATIENCE = 60.0


@pytest.fixture
async def database(database_url: str) -> AsyncGenerator[Database]:
    opened = opening.open_database(database_url)
    yield opened
    await opened.close()


def add(name: str) -> Callable[[Session], models.Project]:
    def work(db: Session) -> models.Project:
        project = models.Project(name=name)
        db.add(project)
        return project

    return work


def names(db: Session) -> list[str]:
    return list(db.scalars(select(models.Project.name).order_by(models.Project.name)))


async def start_write(database: Database) -> tuple[asyncio.Task[None], threading.Event]:
    """A write that has inserted its row, and goes on when it is told."""
    began, go_on = threading.Event(), threading.Event()

    def slowly(db: Session) -> None:
        add("cancelled")(db)
        db.flush()
        began.set()
        assert go_on.wait(PATIENCE)

    writing = asyncio.create_task(database.run_write(slowly))
    await asyncio.to_thread(began.wait, PATIENCE)
    return writing, go_on


async def test_what_was_written_can_be_read_and_used(database: Database) -> None:
    project = await database.run_write(add("whole"))
    assert (project.name, await database.run_read(names)) == ("whole", ["whole"])
    async with database.read() as db:
        assert (await db.get_one(models.Project, project.id)).name == "whole"


async def test_an_error_rolls_everything_back(database: Database) -> None:
    def fail(db: Session) -> None:
        add("half")(db)
        db.flush()
        raise RuntimeError

    with pytest.raises(RuntimeError):
        await database.run_write(fail)
    assert await database.run_read(names) == []


async def test_a_read_cannot_write(database: Database) -> None:
    def write(db: Session) -> None:
        db.execute(text("DELETE FROM projects"))

    with pytest.raises((DBAPIError, errors.Unavailable), match=r"read-?only"):
        await database.run_read(write)


async def test_a_cancelled_write_is_rolled_back_and_settled(database: Database) -> None:
    writing, go_on = await start_write(database)
    writing.cancel()
    await asyncio.sleep(0)  # until then its thread may still commit
    assert not writing.done(), "its transaction is still open"
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await writing
    await database.run_write(add("next"))
    assert await database.run_read(names) == ["next"]


async def test_a_write_is_settled_however_often_its_caller_is_cancelled(database: Database) -> None:
    writing, go_on = await start_write(database)
    for _ in range(5):
        writing.cancel()
        await asyncio.sleep(0)
    assert not writing.done(), "its transaction is still open"
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await writing
    assert await database.run_read(names) == []


async def test_a_caller_that_is_cancelled_does_not_wait_for_its_read(database: Database) -> None:
    go_on = threading.Event()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await database.run_read(lambda _: go_on.wait(PATIENCE))
    assert not go_on.is_set()
    go_on.set()


def hold_up(database: Database) -> tuple[asyncio.Task[None], threading.Event]:
    """A write that ends when it is told; others wait for it."""
    go_on = threading.Event()

    def wait(_: Session) -> None:
        assert go_on.wait(PATIENCE)

    return asyncio.create_task(database.run_write(wait)), go_on


def add_for_long(db: Session, name: str) -> None:
    """Write for longer than what other brief writes may wait for in the same transaction."""
    until = time.perf_counter() + 0.02
    while time.perf_counter() < until:
        add(name)(db)
        db.flush()


async def start_all(*writing: Coroutine[Any, Any, Any]) -> list[asyncio.Task[Any]]:
    """Tasks that have all begun to wait."""
    tasks = [asyncio.create_task(each) for each in writing]
    await asyncio.sleep(0)
    return tasks


async def write_three(
    database: Database, second: Callable[[Session], object], third: Callable[[Session], object], number: int = 0
) -> list[object]:
    """What three brief writes return or raise that wait for another one together."""
    holding, go_on = hold_up(database)
    waiting = await start_all(
        *(database.run_write(work, brief=True) for work in (add(f"first{number or ''}"), second, third))
    )
    go_on.set()
    await holding
    return await asyncio.gather(*waiting, return_exceptions=True)


async def test_brief_writes_that_wait_together_are_all_stored(database: Database) -> None:
    first, second, third = await write_three(database, add("second"), add("third"))
    assert [each.name for each in (first, second, third) if isinstance(each, models.Project)] == [
        "first",
        "second",
        "third",
    ]
    assert await database.run_read(names) == ["first", "second", "third"]


async def test_what_one_brief_write_raises_undoes_that_one_alone(database: Database) -> None:
    def fail(db: Session) -> None:
        add("half")(db)
        db.flush()
        raise RuntimeError

    _, error, _ = await write_three(database, fail, add("third"))
    assert isinstance(error, RuntimeError)
    assert await database.run_read(names) == ["first", "third"]


async def test_a_broken_rule_of_the_database_undoes_one_brief_write_alone(database: Database) -> None:
    def violate(db: Session) -> None:
        add("half")(db)
        db.add(models.ChatSession(project_id="none", title="x"))

    _, error, _ = await write_three(database, violate, add("third"))
    assert isinstance(error, IntegrityError)
    assert await database.run_read(names) == ["first", "third"]


@pytest.mark.parametrize(("fails", "expected"), [("sql", errors.Unavailable), ("stop", RuntimeError)])
@pytest.mark.sqlite
async def test_an_error_that_ends_no_transaction_undoes_one_brief_write_alone(
    database: Database, fails: str, expected: type[Exception]
) -> None:
    def fail(db: Session) -> None:
        add("half")(db)
        db.flush()
        if fails == "stop":
            next(iter(()))
        db.execute(text("SELECT * FROM nowhere"))

    _, error, _ = await write_three(database, fail, add("third"))
    assert isinstance(error, expected)
    assert await database.run_read(names) == ["first", "third"]


@pytest.mark.sqlite
async def test_an_error_that_ends_the_transaction_is_told_to_all_that_share_it(database: Database) -> None:
    def fill(db: Session) -> None:
        db.execute(text("ROLLBACK"))
        db.execute(text("SELECT * FROM nowhere"))

    first, second, third = await write_three(database, fill, add("third"))
    assert isinstance(second, errors.Unavailable)
    stored = await database.run_read(names)
    # On a slow machine, the first may have had a transaction of its own.
    for name, got in (("first", first), ("third", third)):
        assert isinstance(got, models.Project if name in stored else errors.Unavailable)


@pytest.mark.sqlite
def test_the_end_of_the_event_loop_leaves_no_brief_write_waiting(database_url: str) -> None:
    """It hung where a group was ended by a cancellation."""
    began, go_on = threading.Event(), threading.Event()
    tidied: list[str] = []

    def slowly(db: Session) -> None:
        add("slow")(db)
        began.set()
        assert go_on.wait(PATIENCE)
        add_for_long(db, "long")

    async def tidy(database: Database) -> None:
        try:
            await asyncio.sleep(PATIENCE)
        finally:
            tidied.append((await database.run_write(add("tidied"), brief=True)).name)

    async def main() -> None:
        database = opening.open_database(database_url)
        tasks = await start_all(
            database.run_write(slowly, brief=True), database.run_write(add("left"), brief=True), tidy(database)
        )
        await asyncio.to_thread(began.wait, PATIENCE)
        asyncio.get_running_loop().call_soon(go_on.set)
        assert not any(task.done() for task in tasks)

    asyncio.run(main())
    assert tidied == ["tidied"]


@pytest.mark.sqlite
async def test_the_end_of_the_event_loop_before_a_brief_write_has_begun_leaves_none_waiting(database: Database) -> None:
    """It cancels the task that writes for all, while others may still write."""
    others = asyncio.all_tasks()
    [waiting] = await start_all(database.run_write(add("stored"), brief=True))
    [writing] = asyncio.all_tasks() - others - {waiting}
    writing.cancel()
    async with asyncio.timeout(PATIENCE):
        await waiting
    assert await database.run_read(names) == ["stored"]


async def test_a_cancelled_brief_write_undoes_that_one_alone(database: Database) -> None:
    holding, go_on = hold_up(database)
    leading, cancelled, third = await start_all(
        *(database.run_write(add(name), brief=True) for name in ("leading", "cancelled", "third"))
    )
    cancelled.cancel()
    go_on.set()
    await asyncio.gather(holding, leading, third)
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    assert await database.run_read(names) == ["leading", "third"]


@pytest.mark.sqlite
async def test_a_commit_is_told_once_all_that_share_it_are_written(database: Database) -> None:
    told_before: list[bool] = []
    for number in range(50):
        told = threading.Event()

        def second(db: Session, number: int = number, told: threading.Event = told) -> None:
            add(f"second {number}")(db)
            call_after_commit(db, told.set)

        def third(_: Session, told: threading.Event = told) -> None:
            told_before.append(told.is_set())

        await write_three(database, second, third, number)
        assert told.is_set()
    # On a slow machine, a transaction may be too old to take the third one.
    assert not all(told_before)


async def test_what_waits_behind_a_long_write_is_not_in_its_transaction(database: Database) -> None:
    told = threading.Event()

    def second(db: Session) -> None:
        call_after_commit(db, told.set)
        add_for_long(db, "second")

    _, _, third = await write_three(database, second, lambda _: told.is_set())
    assert third is True or database.dialect == "postgresql"


async def test_slow_reads_leave_the_others_their_threads(database: Database) -> None:
    go_on = threading.Event()
    slow = [asyncio.create_task(database.run_read(lambda _: go_on.wait(PATIENCE), slow=True)) for _ in range(20)]
    await asyncio.sleep(0)
    async with asyncio.timeout(PATIENCE / 2):
        assert await database.run_read(names) == []
    go_on.set()
    assert await asyncio.gather(*slow) == [True] * 20


async def test_a_closed_database_is_unavailable(database_url: str) -> None:
    opened = opening.open_database(database_url)
    await opened.run_write(add("in time"))
    await opened.close()
    with pytest.raises(errors.Unavailable):
        await opened.run_write(add("late"))


async def test_a_cancellation_that_comes_too_late_is_raised_where_the_caller_waits_next(database: Database) -> None:
    done: list[str] = []

    async def caller() -> None:
        def write(db: Session) -> str:
            # Before the caller is told of the commit.
            def committed(_: Session) -> None:
                loop.call_soon_threadsafe(task.cancel)

            event.listen(db, "after_commit", committed)
            return add("committed")(db).name

        done.append(await database.run_write(write))
        await asyncio.sleep(PATIENCE)

    loop = asyncio.get_running_loop()
    task = asyncio.create_task(caller())
    with pytest.raises(asyncio.CancelledError):
        await task
    assert done == ["committed"]
    assert await database.run_read(names) == ["committed"]


async def test_both_kinds_of_writes_wait_for_each_other(database: Database) -> None:
    """On SQLite, two connections write; without a queue, each would find the database locked by the other."""

    async def one(number: int) -> None:
        if number % 2:
            await database.run_write(add(f"{number:02}"))
            return
        async with database.begin() as db:
            db.add(models.Project(name=f"{number:02}"))
            await db.flush()
            await asyncio.sleep(0)

    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*map(one, range(40)))
    assert await database.run_read(names) == [f"{number:02}" for number in range(40)]


@pytest.mark.sqlite
async def test_a_write_begins_when_another_process_has_written(database: Database, database_url: str) -> None:
    other = opening.open_database(database_url)
    writing, go_on = await start_write(database)
    waiting = asyncio.create_task(other.run_write(add("second")))
    until = time.monotonic() + 0.2
    while time.monotonic() < until:
        assert await other.run_read(names) == []
    assert not waiting.done()
    go_on.set()
    await asyncio.gather(writing, waiting)
    assert await other.run_read(names) == ["cancelled", "second"]
    assert other.trips.lock_seconds > database.trips.lock_seconds
    await other.close()


@pytest.mark.sqlite
async def test_brief_writes_join_one_that_waits_for_another_process(database: Database, database_url: str) -> None:
    other = opening.open_database(database_url)
    told_before: list[bool] = []
    for number in range(20):
        holds, waits, go_on, told = (threading.Event() for _ in range(4))

        def hold(db: Session, holds: threading.Event = holds, go_on: threading.Event = go_on) -> None:
            db.connection()
            holds.set()
            assert go_on.wait(PATIENCE)

        def first(db: Session, number: int = number, told: threading.Event = told) -> None:
            add(f"first {number}")(db)
            call_after_commit(db, told.set)

        def begin(_: object, __: object, statement: str, *___: object, waits: threading.Event = waits) -> None:
            if statement == "BEGIN IMMEDIATE":
                waits.set()

        holding = asyncio.create_task(other.run_write(hold))
        await asyncio.to_thread(holds.wait, PATIENCE)
        event.listen(Engine, "before_cursor_execute", begin)
        [waiting] = await start_all(database.run_write(first, brief=True))
        await asyncio.to_thread(waits.wait, PATIENCE)
        event.remove(Engine, "before_cursor_execute", begin)
        [joining] = await start_all(database.run_write(lambda _, told=told: told.is_set(), brief=True))
        go_on.set()
        await asyncio.gather(holding, waiting)
        told_before.append(await joining)
    # On a slow machine, a transaction may be too old to take the second one.
    assert not all(told_before)
    await other.close()


async def test_a_read_sees_one_version(database: Database) -> None:
    began, go_on = threading.Event(), threading.Event()

    def twice(db: Session) -> tuple[list[str], list[str]]:
        first = names(db)
        began.set()
        assert go_on.wait(PATIENCE)
        return first, names(db)

    reading = asyncio.create_task(database.run_read(twice))
    await asyncio.to_thread(began.wait, PATIENCE)
    await database.run_write(add("later"))
    go_on.set()
    assert await reading == ([], [])


async def test_a_cancelled_reader_leaves_a_usable_thread(database: Database) -> None:
    go_on = threading.Event()
    tasks = [asyncio.create_task(database.run_read(lambda _: go_on.wait(PATIENCE))) for _ in range(8)]
    await asyncio.sleep(0)
    for task in tasks:
        task.cancel()
    go_on.set()
    assert all(isinstance(end, asyncio.CancelledError) for end in await asyncio.gather(*tasks, return_exceptions=True))
    assert await database.run_read(names) == []
