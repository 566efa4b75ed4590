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
from app.statuses import DocumentStatus as DocumentStatus
from app.statuses import EmbeddingSpaceState as EmbeddingSpaceState
from app.statuses import IngestionStage as IngestionStage
from app.statuses import MessageStatus as MessageStatus
from app.statuses import Route as Route

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
        EmbeddingSpaceState.RETIRED: "Replaced by another space.",
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
        MessageStatus.INTERRUPTED: "The server stopped; the text so far is kept.",
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
        AnswerOutcome.REJECTED: "The model's answer cited nothing; it was replaced with the project's `rejectedText`.",
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
