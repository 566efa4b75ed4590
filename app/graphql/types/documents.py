"""Documents and their chunks."""

from dataclasses import replace
from datetime import datetime
from typing import Annotated

import strawberry
from strawberry.scalars import JSON

from app import addresses
from app.database import models, pages
from app.graphql import ids
from app.graphql.context import Info
from app.graphql.enums import DocumentStatus
from app.graphql.types import nodes
from app.graphql.types.connections import After, Before, ConnectionType, First, Last, to_connection
from app.graphql.types.nodes import NodeType
from app.http.files import downloads
from app.knowledge.parsing import refusals
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.refusals import PERMANENT_REASONS


@strawberry.type(name="DocumentFailure", description="Why a document could not be processed.")
class DocumentFailureType:
    code: str = strawberry.field(description="Stable code of the failure, such as ENCRYPTED, EMPTY or NO_TEXT_LAYER.")
    message: str = strawberry.field(description="The reason, in one sentence.")
    retryable: bool = strawberry.field(description="Whether retrying the same file may succeed.")

    @classmethod
    def from_model(cls, row: models.Document) -> "DocumentFailureType | None":
        """Why the document failed; None if it has not."""
        if row.failure_code is None:
            return None
        retryable = row.failure_code not in PERMANENT_REASONS
        return cls(code=row.failure_code, message=row.failure_message or "", retryable=retryable)


@strawberry.type(
    name="SignedUrl",
    description="A URL that opens an original or a picture without a credential, for a few minutes, as long as the "
    "user who requested it has access.",
)
class SignedUrlType:
    href: str = strawberry.field(description="The URL, relative to the server.")
    valid_until: datetime = strawberry.field(description="When the URL expires.")

    @classmethod
    async def sign(cls, info: Info, path: str) -> "SignedUrlType":
        """Sign a path for the caller, whose user may have changed since they connected."""
        context, caller = info.context, info.context.required_caller
        user = nodes.require_row(await context.loaders.users.load(caller.user.id))
        link = await context.services.authentication.sign_link(replace(caller, user=user), path)
        return cls(href=link.url, valid_until=link.expires_at)


@strawberry.type(
    name="Document",
    description="A document in a project. Adding changed content with the same `source` creates a new version.",
)
class DocumentType(NodeType):
    row_type = models.Document

    row: strawberry.Private[models.Document]
    title: str = strawberry.field(
        description="Title given with the document, or else the one found in it, or else its file name."
    )
    source: str | None = strawberry.field(
        description="Name that identifies the document across its versions. Null if it was added without one."
    )
    url: str | None = strawberry.field(description="URL where readers can find the document. Shown in citations.")
    media_type: str = strawberry.field(description="Media type, such as `text/markdown`.")
    bytes: float = strawberry.field(description="Size of the original, in bytes.")
    sha256: str = strawberry.field(description="SHA-256 hash of the original, in hexadecimal.")
    version: int = strawberry.field(
        description="Version number, from 1. Increases when the same source is added with new content."
    )
    metadata: JSON = strawberry.field(description="Arbitrary JSON object stored with the document.")
    status: DocumentStatus = strawberry.field(description="Processing status of the newest version.")
    failure: DocumentFailureType | None = strawberry.field(
        description="Why the newest version could not be processed. Null if its status is not FAILED."
    )
    created_at: datetime = strawberry.field(description="When the first version was added.")
    updated_at: datetime = strawberry.field(description="When the document last changed.")

    @strawberry.field(
        description="Server-relative URL for downloading the original. Requires the same credential as "
        "the API. Currently never null.",
        graphql_type=str | None,
    )
    def original_url(self) -> str:
        return downloads.original_path(self.id)

    @strawberry.field(
        description="URL of the original for links, pictures and frames, which cannot send a credential. Pictures, "
        "PDFs and plain text are shown; everything else is downloaded."
    )
    async def signed_url(self, info: Info) -> SignedUrlType:
        return await SignedUrlType.sign(info, downloads.original_path(self.id))

    @strawberry.field(
        description="URL of a picture (PNG) of a page, for `<img>`, which cannot send a credential. To set the width, "
        f"append `&width=` and a number of pixels ({downloads.DEFAULT_WIDTH:,} by default, at most "
        f"{downloads.MAX_WIDTH:,}). Null unless the document is a PDF. Whether the document has this page shows only "
        "when the URL is opened."
    )
    async def page_picture_url(
        self,
        info: Info,
        page_number: Annotated[int, strawberry.argument(description="Number of the page, from 1.")] = 1,
    ) -> SignedUrlType | None:
        if self.media_type != Format.PDF.media_type or page_number < 1:
            return None
        return await SignedUrlType.sign(info, downloads.page_path(self.id, page_number))

    @strawberry.field(
        graphql_type=nodes.parent_type("ProjectType", "projects"),
        description="The project that the document belongs to.",
    )
    async def project(self, info: Info) -> NodeType:
        return nodes.required_node(await info.context.loaders.projects.load(self.row.project_id))

    @strawberry.field(
        description="The chunks, in the order of the text. While a new version is being processed, these are the "
        "chunks of the previous version."
    )
    async def chunks(
        self, info: Info, first: First = None, after: After = None, last: Last = None, before: Before = None
    ) -> ConnectionType["ChunkType"]:
        library, request = info.context.access.documents, pages.PageRequest(first, after, last, before)
        of_parent, id = info.context.loaders.load_for_parent, self.row.id
        page = await of_parent(library.list_chunks, id, request)
        return to_connection(ChunkType, page, lambda: of_parent(library.count_chunks, id))

    @classmethod
    def from_model(cls, row: models.Document) -> "DocumentType":
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
            status=row.status,
            failure=DocumentFailureType.from_model(row),
            created_at=row.created_at,
            updated_at=row.updated_at,
        )


@strawberry.type(name="ChunkLocator", description="Position of a chunk in its document.")
class ChunkLocatorType:
    page: int | None = strawberry.field(description="Page number, from 1. Null for documents without pages.")
    heading: list[str] = strawberry.field(description="Headings above the chunk, outermost first.")
    start_offset: int = strawberry.field(description="Start of the chunk, in characters of the parsed text.")
    end_offset: int = strawberry.field(description="End of the chunk, in characters of the parsed text; exclusive.")


@strawberry.type(name="Chunk", description="A piece of a document, and the unit of search.")
class ChunkType(NodeType):
    row_type = models.Chunk

    row: strawberry.Private[models.Chunk]
    position: int = strawberry.field(description="Position among the document's chunks, counted from 0.")
    text: str = strawberry.field(description="Text of the chunk.")
    locator: ChunkLocatorType = strawberry.field(description="Position in the document.")
    token_count: int = strawberry.field(description="Approximate number of tokens the chunk takes in a prompt.")

    @strawberry.field(description="The document this chunk belongs to.")
    async def document(self, info: Info) -> DocumentType:
        row = await info.context.loaders.documents.load(self.row.document_id)
        return DocumentType.from_model(nodes.require_row(row))

    @classmethod
    def from_model(cls, row: models.Chunk) -> "ChunkType":
        return cls(
            id=ids.encode("Chunk", row.id),
            row=row,
            position=row.position,
            text=row.text,
            locator=ChunkLocatorType(
                page=row.page, heading=row.heading, start_offset=row.start_offset, end_offset=row.end_offset
            ),
            token_count=row.token_count,
        )


async def chunk_or_none(info: Info, chunk_id: int) -> ChunkType | None:
    """The chunk with this id, or None if it no longer exists."""
    row = await info.context.loaders.chunks.load(chunk_id)
    return ChunkType.from_model(row) if row else None


@strawberry.type(name="DocumentFormat", description="A file format that documents can have.")
class DocumentFormatType:
    name: str = strawberry.field(description="Name of the format, for people. Related formats share a name.")
    media_type: str = strawberry.field(description="Media type of documents of this format.")
    upload_media_types: list[str] = strawberry.field(
        description="Media types that files of this format are uploaded as, for example by browsers."
    )
    extensions: list[str] = strawberry.field(
        description="File name extensions, in lower case and with their dot. The content of a file takes precedence "
        "over its extension."
    )
    needs_tesseract: bool = strawberry.field(description="Whether Tesseract must be installed to read the format.")
    available: bool = strawberry.field(description="Whether this server can read the format.")
    unavailable_reason: str | None = strawberry.field(
        description="Why this server cannot read the format. Show it before a file is uploaded. Null if the server "
        "can read it."
    )

    @classmethod
    def from_model(cls, format: Format, *, available: bool) -> "DocumentFormatType":
        """Make the type from a declared format."""
        return cls(
            name=format.label,
            media_type=format.media_type,
            upload_media_types=sorted({format.media_type, *format.declared_as}),
            extensions=sorted(format.suffixes),
            needs_tesseract=format.needs_tesseract,
            available=available,
            unavailable_reason=None if available else refusals.picture_of_text().message,
        )
