"""Read the parts of a Word file, found by their relationships as Word finds them, whatever their names.

Only requested parts are read. Relationships that lead nowhere are ignored, as Word does: some programs write them.
Templates and files with macros differ only in their content type, and are read too.
"""

import io
import posixpath
import zipfile
from collections.abc import Iterator
from typing import Protocol, cast
from urllib.parse import unquote

from docx.oxml.parser import parse_xml

from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.parsers import archive_limits

# A "Strict Open XML Document" differs in its namespaces only.
_STRICT = (
    (
        b"http://purl.oclc.org/ooxml/wordprocessingml/main",
        b"http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    ),
)


class Element(Protocol):
    """The part of an lxml element that is used here; lxml has no types."""

    tag: object
    text: str | None

    def __iter__(self) -> "Iterator[Element]": ...
    def get(self, key: str) -> str | None:
        """An attribute."""
        ...

    def find(self, path: str) -> "Element | None":
        """The first element at `path`."""
        ...

    def findall(self, path: str) -> "list[Element]":
        """All elements at `path`."""
        ...


class WordPackage:
    """The parts of one file. Raises TOO_LARGE, ENCRYPTED or BROKEN, and what zipfile and lxml raise."""

    def __init__(self, data: bytes, elements: int) -> None:
        self._archive = zipfile.ZipFile(io.BytesIO(data))
        archive_limits.check_archive(self._archive, Format.DOCX.noun, max_elements=elements)
        self._names = {name.replace("\\", "/").lower(): name for name in self._archive.namelist()}

    def find_related_part(self, part: str, kind: str) -> str | None:
        """The name of the first existing part that `part` relates to in this way; "" is the file itself."""
        folder, name = posixpath.split(part)
        relations = self.read_part(f"{folder}/_rels/{name}.rels")
        for relation in () if relations is None else relations:
            target = unquote(relation.get("Target") or "")
            found = posixpath.normpath(posixpath.join("/", folder, target))
            is_inside = relation.get("TargetMode") != "External"
            if is_inside and (relation.get("Type") or "").endswith(f"/{kind}") and self._find_name(found):
                return found
        return None

    def read_part(self, part: str | None) -> Element | None:
        """The root element of a part, or None if there is no such part."""
        name = self._find_name(part) if part else None
        if name is None:
            return None
        data = self._archive.read(name)
        for strict, usual in _STRICT:
            data = data.replace(strict, usual)
        return cast(Element, parse_xml(data))

    def _find_name(self, part: str) -> str | None:
        """Names of parts are case-insensitive."""
        return self._names.get(part.lstrip("/").lower())
