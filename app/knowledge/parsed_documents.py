"""Parsed documents: their text with the places of headings, pages and code, and their chunks."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading at `offset` (characters of the parsed text); `level` 1 is the highest."""

    offset: int
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A document as plain text. Offsets are Unicode code points of `text`.

    `page_starts[i]` is the offset where page i + 1 begins (empty when the format has no pages). `code` holds
    the spans of code blocks, which are split at lines, not at sentences. `title` is the title in the document itself.
    """

    text: str
    media_type: str
    title: str | None = None
    headings: tuple[Heading, ...] = ()
    page_starts: tuple[int, ...] = ()
    code: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class TextChunk:
    """A piece of a parsed document: `text == parsed.text[start:end]`, stripped of white space at both ends.

    `heading` is the path of headings above it, without the document's title; `page` counts from 1.
    """

    position: int
    text: str
    start: int
    end: int
    heading: tuple[str, ...]
    page: int | None
    token_count: int


@dataclass(frozen=True, slots=True)
class SplitDocument:
    """A document split into chunks, as ingestion needs it."""

    title: str | None
    media_type: str
    chunks: tuple[TextChunk, ...]
