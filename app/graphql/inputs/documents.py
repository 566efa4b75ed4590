"""Inputs about documents, including the filter and order of a list.

In update inputs an omitted field is `UNSET` and stays as it is; null resets it to its default.
"""

from enum import Enum

import strawberry
from strawberry.scalars import JSON

from app.answer_options.document_filter import DocumentFilter, read_metadata
from app.graphql.enums import DocumentStatus
from app.graphql.inputs.input_values import read_directly, require_metadata
from app.graphql.scalars import Upload
from app.knowledge.search.filters import OLDEST_FIRST, LibraryOrder


@strawberry.enum(description="Fields that documents can be sorted by.")
class DocumentOrderField(Enum):
    CREATED_AT = strawberry.enum_value("CREATED_AT", description="Time when the document was added.")
    UPDATED_AT = strawberry.enum_value("UPDATED_AT", description="Time of the last change.")
    TITLE = strawberry.enum_value("TITLE", description="Title.")


@strawberry.enum(description="Sort direction.")
class OrderDirection(Enum):
    ASC = strawberry.enum_value("ASC", description="Ascending: smallest or oldest first.")
    DESC = strawberry.enum_value("DESC", description="Descending: largest or newest first.")


@strawberry.input(
    name="DocumentFilter",
    description="Which documents to list or to search. A document must match all criteria that are set.",
)
class DocumentFilterInput:
    status: list[DocumentStatus] | None = strawberry.field(
        default=None, description="Only documents with one of these statuses."
    )
    title_contains: str | None = strawberry.field(
        default=None, description="Only documents whose title contains this text; case is ignored."
    )
    metadata: JSON | None = strawberry.field(
        default=None,
        description="Only documents whose metadata has each of these keys with the given value, a text, number or "
        "boolean.",
    )


@strawberry.input(description="How to sort documents.")
class DocumentOrder:
    field: DocumentOrderField = strawberry.field(description="Field to sort by.")
    direction: OrderDirection = strawberry.field(default=OrderDirection.ASC, description="Sort direction.")


@strawberry.input(description="What every new document can have.")
class _DocumentFields:
    source: str | None = strawberry.field(
        default=None,
        description="Name that identifies the document across its versions, such as a path or URL. "
        "Adding changed content with the same source creates a new version and replaces the "
        "old chunks in one step; if the content is the same, nothing changes (`unchanged`). "
        "If null, a new document is always created.",
    )
    url: str | None = strawberry.field(default=None, description="URL where readers can find the document.")
    metadata: JSON | None = strawberry.field(
        default=None, description="Arbitrary JSON object stored with the document."
    )
    idempotency_key: str | None = strawberry.field(
        default=None,
        description="Key for safe retries. Repeating a call with the same key returns the same document; "
        "reusing it for other input is a conflict. The newest 200 keys of a document are kept.",
    )


@strawberry.input(description="The project of new documents.")
class _ProjectField:
    project_id: strawberry.ID = strawberry.field(description="Id of the project.")


@strawberry.input(description="Parameters of every new document.")
class _NewDocument(_ProjectField, _DocumentFields):
    pass


@strawberry.input(description="Parameters of `uploadDocument`.")
class UploadDocumentInput(_NewDocument):
    file: Upload = strawberry.field(
        description="The file, sent as the GraphQL multipart request specification describes."
    )
    title: str | None = strawberry.field(
        default=None, description="Title of the document. If null, the title is taken from the file."
    )


@read_directly
@strawberry.input(description="Parameters of `addTextDocument`.")
class AddTextDocumentInput(_NewDocument):
    text: str = strawberry.field(
        description="Text of the document. The server limits its size (`MAX_UPLOAD_BYTES`) and that of the request "
        "(`MAX_BODY_BYTES`, 2 MB by default); use `uploadDocument` for longer texts."
    )
    title: str = strawberry.field(description="Title of the document.")
    media_type: str = strawberry.field(
        default="text/markdown", description="Media type of the text; determines how it is parsed."
    )


@read_directly
@strawberry.input(description="One of the documents of `addTextDocuments`.")
class TextDocumentInput(_DocumentFields):
    text: str = strawberry.field(description="Text of the document.")
    title: str = strawberry.field(description="Title of the document.")
    media_type: str = strawberry.field(
        default="text/markdown", description="Media type of the text; determines how it is parsed."
    )


@strawberry.input(description="Parameters of `addTextDocuments`.")
class AddTextDocumentsInput(_ProjectField):
    documents: list[TextDocumentInput] = strawberry.field(
        description="The documents, added in this order. The server limits the size of the request (`MAX_BODY_BYTES`, "
        "2 MB by default)."
    )


@strawberry.input(
    description="Parameters of `updateDocument`. Omitted fields keep their value; null resets a field to its default."
)
class UpdateDocumentInput:
    id: strawberry.ID = strawberry.field(description="Id of the document.")
    title: str | None = strawberry.field(
        default=strawberry.UNSET,
        description="Title of the document. If null, the title is taken from the file. Changing it "
        "reindexes the document, because titles are searchable.",
    )
    url: str | None = strawberry.field(default=strawberry.UNSET, description="URL where readers can find the document.")
    metadata: JSON | None = strawberry.field(
        default=strawberry.UNSET,
        description="Arbitrary JSON object stored with the document. Replaces all existing metadata.",
    )


@strawberry.input(description="Parameters of `deleteDocument`.")
class DeleteDocumentInput:
    id: strawberry.ID = strawberry.field(description="Id of the document.")
    erase_quotes: bool = strawberry.field(
        default=False,
        description="Whether to erase the document's words from stored answers, too: quotes and the text of found "
        "passages become empty. The text of the answers themselves is kept.",
    )


@strawberry.input(description="Parameters of `retryDocument`.")
class RetryDocumentInput:
    id: strawberry.ID = strawberry.field(description="Id of a document with status FAILED.")


@strawberry.input(description="Parameters of `rereadDocuments`.")
class RereadDocumentsInput:
    project_id: strawberry.ID = strawberry.field(description="Id of the project.")


def library_filter(filter: DocumentFilterInput | None) -> DocumentFilter:
    """The filter in the form that the library takes."""
    if filter is None:
        return DocumentFilter()
    metadata = None if filter.metadata is None else require_metadata(filter.metadata)
    return DocumentFilter(
        status=None if filter.status is None else frozenset(filter.status),
        title_contains=filter.title_contains,
        metadata=() if metadata is None else read_metadata(metadata),
    )


def library_order(order: DocumentOrder | None) -> LibraryOrder:
    """The order in the form that the library takes; oldest first by default."""
    if order is None:
        return OLDEST_FIRST
    return LibraryOrder(order.field.name, descending=order.direction is OrderDirection.DESC)
