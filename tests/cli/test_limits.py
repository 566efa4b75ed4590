"""What the system does not allow a command is told in one line, with what to do about it."""

import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests import newest
from tests.cli.test_sources import WITHOUT_CAPABILITIES
from tests.forks.commands import run_footnote
from tests.servers.ports import closed_port

ROOT = Path(__file__).parent.parent.parent
# One of each kind: a server, a command that works on documents, and one that reads what is there.
COMMANDS = (("serve", "--port", "0"), ("ingest", "bees.md", "-p", "Bees"), ("user", "list"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    newest.put(tmp_path / "footnote.db")
    (tmp_path / "bees.md").write_text("# Bees\n\nBees make honey in hives.\n")
    return tmp_path


def run(
    folder: Path, *arguments: str, before: str = "", python: Sequence[str] = ("-m",), **settings: str
) -> tuple[int, list[str]]:
    """The exit code of a command, and the lines of its standard error; `before` runs in its shell before it."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **settings}
    if before or len(python) > 1:
        command = ["sh", "-c", f'{before}\nexec "$@"', "sh", sys.executable, *python, "app", *arguments]
        ended = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=120
        )
    else:
        ended = run_footnote(*arguments, folder=folder, environment=environment)
    return ended.returncode, ended.stderr.splitlines()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
@pytest.mark.parametrize(("arguments", "files"), [(COMMANDS[0], 28), (COMMANDS[1], 28), (COMMANDS[2], 12)])
def test_too_few_files_may_be_open(folder: Path, arguments: tuple[str, ...], files: int) -> None:
    code, told = run(folder, *arguments, before=f"ulimit -n {files}")
    start = f"footnote: Too few files may be open at once: Too many open files (the limit is {files}), and"
    assert (code, len(told), told[0][: len(start)]) == (2, 1, start)
    assert "Raise the limit with `ulimit -n 1024`, `LimitNOFILE=1024` in a systemd unit, or" in told[0]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
def test_a_limit_on_open_files_that_may_be_raised_is_raised(folder: Path) -> None:
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[1] >= 1024
    assert run(folder, "ingest", "bees.md", "-p", "Bees", before="ulimit -S -n 20") == (0, [])


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: arguments[0])
def test_a_server_that_is_away_is_named_once(folder: Path, arguments: tuple[str, ...]) -> None:
    place = f"postgresql://127.0.0.1:{closed_port()}/footnote"
    _, told = run(folder, *arguments, DATABASE_URL=place)
    reason = "does not accept connections: the server cannot be reached (Connection refused)."
    assert told == [f"footnote: The database {place} (DATABASE_URL) {reason}"]


def as_an_ordinary_user(folder: Path, *arguments: str) -> tuple[int, list[str]]:
    """As `run`, but of a command that may do what the modes of files say, and no more."""
    return run(folder, *arguments, python=("-c", WITHOUT_CAPABILITIES, "-m") if os.geteuid() == 0 else ("-m",))


@pytest.mark.skipif(sys.platform == "win32", reason="modes of files mean something else there")
def test_a_database_that_this_user_may_not_use(folder: Path) -> None:
    file = folder / "footnote.db"
    for place, mode, before, may_not in (
        (file, 0o000, 0o600, "read"),
        (file, 0o400, 0o600, "write to"),
        (folder, 0o500, 0o700, "write to"),
    ):
        place.chmod(mode)
        code, [told] = as_an_ordinary_user(folder, "ask", "What do bees make?", "-p", "Bees")
        place.chmod(before)
        assert code
        assert told.endswith(f"(this user may not {may_not} {place}; change its owner or its mode).")


@pytest.mark.skipif(sys.platform == "win32", reason="modes of files mean something else there")
def test_a_backup_names_the_database_that_this_user_may_not_use(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (folder / "footnote.db").chmod(0o000)
    _, [told] = as_an_ordinary_user(folder, "backup", str(tmp_path_factory.mktemp("kept") / "kept.db"))
    assert told.endswith(f"(this user may not read {folder / 'footnote.db'}; change its owner or its mode).")


@pytest.mark.skipif(sys.platform == "win32", reason="modes of files mean something else there")
@pytest.mark.parametrize("arguments", COMMANDS[:2], ids=lambda arguments: arguments[0])
def test_settings_that_this_user_may_not_read(folder: Path, arguments: tuple[str, ...]) -> None:
    (folder / ".env").write_text("PORT=0\n")
    (folder / ".env").chmod(0o000)
    told = as_an_ordinary_user(folder, *arguments)
    advice = "Let this user read the file and its folder, or start in another folder."
    assert told == (2, [f"footnote: The settings in {folder / '.env'} cannot be read: Permission denied. {advice}"])


def test_settings_that_are_no_text(folder: Path) -> None:
    (folder / ".env").write_bytes("SMTP=ä".encode("latin-1"))
    advice = "byte 5 is not UTF-8. Save the file as UTF-8."
    assert run(folder, "check") == (2, [f"footnote: The settings in {folder / '.env'} cannot be read: {advice}"])
