"""Allocate the context window to the parts of a prompt and the answer. Pure.

It works like flexbox: the window is the container, every segment has a basis, and some may shrink or grow. The sum of
the grants never exceeds the window; ContextTooLong is raised if the segments that cannot shrink do not fit.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from app import errors

# For tokens that a server's chat template adds; more with context, because tokenizers split its delimiters differently.
MARGIN = 100
MARGIN_WITH_CONTEXT = 250
# A meaningful answer needs at least this many tokens (unless fewer were requested).
MIN_COMPLETION = 500
# Memories may take at most this fraction of the available tokens: one in ten.
MEMORY_PART = 10


@dataclass(frozen=True, slots=True)
class CandidateSize:
    """The size of a candidate: tokens including delimiters and title, and characters of its text."""

    tokens: int
    characters: int


@dataclass(frozen=True, slots=True)
class BudgetDemand:
    """Everything that needs tokens of the window. `turns` are the tokens of earlier turns, newest first.

    `candidates` are best first. `memories` are tokens too, most important first; `memory_heading` those of the heading.
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
    """The outcome: how many of the newest turns, which candidates and memories (by index), tokens for the answer."""

    turns: int
    candidates: tuple[int, ...]
    shortened: int | None
    context_limit: int
    completion: int
    margin: int
    memories: tuple[int, ...] = ()
    over_characters: int = 0
    """Candidates left out only because of the limit on characters."""


def negotiate_budget(demand: BudgetDemand) -> BudgetGrant:
    """Allocate the window. Raises ContextTooLong if the fixed parts leave too little for the shortest answer."""
    margin = MARGIN_WITH_CONTEXT if demand.candidates else MARGIN
    min_completion = min(MIN_COMPLETION, demand.max_tokens)
    free = demand.window - demand.system - demand.question - margin
    if free < min_completion:
        raise errors.ContextTooLong(
            f"The system prompt and the question take {demand.window - free:,} tokens with the safety margin; with "
            f"at least {min_completion:,} for the answer that is more than the model's window of {demand.window:,}."
        )
    # The newest earlier turn is the last part of the history to be dropped.
    newest = demand.turns[0] if demand.turns and free - demand.turns[0] >= min_completion else 0
    available = free - newest
    claim = min(int(demand.ratio * available), demand.max_context_tokens)
    completion_claim = max(min_completion, available - claim)
    # Context and answer may each use what the other leaves: a shorter answer allows more passages.
    context_limit = min(available - min(demand.max_tokens, completion_claim), demand.max_context_tokens)
    context_limit = max(0, min(context_limit, available - min_completion))
    chosen, used, over_characters = _pack_candidates(demand.candidates, context_limit, demand.max_context_chars)
    shortened = 0 if demand.candidates and not chosen and context_limit > 0 else None
    if shortened is not None:
        used = context_limit
    completion = min(demand.max_tokens, available - used)
    rest = available - used - completion
    memories, taken = _pack_memories(demand, min(rest, available // MEMORY_PART))
    turns = _count_turns(demand.turns, rest - taken) if newest else 0
    return BudgetGrant(turns, tuple(chosen), shortened, context_limit, completion, margin, memories, over_characters)


def _pack_candidates(
    candidates: Sequence[CandidateSize], limit: int, characters: int | None
) -> tuple[list[int], int, int]:
    """Pack by relevance, skipping passages that do not fit: a shorter one further down still may."""
    chosen: list[int] = []
    used = over_characters = 0
    for number, candidate in enumerate(candidates):
        fits = characters is None or candidate.characters <= characters
        if used + candidate.tokens > limit:
            continue
        if not fits:
            over_characters += 1
        else:
            chosen.append(number)
            used += candidate.tokens
            characters = None if characters is None else characters - candidate.characters
    return chosen, used, over_characters


def _pack_memories(demand: BudgetDemand, limit: int) -> tuple[tuple[int, ...], int]:
    """The most important memories that fit, and their tokens; one that is too long is skipped."""
    chosen: list[int] = []
    used = demand.memory_heading
    for number, tokens in enumerate(demand.memories):
        if used + tokens <= limit:
            chosen.append(number)
            used += tokens
    return tuple(chosen), used if chosen else 0


def _count_turns(turns: Sequence[int], left: int) -> int:
    """How many turns stay: the newest, whose tokens are reserved, and older ones, complete and without gaps."""
    kept = 1
    for tokens in turns[1:]:
        if tokens > left:
            break
        left -= tokens
        kept += 1
    return kept
