"""Open the compound files of old office programs (OLE): streams of bytes in folders."""

import io
from collections.abc import Callable
from typing import Protocol, cast

import olefile

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# What olefile raises for files that violate the standard.
ERRORS = (OSError, ValueError, IndexError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)


class _Stream(Protocol):
    def read(self) -> bytes: ...


class OleFile(Protocol):
    """What we use of olefile, which comes without types."""

    def exists(self, filename: str) -> bool:
        """Whether there is a stream or folder of this path, in capital or small letters."""
        ...

    def get_size(self, filename: str) -> int:
        """The size of a stream; raises TypeError for folders."""
        ...

    def openstream(self, filename: str) -> _Stream:
        """A stream, to be read."""
        ...

    def write_stream(self, stream_name: str, data: bytes) -> None:
        """Replace a stream by as many bytes."""
        ...


_open = cast(Callable[[io.BytesIO], OleFile], olefile.OleFileIO)


def open_ole(data: bytes) -> OleFile:
    """The compound file in `data`. Raises ERRORS."""
    return _open(io.BytesIO(data))


def replace_stream(data: bytes, name: str, stream: bytes) -> bytes:
    """The compound file with other bytes in a stream, as many as before. Raises ERRORS."""
    file = io.BytesIO(data)
    _open(file).write_stream(name, stream)
    return file.getvalue()
