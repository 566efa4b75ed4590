"""The budget ledger: how an answer's context window was divided."""

import strawberry

from app.graphql.context import Info
from app.graphql.enums import BudgetSegmentKind, Decision, TokenCounting
from app.graphql.types.documents import ChunkType, chunk_or_none
from app.rag.context import ledger as ledgers


@strawberry.type(name="BudgetSegment", description="The part of the context window that one kind of content takes up.")
class BudgetSegmentType:
    kind: BudgetSegmentKind = strawberry.field(description="Kind of content.")
    tokens: int = strawberry.field(description="Number of tokens.")
    items_kept: int = strawberry.field(description="Number of items that are in the prompt.")
    items_dropped: int = strawberry.field(description="Number of items that were left out.")

    @classmethod
    def from_model(cls, segment: ledgers.BudgetSegment) -> "BudgetSegmentType":
        return cls(
            kind=segment.kind,
            tokens=segment.tokens,
            items_kept=segment.items_kept,
            items_dropped=segment.items_dropped,
        )


@strawberry.type(name="CandidateDecision", description="A passage that was found, and whether it is in the prompt.")
class CandidateDecisionType:
    candidate: strawberry.Private[ledgers.PassageDecision]
    document_title: str = strawberry.field(description="Title of the document at the time of the search.")
    score: float = strawberry.field(description="Relevance, between 0 and 1. Higher is better.")
    vector_score: float | None = strawberry.field(
        description="Cosine similarity, between -1 and 1. Null if vectors were not compared."
    )
    tokens: int = strawberry.field(description="Number of tokens the passage takes, or would take.")
    decision: Decision = strawberry.field(description="Why the passage was included in the prompt or left out.")

    @strawberry.field(description="The chunk. Null if it no longer exists.")
    async def chunk(self, info: Info) -> ChunkType | None:
        return await chunk_or_none(info, self.candidate.chunk_id)

    @classmethod
    def from_model(cls, candidate: ledgers.PassageDecision) -> "CandidateDecisionType":
        return cls(
            candidate=candidate,
            document_title=candidate.document_title,
            score=candidate.score,
            vector_score=candidate.vector_score,
            tokens=candidate.tokens,
            decision=candidate.decision,
        )


@strawberry.type(name="BudgetLedger", description="How the context window was divided for an answer.")
class BudgetLedgerType:
    context_window: int = strawberry.field(
        description="Size of the model's context window: input and output tokens together."
    )
    input_tokens: int = strawberry.field(description="Number of tokens in the prompt, as counted by the server.")
    requested_max_tokens: int | None = strawberry.field(description="Requested maximum answer length, in tokens.")
    adjusted_max_tokens: int = strawberry.field(
        description="Maximum answer length after fitting the context window, in tokens."
    )
    segments: list[BudgetSegmentType] = strawberry.field(
        description="The parts of the context window. Their tokens add up to `contextWindow` or less."
    )
    candidates: list[CandidateDecisionType] = strawberry.field(description="All passages that were found, best first.")
    counting: TokenCounting = strawberry.field(description="How tokens were counted.")
    reported_input_tokens: int | None = strawberry.field(
        description="Number of tokens in the prompt, as reported by the provider. Null if it reported none."
    )

    @classmethod
    def from_model(cls, ledger: ledgers.BudgetLedger) -> "BudgetLedgerType":
        return cls(
            context_window=ledger.context_window,
            input_tokens=ledger.input_tokens,
            requested_max_tokens=ledger.requested_max_tokens,
            adjusted_max_tokens=ledger.adjusted_max_tokens,
            segments=[BudgetSegmentType.from_model(segment) for segment in ledger.segments],
            candidates=[CandidateDecisionType.from_model(candidate) for candidate in ledger.candidates],
            counting=ledger.counting,
            reported_input_tokens=ledger.reported_input_tokens,
        )
