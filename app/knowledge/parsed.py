"""What parsing hands to chunking: the text of a document, and where its headings, pages and code stand in it."""

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
    the spans of code blocks, which are split at lines, not at sentences. `title` is what the document calls itself.
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
    """A document in pieces: what ingestion needs of it."""

    title: str | None
    media_type: str
    chunks: tuple[TextChunk, ...]
