"""The database: drivers, versions, and models against migrations."""

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, closing
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from sqlalchemy import Integer, Table, UniqueConstraint, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from app import errors
from app.database import models, opening, upgrade
from app.database.protocol import Database
from app.database.sqlite import driver
from app.database.sqlite.files import OpenFiles
from app.knowledge.index.protocol import SpaceKey
from app.knowledge.index.sqlite.vectors import SQLiteVectorIndex
from tests import behind, old_databases, schema_differences
from tests.commands import run_here
from tests.forks.loaded_process import ROOT
from tests.old_databases import NEWEST


def url(folder: Path) -> str:
    return f"sqlite:///{folder / 'footnote.db'}"


async def test_migrations_build_what_the_models_say(tmp_path: Path) -> None:
    database = opening.open_database(url(tmp_path))
    assert await upgrade.upgrade_database(database) == upgrade.UpgradeResult(None, NEWEST, None)
    assert await upgrade.upgrade_database(database) == upgrade.UpgradeResult(NEWEST, NEWEST, None)

    assert await database.inspect_schema(schema_differences.find_differences) == []
    await database.close()


async def test_a_newer_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    database = opening.open_database(url(tmp_path))
    await upgrade.upgrade_database(database)
    async with database.begin() as db:
        await db.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(
        errors.StartError, match=rf"newer version of Footnote \(it is at 9999, this one knows up to {NEWEST}\)"
    ):
        await upgrade.upgrade_database(database)
    async with database.read() as db:
        assert (await db.execute(text("SELECT version_num FROM alembic_version"))).scalar_one() == "9999"
    await database.close()


class TransactionConflict:
    """A database that a newer Footnote migrates just before we do."""

    def __init__(self, database: Database, url: str) -> None:
        self._database, self._url = database, url

    def __getattr__(self, name: str) -> object:
        return getattr(self._database, name)

    def open_schema(self) -> AbstractAsyncContextManager[AsyncConnection]:
        behind.execute(self._url, "UPDATE alembic_version SET version_num = '9999'")
        return self._database.open_schema()


async def test_a_database_that_a_newer_version_migrates_meanwhile_is_refused(tmp_path: Path) -> None:
    await old_databases.make(tmp_path / "footnote.db", "0001", old_databases.project("kept"))
    database = opening.open_database(url(tmp_path))
    with pytest.raises(errors.StartError, match="newer version of Footnote"):
        await upgrade.upgrade_database(cast("Database", TransactionConflict(database, url(tmp_path))))
    await database.close()


async def test_of_several_that_migrate_a_file_at_once_one_does(tmp_path: Path) -> None:
    await old_databases.make(tmp_path / "footnote.db", "0001", old_databases.project("kept"))
    opened = [opening.open_database(url(tmp_path)) for _ in range(3)]
    done = await asyncio.gather(*map(upgrade.upgrade_database, opened))
    for database in opened:
        await database.close()
    assert sorted((str(each.before), each.backup) for each in done)[0] == (
        "0001",
        tmp_path / f"footnote.db.before-{NEWEST}",
    )
    assert sum(each.backup is not None for each in done) == 1


def test_whoever_opens_a_new_file_while_another_process_does_waits_for_it(tmp_path: Path) -> None:
    refused = threading.Event()

    class Connection(sqlite3.Connection):
        def execute(self, *arguments: Any) -> sqlite3.Cursor:
            try:
                return super().execute(*arguments)
            except sqlite3.OperationalError:
                refused.set()
                raise

    file = tmp_path / "new.db"
    opened = OpenFiles(file, partial(sqlite3.connect, file, factory=Connection, check_same_thread=False))
    with closing(sqlite3.connect(file)) as other, ThreadPoolExecutor(1) as threads:
        other.execute("CREATE TABLE t (a)")
        other.execute("BEGIN")
        other.execute("SELECT * FROM t").fetchall()
        opening = threads.submit(opened.watch_files)
        assert refused.wait(30)
        other.rollback()
        opening.result(30)
    opened.close()
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_file_that_grows_while_connections_are_opened_is_not_taken_for_a_shorter_one(tmp_path: Path) -> None:
    """Threads check its size at the same time, and one may see it before another and compare it later."""
    file, has_grown = tmp_path / "new.db", threading.Event()
    opened = OpenFiles(file, partial(sqlite3.connect, file, check_same_thread=False))
    opened.watch_files()

    def open_connections() -> None:
        while not has_grown.is_set():
            opened.watch_files()

    with closing(sqlite3.connect(file, isolation_level=None)) as writer, ThreadPoolExecutor(3) as threads:
        openings = [threads.submit(open_connections) for _ in range(3)]
        try:
            for statement in ("PRAGMA synchronous=OFF", "PRAGMA wal_autocheckpoint=1", "CREATE TABLE t (a)"):
                writer.execute(statement)
            for _ in range(1_000):
                writer.execute("INSERT INTO t VALUES (zeroblob(9000))")
        finally:
            has_grown.set()
        for each in openings:
            each.result(30)
    opened.close()
    assert file.stat().st_size > 8_000_000


async def test_a_failed_write_leaves_nothing_and_readers_cannot_write(tmp_path: Path) -> None:
    database = opening.open_database(url(tmp_path))
    await upgrade.upgrade_database(database)
    with pytest.raises(RuntimeError):
        async with database.begin() as db:
            db.add(models.Project(name="half"))
            await db.flush()
            raise RuntimeError
    async with database.read() as db:
        assert (await db.execute(text("SELECT count(*) FROM projects"))).scalar_one() == 0
        with pytest.raises(DBAPIError, match="readonly"):
            await db.execute(text("DELETE FROM projects"))
    await database.close()


async def test_errors_do_not_quote_the_values_written(tmp_path: Path) -> None:
    database = opening.open_database(url(tmp_path))
    try:
        await upgrade.upgrade_database(database)
        with pytest.raises(DBAPIError) as caught:
            async with database.begin() as db:
                for _ in "12":
                    await db.execute(text("INSERT INTO users(id, name) VALUES ('1', :name)"), {"name": "in confidence"})
    finally:
        await database.close()
    assert "users" in str(caught.value)
    assert "in confidence" not in str(caught.value)


async def test_a_rolled_back_vector_table_is_created_again(tmp_path: Path) -> None:
    database = opening.open_database(url(tmp_path))
    await upgrade.upgrade_database(database)
    index, space = SQLiteVectorIndex(), SpaceKey("space", 0, 7)
    with pytest.raises(RuntimeError):
        async with database.begin() as db:
            await db.run_sync(index.prepare_space, space)
            raise RuntimeError
    async with database.begin() as db:
        await db.run_sync(index.prepare_space, space)
        await db.execute(text("SELECT count(*) FROM chunk_vectors_7"))
    await database.close()


async def test_the_connection_is_durable_and_enforces_foreign_keys(tmp_path: Path) -> None:
    database = opening.open_database(url(tmp_path))
    for source in (database.begin, database.read):
        async with source() as db:
            wanted = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
            found = {name: (await db.execute(text(f"PRAGMA {name}"))).scalar_one() for name in wanted}
            assert found == wanted
    await database.close()


class Counted(FunctionElement[int]):
    """An expression that counts how often it is compiled."""

    inherit_cache = True
    type = Integer()
    compilations = 0


@compiles(Counted)
def compile_counted(element: Counted, compiler: SQLCompiler, **_: object) -> str:
    Counted.compilations += 1
    return "1"


async def test_a_statement_is_compiled_once_for_all_databases_and_threads(tmp_path: Path) -> None:
    statement = select(Counted())
    for name in ("one", "two"):
        database = opening.open_database(f"sqlite:///{tmp_path / name}.db")
        for run in (database.run_write, database.run_read, partial(database.run_read, slow=True)):
            # An engine shares what it compiles once it has connected.
            await run(lambda db: db.execute(text("SELECT 1")))
            assert await run(lambda db: db.execute(statement).all()) == [(1,)]
        await database.close()
    assert Counted.compilations == 1


def test_the_newest_driver_that_can_load_extensions_is_chosen() -> None:
    chosen = driver.choose_driver()
    assert chosen.version >= tuple(sqlite3.sqlite_version_info) or not hasattr(
        sqlite3.Connection, "enable_load_extension"
    )
    with pytest.raises(errors.StartError, match="no_such_driver is not installed"):
        driver.choose_driver(("no_such_driver",))


def test_the_vector_extension_is_loaded_by_no_other_driver(tmp_path: Path) -> None:
    """It calls the library that has loaded it last: with two in a process, searches ended with a segmentation fault."""
    good = driver.choose_driver().module.__name__
    for name, version, more in (
        ("older", 2, "def connect(*_): raise AssertionError('It was opened.')"),
        ("incapable", 9, "class Connection: pass"),
    ):
        version_info = f"sqlite_version_info = ({version}, 0, 0)"
        (tmp_path / f"{name}_sqlite.py").write_text(f"from {good} import *\n{version_info}\n{more}\n")
    code = (
        "from app.database.sqlite import driver\n"
        f"print(driver.choose_driver(('older_sqlite', {good!r}, 'incapable_sqlite')).module.__name__)"
    )
    paths = os.pathsep.join([str(tmp_path), str(ROOT)])
    command = [sys.executable, "-c", code]
    ran = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": paths})
    assert (ran.stdout, ran.returncode) == (f"{good}\n", 0), ran.stderr


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("nonsense", "is not a database URL"),
        ("mysql://localhost/x", r"starts with mysql://.* allowed: sqlite:///FILE and postgresql://"),
        ("sqlite://", "must name a file"),
        ("sqlite:////no/such/folder/x.db", "folder /no/such/folder, which does not exist"),
        ("sqlite://data/x.db", "two slashes before data, which would be a server; .* sqlite:///footnote.db"),
        ("sqlite:///file:x.db?uri=true", "has the parameter uri, but a file takes none"),
        ("sqlite:///x.db?mode=ro", "has the parameter mode, but a file takes none"),
    ],
)
def test_a_wrong_url_says_what_is_allowed(wrong: str, says: str) -> None:
    with pytest.raises(errors.StartError, match=says):
        opening.open_database(wrong)


def test_every_row_that_refers_to_another_is_found_by_an_index() -> None:
    """Otherwise each row that is deleted searches the whole table for rows that refer to it."""
    missing = [
        f"{table.name}.{column.name}"
        for table in models.Base.metadata.sorted_tables
        for column in table.columns
        if column.foreign_keys and column.name not in _first_columns_of_indexes(table)
    ]
    assert missing == []


def _first_columns_of_indexes(table: Table) -> set[str]:
    unique = [each for each in table.constraints if isinstance(each, UniqueConstraint)]
    # A partial index does not find every row.
    whole = [each for each in table.indexes if each.dialect_options["sqlite"]["where"] is None]
    return {next(iter(each.columns)).name for each in (table.primary_key, *unique, *whole)}


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
def test_what_is_no_file_is_refused_and_keeps_its_mode(tmp_path: Path) -> None:
    """As root, the database /dev/null would take it away from everybody else."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    pipe.chmod(0o666)
    for command in (["migrate"], ["projects"], ["copy", "--to", f"sqlite:///{pipe}"]):
        ran = run_here(tmp_path, *command, DATABASE_URL=f"sqlite:///{pipe}")
        assert (ran.returncode, "which is a device, a pipe or a socket, not a file" in ran.stderr) == (2, True), ran
    assert stat.S_IMODE(pipe.stat().st_mode) == 0o666
