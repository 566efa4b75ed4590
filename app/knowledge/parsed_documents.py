"""Parsed documents: their text with the places of headings, pages, code and table rows, and their chunks."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading at `offset` (characters of the parsed text); `level` 1 is the highest.

    `is_part` begins a part that people open by itself, such as a slide, a sheet or an attachment: no chunk holds text
    of two of them.
    """

    offset: int
    level: int
    text: str
    is_part: bool = False


class Place(NamedTuple):
    """Where `text[start:end]` stands in the file: `unit` and `number`, such as row 12 of a sheet."""

    start: int
    end: int
    unit: str
    number: int


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A document as plain text. Offsets are Unicode code points of `text`.

    `page_starts[i]` is the offset where page i + 1 begins (empty when the format has no pages). `line_spans` are split
    at lines, not at sentences: code, and tables, where each row is a line that repeats the headers of its cells.
    `places` are in order, and do not overlap. `title` is the title in the document itself.
    """

    text: str
    media_type: str
    title: str | None = None
    headings: tuple[Heading, ...] = ()
    page_starts: tuple[int, ...] = ()
    line_spans: tuple[tuple[int, int], ...] = ()
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class TextChunk:
    """A piece of a parsed document: `text == parsed.text[start:end]`, stripped of white space at both ends.

    `heading` is the path of headings above it, without the document's title, and then its place in the file, if that
    has a number ("row 12"); `page` counts from 1, and is that of its beginning. `page_breaks` are the offsets in `text`
    at which further pages begin.
    """

    position: int
    text: str
    start: int
    end: int
    heading: tuple[str, ...]
    page: int | None
    page_breaks: tuple[int, ...]
    token_count: int


@dataclass(frozen=True, slots=True)
class SplitDocument:
    """A document split into chunks, as ingestion needs it."""

    title: str | None
    media_type: str
    chunks: tuple[TextChunk, ...]


class QuotedText(NamedTuple):
    """Words of a document, and where they begin in its text."""

    start: int
    text: str


class Box(NamedTuple):
    """A box on a page as people see it, in points from its upper left corner."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class PageArea:
    """The boxes that words take on a page. `page` counts from 1; `width` and `height` of the page are in points."""

    page: int
    width: float
    height: float
    boxes: tuple[Box, ...]


def join_headings(title: str, headings: Iterable[str]) -> str:
    """Where a chunk stands in its document: the title, then the headings above it."""
    return " > ".join((title, *headings))


def page_suffix(page: int | None, form: str = ", {}") -> str:
    """What follows a document's title to name a page, as in “Guide, page 3”; nothing if there is no page."""
    return "" if page is None else form.format(f"page {page}")
