"""Restoring a backup brings back what was there, keeps what it replaces, and refuses what is no backup."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import old_databases
from tests.database.upkeep.databases import Run, opened, search, told
from tests.old_databases import NEWEST, OWNER


def test_a_backup_brings_back_what_was_there(footnote: Run, filled: Path, tmp_path: Path) -> None:
    before = search(footnote)
    made = footnote("backup", "kept.db")
    assert made.exit_code == 0
    assert made.stdout.startswith("kept.db: ")
    again = footnote("backup", "kept.db")
    assert (again.exit_code, again.stdout) == (1, "")
    assert again.stderr == "footnote: kept.db already exists; a backup never replaces a file.\n"

    (tmp_path / "docs" / "returns.md").write_text("# Return goods\n\nReturn goods? Return no goods.\n")
    footnote("ingest", "docs", "-p", "shop")
    assert search(footnote) != before
    restored = footnote("restore", "kept.db")
    assert restored.exit_code == 0
    assert "The previous database is kept in footnote.db.before-restore" in restored.stdout
    assert search(footnote) == before
    assert footnote("check").exit_code == 0
    assert footnote("restore", "footnote.db.before-restore").exit_code == 0
    assert search(footnote) != before


@pytest.mark.parametrize("content", [b"a letter, not a database " * 100, None])
def test_a_file_that_is_not_a_backup_is_not_restored(
    footnote: Run, filled: Path, tmp_path: Path, content: bytes | None
) -> None:
    if content is not None:
        (tmp_path / "wrong.db").write_bytes(content)
    before = search(footnote)
    refused = footnote("restore", "wrong.db")
    assert refused.exit_code == (2 if content is None else 1)
    assert "wrong.db" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1
    assert search(footnote) == before


NOT_OURS = "it is not a Footnote database"
UNUSABLE = {
    "UPDATE alembic_version SET version_num = '9999'": (
        "it was created by a newer version of Footnote (it is at 9999, this one knows up to {})"
    ),
    "INSERT INTO alembic_version VALUES ('0001')": NOT_OURS,
    "DELETE FROM alembic_version": NOT_OURS,
    "DROP TABLE alembic_version": NOT_OURS,
    "DROP TABLE projects": NOT_OURS,
}


@pytest.mark.parametrize(("change", "reason"), UNUSABLE.items())
def test_a_backup_that_this_version_cannot_use_is_refused_before_anything_changes(
    footnote: Run, tmp_path: Path, change: str, reason: str
) -> None:
    asyncio.run(old_databases.make(tmp_path / "wrong.db", NEWEST))
    with opened(tmp_path / "wrong.db") as connection:
        connection.execute(change)
    refusal = told(f"wrong.db cannot be restored: {reason.format(NEWEST)}.")
    for kept in (None, b"what was there"):
        if kept is not None:
            (tmp_path / "footnote.db").write_bytes(kept)
        refused = footnote("restore", "wrong.db")
        assert (refused.exit_code, refused.stdout, refused.stderr) == (1, "", refusal)
        assert [file.name for file in tmp_path.glob("footnote.db*")] == ([] if kept is None else ["footnote.db"])
    assert (tmp_path / "footnote.db").read_bytes() == b"what was there"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give files to others")
@pytest.mark.parametrize("before", ["sound", "damaged", "missing"])
def test_what_root_restores_belongs_to_the_server_s_user(footnote: Run, tmp_path: Path, before: str) -> None:
    for name in ("good.db", "footnote.db"):
        asyncio.run(old_databases.make(tmp_path / name, NEWEST))
    for path in (tmp_path, tmp_path / "footnote.db"):
        os.chown(path, 65_534, 65_533)
    if before == "damaged":
        overwrite(tmp_path / "footnote.db")
    elif before == "missing":
        (tmp_path / "footnote.db").unlink()
    assert footnote("restore", "good.db").exit_code == 0
    found = (tmp_path / "footnote.db").stat()
    assert (found.st_uid, found.st_gid, found.st_mode & 0o777) == (65_534, 65_533, 0o600)


def test_a_backup_of_an_older_version_is_restored_and_migrated(footnote: Run, tmp_path: Path) -> None:
    asyncio.run(old_databases.make(tmp_path / "old.db", "0001", OWNER, old_databases.project("shop")))
    restored = footnote("restore", "old.db")
    assert restored.exit_code == 0, restored.stderr
    assert footnote("migrate").stdout.startswith(f"footnote.db: 0001 → {NEWEST}, backup ")
    assert footnote("documents", "list", "-p", "shop").exit_code == 0


def test_going_back_to_a_backup_after_a_newer_version_ran_keeps_what_that_made(footnote: Run, tmp_path: Path) -> None:
    for name in ("good.db", "footnote.db"):
        asyncio.run(old_databases.make(tmp_path / name, NEWEST))
    with opened(tmp_path / "footnote.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    assert footnote("migrate").exit_code == 2
    assert footnote("restore", "good.db").exit_code == 0
    assert footnote("migrate").stdout == f"footnote.db: already at {NEWEST}\n"
    with opened(tmp_path / "footnote.db.before-restore") as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("9999",)


def spoil(file: Path) -> None:
    """Damage all pages but the first few."""
    with file.open("r+b") as damaged:
        damaged.seek(4096 * 3)
        damaged.write(b"\xff" * (file.stat().st_size - 4096 * 3))


def overwrite(file: Path) -> None:
    file.write_bytes(b"a letter, not a database " * 1000)


@pytest.mark.parametrize("damage", [spoil, overwrite])
def test_a_backup_replaces_a_damaged_database_whose_bytes_are_kept(
    footnote: Run, filled: Path, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    before = search(footnote)
    assert footnote("backup", "kept.db").exit_code == 0
    file = tmp_path / "footnote.db"
    damage(file)
    damaged = file.read_bytes()
    (tmp_path / "footnote.db-wal").write_bytes(b"what was being written")
    restored = footnote("restore", "kept.db")
    assert restored.exit_code == 0, restored.stderr
    assert "The previous database is kept in footnote.db.before-restore" in restored.stdout
    assert (tmp_path / "footnote.db.before-restore").read_bytes() == damaged
    assert search(footnote) == before
    assert footnote("check").exit_code == 0
    assert {each.name for each in tmp_path.iterdir() if "partial" in each.name} == set()


def test_a_backup_replaces_a_damaged_database_behind_a_link_and_leaves_the_link(
    footnote: Run, filled: Path, tmp_path: Path
) -> None:
    """The log is next to the database. If it stayed, SQLite would apply it to what was restored."""
    before = search(footnote)
    assert footnote("backup", "kept.db").exit_code == 0
    link, file, log = tmp_path / "footnote.db", tmp_path / "data" / "own.db", tmp_path / "data" / "own.db-wal"
    file.parent.mkdir()
    link.rename(file)
    link.symlink_to(file)
    spoil(file)
    log.write_bytes(b"what was being written")
    restored = footnote("restore", "kept.db")
    assert restored.exit_code == 0, restored.stderr
    assert f"The previous database is kept in {file}.before-restore" in restored.stdout
    assert link.is_symlink()
    assert search(footnote) == before
    assert not log.exists()


def test_a_backup_replaces_an_empty_file(footnote: Run, filled: Path, tmp_path: Path) -> None:
    before = search(footnote)
    assert footnote("backup", "kept.db").exit_code == 0
    (tmp_path / "footnote.db").write_bytes(b"")
    restored = footnote("restore", "kept.db")
    assert restored.exit_code == 0, restored.stderr
    assert "before-restore" not in restored.stdout
    assert search(footnote) == before
