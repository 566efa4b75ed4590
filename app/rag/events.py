"""Events of an answer, as plain values: what the pipeline yields and the log keeps.

Every event is a snapshot: it can be read after the document it is about has been deleted.
"""

from dataclasses import dataclass
from typing import Literal

from app.rag.citations.values import CheckedCitation, CitationPlace
from app.rag.context.budget import BudgetLedger

OutcomeName = Literal["CITED", "UNCITED", "PASSED_THROUGH", "NO_SOURCES", "REJECTED", "INSUFFICIENT"]


@dataclass(frozen=True, slots=True)
class RetrievedPassage:
    """A passage as it was found."""

    chunk_id: int
    document_title: str
    page: int | None
    heading: tuple[str, ...]
    text: str
    score: float
    vector_score: float | None


@dataclass(frozen=True, slots=True)
class AnswerNotice:
    """Something went less well than asked; `code` is a NoticeCode."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class AnswerUsage:
    """Time and tokens, including those of a rewritten question; tokens as the provider counted them, else as we did."""

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
    """The window has been shared out; the prompt is about to be sent."""

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

    `uses` are further uses of citations that were added before, by their index: an answer that breaks off keeps them.
    """

    text: str
    uses: tuple[tuple[int, CitationPlace], ...] = ()
    kind: Literal["DELTA"] = "DELTA"


@dataclass(frozen=True, slots=True)
class CitationAddedEvent:
    """A source is cited for the first time; the citation has its first use only."""

    citation: CheckedCitation
    kind: Literal["CITATION"] = "CITATION"


@dataclass(frozen=True, slots=True)
class NoticeEvent:
    """Something went less well than asked while the answer was given."""

    notice: AnswerNotice
    kind: Literal["NOTICE"] = "NOTICE"


@dataclass(frozen=True, slots=True)
class ReplacedEvent:
    """The text so far is withdrawn and replaced by this one."""

    content: str
    outcome: OutcomeName
    kind: Literal["REPLACED"] = "REPLACED"


@dataclass(frozen=True, slots=True)
class CompletedEvent:
    """Last event of a successful answer: everything that is kept of it besides its text."""

    outcome: OutcomeName
    finish_reason: str
    citations: tuple[CheckedCitation, ...]
    usage: AnswerUsage
    reported_input_tokens: int | None = None
    kind: Literal["COMPLETED"] = "COMPLETED"


@dataclass(frozen=True, slots=True)
class CancelledEvent:
    """Last event of an answer that was cancelled."""

    kind: Literal["CANCELLED"] = "CANCELLED"


@dataclass(frozen=True, slots=True)
class FailedEvent:
    """Last event of an answer that broke off; `code` is an AnswerFailureCode."""

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
"""What the pipeline yields before its last event, CompletedEvent."""

LoggedEvent = ProgressEvent | CompletedEvent | CancelledEvent | FailedEvent
"""What an answer's log holds; the last three end it."""
