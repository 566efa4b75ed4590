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
    status: list[DocumentStatus] | None = strawberry.field(
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


@strawberry.input(description="Parameters of `search`.")
class SearchInput:
    project_id: strawberry.ID = strawberry.field(description="Id of the project to search.")
    query: str = strawberry.field(description="A question or keywords.")
    mode: SearchMode = strawberry.field(
        default=SearchMode.HYBRID, description="What the search compares: words, meaning or both."
    )
    document_ids: list[strawberry.ID] | None = strawberry.field(
        default=None, description="Search only these documents. Null searches all documents of the project."
    )
    metadata: JSON | None = strawberry.field(
        default=None, description="Search only documents whose metadata has each of these keys with the given value."
    )
    threshold: float | None = strawberry.field(
        default=None, description="Minimum `score` of a result, between 0 and 1. Null returns results of any score."
    )
    rerank: bool | None = strawberry.field(
        default=None, description="Whether to rerank the results. Null reranks them if the server has a reranker."
    )


@strawberry.input(description="Parameters of `createProject`.")
class CreateProjectInput:
    name: str = strawberry.field(description="Name of the project. Must be unique on this server.")
    description: str | None = strawberry.field(default=None, description="What the project is about.")
    local_providers_only: bool | None = strawberry.field(
        default=None,
        description="Whether to use only models that run on this machine, so that documents and questions never "
        "leave it. Defaults to false.",
    )


@strawberry.input(
    description="Parameters of `updateProject`. Omitted fields keep their value; null resets a field to its default."
)
class UpdateProjectInput:
    id: strawberry.ID = strawberry.field(description="Id of the project.")
    name: str | None = strawberry.field(
        default=strawberry.UNSET, description="Name of the project. Must be unique on this server."
    )
    description: str | None = strawberry.field(default=strawberry.UNSET, description="What the project is about.")
    local_providers_only: bool | None = strawberry.field(
        default=strawberry.UNSET,
        description="Whether to use only models that run on this machine, so that documents and questions never "
        "leave it.",
    )
    no_sources_text: str | None = strawberry.field(
        default=strawberry.UNSET, description="Answer given in GROUNDED mode when nothing relevant is found."
    )
    rejected_text: str | None = strawberry.field(
        default=strawberry.UNSET, description="Answer given in GROUNDED mode in place of one that cites nothing."
    )
    answer_defaults: AnswerDefaultsInput | None = strawberry.field(
        default=strawberry.UNSET,
        description="Default answer options for chat sessions of this project. Null resets all of them.",
    )


@strawberry.input(description="Parameters of `deleteProject`.")
class DeleteProjectInput:
    id: strawberry.ID = strawberry.field(description="Id of the project.")


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


@strawberry.input(description="Options of a chat session. Null uses the default.")
class _SessionSettings(AnswerOptionsInput):
    title: str | None = strawberry.field(
        default=strawberry.UNSET,
        description="Title of the chat session. Defaults to the beginning of its first question.",
    )
    shared: bool | None = strawberry.field(
        default=strawberry.UNSET,
        description="Whether other members of the project can see the chat session. Defaults to false.",
    )


@strawberry.input(
    description="Parameters of `createChatSession`. Options that are omitted or null use the default of the "
    "project or server."
)
class CreateChatSessionInput(_SessionSettings):
    project_id: strawberry.ID = strawberry.field(description="Id of the project whose documents are searched.")


@strawberry.input(
    description="Parameters of `updateChatSession`. Omitted fields keep their value; null resets a field to its "
    "default."
)
class UpdateChatSessionInput(_SessionSettings):
    id: strawberry.ID = strawberry.field(description="Id of the chat session.")


@strawberry.input(description="Parameters of `deleteChatSession`.")
class DeleteChatSessionInput:
    id: strawberry.ID = strawberry.field(description="Id of the chat session.")


@strawberry.input(
    description="Parameters of `sendMessage`. Options given here override those of the chat session, for this "
    "turn only."
)
class SendMessageInput(AnswerOptionsInput):
    session_id: strawberry.ID = strawberry.field(description="Id of the chat session.")
    content: str = strawberry.field(description="The question.")
    idempotency_key: str | None = strawberry.field(
        default=None,
        description="Key that makes retries safe: a second call with the same key in the same chat session returns "
        "the messages of the first.",
    )
    search_query: str | None = strawberry.field(
        default=None,
        description="Query to search with instead of the question. It is used as it is and never rewritten.",
    )


@strawberry.input(description="Parameters of `cancelAnswer`.")
class CancelAnswerInput:
    message_id: strawberry.ID = strawberry.field(description="Id of the answer to cancel.")


@strawberry.input(description="Parameters of `regenerateAnswer`.")
class RegenerateAnswerInput:
    message_id: strawberry.ID = strawberry.field(
        description="Id of an answer to the last question of its chat session."
    )
    idempotency_key: str | None = strawberry.field(
        default=None,
        description="Key that makes retries safe: a second call with the same key in the same chat session returns "
        "the answer of the first.",
    )


@strawberry.input(description="Parameters of `previewAnswer`. Options given here override those of the chat session.")
class PreviewAnswerInput(AnswerOptionsInput):
    session_id: strawberry.ID = strawberry.field(description="Id of the chat session.")
    content: str = strawberry.field(description="The question.")
    search_query: str | None = strawberry.field(
        default=None, description="Query to search with instead of the question."
    )
    reformulate: bool = strawberry.field(  # pyright: ignore[reportIncompatibleVariableOverride]
        default=False,
        description="Whether to rewrite the question first, which calls a model. If false, no model is called.",
    )


@strawberry.input(description="Parameters of `remember`.")
class RememberInput:
    project_id: strawberry.ID = strawberry.field(description="Id of the project.")
    content: str = strawberry.field(description="The fact. Sending the same text again renews the memory.")
    importance: float = strawberry.field(default=0.8, description="Importance of the fact, between 0 and 1.")


@strawberry.input(description="Parameters of `forget`.")
class ForgetInput:
    id: strawberry.ID = strawberry.field(description="Id of the memory.")
