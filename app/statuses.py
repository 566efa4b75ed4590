"""Statuses and outcomes: one enum each, shared by the database, the services and every API."""

from enum import StrEnum


class DocumentStatus(StrEnum):
    """Status of a document. The documents table is the ingestion queue."""

    QUEUED = "QUEUED"
    PROCESSING = "PROCESSING"
    READY = "READY"
    FAILED = "FAILED"


class IngestionStage(StrEnum):
    """Stage of a document that is being processed."""

    PARSING = "PARSING"
    CHUNKING = "CHUNKING"
    EMBEDDING = "EMBEDDING"
    INDEXING = "INDEXING"


class EmbeddingSpaceState(StrEnum):
    """State of an embedding space."""

    BUILDING = "BUILDING"
    ACTIVE = "ACTIVE"
    RETIRED = "RETIRED"
    FAILED = "FAILED"


class MessageStatus(StrEnum):
    """Status of a message. Questions are always COMPLETED."""

    PENDING = "PENDING"
    STREAMING = "STREAMING"
    COMPLETED = "COMPLETED"
    CANCELLED = "CANCELLED"
    FAILED = "FAILED"
    INTERRUPTED = "INTERRUPTED"


RUNNING = (MessageStatus.PENDING, MessageStatus.STREAMING)
"""Statuses of an answer that is still being generated; all others are final."""


class Route(StrEnum):
    """How a question is answered: from documents, or by the model alone."""

    RAG = "RAG"
    PASS_THROUGH = "PASS_THROUGH"  # noqa: S105 - not a password


class AnswerOutcome(StrEnum):
    """How a complete answer turned out."""

    CITED = "CITED"
    UNCITED = "UNCITED"
    PASSED_THROUGH = "PASSED_THROUGH"
    NO_SOURCES = "NO_SOURCES"
    REJECTED = "REJECTED"
    INSUFFICIENT = "INSUFFICIENT"


ANSWERED = frozenset({AnswerOutcome.CITED, AnswerOutcome.UNCITED, AnswerOutcome.PASSED_THROUGH})
"""Outcomes of answers that stand as the model gave them."""

REFUSED = frozenset(AnswerOutcome) - ANSWERED
"""Outcomes of answers that do not answer the question."""


class MessageRole(StrEnum):
    """Author of a message of a chat session."""

    USER = "USER"
    ASSISTANT = "ASSISTANT"


class FeedbackReason(StrEnum):
    """Why a user found an answer helpful or not."""

    ACCURATE = "ACCURATE"
    WELL_SOURCED = "WELL_SOURCED"
    CLEAR = "CLEAR"
    INCORRECT = "INCORRECT"
    INCOMPLETE = "INCOMPLETE"
    IRRELEVANT = "IRRELEVANT"
    UNSUPPORTED = "UNSUPPORTED"
    OUTDATED = "OUTDATED"
    UNCLEAR = "UNCLEAR"
    REFUSED = "REFUSED"
    OTHER = "OTHER"


class FinishReason(StrEnum):
    """Why a model stopped."""

    STOP = "STOP"
    LENGTH = "LENGTH"
    FILTER = "FILTER"


class NoticeCode(StrEnum):
    """What could not be done as requested, although the request succeeded."""

    EMBEDDER_UNAVAILABLE = "EMBEDDER_UNAVAILABLE"
    RERANKER_UNAVAILABLE = "RERANKER_UNAVAILABLE"
    REFORMULATION_FAILED = "REFORMULATION_FAILED"
    RETRIEVAL_FAILED = "RETRIEVAL_FAILED"
    DOCUMENTS_PENDING = "DOCUMENTS_PENDING"
    NO_MATCHING_DOCUMENTS = "NO_MATCHING_DOCUMENTS"
    HISTORY_SHORTENED = "HISTORY_SHORTENED"
    MAX_TOKENS_REDUCED = "MAX_TOKENS_REDUCED"
    CONTEXT_SHORTENED = "CONTEXT_SHORTENED"
    INVENTED_CITATION_REMOVED = "INVENTED_CITATION_REMOVED"
    WEAK_CITATION = "WEAK_CITATION"
    INSUFFICIENT_SOURCES = "INSUFFICIENT_SOURCES"
    TRUNCATION_SUSPECTED = "TRUNCATION_SUSPECTED"
    INSTRUCTIONS_IN_SOURCE = "INSTRUCTIONS_IN_SOURCE"


class BudgetSegmentKind(StrEnum):
    """A kind of content that takes up part of the context window."""

    SYSTEM = "SYSTEM"
    TOOLS = "TOOLS"
    MEMORIES = "MEMORIES"
    CONTEXT = "CONTEXT"
    HISTORY = "HISTORY"
    QUESTION = "QUESTION"
    MARGIN = "MARGIN"
    COMPLETION = "COMPLETION"


class Decision(StrEnum):
    """Why a found passage is in the prompt, or was left out."""

    INCLUDED = "INCLUDED"
    SHORTENED = "SHORTENED"
    BELOW_THRESHOLD = "BELOW_THRESHOLD"
    OVER_BUDGET = "OVER_BUDGET"
    DUPLICATE = "DUPLICATE"
    BEYOND_TOP_K = "BEYOND_TOP_K"


IN_THE_PROMPT = (Decision.INCLUDED, Decision.SHORTENED)
"""Decisions of passages that the model sees."""


class TokenCounting(StrEnum):
    """How tokens were counted."""

    EXACT = "EXACT"
    CALIBRATED = "CALIBRATED"
    ESTIMATED = "ESTIMATED"
