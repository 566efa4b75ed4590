"""One answer, start to end: a request in, its events out; or its preview, without asking the model.

preparing (routing → query → retrieval → budget → prompt) → answering (model → citations → outcome).
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from app.knowledge.search import hybrid, reranking
from app.providers import base, catalog, registry, tokens
from app.rag import context_builder, events, generation, routing
from app.rag.context import budget
from app.rag.request import Request

Happenings = AsyncGenerator[events.Happening | events.Completed]


@dataclass(frozen=True, slots=True)
class Preview:
    """What would be sent: each message with its tokens; none when nothing was found and grounding is strict.

    `cost_usd` is None where the price is not known; `spent` are tokens that rewriting the question took.
    """

    route: routing.Route
    reason: str
    search_query: str | None
    budget: budget.Ledger
    messages: tuple[tuple[base.PromptMessage, int], ...]
    notices: tuple[events.Notice, ...]
    cost_usd: float | None
    spent: int = 0


class Pipeline:
    """Gives answers; keeps nothing between two of them."""

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
        self._preparation = context_builder.Preparation(
            knowledge,
            reranker,
            models,
            counters,
            rag_enabled=rag_enabled,
            reformulation_seconds=reformulation_seconds,
        )
        self._counters = counters

    async def answer(self, request: Request) -> Happenings:
        """The events of one answer; the last is Completed. Raises an AnswerError when it breaks off."""
        clock, settings = generation.Clock(), request.settings
        prepared: context_builder.Prepared | None = None
        async with aclosing(self._preparation.steps(request, clock)) as steps:
            async for step in steps:
                if isinstance(step, context_builder.Prepared):
                    prepared = step
                else:
                    yield step
        if prepared is None:
            raise AssertionError("the last step is Prepared")
        if prepared.fitted is None:
            yield events.BudgetNegotiated(await self._nothing_sent(prepared, settings.max_tokens))
            yield events.Delta(settings.no_sources_text)
            yield events.Completed("NO_SOURCES", "STOP", (), clock.usage(settings.model, 0, 0))
            return
        answer = generation.stream(
            prepared.model,
            prepared.fitted,
            settings,
            prepared.routing.route,
            self._counters,
            clock,
            on_behalf=request.on_behalf,
        )
        async with aclosing(answer) as happenings:
            async for happening in happenings:
                yield happening

    async def preview(self, request: Request) -> Preview:
        """What `answer` would send. Asks a model only to rewrite the question. Raises an AnswerError as it would."""
        notices: list[events.Notice] = []
        prepared: context_builder.Prepared | None = None
        clock = generation.Clock()
        async with aclosing(self._preparation.steps(request, clock)) as steps:
            async for step in steps:
                if isinstance(step, context_builder.Prepared):
                    prepared = step
                elif isinstance(step, events.NoticeGiven):
                    notices.append(step.notice)
        if prepared is None:
            raise AssertionError("the last step is Prepared")
        reason = prepared.routing.reason
        counter = self._counters.counter_for(prepared.model.name, "LATIN")
        if prepared.fitted is None:
            reason = "Nothing relevant was found: a fixed text says so, and no model is asked."
            ledger = await self._nothing_sent(prepared, request.settings.max_tokens)
            messages: tuple[base.PromptMessage, ...] = ()
        else:
            ledger, messages = prepared.fitted.ledger, prepared.fitted.prompt.messages
        return Preview(
            prepared.routing.route,
            reason,
            prepared.search_query,
            ledger,
            tuple((message, counter.count_message(message)) for message in messages),
            tuple(notices),
            catalog.cost_usd(prepared.model.name),
            clock.input_tokens + clock.output_tokens,
        )

    async def _nothing_sent(self, prepared: context_builder.Prepared, max_tokens: int | None) -> budget.Ledger:
        """A ledger that shares out nothing, and tells why no passage is in."""
        candidates = tuple(
            budget.CandidateDecision(
                passage.chunk_id,
                passage.document_title,
                passage.score,
                passage.vector_score,
                passage.token_count,
                decision,
            )
            for passage, decision in prepared.selected.left_out
        )
        window = await prepared.model.context_window()
        return budget.Ledger(window, 0, max_tokens, 0, (), candidates, "ESTIMATED")
