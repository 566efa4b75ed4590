"""Find the files that `footnote ingest` reads."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from app.knowledge.parsing import formats


def find_files(paths: Sequence[Path]) -> tuple[list[tuple[Path, str]], list[Path]]:
    """The files to ingest, each with its source, and the files in folders that are skipped because of their format.

    The source identifies a file across runs: its path relative to the folder given, as Unicode. A file that is named
    explicitly is ingested whatever its format.
    """
    readable = formats.find_readable_suffixes()
    taken: list[tuple[Path, str]] = []
    skipped: list[Path] = []
    for path, root in _walk_files(paths):
        if root is None:
            taken.append((path, to_unicode(f"{path.resolve().parent.name}/{path.name}")))
        elif path.suffix.lower() in readable:
            taken.append((path, to_unicode(f"{root.resolve().name}/{path.relative_to(root).as_posix()}")))
        else:
            skipped.append(path)
    return taken, skipped


def to_unicode(name: str) -> str:
    """A file's name that can be stored and printed: bytes that are not UTF-8 become escapes.

    Not replacement characters: names that differ must stay different, or one document would replace another.
    """
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def _walk_files(paths: Sequence[Path]) -> Iterator[tuple[Path, Path | None]]:
    """Every visible file, with the folder it was found in."""
    for path in paths:
        if path.is_file():
            yield path, None
            continue
        for found in sorted(path.rglob("*")):
            hidden = any(part.startswith(".") for part in found.relative_to(path).parts)
            if found.is_file() and not hidden:
                yield found, path
