"""`footnote ingest` of files that change while they are read, and of what looks like a file and is none."""

import contextlib
import json
import os
import socket
import sqlite3
import subprocess
import zipfile
from collections.abc import Generator
from itertools import count
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from app.cli.commands import cli
from app.knowledge.parsing.formats import SUPPORTED_FORMATS
from tests.files.pdf import paragraph, pdf
from tests.forks.commands import FootnoteProcess, start_footnote
from tests.looking import pause_here

ROOT = Path(__file__).parent.parent.parent
LARGE = "Foxes are red.\n" * 3_000_000


@pytest.fixture
def folder(tmp_path: Path) -> Generator[Path]:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text("Owls are brown.")
    with contextlib.chdir(tmp_path):
        assert ingest("docs").exit_code == 0
        yield tmp_path


def ingest(*paths: str) -> Result:
    return CliRunner(env={"COLUMNS": "100"}).invoke(cli, ["ingest", *paths, "-p", "keys"])


def stored(folder: Path) -> dict[str, bytes]:
    """The original of each document, by its source."""
    with contextlib.closing(sqlite3.connect(folder / "footnote.db")) as db:
        pieces = "SELECT source, data FROM originals JOIN documents ON documents.id = document_id ORDER BY position"
        found: dict[str, bytes] = {}
        for source, data in db.execute(pieces):
            found[source] = found.get(source, b"") + data
        return found


@contextlib.contextmanager
def started(folder: Path) -> Generator[FootnoteProcess]:
    """`footnote ingest`, in a process of its own."""
    output = subprocess.PIPE
    process = start_footnote("ingest", "docs", "-p", "keys", folder=folder, stdout=output, stderr=output)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@contextlib.contextmanager
def held(folder: Path, process: FootnoteProcess, file: Path) -> Generator[bool]:
    """Until the end, the process has read the file, and cannot write to the database; False if it already has."""
    with contextlib.closing(sqlite3.connect(folder / "footnote.db", isolation_level=None)) as writer:
        while place_in(process, file) == -1:
            assert process.poll() is None
            pause_here()
        writer.execute("BEGIN IMMEDIATE")
        [known] = writer.execute("SELECT count(*) FROM documents WHERE source = ?", [f"docs/{file.name}"]).fetchone()
        while not known and place_in(process, file) != file.stat().st_size:
            assert process.poll() is None
            pause_here()
        yield not known
        writer.execute("ROLLBACK")


def place_in(process: FootnoteProcess, file: Path) -> int:
    """How far a process has read a file; -1 if it does not have it open."""
    for opened in Path(f"/proc/{process.pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # it was closed meanwhile
            if opened.readlink() == file:
                info = Path(f"/proc/{process.pid}/fdinfo/{opened.name}").read_text(encoding="ascii")
                return int(info.split()[1])
    return -1


@pytest.mark.skipif(not Path("/proc/self/fdinfo").exists(), reason="needs Linux")
@pytest.mark.parametrize("change", ["shrunk", "emptied", "overwritten"])
def test_a_file_that_changes_while_it_is_read_is_not_stored(folder: Path, change: str) -> None:
    """Between its checksum and the transaction that stores it. Reading so much takes a moment, but may be over."""
    (folder / "docs/c.md").write_text("Larks are small.")
    file, output = ingest_changing(folder, change)
    assert f"  docs/{file.name}: The file changed while it was read; ingest it again." in output.splitlines()
    assert "1 ingested (1 chunk), 1 unchanged, 1 failed" in output
    assert f"docs/{file.name}" not in stored(folder)


def ingest_changing(folder: Path, change: str) -> tuple[Path, str]:
    """Change a new file at the right moment; returns it, and what the command printed."""
    for attempt in count():
        file = folder / f"docs/b{attempt}.md"
        file.write_text(LARGE)
        with started(folder) as process:
            with held(folder, process, file) as in_time:
                change_file(file, change)
            output = "".join(process.communicate())
        if in_time:
            assert process.returncode == 1, output
            return file, output
        file.unlink()
    raise AssertionError


def change_file(file: Path, how: str) -> None:
    if how == "overwritten":
        with file.open("r+") as opened:
            opened.write("Foxes were")
    else:
        os.truncate(file, len(LARGE) // 2 if how == "shrunk" else 0)


def test_what_is_no_file_is_skipped_or_refused_and_nothing_waits_for_it(folder: Path) -> None:
    os.mkfifo("docs/pipe.md")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("docs/socket.md")
    result = ingest("docs")
    summary, *more = result.stdout.splitlines()
    assert summary.startswith("keys: 0 ingested (0 chunks), 1 unchanged, 2 skipped in ")
    assert (more, result.exit_code) == (
        ["  skipped (not a file): docs/pipe.md", "  skipped (not a file): docs/socket.md"],
        0,
    )
    told = "docs/pipe.md: The file cannot be read: It is a pipe, a socket or a device."
    refused = ingest("docs/pipe.md", "/dev/zero")
    assert refused.exit_code == 1
    assert refused.stdout.splitlines()[1:] == [f"  {told}", f"  {told.replace('docs/pipe.md', 'dev/zero')}"]


def test_each_file_is_told_of_on_one_line(folder: Path) -> None:
    """The name of a file may look like the command's own words."""
    (folder / "docs/x\nkeys: 9 ingested.md").touch()
    (folder / "docs/y\nkeys: 9 ingested.mp3").touch()
    (folder / "docs/z\nkeys: 9 ingested.md").write_text("Larks are small.")
    assert ingest("docs").stdout.splitlines()[1:] == [
        "  skipped (not a format Footnote reads): docs/y keys: 9 ingested.mp3",
        "  docs/x keys: 9 ingested.md: The document is empty: it has no bytes. (EMPTY)",
    ]
    (folder / "docs/z\nkeys: 9 ingested.md").unlink()
    planned = ingest("docs", "--sync", "--dry-run").stdout.splitlines()
    assert planned[1:] == ["  to delete: docs/z keys: 9 ingested.md"]


def test_files_without_an_extension_are_ingested_if_they_are_text(folder: Path) -> None:
    (folder / "docs/README").write_text("# Larks\n\nLarks sing at **dawn**, says the README.\n")
    (folder / "docs/LIESMICH").write_bytes("Lerchen sind fr\xfch wach.".encode("latin-1"))
    (folder / "docs/report").write_bytes(pdf([paragraph("The report has a page.")]))
    (folder / "docs/program").write_bytes(b"\x7fELF\x02\x01\x01\x00" * 8)
    (folder / "docs/empty").touch()
    os.mkfifo("docs/pipe")
    result = ingest("docs")
    summary, *skipped = result.stdout.splitlines()
    assert summary.startswith("keys: 3 ingested (3 chunks), 1 unchanged, 3 skipped"), result.stdout
    unread = "  skipped (not a format Footnote reads): docs"
    assert skipped == [f"{unread}/empty", f"{unread}/program", "  skipped (not a file): docs/pipe"]
    assert result.exit_code == 0
    found = CliRunner().invoke(cli, ["search", "What does the README say of dawn?", "-p", "keys"])
    assert "Larks sing at **dawn**, says the README." in found.stdout
    (folder / "docs/README").unlink()
    assert ingest("docs", "--sync", "--dry-run").stdout.splitlines()[1:] == ["  to delete: docs/README"]


def test_what_no_text_holds_is_left_out_of_json(folder: Path) -> None:
    """Programs cut texts in the middle of an emoji, which JSON then writes as half of one."""
    record = '{"na\\udc00me": "Ca\\ud83dfe\\u0301", "note": "bl\\u0000ack"}'
    for name, text in (("one.json", record), ("list.json", f"[{record}, {record}]"), ("lines.jsonl", f"{record}\n1\n")):
        (folder / f"docs/{name}").write_text(text)
    (folder / "docs/under.json").write_text(f'{{"bi\\ud83drds": [{record}]}}')
    result = ingest("docs")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("keys: 4 ingested (4 chunks), 1 unchanged")
    found = CliRunner().invoke(
        cli, ["search", "name Café black", "--top", "9", "-p", "keys", "--mode", "lexical", "--json"]
    )
    passages = {each["document"]["title"]: each["text"] for each in json.loads(found.stdout)["results"]}
    assert passages == {
        "one.json": "| name: Café\n| note: black",
        "list.json": "| name: Café; note: black\n| name: Café; note: black",
        "lines.jsonl": "| name: Café; note: black\n| 1",
        "under.json": "birds\n\n| name: Café; note: black",
    }


KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU=\n-----END OPENSSH PRIVATE KEY-----\n"
SECRETS = {
    "prod.env": "TOKEN=hunter2\n",
    "id_ed25519": KEY,
    "deploy": KEY.replace("OPENSSH ", ""),
    "signing.asc": KEY.replace("OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"),
    "_netrc": "machine example.org password hunter2\n",
    "secrets.yaml": "token: hunter2\n",
    "credentials.json": '{"token": "hunter2"}\n',
}
HARMLESS = {
    "environment.md": "Set TOKEN in prod.env.\n",
    "keys.md": f"# Keys\n\nA private key begins like this:\n\n{KEY}",
    "credentials.md": "Credentials are kept in a safe.\n",
}


def test_files_that_may_hold_secrets_are_skipped_in_folders_unless_they_are_named(folder: Path) -> None:
    for name, text in (SECRETS | HARMLESS).items():
        (folder / "docs" / name).write_text(text)
    for name in (".env", ".netrc", ".git/config"):
        (folder / "docs" / name).parent.mkdir(exist_ok=True)
        (folder / "docs" / name).write_text("token = hunter2\n")
    result = ingest("docs")
    summary, *skipped, advice = result.stdout.splitlines()
    assert summary.startswith("keys: 3 ingested (3 chunks), 1 unchanged, 7 skipped in ")
    assert skipped == [f"  skipped (may hold secrets): docs/{name}" for name in sorted(SECRETS)]
    says = "In folders, files that may hold passwords or private keys are skipped; to add one, name it."
    assert (advice, result.exit_code) == (f"  {says}", 0)
    assert ingest("docs/prod.env").stdout.startswith("keys: 1 ingested (1 chunk) in ")


def test_files_that_may_hold_secrets_are_not_read_from_archives(folder: Path) -> None:
    with zipfile.ZipFile("docs/all.zip", "w") as archive:
        for name, text in (SECRETS | HARMLESS).items():
            archive.writestr(f"in/{name}", text)
    assert ingest("docs").stdout.startswith("keys: 1 ingested (4 chunks), 1 unchanged in ")
    found = CliRunner().invoke(cli, ["search", "hunter2 files that were not read", "-p", "keys", "--json"])
    texts = [each["text"] for each in json.loads(found.stdout)["results"]]
    assert [text for text in texts if "hunter2" in text] == []
    assert [text for text in texts if all(f"in/{name}" in text for name in SECRETS)]


def test_pictures_are_skipped_where_tesseract_is_not_installed_also_if_they_are_named(folder: Path) -> None:
    (folder / "docs/photo.jpg").write_bytes(b"\xff\xd8\xff\xe0\x00\x10JFIF\x00")
    hint = "The text of pictures can be read only where Tesseract is installed on the server."
    says = f"Footnote found no document in docs/photo.jpg that it can read; it reads {SUPPORTED_FORMATS}. {hint}"
    alone = CliRunner(env={"PATH": ""}).invoke(cli, ["ingest", "docs/photo.jpg", "-p", "keys"])
    assert (alone.exit_code, alone.stdout, alone.stderr) == (2, "", f"footnote: {says}\n")
    for paths, code in ((["docs"], 0), (["docs/photo.jpg", "docs"], 1)):
        result = CliRunner(env={"PATH": ""}).invoke(cli, ["ingest", *paths, "-p", "keys"])
        assert result.stdout.splitlines()[1:] == ["  skipped (needs Tesseract): docs/photo.jpg", f"  {hint}"]
        assert result.exit_code == code
