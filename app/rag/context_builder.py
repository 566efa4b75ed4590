"""A request in; the events up to the moment before the model is asked, and then the prompt as it would be sent, out.

An answer and its preview go through here alike; only an answer goes on.
"""

import asyncio
import logging
import secrets
import string
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from functools import partial

from app import errors
from app.knowledge.search import hybrid, reranking
from app.providers import base, registry, tokens
from app.rag import events, reformulation, routing, search_queries
from app.rag.context import budget, exact_count, packing, selection
from app.rag.generation import Clock
from app.rag.judgement import source_notices
from app.rag.request import Request

log = logging.getLogger(__name__)

# How many found passages get a place in the ledger, whatever becomes of them.
_CANDIDATES = 50
_NOTHING = selection.Selected((), ())


@dataclass(frozen=True, slots=True)
class Prepared:
    """The last of the steps. `fitted` None: nothing was found and grounding is strict, so no model is asked."""

    model: base.LanguageModel
    routing: routing.Routing
    search_query: str | None
    selected: selection.Selected
    fitted: packing.Fitted | None


Steps = AsyncGenerator[events.Happening | Prepared]


class Preparation:
    """routing → query → retrieval → budget → prompt. The pure parts decide; this searches and tells."""

    def __init__(
        self,
        knowledge: hybrid.Search,
        reranker: reranking.Reranking,
        models: registry.ModelRegistry,
        counters: tokens.TokenCounters,
        *,
        rag_enabled: bool,
        reformulation_seconds: float,
    ) -> None:
        self._knowledge = knowledge
        self._reranker = reranker
        self._models = models
        self._counters = counters
        self._rag_enabled = rag_enabled
        self._reformulation_seconds = reformulation_seconds

    async def steps(self, request: Request, clock: Clock) -> Steps:
        """What happens, in order; the last is Prepared. Raises an AnswerError when it cannot go on."""
        settings = request.settings
        model = self._models.language_model(settings.model, local_only=request.local_only)
        talk = search_queries.read(request.messages)
        routed = routing.route(
            talk.question,
            enabled=self._rag_enabled,
            enabled_here=settings.enable_rag,
            has_index=settings.has_index,
            has_tools=settings.has_tools,
            foreign_roles=settings.foreign_roles,
            non_text=settings.non_text,
            small_talk=settings.small_talk,
        )
        counter = self._counters.counter_for(
            model.name, tokens.detect_script(message.content for message in request.messages)
        )
        search_query: str | None = None
        selected = _NOTHING
        if routed.route == "RAG":
            rewritten: str | None = None
            if settings.reformulate and settings.search_query is None:
                rewriting = await reformulation.reformulate(
                    model, talk, counter, seconds=self._reformulation_seconds, on_behalf=request.on_behalf
                )
                clock.spend(rewriting.input_tokens, rewriting.output_tokens)
                rewritten = rewriting.query
                for happening in _of_rewriting(talk.question, rewriting):
                    yield happening
            search_query = settings.search_query or rewritten or talk.question
            try:
                found, selected, problem = await self._retrieve(request, talk, rewritten)
            except errors.RetrievalUnavailable as error:
                if settings.grounding == "GROUNDED":
                    raise
                log.warning("answered without sources: %s", error.message)
                message = f"The documents could not be searched, so the answer is given without them. {error.message}"
                yield _notice("RETRIEVAL_FAILED", message)
            else:
                clock.retrieval_ms = found.took_ms
                yield _retrieved(search_query, selected, found)
                for happening in _degraded(found, problem):
                    yield happening
                if not selected.candidates and settings.grounding == "GROUNDED":
                    yield Prepared(model, routed, search_query, selected, None)
                    return
        fit = partial(
            packing.fit,
            talk,
            selected,
            settings,
            window=await model.context_window(),
            fence=_fence(),
            memories=request.memories,
        )
        fitted = await exact_count.fitted(model, lambda by: fit(counter=by), counter, request.messages)
        # In a thread: the OpenAI door may send hundreds of passages.
        in_sources = await asyncio.to_thread(source_notices.of_sources, fitted.sources)
        for notice in (*_budget_notices(fitted.ledger), *in_sources):
            yield events.NoticeGiven(notice)
        yield events.BudgetNegotiated(fitted.ledger)
        yield Prepared(model, routed, search_query, selected, fitted)

    async def _retrieve(
        self, request: Request, talk: search_queries.Conversation, rewritten: str | None
    ) -> tuple[hybrid.Found, selection.Selected, str | None]:
        """What was found, what of it are candidates, and why no reranker put them in order if one should have."""
        settings = request.settings
        found = await self._knowledge.find(
            request.project_id,
            hybrid.Query(
                settings.search_query or talk.question,
                earlier=None if settings.search_query else talk.earlier,
                rewritten=rewritten,
                mode=settings.search_mode,
                document_ids=settings.document_ids,
                limit=max(_CANDIDATES, settings.rag_top_k),
                depth=max(hybrid.DEPTH, settings.rag_top_k),
            ),
        )
        threshold = found.threshold if settings.rag_threshold is None else settings.rag_threshold
        passing = selection.passing(found.passages, threshold=threshold)
        ordered = await self._reranker.order(
            settings.search_query or rewritten or talk.question, passing.candidates, local_only=request.local_only
        )
        selected = selection.first(ordered.passages, passing.left_out, top_k=settings.rag_top_k)
        return found, selected, ordered.problem


def _fence() -> str:
    """A word that no passage can know, and so cannot close; of letters alone, so that each counts the same."""
    return "".join(secrets.choice(string.ascii_lowercase) for _ in range(10))


def _notice(code: str, message: str) -> events.NoticeGiven:
    return events.NoticeGiven(events.Notice(code, message))


def _of_rewriting(question: str, rewriting: reformulation.Rewritten) -> list[events.Happening]:
    if rewriting.problem is not None:
        log.warning("question not rewritten: %s", rewriting.problem)
        message = f"The question could not be rewritten, so it was searched as it is. {rewriting.problem}"
        return [_notice("REFORMULATION_FAILED", message)]
    return [events.QueryReformulated(question, rewriting.query)] if rewriting.query is not None else []


def _degraded(found: hybrid.Found, rerank_problem: str | None) -> list[events.Happening]:
    """What a search could not see, and the steps down the ladder that it had to take; none is silent."""
    told: list[events.Happening] = [events.NoticeGiven(notice) for notice in source_notices.of_pending(found.pending)]
    if found.vectors_missing is not None:
        message = f"Vectors could not be searched, so only words were. {found.vectors_missing}"
        told.append(_notice("EMBEDDER_UNAVAILABLE", message))
    if found.words_missing is not None:
        message = f"Full text could not be searched, so only vectors were. {found.words_missing}"
        told.append(_notice("RETRIEVAL_FAILED", message))
    if rerank_problem is not None:
        told.append(_notice("RERANKER_UNAVAILABLE", f"The order is that of the search alone. {rerank_problem}"))
    return told


def _retrieved(search_query: str, selected: selection.Selected, found: hybrid.Found) -> events.RetrievalCompleted:
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
    if over := ledger.over_characters:
        passages = "1 passage was" if over == 1 else f"{over} passages were"
        message = f"{passages} left out or cut to stay within RAG_MAX_CONTEXT_CHARS."
        return [*notices, events.Notice("CONTEXT_SHORTENED", message)]
    shortened = [decision for decision in ledger.candidates if decision.decision == "SHORTENED"]
    if shortened or (segments["CONTEXT"].items_dropped and not segments["CONTEXT"].items_kept):
        notices.append(
            events.Notice("CONTEXT_SHORTENED", "No whole passage fits the window; the context was shortened.")
        )
    return notices
