"""Documents: uploaded or given as text, tried again, and deleted."""

import dataclasses
import io
import mimetypes
from collections.abc import Generator
from contextlib import contextmanager
from typing import Annotated, Any

import strawberry

from app import errors
from app.graphql import ids
from app.graphql.context import Info
from app.graphql.errors import (
    ConflictError,
    ForbiddenError,
    NotFoundError,
    RateLimitedError,
    UnavailableError,
    ValidationError,
)
from app.graphql.inputs import conversion, requests
from app.graphql.types import nodes
from app.graphql.types.documents import Document
from app.graphql.types.projects import Project
from app.knowledge.uploads import NewDocument

_INPUT = strawberry.argument(description="What to do it with.")
_UNKNOWN = "application/octet-stream"


@strawberry.type(description="The document is kept and waits for its turn; `ingestionEvents` tells how it goes on.")
class UploadDocumentPayload:
    """See its description."""

    document: Document = strawberry.field(description="The document.")
    unchanged: bool = strawberry.field(description="Whether it was there with the same content: then nothing was done.")


@strawberry.type(description="The document is kept and waits for its turn; `ingestionEvents` tells how it goes on.")
class AddTextDocumentPayload:
    """See its description."""

    document: Document = strawberry.field(description="The document.")
    unchanged: bool = strawberry.field(description="Whether it was there with the same content: then nothing was done.")


@strawberry.type(description="The document was changed.")
class UpdateDocumentPayload:
    """See its description."""

    document: Document = strawberry.field(description="The document.")


@strawberry.type(description="The document was deleted. Quotes in answers stay.")
class DeleteDocumentPayload:
    """See its description."""

    deleted_document_id: strawberry.ID = strawberry.field(description="The id that it had.")
    project: Project = strawberry.field(description="The project that it belonged to.")


@strawberry.type(description="The document waits for its turn again.")
class RetryDocumentPayload:
    """See its description."""

    document: Document = strawberry.field(description="The document.")


UploadDocumentResult = Annotated[
    UploadDocumentPayload
    | ValidationError
    | NotFoundError
    | ForbiddenError
    | ConflictError
    | RateLimitedError
    | UnavailableError,
    strawberry.union("UploadDocumentResult", description="The document, or why it was not taken."),
]
AddTextDocumentResult = Annotated[
    AddTextDocumentPayload
    | ValidationError
    | NotFoundError
    | ForbiddenError
    | ConflictError
    | RateLimitedError
    | UnavailableError,
    strawberry.union("AddTextDocumentResult", description="The document, or why it was not taken."),
]
UpdateDocumentResult = Annotated[
    UpdateDocumentPayload | ValidationError | NotFoundError | ForbiddenError | UnavailableError,
    strawberry.union("UpdateDocumentResult", description="The document, or why it stays as it was."),
]
DeleteDocumentResult = Annotated[
    DeleteDocumentPayload | ValidationError | NotFoundError | ForbiddenError,
    strawberry.union("DeleteDocumentResult", description="The id of what is gone, or why it stays."),
]
RetryDocumentResult = Annotated[
    RetryDocumentPayload | ValidationError | NotFoundError | ForbiddenError | ConflictError | UnavailableError,
    strawberry.union("RetryDocumentResult", description="The document, or why it is not tried again."),
]


@strawberry.type
class DocumentMutations:
    """Mutations of documents."""

    @strawberry.mutation(description="Add a file to a project, or the next version of one.")
    async def upload_document(
        self, info: Info, input: Annotated[requests.UploadDocumentInput, _INPUT]
    ) -> UploadDocumentResult:
        """See its description."""
        try:
            new = _new(input, media_type=_media_type(input), title=input.title, name=input.file.filename)
            project_id = ids.read("Project", input.project_id)
            row, unchanged = await info.context.allowed.documents.add(project_id, new, input.file.file)
        finally:
            await input.file.close()
        return UploadDocumentPayload(document=Document.from_model(row), unchanged=unchanged)

    @strawberry.mutation(description="Add a text to a project, or the next version of one.")
    async def add_text_document(
        self, info: Info, input: Annotated[requests.AddTextDocumentInput, _INPUT]
    ) -> AddTextDocumentResult:
        """See its description."""
        new = _new(input, media_type=input.media_type, title=input.title)
        project_id, content = ids.read("Project", input.project_id), io.BytesIO(input.text.encode("utf-8", "replace"))
        with _issues_of("file", at="text"):
            row, unchanged = await info.context.allowed.documents.add(project_id, new, content)
        return AddTextDocumentPayload(document=Document.from_model(row), unchanged=unchanged)

    @strawberry.mutation(description="Change what is kept with a document.")
    async def update_document(
        self, info: Info, input: Annotated[requests.UpdateDocumentInput, _INPUT]
    ) -> UpdateDocumentResult:
        """See its description."""
        changes = conversion.values(input, without={"id"})
        if changes.get("metadata") is not None:
            changes["metadata"] = conversion.json_object("metadata", changes["metadata"])
        row = await info.context.allowed.documents.update(ids.read("Document", input.id), changes)
        return UpdateDocumentPayload(document=Document.from_model(row))

    @strawberry.mutation(description="Delete a document with its versions, chunks and vectors.")
    async def delete_document(
        self, info: Info, input: Annotated[requests.DeleteDocumentInput, _INPUT]
    ) -> DeleteDocumentResult:
        """See its description."""
        project_id = await info.context.allowed.documents.delete(ids.read("Document", input.id))
        project = await info.context.loaders.projects.load(project_id)
        return DeleteDocumentPayload(deleted_document_id=input.id, project=Project.from_model(nodes.there(project)))

    @strawberry.mutation(
        description="Try a document again that could not be read. It waits behind the others of its project, and has "
        "the same limits as before."
    )
    async def retry_document(
        self, info: Info, input: Annotated[requests.RetryDocumentInput, _INPUT]
    ) -> RetryDocumentResult:
        """See its description."""
        row = await info.context.allowed.documents.retry(ids.read("Document", input.id))
        return RetryDocumentPayload(document=Document.from_model(row))


def _new(
    added: requests.UploadDocumentInput | requests.AddTextDocumentInput,
    *,
    media_type: str,
    title: str | None,
    name: str | None = None,
) -> NewDocument:
    metadata: dict[str, Any] = {} if added.metadata is None else conversion.json_object("metadata", added.metadata)
    return NewDocument(
        media_type=media_type,
        title=title,
        name=name,
        source=added.source,
        url=added.url,
        metadata=metadata,
        idempotency_key=added.idempotency_key,
    )


def _media_type(added: requests.UploadDocumentInput) -> str:
    """As the client says; by the file's name where it does not know."""
    named = (added.file.content_type or "").partition(";")[0].strip().lower()
    if named and named != _UNKNOWN:
        return named
    return mimetypes.guess_type(added.file.filename or "")[0] or _UNKNOWN


@contextmanager
def _issues_of(name: str, *, at: str) -> Generator[None]:
    """The library takes a file where this input has another field."""
    try:
        yield
    except errors.Invalid as error:
        paths = [((at, *issue.path[1:]) if issue.path[:1] == (name,) else issue.path) for issue in error.issues]
        issues = [dataclasses.replace(issue, path=path) for issue, path in zip(error.issues, paths, strict=True)]
        raise errors.Invalid(*issues) from error
