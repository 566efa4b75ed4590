"""A prepared prompt in; the model's answer, checked while it streams and judged at its end, out."""

import time
from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing

from app import errors, language
from app.providers import base
from app.providers.tokens import TokenCounters, detect_script
from app.rag import events, routing
from app.rag.citations.citation_stream import Citation, CitationStream, Cited, Event, Invented, Text
from app.rag.context import budget, packing
from app.rag.judgement import outcome, source_notices
from app.rag.request import Settings

# A server that read much less than we counted has cut the prompt silently. Our estimate is never twice the truth for
# text that fills a window, so half is "much less"; small prompts are not judged.
_SHORTFALL = 0.5
_SHORTFALL_FROM_TOKENS = 1000

Happenings = AsyncGenerator[events.Happening | events.Completed]


class Clock:
    """The times of one answer, in milliseconds since it began; and the tokens that were spent before it."""

    def __init__(self) -> None:
        self._start = time.perf_counter()
        self.retrieval_ms: float | None = None
        self.first_token_ms: float | None = None
        self.input_tokens = 0
        self.output_tokens = 0

    def tick(self) -> None:
        """A piece has come."""
        if self.first_token_ms is None:
            self.first_token_ms = self._since()

    def spend(self, input_tokens: int, output_tokens: int) -> None:
        """A model was asked for something beside the answer."""
        self.input_tokens += input_tokens
        self.output_tokens += output_tokens

    def usage(self, model: str, input_tokens: int, output_tokens: int) -> events.Usage:
        """What all of it took, now."""
        return events.Usage(
            model,
            self.input_tokens + input_tokens,
            self.output_tokens + output_tokens,
            self.retrieval_ms,
            self.first_token_ms,
            self._since(),
        )

    def _since(self) -> float:
        return (time.perf_counter() - self._start) * 1000


async def stream(
    model: base.LanguageModel,
    fitted: packing.Fitted,
    settings: Settings,
    route: routing.Route,
    counters: TokenCounters,
    clock: Clock,
    *,
    on_behalf: tuple[str, str],
) -> Happenings:
    """The events of an answer from its first piece on; the last is Completed. Raises an AnswerError."""
    checked = _checked(fitted, settings)
    window = fitted.ledger.context_window
    options = base.GenerationOptions(fitted.max_tokens, settings.temperature, window, settings.more, on_behalf)
    finished = base.Finished("STOP")
    written: list[str] = []
    async with aclosing(model.stream_answer(fitted.prompt, options)) as pieces:
        try:
            async for piece in pieces:
                clock.tick()
                if isinstance(piece, base.Finished):
                    finished = piece
                    continue
                written.append(piece.text)
                for happening in _told(piece, checked):
                    yield happening
        except errors.AnswerError:
            for held_back in checked.finish():  # it belongs to the text so far
                yield _happening(held_back)
            raise
    for held_back in checked.finish():
        yield _happening(held_back)
    for notice in _read(finished, fitted, model.name, counters):
        yield events.NoticeGiven(notice)
    verdict, cited, content = _judged(checked, settings, route)
    if content != checked.content:
        yield events.Replaced(content, verdict)
    for notice in source_notices.of_citations(cited):
        yield events.NoticeGiven(notice)
    usage = clock.usage(
        model.name,
        fitted.ledger.input_tokens if finished.input_tokens is None else finished.input_tokens,
        counters.counter_for(model.name, detect_script(written)).count("".join(written))
        if finished.output_tokens is None
        else finished.output_tokens,
    )
    yield events.Completed(verdict, finished.reason, cited, usage, finished.input_tokens)


def _read(finished: base.Finished, fitted: packing.Fitted, model: str, counters: TokenCounters) -> list[events.Notice]:
    """What the server's own count of the prompt teaches: that it cut the prompt, or how good our counts are."""
    if finished.input_tokens is None:
        return []
    if not _was_cut(finished, fitted.ledger):
        counters.learn(model, fitted.prompt.messages, finished.input_tokens)
        return []
    message = (
        f"The model's server read {finished.input_tokens:,} tokens of about {fitted.ledger.input_tokens:,} that were "
        "sent: it may have cut the prompt."
    )
    return [events.Notice("TRUNCATION_SUSPECTED", message)]


class Untouched:
    """An answer that came without passages: its brackets are its own, and nothing in it is a citation."""

    def __init__(self) -> None:
        self.citations: tuple[Citation, ...] = ()
        self._content: list[str] = []

    @property
    def content(self) -> str:
        """All text so far."""
        return "".join(self._content)

    def feed(self, piece: str) -> list[Event]:
        """`piece` as it is."""
        self._content.append(piece)
        return [Text(piece)]

    def finish(self) -> list[Event]:
        """Nothing was held back."""
        return []


Checked = CitationStream | Untouched


def _checked(fitted: packing.Fitted, settings: Settings) -> Checked:
    if not fitted.sources:
        return Untouched()
    return CitationStream(fitted.sources, style=settings.citation_style, keep_markers=settings.include_citations)


def _judged(
    checked: Checked, settings: Settings, route: routing.Route
) -> tuple[events.Outcome, tuple[Citation, ...], str]:
    """What became of the answer: the outcome, the citations that stand, and its final text."""
    if route == "PASS_THROUGH":
        return "PASSED_THROUGH", (), checked.content
    verdict = outcome.judge(checked.content, checked.citations, settings.grounding)
    match verdict:
        case outcome.Outcome.REJECTED:
            return "REJECTED", (), settings.rejected_text
        case outcome.Outcome.INSUFFICIENT:
            return "INSUFFICIENT", (), outcome.without_markers(checked.content, checked.citations)
        case _:
            return verdict.value, checked.citations, checked.content


def _told(piece: base.TextDelta | base.ReasoningDelta, checked: Checked) -> Iterable[events.Happening]:
    """What a piece of the model's becomes: thoughts as they are, text with its markers checked."""
    text = language.whole(piece.text)
    if isinstance(piece, base.ReasoningDelta):
        return (events.Reasoning(text),)
    return map(_happening, checked.feed(text))


def _happening(piece: Text | Cited | Invented) -> events.Happening:
    match piece:
        case Text():
            return events.Delta(piece.text, piece.uses)
        case Cited():
            return events.CitationAdded(piece.citation)
        case Invented():
            message = f"The model cited {piece.label}, which was not among its passages; the marker was removed."
            return events.NoticeGiven(events.Notice("INVENTED_CITATION_REMOVED", message))


def _was_cut(finished: base.Finished, ledger: budget.Ledger) -> bool:
    return (
        finished.input_tokens is not None
        and ledger.input_tokens > _SHORTFALL_FROM_TOKENS
        and finished.input_tokens < _SHORTFALL * ledger.input_tokens
    )
