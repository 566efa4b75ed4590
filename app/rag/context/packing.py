"""A conversation and candidate passages in; a prompt that fits the model's window out, with the ledger. Pure.

Everything is counted as it will be sent, and the sum is checked on the assembled messages: nothing is added after that.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app import addresses, errors, language
from app.knowledge.search.hybrid import Passage
from app.providers import base
from app.providers.tokens import TokenCounter
from app.rag.citations.citation_stream import Source
from app.rag.context import budget, escaping, prompt
from app.rag.context.selection import Selected
from app.rag.request import Settings
from app.rag.search_queries import Conversation


@dataclass(frozen=True, slots=True)
class Fitted:
    """What is sent, the sources that may be cited, what the answer may take, and how it came to that."""

    prompt: base.Prompt
    sources: tuple[Source, ...]
    max_tokens: int | None
    ledger: budget.Ledger


def fit(
    talk: Conversation,
    selected: Selected,
    settings: Settings,
    *,
    window: int,
    counter: TokenCounter,
    fence: str,
    memories: Sequence[str] = (),
) -> Fitted:
    """Negotiate the budget and assemble the prompt. Raises ContextTooLong when what may not shrink does not fit.

    Without candidates there is nothing to cite: no policy asks for it, and brackets are left as they are.
    """
    to_cite = bool(selected.candidates)
    system_prompt = (settings.system_prompt,) if settings.system_prompt else ()
    system = prompt.system_text((*system_prompt, *talk.system), settings.grounding if to_cite else None)
    question = base.PromptMessage("user", escaping.escape(talk.question) if to_cite else talk.question)
    turns, turn_tokens = _newest(talk, counter, window=None if settings.keep_history else window, to_cite=to_cite)
    blocks = [prompt.passage_block(number, passage, fence) for number, passage in enumerate(selected.candidates, 1)]
    lines = [prompt.memory_line(memory, to_cite=to_cite) for memory in memories]
    block_tokens = [_block_tokens(counter, block) for block in blocks]
    kept = sum(turn_tokens) if settings.keep_history else 0
    grant = budget.negotiate(
        budget.Demand(
            window=window,
            system=counter.count_messages([base.PromptMessage("system", system)]) + kept,
            question=counter.count_message(question),
            turns=() if settings.keep_history else turn_tokens,
            candidates=[
                budget.Candidate(tokens, len(passage.text))
                for tokens, passage in zip(block_tokens, selected.candidates, strict=True)
            ],
            max_tokens=window if settings.max_tokens is None else settings.max_tokens,
            ratio=settings.context_token_ratio,
            max_context_tokens=settings.max_context_tokens,
            max_context_chars=settings.max_context_chars,
            memories=[counter.count(f"\n{line}") for line in lines],
            memory_heading=counter.count(f"\n\n{prompt.MEMORIES}"),
        )
    )
    if settings.keep_history:
        grant = replace(grant, turns=len(turns))
    texts = _included(selected, grant, settings, counter, fence)
    if selected.candidates and not texts and settings.grounding == "GROUNDED":
        raise errors.ContextTooLong("Not even the first sentence of the best passage fits the model's context window.")
    blocks = [prompt.passage_block(number, passage, fence, text) for number, (passage, text) in enumerate(texts, 1)]
    remembered = prompt.memory_block([lines[at] for at in grant.memories])
    system = "\n\n".join(part for part in (system, remembered) if part)
    messages = prompt.assemble(
        system, blocks, turns[len(turns) - grant.turns :], question.content, settings.context_placement
    )
    total = counter.count_messages(messages)
    if total + grant.completion > window:
        raise errors.ContextTooLong(
            f"The prompt takes {total:,} tokens and the answer {grant.completion:,}; the window has {window:,}."
        )
    context = sum(_block_tokens(counter, block) for block in blocks)
    shares = _Shares(
        context=context,
        history=sum(turn_tokens[: grant.turns]),
        question=counter.count_message(question),
        memories=counter.count(f"\n\n{remembered}") if remembered else 0,
        completion=grant.completion,
    )
    return Fitted(
        prompt=base.Prompt(
            messages,
            talk.question,
            tuple(
                base.PromptPassage(
                    number,
                    prompt.title(passage),
                    escaping.escape(text),
                    passage.score,
                )
                for number, (passage, text) in enumerate(texts, 1)
            ),
        ),
        sources=tuple(_source(number, passage, text) for number, (passage, text) in enumerate(texts, 1)),
        max_tokens=None if settings.max_tokens is None else grant.completion,
        ledger=budget.Ledger(
            context_window=window,
            input_tokens=total,
            requested_max_tokens=settings.max_tokens,
            adjusted_max_tokens=grant.completion,
            segments=_segments(
                window, total, shares, grant, len(texts), len(selected.candidates), len(talk.turns), len(memories)
            ),
            candidates=_decisions(selected, grant, block_tokens, shortened=grant.shortened is not None and bool(texts)),
            counting=counter.counting,
            over_characters=grant.over_characters,
        ),
    )


def _newest(
    talk: Conversation, counter: TokenCounter, *, window: int | None, to_cite: bool
) -> tuple[list[tuple[base.PromptMessage, ...]], list[int]]:
    """Earlier turns as the prompt has them, oldest first, and their tokens, newest first.

    Only as many as the window could hold and one more: what cannot have a place is not even read. None: all.
    """
    turns: list[tuple[base.PromptMessage, ...]] = []
    tokens: list[int] = []
    room = window
    for turn in reversed(talk.turns):
        if room is not None and room < 0:
            break
        turns.append(prompt.earlier_turn(turn, to_cite=to_cite))
        tokens.append(sum(map(counter.count_message, turns[-1])))
        room = None if room is None else room - tokens[-1]
    return turns[::-1], tokens


def _block_tokens(counter: TokenCounter, block: str) -> int:
    return counter.count("\n\n" + block)


def _included(
    selected: Selected, grant: budget.Grant, settings: Settings, counter: TokenCounter, fence: str
) -> list[tuple[Passage, str]]:
    """The passages that made it, each with the text that is shown of it."""
    if grant.shortened is None:
        return [(selected.candidates[i], selected.candidates[i].text) for i in grant.candidates]
    passage = selected.candidates[grant.shortened]
    shown: str | None = None
    for _, end in language.sentences(passage.text):
        text = passage.text[:end]
        tokens = _block_tokens(counter, prompt.passage_block(1, passage, fence, text))
        if tokens > grant.context_room or (settings.max_context_chars is not None and end > settings.max_context_chars):
            break
        shown = text
    return [(passage, shown)] if shown else []


@dataclass(frozen=True, slots=True)
class _Shares:
    context: int
    history: int
    question: int
    memories: int
    completion: int


def _segments(
    window: int,
    total: int,
    shares: _Shares,
    grant: budget.Grant,
    kept: int,
    candidates: int,
    turns: int,
    memories: int,
) -> tuple[budget.Segment, ...]:
    """What each kind got. SYSTEM holds what is left of the whole count, so that the sum is that of the messages."""
    system = max(0, total - shares.context - shares.history - shares.question - shares.memories)
    rest = window - system - shares.context - shares.history - shares.question - shares.memories - shares.completion
    return (
        budget.Segment("SYSTEM", system, 1, 0),
        budget.Segment("MEMORIES", shares.memories, len(grant.memories), memories - len(grant.memories)),
        budget.Segment("CONTEXT", shares.context, kept, candidates - kept),
        budget.Segment("HISTORY", shares.history, grant.turns, turns - grant.turns),
        budget.Segment("QUESTION", shares.question, 1, 0),
        budget.Segment("MARGIN", max(0, min(grant.margin, rest)), 1, 0),
        budget.Segment("COMPLETION", shares.completion, 1, 0),
    )


def _decisions(
    selected: Selected, grant: budget.Grant, tokens: Sequence[int], *, shortened: bool
) -> tuple[budget.CandidateDecision, ...]:
    """One for every passage that was found: the candidates in order, then those that retrieval left out."""

    def decided(passage: Passage, count: int, decision: budget.Decision) -> budget.CandidateDecision:
        return budget.CandidateDecision(
            passage.chunk_id, passage.document_title, passage.score, passage.vector_score, count, decision
        )

    decisions = [
        decided(
            passage,
            tokens[i],
            "INCLUDED"
            if i in grant.candidates
            else "SHORTENED"
            if shortened and i == grant.shortened
            else "OVER_BUDGET",
        )
        for i, passage in enumerate(selected.candidates)
    ]
    return (*decisions, *(decided(passage, passage.token_count, why) for passage, why in selected.left_out))


def _source(number: int, passage: Passage, text: str) -> Source:
    """`text` is what the prompt shows: the passage's own from its start, so places in it are places in the chunk."""
    return Source(
        number=number,
        chunk_id=passage.chunk_id,
        document_id=passage.document_id,
        document_title=passage.document_title,
        source_url=addresses.link_or_none(passage.url),
        page=passage.page,
        heading=passage.heading,
        position=passage.position,
        text=text,
    )
