"""Entries of an answer's log in; the events a client follows out."""

from typing import Any

import strawberry

from app.chat.answer_log.log_entries import Entry
from app.graphql import ids
from app.graphql.context import Info
from app.graphql.types import nodes
from app.graphql.types.chat.answers import AnswerFailure, AnswerOutcome, Notice
from app.graphql.types.chat.budget import BudgetLedger
from app.graphql.types.chat.citations import Citation
from app.graphql.types.chat.messages import Message
from app.graphql.types.documents import Chunk, chunk_or_none
from app.rag import events


@strawberry.interface(
    description="An event of an answer. `sequence` starts at 1 and has no gaps; pass the last one you have seen "
    "as `after` to resume."
)
class AnswerEvent:
    sequence: int = strawberry.field(description="Position of the event among those of the answer, from 1.")
    message_id: strawberry.ID = strawberry.field(description="Id of the answer.")


@strawberry.type(description="The question was rewritten into a stand-alone search query. Both are searched.")
class QueryReformulated(AnswerEvent):
    original: str = strawberry.field(description="The question as asked.")
    search_query: str = strawberry.field(description="The rewritten query.")


@strawberry.type(description="A passage as it was found. Stays readable after its document is deleted.")
class PassageSnapshot:
    passage: strawberry.Private[events.PassageSnapshot]
    document_title: str = strawberry.field(description="Title of the document at the time of the search.")
    page: int | None = strawberry.field(description="Page number, from 1. Null for documents without pages.")
    heading: list[str] = strawberry.field(description="Headings above the passage, outermost first.")
    text: str = strawberry.field(description="Text of the passage.")
    score: float = strawberry.field(description="Relevance, between 0 and 1. Higher is better.")
    vector_score: float | None = strawberry.field(
        description="Cosine similarity, between -1 and 1. Null if vectors were not compared."
    )

    @strawberry.field(description="The chunk. Null if it no longer exists.")
    async def chunk(self, info: Info) -> Chunk | None:
        return await chunk_or_none(info, self.passage.chunk_id)

    @classmethod
    def from_model(cls, passage: events.PassageSnapshot) -> "PassageSnapshot":
        """Of the pipeline's snapshot."""
        return cls(
            passage=passage,
            document_title=passage.document_title,
            page=passage.page,
            heading=list(passage.heading),
            text=passage.text,
            score=passage.score,
            vector_score=passage.vector_score,
        )


@strawberry.type(description="The documents were searched.")
class RetrievalCompleted(AnswerEvent):
    search_query: str = strawberry.field(description="The query that was searched with.")
    passages: list[PassageSnapshot] = strawberry.field(
        description="The passages considered for the context, best first."
    )
    took_ms: float = strawberry.field(description="Time the search took, in milliseconds.")


@strawberry.type(description="The next piece of the model's reasoning. Never part of the answer.")
class ReasoningDelta(AnswerEvent):
    text: str = strawberry.field(description="The new piece.")


@strawberry.type(description="The context window was divided; the prompt is about to be sent.")
class BudgetNegotiated(AnswerEvent):
    budget: BudgetLedger = strawberry.field(description="How the context window was divided.")


@strawberry.type(description="The next piece of the answer.")
class AnswerDelta(AnswerEvent):
    text: str = strawberry.field(description="The new piece.")
    content: str = strawberry.field(
        description="The whole text so far, including this piece, for clients that do not accumulate pieces."
    )


@strawberry.type(description="A source was cited for the first time.")
class CitationAdded(AnswerEvent):
    citation: Citation = strawberry.field(description="The source, with its first use.")


@strawberry.type(description="Something could not be done as requested.")
class NoticeGiven(AnswerEvent):
    notice: Notice = strawberry.field(description="What could not be done, and why.")


@strawberry.type(
    description="The text so far was withdrawn and replaced, because an answer in GROUNDED mode cited nothing."
)
class AnswerReplaced(AnswerEvent):
    content: str = strawberry.field(description="The text that replaces it.")
    outcome: AnswerOutcome = strawberry.field(description="Why the text was replaced.")


@strawberry.type(description="Fields of every last event.")
class _LastEvent(AnswerEvent):
    row_id: strawberry.Private[str]

    @strawberry.field(description="The answer, with its final values.")
    async def message(self, info: Info) -> Message:
        row = await info.context.loaders.messages.load(self.row_id)
        return Message.from_model(nodes.there(row))


@strawberry.type(description="The last event of an answer that is complete.")
class AnswerCompleted(_LastEvent):
    pass


@strawberry.type(description="The last event of an answer that was cancelled.")
class AnswerCancelled(_LastEvent):
    pass


@strawberry.type(description="The last event of an answer that failed.")
class AnswerFailed(_LastEvent):
    failure: AnswerFailure = strawberry.field(description="Why the answer failed.")


KINDS = (
    QueryReformulated,
    RetrievalCompleted,
    ReasoningDelta,
    BudgetNegotiated,
    AnswerDelta,
    CitationAdded,
    NoticeGiven,
    AnswerReplaced,
    AnswerCompleted,
    AnswerCancelled,
    AnswerFailed,
)
"""Every kind of AnswerEvent: nothing but the interface leads to them."""


def of(row_id: str, entry: Entry) -> AnswerEvent:  # noqa: C901 - one line per kind
    """The event of an entry in the log of the message `row_id`."""
    place: dict[str, Any] = {"sequence": entry.sequence, "message_id": ids.encode("Message", row_id)}
    match entry.event:
        case events.QueryReformulated(original, search_query):
            return QueryReformulated(**place, original=original, search_query=search_query)
        case events.RetrievalCompleted(search_query, found, took_ms):
            passages = [PassageSnapshot.from_model(passage) for passage in found]
            return RetrievalCompleted(**place, search_query=search_query, passages=passages, took_ms=took_ms)
        case events.BudgetNegotiated(ledger):
            return BudgetNegotiated(**place, budget=BudgetLedger.from_model(ledger))
        case events.Reasoning(text):
            return ReasoningDelta(**place, text=text)
        case events.Delta(text):
            return AnswerDelta(**place, text=text, content=entry.content)
        case events.CitationAdded(citation):
            return CitationAdded(**place, citation=Citation.from_model(citation))
        case events.NoticeGiven(notice):
            return NoticeGiven(**place, notice=Notice.from_model(notice))
        case events.Replaced(content, outcome):
            return AnswerReplaced(**place, content=content, outcome=AnswerOutcome(outcome))
        case events.Completed():
            return AnswerCompleted(**place, row_id=row_id)
        case events.Cancelled():
            return AnswerCancelled(**place, row_id=row_id)
        case events.Failed():
            return AnswerFailed(**place, row_id=row_id, failure=AnswerFailure.from_model(entry.event))
