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
    PASS_THROUGH = "PASS_THROUGH"  # noqa: S105 - a word, no password


class AnswerOutcome(StrEnum):
    """How a complete answer turned out."""

    CITED = "CITED"
    UNCITED = "UNCITED"
    PASSED_THROUGH = "PASSED_THROUGH"
    NO_SOURCES = "NO_SOURCES"
    REJECTED = "REJECTED"
    INSUFFICIENT = "INSUFFICIENT"
