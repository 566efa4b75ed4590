"""Transactions and locks on PostgreSQL: what readers see, who waits for whom, and what cannot be stored."""

import asyncio
import threading
from collections.abc import Callable

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from app import errors
from app.database import models, opening
from app.database.locks import Lock
from app.database.postgres.lock_queues import LockQueues
from app.database.protocol import Database
from tests import postgres
from tests.looking import pause

WAITING = (
    "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'advisory' "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
END_LOCKS = (
    "SELECT pg_terminate_backend(pid, 10000) FROM pg_locks WHERE locktype = 'advisory' "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


async def test_readers_see_one_snapshot_and_cannot_write(database: Database) -> None:
    async with database.read() as db:
        count = text("SELECT count(*) FROM projects")
        assert (await db.execute(count)).scalar_one() == 0
        await database.run_write(lambda other: other.add(models.Project(name="later")))
        assert (await db.execute(count)).scalar_one() == 0
        with pytest.raises((DBAPIError, errors.Unavailable), match="read-only"):
            await db.execute(text("DELETE FROM projects"))


async def test_a_failed_write_leaves_nothing(database: Database) -> None:
    with pytest.raises(RuntimeError):
        async with database.begin() as db:
            db.add(models.Project(name="half"))
            await db.flush()
            raise RuntimeError
    assert await database.run_read(lambda db: db.scalar(text("SELECT count(*) FROM projects"))) == 0


async def test_a_write_that_is_cancelled_while_it_waits_on_the_server_leaves_nothing(
    database: Database, url: str
) -> None:
    lock = text("SELECT pg_advisory_xact_lock(1)")

    def write(db: Session) -> None:
        db.add(models.Project(name="cancelled"))
        db.flush()
        db.execute(lock)

    async with database.begin() as db:
        await db.execute(lock)
        writing = asyncio.create_task(database.run_write(write))
        while not await asyncio.to_thread(postgres.fetch_value, url, WAITING):
            await pause()  # it is on its way, or the test runs into its time limit
        writing.cancel()
        await asyncio.sleep(0)
        assert not writing.done(), "its transaction is still open"
    with pytest.raises(asyncio.CancelledError):
        await writing
    assert await database.run_read(lambda db: db.scalar(text("SELECT count(*) FROM projects"))) == 0


async def test_writes_that_wait_for_each_other_are_both_done(database: Database) -> None:
    async with database.begin() as db:
        db.add_all(models.Project(id=id, name=id) for id in "ab")
    both, tries = threading.Barrier(2), list[str]()

    def rename(first: str, second: str) -> Callable[[Session], None]:
        def work(db: Session) -> None:
            tries.append(first)
            for id in (first, second):
                project = db.get_one(models.Project, id)
                project.name += first
                db.flush()
                if len(tries) <= 2 and id == first:
                    both.wait(10)

        return work

    await asyncio.gather(database.run_write(rename("a", "b")), database.run_write(rename("b", "a")))
    assert sorted(tries) in (["a", "a", "b"], ["a", "b", "b"])
    async with database.read() as db:
        names = [(await db.get_one(models.Project, id)).name for id in "ab"]
    assert [name[1:] for name in names] in (["ab", "ab"], ["ba", "ba"])


async def test_nobody_waits_for_a_lock_without_end() -> None:
    queues = LockQueues(wait_seconds=0.05)
    async with queues.enter([Lock.DOCUMENTS]), queues.enter([Lock.DOCUMENTS]):
        with pytest.raises(errors.Unavailable, match="too many writers are waiting"):
            async with queues.enter([Lock.PROJECT_NAMES, Lock.DOCUMENTS]):
                raise AssertionError("two are there already")
        async with queues.enter([Lock.PROJECT_NAMES]), queues.enter([Lock.PROJECT_NAMES]):
            pass  # what the third had while it waited is free again


async def test_those_who_wait_for_a_lock_leave_connections_to_others(database: Database, url: str) -> None:
    other = opening.open_database(url)
    one = text("SELECT 1")

    async def begin() -> None:
        async with database.begin(Lock.MEMORIES):
            pass

    async with asyncio.TaskGroup() as waiting, other.begin(Lock.DOCUMENTS), other.begin(Lock.MEMORIES):
        for _ in range(10):
            waiting.create_task(database.run_write(lambda db: db.scalar(one), Lock.DOCUMENTS))
            waiting.create_task(begin())
        while not await asyncio.to_thread(postgres.fetch_value, url, WAITING):
            await pause()  # they are on their way, or the test runs into its time limit
        async with asyncio.timeout(20):
            assert await database.run_write(lambda db: db.scalar(one)) == 1
            await database.probe()
    await other.close()


async def test_one_process_at_a_time_does_the_upkeep(database: Database, url: str) -> None:
    other = opening.open_database(url)
    assert await database.hold_upkeep()
    assert (await database.hold_upkeep(), await other.hold_upkeep()) == (True, False)
    postgres.run_statements(END_LOCKS, url=url)
    assert (await other.hold_upkeep(), await database.hold_upkeep()) == (True, False), "whoever lost it asks again"
    await other.close()
    assert await database.hold_upkeep()


async def test_text_that_cannot_be_stored_is_refused(database: Database) -> None:
    with pytest.raises(errors.Invalid, match=r"U\+0000"):
        await database.run_write(lambda db: db.add(models.Project(name="a\0b")) or db.flush())


async def test_values_outside_of_a_column_are_refused(database: Database) -> None:
    calibration = models.TokenCalibration(user_id="u", model="m", script="Latin", samples=2**31, mean=1, variance=0)
    for row in (models.Project(name="x" * 201), calibration):
        with pytest.raises(errors.Invalid, match="can store here"):
            await database.run_write(lambda db, row=row: db.add(row) or db.flush())
