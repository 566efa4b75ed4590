"""The ledger of an answer in; how its context window was shared out, and why each passage is in or out."""

from enum import Enum

import strawberry

from app.graphql.context import Info
from app.graphql.types.documents import Chunk, chunk_or_none
from app.rag.context import budget


@strawberry.enum(description="A kind of content that takes part of the context window.")
class BudgetSegmentKind(Enum):
    """See its description."""

    SYSTEM = strawberry.enum_value("SYSTEM", description="System prompt and policy.")
    TOOLS = strawberry.enum_value("TOOLS", description="Tool definitions.")
    MEMORIES = strawberry.enum_value("MEMORIES", description="Facts kept about the asker.")
    CONTEXT = strawberry.enum_value("CONTEXT", description="Passages of the documents.")
    HISTORY = strawberry.enum_value("HISTORY", description="Earlier turns.")
    QUESTION = strawberry.enum_value("QUESTION", description="The question.")
    MARGIN = strawberry.enum_value("MARGIN", description="Kept free for what a chat template adds.")
    COMPLETION = strawberry.enum_value("COMPLETION", description="Granted to the answer.")


@strawberry.type(description="What one kind of content got of the window.")
class BudgetSegment:
    """See its description."""

    kind: BudgetSegmentKind = strawberry.field(description="Which kind.")
    tokens: int = strawberry.field(description="Tokens it takes.")
    items_kept: int = strawberry.field(description="How many of its items are in.")
    items_dropped: int = strawberry.field(description="How many were left out.")

    @classmethod
    def from_model(cls, segment: budget.Segment) -> "BudgetSegment":
        """Of a ledger's segment."""
        return cls(
            kind=BudgetSegmentKind(segment.kind),
            tokens=segment.tokens,
            items_kept=segment.items_kept,
            items_dropped=segment.items_dropped,
        )


@strawberry.enum(description="Why a passage is in the prompt or not.")
class Decision(Enum):
    """See its description."""

    INCLUDED = strawberry.enum_value("INCLUDED", description="It is in the prompt.")
    SHORTENED = strawberry.enum_value("SHORTENED", description="Its beginning is in the prompt.")
    BELOW_THRESHOLD = strawberry.enum_value("BELOW_THRESHOLD", description="It is not relevant enough.")
    OVER_BUDGET = strawberry.enum_value("OVER_BUDGET", description="It does not fit.")
    DUPLICATE = strawberry.enum_value("DUPLICATE", description="A better one has the same text.")
    BEYOND_TOP_K = strawberry.enum_value("BEYOND_TOP_K", description="Enough better ones were found.")


@strawberry.type(description="A passage that was found, and whether it is in the prompt.")
class CandidateDecision:
    """See its description."""

    candidate: strawberry.Private[budget.CandidateDecision]
    document_title: str = strawberry.field(description="Title of its document at that time.")
    score: float = strawberry.field(description="Fused relevance in [0, 1]; higher is better.")
    vector_score: float | None = strawberry.field(description="Cosine similarity in [-1, 1].")
    tokens: int = strawberry.field(description="Tokens that it takes or would take.")
    decision: Decision = strawberry.field(description="Why it is in or out.")

    @strawberry.field(description="The passage, as long as it is there.")
    async def chunk(self, info: Info) -> Chunk | None:
        """See its description."""
        return await chunk_or_none(info, self.candidate.chunk_id)

    @classmethod
    def from_model(cls, candidate: budget.CandidateDecision) -> "CandidateDecision":
        """Of a ledger's candidate."""
        return cls(
            candidate=candidate,
            document_title=candidate.document_title,
            score=candidate.score,
            vector_score=candidate.vector_score,
            tokens=candidate.tokens,
            decision=Decision(candidate.decision),
        )


@strawberry.enum(description="How tokens were counted.")
class TokenCounting(Enum):
    """See its description."""

    EXACT = strawberry.enum_value("EXACT", description="By the model's own tokenizer.")
    CALIBRATED = strawberry.enum_value("CALIBRATED", description="By an estimate corrected with reported usage.")
    ESTIMATED = strawberry.enum_value("ESTIMATED", description="By a cautious estimate.")


@strawberry.type(description="How the context window was shared out, kept with the answer.")
class BudgetLedger:
    """See its description."""

    context_window: int = strawberry.field(description="Tokens of input and output together.")
    input_tokens: int = strawberry.field(description="Tokens of the prompt as we counted them.")
    requested_max_tokens: int | None = strawberry.field(description="Tokens asked for the answer.")
    adjusted_max_tokens: int = strawberry.field(description="Tokens granted to the answer; sent to the model.")
    segments: list[BudgetSegment] = strawberry.field(description="Who got what; sums to at most `contextWindow`.")
    candidates: list[CandidateDecision] = strawberry.field(description="Every passage found, best first.")
    counting: TokenCounting = strawberry.field(description="How tokens were counted.")
    reported_input_tokens: int | None = strawberry.field(description="What the provider said it read, when it said so.")

    @classmethod
    def from_model(cls, ledger: budget.Ledger) -> "BudgetLedger":
        """Of the pipeline's ledger."""
        return cls(
            context_window=ledger.context_window,
            input_tokens=ledger.input_tokens,
            requested_max_tokens=ledger.requested_max_tokens,
            adjusted_max_tokens=ledger.adjusted_max_tokens,
            segments=[BudgetSegment.from_model(segment) for segment in ledger.segments],
            candidates=[CandidateDecision.from_model(candidate) for candidate in ledger.candidates],
            counting=TokenCounting(ledger.counting),
            reported_input_tokens=ledger.reported_input_tokens,
        )
