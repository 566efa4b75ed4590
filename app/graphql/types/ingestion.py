"""Events of document processing."""

import strawberry

from app.database import models
from app.graphql import ids
from app.graphql.enums import DocumentStatus, IngestionStage
from app.graphql.types.documents import DocumentFailureType, DocumentType


@strawberry.interface(
    name="IngestionEvent",
    description="A document-processing event. `sequence` increases; intermediate states may be skipped.",
)
class IngestionEventType:
    sequence: int = strawberry.field(
        description="Position of the event; pass the last one you received as `after` to resume."
    )
    document_id: strawberry.ID = strawberry.field(description="Id of the document.")


@strawberry.type(name="IngestionProgressed", description="A document is being processed.")
class IngestionProgressedType(IngestionEventType):
    stage: IngestionStage = strawberry.field(description="The current stage.")
    chunks_done: int = strawberry.field(description="Number of chunks that have their vectors.")
    chunks_total: int | None = strawberry.field(description="Total number of chunks. Null until it is known.")


@strawberry.type(name="IngestionCompleted", description="A document was processed; its content can be found.")
class IngestionCompletedType(IngestionEventType):
    document: DocumentType = strawberry.field(description="The document.")


@strawberry.type(name="IngestionFailed", description="A document could not be processed.")
class IngestionFailedType(IngestionEventType):
    document: DocumentType = strawberry.field(description="The document.")
    failure: DocumentFailureType = strawberry.field(description="Why the document could not be processed.")


KINDS = (IngestionProgressedType, IngestionCompletedType, IngestionFailedType)
"""Every kind of IngestionEvent. The schema has to list them, because fields only return the interface."""


def ingestion_event(row: models.Document) -> IngestionEventType | None:
    """The event for a document's current state; None while it is queued."""
    id = ids.encode("Document", row.id)
    document = DocumentType.from_model(row)
    if document.failure is not None:
        return IngestionFailedType(sequence=row.progress, document_id=id, document=document, failure=document.failure)
    if row.status == DocumentStatus.READY:
        return IngestionCompletedType(sequence=row.progress, document_id=id, document=document)
    if row.stage is None:
        return None
    return IngestionProgressedType(
        sequence=row.progress,
        document_id=id,
        stage=row.stage,
        chunks_done=row.chunks_done,
        chunks_total=row.chunks_total,
    )


def ends_ingestion(event: IngestionEventType) -> bool:
    """Whether this is the last event until the document is added or retried."""
    return isinstance(event, IngestionCompletedType | IngestionFailedType)
