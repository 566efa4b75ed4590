"""Commands that need a database neither create one nor change that of another program."""

from contextlib import closing
from pathlib import Path
from sqlite3 import connect

import pytest

from tests.database.upkeep.databases import Run, told

NO_DATABASE = (
    "There is no database {}. Create it with `footnote serve`, `ingest` or `migrate`, "
    "or name another one in DATABASE_URL."
)


@pytest.mark.parametrize("others", ["CREATE TABLE notes (note TEXT)", "CREATE TABLE documents (title TEXT)"])
def test_a_database_of_another_program_is_not_changed_nor_backed_up(
    footnote: Run, filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, others: str
) -> None:
    assert footnote("backup", "kept.db").exit_code == 0
    with closing(connect(tmp_path / "other.db")) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(others)
    monkeypatch.setenv("DATABASE_URL", "sqlite:///other.db")
    before = (tmp_path / "other.db").read_bytes()
    restored, saved = footnote("restore", "kept.db"), footnote("backup", "saved.db")
    assert restored.stderr == told("other.db is a database of another program, and is not replaced.")
    assert saved.stderr == told("other.db is not a Footnote database.")
    migrated = footnote("migrate")
    assert (migrated.exit_code, migrated.stderr) == (
        2,
        told("The database other.db belongs to another program; name another one in DATABASE_URL."),
    )
    assert (tmp_path / "other.db").read_bytes() == before
    assert not [*tmp_path.glob("other.db.*"), *tmp_path.glob("saved*")]


@pytest.mark.parametrize(
    "command",
    [
        *(
            "ask x -p shop",
            "search x -p shop",
            "preview x -p shop",
            "check",
            "check --repair",
            "backup kept.db",
            "audit",
        ),
        *("user list", "user add kim@example.org", "token list owner@localhost", "token create owner@localhost -l x"),
        *("token revoke x", "member list shop"),
    ],
)
def test_commands_that_need_a_database_do_not_create_one(footnote: Run, tmp_path: Path, command: str) -> None:
    refused = footnote(*command.split())
    assert (refused.exit_code, refused.stdout, refused.stderr) == (2, "", told(NO_DATABASE.format("footnote.db")))
    assert not [*tmp_path.iterdir()]


def test_a_missing_database_is_named_as_given(footnote: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for given in ("own.db", f"{tmp_path}/own.db"):
        monkeypatch.setenv("DATABASE_URL", f"sqlite:///{given}")
        assert footnote("search", "x", "-p", "own").stderr == told(NO_DATABASE.format(given))
    assert footnote("migrate").exit_code == 0
    assert footnote("search", "x", "-p", "own").stderr == told(
        f"There is no project in {tmp_path}/own.db yet; `footnote ingest` creates one."
    )
