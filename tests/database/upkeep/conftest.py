"""Databases to keep up, and the command that does."""

import contextlib
import shutil
from collections.abc import Generator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from app.cli.commands import cli
from tests.database.upkeep.databases import Run


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
