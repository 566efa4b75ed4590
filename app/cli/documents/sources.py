"""Choose the sources of files, so that no file replaces the document of another one."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from app.cli.documents.files import FoundFile, extract_path, is_gone, to_unicode


@dataclass(frozen=True, slots=True)
class SourcedFile:
    """A file with the source of its document.

    `known_places`: the places of the files that the document came from; None if there was no such document.
    """

    file: FoundFile
    source: str
    known_places: Set[str] | None

    @property
    def is_known(self) -> bool:
        """Whether its document came from this very file."""
        return self.known_places is not None and self.file.place in self.known_places


def choose_sources(files: Sequence[FoundFile], known: Mapping[str, Set[str]]) -> list[SourcedFile]:
    """The files in their order, each with a source of its own.

    `known` maps the sources of a project to the places of their files. A file keeps the source that it has. A new one
    gets its name, unless that is the source of another file: then as many of its folders as it takes. It follows a file
    that is gone, so that a folder can be moved, and a document whose place is not known: earlier versions of Footnote
    did not keep it.
    """
    own = {extract_path(place): source for source, places in known.items() for place in places}
    chosen: dict[FoundFile, str] = {}
    taken = set[str]()
    for file in files:
        source = own.get(extract_path(file.place))
        if source is not None and source not in taken:
            chosen[file] = source
            taken.add(source)
    for file in files:
        if file not in chosen:
            free = (each for each in _possible_sources(file) if each not in taken and _is_free(each, file, known))
            source = next(free, to_unicode(str(file.full_path)))
            chosen[file] = source
            taken.add(source)
    return [SourcedFile(file, chosen[file], known.get(chosen[file])) for file in files]


def find_gone_sources(
    folders: Sequence[Path], files: Sequence[SourcedFile], known: Mapping[str, Set[str]]
) -> list[str]:
    """The sources of documents whose files were in these folders, and are gone."""
    roots = [folder.resolve() for folder in folders]
    present = {file.source for file in files}
    return sorted(
        source
        for source, places in known.items()
        if places and source not in present and all(_is_gone_from(place, roots) for place in places)
    )


def _is_gone_from(place: str, roots: Sequence[Path]) -> bool:
    return any(Path(extract_path(place)).is_relative_to(root) for root in roots) and is_gone(place)


def _possible_sources(file: FoundFile) -> Iterator[str]:
    """The file's name, then its path from one more folder at a time."""
    yield file.name
    parts = file.full_path.parts
    for count in range(file.name.count("/") + 2, len(parts)):
        yield to_unicode("/".join(parts[-count:]))


def _is_free(source: str, file: FoundFile, known: Mapping[str, Set[str]]) -> bool:
    """Whether a file may have this source without replacing the document of another one."""
    places = known.get(source)
    if places is None:
        return True
    if not places:  # where only the name would be the same by chance, it is another file's
        return source == file.name
    return all(is_gone(place) or _is_same_file(place, file.path) for place in places)


def _is_same_file(place: str, path: Path) -> bool:
    try:
        return path.samefile(extract_path(place))
    except OSError:
        return False
