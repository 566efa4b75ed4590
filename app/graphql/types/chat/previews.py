"""What an answer would be made of in; the same as a client reads it out."""

from enum import Enum

import strawberry

from app.graphql.types.chat.answers import Notice
from app.graphql.types.chat.budget import BudgetLedger
from app.providers import base
from app.rag import pipeline


@strawberry.enum(description="Whether retrieval applies to a question.")
class Route(Enum):
    """See its description."""

    RAG = strawberry.enum_value("RAG", description="It is answered from the documents.")
    PASS_THROUGH = strawberry.enum_value("PASS_THROUGH", description="It goes to the model without any.")


@strawberry.type(description="A message as it would go to the model.")
class PromptMessage:
    """See its description."""

    role: str = strawberry.field(description="Who speaks: system, user or assistant.")
    content: str = strawberry.field(description="The text; the word that fences passages is another one each time.")
    tokens: int = strawberry.field(description="Its tokens, with what stands around it.")

    @classmethod
    def from_model(cls, counted: tuple[base.Message, int]) -> "PromptMessage":
        """Of a message and its tokens."""
        message, tokens = counted
        return cls(role=message.role, content=message.content, tokens=tokens)


@strawberry.type(
    description="What would be sent, without sending it: route, query, sources, budget and the messages themselves."
)
class AnswerPreview:
    """See its description."""

    route: Route = strawberry.field(description="Whether retrieval applies.")
    route_reason: str = strawberry.field(description="Why, in a sentence.")
    search_query: str | None = strawberry.field(description="What was searched with.")
    budget: BudgetLedger = strawberry.field(
        description="How the context window would be shared out, with every candidate passage."
    )
    messages: list[PromptMessage] = strawberry.field(
        description="What the model would read; empty when it would not be asked."
    )
    notices: list[Notice] = strawberry.field(description="What would go less well than asked.")
    estimated_cost_usd: float | None = strawberry.field(
        description="Price in US dollars at most; null where it is not known."
    )

    @classmethod
    def from_model(cls, preview: pipeline.Preview) -> "AnswerPreview":
        """Of the pipeline's preview."""
        return cls(
            route=Route(preview.route),
            route_reason=preview.reason,
            search_query=preview.search_query,
            budget=BudgetLedger.from_model(preview.budget),
            messages=[PromptMessage.from_model(message) for message in preview.messages],
            notices=[Notice.from_model(notice) for notice in preview.notices],
            estimated_cost_usd=preview.cost_usd,
        )
