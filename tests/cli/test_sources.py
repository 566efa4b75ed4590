"""No file that is ingested replaces the document of another one, and each finds its own again."""

import asyncio
import contextlib
import io
import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli.commands import cli
from app.cli.documents.files import find_files, is_gone
from app.cli.documents.sources import choose_sources
from app.cli.opening import open_footnote
from app.knowledge.uploads import NewDocument
from tests import old_databases

Ingest = Callable[..., str]


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "a/docs/readme.md", "The alpha key is red.")
    write(tmp_path / "b/docs/readme.md", "The beta key is green.")
    return tmp_path


@pytest.fixture
def ingest(folder: Path) -> Generator[Ingest]:
    """Run `footnote ingest` there; returns its output without the time it took."""

    def run(*paths: str) -> str:
        result = CliRunner(env={"COLUMNS": "100"}).invoke(cli, ["ingest", *paths, "-p", "keys"])
        assert result.exit_code == 0, (result.output, result.exception)
        return result.stdout

    with contextlib.chdir(folder):
        yield run


def texts(folder: Path) -> dict[str, str]:
    """The text of each document, by its source."""
    listed = CliRunner().invoke(cli, ["documents", "list", "-p", "keys", "--json"])
    assert {document["status"] for document in json.loads(listed.stdout)} == {"READY"}
    with contextlib.closing(sqlite3.connect(folder / "footnote.db")) as db:
        of_chunks = "SELECT source, text FROM chunks JOIN documents ON documents.id = document_id"
        return dict(db.execute(of_chunks).fetchall())


BOTH = {"docs/readme.md": "The alpha key is red.", "b/docs/readme.md": "The beta key is green."}


@pytest.mark.parametrize(
    "runs",
    [
        [["a/docs", "b/docs"]],
        [["a/docs"], ["b/docs"]],
        [["a/docs/readme.md", "b/docs/readme.md"]],
        [["a/docs/readme.md"], ["b/docs"]],
    ],
)
def test_files_of_the_same_name_are_both_kept(ingest: Ingest, folder: Path, runs: list[list[str]]) -> None:
    for paths in runs:
        assert f"keys: {len(paths)} ingested" in ingest(*paths)
    assert texts(folder) == BOTH
    # Each finds its own, in any order, and alone.
    assert "0 ingested (0 chunks), 2 unchanged" in ingest("b/docs", "a/docs")
    write(folder / "b/docs/readme.md", "The beta key is blue.")
    output = ingest("b/docs")
    assert "1 ingested" in output
    assert "replaced" not in output
    assert texts(folder) == {**BOTH, "b/docs/readme.md": "The beta key is blue."}


def test_a_file_is_the_same_however_its_path_is_spelled(
    ingest: Ingest, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "2 ingested" in ingest(".")
    (folder / "link").symlink_to(folder / "a")
    spellings = ["a/docs/", "./a/docs", str(folder / "a/docs"), "b/../a", "link/docs", "a/docs/readme.md"]
    for spelling in spellings:
        assert "0 ingested (0 chunks), 1 unchanged" in ingest(spelling), spelling
    with contextlib.chdir(folder / "a" / "docs"):
        monkeypatch.setenv("DATABASE_URL", f"sqlite:///{folder}/footnote.db")
        assert "1 unchanged" in ingest(".")
    assert "0 ingested (0 chunks), 1 unchanged" in ingest(*spellings)
    assert len(texts(folder)) == 2


def test_a_folder_can_be_moved_and_what_it_replaces_is_told(ingest: Ingest, folder: Path) -> None:
    ingest("a/docs", "b/docs")
    shutil.move(folder / "a", folder / "c")
    shutil.move(folder / "b", folder / "d/b")
    assert "2 unchanged" in ingest("c/docs", "d/b/docs")
    shutil.move(folder / "c", folder / "e")
    write(folder / "e/docs/readme.md", "The alpha key is black.")
    told = ingest("e/docs", "d/b/docs").splitlines()[1]
    assert told == (
        "  1 document replaced by a file from another place, such as docs/readme.md: it came from "
        f"{folder}/c/docs/readme.md, now from {folder}/e/docs/readme.md. If you need both files, ingest the earlier "
        "one again."
    )
    assert texts(folder) == {**BOTH, "docs/readme.md": "The alpha key is black."}


def test_files_of_another_machine_are_not_gone(ingest: Ingest, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "first")
    ingest("a/docs")
    shutil.move(folder / "a", folder / "elsewhere")  # what the second machine cannot see
    monkeypatch.setattr(socket, "gethostname", lambda: "second")
    assert "1 ingested" in ingest("b/docs")
    assert texts(folder) == BOTH
    # A shared drive, or a container of its own for each run: the same path is the same file.
    shutil.move(folder / "elsewhere", folder / "a")
    assert "2 unchanged" in ingest("a/docs", "b/docs")
    monkeypatch.setattr(socket, "gethostname", lambda: "third")
    write(folder / "a/docs/readme.md", "The alpha key is black.")
    told = ingest("a/docs", "b/docs").splitlines()[1]
    place = f"{folder}/a/docs/readme.md"
    assert told.endswith(
        f"it came from second:{place}, now from third:{place}. If you need both files, rename the folder of one."
    )
    assert texts(folder) == {**BOTH, "docs/readme.md": "The alpha key is black."}


def test_documents_whose_files_are_gone_are_told_until_they_are_deleted(ingest: Ingest, folder: Path) -> None:
    write(folder / "a/docs/old.md", "The gamma key is grey.")
    ingest("a", "b")
    (folder / "a/docs/old.md").rename(folder / "a/docs/new.md")
    (folder / "b/docs/readme.md").unlink()
    for counts in ("1 ingested (1 chunk), 1 unchanged", "0 ingested (0 chunks), 2 unchanged"):
        summary, *more = ingest("a").splitlines()
        assert counts in summary
        assert more == [  # and nothing of folders that were not named
            "  file is gone: a/docs/old.md",
            "  Documents without their files can still be found; `footnote documents delete` removes them.",
        ]
    CliRunner().invoke(cli, ["documents", "delete", "a/docs/old.md", "--yes"])
    assert len(ingest("a").splitlines()) == 1
    # The last file of a folder, and a folder in which there never was one.
    (folder / "a/docs/new.md").unlink()
    (folder / "a/docs/readme.md").unlink()
    assert ingest("a").splitlines()[1:3] == ["  file is gone: a/docs/new.md", "  file is gone: a/docs/readme.md"]
    (folder / "empty").mkdir()
    for project in ("keys", "another"):
        nothing = CliRunner().invoke(cli, ["ingest", "empty", "-p", project])
        assert nothing.stderr == "footnote: empty is empty.\n"
    assert "another" not in CliRunner().invoke(cli, ["projects"]).stdout


def test_links_and_folders_that_cannot_be_read_are_told(ingest: Ingest, folder: Path) -> None:
    docs = folder / "a/docs"
    (docs / "lost.md").symlink_to("nowhere.md")
    write(docs / ".git/HEAD.md", "Hidden.")
    write(folder / "home/private.md", "Closed.")
    (docs / "private.md").symlink_to(folder / "home/private.md")
    write(folder / "a/listed/only.md", "It can be seen, and not be read.")
    for name, mode in (("home", 0o000), ("a/shut", 0o000), ("a/listed", 0o400)):
        (folder / name).mkdir(exist_ok=True)
        (folder / name).chmod(mode)
    result = as_an_ordinary_user("ingest", "a", "-p", "keys")
    summary, *more = result.stdout.splitlines()
    assert (result.stderr, result.returncode) == ("", 1)
    assert summary.startswith("keys: 1 ingested (1 chunk), 4 failed in")
    assert more == [
        "  a/shut: The folder cannot be read: Permission denied.",
        "  a/docs/lost.md: The file cannot be read: No such file or directory.",
        "  a/docs/private.md: The file cannot be read: Permission denied.",
        "  a/listed/only.md: The file cannot be read: Permission denied.",
    ]


@pytest.mark.parametrize("closed", ["home", "home/inner"])
def test_a_folder_of_the_database_that_cannot_be_opened_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, closed: str
) -> None:
    (folder / "home/inner").mkdir(parents=True)
    (folder / closed).chmod(0o000)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{folder}/home/inner/footnote.db")
    for command in (["migrate"], ["ask", "Why?", "-p", "keys"]):
        result = as_an_ordinary_user(*command)
        told = (
            f"DATABASE_URL names a file in the folder {folder}/home/inner, which cannot be opened: Permission denied."
        )
        assert (result.returncode, result.stdout, result.stderr) == (2, "", f"footnote: {told}\n")


def as_an_ordinary_user(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command without root's right to read everything."""
    program = (sys.executable, "-c", WITHOUT_CAPABILITIES) if os.geteuid() == 0 else (sys.executable,)
    command = [*program, "-m", "app", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=240)


# PR_CAPBSET_DROP of CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH: what is executed next does not get them.
WITHOUT_CAPABILITIES = """
import ctypes, os, sys
assert not any(ctypes.CDLL(None, use_errno=True).prctl(24, capability, 0, 0, 0) for capability in (1, 2))
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


def test_documents_of_earlier_versions_are_found_again(ingest: Ingest, folder: Path) -> None:
    """They kept no places."""
    ingest("a/docs")
    with contextlib.closing(sqlite3.connect(folder / "footnote.db")) as db:
        db.execute("DELETE FROM document_places")
        db.commit()
    output = ingest("a")
    assert "1 ingested" in output, "by its other name it is another file, as ever"
    with contextlib.closing(sqlite3.connect(folder / "footnote.db")) as db:
        db.execute("DELETE FROM document_places")
        db.execute("DELETE FROM documents WHERE source LIKE 'a/%'")
        db.commit()
    told = ingest("b/docs").splitlines()[1]
    assert told.startswith(
        "  1 document replaced by a file from another place, such as docs/readme.md: it came from an unknown place, "
    )
    # As the sentence says, the other is added again, and now both are known.
    assert "1 ingested" in ingest("a/docs")
    assert "2 unchanged" in ingest("a/docs", "b/docs")
    assert sorted(texts(folder).values()) == sorted(BOTH.values())


def test_an_upgrade_duplicates_nothing(ingest: Ingest, folder: Path) -> None:
    ingest("a/docs")
    with contextlib.closing(sqlite3.connect(folder / "footnote.db")) as db:
        db.execute("DELETE FROM document_places")
        db.commit()
    assert "1 unchanged" in ingest("a/docs")
    assert "1 ingested" in ingest("b/docs"), "the first run has recorded the place"
    assert texts(folder) == BOTH


def test_places_that_cannot_be_stored_are_told_apart_and_never_thought_gone(folder: Path) -> None:
    deep = folder.joinpath(*["x" * 200] * 10)
    write(deep / "readme.md", "Deep.")
    write(deep / "more/readme.md", "Deeper.")
    files, _ = find_files([deep], list[OSError]().append)
    places = {file.place for file in files}
    assert len(places) == 2
    assert max(len(place) for place in places) < 200
    assert all(":sha256:" in place and not is_gone(place) for place in places)
    known = {files[0].name: {f"{socket.gethostname()}:sha256:of another"}}
    chosen = choose_sources(files, known)
    assert chosen[0].source == f"{deep.parent.name}/{files[0].name}"
    assert chosen[1].source == files[1].name


def test_a_deleted_document_can_be_added_again(ingest: Ingest, folder: Path) -> None:
    ingest("a/docs", "b/docs")
    gone = CliRunner().invoke(cli, ["documents", "delete", "b/docs/readme.md", "-p", "keys", "--yes"])
    assert gone.exit_code == 0, gone.output
    assert "1 ingested (1 chunk), 1 unchanged" in ingest("a/docs", "b/docs")
    assert texts(folder) == BOTH


def test_a_client_cannot_name_the_place_of_a_file(ingest: Ingest, folder: Path) -> None:
    ingest("a/docs")
    place = f"{socket.gethostname()}:{folder}/b/docs/readme.md"
    new = NewDocument("text/markdown", source="theirs", idempotency_key=f"footnote-file:{place}")
    assert asyncio.run(_add(new, b"The gamma key is grey.")) == "theirs"
    output = ingest("b/docs")
    assert "1 ingested" in output
    assert "replaced" not in output
    assert texts(folder) == {**BOTH, "theirs": "The gamma key is grey."}


async def _add(new: NewDocument, content: bytes) -> str | None:
    async with open_footnote("ingest") as footnote:
        [project] = await footnote.operator().projects.find_projects("keys")
        document, _ = await footnote.operator().documents.add_document(project.id, new, io.BytesIO(content))
        return document.source


def test_a_document_is_never_without_the_place_of_its_file(ingest: Ingest, folder: Path) -> None:
    """Whatever ends the command: both are written in one transaction."""
    ingest("a/docs")
    refusal = "BEFORE INSERT ON document_places BEGIN SELECT RAISE(ABORT, 'no place'); END"
    with contextlib.closing(sqlite3.connect(folder / "footnote.db")) as db:
        db.execute(f"CREATE TRIGGER refuse {refusal}")
        ended = CliRunner().invoke(cli, ["ingest", "b/docs", "-p", "keys"])
        assert ended.exit_code == 1
        assert db.execute("SELECT source FROM documents").fetchall() == [("docs/readme.md",)]
        db.execute("DROP TRIGGER refuse")
    assert "1 ingested" in ingest("b/docs")
    assert "2 unchanged" in ingest("a/docs", "b")
    assert texts(folder) == BOTH


def test_files_are_found_again_after_an_upgrade(ingest: Ingest, folder: Path) -> None:
    """Earlier versions kept places among the keys of clients."""
    ingest("a/docs", "b/docs")
    asyncio.run(old_databases.go_back(f"sqlite:///{folder}/footnote.db", "0028"))
    with contextlib.closing(sqlite3.connect(folder / "footnote.db")) as db:
        where = "SELECT key FROM document_keys WHERE key LIKE 'footnote-file:%/docs/readme.md'"
        assert len(db.execute(where).fetchall()) == 2
    write(folder / "b/docs/readme.md", "The beta key is blue.")
    output = ingest("b/docs")
    assert "1 ingested" in output
    assert "replaced" not in output
    assert "2 unchanged" in ingest("a/docs", "b/docs")
