"""Commands within this process, in a tenth of the time: for what comes before and after what a test is about."""

import contextlib
import subprocess
from pathlib import Path

from typer.testing import CliRunner

from app.cli.commands import cli


def run_here(folder: Path, *arguments: str, typed: str = "", **settings: str) -> subprocess.CompletedProcess[str]:
    """Run `footnote` in this folder, with these variables on top of ours."""
    with contextlib.chdir(folder):
        result = CliRunner(env={"COLUMNS": "100", **settings}).invoke(cli, arguments, input=typed)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return subprocess.CompletedProcess(arguments, result.exit_code, result.stdout, result.stderr)


def printed_here(folder: Path, *arguments: str, typed: str = "", **settings: str) -> str:
    """What a command prints that succeeds."""
    done = run_here(folder, *arguments, typed=typed, **settings)
    assert done.returncode == 0, done.stderr
    return done.stdout
