"""The payloads of events. Every class is one type of event; its fields are the payload.

Fields hold ids of rows; what goes out are the ids that the APIs show. Consumers rely on these fields: new ones may be
added, but none may be removed or change its meaning.
"""

from functools import partial
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer

from app import global_ids, safe_text
from app.statuses import AnswerOutcome, FeedbackReason, MessageStatus

MAX_TEXT = 200_000
"""Longer texts are cut: brokers refuse messages beyond a few megabytes."""


class _TextMark:
    """Marks fields that hold words of users, documents or models."""


def _global_id(kind: str) -> Any:
    return PlainSerializer(partial(global_ids.encode, kind), return_type=str)


ProjectId = Annotated[str, _global_id("Project")]
UserId = Annotated[str, _global_id("User")]
SessionId = Annotated[str, _global_id("ChatSession")]
MessageId = Annotated[str, _global_id("Message")]
DocumentId = Annotated[str, _global_id("Document")]
EventText = Annotated[str | None, _TextMark()]


class EventPayload(BaseModel):
    """The base of all payloads."""

    # Built when the first event is written: many servers write none, and building takes a while.
    model_config = ConfigDict(frozen=True, defer_build=True)
    event_type: ClassVar[str]

    def render(self, *, with_texts: bool) -> dict[str, Any]:
        """The payload as JSON, with null for every text unless `with_texts`.

        Characters that some databases and networks cannot carry are replaced: models may write invalid Unicode.
        """
        fields = self.model_dump(mode="json")
        for name in self.text_fields():
            text = fields[name]
            fields[name] = text[:MAX_TEXT] if with_texts and text is not None else None
        return {
            name: safe_text.replace_unstorable(value) if isinstance(value, str) else value
            for name, value in fields.items()
        }

    @classmethod
    def text_fields(cls) -> list[str]:
        """The names of the fields that hold texts."""
        marked = cls.model_fields.items()
        return [name for name, field in marked if any(isinstance(mark, _TextMark) for mark in field.metadata)]


class _OfQuestion(EventPayload):
    query: EventText = Field(description="The question. Null with EVENT_TEXTS=false.")
    project_id: ProjectId | None = Field(
        description="The project whose documents are searched; null for a request to the OpenAI API that names none."
    )
    user_id: UserId | None
    session_id: SessionId | None = Field(description="The chat session; null at the OpenAI API, which keeps none.")
    question_id: MessageId | None = Field(description="The question's message; null at the OpenAI API.")
    answer_id: MessageId | None = Field(description="The answer's message; null at the OpenAI API.")
    model_id: str | None = Field(
        description="The chat model, as `provider/model`; null for an answer that an older version of Footnote began."
    )


class QuerySubmitted(_OfQuestion):
    """A question was asked, or an answer is to be generated again."""

    event_type = "analytics.query.submitted"


class ResponseGenerated(_OfQuestion):
    """An answer has ended, however it ended: each `analytics.query.submitted` is followed by one."""

    event_type = "analytics.response.generated"
    response: EventText = Field(
        description="The answer, or what there was of it when it ended early. Null with EVENT_TEXTS=false."
    )
    status: MessageStatus = Field(
        description="COMPLETED, FAILED, CANCELLED, or INTERRUPTED if the server stopped or lost its database."
    )
    outcome: AnswerOutcome | None = Field(description="How a complete answer turned out; null for all others.")
    failure: str | None = Field(
        description="The code of what went wrong, such as MODEL_UNAVAILABLE; null unless it is FAILED or INTERRUPTED."
    )
    latency_ms: float = Field(ge=0, description="Time from the question to the end.")
    citation_count: int = Field(ge=0)
    retrieval_count: int = Field(
        ge=0, description="Passages that were found and are relevant enough, in the prompt or not."
    )
    input_tokens: int | None = Field(description="Null unless the answer is complete and its tokens were counted.")
    output_tokens: int | None


class _OfDocument(EventPayload):
    project_id: ProjectId
    document_id: DocumentId
    version: int = Field(ge=1, description="Which version of the document this is about, from 1.")
    title: EventText
    source: EventText = Field(
        description="What identifies the document for whoever adds it, such as a path; null if none was given."
    )
    media_type: str


class DocumentAdded(_OfDocument):
    """A document was added, and waits to be processed."""

    event_type = "document.added"
    bytes: int = Field(ge=0)


class DocumentReplaced(_OfDocument):
    """The next version of a document was added; the one before can be searched until `document.ready`."""

    event_type = "document.replaced"
    bytes: int = Field(ge=0)


class DocumentReady(_OfDocument):
    """A document can be searched, or again with another title."""

    event_type = "document.ready"
    chunk_count: int = Field(ge=0)


class DocumentFailed(_OfDocument):
    """A document could not be processed."""

    event_type = "document.failed"
    failure: str = Field(description="The code of the reason, such as ENCRYPTED.")


class DocumentDeleted(_OfDocument):
    """A document was deleted with all traces."""

    event_type = "document.deleted"


class ProjectDeleted(EventPayload):
    """A project was deleted with its documents, chat sessions and answers."""

    event_type = "project.deleted"
    project_id: ProjectId


class _OfAnswer(EventPayload):
    project_id: ProjectId
    session_id: SessionId
    answer_id: MessageId
    user_id: UserId = Field(description="Who gave the feedback, or opened the source.")


class FeedbackGiven(_OfAnswer):
    """A user rated an answer; a later rating by the same user replaces it."""

    event_type = "feedback.given"
    helpful: bool
    reason: FeedbackReason | None
    comment: EventText = Field(description="Null with EVENT_TEXTS=false, and without a comment.")


class FeedbackWithdrawn(_OfAnswer):
    """A user withdrew their rating of an answer."""

    event_type = "feedback.withdrawn"


class CitationOpened(_OfAnswer):
    """A user opened a source of an answer."""

    event_type = "citation.opened"
    citation_index: int = Field(ge=1, description="The number of the source, as in the answer.")
    document_id: DocumentId | None = Field(description="The cited document; null if it is not known any more.")


PAYLOADS: tuple[type[EventPayload], ...] = (
    QuerySubmitted,
    ResponseGenerated,
    DocumentAdded,
    DocumentReplaced,
    DocumentReady,
    DocumentFailed,
    DocumentDeleted,
    ProjectDeleted,
    FeedbackGiven,
    FeedbackWithdrawn,
    CitationOpened,
)
"""All types of events."""
