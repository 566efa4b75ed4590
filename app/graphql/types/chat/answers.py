"""What became of an answer, what it took, and what went less well than asked."""

from enum import Enum

import strawberry

from app.rag import events


@strawberry.enum(description="What became of an answer.")
class AnswerOutcome(Enum):
    """See its description."""

    CITED = strawberry.enum_value("CITED", description="It has at least one valid citation.")
    UNCITED = strawberry.enum_value("UNCITED", description="The model cited nothing (OPEN only).")
    PASSED_THROUGH = strawberry.enum_value("PASSED_THROUGH", description="Retrieval did not apply.")
    NO_SOURCES = strawberry.enum_value("NO_SOURCES", description="Nothing relevant was found; a fixed text says so.")
    REJECTED = strawberry.enum_value("REJECTED", description="It cited nothing and was withdrawn for a fixed text.")
    INSUFFICIENT = strawberry.enum_value(
        "INSUFFICIENT", description="The model said that the sources do not hold the answer; its text without markers."
    )


@strawberry.enum(description="Why the model stopped.")
class FinishReason(Enum):
    """See its description."""

    STOP = strawberry.enum_value("STOP", description="It was done.")
    LENGTH = strawberry.enum_value("LENGTH", description="Its tokens were used up; the answer is cut.")
    FILTER = strawberry.enum_value("FILTER", description="The provider's content filter stopped it.")


@strawberry.type(
    description="What an answer took, a rewritten question included; tokens as the provider counted them, else as we "
    "did."
)
class Usage:
    """See its description."""

    model: str = strawberry.field(description="The model that answered, as `provider/model`.")
    input_tokens: int = strawberry.field(description="Tokens that the model read.")
    output_tokens: int = strawberry.field(description="Tokens that the model wrote.")
    retrieval_ms: float | None = strawberry.field(description="Milliseconds that the search took.")
    first_token_ms: float | None = strawberry.field(description="Milliseconds until the first piece of the answer.")
    total_ms: float = strawberry.field(description="Milliseconds in all.")
    cost_usd: float | None = strawberry.field(default=None, description="Price in US dollars, where it is known.")

    @classmethod
    def from_model(cls, usage: events.Usage) -> "Usage":
        """Of the pipeline's usage."""
        return cls(
            model=usage.model,
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            retrieval_ms=usage.retrieval_ms,
            first_token_ms=usage.first_token_ms,
            total_ms=usage.total_ms,
        )


@strawberry.enum(description="Why an answer broke off.")
class AnswerFailureCode(Enum):
    """See its description."""

    MODEL_UNAVAILABLE = strawberry.enum_value("MODEL_UNAVAILABLE", description="The model's server does not answer.")
    MODEL_NOT_FOUND = strawberry.enum_value("MODEL_NOT_FOUND", description="The server does not have this model.")
    MODEL_TIMEOUT = strawberry.enum_value("MODEL_TIMEOUT", description="The model was silent for too long.")
    MODEL_RATE_LIMITED = strawberry.enum_value("MODEL_RATE_LIMITED", description="The provider's limits are reached.")
    MODEL_UNAUTHORIZED = strawberry.enum_value("MODEL_UNAUTHORIZED", description="The provider refuses our key.")
    MODEL_REFUSED = strawberry.enum_value("MODEL_REFUSED", description="The provider refuses this request.")
    MODEL_INCOMPLETE = strawberry.enum_value("MODEL_INCOMPLETE", description="The stream ended before its end.")
    RETRIEVAL_UNAVAILABLE = strawberry.enum_value("RETRIEVAL_UNAVAILABLE", description="Nothing can be searched now.")
    CONTEXT_TOO_LONG = strawberry.enum_value("CONTEXT_TOO_LONG", description="The question does not fit the window.")
    INTERRUPTED = strawberry.enum_value("INTERRUPTED", description="The server stopped meanwhile.")
    INTERNAL = strawberry.enum_value("INTERNAL", description="Something of ours broke; the server's log has details.")


@strawberry.type(description="Why an answer broke off.")
class AnswerFailure:
    """See its description."""

    code: AnswerFailureCode = strawberry.field(description="Stable code.")
    message: str = strawberry.field(description="The reason in a sentence.")
    retryable: bool = strawberry.field(description="Whether the same question may work later.")

    @classmethod
    def from_model(cls, failed: events.Failed) -> "AnswerFailure":
        """Of the last event of an answer that broke off."""
        return cls(code=AnswerFailureCode(failed.code), message=failed.message, retryable=failed.retryable)


@strawberry.enum(description="What went less well than asked.")
class NoticeCode(Enum):
    """See its description."""

    EMBEDDER_UNAVAILABLE = strawberry.enum_value(
        "EMBEDDER_UNAVAILABLE", description="Vectors could not be searched, only words."
    )
    RERANKER_UNAVAILABLE = strawberry.enum_value("RERANKER_UNAVAILABLE", description="The fused order stands.")
    REFORMULATION_FAILED = strawberry.enum_value("REFORMULATION_FAILED", description="The raw question was searched.")
    RETRIEVAL_FAILED = strawberry.enum_value(
        "RETRIEVAL_FAILED", description="Only vectors were searched, or the answer was given without sources."
    )
    DOCUMENTS_PENDING = strawberry.enum_value(
        "DOCUMENTS_PENDING", description="Documents of the project are still being read; the message says how many."
    )
    HISTORY_SHORTENED = strawberry.enum_value("HISTORY_SHORTENED", description="Earlier turns were left out.")
    MAX_TOKENS_REDUCED = strawberry.enum_value(
        "MAX_TOKENS_REDUCED", description="The answer got fewer tokens than asked."
    )
    CONTEXT_SHORTENED = strawberry.enum_value(
        "CONTEXT_SHORTENED",
        description="No whole passage fits the window, or passages were left out for RAG_MAX_CONTEXT_CHARS.",
    )
    INVENTED_CITATION_REMOVED = strawberry.enum_value(
        "INVENTED_CITATION_REMOVED", description="A marker that points to no passage was removed."
    )
    WEAK_CITATION = strawberry.enum_value("WEAK_CITATION", description="A quote hardly supports what cites it.")
    TRUNCATION_SUSPECTED = strawberry.enum_value(
        "TRUNCATION_SUSPECTED", description="The model's server seems to have cut the prompt."
    )
    INSTRUCTIONS_IN_SOURCE = strawberry.enum_value(
        "INSTRUCTIONS_IN_SOURCE", description="A passage tries to instruct the model."
    )


@strawberry.type(description="Something went less well than asked and the answer was given all the same.")
class Notice:
    """See its description."""

    code: NoticeCode = strawberry.field(description="Stable code.")
    message: str = strawberry.field(description="What happened, in a sentence.")

    @classmethod
    def from_model(cls, notice: events.Notice) -> "Notice":
        """Of the pipeline's notice."""
        return cls(code=NoticeCode(notice.code), message=notice.message)
