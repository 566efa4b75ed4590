"""The files of an open database: private to their owner, and watched for being taken away or exchanged.

SQLite keeps what it has opened. When the file is deleted or another one is put in its place, it goes on writing into
one that nobody will find again; when one is cut short, the rest is missing, and where it is mapped into memory (the
one that ends in -shm always is) the system ends the process that reads on. Looking costs a few microseconds, so each
transaction begins with it, and each that writes ends with it before anybody is told. What was lost stays lost until a
restart: otherwise connections to two databases would answer in turn.
"""

import logging
import os
import stat
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app import errors

log = logging.getLogger(__name__)

_PRIVATE = 0o600
_SIDE_FILES = ("-wal", "-shm")
# Somebody has to put it back first.
_RETRY_MS = 60_000
_ADVICE = "Stop all processes that use it, restore the database or a backup (`footnote restore`), and start again."


def make_private(file: Path) -> None:
    """See to it that a database is its owner's alone, whatever the umask; one that is not there is made, empty.

    SQLite gives the files beside it the same mode. No connection of this process may have the file open: closing it
    here would let go of their locks.
    """
    with suppress(OSError):  # it is there, or SQLite will say better why it cannot be
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, _PRIVATE))
    if sys.platform == "win32":  # there, the folder decides who may read
        return
    for name in _database_files(file):
        # Of somebody else, or on a disk that is read-only: who set it up so has a reason.
        with suppress(OSError):
            found = name.stat()
            if stat.S_IMODE(found.st_mode) & 0o077 and found.st_uid == os.geteuid():
                name.chmod(_PRIVATE)


def _database_files(file: Path) -> list[Path]:
    return [file, *(file.with_name(f"{file.name}{ending}") for ending in _SIDE_FILES)]


@dataclass(slots=True)
class _WatchedFile:
    """A file as it was when it was opened, and the most bytes it had since."""

    name: str
    identity: tuple[int, int]
    size: int


@dataclass(slots=True)
class OpenFiles:
    """The files of one database, from its first connection on. `connect` opens a further one, for `close` to close.

    That one keeps the files from going in peace: SQLite removes those beside the database with the last connection.
    """

    file: Path
    connect: Callable[[], Any]
    problem: str | None = None
    _seen: list[_WatchedFile] = field(default_factory=list[_WatchedFile])
    _kept_connection: Any = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def open(self) -> None:
        """Before each connection, on its thread; the first one decides which files these are. Raises Unavailable."""
        with self._lock:
            if self._kept_connection is None:
                make_private(self.file)
                kept = self.connect()
                kept.execute("PRAGMA journal_mode=WAL")
                kept.execute("PRAGMA user_version").fetchall()  # a first read makes the files beside it
                self._seen = [
                    _WatchedFile(str(name), *_identify_file(name))
                    for name in _database_files(self.file)
                    if name.exists()
                ]
                self._kept_connection = kept
        self.check()

    def check(self) -> None:
        """Raises Unavailable once a file is not the one that was opened, or shorter than it was."""
        if self.problem is None:
            for seen in self._seen:
                if change := _find_change(seen):
                    self._report_loss(change)
                    break
        if self.problem is not None:
            raise errors.Unavailable(self.problem, "database", _RETRY_MS)

    def _report_loss(self, change: str) -> None:
        with self._lock:
            if self.problem is None:
                self.problem = f"The database is lost: {change} Nothing can be read or written any more. {_ADVICE}"
                log.critical("%s", self.problem)

    def close(self) -> None:
        """After all other connections."""
        with self._lock:
            if self._kept_connection is not None:
                self._kept_connection.close()
                self._kept_connection = None


def _identify_file(name: Path) -> tuple[tuple[int, int], int]:
    found = name.stat()
    return (found.st_dev, found.st_ino), found.st_size


def _find_change(seen: _WatchedFile) -> str | None:
    """What happened to a file, as a sentence."""
    try:
        found = os.stat(seen.name)  # noqa: PTH116 - a Path takes twice as long
    except (FileNotFoundError, NotADirectoryError):
        return f"{seen.name} was deleted or moved while it was in use."
    except OSError:  # the folder may not be looked into now: what is open can be used all the same
        return None
    if (found.st_dev, found.st_ino) != seen.identity:
        return f"{seen.name} was replaced by another file while it was in use."
    # The one that ends in -wal is cut short whenever all of it has been taken over.
    if found.st_size < seen.size and not seen.name.endswith("-wal"):
        if seen.name.endswith("-shm"):
            # Its bytes are mapped, and even closing reads them; SQLite makes an empty one anew from the log.
            with suppress(OSError):
                os.truncate(seen.name, seen.size)  # by name: closing a file of ours would let go of SQLite's locks
        return f"{seen.name} was cut short while it was in use."
    seen.size = found.st_size
    return None
