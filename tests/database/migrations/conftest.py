"""Databases of every version, and the command that changes their version."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from alembic import config as alembic

from tests.database.migrations.versions import CHAIN, INI


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The database that `alembic` works on."""
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/footnote.db")
    return tmp_path / "footnote.db"


@pytest.fixture
def run(file: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Run `alembic`; returns its output."""

    def run(*arguments: str) -> str:
        alembic.main(["-c", str(INI), *arguments])
        return capsys.readouterr().out

    return run


@pytest.fixture(scope="module")
def versions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """An empty database of each version, upgraded step by step."""
    folder = tmp_path_factory.mktemp("versions")
    file, made = folder / "footnote.db", dict[str, Path]()
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("DATABASE_URL", f"sqlite:///{file}")
        for version in CHAIN:
            alembic.main(["-c", str(INI), "upgrade", version])
            made[version] = Path(shutil.copy(file, folder / f"{version}.db"))
    return made


@pytest.fixture
def make(versions: dict[str, Path], file: Path) -> Callable[[str], None]:
    """Make `file` a database of a version."""

    def make(version: str) -> None:
        shutil.copy(versions[version], file)

    return make
