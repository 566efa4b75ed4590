"""The versions form one chain, each the same by upgrade and by downgrade."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.database import migrating, opening, upgrade
from tests.database.migrations.versions import CHAIN, INI, opened, shape


def test_the_names_of_the_files_give_the_chain() -> None:
    """The server compares its database's version with them, and leaves Alembic alone if it is the newest."""
    assert upgrade.known_revisions() == CHAIN


def test_a_new_database_in_sqlite_needs_no_migration() -> None:
    """After a new one, `python -m tests.new_tables` prints the tables to begin with: Alembic is slow to import."""
    assert migrating.first_revision("sqlite") == CHAIN[-1]


async def test_a_new_database_begins_with_what_all_migrations_make(versions: dict[str, Path], tmp_path: Path) -> None:
    file = tmp_path / "new.db"
    database = opening.open_database(f"sqlite:///{file}")
    assert await upgrade.upgrade_database(database) == upgrade.UpgradeResult(None, CHAIN[-1], None)
    await database.close()
    assert schema(file) == schema(versions[CHAIN[-1]])


def schema(file: Path) -> Any:
    """Everything in the database that has a name, and its version."""
    with opened(file) as connection:
        made = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
        version = connection.execute("SELECT version_num FROM alembic_version").fetchall()
    return sorted((*names, " ".join((sql or "").split())) for *names, sql in made), version


def test_every_version_is_the_same_by_upgrade_and_by_downgrade(
    file: Path, versions: dict[str, Path], run: Callable[..., str]
) -> None:
    run("upgrade", "head")
    for version in CHAIN[::-1]:
        run("downgrade", version)
        assert shape(file) == shape(versions[version]), version


def test_nothing_is_left_before_the_first_version(file: Path, run: Callable[..., str]) -> None:
    run("upgrade", "head")
    with opened(file) as connection:
        connection.execute(
            "CREATE VIRTUAL TABLE chunk_vectors_4 USING vec0(space TEXT PARTITION KEY, embedding float[4])"
        )
    run("downgrade", "base")
    assert shape(file) == set()


def test_the_command_itself_can_downgrade(file: Path, run: Callable[..., str]) -> None:
    run("upgrade", "head")
    command = [sys.executable, "-m", "alembic", "-c", str(INI), "downgrade", "base"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert shape(file) == set()
