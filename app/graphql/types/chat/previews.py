"""Previews of answers."""

import strawberry

from app.graphql.enums import Route
from app.graphql.types.chat.answers import NoticeType
from app.graphql.types.chat.budget import BudgetLedgerType
from app.providers import base
from app.rag import pipeline


@strawberry.type(name="PromptMessage", description="A message of the prompt.")
class PromptMessageType:
    role: str = strawberry.field(description="Author of the message: system, user or assistant.")
    content: str = strawberry.field(
        description="Text of the message. Passages are delimited by a secret word, which differs in each chat session."
    )
    tokens: int = strawberry.field(description="Number of tokens, including the overhead of the message.")

    @classmethod
    def from_model(cls, counted: tuple[base.PromptMessage, int]) -> "PromptMessageType":
        message, tokens = counted
        return cls(role=message.role, content=message.content, tokens=tokens)


@strawberry.type(
    name="AnswerPreview", description="What would be sent to the model: route, query, passages, budget and messages."
)
class AnswerPreviewType:
    route: Route = strawberry.field(description="How the question would be answered.")
    route_reason: str = strawberry.field(description="Reason for the route, in one sentence.")
    search_query: str | None = strawberry.field(
        description="The query used for the search. Null if no documents were searched."
    )
    budget: BudgetLedgerType = strawberry.field(
        description="How the context window would be divided, with every passage found."
    )
    messages: list[PromptMessageType] = strawberry.field(
        description="The messages of the prompt. Empty if the model would not be called."
    )
    notices: list[NoticeType] = strawberry.field(description="What could not be done as requested.")
    estimated_cost_usd: float | None = strawberry.field(
        description="Cost in US dollars: 0 for models that the server runs itself, `embedded/…` and `llamacpp/…`. Null "
        "for all others, because the server does not know their prices."
    )

    @classmethod
    def from_model(cls, preview: pipeline.Preview) -> "AnswerPreviewType":
        return cls(
            route=preview.route,
            route_reason=preview.reason,
            search_query=preview.search_query,
            budget=BudgetLedgerType.from_model(preview.budget),
            messages=[PromptMessageType.from_model(message) for message in preview.messages],
            notices=[NoticeType.from_model(notice) for notice in preview.notices],
            estimated_cost_usd=preview.cost_usd,
        )
