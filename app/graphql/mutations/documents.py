"""Mutations about documents."""

import dataclasses
import io
from collections.abc import Generator
from contextlib import contextmanager
from typing import Annotated, Any

import strawberry

from app import errors
from app.graphql import ids
from app.graphql.context import Info
from app.graphql.errors import error_result
from app.graphql.inputs import documents as inputs
from app.graphql.inputs import input_values
from app.graphql.limits import arguments
from app.graphql.mutations import INPUT
from app.graphql.types import nodes
from app.graphql.types.documents import DocumentType
from app.graphql.types.errors import (
    ConflictError,
    ForbiddenError,
    NotFoundError,
    RateLimitedError,
    UnavailableError,
    ValidationError,
)
from app.graphql.types.projects import ProjectType
from app.knowledge.addition_rows import Outcome
from app.knowledge.parsing import formats
from app.knowledge.uploads import NewDocument


@strawberry.type(description="The document is stored and queued. Follow `ingestionEvents` to learn when it is ready.")
class UploadDocumentPayload:
    document: DocumentType = strawberry.field(description="The document.")
    unchanged: bool = strawberry.field(
        description="Whether the document already existed with this content, so that nothing was changed."
    )


@strawberry.type(description="The document is stored and queued. Follow `ingestionEvents` to learn when it is ready.")
class AddTextDocumentPayload:
    document: DocumentType = strawberry.field(description="The document.")
    unchanged: bool = strawberry.field(
        description="Whether the document already existed with this content, so that nothing was changed."
    )


@strawberry.type(description="The result for each document. Send the refused ones again.")
class AddTextDocumentsPayload:
    results: list["TextDocumentResult"] = strawberry.field(
        description="A result for each document, in the order of the input."
    )


@strawberry.type(description="The document was updated.")
class UpdateDocumentPayload:
    document: DocumentType = strawberry.field(description="The updated document.")


@strawberry.type(description="The document was deleted. Quotes in earlier answers are kept.")
class DeleteDocumentPayload:
    deleted_document_id: strawberry.ID = strawberry.field(description="Id of the deleted document.")
    project: ProjectType = strawberry.field(description="The project that it belonged to.")


@strawberry.type(description="The document was queued again.")
class RetryDocumentPayload:
    document: DocumentType = strawberry.field(description="The document.")


@strawberry.type(description="Outdated documents were queued; `ingestionEvents` of the project reports on each.")
class RereadDocumentsPayload:
    queued_count: int = strawberry.field(
        description="Number of documents that were queued, at most 500 at once. 0 if no document is outdated."
    )
    project: ProjectType = strawberry.field(
        description="The project; `stats.outdatedDocumentCount` says how many documents are still to be queued."
    )


UploadDocumentResult = Annotated[
    UploadDocumentPayload
    | ValidationError
    | NotFoundError
    | ForbiddenError
    | ConflictError
    | RateLimitedError
    | UnavailableError,
    strawberry.union("UploadDocumentResult", description="The document, or an error."),
]
AddTextDocumentResult = Annotated[
    AddTextDocumentPayload
    | ValidationError
    | NotFoundError
    | ForbiddenError
    | ConflictError
    | RateLimitedError
    | UnavailableError,
    strawberry.union("AddTextDocumentResult", description="The document, or an error."),
]
TextDocumentResult = Annotated[
    AddTextDocumentPayload | ValidationError | ConflictError | RateLimitedError | UnavailableError,
    strawberry.union("TextDocumentResult", description="One of several documents, or the reason why it was not added."),
]
AddTextDocumentsResult = Annotated[
    AddTextDocumentsPayload | ValidationError | NotFoundError | ForbiddenError | UnavailableError,
    strawberry.union(
        "AddTextDocumentsResult", description="A result for each document, or one error about all of them."
    ),
]
UpdateDocumentResult = Annotated[
    UpdateDocumentPayload | ValidationError | NotFoundError | ForbiddenError | UnavailableError,
    strawberry.union("UpdateDocumentResult", description="The updated document, or an error."),
]
DeleteDocumentResult = Annotated[
    DeleteDocumentPayload | ValidationError | NotFoundError | ForbiddenError,
    strawberry.union("DeleteDocumentResult", description="The id of the deleted document, or an error."),
]
RetryDocumentResult = Annotated[
    RetryDocumentPayload | ValidationError | NotFoundError | ForbiddenError | ConflictError | UnavailableError,
    strawberry.union("RetryDocumentResult", description="The document, or an error."),
]
RereadDocumentsResult = Annotated[
    RereadDocumentsPayload | ValidationError | NotFoundError | ForbiddenError | UnavailableError,
    strawberry.union("RereadDocumentsResult", description="How many documents were queued, or an error."),
]


@strawberry.type
class DocumentMutations:
    """Mutations about documents."""

    @strawberry.mutation(
        description="Upload a file as a new document or as a new version of an existing one. Requires the EDITOR role."
    )
    async def upload_document(
        self, info: Info, input: Annotated[inputs.UploadDocumentInput, INPUT]
    ) -> UploadDocumentResult:
        new = _new_document(input, media_type=_choose_media_type(input), title=input.title, name=input.file.filename)
        project_id = ids.read("Project", input.project_id)
        row, unchanged = await info.context.access.documents.add_document(project_id, new, input.file.file)
        return UploadDocumentPayload(document=DocumentType.from_model(row), unchanged=unchanged)

    @strawberry.mutation(
        description="Add text as a new document or as a new version of an existing one. Requires the EDITOR role."
    )
    async def add_text_document(
        self, info: Info, input: Annotated[inputs.AddTextDocumentInput, INPUT]
    ) -> AddTextDocumentResult:
        new = _new_document(input, media_type=input.media_type, title=input.title)
        project_id, content = ids.read("Project", input.project_id), io.BytesIO(input.text.encode("utf-8", "replace"))
        with _renaming_issues("file", at="text"):
            row, unchanged = await info.context.access.documents.add_document(project_id, new, content)
        return AddTextDocumentPayload(document=DocumentType.from_model(row), unchanged=unchanged)

    @strawberry.mutation(
        description="Add several texts at once, each as a new document or as a new version of an existing one. Faster "
        "than adding them one by one. If one document is refused, the others are still added. Requires the EDITOR "
        "role."
    )
    async def add_text_documents(
        self, info: Info, input: Annotated[inputs.AddTextDocumentsInput, INPUT]
    ) -> AddTextDocumentsResult:
        read = [_read_text(document) for document in input.documents]
        outcomes: list[Outcome] = [one for one in read if isinstance(one, errors.Invalid)]
        if new_documents := [one for one in read if not isinstance(one, errors.Invalid)]:
            project_id = ids.read("Project", input.project_id)
            added = iter(await info.context.access.documents.add_documents(project_id, new_documents))
            outcomes = [one if isinstance(one, errors.Invalid) else next(added) for one in read]
        return AddTextDocumentsPayload(results=[_text_result(place, outcome) for place, outcome in enumerate(outcomes)])

    @strawberry.mutation(description="Update the title, URL or metadata of a document. Requires the EDITOR role.")
    async def update_document(
        self, info: Info, input: Annotated[inputs.UpdateDocumentInput, INPUT]
    ) -> UpdateDocumentResult:
        changes = input_values.provided_values(input, without={"id"})
        if changes.get("metadata") is not None:
            changes["metadata"] = input_values.require_metadata(changes["metadata"])
        row = await info.context.access.documents.update_document(ids.read("Document", input.id), changes)
        return UpdateDocumentPayload(document=DocumentType.from_model(row))

    @strawberry.mutation(
        description="Delete a document with all its versions, chunks and vectors. Requires the EDITOR role."
    )
    async def delete_document(
        self, info: Info, input: Annotated[inputs.DeleteDocumentInput, INPUT]
    ) -> DeleteDocumentResult:
        project_id = await info.context.access.documents.delete_document(
            ids.read("Document", input.id), erase_quotes=input.erase_quotes
        )
        project = await info.context.loaders.projects.load(project_id)
        return DeleteDocumentPayload(
            deleted_document_id=input.id, project=ProjectType.from_model(nodes.require_row(project))
        )

    @strawberry.mutation(
        description="Process a failed document again. It is queued behind the other documents of its project, and "
        "the same limits apply. Requires the EDITOR role."
    )
    async def retry_document(
        self, info: Info, input: Annotated[inputs.RetryDocumentInput, INPUT]
    ) -> RetryDocumentResult:
        row = await info.context.access.documents.retry_document(ids.read("Document", input.id))
        return RetryDocumentPayload(document=DocumentType.from_model(row))

    @strawberry.mutation(
        description="Read documents again, from their originals, if an earlier version of the parsers read them. "
        "Until a document is ready again, searches find its earlier chunks. If more than 500 documents are outdated, "
        "call this again. Requires the EDITOR role."
    )
    async def reread_documents(
        self, info: Info, input: Annotated[inputs.RereadDocumentsInput, INPUT]
    ) -> RereadDocumentsResult:
        project_id = ids.read("Project", input.project_id)
        queued = await info.context.access.documents.reread_documents(project_id)
        project = await info.context.loaders.projects.load(project_id)
        return RereadDocumentsPayload(
            queued_count=len(queued), project=ProjectType.from_model(nodes.require_row(project))
        )


def _read_text(document: inputs.TextDocumentInput) -> tuple[NewDocument, io.BytesIO] | errors.Invalid:
    """One of several texts, or why it is refused."""
    try:
        arguments.check_entry("TextDocumentInput", input_values.by_graphql_name(document))
        new = _new_document(document, media_type=document.media_type, title=document.title)
    except errors.Invalid as error:
        return error
    return new, io.BytesIO(document.text.encode("utf-8", "replace"))


def _text_result(place: int, outcome: Outcome) -> Any:
    """The result of one of several texts; issues are reported at their place in the whole input."""
    if isinstance(outcome, errors.Invalid):
        issues = [
            dataclasses.replace(issue, path=("documents", str(place), *issue.path))
            for issue in _rename_issues(outcome, "file", at="text")
        ]
        outcome = errors.Invalid(*issues)
    if isinstance(outcome, errors.NotFound):  # the project, which was deleted meanwhile: an error about all
        try:
            raise outcome
        finally:
            del outcome  # no cycle, see app/errors
    if isinstance(outcome, errors.FootnoteError):
        return error_result(outcome)
    row, unchanged = outcome
    return AddTextDocumentPayload(document=DocumentType.from_model(row), unchanged=unchanged)


def _new_document(
    added: inputs.UploadDocumentInput | inputs.AddTextDocumentInput | inputs.TextDocumentInput,
    *,
    media_type: str,
    title: str | None,
    name: str | None = None,
) -> NewDocument:
    metadata: dict[str, Any] = {} if added.metadata is None else input_values.require_metadata(added.metadata)
    return NewDocument(
        media_type=media_type,
        title=title,
        name=name,
        source=added.source,
        url=added.url,
        metadata=metadata,
        idempotency_key=added.idempotency_key,
    )


def _choose_media_type(added: inputs.UploadDocumentInput) -> str:
    """The media type the client sent, or else the one that the file name suggests."""
    named = (added.file.content_type or "").partition(";")[0].strip().lower()
    return named if named and named != formats.UNKNOWN else formats.guess_media_type(added.file.filename)


@contextmanager
def _renaming_issues(name: str, *, at: str) -> Generator[None]:
    """Report issues of the library's field `name` at the input's field `at`."""
    try:
        yield
    except errors.Invalid as error:
        raise errors.Invalid(*_rename_issues(error, name, at=at)) from error


def _rename_issues(error: errors.Invalid, name: str, *, at: str) -> list[errors.Issue]:
    paths = [((at, *issue.path[1:]) if issue.path[:1] == (name,) else issue.path) for issue in error.issues]
    return [dataclasses.replace(issue, path=path) for issue, path in zip(error.issues, paths, strict=True)]
