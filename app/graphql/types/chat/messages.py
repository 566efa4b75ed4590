"""Messages: questions, and answers with all that is stored with them."""

from datetime import datetime

import strawberry
from pydantic import TypeAdapter

from app.chat.branches import tree
from app.database import models
from app.graphql import ids
from app.graphql.context import Info
from app.graphql.enums import AnswerOutcome, FeedbackReason, FinishReason, MessageRole, MessageStatus
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


@strawberry.type(name="Feedback", description="Your rating of an answer. Visible only to you.")
class FeedbackType:
    helpful: bool = strawberry.field(description="Whether the answer helped.")
    reason: FeedbackReason | None = strawberry.field(description="Why it helped or not.")
    comment: str | None = strawberry.field(description="What you wrote about it.")
    created_at: datetime = strawberry.field(description="When the rating was given or last changed.")

    @classmethod
    def from_model(cls, row: models.AnswerRating) -> "FeedbackType":
        return cls(helpful=row.helpful, reason=row.reason, comment=row.comment, created_at=row.created_at)


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
    is_current: bool = strawberry.field(
        description="Whether the message is the current one among its alternatives. A chat session shows the branch "
        "in which every message is current."
    )
    created_at: datetime = strawberry.field(description="When the question was sent, or the answer was started.")
    completed_at: datetime | None = strawberry.field(description="When the status became final. Null until then.")
    outcome: AnswerOutcome | None = strawberry.field(
        description="How the answer turned out. Null for questions and until the answer is complete."
    )
    finish_reason: FinishReason | None = strawberry.field(
        description="Why the model stopped. Null for questions and until the answer is complete."
    )
    confidence: float | None = strawberry.field(
        description="Probability, from 0 to 1, that the answer is right. It depends on whether the sources contain an "
        "answer to the question, and on how well they support this one. Null unless the answer cites sources."
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
        return answer_text.append_source_list(await self.current_text(info), _read_citations(self.row))

    @strawberry.field(description="The question that this message answers. Null for questions.")
    async def reply_to(self, info: Info) -> "MessageType | None":
        return await self.previous_message(info) if self.role == MessageRole.ASSISTANT else None

    @strawberry.field(
        description="The message before this one in its branch: an answer's question, or the answer that a question "
        "follows. Null for a first question."
    )
    async def previous(self, info: Info) -> "MessageType | None":
        return await self.previous_message(info)

    @strawberry.field(
        description="All versions of this message, including itself, oldest first: the answers to one question, or a "
        f"question and its edited versions. At most {tree.MAX_ALTERNATIVES}."
    )
    async def alternatives(self, info: Info) -> list["MessageType"]:
        rows = await info.context.loaders.alternatives.load((self.row.session_id, self.row.previous_id))
        return [MessageType.from_model(row) for row in rows]

    @strawberry.field(
        description="The sources that the answer cites, in order of first use. Empty until the status is final."
    )
    def citations(self) -> list[CitationType]:
        return [CitationType.from_model(citation) for citation in _read_citations(self.row)]

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

    @strawberry.field(description="Your rating of the answer. Null if you have not rated it.")
    async def feedback(self, info: Info) -> FeedbackType | None:
        row = await info.context.loaders.feedback.load(self.row.id)
        return FeedbackType.from_model(row) if row else None

    async def previous_message(self, info: Info) -> "MessageType | None":
        """The message before this one."""
        previous_id = self.row.previous_id
        row = await info.context.loaders.messages.load(previous_id) if previous_id else None
        return MessageType.from_model(row) if row else None

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
            is_current=row.current,
            created_at=row.created_at,
            completed_at=row.completed_at,
            outcome=row.outcome,
            finish_reason=FinishReason(row.finish_reason) if row.finish_reason else None,
            confidence=row.confidence,
            reasoning=row.reasoning,
            search_query=row.search_query,
        )


def _read_citations(row: models.Message) -> list[CheckedCitation]:
    """The citations, as verified by the pipeline."""
    return _CITATIONS.validate_python(row.citations or [])
