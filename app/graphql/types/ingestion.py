"""A document's row in; what its processing has just come to out."""

from enum import Enum

import strawberry

from app.database import models
from app.graphql import ids
from app.graphql.types.documents import Document, DocumentFailure


@strawberry.enum(description="Stage of processing a document.")
class IngestionStage(Enum):
    PARSING = strawberry.enum_value("PARSING", description="Extracting the text.")
    CHUNKING = strawberry.enum_value("CHUNKING", description="Splitting the text into chunks.")
    EMBEDDING = strawberry.enum_value("EMBEDDING", description="Computing the vectors of the chunks.")
    INDEXING = strawberry.enum_value("INDEXING", description="Storing all chunks at once.")


@strawberry.interface(
    description="An event of the processing of a document. `sequence` increases; intermediate states may be skipped."
)
class IngestionEvent:
    sequence: int = strawberry.field(
        description="Position of the event; pass the last one you have seen as `after` to resume."
    )
    document_id: strawberry.ID = strawberry.field(description="Id of the document.")


@strawberry.type(description="A document is being processed.")
class IngestionProgressed(IngestionEvent):
    stage: IngestionStage = strawberry.field(description="The current stage.")
    chunks_done: int = strawberry.field(description="Number of chunks that have their vectors.")
    chunks_total: int | None = strawberry.field(description="Total number of chunks. Null until it is known.")


@strawberry.type(description="A document was processed; its content can be found.")
class IngestionCompleted(IngestionEvent):
    document: Document = strawberry.field(description="The document.")


@strawberry.type(description="A document could not be processed.")
class IngestionFailed(IngestionEvent):
    document: Document = strawberry.field(description="The document.")
    failure: DocumentFailure = strawberry.field(description="Why the document could not be processed.")


KINDS = (IngestionProgressed, IngestionCompleted, IngestionFailed)
"""Every kind of IngestionEvent: nothing but the interface leads to them."""


def of(row: models.Document) -> IngestionEvent | None:
    """The event that the row's state tells; None while it waits for its turn."""
    id = ids.encode("Document", row.id)
    document = Document.from_model(row)
    if document.failure is not None:
        return IngestionFailed(sequence=row.progress, document_id=id, document=document, failure=document.failure)
    if row.status == "READY":
        return IngestionCompleted(sequence=row.progress, document_id=id, document=document)
    if row.stage is None:
        return None
    return IngestionProgressed(
        sequence=row.progress,
        document_id=id,
        stage=IngestionStage(row.stage),
        chunks_done=row.chunks_done,
        chunks_total=row.chunks_total,
    )


def is_last(event: IngestionEvent) -> bool:
    """Whether nothing follows before the document is added or tried again."""
    return isinstance(event, IngestionCompleted | IngestionFailed)
