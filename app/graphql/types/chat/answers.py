"""Outcome, usage, failure and notices of an answer."""

from enum import Enum

import strawberry

from app.graphql.enums import NoticeCode
from app.providers import catalog
from app.rag import events


@strawberry.type(
    name="Usage",
    description="Tokens, time and cost of an answer, including any query rewriting. Token counts come "
    "from the provider if it reports them, otherwise from the server.",
)
class UsageType:
    model: str = strawberry.field(description="Chat model that answered, as `provider/model`.")
    input_tokens: int = strawberry.field(description="Number of tokens in the prompt.")
    output_tokens: int = strawberry.field(description="Number of tokens that the model generated.")
    retrieval_ms: float | None = strawberry.field(
        description="Time to search the documents, in milliseconds. Null if they were not searched."
    )
    first_token_ms: float | None = strawberry.field(
        description="Time to the first token of the answer, in milliseconds. Null if the model sent none."
    )
    total_ms: float = strawberry.field(description="Total time, in milliseconds.")
    cost_usd: float | None = strawberry.field(
        description="Cost in US dollars: 0 for models that the server runs itself, `embedded/…` and `llamacpp/…`. Null "
        "for all others, because the server does not know their prices."
    )

    @classmethod
    def from_model(cls, usage: events.AnswerUsage) -> "UsageType":
        return cls(
            model=usage.model,
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            retrieval_ms=usage.retrieval_ms,
            first_token_ms=usage.first_token_ms,
            total_ms=usage.total_ms,
            cost_usd=catalog.cost_usd(usage.model),
        )


@strawberry.enum(name="AnswerFailureCode", description="Why an answer failed.")
class AnswerFailureCodeType(Enum):
    MODEL_UNAVAILABLE = strawberry.enum_value("MODEL_UNAVAILABLE", description="The model's server does not respond.")
    MODEL_NOT_FOUND = strawberry.enum_value("MODEL_NOT_FOUND", description="The provider does not have this model.")
    MODEL_TIMEOUT = strawberry.enum_value("MODEL_TIMEOUT", description="The model took too long.")
    MODEL_RATE_LIMITED = strawberry.enum_value(
        "MODEL_RATE_LIMITED", description="The provider's rate limit or quota is exhausted."
    )
    MODEL_UNAUTHORIZED = strawberry.enum_value(
        "MODEL_UNAUTHORIZED", description="The provider rejected the server's API key."
    )
    MODEL_REFUSED = strawberry.enum_value("MODEL_REFUSED", description="The provider refused the request.")
    MODEL_INCOMPLETE = strawberry.enum_value("MODEL_INCOMPLETE", description="The model's response ended early.")
    RETRIEVAL_UNAVAILABLE = strawberry.enum_value(
        "RETRIEVAL_UNAVAILABLE", description="The documents could not be searched."
    )
    CONTEXT_TOO_LONG = strawberry.enum_value(
        "CONTEXT_TOO_LONG", description="The question does not fit the model's context window."
    )
    INTERRUPTED = strawberry.enum_value(
        "INTERRUPTED", description="The server stopped, or lost its database, while the answer was being generated."
    )
    INTERNAL = strawberry.enum_value("INTERNAL", description="An internal error. The server's log has the details.")


@strawberry.type(name="AnswerFailure", description="Why an answer failed.")
class AnswerFailureType:
    code: AnswerFailureCodeType = strawberry.field(description="Stable code of the failure.")
    message: str = strawberry.field(description="The reason, in one sentence.")
    retryable: bool = strawberry.field(description="Whether asking again later may succeed.")

    @classmethod
    def from_model(cls, failed: events.FailedEvent) -> "AnswerFailureType":
        """Make the type from the last event of a failed answer."""
        return cls(code=AnswerFailureCodeType(failed.code), message=failed.message, retryable=failed.retryable)


@strawberry.type(
    name="Notice", description="Something that could not be done as requested, although the request succeeded."
)
class NoticeType:
    code: NoticeCode = strawberry.field(description="Stable code of the notice.")
    message: str = strawberry.field(description="What happened, in one sentence.")

    @classmethod
    def from_model(cls, notice: events.AnswerNotice) -> "NoticeType":
        return cls(code=notice.code, message=notice.message)
