"""Find and open the files that `footnote ingest` reads."""

import errno
import hashlib
import os
import re
import socket
import stat
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import BinaryIO

from app.knowledge import secret_files
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


class SkipReason(Enum):
    """Why a file is skipped, as the user reads it."""

    FORMAT = "not a format Footnote reads"
    NO_FILE = "not a file"
    PICTURE = "needs Tesseract"
    SECRETS = "may hold secrets"


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file that is not ingested. `is_named`: by the user, not found in a folder."""

    path: Path
    reason: SkipReason
    is_named: bool


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


def find_files(paths: Sequence[Path], report: Callable[[OSError], None]) -> tuple[list[FoundFile], list[SkippedFile]]:
    """The files to ingest, each once, and those that are skipped.

    In folders, files of other formats are skipped, and those that may hold secrets; files without a suffix, such as
    README, are ingested if they begin as text or as a PDF. A file that is named explicitly is only skipped if it is a
    picture and its text cannot be recognized here. `report` is called with the error if a folder cannot be read.
    """
    readable = formats.find_readable_suffixes()
    taken: dict[Path, FoundFile] = {}
    skipped: dict[Path, SkippedFile] = {}
    for path, root in _walk_files(paths, report):
        if (reason := _find_skip_reason(path, readable, is_named=root is None)) is not None:
            found_before = skipped.get(path.absolute())
            is_named = root is None or (found_before is not None and found_before.is_named)
            skipped[path.absolute()] = SkippedFile(path, reason, is_named=is_named)
            continue
        if root is None:
            found = FoundFile(
                path, to_unicode(f"{path.resolve().parent.name}/{path.name}"), path.parent.resolve() / path.name
            )
        else:
            folder, inside = root.resolve(), path.relative_to(root)
            found = FoundFile(path, to_unicode(f"{folder.name}/{inside.as_posix()}"), folder / inside)
        taken.setdefault(found.full_path, found)
    return list(taken.values()), list(skipped.values())


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


def _find_skip_reason(path: Path, suffixes: Collection[str], *, is_named: bool) -> SkipReason | None:
    """Why to skip a file; None to ingest it, or to show why it cannot be opened."""
    if formats.lacks_tesseract(path.name):
        return SkipReason.PICTURE
    if is_named:
        return None
    if _is_special(path):
        return SkipReason.NO_FILE
    if secret_files.is_secret_name(path.name):
        return SkipReason.SECRETS
    if path.suffix and path.suffix.lower() not in suffixes:
        return SkipReason.FORMAT
    head = _read_head(path)
    if head is not None and secret_files.begins_as_key(head):
        return SkipReason.SECRETS
    is_readable = path.suffix or (head is not None and _begins_as_text(head))
    return None if is_readable else SkipReason.FORMAT


def _read_head(path: Path) -> bytes | None:
    """The first bytes of a file; None if it cannot be read."""
    try:
        with open_file(path) as file:
            return file.read(_HEAD_BYTES)
    except OSError:
        return None


def _begins_as_text(head: bytes) -> bool:
    """Whether a file without a suffix begins as text or as a PDF."""
    return head.startswith(b"%PDF-") or (bool(head.strip()) and not _CONTROL.search(head))


def _is_special(path: Path) -> bool:
    """Whether it is certainly not a file. For others, opening them shows why they cannot be read."""
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False
