"""`footnote copy`: an installation goes from a SQLite file to PostgreSQL and back, and nothing changes on the way."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from typer.testing import CliRunner, Result

from app.cli.commands import cli
from app.cli.database.copying import copy_installation
from app.database import copying, models, opening
from app.database.copying import TableSum
from tests import newest, postgres
from tests.forks.commands import start_footnote
from tests.looking import pause_here
from tests.processes.test_interrupts import has_handled, started
from tests.servers.lost_replies import LostReplies
from tests.servers.ports import closed_port

ASKED = "Within how many days may goods be returned?"
QUESTION = ("ask", ASKED, "-p", "shop", "--json")
# Chat sessions and answers of each question that is asked have new ids.
WORDS = ("content", "outcome")
FROM_THIS = "FROM pg_stat_activity WHERE datname = current_database() AND"
SENDS = "query LIKE 'INSERT INTO originals%'"
SENDING = f"SELECT count(*) {FROM_THIS} {SENDS}"
WAITING = f"SELECT count(*) {FROM_THIS} wait_event_type = 'Lock'"


@pytest.fixture
def folder(tmp_path: Path) -> Generator[Path]:
    """The folder that commands run in, with documents, and a database where a document was deleted."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "returns.md").write_text("# Returns\n\nGoods may be returned within 30 days of delivery.\n")
    (tmp_path / "docs" / "ships.txt").write_text("Parcels are shipped from Hamburg on every working day.\n")
    (tmp_path / "docs" / "zulu.txt").write_text("Zulu time is what pilots call the time of Greenwich.\n")
    with contextlib.chdir(tmp_path):
        assert run("ingest", "docs", "--project", "shop").exit_code == 0
        assert run("documents", "delete", "zulu.txt", "-p", "shop", "--yes").exit_code == 0
        assert run(*QUESTION).exit_code == 0
        yield tmp_path


def run(*arguments: str, **settings: str) -> Result:
    """Run a command in this process."""
    return CliRunner(env={"COLUMNS": "200", **settings}).invoke(cli, arguments)


def answer(**settings: str) -> dict[str, Any]:
    """What a question gets, without what is new each time."""
    said = json.loads(run(*QUESTION, **settings).stdout)
    return {name: said[name] for name in WORDS} | {"quotes": [each["quote"] for each in said["citations"]]}


async def _sums(url: str) -> dict[str, TableSum]:
    database, found = opening.open_database(url), dict[str, TableSum]()
    async with database.read() as db:
        for table in copying.copied_tables():
            found[table.name] = TableSum()
            async for rows in copying.read_rows(db, table):
                found[table.name].add_rows(rows)
    await database.close()
    return found


def sums(url: str) -> dict[str, TableSum]:
    """What is in each table."""
    return asyncio.run(_sums(url))


def next_chunk(url: str) -> int:
    """The id that the next chunk gets; nothing is kept."""
    return asyncio.run(_next_chunk(url))


async def _execute(url: str, statement: str) -> None:
    database = opening.open_database(url)
    async with database.begin() as db:
        await db.execute(text(statement))
    await database.close()


async def _next_chunk(url: str) -> int:
    database = opening.open_database(url)
    async with database.begin() as db:
        document = (await db.scalars(models.Document.__table__.select())).first()
        made = models.Chunk(
            project_id=(await db.scalars(text("SELECT id FROM projects"))).one(),
            document_id=document,
            version=1,
            position=99,
            text="",
            heading=[],
            start_offset=0,
            end_offset=0,
            token_count=0,
        )
        db.add(made)
        await db.flush()
        number = made.id
        await db.rollback()
    await database.close()
    return number


def test_there_and_back(folder: Path) -> None:
    before = answer()
    here, back = f"sqlite:///{folder}/footnote.db", f"sqlite:///{folder}/back.db"
    with postgres.empty_database() as there:
        copied = run("copy", "--to", there)
        assert copied.exit_code == 0, copied.output
        assert "2 chunks copied and compared; 2 of 2 searches find the same." in copied.stdout
        assert sums(there) == sums(here)
        returned = run("copy", "--to", back, DATABASE_URL=there)
        assert returned.exit_code == 0, returned.output
        assert answer(DATABASE_URL=there) == before
        assert run("check", DATABASE_URL=there).exit_code == 0
        # The chunk of the deleted document had the last number, which no other chunk gets.
        assert next_chunk(there) == next_chunk(here) == 4
    assert next_chunk(back) == 4
    assert answer(DATABASE_URL=back) == before
    assert run("check", DATABASE_URL=back).exit_code == 0


@contextlib.contextmanager
def serving(folder: Path, **settings: str) -> Generator[None]:
    """A server on the database, which is killed at the end."""
    environment = {**os.environ, "PORT": "0", "SAMPLE_PROJECT": "false", **settings}
    with start_footnote("serve", folder=folder, environment=environment, stdout=subprocess.PIPE) as server:
        try:
            assert server.stdout is not None
            while "Ctrl-C stops it." not in (line := server.stdout.readline()):
                assert line
            yield
        finally:
            server.kill()


def test_nothing_is_copied_while_a_server_uses_the_old_database(folder: Path) -> None:
    """What it writes from then on would be missing."""
    here, back = f"sqlite:///{folder}/footnote.db", f"sqlite:///{folder}/back.db"
    with postgres.empty_database() as there:
        for source, target in ((here, there), (there, back)):
            with serving(folder, DATABASE_URL=source):
                refused = run("copy", "--to", target, DATABASE_URL=source)
            name = "footnote.db" if source is here else there.partition("?")[0].rpartition("/")[2]
            assert (refused.exit_code, refused.stdout) == (1, "")
            assert refused.stderr.endswith(f"{name} is in use by a server or by another command; stop that first.\n")
            copied = run("copy", "--to", target, DATABASE_URL=source)
            assert copied.exit_code == 0, copied.output


def test_a_document_whose_new_version_failed_is_copied(folder: Path) -> None:
    """Its title is the new version's, the name of the file; the one it is found by was in the text of the former."""
    (folder / "docs" / "returns.md").write_text("\n")
    assert "1 failed" in run("ingest", "docs", "--project", "shop").stdout
    with postgres.empty_database() as there:
        copied = run("copy", "--to", there)
        assert copied.exit_code == 0, copied.output
        assert "3 chunks copied and compared" in copied.stdout
        assert run("check", DATABASE_URL=there).exit_code == run("check").exit_code
        assert answer(DATABASE_URL=there) == answer()


def test_a_target_that_is_in_use_is_left_alone(folder: Path) -> None:
    other = f"sqlite:///{folder}/other.db"
    assert run("ingest", "docs", "--project", "other", DATABASE_URL=other).exit_code == 0
    before = sums(other)
    refused = run("copy", "--to", other)
    assert refused.exit_code == 1
    assert "is in use: projects has rows. Copy to an empty database." in refused.stderr
    assert sums(other) == before
    assert run("copy", "--to", f"sqlite:///{folder}/footnote.db").exit_code == 1


def test_what_postgres_cannot_hold_is_named_and_nothing_is_copied(folder: Path) -> None:
    here = f"sqlite:///{folder}/footnote.db"
    asyncio.run(_execute(here, "UPDATE messages SET content = 'a' || char(0) || 'b' WHERE role = 'USER'"))
    with postgres.empty_database() as there:
        refused = run("copy", "--to", there)
        assert refused.exit_code == 1
        assert "of messages contains U+0000, which PostgreSQL cannot hold." in refused.stderr
        assert not any(each.rows for each in (sums(there)).values())


def test_a_copy_that_differs_is_undone(folder: Path) -> None:
    """A trigger of the target changes what is written to it."""
    newest.put(folder / "target.db")
    target = f"sqlite:///{folder}/target.db"
    trigger = "CREATE TRIGGER spoil AFTER INSERT ON chunks BEGIN UPDATE chunks SET text = 'x' WHERE id = new.id; END"
    asyncio.run(_execute(target, trigger))
    refused = run("copy", "--to", target)
    assert refused.exit_code == 1
    assert "Nothing was copied: the copy differs in the rows of chunks." in refused.stderr
    assert not any(each.rows for each in (sums(target)).values())


def test_urls_that_name_nothing(folder: Path) -> None:
    unreachable = run("copy", "--to", f"postgresql://127.0.0.1:{closed_port()}/x")
    assert "/x (--to)" in unreachable.stderr
    assert "DATABASE_URL" not in unreachable.stderr
    bare = f"{folder}/nodir/x.db"
    for url, says in (
        ("", "--to is empty. See `"),
        ("nonsense", "--to is not a database URL"),
        ("sqlite://", "--to must name a file"),
        (f"sqlite:///{bare}", f"--to names a file in the folder {folder}/nodir, which does not exist."),
        ("postgresql://localhost", "--to names no database"),
        ("postgresql://localhost/x?sslkeys=y", "--to has the parameter sslkeys"),
        ("postgresql://u:pa@ss@localhost/x", "--to has more than one @"),
    ):
        refused = run("copy", "--to", url)
        assert (refused.exit_code, says in refused.stderr) == (2, True), refused.output
        assert "DATABASE_URL" not in refused.stderr
    assert not list(folder.glob("*nonsense*"))
    assert "does not support" in run("copy", "--to", "mysql://localhost/footnote").stderr
    missing = run("copy", "--to", f"sqlite:///{folder}/new.db", DATABASE_URL=f"sqlite:///{folder}/none.db")
    assert missing.exit_code != 0
    assert not (folder / "new.db").exists()


async def test_a_source_may_be_idle_while_the_target_is_compared(folder: Path) -> None:
    """With many rows that takes longer than a transaction is allowed to be idle: two minutes, and two seconds here."""
    with postgres.empty_database() as there:
        assert (await asyncio.to_thread(run, "copy", "--to", there)).exit_code == 0
        async with LostReplies(there).opened() as way:
            way.replaced = (b"120s", b"2.0s")
            source, target = opening.open_database(way.url), opening.open_database(f"sqlite:///{folder}/back.db")
            compared: list[str] = []

            def show(what: str, *_: int) -> None:
                if what.startswith("comparing") and not compared:
                    postgres.run_statements("SELECT pg_sleep(3)")
                    compared.append(what)

            await copy_installation(source, target, show)
            assert compared
            await source.close()
            await target.close()


@pytest.fixture
def large_folder(folder: Path) -> Path:
    """One with pieces of originals, which fill all buffers while they are sent."""
    pieces = (
        "INSERT INTO originals (document_id, version, position, data) "
        "WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 250) "
        "SELECT (SELECT min(id) FROM documents), 9, i, zeroblob(1000000) FROM n"
    )
    asyncio.run(_execute(f"sqlite:///{folder}/footnote.db", pieces))
    return folder


@pytest.mark.parametrize("times", [1, 2])
def test_an_interrupted_copy_ends_at_once_and_leaves_nothing(large_folder: Path, times: int) -> None:
    with postgres.empty_database() as there, started(large_folder, "copy", "--to", there) as process:
        while not postgres.fetch_value(there, SENDING):
            assert process.poll() is None
        for _ in range(times):
            os.killpg(process.pid, signal.SIGINT)
            while not has_handled(process.pid, signal.SIGINT):
                pause_here()
        says = process.communicate(timeout=30)[1]
        assert (process.returncode, says) == (130, "footnote: stopped by Ctrl-C; nothing was copied.\n")
        assert not any(each.rows for each in sums(there).values())


def test_a_copy_whose_target_does_not_answer_ends_when_it_is_interrupted_again(large_folder: Path) -> None:
    with postgres.empty_database() as there, started(large_folder, "copy", "--to", there) as process:
        while not (target := postgres.fetch_value(there, f"SELECT max(pid) {FROM_THIS} {SENDS}")):
            assert process.poll() is None
        os.kill(target, signal.SIGSTOP)
        try:
            while process.poll() is None:
                with contextlib.suppress(ProcessLookupError):  # it has just ended
                    os.killpg(process.pid, signal.SIGINT)
                pause_here()
        finally:
            os.kill(target, signal.SIGCONT)
        says = process.communicate()[1]
        assert (process.returncode, says.count("\n")) == (130, 1), says
        assert "stopped by Ctrl-C" in says
        while postgres.fetch_value(there, f"SELECT count(*) {FROM_THIS} {SENDS}"):
            pause_here()
        assert not any(each.rows for each in sums(there).values())


async def test_a_target_that_others_write_to_meanwhile_is_left_to_them(folder: Path) -> None:
    """Their rows are not seen before they are committed."""
    with postgres.fresh_database() as there:
        other = opening.open_database(there)
        async with other.begin() as db:
            db.add(models.User(email="owner@localhost"))
            await db.flush()
            with started(folder, "copy", "--to", there) as process:
                while not await asyncio.to_thread(postgres.fetch_value, there, WAITING):
                    assert process.poll() is None
                await db.commit()
                says = (await asyncio.to_thread(process.communicate))[1]
        await other.close()
        assert (process.returncode, says.count("\n")) == (1, 1), says
        assert "is in use: something else writes to users. Copy to an empty database." in says
