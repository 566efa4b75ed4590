"""Parse EPUB books: the chapters in reading order, each under its title."""

import dataclasses
import posixpath
from collections.abc import Iterator
from itertools import islice
from urllib.parse import unquote

from app.errors import DocumentError
from app.knowledge.parsed_documents import ParsedDocument
from app.knowledge.parsing import refusals
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import text as plain
from app.knowledge.parsing.parsers.office.package import PARSE_ERRORS, Element, OfficePackage
from app.knowledge.parsing.parsers.parts import PartJoiner
from app.knowledge.parsing.parsers.web import html

_OPF = "{http://www.idpf.org/2007/opf}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_CONTAINER = "{urn:oasis:names:tc:opendocument:xmlns:container}"
_NCX = "{http://www.daisy.org/z3986/2005/ncx/}"
_XHTML = "{http://www.w3.org/1999/xhtml}"
_NAVIGATION_KIND = "{http://www.idpf.org/2007/ops}type"
_ENC = "{http://www.w3.org/2001/04/xmlenc#}"
_PAGES = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml"})
_MAX_LABELS = 100_000


def parse_epub(data: bytes, limits: ParsingLimits) -> ParsedDocument:
    """Parse a book. A chapter's title comes from the table of contents, or else from its first heading."""
    try:
        package = OfficePackage(data, Format.EPUB.noun, limits.elements)
        root = _find_root(package)
        book = package.read_part(root)
        if book is None:
            raise refusals.damaged_file(Format.EPUB.noun)
        chapters = _list_chapters(book, posixpath.dirname(root))
        if len(chapters) > limits.pages:
            raise refusals.too_many("chapters", limits.pages)
        if not _read_encrypted(package).isdisjoint(chapters):
            raise refusals.encrypted_file(Format.EPUB.noun)
        title = next((found.text for found in book.iter(f"{_DC}title")), None)
        labels = _read_labels(package, book, posixpath.dirname(root))
        joiner = PartJoiner(limits)
        for path in chapters:
            _add_chapter(joiner, package.read_bytes(path), labels.get(path))
    except PARSE_ERRORS as error:
        raise refusals.damaged_file(Format.EPUB.noun) from error
    return joiner.to_document(Format.EPUB.media_type, plain.clean_title(title))


def _add_chapter(joiner: PartJoiner, page: bytes | None, label: str | None) -> None:
    try:
        chapter = html.parse_html(page or b"", None, joiner.limits, has_boilerplate=False)
    except DocumentError as error:
        if error.reason == "EMPTY":  # a cover, or a picture
            return
        raise
    first = chapter.headings[0] if chapter.headings else None
    if first is not None and (label is None or plain.clean_title(label) == plain.clean_title(first.text)):
        chapter = dataclasses.replace(
            chapter, headings=(dataclasses.replace(first, is_part=True), *chapter.headings[1:])
        )
        label = None
    joiner.add_part(chapter, label)


def _find_root(package: OfficePackage) -> str:
    container = package.read_part("META-INF/container.xml")
    roots = container.iter(f"{_CONTAINER}rootfile") if container is not None else iter(())
    found = next((root.get("full-path") for root in roots), None)
    return found or next((name for name in package.list_names() if name.lower().endswith(".opf")), "")


def _list_chapters(book: Element, folder: str) -> list[str]:
    items = {item.get("id"): item for item in book.iter(f"{_OPF}item")}
    spine = [items[found.get("idref")] for found in book.iter(f"{_OPF}itemref") if found.get("idref") in items]
    pages = [item for item in spine or items.values() if (item.get("media-type") or "") in _PAGES]
    shown = [item for item in pages if "nav" not in (item.get("properties") or "").split()]
    return list(dict.fromkeys(_resolve(folder, item.get("href") or "") for item in shown))


def _read_encrypted(package: OfficePackage) -> set[str]:
    """The names of encrypted parts, which are often only fonts."""
    encryption = package.read_part("META-INF/encryption.xml")
    found = encryption.iter(f"{_ENC}CipherReference") if encryption is not None else iter(())
    return {_resolve("", reference.get("URI") or "") for reference in found}


def _read_labels(package: OfficePackage, book: Element, folder: str) -> dict[str, str]:
    """The titles of chapters in the table of contents; a damaged one is ignored."""
    labels: dict[str, str] = {}
    for item in book.iter(f"{_OPF}item"):
        is_navigation = "nav" in (item.get("properties") or "").split()
        if not is_navigation and item.get("media-type") != "application/x-dtbncx+xml":
            continue
        path = _resolve(folder, item.get("href") or "")
        try:
            contents = package.read_part(path)
        except PARSE_ERRORS:
            continue
        if contents is not None:
            entries = _read_navigation(contents) if is_navigation else _read_ncx(contents)
            for target, text in islice(entries, _MAX_LABELS):
                if text:
                    labels.setdefault(_resolve(posixpath.dirname(path), target), text)
    return labels


def _read_ncx(contents: Element) -> Iterator[tuple[str, str]]:
    """The targets and titles in a table of contents of EPUB 2."""
    for point in contents.iter(f"{_NCX}navPoint"):
        text, target = point.find(f"{_NCX}navLabel/{_NCX}text"), point.find(f"{_NCX}content")
        if text is not None and target is not None:
            yield target.get("src") or "", text.text or ""


def _read_navigation(contents: Element) -> Iterator[tuple[str, str]]:
    """The targets and titles in a table of contents of EPUB 3."""
    for navigation in contents.iter(f"{_XHTML}nav"):
        if navigation.get(_NAVIGATION_KIND) == "toc":
            for link in navigation.iter(f"{_XHTML}a"):
                yield link.get("href") or "", " ".join("".join(link.itertext()).split())


def _resolve(folder: str, reference: str) -> str:
    return posixpath.normpath(posixpath.join(folder, unquote(reference.partition("#")[0])))
