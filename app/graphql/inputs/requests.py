"""What clients send to queries and mutations.

In update inputs what is left out stays, and null resets to the default: a field that was left out is `UNSET`.
"""

from enum import Enum

import strawberry
from strawberry.scalars import JSON

from app.graphql.inputs.answers import AnswerDefaultsInput, AnswerOptionsInput
from app.graphql.scalars import Upload
from app.graphql.types.documents import DocumentStatus
from app.graphql.types.settings import SearchMode


@strawberry.enum(description="What documents are ordered by.")
class DocumentOrderField(Enum):
    """See its description."""

    CREATED_AT = strawberry.enum_value("CREATED_AT", description="When they were added.")
    UPDATED_AT = strawberry.enum_value("UPDATED_AT", description="When they last changed.")
    TITLE = strawberry.enum_value("TITLE", description="Their title.")


@strawberry.enum(description="Which way a list runs.")
class OrderDirection(Enum):
    """See its description."""

    ASC = strawberry.enum_value("ASC", description="Smallest or oldest first.")
    DESC = strawberry.enum_value("DESC", description="Largest or newest first.")


@strawberry.input(description="Which documents of a project.")
class DocumentFilter:
    """See its description."""

    status: list[DocumentStatus] | None = strawberry.field(default=None, description="Only those with one of these.")
    title_contains: str | None = strawberry.field(default=None, description="Only those with this in their title.")
    metadata: JSON | None = strawberry.field(
        default=None, description="Only those whose metadata has every given key with the given value."
    )


@strawberry.input(description="In which order documents are listed.")
class DocumentOrder:
    """See its description."""

    field: DocumentOrderField = strawberry.field(description="What they are ordered by.")
    direction: OrderDirection = strawberry.field(default=OrderDirection.ASC, description="Which way.")


@strawberry.input(description="What to search a project's documents for.")
class SearchInput:
    """See its description."""

    project_id: strawberry.ID = strawberry.field(description="The project.")
    query: str = strawberry.field(description="A question or words.")
    mode: SearchMode = strawberry.field(default=SearchMode.HYBRID, description="What to look at.")
    document_ids: list[strawberry.ID] | None = strawberry.field(default=None, description="Only these documents.")
    metadata: JSON | None = strawberry.field(
        default=None, description="Only documents whose metadata has every given key with the given value."
    )
    threshold: float | None = strawberry.field(default=None, description="Least `score`; all are given without one.")
    rerank: bool | None = strawberry.field(
        default=None, description="Whether a reranker orders the results; if not said, it does where there is one."
    )


@strawberry.input(description="A new project.")
class CreateProjectInput:
    """See its description."""

    name: str = strawberry.field(description="Its name; no two projects have the same.")
    description: str | None = strawberry.field(default=None, description="What it is about.")
    local_providers_only: bool | None = strawberry.field(
        default=None, description="Whether only models on this machine may see its documents and questions."
    )


@strawberry.input(description="Changes of a project. What is left out stays, null resets to the default.")
class UpdateProjectInput:
    """See its description."""

    id: strawberry.ID = strawberry.field(description="The project.")
    name: str | None = strawberry.field(default=strawberry.UNSET, description="Its name.")
    description: str | None = strawberry.field(default=strawberry.UNSET, description="What it is about.")
    local_providers_only: bool | None = strawberry.field(
        default=strawberry.UNSET, description="Whether only models on this machine may see what is in it."
    )
    no_sources_text: str | None = strawberry.field(
        default=strawberry.UNSET, description="The answer when nothing relevant is found (GROUNDED)."
    )
    rejected_text: str | None = strawberry.field(
        default=strawberry.UNSET, description="The answer in place of one that cites nothing (GROUNDED)."
    )
    answer_defaults: AnswerDefaultsInput | None = strawberry.field(
        default=strawberry.UNSET,
        description="How answers are given where a chat session does not say; null resets all of it.",
    )


@strawberry.input(description="Which project to delete, with everything in it.")
class DeleteProjectInput:
    """See its description."""

    id: strawberry.ID = strawberry.field(description="The project.")


@strawberry.input(description="What comes with every new document.")
class _NewDocument:
    project_id: strawberry.ID = strawberry.field(description="The project.")
    source: str | None = strawberry.field(
        default=None,
        description="Names the document across versions: adding the same source again replaces its chunks in one step; "
        "the same content again does nothing (`unchanged`).",
    )
    url: str | None = strawberry.field(default=None, description="Where readers find the document.")
    metadata: JSON | None = strawberry.field(default=None, description="Anything to keep with it; an object.")
    idempotency_key: str | None = strawberry.field(
        default=None, description="The same key again gives the first call's document."
    )


@strawberry.input(description="A file as a new document, or as the next version of one.")
class UploadDocumentInput(_NewDocument):
    """See its description."""

    file: Upload = strawberry.field(description="The file, by the GraphQL multipart request specification.")
    title: str | None = strawberry.field(default=None, description="Its title; else what the file carries.")


@strawberry.input(description="A text as a new document, or as the next version of one.")
class AddTextDocumentInput(_NewDocument):
    """See its description."""

    text: str = strawberry.field(description="The text itself.")
    title: str = strawberry.field(description="Its title.")
    media_type: str = strawberry.field(default="text/markdown", description="How the text is to be read.")


@strawberry.input(description="Changes of a document. What is left out stays, null resets to the default.")
class UpdateDocumentInput:
    """See its description."""

    id: strawberry.ID = strawberry.field(description="The document.")
    title: str | None = strawberry.field(
        default=strawberry.UNSET,
        description="Its title; null: what the file carries. It is searched too, so the document is queued once more.",
    )
    url: str | None = strawberry.field(default=strawberry.UNSET, description="Where readers find the document.")
    metadata: JSON | None = strawberry.field(
        default=strawberry.UNSET, description="Anything to keep with it; an object."
    )


@strawberry.input(description="Which document to delete, with its versions, chunks and vectors.")
class DeleteDocumentInput:
    """See its description."""

    id: strawberry.ID = strawberry.field(description="The document.")


@strawberry.input(description="Which failed document to try again.")
class RetryDocumentInput:
    """See its description."""

    id: strawberry.ID = strawberry.field(description="The document.")


@strawberry.input(description="How the answers of a chat session are given; null: the default.")
class _SessionSettings(AnswerOptionsInput):
    title: str | None = strawberry.field(
        default=strawberry.UNSET, description="Its title; the first question's beginning if none is given."
    )
    shared: bool | None = strawberry.field(
        default=strawberry.UNSET, description="Whether other members of the project see it."
    )


@strawberry.input(description="A new chat session.")
class CreateChatSessionInput(_SessionSettings):
    """See its description."""

    project_id: strawberry.ID = strawberry.field(description="The project whose documents answer.")


@strawberry.input(description="Changes of a chat session. What is left out stays, null resets to the default.")
class UpdateChatSessionInput(_SessionSettings):
    """See its description."""

    id: strawberry.ID = strawberry.field(description="The chat session.")


@strawberry.input(description="Which chat session to delete, with its messages.")
class DeleteChatSessionInput:
    """See its description."""

    id: strawberry.ID = strawberry.field(description="The chat session.")


@strawberry.input(
    description="A question. The same `idempotencyKey` in the same session returns the first call's messages again. "
    "The settings that are given here override the session's for this turn."
)
class SendMessageInput(AnswerOptionsInput):
    """See its description."""

    session_id: strawberry.ID = strawberry.field(description="The chat session.")
    content: str = strawberry.field(description="The question.")
    idempotency_key: str | None = strawberry.field(default=None, description="Names this call when it is repeated.")
    search_query: str | None = strawberry.field(
        default=None, description="Search with this instead of the question; nothing is rewritten then."
    )


@strawberry.input(description="Which answer to stop.")
class CancelAnswerInput:
    """See its description."""

    message_id: strawberry.ID = strawberry.field(description="The answer.")


@strawberry.input(description="Which answer to give once more.")
class RegenerateAnswerInput:
    """See its description."""

    message_id: strawberry.ID = strawberry.field(description="The answer.")
    idempotency_key: str | None = strawberry.field(default=None, description="Names this call when it is repeated.")


@strawberry.input(description="A question that is not asked, to see what an answer would be made of.")
class PreviewAnswerInput(AnswerOptionsInput):
    """See its description."""

    session_id: strawberry.ID = strawberry.field(description="The chat session.")
    content: str = strawberry.field(description="The question.")
    search_query: str | None = strawberry.field(default=None, description="Search with this instead of the question.")
    reformulate: bool = strawberry.field(  # pyright: ignore[reportIncompatibleVariableOverride]
        default=False, description="Whether the model may rewrite the question, which asks it; else none is asked."
    )


@strawberry.input(description="A fact about you, to be told to the model in this project's answers to you.")
class RememberInput:
    """See its description."""

    project_id: strawberry.ID = strawberry.field(description="The project.")
    content: str = strawberry.field(description="The fact; the same words again renew it.")
    importance: float = strawberry.field(default=0.8, description="How much it matters, 0 to 1.")


@strawberry.input(description="Which memory to forget.")
class ForgetInput:
    """See its description."""

    id: strawberry.ID = strawberry.field(description="The memory.")
