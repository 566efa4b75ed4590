"""Back up a database into one file while others write, and restore it; copies are checked before they count."""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from app import errors
from app.database.sqlite import driver, files

# How long to wait for a writer; copying uses a snapshot and blocks nobody.
_BUSY_SECONDS = 10.0
# How long a restore waits for others to close the database: enough for a command that is ending, not for a server.
_LEAVING_SECONDS = 1.0


def free_name(beside: Path, ending: str) -> Path:
    """An unused name for a file beside this one: `footnote.db.before-0002`, then `footnote.db.before-0002-2`."""
    name = beside.with_name(f"{beside.name}.{ending}")
    count = 1
    while name.exists():
        count += 1
        name = beside.with_name(f"{beside.name}.{ending}-{count}")
    return name


def write_backup(source: Path, target: Path) -> int:
    """Copy the database `source` to the new file `target`; returns its size in bytes. See `Database.back_up`."""
    if target.exists():
        raise _invalid_file(f"{target} already exists; a backup never replaces a file.")
    if not source.exists():
        raise _invalid_file(f"There is no database {source} yet.")
    if not target.absolute().parent.is_dir():
        raise _invalid_file(f"The folder {target.absolute().parent} does not exist.")
    module = driver.choose_driver().module
    try:
        with _open_connection(module, source) as connection:
            _copy_database(module, connection, target)
    except (module.Error, OSError) as error:
        raise _invalid_file(f"{target} cannot be written: {error}.") from error
    return target.stat().st_size


def _copy_database(module: ModuleType, connection: Any, target: Path) -> None:
    partial = target.with_name(f"{target.name}.partial")
    try:
        partial.unlink(missing_ok=True)
        files.make_private(partial)
        connection.execute("VACUUM INTO ?", (str(partial),))
        _check_backup(module, partial)  # kill point: migrate.copying
        with partial.open("rb+") as written:
            os.fsync(written.fileno())
        partial.rename(target)
        _sync_folder(target)
    finally:
        partial.unlink(missing_ok=True)


def restore_backup(source: Path, target: Path) -> Path | None:
    """Put the backup `source` in the place of the database `target`. See `Database.restore`."""
    module = driver.choose_driver().module
    if not source.is_file():
        raise _invalid_file(f"There is no file {source}.")
    if target.exists() and source.samefile(target):
        raise _invalid_file(f"{source} is the database itself, not a backup of it.")
    kept = free_name(target, "before-restore") if target.exists() else None
    try:
        _check_backup(module, source)
        files.make_private(target)
        with (
            _open_connection(module, source) as backup_file,
            _open_connection(module, target, _LEAVING_SECONDS) as connection,
        ):
            if not driver.lock_exclusively(module, connection):
                raise _invalid_file(f"{target} is in use by a server or by another command; stop that first.")
            if kept is not None:
                _copy_database(module, connection, kept)
            backup_file.backup(connection)
        _sync_folder(target)
    except (module.Error, OSError) as error:
        raise _invalid_file(f"{source} cannot be restored: {error}.") from error
    return kept


def _sync_folder(file: Path) -> None:
    """Write the names in a file's folder to the disk: without this a power cut may undo a rename."""
    if sys.platform == "win32":  # there, folders cannot be opened; the journal of NTFS keeps renames in order
        return
    folder = os.open(file.absolute().parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _check_backup(module: ModuleType, file: Path) -> None:
    """Raises OSError for a file that is damaged or is not a Footnote database."""
    with _open_connection(module, file) as connection:
        found = [str(row[0]) for row in connection.execute("PRAGMA quick_check(1)")]
        if found != ["ok"]:
            raise OSError(f"it is damaged ({found[0]})")
        if connection.execute("PRAGMA table_info(alembic_version)").fetchone() is None:
            raise OSError("it is not a Footnote database")


@contextmanager
def _open_connection(module: ModuleType, file: Path, seconds: float = _BUSY_SECONDS) -> Generator[Any]:
    connection = module.connect(str(file), timeout=seconds, isolation_level=None)
    try:
        driver.load_vector_extension(connection)
        yield connection
    finally:
        connection.close()


def _invalid_file(message: str) -> errors.Invalid:
    return errors.Invalid.at("file", "INVALID", message)
