"""Backups are complete, whatever goes on meanwhile, and are made before migrations."""

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from app.database import opening
from app.settings import Settings
from tests import old_databases
from tests.database.upkeep.databases import Run, opened
from tests.graphql.client import Client
from tests.old_databases import NEWEST, OWNER
from tests.serving import serve, serve_in_process


async def test_a_backup_of_a_server_at_work_is_whole(tmp_path: Path) -> None:
    file = tmp_path / "footnote.db"
    with serve(Settings.model_validate({"database_url": f"sqlite:///{file}"})) as url:
        async with httpx.AsyncClient(timeout=120) as http:
            client = Client(http, url)
            project = await client.project("shop")
            for number in range(20):
                await client.ready(project, f"Note {number}", f"# Note\n\nNumber {number} was written down.")
                if number == 10:
                    await opening.open_database(f"sqlite:///{file}").back_up(tmp_path / "kept.db")
    with opened(tmp_path / "kept.db") as connection:
        [count] = connection.execute("SELECT count(*) FROM documents WHERE status = 'READY'").fetchone()
    assert count == 11


def test_a_database_cannot_be_its_own_backup(footnote: Run, filled: Path) -> None:
    refused = footnote("restore", "footnote.db")
    assert (refused.exit_code, refused.stderr) == (
        1,
        "footnote: footnote.db is the database itself, not a backup of it.\n",
    )
    assert footnote("check").exit_code == 0


def test_a_migration_makes_a_backup_first(footnote: Run, tmp_path: Path) -> None:
    asyncio.run(old_databases.make(tmp_path / "footnote.db", "0001", OWNER, old_databases.project("shop")))
    done = footnote("migrate")
    assert done.exit_code == 0, done.stderr
    [kept] = tmp_path.glob("footnote.db.before-*")
    assert done.stdout.endswith(f", backup {kept.name}\n")
    with opened(kept) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("0001",)
    assert footnote("check").exit_code == 0


def test_a_server_says_that_it_migrates_before_it_does(tmp_path: Path) -> None:
    """A large database takes minutes, in which nothing else is heard of the server."""
    asyncio.run(old_databases.make(tmp_path / "footnote.db", "0030", OWNER))
    with serve_in_process({"DATABASE_URL": f"sqlite:///{tmp_path}/footnote.db"}, stderr=subprocess.PIPE) as (server, _):
        server.terminate()
        told = server.communicate()[1].splitlines()
    assert f"migrating the database from 0030 to {NEWEST}: a large one takes minutes" in told[0]
    assert f"database migrated from 0030 to {NEWEST}, backup=" in told[1]


def test_migrations_that_are_interrupted_leave_one_backup_of_each_content(footnote: Run, tmp_path: Path) -> None:
    file, old = tmp_path / "footnote.db", tmp_path / "old.db"
    asyncio.run(old_databases.make(old, "0001", OWNER, old_databases.project("shop")))
    backups = [f"footnote.db.before-{NEWEST}"]
    for _ in range(3):  # a kill leaves the database as it was, and the backup
        shutil.copy(old, file)
        assert footnote("migrate").stdout.endswith(f", backup {backups[0]}\n")
        assert [each.name for each in tmp_path.glob("footnote.db.before-*")] == backups
    with opened(old) as connection, connection:
        connection.execute(old_databases.project("another"))
    shutil.copy(old, file)
    assert footnote("migrate").stdout.endswith(f", backup {backups[0]}-2\n")


@pytest.mark.skipif(sys.platform == "win32", reason="no such limit")
def test_a_backup_that_cannot_be_written_leaves_nothing(filled: Path) -> None:
    command = f'ulimit -f 200; exec "{sys.executable}" -m app backup b.db'
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    ended = subprocess.run(
        ["sh", "-c", command], cwd=filled.parent, env=environment, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr.splitlines()) == (
        1,
        [
            "footnote: b.db cannot be written: disk I/O error (a quota, a limit on file sizes as set by"
            " `ulimit -f`, or a failing disk)."
        ],
    )
    assert list(filled.parent.glob("b.db*")) == []
