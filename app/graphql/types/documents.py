"""Rows of documents and chunks in; the texts of a project, how far they are read, and their pieces out."""

from datetime import datetime
from enum import Enum

import strawberry
from strawberry.scalars import JSON

from app import addresses
from app.database import models, pages
from app.graphql import ids, originals
from app.graphql.connections import After, Before, Connection, First, Last, connect
from app.graphql.context import Info
from app.graphql.types import nodes
from app.graphql.types.nodes import Node


@strawberry.enum(description="How far a document is on its way to being found.")
class DocumentStatus(Enum):
    """See its description."""

    QUEUED = strawberry.enum_value("QUEUED", description="Waits for its turn.")
    PROCESSING = strawberry.enum_value("PROCESSING", description="Is being read, split and indexed.")
    READY = strawberry.enum_value("READY", description="Can be found.")
    FAILED = strawberry.enum_value("FAILED", description="Could not be read; `failure` says why.")


@strawberry.type(description="Why a document could not be read.")
class DocumentFailure:
    """See its description."""

    code: str = strawberry.field(description="Stable code, such as ENCRYPTED, EMPTY or NO_TEXT_LAYER.")
    message: str = strawberry.field(description="The reason in a sentence.")


@strawberry.type(description="A source text as given. Adding the same source again makes the next version.")
class Document(Node):
    """See its description."""

    row_type = models.Document

    row: strawberry.Private[models.Document]
    title: str = strawberry.field(description="Title as given, else the one that the text carries, else its name.")
    source: str | None = strawberry.field(description="What names the document across its versions.")
    url: str | None = strawberry.field(description="Where readers find the document; citations carry it.")
    media_type: str = strawberry.field(description="Media type, such as `text/markdown`.")
    bytes: float = strawberry.field(description="Size of the original.")
    sha256: str = strawberry.field(description="SHA-256 of the original, in hex digits.")
    version: int = strawberry.field(description="Counts from 1; grows when the same source is added again.")
    metadata: JSON = strawberry.field(description="Whatever was given with the document; an object.")
    status: DocumentStatus = strawberry.field(description="How far the newest version is.")
    failure: DocumentFailure | None = strawberry.field(description="Why the newest version could not be read.")
    created_at: datetime = strawberry.field(description="When its first version was added.")
    updated_at: datetime = strawberry.field(description="When it last changed.")

    @strawberry.field(
        description="Where the original can be downloaded (same credentials): a path on this server.",
        graphql_type=str | None,
    )
    def original_url(self) -> str:
        """See its description."""
        return originals.url(self.id)

    @strawberry.field(graphql_type=nodes.above("Project", "projects"), description="The project it belongs to.")
    async def project(self, info: Info) -> Node:
        """See its description."""
        return nodes.found(await info.context.loaders.projects.load(self.row.project_id))

    @strawberry.field(
        description="Its pieces in the order of the text; while a version is processed, of the one before."
    )
    async def chunks(
        self, info: Info, first: First = None, after: After = None, last: Last = None, before: Before = None
    ) -> Connection["Chunk"]:
        """See its description."""
        library, window = info.context.allowed.documents, pages.Window(first, after, last, before)
        of_parent, id = info.context.loaders.of_parent, self.row.id
        page = await of_parent(library.chunks, id, window)
        return connect(Chunk, page, lambda: of_parent(library.count_chunks, id))

    @classmethod
    def from_model(cls, row: models.Document) -> "Document":
        """Of a document's row."""
        failed = row.failure_code is not None
        return cls(
            id=ids.encode("Document", row.id),
            row=row,
            title=row.title,
            source=row.source,
            url=addresses.link_or_none(row.url),
            media_type=row.media_type,
            bytes=row.bytes,
            sha256=row.sha256,
            version=row.version,
            metadata=JSON(row.document_metadata),
            status=DocumentStatus(row.status),
            failure=DocumentFailure(code=row.failure_code or "", message=row.failure_message or "") if failed else None,
            created_at=row.created_at,
            updated_at=row.updated_at,
        )


@strawberry.type(
    description="Where a chunk stands in its document: `page` for PDFs, `heading` path for texts with headings, "
    "offsets in characters of the parsed text."
)
class ChunkLocator:
    """See its description."""

    page: int | None = strawberry.field(description="Page, counted from 1, in documents that have pages.")
    heading: list[str] = strawberry.field(description="The headings above it, outermost first.")
    start_offset: int = strawberry.field(description="Where it starts, in characters of the parsed text.")
    end_offset: int = strawberry.field(description="Where it ends, in characters of the parsed text; excluded.")


@strawberry.type(description="A piece of a document, the unit of search.")
class Chunk(Node):
    """See its description."""

    row_type = models.Chunk

    row: strawberry.Private[models.Chunk]
    position: int = strawberry.field(description="Its place among the document's chunks, counted from 0.")
    text: str = strawberry.field(description="Its words.")
    locator: ChunkLocator = strawberry.field(description="Where it stands in the document.")
    token_count: int = strawberry.field(description="About how many tokens it takes in a prompt.")

    @strawberry.field(description="The document it is a piece of.")
    async def document(self, info: Info) -> Document:
        """See its description."""
        row = await info.context.loaders.documents.load(self.row.document_id)
        return Document.from_model(nodes.there(row))

    @classmethod
    def from_model(cls, row: models.Chunk) -> "Chunk":
        """Of a chunk's row."""
        return cls(
            id=ids.encode("Chunk", row.id),
            row=row,
            position=row.position,
            text=row.text,
            locator=ChunkLocator(
                page=row.page, heading=row.heading, start_offset=row.start_offset, end_offset=row.end_offset
            ),
            token_count=row.token_count,
        )


async def chunk_or_none(info: Info, chunk_id: int) -> Chunk | None:
    """The chunk of this id as long as it is there."""
    row = await info.context.loaders.chunks.load(chunk_id)
    return Chunk.from_model(row) if row else None
