"""Temporary files for other processes of this user; on Linux they have no name, so that no killed server leaves any."""

import os
import tempfile
import threading
from pathlib import Path

# The lock is held while so much is written.
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
        """Write these bytes, for which a thread may be used; nothing more of them once the file is closed."""
        left = memoryview(data)
        while left:
            # Were it closed within a write, its number might be that of another file by then.
            with self._writing:
                if self._file.closed:
                    return
                try:
                    left = left[self._file.write(left[:_PIECE_BYTES]) :]
                except OSError as error:  # of a full disk, it does not say which file
                    raise OSError(error.errno, error.strerror, tempfile.gettempdir()) from error

    def read_text(self) -> str:
        """What others wrote to it."""
        return self.path.read_text(encoding="utf-8", errors="replace")

    def close(self) -> None:
        """Remove the file."""
        with self._writing:
            self._file.close()
        if self._name is not None:
            self._name.unlink(missing_ok=True)


def _others_can_open(path: Path, handle: int) -> bool:
    """Whether a file without a name is found by this path, in `/proc`, by other processes of this user.

    There is none on other systems. It may be that of other processes, as in a container. Of a program with
    capabilities, it belongs to root.
    """
    try:
        return os.path.samestat(path.stat(), os.fstat(handle)) and path.parent.stat().st_uid == os.geteuid()
    except OSError:
        return False
