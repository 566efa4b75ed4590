"""Pack a prompt by estimate, and check it by the server's own count if there is one."""

import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from app import errors
from app.providers import base, tokens
from app.rag.context.ledger import BudgetLedger, BudgetSegment
from app.rag.context.packing import PackedPrompt
from app.statuses import BudgetSegmentKind, TokenCounting

_MAX_REPACKS = 2
# An estimate this far above the true count leaves out passages that would fit.
_WASTEFUL_FACTOR = 1.15
Pack = Callable[[tokens.TokenCounter], Awaitable[PackedPrompt]]
"""Packs the prompt, counting its tokens by this counter. Raises ContextTooLong."""

_INPUT_SEGMENTS = frozenset(BudgetSegmentKind) - {BudgetSegmentKind.MARGIN, BudgetSegmentKind.COMPLETION}


async def pack_by_exact_count(
    pack: Pack, model: base.LanguageModel, counter: tokens.TokenCounter, messages: Sequence[base.PromptMessage]
) -> PackedPrompt:
    """Pack by estimate and let the model's server count the result, if it can; pack again at most twice.

    Of several prompts that fit, the last one is returned: a fuller one may turn out not to fit. `messages` are the bare
    conversation. Raises ContextTooLong if no prompt fits.
    """
    packed, counter = await _pack_by_estimate(pack, model, counter, messages)
    fitting: PackedPrompt | None = None
    for repacks_left in range(_MAX_REPACKS, -1, -1):
        exact = await model.count_tokens(packed.prompt.messages)
        if exact is None:
            return fitting or packed
        ledger = _granted_ledger(packed, exact)
        if exact + ledger.adjusted_max_tokens <= ledger.context_window:
            fitting = replace(packed, ledger=_with_exact_count(ledger, exact))
            if not _is_wasteful(ledger, exact):
                return fitting
        if repacks_left:
            counter = _calibrated(counter, exact, ledger.input_tokens)
            try:
                packed = await pack(counter)
            except errors.ContextTooLong:
                if fitting is None:
                    raise
                return fitting
    if fitting is not None:
        return fitting
    raise errors.ContextTooLong(
        f"By the count of {model.name}'s own tokenizer, the prompt does not fit the context window."
    )


async def _pack_by_estimate(
    pack: Pack, model: base.LanguageModel, counter: tokens.TokenCounter, messages: Sequence[base.PromptMessage]
) -> tuple[PackedPrompt, tokens.TokenCounter]:
    """The first prompt. If it is too long by estimate alone, that is corrected by the server's count of `messages`."""
    try:
        return await pack(counter), counter
    except errors.ContextTooLong:
        exact = await model.count_tokens(messages)
        if exact is None:
            raise
    counter = _calibrated(counter, exact, counter.count_messages(messages))
    return await pack(counter), counter


def _granted_ledger(packed: PackedPrompt, exact: int) -> BudgetLedger:
    """The ledger with the tokens that the answer may use: all that are left if no limit is sent."""
    ledger = packed.ledger
    if packed.max_tokens is not None:
        return ledger
    return replace(ledger, adjusted_max_tokens=max(0, ledger.context_window - exact))


def _is_wasteful(ledger: BudgetLedger, exact: int) -> bool:
    """Whether something was left out although the estimate was far above the true count."""
    return exact * _WASTEFUL_FACTOR < ledger.input_tokens and any(part.items_dropped for part in ledger.segments)


def _calibrated(counter: tokens.TokenCounter, exact: int, estimated: int) -> tokens.TokenCounter:
    """A counter that would have returned the server's count, plus one percent."""
    return tokens.TokenCounter(math.ceil(counter.percent * exact / max(1, estimated)) + 1)


def _with_exact_count(ledger: BudgetLedger, exact: int) -> BudgetLedger:
    """The ledger with the true count, distributed over the segments in proportion to their estimates."""
    segments = tuple(
        replace(part, tokens=part.tokens * exact // max(1, ledger.input_tokens))
        if part.kind in _INPUT_SEGMENTS
        else part
        for part in ledger.segments
    )
    segments = tuple(
        replace(part, tokens=ledger.adjusted_max_tokens) if part.kind is BudgetSegmentKind.COMPLETION else part
        for part in segments
    )
    segments = _with_real_margin(segments, ledger.context_window)
    return replace(ledger, input_tokens=exact, segments=segments, counting=TokenCounting.EXACT)


def _with_real_margin(segments: tuple[BudgetSegment, ...], window: int) -> tuple[BudgetSegment, ...]:
    """Reduce MARGIN to what is left, if that is less."""
    beyond = sum(part.tokens for part in segments) - window
    return tuple(
        replace(part, tokens=max(0, part.tokens - max(0, beyond))) if part.kind is BudgetSegmentKind.MARGIN else part
        for part in segments
    )
