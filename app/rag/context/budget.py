"""Share out the context window among the parts of a prompt and the answer. Pure.

Like flexbox: every segment has a basis, some may shrink, some may grow, and the window is the container. The sum of
what is granted never exceeds the window; what may not shrink and does not fit raises ContextTooLong.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from app import errors
from app.providers.tokens import Counting

SegmentKind = Literal["SYSTEM", "TOOLS", "MEMORIES", "CONTEXT", "HISTORY", "QUESTION", "MARGIN", "COMPLETION"]
DecisionCode = Literal["INCLUDED", "SHORTENED", "BELOW_THRESHOLD", "OVER_BUDGET", "DUPLICATE", "BEYOND_TOP_K"]

# For what a server's chat template adds that we do not see; more with context, whose fences it may split differently.
MARGIN = 100
MARGIN_WITH_CONTEXT = 250
# Fewer tokens than this hold no meaningful answer (unless fewer were asked for).
LEAST_COMPLETION = 500
# What memories may take of what is available, at most: one part of so many.
MEMORY_PART = 10


@dataclass(frozen=True, slots=True)
class CandidateSize:
    """A passage that retrieval chose: its tokens as the prompt shows it, with fence and title, and its characters."""

    tokens: int
    characters: int


@dataclass(frozen=True, slots=True)
class BudgetDemand:
    """Everything that wants a place. `turns` are the tokens of earlier turns, newest first; `candidates` best first.

    `memories` are tokens too, most important first; `memory_heading` is what the first of them costs beside its own.
    """

    window: int
    system: int
    question: int
    turns: Sequence[int]
    candidates: Sequence[CandidateSize]
    max_tokens: int
    ratio: float
    max_context_tokens: int
    max_context_chars: int | None = None
    memories: Sequence[int] = ()
    memory_heading: int = 0


@dataclass(frozen=True, slots=True)
class BudgetGrant:
    """Who got what: how many of the newest turns, which candidates and memories (by index), tokens for the answer."""

    turns: int
    candidates: tuple[int, ...]
    shortened: int | None
    context_room: int
    completion: int
    margin: int
    memories: tuple[int, ...] = ()
    over_characters: int = 0
    """Candidates that had room but for the limit on characters."""


def adjusted_max_tokens(window: int, input_tokens: int, requested: int, margin: int = MARGIN) -> int:
    """The answer's tokens when the input is fixed: seed 001's formula; a smaller request is its own floor."""
    return max(min(LEAST_COMPLETION, requested), min(requested, window - input_tokens - margin))


def negotiate_budget(demand: BudgetDemand) -> BudgetGrant:
    """Share out the window. Raises ContextTooLong when what never shrinks does not fit with the least answer."""
    margin = MARGIN_WITH_CONTEXT if demand.candidates else MARGIN
    least = min(LEAST_COMPLETION, demand.max_tokens)
    free = demand.window - demand.system - demand.question - margin
    if free < least:
        raise errors.ContextTooLong(
            f"The system prompt and the question take {demand.window - free:,} tokens with the safety margin; with "
            f"at least {least:,} for the answer that is more than the model's window of {demand.window:,}."
        )
    # The newest earlier turn is the last of the history to go.
    newest = demand.turns[0] if demand.turns and free - demand.turns[0] >= least else 0
    available = free - newest
    claim = min(int(demand.ratio * available), demand.max_context_tokens)
    completion_claim = max(least, available - claim)
    # Each may grow into what the other does not use: a small request leaves more room for passages.
    room = min(available - min(demand.max_tokens, completion_claim), demand.max_context_tokens)
    room = max(0, min(room, available - least))
    chosen, used, over_characters = _pack_candidates(demand.candidates, room, demand.max_context_chars)
    shortened = 0 if demand.candidates and not chosen and room > 0 else None
    if shortened is not None:
        used = room
    completion = min(demand.max_tokens, available - used)
    rest = available - used - completion
    memories, taken = _pack_memories(demand, min(rest, available // MEMORY_PART))
    turns = _count_turns(demand.turns, rest - taken) if newest else 0
    return BudgetGrant(turns, tuple(chosen), shortened, room, completion, margin, memories, over_characters)


def _pack_candidates(
    candidates: Sequence[CandidateSize], room: int, characters: int | None
) -> tuple[list[int], int, int]:
    """Walk by relevance; skip what does not fit and go on: a long passage does not cost a short one its place."""
    chosen: list[int] = []
    used = over_characters = 0
    for number, candidate in enumerate(candidates):
        fits = characters is None or candidate.characters <= characters
        if used + candidate.tokens > room:
            continue
        if not fits:
            over_characters += 1
        else:
            chosen.append(number)
            used += candidate.tokens
            characters = None if characters is None else characters - candidate.characters
    return chosen, used, over_characters


def _pack_memories(demand: BudgetDemand, room: int) -> tuple[tuple[int, ...], int]:
    """The most important that fit, and what they take; one that is too long does not cost the others their place."""
    chosen: list[int] = []
    used = demand.memory_heading
    for number, tokens in enumerate(demand.memories):
        if used + tokens <= room:
            chosen.append(number)
            used += tokens
    return tuple(chosen), used if chosen else 0


def _count_turns(turns: Sequence[int], room: int) -> int:
    """How many turns stay: the newest, whose place is kept, and older ones, whole and without a gap."""
    kept = 1
    for tokens in turns[1:]:
        if tokens > room:
            break
        room -= tokens
        kept += 1
    return kept


@dataclass(frozen=True, slots=True)
class BudgetSegment:
    """What one kind of content got of the window."""

    kind: SegmentKind
    tokens: int
    items_kept: int
    items_dropped: int


@dataclass(frozen=True, slots=True)
class PassageDecision:
    """Why a passage is in the prompt or not."""

    chunk_id: int
    document_title: str
    score: float
    vector_score: float | None
    tokens: int
    decision: DecisionCode


@dataclass(frozen=True, slots=True)
class BudgetLedger:
    """How the context window was shared out; `segments` sum to at most `context_window`."""

    context_window: int
    input_tokens: int
    requested_max_tokens: int | None
    adjusted_max_tokens: int
    segments: tuple[BudgetSegment, ...]
    candidates: tuple[PassageDecision, ...]
    counting: Counting
    reported_input_tokens: int | None = None
    over_characters: int = 0
