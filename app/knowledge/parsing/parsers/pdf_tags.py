"""Find the headings of tagged PDFs, in which each part of a page has a role."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from app.knowledge.parsing.parsers import pdfium
from app.knowledge.parsing.parsers.pdf_layout import Line

_LEVELS = {"Title": 1, "H": 1, "H1": 1, "H2": 2, "H3": 3, "H4": 4, "H5": 5, "H6": 6}
_MAX_ELEMENTS = 50_000  # per page
_MOST = 0.5  # share of a document's text: if more is tagged as headings, the tags are useless


class _Tag(NamedTuple):
    """The level of a heading, and its number on the page."""

    level: int
    number: int


class _TaggedElement(NamedTuple):
    """A tagged element of a page, and the heading that contains it."""

    element: object
    tag: _Tag | None


def mark_tagged_headings(page: pdfium.PdfPage, text_page: pdfium.TextPage, lines: Sequence[Line]) -> list[Line]:
    """Set the levels of lines that are tagged as headings."""
    headings = _read_headings(page)
    if not headings:
        return list(lines)
    marked: list[Line] = []
    above: _Tag | None = None
    for line in lines:
        tag = headings.get(pdfium.read_content(text_page, line.source[0])) if line.size > 0 else None
        marked.append(replace(line, level=tag.level, continues=tag == above) if tag else line)
        above = tag
    return marked


def drop_doubtful_headings(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """Remove the headings of all pages if they make up most of the text."""
    total = sum(len(line.text) for page in pages for line in page)
    if sum(len(line.text) for page in pages for line in page if line.level) <= _MOST * total:
        return [list(page) for page in pages]
    return [[replace(line, level=0, continues=False) for line in page] for page in pages]


def _read_headings(page: pdfium.PdfPage) -> dict[int, _Tag]:
    """The headings of a page, by content number."""
    tags = pdfium.open_tags(page)
    if not tags:
        return {}
    try:
        return dict(_walk_headings(tags))
    finally:
        pdfium.close_tags(tags)


def _walk_headings(tags: object) -> Iterator[tuple[int, _Tag]]:
    waiting = [_TaggedElement(root, None) for root in pdfium.find_roots(tags)][::-1]
    seen = 0
    while waiting and seen < _MAX_ELEMENTS:
        element, around = waiting.pop()
        seen += 1
        name, children, contents = pdfium.read_element(element)
        tag = around or (_Tag(_LEVELS[name], seen) if name in _LEVELS else None)
        if tag:
            yield from ((number, tag) for number in contents)
        waiting += [_TaggedElement(child, tag) for child in children[::-1]]
