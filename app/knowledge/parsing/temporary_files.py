"""Temporary files for other processes of this user; without names on Linux, so that a killed server leaves none."""

import os
import tempfile
import threading
from pathlib import Path

# How much is written while the lock is held.
_PIECE_BYTES = 1 << 20


class TemporaryFile:
    """A new, empty file, which exists until it is closed. Others open it by `path`. Raises OSError."""

    def __init__(self) -> None:
        self._writing = threading.Lock()
        self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - `close` closes it
        self._name: Path | None = None
        self.path = Path(f"/proc/{os.getpid()}/fd/{self._file.fileno()}")
        if not _others_can_open(self.path, self._file.fileno()):
            self._file.close()
            handle, name = tempfile.mkstemp(prefix="footnote-")
            self._file = os.fdopen(handle, "r+b", buffering=0)
            self.path = self._name = Path(name)

    def write(self, data: bytes) -> None:
        """Write these bytes, also from another thread. Stops once the file is closed."""
        left = memoryview(data)
        while left:
            # If the file were closed during a write, its descriptor might already belong to another file.
            with self._writing:
                if self._file.closed:
                    return
                try:
                    left = left[self._file.write(left[:_PIECE_BYTES]) :]
                except OSError as error:  # if the disk is full, it does not name the file
                    raise OSError(error.errno, error.strerror, tempfile.gettempdir()) from error

    def read_text(self) -> str:
        """The text that other processes wrote to it."""
        return self.path.read_text(encoding="utf-8", errors="replace")

    def close(self) -> None:
        """Remove the file."""
        with self._writing:
            self._file.close()
        if self._name is not None:
            self._name.unlink(missing_ok=True)


def _others_can_open(path: Path, handle: int) -> bool:
    """Whether other processes of this user can open a file without a name by this path in `/proc`.

    Other systems have no `/proc`; in a container, it may be that of other processes; and if a program has
    capabilities, its entries belong to root.
    """
    try:
        return os.path.samestat(path.stat(), os.fstat(handle)) and path.parent.stat().st_uid == os.geteuid()
    except OSError:
        return False
