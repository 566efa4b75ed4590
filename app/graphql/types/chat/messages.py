"""A message's row in; a question, or an answer with all that is kept of it, out."""

from datetime import datetime
from enum import Enum

import strawberry
from pydantic import TypeAdapter

from app.database import models
from app.graphql import ids
from app.graphql.context import Info
from app.graphql.types import nodes
from app.graphql.types.chat.answers import AnswerFailure, AnswerOutcome, FinishReason, Notice, Usage
from app.graphql.types.chat.budget import BudgetLedger
from app.graphql.types.chat.citations import Citation
from app.graphql.types.nodes import Node
from app.rag import events
from app.rag.citations import citation_stream
from app.rag.context import budget
from app.rag.judgement import outcome

# The row keeps plain JSON of the pipeline's values.
_CITATIONS = TypeAdapter(list[citation_stream.Citation])
_NOTICES = TypeAdapter(list[events.Notice])
_LEDGER = TypeAdapter(budget.Ledger)
_USAGE = TypeAdapter(events.Usage)
_FAILED = TypeAdapter(events.Failed)


@strawberry.enum(description="Who speaks.")
class MessageRole(Enum):
    """See its description."""

    USER = strawberry.enum_value("USER", description="A question.")
    ASSISTANT = strawberry.enum_value("ASSISTANT", description="An answer.")


@strawberry.enum(description="How far a message is.")
class MessageStatus(Enum):
    """See its description."""

    PENDING = strawberry.enum_value("PENDING", description="The answer has not begun.")
    STREAMING = strawberry.enum_value("STREAMING", description="The answer is being given.")
    COMPLETED = strawberry.enum_value("COMPLETED", description="Whole. Questions are so from the start.")
    CANCELLED = strawberry.enum_value("CANCELLED", description="Stopped by `cancelAnswer`; the text so far is kept.")
    FAILED = strawberry.enum_value("FAILED", description="Broke off; `failure` says why.")
    INTERRUPTED = strawberry.enum_value("INTERRUPTED", description="The server stopped; the text so far is kept.")


@strawberry.type(
    description="One message. A USER message is complete when it exists; an ASSISTANT message grows until its status "
    "is final."
)
class Message(Node):
    """See its description."""

    row_type = models.Message

    row: strawberry.Private[models.Message]
    role: MessageRole = strawberry.field(description="Who speaks.")
    status: MessageStatus = strawberry.field(description="How far it is.")
    created_at: datetime = strawberry.field(description="When it was sent or begun.")
    completed_at: datetime | None = strawberry.field(description="When its status became final.")
    outcome: AnswerOutcome | None = strawberry.field(description="What became of the answer.")
    finish_reason: FinishReason | None = strawberry.field(description="Why the model stopped.")
    reasoning: str | None = strawberry.field(description="What a thinking model thought; never part of the answer.")
    search_query: str | None = strawberry.field(description="What was searched with.")

    @strawberry.field(
        graphql_type=nodes.above("ChatSession", "chat.sessions"), description="The session it belongs to."
    )
    async def session(self, info: Info) -> Node:
        """See its description."""
        return nodes.found(await info.context.loaders.sessions.load(self.row.session_id))

    @strawberry.field(description="Its text; of an answer that is being given, the text so far.")
    async def content(self, info: Info) -> str:
        """See its description."""
        return await self.text(info)

    @strawberry.field(description="The content followed by a **Sources:** list, for clients that show plain Markdown.")
    async def content_with_sources(self, info: Info) -> str:
        """See its description."""
        return outcome.with_sources(await self.text(info), _cited(self.row))

    @strawberry.field(description="The question that this answers.")
    async def reply_to(self, info: Info) -> "Message | None":
        """See its description."""
        row = await info.context.loaders.messages.load(self.row.reply_to) if self.row.reply_to else None
        return Message.from_model(row) if row else None

    @strawberry.field(description="The sources that the answer cites, by first use; empty until its status is final.")
    def citations(self) -> list[Citation]:
        """See its description."""
        return [Citation.from_model(citation) for citation in _cited(self.row)]

    @strawberry.field(description="What the answer took.")
    def usage(self) -> Usage | None:
        """See its description."""
        return Usage.from_model(_USAGE.validate_python(self.row.usage)) if self.row.usage else None

    @strawberry.field(description="Why the answer broke off.")
    def failure(self) -> AnswerFailure | None:
        """See its description."""
        return AnswerFailure.from_model(_FAILED.validate_python(self.row.failure)) if self.row.failure else None

    @strawberry.field(description="What went less well than asked.")
    def notices(self) -> list[Notice]:
        """See its description."""
        return [Notice.from_model(notice) for notice in _NOTICES.validate_python(self.row.notices or [])]

    @strawberry.field(
        description="How the context window was shared out, with every candidate chunk and why it is in or out."
    )
    def budget(self) -> BudgetLedger | None:
        """See its description."""
        return BudgetLedger.from_model(_LEDGER.validate_python(self.row.budget)) if self.row.budget else None

    async def text(self, info: Info) -> str:
        """The text as far as it is written."""
        if self.status in (MessageStatus.PENDING, MessageStatus.STREAMING):
            return await info.context.allowed.chats.content(self.row.id)
        return self.row.content

    @classmethod
    def from_model(cls, row: models.Message) -> "Message":
        """Of a message's row."""
        return cls(
            id=ids.encode("Message", row.id),
            row=row,
            role=MessageRole(row.role),
            status=MessageStatus(row.status),
            created_at=row.created_at,
            completed_at=row.completed_at,
            outcome=AnswerOutcome(row.outcome) if row.outcome else None,
            finish_reason=FinishReason(row.finish_reason) if row.finish_reason else None,
            reasoning=row.reasoning,
            search_query=row.search_query,
        )


def _cited(row: models.Message) -> list[citation_stream.Citation]:
    """The citations as the pipeline checked them."""
    return _CITATIONS.validate_python(row.citations or [])
