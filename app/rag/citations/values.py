"""What checking an answer's citations takes and gives: sources, citations with their places, and events, as values."""

from dataclasses import dataclass
from typing import Literal

from app import language

MarkerStyle = Literal["NUMBERED", "CHUNK"]


@dataclass(frozen=True, slots=True)
class CitableSource:
    """A passage that was in the context, under its number in the prompt."""

    number: int
    chunk_id: int
    document_id: str
    document_title: str | None
    source_url: str | None
    page: int | None
    heading: tuple[str, ...]
    position: int
    text: str


@dataclass(frozen=True, slots=True)
class CitationPlace:
    """One place where the answer cites: the marker in the final content, and the passage's own words.

    `quote_span` counts code points of the chunk's text. `marker` is empty where markers are not kept.
    """

    marker: language.Span
    chunk_id: int
    quote: str
    quote_span: language.Span
    support: float


@dataclass(frozen=True, slots=True)
class CheckedCitation:
    """A source that the answer cites; `label` is its marker in the content, of the first use in CHUNK style."""

    index: int
    label: str
    document_id: str
    document_title: str | None
    page: int | None
    url: str | None
    chunk_id: int
    uses: tuple[CitationPlace, ...]
    heading: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckedText:
    """Text that is safe to show; its markers are final. `uses` are further uses of known citations, by their index."""

    text: str
    uses: tuple[tuple[int, CitationPlace], ...] = ()


@dataclass(frozen=True, slots=True)
class NewCitation:
    """A citation with its first use."""

    citation: CheckedCitation


@dataclass(frozen=True, slots=True)
class InventedMarker:
    """The label of a marker that was removed, `[9]`; reported only the first time."""

    label: str


CitationEvent = CheckedText | NewCitation | InventedMarker
