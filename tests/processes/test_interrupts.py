"""Ctrl-C at any moment: one sentence and exit code 130, no traceback, and no failed documents."""

import asyncio
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from tests import newest, old_databases
from tests.files.pdf import slow_pdf
from tests.forks.commands import FootnoteProcess, start_footnote
from tests.looking import pause_here
from tests.old_databases import NEWEST
from tests.terminal import on_a_terminal

SENTENCE = "footnote: stopped by Ctrl-C; everything done so far is kept."
COMMANDS = [["serve", "--port", "0"], ["ingest", "docs", "-p", "p"], ["ask", "Why?", "-p", "p"], ["user", "list"]]


@contextmanager
def started(folder: Path, *arguments: str, options: tuple[str, ...] = ()) -> Generator[FootnoteProcess]:
    """Start a command in its own process group, which Ctrl-C reaches as a whole, as in a terminal.

    With `options` of Python, it starts from nothing.
    """
    environment, pipe = {**os.environ, "PARSE_SECONDS": "3600"}, subprocess.PIPE
    if options:
        command = [sys.executable, *options, "-m", "app", *arguments]
        environment["PYTHONPATH"] = str(Path(__file__).parents[2])
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=pipe, stderr=pipe, text=True, process_group=0
        )
    else:
        process = start_footnote(
            *arguments, folder=folder, environment=environment, stdout=pipe, stderr=pipe, has_group=True
        )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def interrupted(process: FootnoteProcess, number: int = signal.SIGINT) -> tuple[int, str]:
    """Press Ctrl-C, or send the command another signal; returns the exit code and the rest of standard error."""
    if number == signal.SIGINT:
        with suppress(ProcessLookupError):  # it has ended by itself
            os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    told = process.communicate()[1]
    lines = [line for line in told.splitlines() if line and not line.startswith("import time:")]
    return process.returncode, "\n".join(lines)


def has_handled(process_id: int, number: int) -> bool:
    """Whether no such signal waits for the process any more."""
    status = dict(line.split(":\t", 1) for line in Path(f"/proc/{process_id}/status").read_text().splitlines())
    return not int(status["ShdPnd"], 16) >> (number - 1) & 1


# Once all is loaded, only `serve` does not end by itself in an empty folder, maybe before it is interrupted.
WHILE_LOADING = [(arguments, module) for arguments in COMMANDS for module in ("typer", "sqlalchemy.sql")]


@pytest.mark.parametrize(
    ("arguments", "module"), [*WHILE_LOADING, (COMMANDS[0], "app.services")], ids=lambda value: value[0]
)
def test_interrupting_while_a_command_loads(tmp_path: Path, arguments: list[str], module: str) -> None:
    (tmp_path / "docs").mkdir()
    with started(tmp_path, *arguments, options=("-X", "importtime")) as process:
        assert process.stderr is not None
        while (line := process.stderr.readline()) and line.rpartition("|")[2].strip() != module:
            pass
        assert interrupted(process) == (130, SENTENCE)


def test_a_signal_while_a_command_loads(tmp_path: Path) -> None:
    with started(tmp_path, "serve", "--port", "0", options=("-X", "importtime")) as process:
        assert process.stderr is not None
        while (line := process.stderr.readline()) and line.rpartition("|")[2].strip() != "typer":
            pass
        assert interrupted(process, signal.SIGTERM) == (143, SENTENCE.replace("Ctrl-C", "SIGTERM"))


def test_interrupting_while_questions_are_read(tmp_path: Path) -> None:
    os.mkfifo(questions := tmp_path / "questions.jsonl")
    with started(tmp_path, "eval", questions.name, "-p", "p") as process, questions.open("wb"):
        assert interrupted(process) == (130, SENTENCE)


STOPS = [(signal.SIGINT, "Ctrl-C"), (signal.SIGTERM, "SIGTERM"), (signal.SIGHUP, "SIGHUP")]


@pytest.mark.parametrize(("number", "name"), STOPS)
def test_interrupting_while_documents_are_processed(tmp_path: Path, number: int, name: str) -> None:
    """Documents in progress go back to the queue, and do not count as failed."""
    (tmp_path / "docs").mkdir()
    for count in range(3):
        (tmp_path / "docs" / f"{count}.pdf").write_bytes(slow_pdf())
    with started(tmp_path, "ingest", "docs", "-p", "p") as process:
        while rows(tmp_path, "status = 'PROCESSING'") != 2:
            assert process.poll() is None
            pause_here()
        kept = "0 of 3 documents can be searched in p, 3 queued. Run the same command again to continue."
        assert interrupted(process, number) == (128 + number, f"footnote: stopped by {name}; {kept}")
    assert rows(tmp_path, "status = 'QUEUED'") == 3


@pytest.mark.skipif(sys.platform != "linux", reason="it needs /proc")
def test_a_time_limit_that_sends_its_signal_twice_is_told_what_is_kept(tmp_path: Path) -> None:
    """As `timeout` does: to the command, and to its process group."""
    (tmp_path / "slow.pdf").write_bytes(slow_pdf())
    with started(tmp_path, "ingest", "slow.pdf", "-p", "p") as process:
        while rows(tmp_path, "status = 'PROCESSING'") != 1:
            assert process.poll() is None
            pause_here()
        process.terminate()
        pause_here()
        while not has_handled(process.pid, signal.SIGTERM):
            pause_here()
        kept = "0 of 1 document can be searched in p, 1 queued. Run the same command again to continue."
        assert interrupted(process, signal.SIGTERM) == (143, f"footnote: stopped by SIGTERM; {kept}")
    assert rows(tmp_path, "status = 'QUEUED'") == 1


@pytest.mark.parametrize(
    ("arguments", "begun", "kept"),
    [
        (["backup", "b.db"], "b.db.*.partial", "no backup was written."),
        (["restore", "good.db"], "footnote.db.before-restore.*.partial", "nothing was restored."),
        (["copy", "--to", "sqlite:///b.db"], "b.db", "nothing was copied."),
    ],
)
def test_interrupting_what_is_done_whole_or_not_at_all(
    tmp_path: Path, arguments: list[str], begun: str, kept: str
) -> None:
    make_large(tmp_path / "footnote.db")
    if "good.db" in arguments:
        shutil.copy(tmp_path / "footnote.db", tmp_path / "good.db")
    told = 130, SENTENCE
    for _ in range(3):
        with started(tmp_path, *arguments) as process:
            while not list(tmp_path.glob(begun)):
                assert process.poll() is None
                pause_here()
            told = interrupted(process)
        if told != (130, SENTENCE):
            break
        # It was too late: on a busy machine, all may be done before Ctrl-C is pressed.
        for done in (*tmp_path.glob("b.db*"), *tmp_path.glob("footnote.db.before-restore*")):
            done.unlink()
    assert told == (130, f"footnote: stopped by Ctrl-C; {kept}")
    if arguments[0] != "copy":  # which leaves a database without rows
        assert not list(tmp_path.glob(f"{begun.removesuffix('.*.partial')}*"))
    with closing(sqlite3.connect(tmp_path / "footnote.db")) as connection:
        assert connection.execute("SELECT id FROM projects").fetchall() == [("shop",)]


def test_interrupting_a_migration(tmp_path: Path) -> None:
    told = 130, SENTENCE
    for _ in range(3):
        for former in tmp_path.glob("footnote.db*"):
            former.unlink()
        make_large(tmp_path / "footnote.db", "0030")
        with started(tmp_path, "migrate") as process:
            while not list(tmp_path.glob("footnote.db.before-*")):
                assert process.poll() is None
                pause_here()
            told = interrupted(process)
        if told != (0, ""):  # it was too late
            break
    assert told == (130, "footnote: stopped by Ctrl-C; the database was not migrated.")
    with closing(sqlite3.connect(tmp_path / "footnote.db")) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [("0030",)]


def test_a_command_that_is_ended_at_once_shows_the_cursor_again(tmp_path: Path) -> None:
    """Another program keeps the database locked, so that the command waits, with a spinner in place of the cursor."""
    newest.put(tmp_path / "footnote.db")
    with closing(sqlite3.connect(tmp_path / "footnote.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("BEGIN EXCLUSIVE")
        with on_a_terminal(tmp_path, "migrate", TERM="xterm") as terminal:
            terminal.until("\x1b[?25l")
            for _ in range(2):
                for _ in range(20):  # the spinner turns for a while: a second signal that comes at once does not count
                    terminal.until("migrating footnote.db")
                terminal.interrupt(signal.SIGTERM)
            terminal.until("\x1b[?25h")
            assert terminal.end() == 143


def make_large(file: Path, version: str = NEWEST) -> None:
    """A database that takes a moment to copy."""
    asyncio.run(old_databases.make(file, version, old_databases.project("shop")))
    with closing(sqlite3.connect(file)) as connection, connection:
        numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT i FROM n"
        connection.execute("CREATE TABLE many (i INTEGER PRIMARY KEY, text TEXT)")
        connection.execute(f"INSERT INTO many SELECT i, hex(randomblob(100)) FROM ({numbers})")


@pytest.mark.parametrize(
    ("arguments", "done"),
    [(["backup", "b.db"], "b.db"), (["restore", "good.db"], "footnote.db.before-restore")],
    ids=lambda value: value[0],
)
def test_what_is_done_is_not_said_to_be_stopped(tmp_path: Path, arguments: list[str], done: str) -> None:
    """Once the file has its name, the command only closes what it has opened."""
    make_large(tmp_path / "footnote.db")
    shutil.copy(tmp_path / "footnote.db", tmp_path / "good.db")
    told: set[tuple[int, str]] = set()
    for _ in range(3):
        with started(tmp_path, *arguments) as process:
            while not (tmp_path / done).exists():
                assert process.poll() is None or (tmp_path / done).exists()  # both may have happened since
                pause_here()
            told.add(interrupted(process))
        (tmp_path / done).unlink()
    assert told <= {(0, ""), (130, SENTENCE)}


def rows(folder: Path, where: str) -> int:
    """The number of documents in this state."""
    file = folder / "footnote.db"
    if not file.exists():
        return 0
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=60)) as connection:
        try:
            return connection.execute(f"SELECT count(*) FROM documents WHERE {where}").fetchone()[0]
        except sqlite3.OperationalError:  # not there yet
            return 0
