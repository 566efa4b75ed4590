"""One answer, start to end: a request in, its events out.

routing → query → retrieval → budget → prompt → model → citations. The pure parts decide; this module searches, asks
the model, and tells what happens in order.
"""

import asyncio
import logging
import secrets
import string
import time
from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing

from app import errors, language
from app.knowledge import search
from app.providers import base, registry, tokens
from app.rag import budget, events, fitting, noticing, outcome, query, retrieval, routing
from app.rag.citations import Citation, CitationStream, Cited, Invented, Text
from app.rag.request import Request, Settings

log = logging.getLogger(__name__)

# A server that read much less than we counted has cut the prompt silently. Our estimate is never twice the truth for
# text that fills a window, so half is "much less"; small prompts are not judged.
_SHORTFALL = 0.5
_SHORTFALL_FROM_TOKENS = 1000

# How many found passages get a place in the ledger, whatever becomes of them.
_CANDIDATES = 50

Happenings = AsyncGenerator[events.Happening | events.Completed]


class Pipeline:
    """Gives answers; keeps nothing between two of them."""

    def __init__(
        self,
        knowledge: search.Search,
        models: registry.Registry,
        counter: tokens.TokenCounter,
        *,
        rag_enabled: bool,
    ) -> None:
        self._knowledge = knowledge
        self._models = models
        self._counter = counter
        self._rag_enabled = rag_enabled

    async def answer(self, request: Request) -> Happenings:
        """The events of one answer; the last is Completed. Raises an AnswerError when it breaks off."""
        clock = _Clock()
        settings = request.settings
        model = self._models.language_model(settings.model, local_only=request.local_only)
        talk = query.read(request.messages)
        route = routing.route(talk.question, enabled=self._rag_enabled, enabled_here=settings.enable_rag).route
        selected = retrieval.Selected((), ())
        if route == "RAG":
            found, selected = await self._retrieve(request, talk)
            clock.retrieval_ms = found.took_ms
            yield _retrieved(settings.search_query or talk.question, selected, found)
            if found.embedder_error is not None:
                message = f"The embedding model failed, so only words were searched. {found.embedder_error}"
                yield events.NoticeGiven(events.Notice("EMBEDDER_UNAVAILABLE", message))
            if not selected.candidates and settings.grounding == "GROUNDED":
                yield events.Delta(settings.no_sources_text)
                yield events.Completed("NO_SOURCES", "STOP", (), clock.usage(settings.model, 0, 0))
                return
        fitted = fitting.fit(
            talk,
            selected,
            settings,
            window=await model.context_window(),
            counter=self._counter,
            fence=_fence(),
            with_policy=route == "RAG",
        )
        # In a thread: the OpenAI door may send hundreds of passages.
        in_sources = await asyncio.to_thread(noticing.of_sources, fitted.sources)
        for notice in (*_budget_notices(fitted.ledger), *in_sources):
            yield events.NoticeGiven(notice)
        yield events.BudgetNegotiated(fitted.ledger)
        async with aclosing(self._stream(model, fitted, settings, route, clock)) as happenings:
            async for happening in happenings:
                yield happening

    async def _retrieve(self, request: Request, talk: query.Conversation) -> tuple[search.Found, retrieval.Selected]:
        settings = request.settings
        found = await self._knowledge.find(
            request.project_id,
            search.Query(
                settings.search_query or talk.question,
                earlier=None if settings.search_query else talk.earlier,
                mode=settings.mode,
                document_ids=settings.document_ids,
                limit=max(_CANDIDATES, settings.top_k),
            ),
        )
        threshold = found.threshold if settings.threshold is None else settings.threshold
        return found, retrieval.select(found.passages, threshold=threshold, top_k=settings.top_k)

    async def _stream(
        self,
        model: base.LanguageModel,
        fitted: fitting.Fitted,
        settings: Settings,
        route: routing.Route,
        clock: "_Clock",
    ) -> Happenings:
        checked = CitationStream(fitted.sources, style=settings.citation_style, keep_markers=settings.include_citations)
        options = base.Options(fitted.max_tokens, settings.temperature, fitted.ledger.context_window)
        finished = base.Finished("STOP")
        written: list[str] = []
        async with aclosing(model.stream(fitted.prompt, options)) as pieces:
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
        if _was_cut(finished, fitted.ledger):
            message = (
                f"The model's server read {finished.input_tokens:,} tokens of about {fitted.ledger.input_tokens:,} "
                "that were sent: it may have cut the prompt."
            )
            yield events.NoticeGiven(events.Notice("TRUNCATION_SUSPECTED", message))
        verdict, cited, content = _judged(checked, settings, route)
        if content != checked.content:
            yield events.Replaced(content, verdict)
        for notice in noticing.of_citations(cited):
            yield events.NoticeGiven(notice)
        usage = clock.usage(
            model.name,
            fitted.ledger.input_tokens if finished.input_tokens is None else finished.input_tokens,
            self._counter.count("".join(written)) if finished.output_tokens is None else finished.output_tokens,
        )
        yield events.Completed(verdict, finished.reason, cited, usage, finished.input_tokens)


def _fence() -> str:
    """A word that no passage can know, and so cannot close; of letters alone, so that each counts the same."""
    return "".join(secrets.choice(string.ascii_lowercase) for _ in range(10))


class _Clock:
    """The times of one answer, in milliseconds since it began."""

    def __init__(self) -> None:
        self._start = time.perf_counter()
        self.retrieval_ms: float | None = None
        self.first_token_ms: float | None = None

    def tick(self) -> None:
        """A piece has come."""
        if self.first_token_ms is None:
            self.first_token_ms = self._since()

    def usage(self, model: str, input_tokens: int, output_tokens: int) -> events.Usage:
        return events.Usage(model, input_tokens, output_tokens, self.retrieval_ms, self.first_token_ms, self._since())

    def _since(self) -> float:
        return (time.perf_counter() - self._start) * 1000


def _retrieved(search_query: str, selected: retrieval.Selected, found: search.Found) -> events.RetrievalCompleted:
    return events.RetrievalCompleted(
        search_query,
        tuple(
            events.PassageSnapshot(
                passage.chunk_id,
                passage.document_title,
                passage.page,
                passage.heading,
                passage.text,
                passage.score,
                passage.vector_score,
            )
            for passage in selected.candidates
        ),
        found.took_ms,
    )


def _judged(
    checked: CitationStream, settings: Settings, route: routing.Route
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


def _told(piece: base.TextDelta | base.ReasoningDelta, checked: CitationStream) -> Iterable[events.Happening]:
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


def _budget_notices(ledger: budget.Ledger) -> list[events.Notice]:
    notices: list[events.Notice] = []
    segments = {segment.kind: segment for segment in ledger.segments}
    if dropped := segments["HISTORY"].items_dropped:
        turns = "turn was" if dropped == 1 else "turns were"
        notices.append(events.Notice("HISTORY_SHORTENED", f"{dropped} earlier {turns} left out to fit the window."))
    if ledger.requested_max_tokens is not None and ledger.adjusted_max_tokens < ledger.requested_max_tokens:
        asked, left = ledger.requested_max_tokens, ledger.adjusted_max_tokens
        message = f"{asked:,} tokens were asked for the answer, {left:,} are left."
        notices.append(events.Notice("MAX_TOKENS_REDUCED", message))
    shortened = [decision for decision in ledger.candidates if decision.decision == "SHORTENED"]
    if shortened or (segments["CONTEXT"].items_dropped and not segments["CONTEXT"].items_kept):
        notices.append(
            events.Notice("CONTEXT_SHORTENED", "No whole passage fits the window; the context was shortened.")
        )
    return notices


def _was_cut(finished: base.Finished, ledger: budget.Ledger) -> bool:
    return (
        finished.input_tokens is not None
        and ledger.input_tokens > _SHORTFALL_FROM_TOKENS
        and finished.input_tokens < _SHORTFALL * ledger.input_tokens
    )
