"""Messages: questions, and answers with all that is stored with them."""

from datetime import datetime

import strawberry
from pydantic import TypeAdapter

from app.database import models
from app.graphql import ids
from app.graphql.context import Info
from app.graphql.enums import AnswerOutcome, FinishReason, MessageRole, MessageStatus
from app.graphql.types import nodes
from app.graphql.types.chat.answers import AnswerFailureType, NoticeType, UsageType
from app.graphql.types.chat.budget import BudgetLedgerType
from app.graphql.types.chat.citations import CitationType
from app.graphql.types.nodes import NodeType
from app.rag import events
from app.rag.citations import answer_text
from app.rag.citations.citation_types import CheckedCitation
from app.rag.context.ledger import BudgetLedger
from app.statuses import RUNNING

# The row stores the pipeline's values as plain JSON.
_CITATIONS = TypeAdapter(list[CheckedCitation])
_NOTICES = TypeAdapter(list[events.AnswerNotice])
_LEDGER = TypeAdapter(BudgetLedger)
_USAGE = TypeAdapter(events.AnswerUsage)
_FAILED = TypeAdapter(events.FailedEvent)


@strawberry.type(
    name="Message",
    description="A message of a chat session. A question (USER) is complete from the start; an answer "
    "(ASSISTANT) grows until its status is final.",
)
class MessageType(NodeType):
    row_type = models.Message

    row: strawberry.Private[models.Message]
    role: MessageRole = strawberry.field(description="Author of the message.")
    status: MessageStatus = strawberry.field(description="Status of the message.")
    created_at: datetime = strawberry.field(description="When the question was sent, or the answer was started.")
    completed_at: datetime | None = strawberry.field(description="When the status became final. Null until then.")
    outcome: AnswerOutcome | None = strawberry.field(
        description="How the answer turned out. Null for questions and until the answer is complete."
    )
    finish_reason: FinishReason | None = strawberry.field(
        description="Why the model stopped. Null for questions and until the answer is complete."
    )
    reasoning: str | None = strawberry.field(
        description="Reasoning of the model, if it is a reasoning model. Never part of the answer."
    )
    search_query: str | None = strawberry.field(
        description="The query used for the search. Null if no documents were searched."
    )

    @strawberry.field(
        graphql_type=nodes.parent_type("ChatSessionType", "chat.sessions"),
        description="The chat session that the message belongs to.",
    )
    async def session(self, info: Info) -> NodeType:
        return nodes.required_node(await info.context.loaders.sessions.load(self.row.session_id))

    @strawberry.field(description="Text of the message. While an answer is being generated, the text so far.")
    async def content(self, info: Info) -> str:
        return await self.current_text(info)

    @strawberry.field(description="The content followed by a **Sources:** list, for clients that show plain Markdown.")
    async def content_with_sources(self, info: Info) -> str:
        return answer_text.append_source_list(await self.current_text(info), _citations_of(self.row))

    @strawberry.field(description="The question that this message answers. Null for questions.")
    async def reply_to(self, info: Info) -> "MessageType | None":
        row = await info.context.loaders.messages.load(self.row.reply_to) if self.row.reply_to else None
        return MessageType.from_model(row) if row else None

    @strawberry.field(
        description="The sources that the answer cites, in order of first use. Empty until the status is final."
    )
    def citations(self) -> list[CitationType]:
        return [CitationType.from_model(citation) for citation in _citations_of(self.row)]

    @strawberry.field(description="Tokens, time and cost of the answer.")
    def usage(self) -> UsageType | None:
        return UsageType.from_model(_USAGE.validate_python(self.row.usage)) if self.row.usage else None

    @strawberry.field(description="Why the answer failed. Null if it did not.")
    def failure(self) -> AnswerFailureType | None:
        return AnswerFailureType.from_model(_FAILED.validate_python(self.row.failure)) if self.row.failure else None

    @strawberry.field(description="What could not be done as requested.")
    def notices(self) -> list[NoticeType]:
        return [NoticeType.from_model(notice) for notice in _NOTICES.validate_python(self.row.notices or [])]

    @strawberry.field(
        description="How the context window was divided, with every passage found and why it was "
        "included in the prompt or left out."
    )
    def budget(self) -> BudgetLedgerType | None:
        return BudgetLedgerType.from_model(_LEDGER.validate_python(self.row.budget)) if self.row.budget else None

    async def current_text(self, info: Info) -> str:
        """The text written so far."""
        if self.status in RUNNING:
            return await info.context.access.chats.text_so_far(self.row.id)
        return self.row.content

    @classmethod
    def from_model(cls, row: models.Message) -> "MessageType":
        return cls(
            id=ids.encode("Message", row.id),
            row=row,
            role=MessageRole(row.role),
            status=row.status,
            created_at=row.created_at,
            completed_at=row.completed_at,
            outcome=row.outcome,
            finish_reason=FinishReason(row.finish_reason) if row.finish_reason else None,
            reasoning=row.reasoning,
            search_query=row.search_query,
        )


def _citations_of(row: models.Message) -> list[CheckedCitation]:
    """The citations, as verified by the pipeline."""
    return _CITATIONS.validate_python(row.citations or [])
