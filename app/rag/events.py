"""Events of an answer as plain values, which the pipeline yields and the log stores.

Every event is a snapshot: it can be read after the document it is about has been deleted.
"""

from dataclasses import dataclass
from typing import Literal

from app.rag.citations.citation_types import CheckedCitation, CitationUse
from app.rag.context.ledger import BudgetLedger
from app.statuses import AnswerOutcome, FinishReason, NoticeCode


@dataclass(frozen=True, slots=True)
class RetrievedPassage:
    """A passage as it was found. `document_id` is None in logs of earlier versions."""

    chunk_id: int
    document_title: str
    page: int | None
    heading: tuple[str, ...]
    text: str
    score: float
    vector_score: float | None
    document_id: str | None = None


@dataclass(frozen=True, slots=True)
class AnswerNotice:
    """A problem that the answer survived."""

    code: NoticeCode
    message: str


@dataclass(frozen=True, slots=True)
class AnswerUsage:
    """Times and tokens, including those of rewriting the question. Tokens are the provider's count, else ours."""

    model: str
    input_tokens: int
    output_tokens: int
    retrieval_ms: float | None
    first_token_ms: float | None
    total_ms: float


@dataclass(frozen=True, slots=True)
class QueryReformulatedEvent:
    """The question was rewritten; both wordings are searched."""

    original: str
    search_query: str
    kind: Literal["REFORMULATED"] = "REFORMULATED"


@dataclass(frozen=True, slots=True)
class RetrievalCompletedEvent:
    """Passages were searched; these passed the threshold, best first."""

    search_query: str
    passages: tuple[RetrievedPassage, ...]
    took_ms: float
    kind: Literal["RETRIEVAL_COMPLETED"] = "RETRIEVAL_COMPLETED"


@dataclass(frozen=True, slots=True)
class BudgetNegotiatedEvent:
    """The window has been allocated; the prompt is about to be sent."""

    budget: BudgetLedger
    kind: Literal["BUDGET_NEGOTIATED"] = "BUDGET_NEGOTIATED"


@dataclass(frozen=True, slots=True)
class ReasoningEvent:
    """A piece of a thinking model's reasoning."""

    text: str
    kind: Literal["REASONING"] = "REASONING"


@dataclass(frozen=True, slots=True)
class DeltaEvent:
    """The next piece of the answer, with final markers.

    `uses` are further uses of known citations, each with its index, so that an interrupted answer keeps them.
    """

    text: str
    uses: tuple[tuple[int, CitationUse], ...] = ()
    kind: Literal["DELTA"] = "DELTA"


@dataclass(frozen=True, slots=True)
class RefusalEvent(DeltaEvent):
    """The next piece of a text in which the model refuses to answer; the log stores it like any other text."""


@dataclass(frozen=True, slots=True)
class CitationAddedEvent:
    """A source is cited for the first time; the citation has its first use only."""

    citation: CheckedCitation
    kind: Literal["CITATION"] = "CITATION"


@dataclass(frozen=True, slots=True)
class NoticeEvent:
    """A problem occurred that the answer survived."""

    notice: AnswerNotice
    kind: Literal["NOTICE"] = "NOTICE"


@dataclass(frozen=True, slots=True)
class ReplacedEvent:
    """`content` replaces all text so far."""

    content: str
    outcome: AnswerOutcome
    kind: Literal["REPLACED"] = "REPLACED"


@dataclass(frozen=True, slots=True)
class CompletedEvent:
    """Last event of a successful answer: everything stored about it besides its text.

    `confidence` is the probability that the answer is right; None if it cites nothing.
    """

    outcome: AnswerOutcome
    finish_reason: FinishReason
    citations: tuple[CheckedCitation, ...]
    usage: AnswerUsage
    reported_input_tokens: int | None = None
    confidence: float | None = None
    kind: Literal["COMPLETED"] = "COMPLETED"


@dataclass(frozen=True, slots=True)
class CancelledEvent:
    """Last event of an answer that was cancelled."""

    kind: Literal["CANCELLED"] = "CANCELLED"


@dataclass(frozen=True, slots=True)
class FailedEvent:
    """Last event of an answer that failed; `code` is an AnswerFailureCode."""

    code: str
    message: str
    retryable: bool
    kind: Literal["FAILED"] = "FAILED"


ProgressEvent = (
    QueryReformulatedEvent
    | RetrievalCompletedEvent
    | BudgetNegotiatedEvent
    | ReasoningEvent
    | DeltaEvent
    | CitationAddedEvent
    | NoticeEvent
    | ReplacedEvent
)
"""The events that the pipeline yields before the last one, CompletedEvent."""

LoggedEvent = ProgressEvent | CompletedEvent | CancelledEvent | FailedEvent
"""The events in an answer's log; the last three end it."""
