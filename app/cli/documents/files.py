"""Find and open the files that `footnote ingest` reads."""

import errno
import hashlib
import os
import re
import socket
import stat
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from app.knowledge.parsing import formats
from app.knowledge.uploads import MAX_PLACE_BYTES

_HASHED = "sha256:"
_HEAD_BYTES = 4_096
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file to ingest.

    `name`: its path with the last folder of the path that was given, as Unicode. `full_path`: the same however the path
    was spelled.
    """

    path: Path
    name: str
    full_path: Path

    @property
    def place(self) -> str:
        """What identifies the file: machine and full path, or a checksum of a path that cannot be stored."""
        path, machine = str(self.full_path), f"{socket.gethostname()}:"
        if to_unicode(path) == path and len((machine + path).encode()) <= MAX_PLACE_BYTES:
            return machine + path
        return machine + _HASHED + hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest()


def extract_path(place: str) -> str:
    """The path of a place, or its checksum. Files at the same path of two machines count as the same.

    They are the same if a drive is shared, or if each run is in a new container.
    """
    return place.partition(":")[2]


def is_gone(place: str) -> bool:
    """Whether the file is certainly gone. Nothing is certain here about another machine's files."""
    machine, _, path = place.partition(":")
    if machine != socket.gethostname():
        return False
    try:
        Path(path).lstat()
    except (FileNotFoundError, NotADirectoryError):
        return not path.startswith(_HASHED)
    except OSError:
        return False
    return False


def find_files(paths: Sequence[Path], report: Callable[[OSError], None]) -> tuple[list[FoundFile], list[Path]]:
    """The files to ingest, each once, and what is skipped in folders: files of other formats, pipes, sockets, devices.

    Files without a suffix, such as README, are ingested if they begin as text or as a PDF. A file that is named
    explicitly is ingested whatever its format. `report` is called with the error if a folder cannot be read.
    """
    readable = formats.find_readable_suffixes()
    taken: dict[Path, FoundFile] = {}
    skipped: list[Path] = []
    for path, root in _walk_files(paths, report):
        if root is None:
            found = FoundFile(
                path, to_unicode(f"{path.resolve().parent.name}/{path.name}"), path.parent.resolve() / path.name
            )
        elif _is_readable(path, readable):
            folder, inside = root.resolve(), path.relative_to(root)
            found = FoundFile(path, to_unicode(f"{folder.name}/{inside.as_posix()}"), folder / inside)
        else:
            skipped.append(path)
            continue
        taken.setdefault(found.full_path, found)
    return list(taken.values()), skipped


def open_file(path: Path) -> BinaryIO:
    """Open a file, but nothing that could block forever. Raises OSError."""
    file = open(path, "rb", opener=_open_without_waiting)  # noqa: SIM115 - Path.open takes no opener
    try:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "It is a pipe, a socket or a device")
        os.read(file.fileno(), 1)  # raises for files of the kernel that wait for events
        file.seek(0)
    except OSError:
        file.close()
        raise
    return file


def _open_without_waiting(path: str, flags: int) -> int:
    # Systems without pipes in the file system do not have this flag.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def to_unicode(name: str) -> str:
    """A file's name that can be stored and printed: bytes that are not UTF-8 become escapes.

    Not replacement characters: names that differ must stay different, or one document would replace another.
    """
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def _walk_files(paths: Sequence[Path], report: Callable[[OSError], None]) -> Iterator[tuple[Path, Path | None]]:
    """Everything visible that is not a folder, with the folder it was found in."""
    for path in paths:
        if not os.path.isdir(path):  # noqa: PTH112 - the method of Path raises where it cannot be reached
            yield path, None
            continue
        inside: list[Path] = []
        for parent, folders, names in os.walk(path, onerror=report):
            folders[:] = [name for name in folders if not name.startswith(".")]
            inside += [Path(parent, name) for name in names if not name.startswith(".")]
        yield from ((found, path) for found in sorted(inside))


def _is_readable(path: Path, suffixes: Collection[str]) -> bool:
    """Whether a file in a folder seems to have a format that can be read."""
    if path.suffix:
        return path.suffix.lower() in suffixes and not _is_special(path)
    try:
        with open_file(path) as file:
            head = file.read(_HEAD_BYTES)
    except OSError:
        return False
    return head.startswith(b"%PDF-") or (bool(head.strip()) and not _CONTROL.search(head))


def _is_special(path: Path) -> bool:
    """Whether it is certainly not a file. For others, opening them shows why they cannot be read."""
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False
