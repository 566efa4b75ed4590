"""Copies that have a name of their own until they are whole: `kept.db.0123456789abcdef.partial`."""

import os
import re
import secrets
import time
from contextlib import suppress
from pathlib import Path

from app import errors

_ENDING = r"\.[0-9a-f]{16}\.partial(-journal)?"
# Nobody writes to a copy that has not changed for so long.
_FORGOTTEN_SECONDS = 86_400


def partial_name(target: Path) -> Path:
    """A name in the folder of `target` that nobody else uses, be it a user or another command."""
    return target.with_name(f"{target.name}.{secrets.token_hex(8)}.partial")


def require_free(target: Path) -> None:
    """Raises Conflict if there is such a file."""
    if target.exists():
        raise errors.Conflict(f"{target} already exists; a backup never replaces a file.")


def name_whole(partial: Path, target: Path) -> None:
    """Give a copy that is whole its name. Raises Conflict if that was taken meanwhile."""
    try:
        os.link(partial, target)  # unlike renaming, it never replaces a file
    except FileExistsError:
        require_free(target)
        raise
    except OSError:  # a file system without links
        require_free(target)
        partial.rename(target)


def remove_partial(partial: Path) -> None:
    """Remove what there is of a copy. SQLite leaves the journal of one that cannot be written."""
    partial.unlink(missing_ok=True)
    partial.with_name(f"{partial.name}-journal").unlink(missing_ok=True)


def remove_forgotten(target: Path) -> None:
    """Remove copies to this name whose command was killed, if that was more than a day ago: others may be at work."""
    for left in _find_partial(target, re.escape(target.name)):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > _FORGOTTEN_SECONDS:
                left.unlink()


def remove_all_beside(database: Path) -> None:
    """Remove copies beside a database whose command was killed. Call this while others can neither migrate nor restore
    it: nobody else makes them.
    """
    for left in _find_partial(database, rf"{re.escape(database.name)}\.before-[\w-]+"):
        with suppress(OSError):
            left.unlink()


def _find_partial(beside: Path, name: str) -> list[Path]:
    pattern = re.compile(name + _ENDING)
    return [found for found in beside.absolute().parent.iterdir() if pattern.fullmatch(found.name)]
