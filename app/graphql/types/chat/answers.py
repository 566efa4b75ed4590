"""Outcome, usage, failure and notices of an answer."""

from enum import Enum

import strawberry

from app.providers import catalog
from app.rag import events


@strawberry.enum(name="FinishReason", description="Why the model stopped.")
class FinishReasonType(Enum):
    STOP = strawberry.enum_value("STOP", description="The model finished its answer.")
    LENGTH = strawberry.enum_value("LENGTH", description="The token limit was reached; the answer is cut off.")
    FILTER = strawberry.enum_value("FILTER", description="The provider's content filter stopped the answer.")


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
        description="Cost in US dollars: 0 for embedded models. Null for all other models, because the server does not "
        "know their prices."
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
        "INTERRUPTED", description="The server stopped while the answer was being generated."
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


@strawberry.enum(name="NoticeCode", description="What could not be done as requested.")
class NoticeCodeType(Enum):
    EMBEDDER_UNAVAILABLE = strawberry.enum_value(
        "EMBEDDER_UNAVAILABLE", description="The embedding model was unavailable; only full-text search was used."
    )
    RERANKER_UNAVAILABLE = strawberry.enum_value(
        "RERANKER_UNAVAILABLE", description="The reranker was unavailable; the results keep the order of the search."
    )
    REFORMULATION_FAILED = strawberry.enum_value(
        "REFORMULATION_FAILED",
        description="The question could not be rewritten; the original question was used for the search.",
    )
    RETRIEVAL_FAILED = strawberry.enum_value(
        "RETRIEVAL_FAILED",
        description="Full-text search failed and only vectors were used, or the whole search failed and "
        "the answer has no sources.",
    )
    DOCUMENTS_PENDING = strawberry.enum_value(
        "DOCUMENTS_PENDING",
        description="Some documents of the project are still being processed; the message says how many.",
    )
    HISTORY_SHORTENED = strawberry.enum_value(
        "HISTORY_SHORTENED", description="Earlier turns were left out to fit the context window."
    )
    MAX_TOKENS_REDUCED = strawberry.enum_value(
        "MAX_TOKENS_REDUCED", description="The answer was granted fewer tokens than requested."
    )
    CONTEXT_SHORTENED = strawberry.enum_value(
        "CONTEXT_SHORTENED",
        description="No passage fits the context window in full, or passages were left out to stay within "
        "RAG_MAX_CONTEXT_CHARS.",
    )
    INVENTED_CITATION_REMOVED = strawberry.enum_value(
        "INVENTED_CITATION_REMOVED", description="A citation marker that points to no passage was removed."
    )
    WEAK_CITATION = strawberry.enum_value(
        "WEAK_CITATION", description="A cited passage barely supports the sentence that cites it."
    )
    TRUNCATION_SUSPECTED = strawberry.enum_value(
        "TRUNCATION_SUSPECTED", description="The model's server may have cut off the prompt."
    )
    INSTRUCTIONS_IN_SOURCE = strawberry.enum_value(
        "INSTRUCTIONS_IN_SOURCE", description="A passage contains text that reads like instructions to the model."
    )


@strawberry.type(
    name="Notice", description="Something that could not be done as requested, although the request succeeded."
)
class NoticeType:
    code: NoticeCodeType = strawberry.field(description="Stable code of the notice.")
    message: str = strawberry.field(description="What happened, in one sentence.")

    @classmethod
    def from_model(cls, notice: events.AnswerNotice) -> "NoticeType":
        return cls(code=NoticeCodeType(notice.code), message=notice.message)
