"""`footnote ingest --sync` deletes documents whose files are gone, and none because a disk is not mounted."""

import contextlib
import json
import shutil
from collections.abc import Generator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from app.cli.commands import cli


@pytest.fixture
def folder(tmp_path: Path) -> Generator[Path]:
    for number in range(3):
        write(tmp_path / f"docs/keys/{number}.md", f"Key {number} is red.")
    write(tmp_path / "docs/readme.md", "Keys open doors.")
    with contextlib.chdir(tmp_path):
        assert sync().exit_code == 0
        yield tmp_path / "docs"


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def sync(*options: str, answer: str | None = None) -> Result:
    return CliRunner(env={"COLUMNS": "100"}).invoke(
        cli, ["ingest", "docs", "-p", "keys", "--sync", *options], input=answer
    )


def sources() -> list[str]:
    listed = CliRunner().invoke(cli, ["documents", "list", "-p", "keys", "--json"])
    return sorted(document["source"] for document in json.loads(listed.stdout))


KEYS = ["docs/keys/0.md", "docs/keys/1.md", "docs/keys/2.md"]


def test_documents_whose_files_are_gone_are_deleted(folder: Path) -> None:
    (folder / "keys/1.md").unlink()
    write(folder / "new.md", "A lock.")
    planned = sync("--dry-run")
    assert planned.exit_code == 0, planned.output
    assert planned.stdout.splitlines() == [
        "keys: 4 files, 1 new; 1 document to delete. Nothing was changed.",
        "  to delete: docs/keys/1.md",
    ]
    assert sources() == [*KEYS, "docs/readme.md"]
    done = sync()
    assert done.exit_code == 0, done.output
    assert "1 ingested (1 chunk), 3 unchanged, 1 deleted in" in done.stdout.splitlines()[0]
    assert done.stdout.splitlines()[1:] == ["  deleted: docs/keys/1.md"]
    assert sources() == ["docs/keys/0.md", "docs/keys/2.md", "docs/new.md", "docs/readme.md"]
    assert "0 ingested (0 chunks), 4 unchanged in" in sync().stdout


def test_a_renamed_folder_is_ingested_before_its_former_documents_are_deleted(folder: Path) -> None:
    shutil.move(folder / "keys", folder / "old keys")
    done = sync()
    assert "3 ingested (3 chunks), 1 unchanged, 3 deleted in" in done.stdout
    assert sources() == [*(key.replace("keys", "old keys") for key in KEYS), "docs/readme.md"]


def test_nothing_is_deleted_while_there_is_no_room_for_what_replaces_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.move(folder / "keys", folder / "old keys")
    monkeypatch.setenv("MAX_STORED_BYTES_PER_USER", "100")
    assert "3 failed" in sync().stdout
    assert sources() == [*KEYS, "docs/readme.md"]
    monkeypatch.delenv("MAX_STORED_BYTES_PER_USER")
    assert "3 ingested (3 chunks), 1 unchanged, 3 deleted in" in sync().stdout


@pytest.mark.parametrize("lost", [".", "keys"])
def test_a_folder_without_its_disk_loses_no_documents(folder: Path, lost: str) -> None:
    """A disk that is not mounted leaves an empty folder."""
    shutil.rmtree(folder / lost)
    (folder / lost).mkdir()
    count = 4 if lost == "." else 3
    for options in ([], ["--yes"], ["--dry-run"]):
        refused = sync(*options)
        assert refused.exit_code == 1
        assert refused.stdout == ""
        assert refused.stderr.startswith(
            f"footnote: {(folder / lost).resolve()} has lost all of the files that {count} documents came from: "
            "is its disk mounted? Nothing was changed."
        )
    assert sources() == [*KEYS, "docs/readme.md"]
    (folder / lost).rmdir()
    missing = sync("--yes")
    assert missing.exit_code == (2 if lost == "." else 0)
    assert sources() == ([*KEYS, "docs/readme.md"] if lost == "." else ["docs/readme.md"])


def test_many_documents_are_deleted_only_after_a_yes(folder: Path) -> None:
    for number in range(20):
        write(folder / f"doors/{number:02}.md", f"Door {number} is blue.")
    assert sync().exit_code == 0
    shutil.rmtree(folder / "doors")
    for answer, code in (("n\n", 1), ("", 2)):
        asked = sync(answer=answer)
        assert asked.exit_code == code
        assert len(sources()) == 24
    write(folder / "doors/01.md", "Door 1 is green.")
    assert "19 deleted" in sync("--yes").stdout
    assert sources() == ["docs/doors/01.md", *KEYS, "docs/readme.md"]


def test_options_that_do_not_fit_are_refused(folder: Path) -> None:
    alone = CliRunner().invoke(cli, ["ingest", "docs", "-p", "keys", "--dry-run"])
    assert alone.exit_code == 2
    assert "--dry-run lists what --sync would delete; give both." in alone.output
    file = CliRunner().invoke(cli, ["ingest", str(folder / "readme.md"), "-p", "keys", "--sync"])
    assert (file.exit_code, file.stderr) == (2, "footnote: --sync works on folders; name at least one.\n")
