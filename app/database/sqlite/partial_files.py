"""Temporary names for copies until they are complete: `backup.db.0123456789abcdef.partial`."""

import os
import re
import secrets
import time
from contextlib import suppress
from pathlib import Path

from app import errors

_ENDING = r"\.[0-9a-f]{16}\.partial(-journal)?"
# Nobody is still writing a copy that has not changed for this long.
_ABANDONED_SECONDS = 86_400


def partial_name(target: Path) -> Path:
    """A unique temporary name next to `target`."""
    return target.with_name(f"{target.name}.{secrets.token_hex(8)}.partial")


def require_free(target: Path) -> None:
    """Raises Conflict if `target` exists."""
    if target.exists():
        raise errors.Conflict(f"{target} already exists; a backup never replaces a file.")


def publish(partial: Path, target: Path) -> None:
    """Give a complete copy its final name. Raises Conflict if that exists by now."""
    try:
        os.link(partial, target)  # unlike renaming, it never replaces a file
    except FileExistsError:
        require_free(target)
        raise
    except OSError:  # a file system without links
        require_free(target)
        partial.rename(target)


def remove_partial(partial: Path) -> None:
    """Remove an incomplete copy, and the journal that SQLite leaves if it cannot write one."""
    partial.unlink(missing_ok=True)
    partial.with_name(f"{partial.name}-journal").unlink(missing_ok=True)


def remove_abandoned(target: Path) -> None:
    """Remove partial copies of killed commands, if they are more than a day old: newer ones may still be written."""
    for left in _find_partial(target, re.escape(target.name)):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > _ABANDONED_SECONDS:
                left.unlink()


def remove_all_partial(database: Path) -> None:
    """Remove all partial copies that migrations and restores of a database have left.

    Call this while no other process can migrate or restore the database.
    """
    for left in _find_partial(database, rf"{re.escape(database.name)}\.before-[\w-]+"):
        with suppress(OSError):
            left.unlink()


def _find_partial(file: Path, name_pattern: str) -> list[Path]:
    pattern = re.compile(name_pattern + _ENDING)
    return [found for found in file.absolute().parent.iterdir() if pattern.fullmatch(found.name)]
