"""Stream the model's answer and check its citations on the way."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from app import errors, safe_text
from app.providers import base
from app.providers.tokens import TokenCounters, detect_script
from app.rag import events
from app.rag.citations.citation_stream import CitationStream
from app.rag.citations.citation_types import CheckedCitation, CheckedText, CitationEvent, NewCitation, UnknownMarker
from app.rag.context import packing
from app.rag.context.ledger import BudgetLedger
from app.rag.growing_text import GrowingText
from app.rag.request import AnswerRequest, PipelineOptions
from app.rag.usage_meter import UsageMeter
from app.statuses import FinishReason, NoticeCode

# A server that reports far fewer tokens than we counted has silently cut the prompt. For text that fills a window our
# estimate is never twice the true count, so half is the limit; small prompts are not checked.
_SHORTFALL = 0.5
_SHORTFALL_FROM_TOKENS = 1000
# Characters that are checked in one go: if a whole answer arrives in one piece, others are served in between.
_CHECKED_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class GeneratedAnswer:
    """The complete answer of the model with final markers; tokens are the server's count, else ours."""

    content: str
    citations: tuple[CheckedCitation, ...]
    finish_reason: FinishReason
    input_tokens: int
    output_tokens: int
    reported_input_tokens: int | None


Generation = AsyncGenerator[events.ProgressEvent | GeneratedAnswer]


async def generate_answer(
    model: base.LanguageModel,
    packed: packing.PackedPrompt,
    request: AnswerRequest,
    counters: TokenCounters,
    meter: UsageMeter,
) -> Generation:
    """The events of an answer from its first piece, then the complete answer. Raises an AnswerError."""
    written = _WrittenAnswer(_citation_checker(packed, request.options, writes=model.is_generative))
    finished = base.Finished(FinishReason.STOP)
    async with aclosing(_cut_pieces(model.stream_answer(packed.prompt, _model_options(packed, request)))) as pieces:
        try:
            async for piece in pieces:
                meter.record_piece()
                if isinstance(piece, base.Finished):
                    finished = piece
                    continue
                for event in written.add_piece(piece):
                    yield event
        except errors.AnswerError:
            for held_back in written.finish(complete=False):  # part of the text so far
                yield held_back
            raise
    for held_back in written.finish(complete=finished.reason is not FinishReason.LENGTH):
        yield held_back
    for notice in _compare_token_counts(finished, packed, request.user_id, model.name, counters):
        yield events.NoticeEvent(notice)
    yield GeneratedAnswer(
        written.checker.content,
        written.checker.citations,
        finished.reason,
        packed.ledger.input_tokens if finished.input_tokens is None else finished.input_tokens,
        finished.output_tokens or _count_output(written.texts, counters, request.user_id, model.name),
        finished.input_tokens,
    )


def _count_output(written: Sequence[str], counters: TokenCounters, user_id: str, model: str) -> int:
    return counters.counter_for(user_id, model, detect_script(written)).count("".join(written))


def _model_options(packed: packing.PackedPrompt, request: AnswerRequest) -> base.GenerationOptions:
    options = request.options
    return base.GenerationOptions(
        packed.max_tokens,
        options.temperature,
        packed.ledger.context_window,
        options.extra_fields,
        request.on_behalf_of,
    )


class UncheckedAnswer:
    """An answer without passages, or in a form of the client's: nothing in it is a citation, and its brackets stay."""

    def __init__(self) -> None:
        self.citations: tuple[CheckedCitation, ...] = ()
        self._content = GrowingText()

    @property
    def content(self) -> str:
        """All text so far."""
        return self._content.value

    def feed(self, piece: str) -> list[CitationEvent]:
        """`piece` unchanged."""
        self._content.append(piece)
        return [CheckedText(piece)]

    feed_refusal = feed

    def finish(self, *, complete: bool = True) -> list[CitationEvent]:
        """Nothing was held back."""
        return []


CitationChecker = CitationStream | UncheckedAnswer


def _citation_checker(packed: packing.PackedPrompt, options: PipelineOptions, *, writes: bool) -> CitationChecker:
    if not packed.sources or not options.has_markers:
        return UncheckedAnswer()
    return CitationStream(
        packed.sources,
        style=options.citation_style,
        keep_markers=options.include_citations,
        question=packed.prompt.question if writes and options.grounding == "GROUNDED" else None,
    )


async def _cut_pieces(pieces: AsyncGenerator[base.Piece]) -> AsyncGenerator[base.Piece]:
    """The pieces of a model, with long texts cut into parts. Other tasks can run after each part."""
    async with aclosing(pieces):
        async for piece in pieces:
            if not isinstance(piece, base.TextDelta) or len(piece.text) <= _CHECKED_AT_ONCE:
                yield piece
                continue
            for start in range(0, len(piece.text), _CHECKED_AT_ONCE):
                yield replace(piece, text=piece.text[start : start + _CHECKED_AT_ONCE])
                await asyncio.sleep(0)


class _WrittenAnswer:
    """What the model has written: an answer with checked markers, and its reasoning unchanged."""

    def __init__(self, checker: CitationChecker) -> None:
        self.checker = checker
        self._reasoning = GrowingText()
        self._refuses = False  # after the first piece of a refusal, all text is part of it

    @property
    def texts(self) -> Sequence[str]:
        """The reasoning and the answer."""
        return self._reasoning.value, self.checker.content

    def add_piece(self, piece: base.TextDelta | base.ReasoningDelta) -> Sequence[events.ProgressEvent]:
        """The events of one piece."""
        text = safe_text.replace_unstorable(piece.text)
        if isinstance(piece, base.ReasoningDelta):
            self._reasoning.append(piece.text)
            return [events.ReasoningEvent(text)]
        is_refusal = isinstance(piece, base.RefusalDelta)
        self._refuses = self._refuses or is_refusal
        feed = self.checker.feed_refusal if is_refusal else self.checker.feed
        return [self._to_event(checked) for checked in feed(text)]

    def finish(self, *, complete: bool) -> Sequence[events.ProgressEvent]:
        """The events of the text that was held back."""
        return [self._to_event(checked) for checked in self.checker.finish(complete=complete)]

    def _to_event(self, piece: CitationEvent) -> events.ProgressEvent:
        match piece:
            case CheckedText():
                kind = events.RefusalEvent if self._refuses else events.DeltaEvent
                return kind(piece.text, piece.uses)
            case NewCitation():
                return events.CitationAddedEvent(piece.citation)
            case UnknownMarker():
                message = f"The model cited {piece.label}, which was not among its passages; the marker was removed."
                return events.NoticeEvent(events.AnswerNotice(NoticeCode.INVENTED_CITATION_REMOVED, message))


def _compare_token_counts(
    finished: base.Finished, packed: packing.PackedPrompt, user_id: str, model: str, counters: TokenCounters
) -> list[events.AnswerNotice]:
    """Compare our count of the prompt with the server's: learn from it, or report that the prompt seems cut."""
    if finished.input_tokens is None:
        return []
    if not _was_cut(finished.input_tokens, packed.ledger):
        counters.learn(user_id, model, packed.prompt.messages, finished.input_tokens)
        return []
    message = (
        f"The model's server read {finished.input_tokens:,} tokens of about {packed.ledger.input_tokens:,} that were "
        "sent: it may have cut the prompt."
    )
    return [events.AnswerNotice(NoticeCode.TRUNCATION_SUSPECTED, message)]


def _was_cut(reported_tokens: int, ledger: BudgetLedger) -> bool:
    return ledger.input_tokens > _SHORTFALL_FROM_TOKENS and reported_tokens < _SHORTFALL * ledger.input_tokens
