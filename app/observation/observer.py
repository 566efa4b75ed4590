"""The observer interface behind metrics and logs, and the records that observers receive.

Records hold ids, counts and times: no text of documents or answers, and no secrets.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from app.statuses import AnswerOutcome, DocumentStatus, IngestionStage, Route

log = logging.getLogger(__name__)

ModelCallKind = Literal["CHAT", "EMBEDDING", "RERANK"]


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """One answer that has ended. Times are in milliseconds.

    `outcome` is None if the answer did not complete; `failure` is then an AnswerFailureCode, or CANCELLED. `chunks` are
    the passages in the prompt. `support` is the mean of all citations' uses, from 0 to 1. `question` is for debugging
    only.
    """

    request_id: str | None
    model: str
    project_id: str
    user_id: str
    session_id: str | None
    message_id: str | None
    question: str
    rag_enabled: bool
    route: Route | None
    outcome: AnswerOutcome | None
    failure: str | None
    top_k: int
    chunks: int
    mean_score: float | None
    citations: int
    support: float | None
    context_window: int | None
    context_tokens: int
    input_tokens: int
    output_tokens: int | None
    max_tokens_requested: int | None
    max_tokens_granted: int | None
    retrieval_ms: float | None
    first_token_ms: float | None
    total_ms: float

    @property
    def is_reduced(self) -> bool:
        """Whether the answer was granted fewer tokens than requested."""
        granted, requested = self.max_tokens_granted, self.max_tokens_requested
        return granted is not None and requested is not None and granted < requested


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call of a model, on a server or in this process.

    `first_piece_ms` and the tokens are known for streamed answers only.
    `error` is an AnswerFailureCode, or CANCELLED; None if the call succeeded.
    """

    model: str
    kind: ModelCallKind
    duration_ms: float
    first_piece_ms: float | None
    input_tokens: int | None
    output_tokens: int | None
    error: str | None


@dataclass(frozen=True, slots=True)
class AnswerLogWrite:
    """Events of running answers, written in one transaction. `waited_ms`: how long the oldest waited for it."""

    answers: int
    events: int
    waited_ms: float


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """A document whose processing has ended, READY or FAILED.

    Documents that are stored together share the times of embedding and indexing.
    """

    document_id: str
    project_id: str
    status: DocumentStatus
    failure_code: str | None
    chunks: int
    stage_ms: Mapping[IngestionStage, float]


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """An HTTP request that has been answered, or a WebSocket that has been closed. Times are in milliseconds.

    `status` is None if the client was gone before there was one; that of an accepted WebSocket is 101. `path` has no
    query, and `area` is its part of the server, such as `graphql`, of which there are few.
    """

    id: str
    method: str
    path: str
    area: str
    status: int | None
    duration_ms: float
    user_id: str | None


@dataclass(frozen=True, slots=True)
class EventDeliveryRecord:
    """Events that were to be delivered to a destination, together.

    `lag_seconds`: for each that was delivered, the time since it was written; 0 if the clock of the server that wrote
    it is ahead. `unreachable` is 1 if the destination took no more of them, else 0. Events that were given up or
    dropped are lost; those that were refused are tried again, unless they were given up.
    """

    destination: str
    lag_seconds: tuple[float, ...]
    refused: int
    unreachable: int
    given_up: int
    dropped: int


Record = AnswerRecord | ModelCall | AnswerLogWrite | DocumentRecord | RequestRecord | EventDeliveryRecord


class Observer(Protocol):
    """Receives records of what happens in the server."""

    def observe(self, record: Record) -> None:
        """Handle a record. This is called on the event loop, so it must return at once."""
        ...


class GuardedObservers:
    """Passes each record on to all observers. If one raises an error, it is logged, and the observed work continues."""

    def __init__(self, *observers: Observer) -> None:
        self._observers = observers

    def observe(self, record: Record) -> None:
        """Pass a record on."""
        for observer in self._observers:
            try:
                observer.observe(record)
            except Exception:  # losing a metric harms nobody; losing an answer would
                log.exception("the observer failed")
