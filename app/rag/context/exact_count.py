"""A way to fit a prompt by estimate, and a model that may count, in; a prompt that fits by its own count out."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from app import errors
from app.providers import base, tokens
from app.rag.context import budget, packing

_REPACKS = 2
# An estimate so much above the truth leaves out what would fit.
_WASTE = 1.15
_INPUT = frozenset({"SYSTEM", "TOOLS", "MEMORIES", "CONTEXT", "HISTORY", "QUESTION"})

Fit = Callable[[tokens.EstimatedCounter], packing.Fitted]


async def fitted(
    model: base.LanguageModel, fit: Fit, counter: tokens.EstimatedCounter, messages: Sequence[base.PromptMessage]
) -> packing.Fitted:
    """Packed by estimate and counted once by the model's server, where it counts; at most two times packed again.

    What is too long by the estimate alone is packed by what the server makes of `messages`, the bare conversation.
    Raises ContextTooLong when it does not fit even then.
    """
    try:
        packed = fit(counter)
    except errors.ContextTooLong:
        exact = await model.count_tokens(messages)
        if exact is None:
            raise
        counter = _sharpened(counter, exact, counter.count_messages(messages))
        packed = fit(counter)
    for repacked in range(_REPACKS + 1):
        exact = await model.count_tokens(packed.prompt.messages)
        if exact is None:
            return packed
        ledger = packed.ledger
        if packed.max_tokens is None:  # no limit is sent: the answer gets what is really left
            ledger = replace(ledger, adjusted_max_tokens=max(0, ledger.context_window - exact))
        fits = exact + ledger.adjusted_max_tokens <= ledger.context_window
        wasteful = exact * _WASTE < ledger.input_tokens and any(part.items_dropped for part in ledger.segments)
        if fits and (repacked == _REPACKS or not wasteful):
            return replace(packed, ledger=_counted(ledger, exact))
        if repacked < _REPACKS:
            counter = _sharpened(counter, exact, ledger.input_tokens)
            packed = fit(counter)
    raise errors.ContextTooLong(f"By the count of {model.name} the prompt does not fit its context window.")


def _sharpened(counter: tokens.EstimatedCounter, exact: int, estimated: int) -> tokens.EstimatedCounter:
    """A counter that would have said, and one per cent more, what the server says."""
    return tokens.EstimatedCounter(math.ceil(counter.percent * exact / max(1, estimated)) + 1)


def _counted(ledger: budget.Ledger, exact: int) -> budget.Ledger:
    """The ledger with the true count; what each kind got of it is shared out as it was estimated."""
    segments = tuple(
        replace(part, tokens=part.tokens * exact // max(1, ledger.input_tokens)) if part.kind in _INPUT else part
        for part in ledger.segments
    )
    segments = tuple(
        replace(part, tokens=ledger.adjusted_max_tokens) if part.kind == "COMPLETION" else part for part in segments
    )
    return replace(ledger, input_tokens=exact, segments=_within(segments, ledger.context_window), counting="EXACT")


def _within(segments: tuple[budget.Segment, ...], window: int) -> tuple[budget.Segment, ...]:
    """MARGIN is what is really left, where less is left than was kept free."""
    beyond = sum(part.tokens for part in segments) - window
    return tuple(
        replace(part, tokens=max(0, part.tokens - max(0, beyond))) if part.kind == "MARGIN" else part
        for part in segments
    )
