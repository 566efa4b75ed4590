"""Transactions that run on the database's own threads: whole, or not at all."""

import asyncio
import threading
import time

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from app import errors
from app.database import models, opening
from app.database.protocol import Database
from tests.database.transactions.writing import PATIENCE, add, names


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
