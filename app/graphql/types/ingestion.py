"""A document's row in; what its processing has just come to out."""

from enum import Enum

import strawberry

from app.database import models
from app.graphql import ids
from app.graphql.types.documents import Document, DocumentFailure


@strawberry.enum(description="What is being done with a document.")
class IngestionStage(Enum):
    """See its description."""

    PARSING = strawberry.enum_value("PARSING", description="Its text is being read.")
    CHUNKING = strawberry.enum_value("CHUNKING", description="Its text is being split.")
    EMBEDDING = strawberry.enum_value("EMBEDDING", description="Vectors of its chunks are being made.")
    INDEXING = strawberry.enum_value("INDEXING", description="Its chunks are being stored, all at once.")


@strawberry.interface(
    description="One entry of a document's processing log. `sequence` grows; entries between two looks are left out."
)
class IngestionEvent:
    """See its description."""

    sequence: int = strawberry.field(description="Its place in the log; pass the last one seen as `after` to resume.")
    document_id: strawberry.ID = strawberry.field(description="The document that it tells of.")


@strawberry.type(description="A document is being processed.")
class IngestionProgressed(IngestionEvent):
    """See its description."""

    stage: IngestionStage = strawberry.field(description="What is being done.")
    chunks_done: int = strawberry.field(description="Chunks that have their vector.")
    chunks_total: int | None = strawberry.field(description="Chunks in all, once they are known.")


@strawberry.type(description="A document can be found.")
class IngestionCompleted(IngestionEvent):
    """See its description."""

    document: Document = strawberry.field(description="The document.")


@strawberry.type(description="A document could not be read.")
class IngestionFailed(IngestionEvent):
    """See its description."""

    document: Document = strawberry.field(description="The document.")
    failure: DocumentFailure = strawberry.field(description="Why.")


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
