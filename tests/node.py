"""Node, with the packages of a folder as its lock file names them."""

import fcntl
import hashlib
import os
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import pytest

_INSTALL_SECONDS = 240


def node_with_packages(folder: Path) -> str:
    """Node's path, once the folder's packages are installed. Skips the test where Node is missing."""
    found, npm = shutil.which("node"), shutil.which("npm")
    if found is None or npm is None:
        absent("Node is not installed: tests of clients need `node` and `npm`, version 20 or newer.")
    stamp, lock = folder / "node_modules" / ".installed-from", folder / "package-lock.json"
    wanted = hashlib.sha256(lock.read_bytes()).hexdigest()
    with _held(lock):
        if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
            _install(npm, folder)
            stamp.write_text(wanted, encoding="utf-8")
    return found


def absent(reason: str) -> NoReturn:
    """Skip the test on a developer's machine; fail in continuous integration."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


def _install(npm: str, folder: Path) -> None:
    try:
        subprocess.run(
            [npm, "ci", "--no-audit", "--no-fund"],
            cwd=folder,
            check=True,
            capture_output=True,
            timeout=_INSTALL_SECONDS,
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        said = (error.stderr or b"").decode(errors="replace").strip()
        absent(f"`npm ci` in {folder} failed: {said[-500:]}")


@contextmanager
def _held(file: Path) -> Generator[None]:
    """Hold a file's lock: `npm ci` of one process removes what that of another has just installed."""
    with file.open("rb") as opened:
        fcntl.flock(opened, fcntl.LOCK_EX)
        yield
