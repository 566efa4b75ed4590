"""Ways to run commands, and a folder of documents."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli.commands import cli
from tests.forks.commands import run_footnote

Run = Callable[..., subprocess.CompletedProcess[str]]
# The width of the terminal, and any port that is free.
PLACE = {"COLUMNS": "100", "PORT": "0"}
QUESTION = "Within how many days may goods be returned?"
"""What the documents answer."""


@pytest.fixture
def process(tmp_path: Path) -> Run:
    """Run `footnote` in its own folder and process."""

    def run(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
        return run_footnote(*arguments, folder=tmp_path, environment={**os.environ, **PLACE, **settings})

    return run


@pytest.fixture
def shell(tmp_path: Path) -> Run:
    """Run a line of arguments and redirections of `footnote` in that folder, as a shell does."""

    def run(line: str) -> subprocess.CompletedProcess[str]:
        command = ["sh", "-c", f"'{sys.executable}' -m app {line}"]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=240)

    return run


@pytest.fixture
def footnote(tmp_path: Path) -> Generator[Run]:
    """Run `footnote` in that folder within this process, which takes a tenth of the time."""

    def run(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
        result = CliRunner(env={**PLACE, **settings}).invoke(cli, arguments)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
        return subprocess.CompletedProcess(arguments, result.exit_code, result.stdout, result.stderr)

    with contextlib.chdir(tmp_path):
        yield run


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    (folder / "deep").mkdir(parents=True)
    (folder / "returns.md").write_text("# Returns\n\nGoods may be returned within 30 days of delivery.\n")
    (folder / "deep" / "ships.txt").write_text("Parcels are shipped from Hamburg on every working day.\n")
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (folder / ".hidden.md").write_text("secret")
    return folder
