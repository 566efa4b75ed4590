"""Citations: the sources of an answer, with quotes and their current status."""

from enum import Enum

import strawberry

from app import addresses
from app.graphql.context import Info
from app.graphql.types.documents import ChunkType, DocumentType, chunk_or_none
from app.knowledge.parsed_documents import PageArea
from app.knowledge.parsing.pdf_pages import ChunkSpan
from app.rag.citations.citation_types import CheckedCitation, CitationUse


@strawberry.type(name="Span", description="A range of text, in Unicode code points.")
class SpanType:
    start_offset: int = strawberry.field(description="Start of the range, counted from 0.")
    end_offset: int = strawberry.field(description="End of the range, exclusive.")

    @classmethod
    def from_model(cls, span: tuple[int, int]) -> "SpanType":
        """Make the type from start and end."""
        return cls(start_offset=span[0], end_offset=span[1])


@strawberry.enum(name="SourceStatus", description="Whether a cited source has changed since the answer was generated.")
class SourceStatusType(Enum):
    UNCHANGED = strawberry.enum_value(
        "UNCHANGED", description="The cited version of the document is still the current one."
    )
    CHANGED = strawberry.enum_value("CHANGED", description="The document has a newer version.")
    DELETED = strawberry.enum_value("DELETED", description="The document was deleted.")


@strawberry.enum(name="MarkerPlacer", description="Who found that a source supports a sentence of the answer.")
class MarkerPlacerType(Enum):
    MODEL = strawberry.enum_value("MODEL", description="The model cited the source.")
    SERVER = strawberry.enum_value(
        "SERVER",
        description="The model cited nothing here; the server found that the source supports the sentence. GROUNDED "
        "mode only.",
    )


@strawberry.type(
    name="Box",
    description="A box on a page as it is shown, after cropping and rotation, in points (1/72 inch) from the page's "
    "upper left corner.",
)
class BoxType:
    left: float = strawberry.field(description="Distance of the left edge from the left edge of the page.")
    top: float = strawberry.field(description="Distance of the upper edge from the upper edge of the page.")
    right: float = strawberry.field(description="Distance of the right edge from the left edge of the page.")
    bottom: float = strawberry.field(description="Distance of the lower edge from the upper edge of the page.")


@strawberry.type(
    name="PageRectangles",
    description="Position of words on a page. Divide by the page's size to mark them in a view of any size.",
)
class PageRectanglesType:
    page_number: int = strawberry.field(description="Number of the page, from 1.")
    width: float = strawberry.field(description="Width of the page, in points.")
    height: float = strawberry.field(description="Height of the page, in points.")
    boxes: list[BoxType] = strawberry.field(description="The boxes around the words, about one per line.")

    @classmethod
    def from_model(cls, area: PageArea) -> "PageRectanglesType":
        """Make the type from the area on one page."""
        boxes = [BoxType(left=box.left, top=box.top, right=box.right, bottom=box.bottom) for box in area.boxes]
        return cls(page_number=area.page, width=area.width, height=area.height, boxes=boxes)


@strawberry.type(
    name="CitationUse",
    description="A place where the answer cites a source. The quote is a verbatim copy of the passage's words, made "
    "when the answer was generated.",
)
class CitationUseType:
    use: strawberry.Private[CitationUse]
    marker_span: SpanType = strawberry.field(
        description="Position of the marker in the answer's content. An empty span if markers are hidden."
    )
    quote: str = strawberry.field(description="The sentence of the passage that best supports the citing sentence.")
    quote_span: SpanType = strawberry.field(description="Position of the quote in the chunk's text.")
    page: int | None = strawberry.field(
        description="Page on which the quote begins, from 1. Null for documents without pages, and in answers that an "
        "earlier version of Footnote generated."
    )
    row: str | None = strawberry.field(
        description="The quote's row in a sheet, such as `row 14`. Null for other formats, if the passage has only "
        "one row, and in answers that an earlier version of Footnote generated."
    )
    support: float = strawberry.field(description="How well the quote supports the citing sentence, between 0 and 1.")
    placed_by: MarkerPlacerType = strawberry.field(description="Who placed the marker.")

    @strawberry.field(description="The cited chunk. Null if it no longer exists.")
    async def chunk(self, info: Info) -> ChunkType | None:
        return await chunk_or_none(info, self.use.chunk_id)

    @strawberry.field(
        description="Position of the quote in a PDF, by page. It is looked up in the original, which takes a moment "
        "the first time. Empty for other formats, for scanned pages, if the source has changed, and whenever the "
        "position is not certain."
    )
    async def rectangles(self, info: Info) -> list[PageRectanglesType]:
        span = ChunkSpan(self.use.chunk_id, *self.use.quote_span)
        return [PageRectanglesType.from_model(area) for area in await info.context.loaders.quote_areas.load(span)]

    @classmethod
    def from_model(cls, use: CitationUse) -> "CitationUseType":
        return cls(
            use=use,
            marker_span=SpanType.from_model(use.marker),
            quote=use.quote,
            quote_span=SpanType.from_model(use.quote_span),
            page=use.page,
            row=use.row,
            support=use.support,
            placed_by=MarkerPlacerType(use.placed_by),
        )


@strawberry.type(
    name="Citation",
    description="A source that the answer cites. In the content, its `label` refers to it: `[1]`, or "
    "`[document-id:position]` in CHUNK style.",
)
class CitationType:
    citation: strawberry.Private[CheckedCitation]
    index: int = strawberry.field(description="Number of the source, from 1, in order of first use.")
    label: str = strawberry.field(
        description="Marker of the source in the content. In CHUNK style, the marker of its first use."
    )
    document_title: str = strawberry.field(description="Title of the document when it was cited.")
    page: int | None = strawberry.field(
        description="Page on which the quote of the first use begins, from 1. Null for documents without pages."
    )
    heading: list[str] = strawberry.field(
        description="Headings above the passage, outermost first. In a sheet, they are followed by the row that the "
        "first use quotes."
    )
    url: str | None = strawberry.field(description="URL where readers can find the document.")
    quote: str = strawberry.field(description="Quote of the first use.")
    quote_span: SpanType = strawberry.field(description="Position of that quote in the chunk's text.")
    support: float = strawberry.field(description="How well that quote supports the citing sentence, between 0 and 1.")
    uses: list[CitationUseType] = strawberry.field(
        description="All places where the answer cites this source. If an answer has more than about a thousand, only "
        "the first ones."
    )

    @strawberry.field(description="The cited document. Null if it no longer exists.")
    async def document(self, info: Info) -> DocumentType | None:
        row = await info.context.loaders.documents.load(self.citation.document_id)
        return DocumentType.from_model(row) if row else None

    @strawberry.field(description="The chunk of the first use. Null if it no longer exists.")
    async def chunk(self, info: Info) -> ChunkType | None:
        return await chunk_or_none(info, self.citation.chunk_id)

    @strawberry.field(description="Whether the source has changed since the answer. Quotes are kept as they were.")
    async def source_status(self, info: Info) -> SourceStatusType:
        document = await info.context.loaders.documents.load(self.citation.document_id)
        if document is None:
            return SourceStatusType.DELETED
        chunk = await info.context.loaders.chunks.load(self.citation.chunk_id)
        current = chunk is not None and chunk.version == document.version
        return SourceStatusType.UNCHANGED if current else SourceStatusType.CHANGED

    @classmethod
    def from_model(cls, citation: CheckedCitation) -> "CitationType":
        first = citation.uses[0]
        return cls(
            citation=citation,
            index=citation.index,
            label=citation.label,
            document_title=citation.document_title or "Unknown source",
            page=citation.page,
            heading=list(citation.heading),
            url=addresses.link_or_none(citation.url),
            quote=first.quote,
            quote_span=SpanType.from_model(first.quote_span),
            support=first.support,
            uses=[CitationUseType.from_model(use) for use in citation.uses],
        )
