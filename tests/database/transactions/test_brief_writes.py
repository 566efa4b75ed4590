"""Brief writes that share a transaction: what fails or is cancelled undoes itself alone."""

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from sqlalchemy import Engine, event, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app import errors
from app.database import models, opening
from app.database.protocol import Database
from app.database.threads import call_after_commit
from tests.database.transactions.writing import PATIENCE, add, names


def hold_up(database: Database) -> tuple[asyncio.Task[None], threading.Event]:
    """A write that ends when it is told; others wait for it."""
    go_on = threading.Event()

    def wait(_: Session) -> None:
        assert go_on.wait(PATIENCE)

    return asyncio.create_task(database.run_write(wait)), go_on


def add_for_long(db: Session, name: str, seconds: float = 0.06) -> None:
    """Write for so long, or for longer than what other brief writes may wait for in the same transaction."""
    until = time.perf_counter() + seconds
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


@pytest.mark.sqlite
async def test_what_waits_behind_a_write_of_some_milliseconds_is_in_its_transaction(database: Database) -> None:
    """On a busy server, most writes take that long, because they wait for other threads."""
    told_before: list[object] = []
    for number in range(20):
        told = threading.Event()

        def second(db: Session, number: int = number, told: threading.Event = told) -> None:
            call_after_commit(db, told.set)
            add_for_long(db, f"second {number}", 0.008)

        _, _, third = await write_three(database, second, lambda _, told=told: told.is_set(), number)
        told_before.append(third)
    # On a slow machine, a transaction may be too old to take the third one.
    assert False in told_before


async def test_what_waits_behind_a_long_write_is_not_in_its_transaction(database: Database) -> None:
    told = threading.Event()

    def second(db: Session) -> None:
        call_after_commit(db, told.set)
        add_for_long(db, "second")

    _, _, third = await write_three(database, second, lambda _: told.is_set())
    assert third is True or database.dialect == "postgresql"


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
