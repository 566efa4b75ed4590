"""What happens while an answer is given, as plain values: what the pipeline yields and the journal keeps.

Every event is a snapshot: it can be read when the document it tells of is gone.
"""

from dataclasses import dataclass
from typing import Literal

from app.rag.citations.citation_stream import Citation, Use
from app.rag.context.budget import Ledger

Outcome = Literal["CITED", "UNCITED", "PASSED_THROUGH", "NO_SOURCES", "REJECTED", "INSUFFICIENT"]


@dataclass(frozen=True, slots=True)
class PassageSnapshot:
    """A passage as it was found."""

    chunk_id: int
    document_title: str
    page: int | None
    heading: tuple[str, ...]
    text: str
    score: float
    vector_score: float | None


@dataclass(frozen=True, slots=True)
class Notice:
    """Something went less well than asked; `code` is a NoticeCode."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Usage:
    """What the answer took, a rewritten question included; tokens as the provider counted them, else as we did."""

    model: str
    input_tokens: int
    output_tokens: int
    retrieval_ms: float | None
    first_token_ms: float | None
    total_ms: float


@dataclass(frozen=True, slots=True)
class QueryReformulated:
    """The question was rewritten; both wordings are searched."""

    original: str
    search_query: str
    kind: Literal["REFORMULATED"] = "REFORMULATED"


@dataclass(frozen=True, slots=True)
class RetrievalCompleted:
    """Passages were searched; these passed the threshold, best first."""

    search_query: str
    passages: tuple[PassageSnapshot, ...]
    took_ms: float
    kind: Literal["RETRIEVAL_COMPLETED"] = "RETRIEVAL_COMPLETED"


@dataclass(frozen=True, slots=True)
class BudgetNegotiated:
    """The window is shared out; the prompt is about to be sent."""

    budget: Ledger
    kind: Literal["BUDGET_NEGOTIATED"] = "BUDGET_NEGOTIATED"


@dataclass(frozen=True, slots=True)
class Reasoning:
    """A piece of what a thinking model thinks."""

    text: str
    kind: Literal["REASONING"] = "REASONING"


@dataclass(frozen=True, slots=True)
class Delta:
    """The next piece of the answer, with final markers.

    `uses` are further uses of citations that were added before, by their index: an answer that breaks off keeps them.
    """

    text: str
    uses: tuple[tuple[int, Use], ...] = ()
    kind: Literal["DELTA"] = "DELTA"


@dataclass(frozen=True, slots=True)
class CitationAdded:
    """A source is cited for the first time; the citation has its first use only."""

    citation: Citation
    kind: Literal["CITATION"] = "CITATION"


@dataclass(frozen=True, slots=True)
class NoticeGiven:
    """See Notice."""

    notice: Notice
    kind: Literal["NOTICE"] = "NOTICE"


@dataclass(frozen=True, slots=True)
class Replaced:
    """The text so far is withdrawn for this one."""

    content: str
    outcome: Outcome
    kind: Literal["REPLACED"] = "REPLACED"


@dataclass(frozen=True, slots=True)
class Completed:
    """Last event of a successful answer: all that is kept of it beside its text."""

    outcome: Outcome
    finish_reason: str
    citations: tuple[Citation, ...]
    usage: Usage
    reported_input_tokens: int | None = None
    kind: Literal["COMPLETED"] = "COMPLETED"


@dataclass(frozen=True, slots=True)
class Cancelled:
    """Last event of an answer that was cancelled."""

    kind: Literal["CANCELLED"] = "CANCELLED"


@dataclass(frozen=True, slots=True)
class Failed:
    """Last event of an answer that broke off; `code` is an AnswerFailureCode."""

    code: str
    message: str
    retryable: bool
    kind: Literal["FAILED"] = "FAILED"


Happening = (
    QueryReformulated
    | RetrievalCompleted
    | BudgetNegotiated
    | Reasoning
    | Delta
    | CitationAdded
    | NoticeGiven
    | Replaced
)
"""What the pipeline yields before its last event, Completed."""

Event = Happening | Completed | Cancelled | Failed
"""What stands in an answer's log; the last three end it."""
