"""Back up a database into one file while others write, and restore it; copies are checked before they count."""

import asyncio
import filecmp
import os
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count, takewhile
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from app import errors
from app.database import upgrade
from app.database.sqlite import driver, files, partial_files
from app.database.sqlite.failures import describe_failure, is_on_read_only_disk
from app.database.threads import settled_result

# How long to wait for a writer; copying uses a snapshot and blocks nobody.
_BUSY_SECONDS = 10.0
# How long a restore waits for others to close the database: enough for a command that is ending, not for a server.
_LEAVING_SECONDS = 1.0
# How many steps of SQLite's virtual machine pass between two looks at whether the caller is gone.
_STEPS = 100
# SQLITE_CORRUPT and SQLITE_NOTADB
_DAMAGED = {11, 26}

Result = TypeVar("Result")


async def run_until_cancelled(work: Callable[[threading.Event], Result]) -> Result:
    """The result of `work`, called on a thread with an event that is set when the caller is cancelled.

    The cancellation is raised once `work` has ended; where the caller waits next, if it was too late to stop it: what
    is done is not reported as failed.
    """
    stopped = threading.Event()
    running = asyncio.get_running_loop().run_in_executor(None, work, stopped)
    return await settled_result(running, stopped.set)


def free_name(beside: Path, ending: str) -> Path:
    """An unused name for a file beside this one: `footnote.db.before-0002`, then `footnote.db.before-0002-2`."""
    return next(name for name in _numbered_names(beside, ending) if not name.exists())


def _numbered_names(beside: Path, ending: str) -> Iterator[Path]:
    name = f"{beside.name}.{ending}"
    yield beside.with_name(name)
    yield from (beside.with_name(f"{name}-{number}") for number in count(2))


def write_backup(source: Path, target: Path, stopped: threading.Event) -> int:
    """Copy the database `source` to the new file `target`; returns its size in bytes. See `Database.back_up`.

    Raises Conflict soon after `stopped` is set, unless the copy is written already.
    """
    if ending := files.find_side_ending(target):
        raise errors.Conflict(f"{target} ends with {ending}, like the files next to a database; choose another name.")
    partial_files.require_free(target)
    if not source.exists():
        raise errors.Conflict(f"There is no database {source} yet.")
    if not target.absolute().parent.is_dir():
        raise errors.Conflict(f"The folder {target.absolute().parent} does not exist.")
    module = driver.choose_driver().module
    with _open_source(module, source) as connection:
        _end_when_stopped(connection, stopped)
        try:
            _copy_database(module, connection, target)
        except (module.Error, OSError) as error:
            raise errors.Conflict(f"{target} cannot be written: {describe_failure(error, source, target)}.") from error
    return target.stat().st_size


@contextmanager
def _open_source(module: ModuleType, source: Path) -> Generator[Any]:
    """A connection to a database that is to be copied. Raises Conflict if it cannot be read, or is another program's.

    On a disk that became read-only, SQLite cannot make the files that it needs beside a database. They are not needed
    where nobody can write, and no log is left whose content belongs to the database.
    """
    with ExitStack() as stack:
        try:
            is_fixed = is_on_read_only_disk(source) and not files.has_log(source)
            connection = stack.enter_context(_open_connection(module, source, is_fixed=is_fixed))
            names = _table_names(connection)
        except (module.Error, OSError) as error:
            raise errors.Conflict(f"{source} cannot be read: {describe_failure(error, source)}.") from error
        if not names >= upgrade.OWN_TABLES:
            raise errors.Conflict(f"{source} is not a Footnote database.")
        yield connection


def _copy_database(module: ModuleType, connection: Any, target: Path) -> None:
    partial_files.remove_forgotten(target)
    partial = partial_files.partial_name(target)
    try:
        files.make_private(partial)
        connection.execute("VACUUM INTO ?", (str(partial),))
        _check_sound(module, partial)  # kill point: migrate.copying
        with partial.open("rb+") as written:
            os.fsync(written.fileno())
        partial_files.name_whole(partial, target)
    finally:
        partial_files.remove_partial(partial)
    _sync_folder(target)


def write_backup_beside(source: Path, ending: str, stopped: threading.Event) -> Path:
    """Copy the database to a new file beside it; returns that, or a former copy that is the same byte for byte.

    So a migration that is interrupted leaves one backup, however often. Nobody else may migrate the database meanwhile.
    Raises Conflict, as `write_backup` does.
    """
    former = list(takewhile(Path.exists, _numbered_names(source, ending)))
    target = free_name(source, ending)
    partial_files.remove_all_beside(source)
    write_backup(source, target, stopped)
    for each in former:
        if filecmp.cmp(each, target, shallow=False):
            target.unlink()
            return each
    return target


def restore_backup(source: Path, target: Path, stopped: threading.Event) -> Path | None:
    """Put the backup `source` in the place of the database `target`. See `Database.restore`.

    Raises Conflict soon after `stopped` is set, unless the previous content is kept already.
    """
    module = driver.choose_driver().module
    if not source.is_file():
        raise errors.Conflict(f"There is no file {source}.")
    if target.exists() and source.samefile(target):
        raise errors.Conflict(f"{source} is the database itself, not a backup of it.")
    kept = free_name(target, "before-restore")
    try:
        _check_sound(module, source)
        _check_version(module, source)
        is_new = not target.exists()
        files.make_private(target)
        if is_new:
            files.take_owner(target, target.absolute().parent)
        with _open_connection(module, source) as backup_file:
            if not _replace_content(module, backup_file, target, kept, stopped):
                _replace_file(module, backup_file, target, kept)
        _sync_folder(target)
    except (module.Error, OSError) as error:
        raise errors.Conflict(f"{source} cannot be restored: {describe_failure(error, target)}.") from error
    return kept if kept.exists() else None


def _replace_content(module: ModuleType, backup_file: Any, target: Path, kept: Path, stopped: threading.Event) -> bool:
    """Copy the backup into the database, and its previous content to `kept`; returns False if that is damaged."""
    with _open_connection(module, target, _LEAVING_SECONDS) as connection:
        try:
            if not driver.lock_exclusively(module, connection):
                raise errors.Conflict(f"{target} is in use by a server or by another command; stop that first.")
            if (names := _table_names(connection)) and not names >= upgrade.OWN_TABLES:
                raise errors.Conflict(f"{target} is a database of another program, and is not replaced.")
            _end_when_stopped(connection, stopped)
            partial_files.remove_all_beside(target)
            if names:
                _copy_database(module, connection, kept)
        except module.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF not in _DAMAGED:
                raise
            return False
        backup_file.backup(connection)
    return True


def _replace_file(module: ModuleType, backup_file: Any, target: Path, kept: Path) -> None:
    """Put a copy of the backup in the place of a damaged database, whose bytes are kept as they are."""
    partial_files.remove_forgotten(target)
    partial = partial_files.partial_name(target)
    try:
        files.make_private(partial)
        with _open_connection(module, partial) as connection:
            backup_file.backup(connection)
        files.move_aside(target, kept)
        files.take_owner(partial, target)
        partial.replace(target)
    finally:
        partial_files.remove_partial(partial)


def _end_when_stopped(connection: Any, stopped: threading.Event) -> None:
    """Let a statement fail once `stopped` is set, however long it would take."""
    connection.set_progress_handler(stopped.is_set, _STEPS)


def _sync_folder(file: Path) -> None:
    """Write the names in a file's folder to the disk: without this a power cut may undo a rename."""
    if sys.platform == "win32":  # there, folders cannot be opened; the journal of NTFS keeps renames in order
        return
    folder = os.open(file.absolute().parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _check_sound(module: ModuleType, file: Path) -> None:
    """Raises OSError for a damaged file."""
    with _open_connection(module, file) as connection:
        found = [str(row[0]) for row in connection.execute("PRAGMA quick_check(1)")]
    if found != ["ok"]:
        raise OSError(f"it is damaged ({found[0]})")


def _table_names(connection: Any) -> set[str]:
    return {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def _check_version(module: ModuleType, file: Path) -> None:
    """Raises OSError for a database of another program, and for one of a newer version."""
    with _open_connection(module, file) as connection:
        if not _table_names(connection) >= upgrade.OWN_TABLES:
            raise OSError("it is not a Footnote database")
        revisions = [row[0] for row in connection.execute("SELECT version_num FROM alembic_version")]
    if len(revisions) != 1:
        raise OSError("it is not a Footnote database")
    if newer := upgrade.describe_newer(revisions[0]):
        raise OSError(f"it {newer}")


@contextmanager
def _open_connection(
    module: ModuleType, file: Path, seconds: float = _BUSY_SECONDS, *, is_fixed: bool = False
) -> Generator[Any]:
    """`is_fixed`: nobody can change the file."""
    name = f"{file.absolute().as_uri()}?immutable=1" if is_fixed else str(file)
    connection = module.connect(name, timeout=seconds, isolation_level=None, uri=is_fixed)
    try:
        driver.load_vector_extension(connection)
        yield connection
    finally:
        connection.close()
