"""Inputs about documents: filter and order of a list, and those of the mutations.

In update inputs an omitted field is `UNSET` and stays as it is; null resets it to its default.
"""

from dataclasses import dataclass
from enum import Enum

import strawberry
from strawberry.scalars import JSON

from app.graphql.inputs.input_values import require_json_object
from app.graphql.scalars import Upload
from app.graphql.types.documents import DocumentStatusType
from app.knowledge.search.filters import DocumentCriteria


@strawberry.enum(description="Fields that documents can be ordered by.")
class DocumentOrderField(Enum):
    CREATED_AT = strawberry.enum_value("CREATED_AT", description="Time when the document was added.")
    UPDATED_AT = strawberry.enum_value("UPDATED_AT", description="Time of the last change.")
    TITLE = strawberry.enum_value("TITLE", description="Title.")


@strawberry.enum(description="Direction of an order.")
class OrderDirection(Enum):
    ASC = strawberry.enum_value("ASC", description="Ascending: smallest or oldest first.")
    DESC = strawberry.enum_value("DESC", description="Descending: largest or newest first.")


@strawberry.input(description="Filters for a list of documents. A document must match all of them.")
class DocumentFilter:
    status: list[DocumentStatusType] | None = strawberry.field(
        default=None, description="Only documents with one of these statuses."
    )
    title_contains: str | None = strawberry.field(
        default=None, description="Only documents whose title contains this text."
    )
    metadata: JSON | None = strawberry.field(
        default=None, description="Only documents whose metadata has each of these keys with the given value."
    )


@strawberry.input(description="Order of a list of documents.")
class DocumentOrder:
    field: DocumentOrderField = strawberry.field(description="Field to order by.")
    direction: OrderDirection = strawberry.field(default=OrderDirection.ASC, description="Direction of the order.")


@strawberry.input(description="Parameters of every new document.")
class _NewDocument:
    project_id: strawberry.ID = strawberry.field(description="Id of the project.")
    source: str | None = strawberry.field(
        default=None,
        description="Name that identifies the document across its versions, such as a path or URL. Adding the same "
        "source again creates the next version and replaces the old chunks at once; if the content is "
        "the same, nothing changes (`unchanged`). Null always creates a new document.",
    )
    url: str | None = strawberry.field(default=None, description="Web address where readers find the document.")
    metadata: JSON | None = strawberry.field(default=None, description="JSON object with any data of yours.")
    idempotency_key: str | None = strawberry.field(
        default=None,
        description="Key that makes retries safe: a second call with the same key returns the document of the first.",
    )


@strawberry.input(description="Parameters of `uploadDocument`.")
class UploadDocumentInput(_NewDocument):
    file: Upload = strawberry.field(
        description="The file, sent as the GraphQL multipart request specification describes."
    )
    title: str | None = strawberry.field(
        default=None, description="Title of the document. If omitted, it is read from the file."
    )


@strawberry.input(description="Parameters of `addTextDocument`.")
class AddTextDocumentInput(_NewDocument):
    text: str = strawberry.field(description="Text of the document.")
    title: str = strawberry.field(description="Title of the document.")
    media_type: str = strawberry.field(
        default="text/markdown", description="Media type that tells how to read the text."
    )


@strawberry.input(
    description="Parameters of `updateDocument`. Omitted fields keep their value; null resets a field to its default."
)
class UpdateDocumentInput:
    id: strawberry.ID = strawberry.field(description="Id of the document.")
    title: str | None = strawberry.field(
        default=strawberry.UNSET,
        description="Title of the document. Null takes it from the file. Titles are searched too, so the document is "
        "indexed again.",
    )
    url: str | None = strawberry.field(
        default=strawberry.UNSET, description="Web address where readers find the document."
    )
    metadata: JSON | None = strawberry.field(
        default=strawberry.UNSET, description="JSON object with any data of yours. Replaces all existing metadata."
    )


@strawberry.input(description="Parameters of `deleteDocument`.")
class DeleteDocumentInput:
    id: strawberry.ID = strawberry.field(description="Id of the document.")


@strawberry.input(description="Parameters of `retryDocument`.")
class RetryDocumentInput:
    id: strawberry.ID = strawberry.field(description="Id of a document with status FAILED.")


@dataclass(frozen=True, slots=True)
class LibraryOrder:
    """The order of a list of documents, as the library takes it."""

    field: str
    descending: bool


def library_filter(filter: DocumentFilter | None) -> DocumentCriteria:
    """The filter as the library takes it."""
    if filter is None:
        return DocumentCriteria()
    return DocumentCriteria(
        status=None if filter.status is None else [status.name for status in filter.status],
        title_contains=filter.title_contains,
        metadata=None if filter.metadata is None else require_json_object("metadata", filter.metadata),
    )


def library_order(order: DocumentOrder | None) -> LibraryOrder:
    """The order as the library takes it; oldest first by default."""
    if order is None:
        return LibraryOrder("CREATED_AT", descending=False)
    return LibraryOrder(order.field.name, descending=order.direction is OrderDirection.DESC)
