"""Inputs and outputs of citation checking."""

from bisect import bisect_right
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal

from app import language
from app.rag.citations import table_rows

MarkerStyle = Literal["NUMBERED", "CHUNK"]
MarkerPlacer = Literal["MODEL", "SERVER"]


@dataclass(frozen=True, slots=True)
class CitableSource:
    """A passage of the prompt, with its number there.

    It begins on `page`; the following ones begin at `page_breaks` in `text`.
    """

    number: int
    chunk_id: int
    document_id: str
    document_title: str | None
    source_url: str | None
    page: int | None
    heading: tuple[str, ...]
    position: int
    text: str
    page_breaks: tuple[int, ...] = ()

    def find_row(self, quote: language.Span) -> str | None:
        """The row of a table that a quote comes from, such as "row 14"; None if it is not known."""
        return table_rows.find_row(self.text, self.heading[-1], quote) if self.heading else None

    def find_page(self, offset: int) -> int | None:
        """The page of this offset in the text; None for documents without pages."""
        return None if self.page is None else self.page + bisect_right(self.page_breaks, offset)

    @property
    def described(self) -> str:
        """The title of the document with the headings above the passage."""
        return " ".join((self.document_title or "", *self.heading))

    @property
    def citation_key(self) -> Hashable:
        """Sources with the same key are one citation. Without pages, a long document has one citation per heading.

        The page is that on which the passage begins: the label is written before the quote and its page are known.
        """
        return self.document_id, self.document_title, self.heading if self.page is None else self.page


@dataclass(frozen=True, slots=True)
class CitationUse:
    """One use of a citation: the span of its marker in the final content, and the sentence it quotes.

    `quote_span` is in code points of the chunk's text, and `page` that on which it begins; None for documents without
    pages, and in answers of earlier versions. `row` is the quote's own in a table, such as "row 14", if the passage has
    several. `marker` is an empty span if markers are not kept. `placed_by` SERVER: the model wrote the sentence without
    a marker.
    """

    marker: language.Span
    chunk_id: int
    quote: str
    quote_span: language.Span
    support: float
    placed_by: MarkerPlacer = "MODEL"
    page: int | None = None
    row: str | None = None


@dataclass(frozen=True, slots=True)
class CheckedCitation:
    """A source that the answer cites. `page` is that of its first use, and so is a row of a table in `heading`.

    `label` is its marker in the content; in CHUNK style, that of the first use.
    """

    index: int
    label: str
    document_id: str
    document_title: str | None
    page: int | None
    url: str | None
    chunk_id: int
    uses: tuple[CitationUse, ...]
    heading: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckedText:
    """The next piece of text, with final markers. `uses` are further uses of known citations, each with its index."""

    text: str
    uses: tuple[tuple[int, CitationUse], ...] = ()


@dataclass(frozen=True, slots=True)
class NewCitation:
    """A citation with its first use."""

    citation: CheckedCitation


@dataclass(frozen=True, slots=True)
class UnknownMarker:
    """The label of a marker that was removed, `[9]`; reported only the first time."""

    label: str


CitationEvent = CheckedText | NewCitation | UnknownMarker
