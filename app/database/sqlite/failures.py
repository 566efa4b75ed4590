"""Say what is wrong with the database."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import Engine, event
from sqlalchemy.engine import ExceptionContext

from app import errors

_READ_ONLY = "readonly database"
# SQLITE_PERM, SQLITE_READONLY, SQLITE_IOERR and SQLITE_CANTOPEN: what is reported where a file may not be used, too.
_OF_ACCESS = {3, 8, 10, 14}
# SQLITE_IOERR: any reason why the system refuses a write. SQLite does not pass the reason on, nor that a disk is full
# when it makes the -shm file, without which nothing can be read either.
_IO_ERROR = 10
_SHM_BYTES = 32_768


def describe_failure(error: BaseException | None, *databases: Path) -> str:
    """What SQLite says of an error, and what it does not say; `databases` are the files that it may be about."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in _OF_ACCESS and (refused := next(filter(None, map(_find_refusal, databases)), None)):
        return f"{error} ({refused})"
    if code == _IO_ERROR and (full := next(filter(_is_full, _folders_of(databases)), None)):
        return f"{error} (the disk of {full} is full)"
    if code == _IO_ERROR:
        return f"{error} (a quota, a limit on the size of files as of `ulimit -f`, or a failing disk)"
    return str(error)


def is_on_read_only_disk(place: Path) -> bool:
    """Whether nobody can write to a file or folder, because its file system is read-only. Raises OSError."""
    return hasattr(os, "statvfs") and bool(os.statvfs(place).f_flag & os.ST_RDONLY)


def _folders_of(databases: Sequence[Path]) -> list[Path]:
    return [database.absolute().parent for database in databases]


def _is_full(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free < _SHM_BYTES
    except OSError:
        return False


def _find_refusal(database: Path) -> str | None:
    """What this user may not do with a database, or with the folder in which SQLite makes files beside it."""
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
    """The error of a write that failed for a `reason` that may pass."""
    described = reason if isinstance(reason, str) else describe_failure(reason, database)
    return errors.Unavailable(f"The database cannot be written to right now: {described}.", "database", 1000)


def replace_read_only_connections(engine: Engine) -> None:
    """A connection that was opened while the file could not be written cannot write later either: open a new one."""

    @event.listens_for(engine, "handle_error")
    def replace(context: ExceptionContext) -> None:  # pyright: ignore[reportUnusedFunction]
        if _READ_ONLY in str(context.original_exception):
            context.is_disconnect = True
