"""Back up a database to one file while others write, and restore it; every copy is checked before it gets its name."""

import asyncio
import filecmp
import os
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
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
_CLOSING_SECONDS = 1.0
# Steps of SQLite's virtual machine between two checks whether the caller was cancelled.
_STEPS = 100
# SQLITE_CORRUPT and SQLITE_NOTADB
_DAMAGED = {11, 26}

Result = TypeVar("Result")


async def run_until_cancelled(work: Callable[[threading.Event], Result]) -> Result:
    """Call `work` on a thread, with an event that is set when the caller is cancelled, and return its result.

    The cancellation is raised once `work` has ended. If it was too late to stop `work`, its result is returned and the
    cancellation is raised at the caller's next `await`: what is done is not reported as failed.
    """
    stopped = threading.Event()
    running = asyncio.get_running_loop().run_in_executor(None, work, stopped)
    return await settled_result(running, stopped.set)


def find_unused_name(file: Path, ending: str) -> Path:
    """An unused name next to `file`: `footnote.db.before-0002`, then `footnote.db.before-0002-2`."""
    return next(name for name in _numbered_names(file, ending) if not name.exists())


def _numbered_names(file: Path, ending: str) -> Iterator[Path]:
    name = f"{file.name}.{ending}"
    yield file.with_name(name)
    yield from (file.with_name(f"{name}-{number}") for number in count(2))


def write_backup(source: Path, target: Path, stopped: threading.Event) -> int:
    """Copy the database `source` to the new file `target`; returns its size in bytes. See `Database.back_up`.

    Raises Conflict soon after `stopped` is set, unless the copy is already written.
    """
    if ending := files.find_side_ending(target):
        raise errors.Conflict(f"{target} ends with {ending}, like a database's own side files; choose another name.")
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
    """Connect to a database to copy it. Raises Conflict if it cannot be read, or belongs to another program.

    On a disk that has become read-only, SQLite cannot create its side files. It does not need them if nobody can write
    and no write-ahead log is left with content of the database.
    """
    with ExitStack() as stack:
        try:
            is_immutable = is_on_read_only_disk(source) and not files.has_log(source)
            connection = stack.enter_context(_open_connection(module, source, is_immutable=is_immutable))
            names = _table_names(connection)
        except (module.Error, OSError) as error:
            raise errors.Conflict(f"{source} cannot be read: {describe_failure(error, source)}.") from error
        if not names >= upgrade.OWN_TABLES:
            raise errors.Conflict(f"{source} is not a Footnote database.")
        yield connection


def _copy_database(module: ModuleType, connection: Any, target: Path) -> None:
    partial_files.remove_abandoned(target)
    partial = partial_files.partial_name(target)
    try:
        files.make_private(partial)
        connection.execute("VACUUM INTO ?", (str(partial),))
        _check_intact(module, partial)  # kill point: migrate.copying
        with partial.open("rb+") as written:
            os.fsync(written.fileno())
        partial_files.publish(partial, target)
    finally:
        partial_files.remove_partial(partial)
    _sync_folder(target)


def write_backup_beside(source: Path, ending: str, stopped: threading.Event) -> Path:
    """Copy the database to a new file next to it; returns that, or an earlier copy that is identical.

    So a migration leaves one backup, however often it is interrupted. Nobody else may migrate the database meanwhile.
    Raises Conflict, as `write_backup` does.
    """
    earlier_copies = list(takewhile(Path.exists, _numbered_names(source, ending)))
    target = find_unused_name(source, ending)
    partial_files.remove_all_partial(source)
    write_backup(source, target, stopped)
    for copy in earlier_copies:
        if filecmp.cmp(copy, target, shallow=False):
            target.unlink()
            return copy
    return target


def require_unused(file: Path) -> None:
    """Raises Conflict while another connection is open. If the file cannot be opened at all, its next use says why."""
    module, file = driver.choose_driver().module, files.follow_link(file)
    if not file.exists():
        return
    with suppress(module.Error), _open_connection(module, file, _CLOSING_SECONDS) as connection:
        if not driver.lock_exclusively(module, connection):
            raise _in_use(file)


def _in_use(file: Path) -> errors.Conflict:
    return errors.Conflict(f"{file} is in use by a server or by another command; stop that first.")


def restore_backup(source: Path, target: Path, stopped: threading.Event) -> Path | None:
    """Replace the database `target` with the backup `source`. See `Database.restore`.

    Raises Conflict soon after `stopped` is set, unless the previous content is already saved.
    """
    module, target = driver.choose_driver().module, files.follow_link(target)
    if not source.is_file():
        raise errors.Conflict(f"There is no file {source}.")
    if target.exists() and source.samefile(target):
        raise errors.Conflict(f"{source} is the database itself, not a backup of it.")
    saved = find_unused_name(target, "before-restore")
    try:
        _check_intact(module, source)
        _check_version(module, source)
        is_new = not target.exists()
        files.make_private(target)
        if is_new:
            files.copy_owner(target.absolute().parent, target)
        with _open_connection(module, source) as backup_file:
            if not _replace_content(module, backup_file, target, saved, stopped):
                _replace_file(module, backup_file, target, saved)
        _sync_folder(target)
    except (module.Error, OSError) as error:
        raise errors.Conflict(f"{source} cannot be restored: {describe_failure(error, target)}.") from error
    return saved if saved.exists() else None


def _replace_content(module: ModuleType, backup_file: Any, target: Path, saved: Path, stopped: threading.Event) -> bool:
    """Save the content of `target` to `saved`, then copy the backup into it; returns False if `target` is damaged."""
    with _open_connection(module, target, _CLOSING_SECONDS) as connection:
        try:
            if not driver.lock_exclusively(module, connection):
                raise _in_use(target)
            if (names := _table_names(connection)) and not names >= upgrade.OWN_TABLES:
                raise errors.Conflict(f"{target} is a database of another program, and is not replaced.")
            _end_when_stopped(connection, stopped)
            partial_files.remove_all_partial(target)
            if names:
                _copy_database(module, connection, saved)
        except module.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF not in _DAMAGED:
                raise
            return False
        backup_file.backup(connection)
    return True


def _replace_file(module: ModuleType, backup_file: Any, target: Path, saved: Path) -> None:
    """Replace a damaged database with a copy of the backup; save the damaged files as they are."""
    partial_files.remove_abandoned(target)
    partial = partial_files.partial_name(target)
    try:
        files.make_private(partial)
        with _open_connection(module, partial) as connection:
            backup_file.backup(connection)
        files.move_aside(target, saved)
        files.copy_owner(target, partial)
        partial.replace(target)
    finally:
        partial_files.remove_partial(partial)


def _end_when_stopped(connection: Any, stopped: threading.Event) -> None:
    """Make running statements fail once `stopped` is set."""
    connection.set_progress_handler(stopped.is_set, _STEPS)


def _sync_folder(file: Path) -> None:
    """Sync the folder of a file: otherwise a power cut may undo a rename."""
    if sys.platform == "win32":  # where folders cannot be opened, and the journal of NTFS keeps renames in order
        return
    folder = os.open(file.absolute().parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _check_intact(module: ModuleType, file: Path) -> None:
    """Raises OSError for a damaged file."""
    with _open_connection(module, file) as connection:
        found = [str(row[0]) for row in connection.execute("PRAGMA quick_check(1)")]
    if found != ["ok"]:
        raise OSError(f"it is damaged ({found[0]})")


def _table_names(connection: Any) -> set[str]:
    return {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def _check_version(module: ModuleType, file: Path) -> None:
    """Raises OSError for a database of another program or a newer version."""
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
    module: ModuleType, file: Path, seconds: float = _BUSY_SECONDS, *, is_immutable: bool = False
) -> Generator[Any]:
    """Connect to a database; wait up to `seconds` for a writer. `is_immutable`: nobody can change the file."""
    name = f"{file.absolute().as_uri()}?immutable=1" if is_immutable else str(file)
    connection = module.connect(name, timeout=seconds, isolation_level=None, uri=is_immutable)
    try:
        driver.load_vector_extension(connection)
        yield connection
    finally:
        connection.close()
