"""Database upkeep on the command line: backups are complete, checks find damage, repairs mend it."""

import asyncio
import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path
from sqlite3 import Connection, connect

import httpx
import pytest
from typer.testing import CliRunner, Result

from app.cli.commands import cli
from app.database import opening
from app.database.sqlite import driver
from app.settings import Settings
from tests import old_databases
from tests.graphql.client import Client
from tests.old_databases import NEWEST, OWNER
from tests.serving import serve, serve_in_process

Run = Callable[..., Result]

NO_DATABASE = (
    "There is no database {}. Create it with `footnote serve`, `ingest` or `migrate`, "
    "or name another one in DATABASE_URL."
)


@pytest.fixture
def footnote(tmp_path: Path) -> Generator[Run]:
    """Run `footnote` in its own folder."""
    runner = CliRunner(env={"COLUMNS": "100"})

    def run(*arguments: str) -> Result:
        return runner.invoke(cli, list(arguments))

    with contextlib.chdir(tmp_path):
        yield run


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two documents, and a database that has them and an answer."""
    folder = tmp_path_factory.mktemp("filled")
    (folder / "docs").mkdir()
    (folder / "docs" / "returns.md").write_text("# Returns\n\nGoods may be returned within 30 days of delivery.\n")
    (folder / "docs" / "ships.md").write_text("# Shipping\n\nParcels are shipped from Hamburg on every working day.\n")
    with contextlib.chdir(folder):
        for arguments in (["ingest", "docs"], ["ask", "Within how many days may goods be returned?"]):
            assert CliRunner().invoke(cli, [*arguments, "-p", "shop"]).exit_code == 0
    return folder


@pytest.fixture
def filled(original: Path, tmp_path: Path) -> Path:
    """A copy of it in the test's folder; returns the database file."""
    shutil.copytree(original, tmp_path, dirs_exist_ok=True)
    return tmp_path / "footnote.db"


@contextmanager
def opened(file: Path) -> Generator[Connection]:
    """The test's own connection, committed at the end."""
    module = driver.choose_driver().module
    with closing(module.connect(str(file))) as connection:
        driver.load_vector_extension(connection)
        yield connection
        connection.commit()


def told(message: str) -> str:
    return f"footnote: {message}\n"


def search(footnote: Run) -> str:
    return footnote("search", "return goods", "-p", "shop", "-n", "1", "--mode", "lexical").stdout


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


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        ("DELETE FROM chunk_texts WHERE rowid >> 12 = 1", "1 chunks are not in the full-text index"),
        ("DELETE FROM chunk_vectors_256 WHERE rowid = 1", "1 chunks have no vector"),
        ("INSERT INTO chunk_texts(rowid, n1) VALUES (99 << 12 | 1, '1xfox')", "1 full-text entries belong"),
        ("UPDATE keyword_totals SET terms = terms + 1", "The word counts of 1 projects are wrong"),
        ("DELETE FROM keyword_totals", "chunks are not in the full-text index"),
        (
            "INSERT INTO chunk_vectors_256 SELECT 99, space, embedding FROM chunk_vectors_256 LIMIT 1",
            "1 vectors belong",
        ),
        ("UPDATE chunks SET position = 7 WHERE id = 1", "differ from those stored with it"),
        ("DELETE FROM answer_events WHERE sequence = 2", "The logs of 1 answers"),
        ("UPDATE messages SET shown = 0 WHERE role = 'ASSISTANT'", "1 chat sessions do not show"),
        ("UPDATE messages SET current = 0", "1 chat sessions do not show"),
        ("UPDATE messages SET content = content || '!' WHERE role = 'ASSISTANT'", "The logs of 1 answers"),
    ],
)
def test_damage_is_found_and_repaired(footnote: Run, filled: Path, harm: str, says: str) -> None:
    assert footnote("check").stdout == "Rows, full text, vectors, originals, answer logs and chat branches agree.\n"
    before = search(footnote)
    with opened(filled) as connection:
        connection.execute(harm)
    found = footnote("check")
    assert found.exit_code == 1
    assert says in found.stdout
    mended = footnote("check", "--repair")
    assert mended.exit_code == 0, mended.stdout + mended.stderr
    assert mended.stdout.endswith(
        "Checking again.\nRows, full text, vectors, originals, answer logs and chat branches agree.\n"
    )
    assert footnote("check").exit_code == 0
    assert search(footnote) == before


def test_messages_that_their_words_do_not_find_are_added_again(footnote: Run, filled: Path) -> None:
    for harm, lost in (
        ("UPDATE messages SET searchable = 1", 2),  # none was in the full text yet
        ("DELETE FROM message_texts WHERE rowid = (SELECT min(number) FROM message_text_rows)", 1),
        ("DELETE FROM message_text_rows", 2),
        ("DELETE FROM message_text_users", 2),
        ("UPDATE messages SET searchable = 0", 2),
        ("UPDATE messages SET content = content || ' gooseberries' WHERE role = 'USER'", 1),
    ):
        with opened(filled) as connection:
            connection.execute(harm)
        found = footnote("check")
        assert (found.exit_code, found.stdout.count(f"  {lost} messages cannot be found by their words.")) == (1, 1), (
            harm
        )
        mended = footnote("check", "--repair")
        assert mended.exit_code == 0, (harm, mended.stdout)


def test_a_damaged_original_is_reported_and_nothing_is_deleted(footnote: Run, filled: Path) -> None:
    with opened(filled) as connection:
        connection.execute("UPDATE originals SET data = x'00' WHERE rowid = 1")
    before = search(footnote)
    for arguments in (["check"], ["check", "--repair"]):
        found = footnote(*arguments)
        assert found.exit_code == 1
        assert "is damaged; add it again." in found.stdout
    assert search(footnote) == before
