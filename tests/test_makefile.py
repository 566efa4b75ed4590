"""What `make` does in a fresh checkout, and after a first try that was cut short."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.skipif(not shutil.which("make"), reason="needs make")


def planned(folder: Path) -> str:
    """What `make run` would do in a folder that has what it installs."""
    for name in ("Makefile", "pyproject.toml", "requirements.lock"):
        shutil.copy(ROOT / name, folder)
    # `make test` tells what it starts with how it was called itself.
    told = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "PYTHON")
    own = {name: value for name, value in os.environ.items() if name not in told}
    done = subprocess.run(["make", "-n", "run"], cwd=folder, env=own, capture_output=True, text=True, check=True)
    return done.stdout


def test_a_fresh_checkout_gets_an_environment_and_a_server(tmp_path: Path) -> None:
    lines = planned(tmp_path).splitlines()
    assert "python3 -m venv .venv" in lines
    assert lines[-1] == ".venv/bin/footnote serve"


def test_an_environment_that_was_not_finished_is_made_again(tmp_path: Path) -> None:
    """Where Debian lacks python3-venv, or Ctrl-C came first, there is a Python in it, and no pip."""
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    assert "python3 -m venv .venv" in planned(tmp_path).splitlines()


def test_an_environment_that_is_complete_is_kept(tmp_path: Path) -> None:
    for name in ("python", "pip"):
        (tmp_path / ".venv" / "bin").mkdir(parents=True, exist_ok=True)
        (tmp_path / ".venv" / "bin" / name).touch()
    assert "python3 -m venv .venv" not in planned(tmp_path).splitlines()
