"""Record how the context window was allocated: the share of each kind of content, and a decision for each passage."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.knowledge.search.passages import Passage
from app.rag.context.budget import BudgetGrant
from app.rag.context.selection import Selection
from app.statuses import BudgetSegmentKind, Decision, TokenCounting


@dataclass(frozen=True, slots=True)
class BudgetSegment:
    """The share of the window of one kind of content."""

    kind: BudgetSegmentKind
    tokens: int
    items_kept: int
    items_dropped: int


@dataclass(frozen=True, slots=True)
class PassageDecision:
    """Whether a passage is in the prompt, and if not, why."""

    chunk_id: int
    document_title: str
    score: float
    vector_score: float | None
    tokens: int
    decision: Decision


@dataclass(frozen=True, slots=True)
class BudgetLedger:
    """How the context window was allocated; `segments` sum to at most `context_window`."""

    context_window: int
    input_tokens: int
    requested_max_tokens: int | None
    adjusted_max_tokens: int
    segments: tuple[BudgetSegment, ...]
    candidates: tuple[PassageDecision, ...]
    counting: TokenCounting
    reported_input_tokens: int | None = None
    over_characters: int = 0


@dataclass(frozen=True, slots=True)
class SegmentTokens:
    """The tokens of each part of an assembled prompt; `total` counts the messages to send."""

    total: int
    context: int
    history: int
    question: int
    memories: int


@dataclass(frozen=True, slots=True)
class ItemCounts:
    """How many passages, turns and memories were available, and how many passages are shown."""

    candidates: int
    shown: int
    turns: int
    memories: int


def build_segments(
    window: int, tokens: SegmentTokens, items: ItemCounts, grant: BudgetGrant
) -> tuple[BudgetSegment, ...]:
    """The share of each kind. SYSTEM holds the rest of the total, so that the sum equals that of the messages."""
    system = max(0, tokens.total - tokens.context - tokens.history - tokens.question - tokens.memories)
    rest = window - system - tokens.context - tokens.history - tokens.question - tokens.memories - grant.completion
    return (
        BudgetSegment(BudgetSegmentKind.SYSTEM, system, 1, 0),
        BudgetSegment(
            BudgetSegmentKind.MEMORIES, tokens.memories, len(grant.memories), items.memories - len(grant.memories)
        ),
        BudgetSegment(BudgetSegmentKind.CONTEXT, tokens.context, items.shown, items.candidates - items.shown),
        BudgetSegment(BudgetSegmentKind.HISTORY, tokens.history, grant.turns, items.turns - grant.turns),
        BudgetSegment(BudgetSegmentKind.QUESTION, tokens.question, 1, 0),
        BudgetSegment(BudgetSegmentKind.MARGIN, max(0, min(grant.margin, rest)), 1, 0),
        BudgetSegment(BudgetSegmentKind.COMPLETION, grant.completion, 1, 0),
    )


def candidate_decisions(
    selection: Selection, grant: BudgetGrant, tokens: Sequence[int], *, shortened: bool
) -> tuple[PassageDecision, ...]:
    """A decision for each candidate in order, with its rendered `tokens`; then for those that selection left out."""
    decisions: list[PassageDecision] = []
    for index, (passage, count) in enumerate(zip(selection.candidates, tokens, strict=True)):
        decision = Decision.OVER_BUDGET
        if index in grant.candidates:
            decision = Decision.INCLUDED
        elif shortened and index == grant.shortened:
            decision = Decision.SHORTENED
        decisions.append(_build_decision(passage, count, decision))
    return (*decisions, *left_out_decisions(selection))


def left_out_decisions(selection: Selection) -> tuple[PassageDecision, ...]:
    """A decision for each passage that selection left out."""
    return tuple(_build_decision(passage, passage.token_count, decision) for passage, decision in selection.left_out)


def _build_decision(passage: Passage, tokens: int, decision: Decision) -> PassageDecision:
    return PassageDecision(
        passage.chunk_id, passage.document_title, passage.score, passage.vector_score, tokens, decision
    )
