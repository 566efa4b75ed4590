"""A checked citation in; what it points to, its quotes, and what has become of its source since, out."""

from enum import Enum

import strawberry

from app import addresses
from app.graphql.context import Info
from app.graphql.types.documents import Chunk, Document, chunk_or_none
from app.rag.citations import citation_stream


@strawberry.type(description="A stretch of text, counted in Unicode code points.")
class Span:
    """See its description."""

    start_offset: int = strawberry.field(description="Where it starts.")
    end_offset: int = strawberry.field(description="Where it ends; excluded.")

    @classmethod
    def from_model(cls, span: tuple[int, int]) -> "Span":
        """Of start and end."""
        return cls(start_offset=span[0], end_offset=span[1])


@strawberry.enum(description="What has become of a cited source since the answer was given.")
class SourceStatus(Enum):
    """See its description."""

    UNCHANGED = strawberry.enum_value("UNCHANGED", description="The document stands as it was cited.")
    CHANGED = strawberry.enum_value("CHANGED", description="There is a newer version of the document.")
    DELETED = strawberry.enum_value("DELETED", description="The document is gone.")


@strawberry.type(
    description="One place where the answer cites. The quote is the passage's own words, frozen when the answer was "
    "given. Spans count Unicode code points: `markerSpan` in the answer's content, `quoteSpan` in the chunk's text."
)
class CitationUse:
    """See its description."""

    use: strawberry.Private[citation_stream.Use]
    marker_span: Span = strawberry.field(description="The marker; empty where markers are not shown.")
    quote: str = strawberry.field(description="The sentence that supports the citing sentence best.")
    quote_span: Span = strawberry.field(description="Where the quote stands in the chunk's text.")
    support: float = strawberry.field(description="How well the quote supports the citing sentence, in [0, 1].")

    @strawberry.field(description="The passage, as long as it is there.")
    async def chunk(self, info: Info) -> Chunk | None:
        """See its description."""
        return await chunk_or_none(info, self.use.chunk_id)

    @classmethod
    def from_model(cls, use: citation_stream.Use) -> "CitationUse":
        """Of a checked use."""
        return cls(
            use=use,
            marker_span=Span.from_model(use.marker),
            quote=use.quote,
            quote_span=Span.from_model(use.quote_span),
            support=use.support,
        )


@strawberry.type(
    description="A source that the answer cites. `label` in the content refers to it: `[1]`, or "
    "`[document-id:position]` in CHUNK style."
)
class Citation:
    """See its description."""

    citation: strawberry.Private[citation_stream.Citation]
    index: int = strawberry.field(description="Its number by first use, from 1.")
    label: str = strawberry.field(description="Its marker in the content; of the first use in CHUNK style.")
    document_title: str = strawberry.field(description="Title of the document when it was cited.")
    page: int | None = strawberry.field(description="Page, in documents that have pages.")
    heading: list[str] = strawberry.field(description="The headings that it stands under, outermost first.")
    url: str | None = strawberry.field(description="Where readers find the document.")
    quote: str = strawberry.field(description="Quote of the first use.")
    quote_span: Span = strawberry.field(description="Where that quote stands in the chunk's text.")
    support: float = strawberry.field(description="How well it supports the sentence that cites it, in [0, 1].")
    uses: list[CitationUse] = strawberry.field(description="Every place where the answer cites this source.")

    @strawberry.field(description="The document, as long as it is there.")
    async def document(self, info: Info) -> Document | None:
        """See its description."""
        row = await info.context.loaders.documents.load(self.citation.document_id)
        return Document.from_model(row) if row else None

    @strawberry.field(description="The passage of the first use, as long as it is there.")
    async def chunk(self, info: Info) -> Chunk | None:
        """See its description."""
        return await chunk_or_none(info, self.citation.chunk_id)

    @strawberry.field(description="What has become of the source since; quotes stay as they were.")
    async def source_status(self, info: Info) -> SourceStatus:
        """See its description."""
        document = await info.context.loaders.documents.load(self.citation.document_id)
        if document is None:
            return SourceStatus.DELETED
        chunk = await info.context.loaders.chunks.load(self.citation.chunk_id)
        current = chunk is not None and chunk.version == document.version
        return SourceStatus.UNCHANGED if current else SourceStatus.CHANGED

    @classmethod
    def from_model(cls, citation: citation_stream.Citation) -> "Citation":
        """Of a checked citation."""
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
            quote_span=Span.from_model(first.quote_span),
            support=first.support,
            uses=[CitationUse.from_model(use) for use in citation.uses],
        )
