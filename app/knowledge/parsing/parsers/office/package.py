"""Read the parts of an office file, found by their relationships, whatever their names.

Only requested parts are read. Relationships that lead nowhere, which some programs write, are ignored.
Templates and files with macros differ only in their content type, and are read, too.
"""

import io
import posixpath
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import Protocol, cast
from urllib.parse import unquote

import lxml.etree

from app.knowledge.parsing.parsers.office import archive_limits

# A "Strict Open XML Document" differs in its namespaces only.
_STRICT = tuple(
    (f"http://purl.oclc.org/ooxml/{name}".encode(), f"http://schemas.openxmlformats.org/{usual}".encode())
    for name, usual in (
        ("wordprocessingml/main", "wordprocessingml/2006/main"),
        ("presentationml/main", "presentationml/2006/main"),
        ("drawingml/main", "drawingml/2006/main"),
        ("drawingml/chart", "drawingml/2006/chart"),
        ("drawingml/diagram", "drawingml/2006/diagram"),
        ("officeDocument/relationships", "officeDocument/2006/relationships"),
    )
)


# The exceptions that zipfile and lxml (SyntaxErrors) raise for files that violate the standard.
PARSE_ERRORS = (zipfile.BadZipFile, zlib.error, SyntaxError, KeyError, ValueError, NotImplementedError, EOFError)


# Entities, which can be bombs, are not expanded; nothing outside the file is loaded.
_parse_xml = cast("Callable[[bytes, object], Element]", lxml.etree.fromstring)  # pyright: ignore[reportUnknownMemberType]
_make_parser = cast("Callable[..., object]", lxml.etree.XMLParser)  # pyright: ignore[reportUnknownMemberType]
_DC = "{http://purl.org/dc/elements/1.1/}"


class Element(Protocol):
    """The part of an lxml element that is used here; lxml has no types."""

    tag: object
    text: str | None
    tail: str | None

    def __iter__(self) -> "Iterator[Element]": ...
    def get(self, key: str) -> str | None:
        """An attribute."""
        ...

    def find(self, path: str) -> "Element | None":
        """The first element at `path`."""
        ...

    def iterancestors(self, *tags: str) -> "Iterator[Element]":
        """The ancestors with one of `tags`, nearest first."""
        ...

    def iter(self, *tags: str) -> "Iterator[Element]":
        """This element and its descendants that have one of `tags`."""
        ...

    def findall(self, path: str) -> "list[Element]":
        """All elements at `path`."""
        ...

    def itertext(self) -> Iterator[str]:
        """The texts of this element and its descendants."""
        ...


class OfficePackage:
    """The parts of one file. Raises TOO_LARGE, ENCRYPTED or BROKEN, and PARSE_ERRORS."""

    def __init__(self, data: bytes, noun: str, elements: int) -> None:
        self._archive = zipfile.ZipFile(io.BytesIO(data))
        archive_limits.check_archive(self._archive, noun, max_elements=elements)
        self._names = {name.replace("\\", "/").lower(): name for name in self._archive.namelist()}

    def find_related_part(self, part: str, kind: str) -> str | None:
        """The first existing part that `part` has a relationship of this kind to; "" is the file itself."""
        return next((found for _, found in self.find_related_parts(part, kind)), None)

    def find_related_parts(self, part: str, kind: str) -> Iterator[tuple[str, str]]:
        """The ids and names of the existing parts that `part` has relationships of this kind to."""
        folder, name = posixpath.split(part)
        relations = self.read_part(f"{folder}/_rels/{name}.rels")
        for relation in () if relations is None else relations:
            target = unquote(relation.get("Target") or "")
            found = posixpath.normpath(posixpath.join("/", folder, target))
            is_inside = relation.get("TargetMode") != "External"
            if is_inside and (relation.get("Type") or "").endswith(f"/{kind}") and self._find_name(found):
                yield relation.get("Id") or "", found

    def read_part(self, part: str | None) -> Element | None:
        """The root element of a part, or None if there is no such part."""
        name = self._find_name(part) if part else None
        if name is None:
            return None
        data = self._archive.read(name)
        for strict, usual in _STRICT:
            data = data.replace(strict, usual)
        return _parse_xml(data, _make_parser(resolve_entities=False, no_network=True, load_dtd=False))

    def read_property(self, name: str) -> str | None:
        """A property of the document, such as its title. Damaged properties are ignored."""
        try:
            properties = self.read_part(self.find_related_part("", "metadata/core-properties"))
        except PARSE_ERRORS:
            return None
        found = properties.find(f"{_DC}{name}") if properties is not None else None
        return found.text if found is not None else None

    def read_bytes(self, part: str) -> bytes | None:
        """The bytes of a part, or None if there is no such part."""
        name = self._find_name(part)
        return None if name is None else self._archive.read(name)

    def list_names(self) -> list[str]:
        """The names of all parts."""
        return list(self._names.values())

    def _find_name(self, part: str) -> str | None:
        """The actual name of a part: part names are case-insensitive."""
        return self._names.get(part.lstrip("/").lower())
