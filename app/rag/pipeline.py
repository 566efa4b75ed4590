"""Answer one question, stage by stage.

conversation → routing → reformulation → retrieval → context builder → generation → judgement. A preview takes the same
path and stops before generation.
"""

from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from app import errors
from app.knowledge.search import hybrid, reranking
from app.observation import tracing
from app.observation.observer import Observer
from app.providers import base, catalog, registry, tokens
from app.rag import context_builder, events, generation, reformulation, refusals, retrieval, routing
from app.rag.answer_record import AnswerRecorder
from app.rag.citations.citation_types import CheckedCitation
from app.rag.context import ledger as ledgers
from app.rag.context import packing
from app.rag.context.selection import Selection
from app.rag.conversation import Conversation, read_conversation
from app.rag.judgement import answerability, outcome
from app.rag.request import AnswerRequest
from app.rag.usage_meter import UsageMeter
from app.statuses import AnswerOutcome, FinishReason, Route, TokenCounting

AnswerStream = AsyncGenerator[events.ProgressEvent | events.CompletedEvent]


@dataclass(frozen=True, slots=True)
class Preview:
    """What would be sent: each message with its tokens. No messages if grounding is strict and nothing was found.

    `cost_usd` None: the price is not known.
    """

    route: Route
    reason: str
    search_query: str | None
    budget: ledgers.BudgetLedger
    messages: tuple[tuple[base.PromptMessage, int], ...]
    notices: tuple[events.AnswerNotice, ...]
    cost_usd: float | None


@dataclass(slots=True)
class _Progress:
    """The state of one answer. `packed` stays None if grounding is strict and nothing was found."""

    request: AnswerRequest
    conversation: Conversation
    model: base.LanguageModel
    counter: tokens.TokenCounter
    routed: routing.RoutingDecision
    meter: UsageMeter
    search_query: str | None = None
    selection: Selection = field(default_factory=Selection)
    packed: packing.PackedPrompt | None = None
    answerability: float | None = None


class Pipeline:
    """Generates answers; keeps no state between them."""

    def __init__(
        self,
        knowledge: hybrid.HybridSearch,
        reranker: reranking.PassageReranker,
        models: registry.ModelRegistry,
        counters: tokens.TokenCounters,
        observer: Observer,
        *,
        rag_enabled: bool,
        reformulation_seconds: float,
    ) -> None:
        self._knowledge = knowledge
        self._context_builder = context_builder.ContextBuilder(reranker)
        self._models = models
        self._counters = counters
        self._observer = observer
        self._rag_enabled = rag_enabled
        self._reformulation_seconds = reformulation_seconds

    async def answer(self, request: AnswerRequest, meter: UsageMeter | None = None) -> AnswerStream:
        """The events of one answer; the last is CompletedEvent. Raises an AnswerError if the answer fails.

        `meter` tells what was used, also of an answer that fails.
        """
        with AnswerRecorder(self._observer, request) as recorder:
            progress = self._begin(request, meter or UsageMeter())
            recorder.meter, recorder.route = progress.meter, progress.routed.route
            try:
                async with aclosing(self._prepare(progress)) as prepared:
                    async for event in prepared:
                        yield event
            except errors.ContextTooLong:
                if not request.options.passages_required:
                    raise
                recorder.completed = _complete_without_sources(progress)
                return
            if progress.packed is None:
                for event in await self._no_sources_events(progress, recorder):
                    yield event
                return
            recorder.packed = progress.packed
            if request.options.passages_required and not progress.packed.prompt.passages:
                recorder.completed = _complete_without_sources(progress)
                return
            generated = generation.generate_answer(
                progress.model, progress.packed, request, self._counters, progress.meter
            )
            async with aclosing(generated) as stream:
                async for event in stream:
                    if not isinstance(event, generation.GeneratedAnswer):
                        yield event
                        continue
                    for last in _conclude(event, progress, recorder):
                        yield last

    async def preview(self, request: AnswerRequest, meter: UsageMeter | None = None) -> Preview:
        """What `answer` would send. Calls a model only to rewrite the question. Raises the same errors as `answer`."""
        progress = self._begin(request, meter or UsageMeter())
        async with aclosing(self._prepare(progress)) as prepared:
            reported = [event.notice async for event in prepared if isinstance(event, events.NoticeEvent)]
        reason = progress.routed.reason
        if progress.packed is None:
            reason = routing.NOTHING_FOUND
            ledger = await self._empty_ledger(progress)
            messages: tuple[base.PromptMessage, ...] = ()
        else:
            ledger, messages = progress.packed.ledger, progress.packed.prompt.messages
        counter = self._counters.counter_for(progress.request.user_id, progress.model.name, "LATIN")
        return Preview(
            progress.routed.route,
            reason,
            progress.search_query,
            ledger,
            tuple((message, counter.count_message(message)) for message in messages),
            tuple(reported),
            catalog.cost_usd(progress.model.name),
        )

    def _begin(self, request: AnswerRequest, meter: UsageMeter) -> _Progress:
        options = request.options
        model = self._models.language_model(options.model, local_only=request.local_only)
        conversation = read_conversation(request.messages, request.unanswered)
        routed = routing.choose_route(
            conversation.question,
            enabled_on_server=self._rag_enabled,
            enabled_for_request=options.enable_rag,
            detect_small_talk=options.detect_small_talk,
        )
        script = tokens.detect_script(message.content for message in request.messages)
        counter = self._counters.counter_for(request.user_id, model.name, script)
        return _Progress(request, conversation, model, counter, routed, meter)

    async def _prepare(self, progress: _Progress) -> AsyncGenerator[events.ProgressEvent]:
        """All stages before generation. Leaves `packed` None if grounding is strict and nothing was found."""
        if progress.routed.route is Route.RAG:
            rewritten = await self._reformulate(progress)
            for event in reformulation.reformulation_events(progress.conversation.question, rewritten):
                yield event
            retrieved = await retrieval.retrieve_passages(
                self._knowledge, progress.request, progress.conversation, rewritten.query
            )
            for event in await self._select(progress, retrieved):
                yield event
            nothing_found = retrieved.found is not None and not progress.selection.candidates
            if nothing_found and progress.request.options.grounding == "GROUNDED":
                return
        with tracing.child_span("build prompt") as span:
            built = await self._context_builder.build_prompt(
                progress.request,
                progress.conversation,
                progress.selection,
                progress.model,
                progress.counter,
                progress.search_query,
            )
            ledger = built.packed.ledger
            span.set_attributes(
                {
                    "footnote.context_window": ledger.context_window,
                    "footnote.input_tokens": ledger.input_tokens,
                    "footnote.max_tokens": ledger.adjusted_max_tokens,
                    "footnote.chunks": len(built.packed.prompt.passages),
                }
            )
        for notice in built.notices:
            yield events.NoticeEvent(notice)
        progress.packed, progress.answerability = built.packed, built.answerability
        yield events.BudgetNegotiatedEvent(built.packed.ledger)

    async def _reformulate(self, progress: _Progress) -> reformulation.Reformulation:
        request = progress.request
        if not request.options.reformulate or request.options.search_query is not None:
            return reformulation.Reformulation(None)
        return await reformulation.reformulate_question(
            progress.model,
            progress.conversation,
            progress.counter,
            meter=progress.meter,
            seconds=self._reformulation_seconds,
            on_behalf=request.on_behalf_of,
        )

    async def _select(self, progress: _Progress, retrieved: retrieval.Retrieval) -> list[events.ProgressEvent]:
        """Select among the found passages; the events report the selection and any problems."""
        progress.search_query = retrieved.search_query
        reported: list[events.ProgressEvent] = []
        found = retrieved.notices
        if retrieved.found is not None:
            selected = await self._context_builder.select_passages(
                progress.request, retrieved.search_query, retrieved.found
            )
            progress.selection = selected.selection
            progress.meter.retrieval_ms = retrieved.found.took_ms
            reported.append(
                retrieval.retrieval_completed(
                    retrieved.search_query, progress.selection.candidates, retrieved.found.took_ms
                )
            )
            found = (*found, *selected.notices)
        return [*reported, *map(events.NoticeEvent, found)]

    async def _no_sources_events(
        self, progress: _Progress, recorder: AnswerRecorder
    ) -> list[events.ProgressEvent | events.CompletedEvent]:
        question = progress.conversation.question
        text = refusals.no_sources_text(question, progress.request.options.no_sources_text)
        ledger = await self._empty_ledger(progress)
        recorder.completed = _complete_without_sources(progress)
        return [
            events.BudgetNegotiatedEvent(ledger),
            events.DeltaEvent(text),
            recorder.completed,
        ]

    async def _empty_ledger(self, progress: _Progress) -> ledgers.BudgetLedger:
        """A ledger that allocates nothing and records why no passage is in the prompt."""
        window = await progress.model.context_window()
        left_out = ledgers.left_out_decisions(progress.selection)
        return ledgers.BudgetLedger(
            window, 0, progress.request.options.max_tokens, 0, (), left_out, TokenCounting.ESTIMATED
        )


def _complete_without_sources(progress: _Progress) -> events.CompletedEvent:
    usage = progress.meter.total_usage(progress.request.options.model, 0, 0)
    return events.CompletedEvent(AnswerOutcome.NO_SOURCES, FinishReason.STOP, (), usage)


def _conclude(
    answer: generation.GeneratedAnswer, progress: _Progress, recorder: AnswerRecorder
) -> Iterator[events.ProgressEvent | events.CompletedEvent]:
    """Judge the complete answer, and replace it if its sources do not support it."""
    options = progress.request.options
    verdict = outcome.judge_answer(
        answer.content,
        answer.citations,
        progress.routed.route,
        grounding=options.grounding,
        rejected_text=refusals.rejected_text(progress.conversation.question, options.rejected_text),
    )
    if verdict.content != answer.content:
        yield events.ReplacedEvent(verdict.content, verdict.outcome)
    for notice in outcome.support_notices(verdict.citations, progress.answerability):
        yield events.NoticeEvent(notice)
    usage = progress.meter.total_usage(progress.model.name, answer.input_tokens, answer.output_tokens)
    recorder.completed = events.CompletedEvent(
        verdict.outcome,
        answer.finish_reason,
        verdict.citations,
        usage,
        answer.reported_input_tokens,
        _estimate_confidence(verdict.citations, progress),
    )
    yield recorder.completed


def _estimate_confidence(citations: Sequence[CheckedCitation], progress: _Progress) -> float | None:
    """The probability that an answer is right; None if it cites nothing."""
    if not citations or progress.answerability is None:
        return None
    supports = [use.support for citation in citations for use in citation.uses]
    return round(answerability.estimate_confidence(progress.answerability, supports), 4)
