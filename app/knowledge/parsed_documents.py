"""Parsed documents: their text with the places of headings, pages, code and table rows, and their chunks."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading at `offset` (characters of the parsed text); `level` 1 is the highest.

    `is_part`: it begins a separate part, such as a slide, a sheet or an attachment; a chunk never spans two parts.
    """

    offset: int
    level: int
    text: str
    is_part: bool = False


class Place(NamedTuple):
    """The place of `text[start:end]` in the file: `unit` and `number`, such as row 12 of a sheet."""

    start: int
    end: int
    unit: str
    number: int


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A document as plain text. Offsets are Unicode code points of `text`.

    `page_starts[i]` is the offset where page i + 1 begins (empty if the format has no pages). `line_spans` are split
    into lines, not sentences: code, and tables, in which each row is a line that repeats the headers of its cells.
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

    `heading` is the path of headings above it, without the document's title, followed by its place in the file, if that
    has a number ("row 12"). `page` is the page where it begins, from 1. `page_breaks` are the offsets in `text` where
    further pages begin.
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
    """A quote from a document, and its offset in the document's text."""

    start: int
    text: str


class Box(NamedTuple):
    """A box on a page as displayed, in points from the upper left corner."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class PageArea:
    """The boxes around a quote on a page. `page` counts from 1; `width` and `height` are the page's, in points."""

    page: int
    width: float
    height: float
    boxes: tuple[Box, ...]


def join_headings(title: str, headings: Iterable[str]) -> str:
    """A chunk's heading path as models read it: the title, then the headings above the chunk."""
    return " > ".join((title, *headings))


def name_place(title: str, headings: Iterable[str]) -> str:
    """A place in a document as people read it: the title, then the headings above it."""
    return " \u203a ".join((title, *headings))


def page_suffix(page: int | None, form: str = ", {}") -> str:
    """The suffix that names a page after a document's title, as in “Guide, page 3”; empty without a page."""
    return "" if page is None else form.format(f"page {page}")
