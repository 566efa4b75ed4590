"""The files of an open database: private to their owner, and watched for removal and replacement.

SQLite keeps its files open. If one is deleted or replaced, SQLite keeps writing to a file that nobody will find again.
If one is truncated, data is missing, and if it is mapped into memory (the -shm file always is), the system kills the
process that reads past its end. A check takes a few microseconds, so every transaction starts with one, and a write
transaction also ends with one before its success is reported. A lost database stays lost until a restart: otherwise
connections to two different databases would be used in turn.
"""

import logging
import os
import shutil
import stat
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app import errors
from app.database.sqlite import driver

log = logging.getLogger(__name__)

_PRIVATE = 0o600
_SIDE_FILES = ("-wal", "-shm")
# The last is the folder of the notifier's sockets.
_SIDE_ENDINGS = (*_SIDE_FILES, "-journal", "-wake")
# Other processes lock a new database for a few milliseconds.
_LOG_SECONDS, _PAUSE_SECONDS = 10, 0.01
# Somebody has to restore a lost database first.
_RETRY_MS = 60_000
_ADVICE = "Stop all processes that use it, restore the database or a backup (`footnote restore`), and start again."


def follow_link(file: Path) -> Path:
    """The database itself if `file` is a link: SQLite keeps its side files next to that, not next to the link."""
    return file.resolve() if file.is_symlink() else file


def make_private(file: Path) -> None:
    """Make a database private to its owner, whatever the umask; creates an empty file if there is none.

    SQLite gives its side files the same mode. No connection of this process may have the file open: closing it here
    would release their locks.
    """
    with suppress(OSError):  # it exists, or SQLite will report better why it cannot be created
        os.close(os.open(follow_link(file), os.O_RDWR | os.O_CREAT | os.O_EXCL, _PRIVATE))
    if sys.platform == "win32":  # where the folder decides who may read
        return
    for name in _database_files(file):
        # Another owner's files, and files on a read-only disk, are left alone: somebody set them up on purpose.
        with suppress(OSError):
            found = name.stat()
            # Only regular files: a device such as /dev/null is for everybody, whoever owns it.
            is_exposed = stat.S_ISREG(found.st_mode) and stat.S_IMODE(found.st_mode) & 0o077
            if is_exposed and found.st_uid == os.geteuid():
                name.chmod(_PRIVATE)


def copy_owner(source: Path, target: Path) -> None:
    """Give `target` the owner of `source` (the database that it replaces, or its folder), if this user may.

    An operator may restore as root a database that the server opens as another user.
    """
    if sys.platform == "win32":
        return
    with suppress(OSError):
        found = source.stat()
        os.chown(target, found.st_uid, found.st_gid)


def find_side_ending(file: Path) -> str | None:
    """The ending of a database's side files, if `file` has one: SQLite would take it for a log and remove it."""
    return next(filter(file.name.lower().endswith, _SIDE_ENDINGS), None)


def has_log(file: Path) -> bool:
    """Whether a database has a write-ahead log that is not empty."""
    [_, log_file, _] = _database_files(file)
    return log_file.exists() and log_file.stat().st_size > 0


def move_aside(file: Path, saved: Path) -> None:
    """Copy a database that nobody has open, and its side files, to `saved` byte by byte; remove its side files.

    The database itself stays until its successor replaces it; a log left behind would be applied to the successor. If
    a copy fails, the others are removed.
    """
    copies = [(name, copy) for name, copy in zip(*map(_database_files, (file, saved)), strict=True) if name.exists()]
    try:
        for name, copy in copies:
            make_private(copy)
            shutil.copyfile(name, copy)
    except BaseException:  # including Ctrl-C: half a copy would look like a whole one
        for _, copy in copies:
            copy.unlink(missing_ok=True)
        raise
    for name, _ in copies[1:]:
        name.unlink()


def _database_files(file: Path) -> list[Path]:
    own = follow_link(file)
    return [file, *(own.with_name(f"{own.name}{ending}") for ending in _SIDE_FILES)]


@dataclass(slots=True)
class _WatchedFile:
    """A file as it was when it was opened, and its size when it was last checked."""

    name: str
    identity: tuple[int, int]
    size: int


@dataclass(slots=True)
class OpenFiles:
    """The files of one database, watched from its first connection on.

    `connect` opens one more connection, which stays open until `close`: SQLite removes the side files when the last
    connection closes, and that must not look like a loss.
    """

    file: Path
    connect: Callable[[], Any]
    problem: str | None = None
    _seen: list[_WatchedFile] = field(default_factory=list[_WatchedFile])
    _kept_connection: Any = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def watch_files(self) -> None:
        """Call before each new connection, on its thread; the first call records the files. Raises Unavailable."""
        with self._lock:
            if self._kept_connection is None:
                make_private(self.file)
                kept = self.connect()
                _begin_log(kept)
                kept.execute("PRAGMA user_version").fetchall()  # the first read creates the side files
                self._seen = [
                    _WatchedFile(str(name), *_identify_file(name))
                    for name in _database_files(self.file)
                    if name.exists()
                ]
                self._kept_connection = kept
        self.check_files()

    def check_files(self) -> None:
        """Raises DatabaseLost if a file is missing, was replaced, or has become shorter."""
        if self.problem is None:
            for seen in self._seen:
                if change := _find_change(seen):
                    self._report_loss(change)
                    break
        if self.problem is not None:
            raise errors.DatabaseLost(self.problem, _RETRY_MS)

    def _report_loss(self, change: str) -> None:
        with self._lock:
            if self.problem is None:
                self.problem = f"The database is lost: {change} Nothing can be read or written any more. {_ADVICE}"
                log.critical("%s", self.problem)

    def close(self) -> None:
        """Close the extra connection; call this after closing all others."""
        with self._lock:
            if self._kept_connection is not None:
                self._kept_connection.close()
                self._kept_connection = None


def _begin_log(connection: Any) -> None:
    """Switch a new database to write-ahead logging; retry if another process does so at the same time."""
    deadline = time.monotonic() + _LOG_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except Exception as error:
            if not driver.is_busy(error) or time.monotonic() > deadline:
                raise
            time.sleep(_PAUSE_SECONDS)
        else:
            return


def _identify_file(name: Path) -> tuple[tuple[int, int], int]:
    found = name.stat()
    return (found.st_dev, found.st_ino), found.st_size


def _find_change(seen: _WatchedFile) -> str | None:
    """A sentence that says what happened to a file; None if nothing did. Several threads may check it at once."""
    size_before = seen.size  # read first: another thread may see the file grow, and note that, before this one compares
    try:
        found = os.stat(seen.name)  # noqa: PTH116 - a Path takes twice as long
    except (FileNotFoundError, NotADirectoryError):
        return f"{seen.name} was deleted or moved while it was in use."
    except OSError:  # the folder cannot be read now, but open files can still be used
        return None
    if (found.st_dev, found.st_ino) != seen.identity:
        return f"{seen.name} was replaced by another file while it was in use."
    # SQLite itself truncates the -wal file once all of it has been copied into the database.
    if found.st_size < size_before and not seen.name.endswith("-wal"):
        if seen.name.endswith("-shm"):
            # The file is mapped, and even closing it reads it; SQLite rebuilds an empty one from the log.
            with suppress(OSError):
                os.truncate(seen.name, size_before)  # by name: closing a file here would release SQLite's locks
        return f"{seen.name} was cut short while it was in use."
    seen.size = found.st_size
    return None
