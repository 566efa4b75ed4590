"""One answer, start to end: each stage hands on to the next, and none is entered twice.

conversation → routing → reformulation → retrieval → context builder → generation → judgement. A preview goes the same
way and stops before the model is asked.
"""

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field

from app.knowledge.search import hybrid, reranking
from app.providers import base, catalog, registry, tokens
from app.rag import context_builder, events, generation, reformulation, retrieval, routing
from app.rag.context import budget, ledger, packing
from app.rag.context.selection import Selection
from app.rag.conversation import Conversation, read_conversation
from app.rag.judgement import outcome, source_notices
from app.rag.request import AnswerRequest
from app.rag.usage_meter import UsageMeter

AnswerStream = AsyncGenerator[events.ProgressEvent | events.CompletedEvent]


@dataclass(frozen=True, slots=True)
class Preview:
    """What would be sent: each message with its tokens; none when nothing was found and grounding is strict.

    `cost_usd` is None where the price is not known; `spent` are tokens that rewriting the question took.
    """

    route: routing.RouteName
    reason: str
    search_query: str | None
    budget: budget.BudgetLedger
    messages: tuple[tuple[base.PromptMessage, int], ...]
    notices: tuple[events.AnswerNotice, ...]
    cost_usd: float | None
    spent: int = 0


@dataclass(slots=True)
class _Progress:
    """How far one answer has come. `packed` stays None where nothing was found and grounding is strict."""

    request: AnswerRequest
    conversation: Conversation
    model: base.LanguageModel
    counter: tokens.EstimatedCounter
    routed: routing.RoutingDecision
    search_query: str | None = None
    selection: Selection = field(default_factory=Selection)
    packed: packing.PackedPrompt | None = None
    meter: UsageMeter = field(default_factory=UsageMeter)


class Pipeline:
    """Gives answers; keeps no state between them."""

    def __init__(
        self,
        knowledge: hybrid.HybridSearch,
        reranker: reranking.PassageReranker,
        models: registry.ModelRegistry,
        counters: tokens.TokenCounters,
        *,
        rag_enabled: bool,
        reformulation_seconds: float,
    ) -> None:
        self._knowledge = knowledge
        self._context_builder = context_builder.ContextBuilder(reranker)
        self._models = models
        self._counters = counters
        self._rag_enabled = rag_enabled
        self._reformulation_seconds = reformulation_seconds

    async def answer(self, request: AnswerRequest) -> AnswerStream:
        """The events of one answer; the last is Completed. Raises an AnswerError when it breaks off."""
        progress = self._begin(request)
        async with aclosing(self._prepare(progress)) as prepared:
            async for event in prepared:
                yield event
        if progress.packed is None:
            for event in await self._say_nothing_was_found(progress):
                yield event
            return
        generated = generation.generate_answer(progress.model, progress.packed, request, self._counters, progress.meter)
        async with aclosing(generated) as stream:
            async for event in stream:
                if not isinstance(event, generation.GeneratedAnswer):
                    yield event
                    continue
                for last in _conclude(event, progress):
                    yield last

    async def preview(self, request: AnswerRequest) -> Preview:
        """What `answer` would send. Asks a model only to rewrite the question. Raises an AnswerError as it would."""
        progress = self._begin(request)
        async with aclosing(self._prepare(progress)) as prepared:
            notices = [event.notice async for event in prepared if isinstance(event, events.NoticeEvent)]
        reason = progress.routed.reason
        if progress.packed is None:
            reason = "Nothing relevant was found, so the answer is a fixed text and no model is called."
            shared_out = await self._empty_ledger(progress)
            messages: tuple[base.PromptMessage, ...] = ()
        else:
            shared_out, messages = progress.packed.ledger, progress.packed.prompt.messages
        counter = self._counters.counter_for(progress.model.name, "LATIN")
        return Preview(
            progress.routed.route,
            reason,
            progress.search_query,
            shared_out,
            tuple((message, counter.count_message(message)) for message in messages),
            tuple(notices),
            catalog.cost_usd(progress.model.name),
            progress.meter.input_tokens + progress.meter.output_tokens,
        )

    def _begin(self, request: AnswerRequest) -> _Progress:
        settings = request.settings
        model = self._models.language_model(settings.model, local_only=request.local_only)
        conversation = read_conversation(request.messages)
        routed = routing.choose_route(
            conversation.question,
            enabled_on_server=self._rag_enabled,
            enabled_for_request=settings.enable_rag,
            has_index=settings.has_index,
            has_tools=settings.has_tools,
            has_unknown_roles=settings.has_unknown_roles,
            has_non_text=settings.has_non_text,
            detect_small_talk=settings.detect_small_talk,
        )
        counter = self._counters.counter_for(
            model.name, tokens.detect_script(message.content for message in request.messages)
        )
        return _Progress(request, conversation, model, counter, routed)

    async def _prepare(self, progress: _Progress) -> AsyncGenerator[events.ProgressEvent]:
        """Everything before the model is asked: from the question to the prompt, or to nothing found."""
        if progress.routed.route == "RAG":
            rewritten = await self._reformulate(progress)
            for event in reformulation.reformulation_events(progress.conversation.question, rewritten):
                yield event
            retrieved = await retrieval.retrieve_passages(
                self._knowledge, progress.request, progress.conversation, rewritten.query
            )
            for event in await self._select(progress, retrieved):
                yield event
            nothing = retrieved.found is not None and not progress.selection.candidates
            if nothing and progress.request.settings.grounding == "GROUNDED":
                return
        built = await self._context_builder.build_prompt(
            progress.request, progress.conversation, progress.selection, progress.model, progress.counter
        )
        for notice in built.notices:
            yield events.NoticeEvent(notice)
        progress.packed = built.packed
        yield events.BudgetNegotiatedEvent(built.packed.ledger)

    async def _reformulate(self, progress: _Progress) -> reformulation.Reformulation:
        request = progress.request
        if not request.settings.reformulate or request.settings.search_query is not None:
            return reformulation.Reformulation(None)
        rewritten = await reformulation.reformulate_question(
            progress.model,
            progress.conversation,
            progress.counter,
            seconds=self._reformulation_seconds,
            on_behalf=request.on_behalf_of,
        )
        progress.meter.add_tokens(rewritten.input_tokens, rewritten.output_tokens)
        return rewritten

    async def _select(self, progress: _Progress, retrieved: retrieval.Retrieval) -> list[events.ProgressEvent]:
        """Select among the found passages; the events report the selection and whatever went less well than asked."""
        progress.search_query = retrieved.search_query
        reported: list[events.ProgressEvent] = []
        notices = retrieved.notices
        if retrieved.found is not None:
            selected = await self._context_builder.select_passages(
                progress.request, retrieved.search_query, retrieved.found
            )
            progress.selection = selected.selection
            progress.meter.retrieval_ms = retrieved.found.took_ms
            reported.append(_retrieval_completed(progress, retrieved.search_query, retrieved.found.took_ms))
            notices = (*notices, *selected.notices)
        return [*reported, *map(events.NoticeEvent, notices)]

    async def _say_nothing_was_found(self, progress: _Progress) -> list[events.ProgressEvent | events.CompletedEvent]:
        settings = progress.request.settings
        return [
            events.BudgetNegotiatedEvent(await self._empty_ledger(progress)),
            events.DeltaEvent(settings.no_sources_text),
            events.CompletedEvent("NO_SOURCES", "STOP", (), progress.meter.total_usage(settings.model, 0, 0)),
        ]

    async def _empty_ledger(self, progress: _Progress) -> budget.BudgetLedger:
        """A ledger that shares out nothing and records why no passage is in the prompt."""
        window = await progress.model.context_window()
        left_out = ledger.left_out_decisions(progress.selection)
        return budget.BudgetLedger(window, 0, progress.request.settings.max_tokens, 0, (), left_out, "ESTIMATED")


def _retrieval_completed(progress: _Progress, search_query: str, took_ms: float) -> events.RetrievalCompletedEvent:
    return events.RetrievalCompletedEvent(
        search_query,
        tuple(
            events.RetrievedPassage(
                passage.chunk_id,
                passage.document_title,
                passage.page,
                passage.heading,
                passage.text,
                passage.score,
                passage.vector_score,
            )
            for passage in progress.selection.candidates
        ),
        took_ms,
    )


def _conclude(
    answer: generation.GeneratedAnswer, progress: _Progress
) -> Iterator[events.ProgressEvent | events.CompletedEvent]:
    """Judge the whole answer and withdraw what its sources do not support."""
    settings = progress.request.settings
    verdict = outcome.judge_answer(
        answer.content,
        answer.citations,
        progress.routed.route,
        grounding=settings.grounding,
        rejected_text=settings.rejected_text,
    )
    if verdict.content != answer.content:
        yield events.ReplacedEvent(verdict.content, verdict.outcome)
    for notice in source_notices.weak_citation_notices(verdict.citations):
        yield events.NoticeEvent(notice)
    usage = progress.meter.total_usage(progress.model.name, answer.input_tokens, answer.output_tokens)
    yield events.CompletedEvent(
        verdict.outcome, answer.finish_reason, verdict.citations, usage, answer.reported_input_tokens
    )
