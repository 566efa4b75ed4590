"""Backups that others make at the same time, that a kill leaves half written, and whose names are taken."""

import os
import shutil
import signal
import sqlite3
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.forks.commands import FootnoteProcess
from tests.looking import pause_here
from tests.old_databases import NEWEST
from tests.processes.test_interrupts import make_large, started


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database that takes a moment to copy."""
    file = tmp_path_factory.mktemp("large") / "footnote.db"
    make_large(file)
    return file


@pytest.fixture
def folder(large: Path, tmp_path: Path) -> Path:
    """The folder that commands run in, with that database."""
    shutil.copy(large, tmp_path)
    return tmp_path


def run(folder: Path, *arguments: str) -> tuple[int, str]:
    """Run a command; returns its exit code and what it says of errors."""
    with started(folder, *arguments) as process:
        said = process.communicate()[1]
    return process.returncode, said


@contextmanager
def begun(folder: Path, *arguments: str, copy: str) -> Generator[FootnoteProcess]:
    """A command that has begun to write `copy`, and stands still until the end of the block."""
    with started(folder, *arguments) as process:
        while not list(folder.glob(f"{copy}*")):
            assert process.poll() is None
            pause_here()
        process.send_signal(signal.SIGSTOP)
        yield process


def is_whole(file: Path) -> bool:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute("SELECT count(*) FROM many").fetchone() == (300_000,)


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir() if not file.name.endswith(("-wal", "-shm")))


def test_of_two_backups_to_one_name_the_first_that_is_whole_stays(folder: Path) -> None:
    with begun(folder, "backup", "kept.db", copy="kept.db") as slow:
        assert run(folder, "backup", "kept.db") == (0, "")
        slow.send_signal(signal.SIGCONT)
        says = slow.communicate()[1]
    assert (slow.returncode, says) == (1, "footnote: kept.db already exists; a backup never replaces a file.\n")
    assert names(folder) == ["footnote.db", "kept.db"]
    assert is_whole(folder / "kept.db")


def test_a_file_of_the_user_is_left_alone(folder: Path) -> None:
    own = folder / "kept.db.partial"
    own.write_text("my own")
    assert run(folder, "backup", "kept.db") == (0, "")
    assert own.read_text() == "my own"


@pytest.mark.parametrize("command", [("restore", "good.db"), ("migrate",)], ids=lambda command: command[0])
def test_what_a_killed_restore_leaves_is_removed_by_the_next_command(folder: Path, command: tuple[str, ...]) -> None:
    shutil.copy(folder / "footnote.db", folder / "good.db")
    make_large(folder / "old.db", "0001")
    (folder / "old.db").replace(folder / "footnote.db")
    with begun(folder, "restore", "good.db", copy="footnote.db.before-restore") as killed:
        killed.kill()
        killed.communicate()
    assert [name for name in names(folder) if "partial" in name]
    assert run(folder, *command) == (0, "")
    kept = {"restore": "before-restore", "migrate": f"before-{NEWEST}"}[command[0]]
    assert names(folder) == ["footnote.db", f"footnote.db.{kept}", "good.db"]


def test_what_a_killed_backup_leaves_is_removed_after_a_day(folder: Path) -> None:
    """Until then it may belong to a command that is at work."""
    with begun(folder, "backup", "kept.db", copy="kept.db") as killed:
        killed.kill()
        killed.communicate()
    left = list(folder.glob("kept.db.*.partial*"))
    assert run(folder, "backup", "kept.db") == (0, "")
    assert left
    assert all(file.exists() for file in left)
    (folder / "kept.db").unlink()
    long_ago = time.time() - 90_000
    for file in left:
        os.utime(file, (long_ago, long_ago))
    assert run(folder, "backup", "kept.db") == (0, "")
    assert names(folder) == ["footnote.db", "kept.db"]


@pytest.mark.parametrize("ending", ["-journal", "-wal", "-shm", "-wake", "-WAL"])
def test_names_of_files_beside_a_database_are_refused(folder: Path, ending: str) -> None:
    before = names(folder)
    refused = run(folder, "backup", f"footnote.db{ending}")
    says = f"ends with {ending.lower()}, like a database's own side files; choose another name.\n"
    assert refused == (1, f"footnote: footnote.db{ending} {says}")
    assert names(folder) == before
    code, said = run(folder, "copy", "--to", f"sqlite:///new.db{ending}")
    assert (code, f"new.db{ending}, which ends with {ending.lower()}" in said) == (2, True), said
