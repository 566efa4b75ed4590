"""Open the compound files (OLE) of old office programs: streams of bytes in folders."""

import io
from collections.abc import Callable
from typing import Protocol, cast

import olefile

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# The exceptions that olefile raises for files that violate the standard.
ERRORS = (OSError, ValueError, IndexError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)


class _Stream(Protocol):
    def read(self) -> bytes: ...


class OleFile(Protocol):
    """The part of olefile that we use; olefile has no types."""

    def exists(self, filename: str) -> bool:
        """Whether there is a stream or folder with this path, ignoring case."""
        ...

    def get_size(self, filename: str) -> int:
        """The size of a stream; raises TypeError for folders."""
        ...

    def openstream(self, filename: str) -> _Stream:
        """Open a stream for reading."""
        ...

    def write_stream(self, stream_name: str, data: bytes) -> None:
        """Overwrite a stream with the same number of bytes."""
        ...


_open = cast(Callable[[io.BytesIO], OleFile], olefile.OleFileIO)


def open_ole(data: bytes) -> OleFile:
    """The compound file in `data`. Raises ERRORS."""
    return _open(io.BytesIO(data))


def replace_stream(data: bytes, name: str, stream: bytes) -> bytes:
    """A copy of the compound file with one stream overwritten by the same number of bytes. Raises ERRORS."""
    file = io.BytesIO(data)
    _open(file).write_stream(name, stream)
    return file.getvalue()
