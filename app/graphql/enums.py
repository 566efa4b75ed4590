"""Enums of the application that are enums of the schema too, with a description of every value.

GraphQL types import them from here, so that they are in the schema before a field needs them.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, TypeVar, cast

import strawberry
from strawberry.types.enum import StrawberryEnumDefinition

from app.services import HealthStatus as HealthStatus
from app.statuses import AnswerOutcome as AnswerOutcome
from app.statuses import BudgetSegmentKind as BudgetSegmentKind
from app.statuses import Decision as Decision
from app.statuses import DocumentStatus as DocumentStatus
from app.statuses import EmbeddingSpaceState as EmbeddingSpaceState
from app.statuses import FeedbackReason as FeedbackReason
from app.statuses import FinishReason as FinishReason
from app.statuses import IngestionStage as IngestionStage
from app.statuses import MessageRole as MessageRole
from app.statuses import MessageStatus as MessageStatus
from app.statuses import NoticeCode as NoticeCode
from app.statuses import Route as Route
from app.statuses import TokenCounting as TokenCounting

Choice = TypeVar("Choice", bound=StrEnum)


def _add_to_schema(enum: type[Choice], description: str, values: Mapping[Choice, str]) -> None:
    """Make `enum` an enum of the schema; `values` describes each of its members."""
    strawberry.enum(enum, description=description)
    definition = cast("StrawberryEnumDefinition", cast("Any", enum).__strawberry_definition__)
    for value in definition.values:
        value.description = values[enum(value.value)]


_add_to_schema(
    DocumentStatus,
    "Processing status of a document.",
    {
        DocumentStatus.QUEUED: "Waiting to be processed.",
        DocumentStatus.PROCESSING: "Being parsed, split and indexed.",
        DocumentStatus.READY: "Processed; its content can be found.",
        DocumentStatus.FAILED: "Could not be processed; `failure` says why.",
    },
)

_add_to_schema(
    IngestionStage,
    "A stage of document processing.",
    {
        IngestionStage.PARSING: "Extracting the text and splitting it into chunks.",
        IngestionStage.CHUNKING: "Reserved: splitting is part of PARSING, and this stage is never reported.",
        IngestionStage.EMBEDDING: "Computing the vectors of the chunks.",
        IngestionStage.INDEXING: "Reserved: this stage is never reported.",
    },
)

_add_to_schema(
    EmbeddingSpaceState,
    "State of an embedding space.",
    {
        EmbeddingSpaceState.BUILDING: "Its vectors are being computed; another space is searched.",
        EmbeddingSpaceState.ACTIVE: "This space is searched.",
        EmbeddingSpaceState.RETIRED: "Replaced by another space, or cancelled before it was built.",
        EmbeddingSpaceState.FAILED: "Its vectors could not be computed.",
    },
)

_add_to_schema(
    MessageStatus,
    "Status of a message.",
    {
        MessageStatus.PENDING: "The answer has not started yet.",
        MessageStatus.STREAMING: "The answer is being generated.",
        MessageStatus.COMPLETED: "The message is complete. Questions always are.",
        MessageStatus.CANCELLED: "The answer was cancelled; its text so far is kept.",
        MessageStatus.FAILED: "The answer failed; `failure` says why.",
        MessageStatus.INTERRUPTED: "The server stopped or lost its database; the text so far is kept.",
    },
)

_add_to_schema(
    AnswerOutcome,
    "How an answer turned out.",
    {
        AnswerOutcome.CITED: "The answer has at least one valid citation.",
        AnswerOutcome.UNCITED: "The answer cites nothing. OPEN mode only.",
        AnswerOutcome.PASSED_THROUGH: "The question was answered without searching the documents.",
        AnswerOutcome.NO_SOURCES: "Nothing relevant was found; the answer is the project's `noSourcesText`.",
        AnswerOutcome.REJECTED: (
            "The sources do not support the model's answer; it was replaced with the project's `rejectedText`."
        ),
        AnswerOutcome.INSUFFICIENT: (
            "The model said that the sources do not contain the answer. Its text is kept, without citation markers."
        ),
    },
)

_add_to_schema(
    Route,
    "How a question is answered.",
    {
        Route.RAG: "From the project's documents.",
        Route.PASS_THROUGH: "By the model alone; the documents are not searched.",
    },
)

_add_to_schema(
    HealthStatus,
    "Health of a component or of the whole server.",
    {
        HealthStatus.OK: "Fully operational.",
        HealthStatus.DEGRADED: "Partly operational.",
        HealthStatus.DOWN: "Not operational.",
    },
)

_add_to_schema(
    FinishReason,
    "Why the model stopped.",
    {
        FinishReason.STOP: "The model finished its answer.",
        FinishReason.LENGTH: "The token limit was reached; the answer is cut off.",
        FinishReason.FILTER: "The provider's content filter stopped the answer.",
    },
)

_add_to_schema(
    FeedbackReason,
    "Why an answer helped or not.",
    {
        FeedbackReason.ACCURATE: "Helpful: the answer is right.",
        FeedbackReason.WELL_SOURCED: "Helpful: its sources are the right ones.",
        FeedbackReason.CLEAR: "Helpful: it is well written.",
        FeedbackReason.INCORRECT: "Not helpful: the answer is wrong.",
        FeedbackReason.INCOMPLETE: "Not helpful: something is missing.",
        FeedbackReason.IRRELEVANT: "Not helpful: it answers a different question.",
        FeedbackReason.UNSUPPORTED: "Not helpful: its sources do not support it.",
        FeedbackReason.OUTDATED: "Not helpful: its sources are out of date.",
        FeedbackReason.UNCLEAR: "Not helpful: it is hard to understand.",
        FeedbackReason.REFUSED: "Not helpful: it says that nothing was found, but the documents contain the answer.",
        FeedbackReason.OTHER: "Another reason, whether it helped or not.",
    },
)

_add_to_schema(
    NoticeCode,
    "What could not be done as requested.",
    {
        NoticeCode.EMBEDDER_UNAVAILABLE: "The embedding model was unavailable; only full-text search was used.",
        NoticeCode.RERANKER_UNAVAILABLE: "The reranker was unavailable; the results are in the order of the search.",
        NoticeCode.REFORMULATION_FAILED: (
            "The question could not be rewritten; the original question was used for the search."
        ),
        NoticeCode.RETRIEVAL_FAILED: (
            "Full-text search failed and only vectors were used, or the whole search failed and the answer "
            "has no sources."
        ),
        NoticeCode.DOCUMENTS_PENDING: (
            "Some documents of the project are still being processed; the message says how many."
        ),
        NoticeCode.NO_MATCHING_DOCUMENTS: (
            "No document matches `documentIds` and `documentFilter`, so there was nothing to search."
        ),
        NoticeCode.HISTORY_SHORTENED: "Earlier turns were left out to fit the context window.",
        NoticeCode.MAX_TOKENS_REDUCED: "The answer was granted fewer tokens than requested.",
        NoticeCode.CONTEXT_SHORTENED: (
            "No passage fits the context window in full, or passages were left out to stay within "
            "RAG_MAX_CONTEXT_CHARS."
        ),
        NoticeCode.INVENTED_CITATION_REMOVED: "A citation marker that points to no passage was removed.",
        NoticeCode.WEAK_CITATION: "A cited passage barely supports the sentence that cites it.",
        NoticeCode.INSUFFICIENT_SOURCES: "The sources do not seem to contain the answer, but the model gave one.",
        NoticeCode.TRUNCATION_SUSPECTED: "The model's server may have cut off the prompt.",
        NoticeCode.INSTRUCTIONS_IN_SOURCE: "A passage contains text that reads like instructions to the model.",
    },
)

_add_to_schema(
    BudgetSegmentKind,
    "A kind of content that takes up part of the context window.",
    {
        BudgetSegmentKind.SYSTEM: "System prompt and the server's own instructions.",
        BudgetSegmentKind.TOOLS: "Tool definitions.",
        BudgetSegmentKind.MEMORIES: "Facts about the user.",
        BudgetSegmentKind.CONTEXT: "Passages from the documents.",
        BudgetSegmentKind.HISTORY: "Earlier turns of the conversation.",
        BudgetSegmentKind.QUESTION: "The question.",
        BudgetSegmentKind.MARGIN: "Tokens reserved for the model's chat template.",
        BudgetSegmentKind.COMPLETION: "Tokens reserved for the answer.",
    },
)

_add_to_schema(
    Decision,
    "Why a passage was included in the prompt or left out.",
    {
        Decision.INCLUDED: "The passage is in the prompt.",
        Decision.SHORTENED: "Only the beginning of the passage is in the prompt.",
        Decision.BELOW_THRESHOLD: "Left out: its score is below the threshold.",
        Decision.OVER_BUDGET: "Left out: it does not fit.",
        Decision.DUPLICATE: "Left out: a better passage has the same text, or nearly the same and all of its words.",
        Decision.BEYOND_TOP_K: "Left out: `ragTopK` better passages were found.",
    },
)

_add_to_schema(
    TokenCounting,
    "How tokens were counted.",
    {
        TokenCounting.EXACT: "With the model's own tokenizer.",
        TokenCounting.CALIBRATED: (
            "Estimated, and corrected by the usage that the provider reported for earlier answers."
        ),
        TokenCounting.ESTIMATED: "Estimated, erring on the high side.",
    },
)

_add_to_schema(
    MessageRole,
    "Author of a message.",
    {
        MessageRole.USER: "The user: the message is a question.",
        MessageRole.ASSISTANT: "The model: the message is an answer.",
    },
)
