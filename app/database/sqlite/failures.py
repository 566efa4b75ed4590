"""Explain failures of SQLite, and recover from read-only connections."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import Engine, event
from sqlalchemy.engine import ExceptionContext

from app import errors

_READ_ONLY = "readonly database"
# SQLITE_PERM, SQLITE_READONLY, SQLITE_IOERR and SQLITE_CANTOPEN: may mean that the user lacks access to a file.
_ACCESS_CODES = {3, 8, 10, 14}
# SQLITE_IOERR: the system rejected a write for any reason, which SQLite does not pass on. This includes a full disk
# when SQLite creates the -shm file, without which nothing can be read.
_IO_ERROR = 10
_SHM_BYTES = 32_768


def describe_failure(error: BaseException | None, *databases: Path) -> str:
    """SQLite's message with the likely reason; `databases` are the files that the error may concern."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in _ACCESS_CODES and (denial := next(filter(None, map(_find_denied_access, databases)), None)):
        return f"{error} ({denial})"
    if code == _IO_ERROR and (full := next(filter(_is_full, _folders_of(databases)), None)):
        return f"{error} (the disk of {full} is full)"
    if code == _IO_ERROR:
        return f"{error} (a quota, a limit on file sizes as set by `ulimit -f`, or a failing disk)"
    return str(error)


def is_on_read_only_disk(place: Path) -> bool:
    """Whether a file or folder is on a read-only file system. Raises OSError."""
    return hasattr(os, "statvfs") and bool(os.statvfs(place).f_flag & os.ST_RDONLY)


def _folders_of(databases: Sequence[Path]) -> list[Path]:
    return [database.absolute().parent for database in databases]


def _is_full(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free < _SHM_BYTES
    except OSError:
        return False


def _find_denied_access(database: Path) -> str | None:
    """What this user may not do with a database, or with its folder, in which SQLite creates side files."""
    file, folder = database.absolute(), database.absolute().parent
    try:
        if file.exists() and not os.access(file, os.R_OK):
            return f"this user may not read {file}; change its owner or its mode"
        for place in (file, folder):
            if place.exists() and not os.access(place, os.W_OK):
                why = "its file system is read-only" if is_on_read_only_disk(place) else "change its owner or its mode"
                return f"this user may not write to {place}; {why}"
    except OSError as error:
        return f"{file}: {error.strerror}"
    return None


def not_writable(reason: str | BaseException | None, database: Path) -> errors.Unavailable:
    """The error for a write that failed for a `reason` that may be temporary."""
    described = reason if isinstance(reason, str) else describe_failure(reason, database)
    return errors.Unavailable(f"The database cannot be written to right now: {described}.", "database", 1000)


def replace_read_only_connections(engine: Engine) -> None:
    """Replace connections that were opened while the file was read-only: they could not write later either."""

    @event.listens_for(engine, "handle_error")
    def replace(context: ExceptionContext) -> None:  # pyright: ignore[reportUnusedFunction]
        if _READ_ONLY in str(context.original_exception):
            context.is_disconnect = True
