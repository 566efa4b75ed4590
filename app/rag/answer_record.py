"""Trace an answer, and report its end to the observer, however it ends."""

from dataclasses import dataclass, field
from statistics import fmean
from types import TracebackType

from app import errors, global_ids
from app.observation import request_context, tracing
from app.observation.observer import AnswerRecord, Observer
from app.rag import events
from app.rag.context.packing import PackedPrompt
from app.rag.request import AnswerRequest
from app.rag.usage_meter import UsageMeter
from app.statuses import BudgetSegmentKind, Route


@dataclass(slots=True)
class AnswerRecorder:
    """Collects the facts of one answer, and reports them when the `with` block ends."""

    observer: Observer
    request: AnswerRequest
    meter: UsageMeter = field(default_factory=UsageMeter)
    route: Route | None = None
    packed: PackedPrompt | None = None
    completed: events.CompletedEvent | None = None
    _span: tracing.SpanScope = field(init=False)

    def __enter__(self) -> "AnswerRecorder":
        self._span = tracing.child_span("answer")
        self._span.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        failure = None if self.completed else errors.failure_code(error)
        record = self._build_record(failure)
        self._span.set_attributes(_span_attributes(record))
        self.observer.observe(record)
        self._span.__exit__(kind, error, traceback)

    def _build_record(self, failure: str | None) -> AnswerRecord:
        request, options, completed = self.request, self.request.options, self.completed
        ledger = self.packed.ledger if self.packed else None
        scores = [passage.score for passage in self.packed.prompt.passages] if self.packed else []
        usage = completed.usage if completed else None
        support = [use.support for citation in completed.citations for use in citation.uses] if completed else []
        return AnswerRecord(
            request_id=request_context.current_id(),
            model=options.model,
            project_id=request.project_id,
            user_id=request.user_id,
            session_id=request.session_id,
            message_id=request.message_id,
            question=request.messages[-1].content if request.messages else "",
            rag_enabled=options.enable_rag,
            route=self.route,
            outcome=completed.outcome if completed else None,
            failure=failure,
            top_k=options.rag_top_k,
            chunks=len(scores),
            mean_score=fmean(scores) if scores else None,
            citations=len(completed.citations) if completed else 0,
            support=fmean(support) if support else None,
            context_window=ledger.context_window if ledger else None,
            context_tokens=sum(each.tokens for each in ledger.segments if each.kind is BudgetSegmentKind.CONTEXT)
            if ledger
            else 0,
            input_tokens=usage.input_tokens if usage else ledger.input_tokens if ledger else 0,
            output_tokens=usage.output_tokens if usage else None,
            max_tokens_requested=options.max_tokens,
            max_tokens_granted=ledger.adjusted_max_tokens if ledger else None,
            retrieval_ms=self.meter.retrieval_ms,
            first_token_ms=self.meter.first_token_ms,
            total_ms=self.meter.elapsed_ms(),
        )


def _span_attributes(record: AnswerRecord) -> tracing.Attributes:
    session, message = record.session_id, record.message_id
    return {
        "gen_ai.conversation.id": None if session is None else global_ids.encode("ChatSession", session),
        "footnote.project.id": global_ids.encode("Project", record.project_id) if record.project_id else None,
        "footnote.message.id": None if message is None else global_ids.encode("Message", message),
        "footnote.answer.route": record.route,
        "footnote.answer.outcome": record.outcome or record.failure,
        "footnote.answer.chunks": record.chunks,
        "footnote.answer.citations": record.citations,
        "footnote.answer.context_tokens": record.context_tokens,
    }
