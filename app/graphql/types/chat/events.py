"""The events of an answer, made from the entries of its log."""

from typing import Any

import strawberry

from app.chat.answer_log.log_entries import LogEntry
from app.graphql.context import Info
from app.graphql.enums import AnswerOutcome
from app.graphql.types import nodes
from app.graphql.types.chat.answers import AnswerFailureType, NoticeType
from app.graphql.types.chat.budget import BudgetLedgerType
from app.graphql.types.chat.citations import CitationType
from app.graphql.types.chat.messages import MessageType
from app.graphql.types.documents import ChunkType, chunk_or_none
from app.rag import events


@strawberry.interface(
    name="AnswerEvent",
    description="An event of an answer. `sequence` starts at 1 and has no gaps; pass the last one you "
    "received as `after` to resume.",
)
class AnswerEventType:
    sequence: int = strawberry.field(description="Position of the event in the answer's event stream, starting at 1.")
    message_id: strawberry.ID = strawberry.field(description="Id of the answer.")


@strawberry.type(
    name="QueryReformulated",
    description="The question was rewritten into a stand-alone search query. Both are searched.",
)
class QueryReformulatedType(AnswerEventType):
    original: str = strawberry.field(description="The question as asked.")
    search_query: str = strawberry.field(description="The rewritten query.")


@strawberry.type(
    name="PassageSnapshot", description="A passage as it was found. Stays readable after its document is deleted."
)
class PassageSnapshotType:
    passage: strawberry.Private[events.RetrievedPassage]
    document_title: str = strawberry.field(description="Title of the document at the time of the search.")
    page: int | None = strawberry.field(description="Page number, from 1. Null for documents without pages.")
    heading: list[str] = strawberry.field(description="Headings above the passage, outermost first.")
    text: str = strawberry.field(description="Text of the passage.")
    score: float = strawberry.field(description="Relevance, between 0 and 1. Higher is better.")
    vector_score: float | None = strawberry.field(
        description="Cosine similarity, between -1 and 1. Null if vectors were not compared."
    )

    @strawberry.field(description="The chunk. Null if it no longer exists.")
    async def chunk(self, info: Info) -> ChunkType | None:
        return await chunk_or_none(info, self.passage.chunk_id)

    @classmethod
    def from_model(cls, passage: events.RetrievedPassage) -> "PassageSnapshotType":
        return cls(
            passage=passage,
            document_title=passage.document_title,
            page=passage.page,
            heading=list(passage.heading),
            text=passage.text,
            score=passage.score,
            vector_score=passage.vector_score,
        )


@strawberry.type(name="RetrievalCompleted", description="The documents were searched.")
class RetrievalCompletedType(AnswerEventType):
    search_query: str = strawberry.field(description="The query used for the search.")
    passages: list[PassageSnapshotType] = strawberry.field(
        description="The passages considered for the context, best first."
    )
    took_ms: float = strawberry.field(description="Time the search took, in milliseconds.")


@strawberry.type(
    name="ReasoningDelta", description="The next piece of the model's reasoning. Never part of the answer."
)
class ReasoningDeltaType(AnswerEventType):
    text: str = strawberry.field(description="The new piece.")


@strawberry.type(name="BudgetNegotiated", description="The context window was divided; the prompt is about to be sent.")
class BudgetNegotiatedType(AnswerEventType):
    budget: BudgetLedgerType = strawberry.field(description="How the context window was divided.")


@strawberry.type(name="AnswerDelta", description="The next piece of the answer.")
class AnswerDeltaType(AnswerEventType):
    entry: strawberry.Private[LogEntry]
    text: str = strawberry.field(description="The new piece.")

    @strawberry.field(
        description="The whole text so far, including this piece, for clients that do not accumulate pieces."
    )
    def content(self) -> str:
        return self.entry.content


@strawberry.type(name="CitationAdded", description="A source was cited for the first time.")
class CitationAddedType(AnswerEventType):
    citation: CitationType = strawberry.field(description="The source, with its first use.")


@strawberry.type(name="NoticeGiven", description="Something could not be done as requested.")
class NoticeGivenType(AnswerEventType):
    notice: NoticeType = strawberry.field(description="What could not be done, and why.")


@strawberry.type(
    name="AnswerReplaced",
    description="The text so far was replaced, because in GROUNDED mode the sources do not support it. `outcome` says "
    "whether it was withdrawn (REJECTED) or lost its citation markers (INSUFFICIENT).",
)
class AnswerReplacedType(AnswerEventType):
    content: str = strawberry.field(description="The text that replaces it.")
    outcome: AnswerOutcome = strawberry.field(description="Why the text was replaced.")


@strawberry.type(description="Fields of all final events.")
class _LastEvent(AnswerEventType):
    row_id: strawberry.Private[str]

    @strawberry.field(description="The answer, with its final values.")
    async def message(self, info: Info) -> MessageType:
        row = await info.context.loaders.messages.load(self.row_id)
        return MessageType.from_model(nodes.require_row(row))


@strawberry.type(name="AnswerCompleted", description="The last event of an answer that is complete.")
class AnswerCompletedType(_LastEvent):
    pass


@strawberry.type(name="AnswerCancelled", description="The last event of an answer that was cancelled.")
class AnswerCancelledType(_LastEvent):
    pass


@strawberry.type(name="AnswerFailed", description="The last event of an answer that failed.")
class AnswerFailedType(_LastEvent):
    failure: AnswerFailureType = strawberry.field(description="Why the answer failed.")


KINDS = (
    QueryReformulatedType,
    RetrievalCompletedType,
    ReasoningDeltaType,
    BudgetNegotiatedType,
    AnswerDeltaType,
    CitationAddedType,
    NoticeGivenType,
    AnswerReplacedType,
    AnswerCompletedType,
    AnswerCancelledType,
    AnswerFailedType,
)
"""Every kind of AnswerEvent. The schema has to list them, because fields only return the interface."""


def answer_event(row_id: str, message_id: strawberry.ID, entry: LogEntry) -> AnswerEventType:  # noqa: C901 - one line per kind
    """The event for an entry in the log of a message, given its row's id and its global id."""
    place: dict[str, Any] = {"sequence": entry.sequence, "message_id": message_id}
    match entry.event:
        case events.DeltaEvent(text):  # nearly all are
            return AnswerDeltaType(**place, entry=entry, text=text)
        case events.QueryReformulatedEvent(original, search_query):
            return QueryReformulatedType(**place, original=original, search_query=search_query)
        case events.RetrievalCompletedEvent(search_query, found, took_ms):
            passages = [PassageSnapshotType.from_model(passage) for passage in found]
            return RetrievalCompletedType(**place, search_query=search_query, passages=passages, took_ms=took_ms)
        case events.BudgetNegotiatedEvent(ledger):
            return BudgetNegotiatedType(**place, budget=BudgetLedgerType.from_model(ledger))
        case events.ReasoningEvent(text):
            return ReasoningDeltaType(**place, text=text)
        case events.CitationAddedEvent(citation):
            return CitationAddedType(**place, citation=CitationType.from_model(citation))
        case events.NoticeEvent(notice):
            return NoticeGivenType(**place, notice=NoticeType.from_model(notice))
        case events.ReplacedEvent(content, outcome):
            return AnswerReplacedType(**place, content=content, outcome=outcome)
        case events.CompletedEvent():
            return AnswerCompletedType(**place, row_id=row_id)
        case events.CancelledEvent():
            return AnswerCancelledType(**place, row_id=row_id)
        case events.FailedEvent():
            return AnswerFailedType(**place, row_id=row_id, failure=AnswerFailureType.from_model(entry.event))
