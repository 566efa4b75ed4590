"""The observer that counts for Prometheus, and the page that it reads. Labels have few values, whatever users send."""

from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector

from app import errors
from app.observation import merged_metrics
from app.observation.observer import (
    AnswerLogWrite,
    AnswerRecord,
    DocumentRecord,
    EventDeliveryRecord,
    ModelCall,
    Record,
    RequestRecord,
)
from app.observation.server_state import LoopLag, ServerState, StateCollector

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)
_SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1)
_CHUNKS = (0, 1, 2, 3, 5, 8, 10, 20, 50, 100)
# Users may name any model; those beyond this number are counted together.
_MAX_MODELS = 50
# Routers refuse the request if they do not know the model.
_MAY_NOT_EXIST = frozenset({errors.ModelNotFound.failure, errors.ModelRefused.failure})


@dataclass(slots=True)
class _Models:
    names: set[str]

    def label(self, name: str, failure: str | None) -> str:
        """The name, or `other`: made-up names must not use up the labels of models that exist."""
        if name in self.names:
            return name
        if failure in _MAY_NOT_EXIST or len(self.names) >= _MAX_MODELS:
            return "other"
        self.names.add(name)
        return name


class Metrics:
    """Counts what is reported to it, since the server's start."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._state = StateCollector()
        self.loop_lag = LoopLag()
        self._models = _Models(set())
        self._registry.register(self._state)
        ProcessCollector(registry=self._registry)
        self._define_answers()
        self._define_work()

    def _define_answers(self) -> None:
        answered = ("model", "route", "outcome")
        self._answers = self._counter("answers", "Answers that ended, by outcome or failure.", *answered)
        self._reduced = self._counter("answers_reduced", "Answers granted fewer tokens than requested.")
        self._tokens = self._counter("tokens", "Tokens of answers: input, context (part of the input), output.", "kind")
        self._retrieval = self._histogram("retrieval_seconds", "Time to find passages.", _SECONDS)
        self._first_token = self._histogram("first_token_seconds", "Time to an answer's first words.", _SECONDS)
        self._answer_time = self._histogram("answer_seconds", "Time to the end of an answer.", _SECONDS)
        self._chunks = self._histogram("answer_chunks", "Passages in the prompts of answers from documents.", _CHUNKS)
        self._context = self._histogram(
            "context_used_ratio", "Fraction of the context window that passages take up.", _SHARES
        )
        self._similarity = self._histogram("answer_similarity", "Mean score of the passages in a prompt.", _SHARES)
        self._support = self._histogram("citation_support", "Mean support of an answer's citations.", _SHARES)

    def _define_work(self) -> None:
        called = ("model", "kind")
        self._calls = self._counter("model_calls", "Calls of models; `error` is empty for success.", *called, "error")
        self._call_time = self._histogram("model_call_seconds", "Duration of calls of models.", _SECONDS, *called)
        self._events = self._counter("answer_events", "Events of answers that were written.")
        self._event_lag = self._histogram("answer_event_lag_seconds", "Time until an event is written.", _SECONDS)
        ended = ("status", "failure")
        self._documents = self._counter("documents", "Documents that became READY or FAILED.", *ended)
        self._stages = self._histogram("document_stage_seconds", "Duration of a stage of documents.", _SECONDS, "stage")
        answered = ("area", "method", "status")
        self._requests = self._counter("http_requests", "Requests that were answered.", *answered)
        self._request_time = self._histogram("http_request_seconds", "Time to the end of a response.", _SECONDS, "area")
        delivered = ("destination", "result")
        self._outgoing = self._counter("events", "Attempted deliveries of events, by result.", *delivered)
        self._outgoing_lag = self._histogram("event_delivery_seconds", "Time until an event is delivered.", _SECONDS)

    def _counter(self, name: str, description: str, *labels: str) -> Counter:
        return Counter(f"footnote_{name}", description, labels, registry=self._registry)

    def _histogram(self, name: str, description: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
        return Histogram(f"footnote_{name}", description, labels, buckets=buckets, registry=self._registry)

    def observe(self, record: Record) -> None:
        """Count what a record reports."""
        match record:
            case AnswerRecord():
                self._count_answer(record)
            case ModelCall():
                model = self._models.label(record.model, record.error)
                self._calls.labels(model, record.kind, record.error or "").inc()
                self._call_time.labels(model, record.kind).observe(record.duration_ms / 1000)
            case AnswerLogWrite():
                self._events.inc(record.events)
                self._event_lag.observe(record.waited_ms / 1000)
            case DocumentRecord():
                self._documents.labels(record.status, record.failure_code or "").inc()
                for stage, ms in record.stage_ms.items():
                    self._stages.labels(stage).observe(ms / 1000)
            case RequestRecord():
                self._requests.labels(record.area, record.method, record.status or "").inc()
                if record.method != "WEBSOCKET":  # how long one was open says nothing about the server
                    self._request_time.labels(record.area).observe(record.duration_ms / 1000)
            case EventDeliveryRecord():
                self._count_delivery(record)

    def _count_answer(self, record: AnswerRecord) -> None:
        route, outcome = record.route or "", record.outcome or record.failure or ""
        self._answers.labels(self._models.label(record.model, record.failure), route, outcome).inc()
        self._reduced.inc(record.is_reduced)
        for kind, tokens in (
            ("input", record.input_tokens),
            ("context", record.context_tokens),
            ("output", record.output_tokens),
        ):
            self._tokens.labels(kind).inc(tokens or 0)
        for histogram, ms in (
            (self._retrieval, record.retrieval_ms),
            (self._first_token, record.first_token_ms),
            (self._answer_time, record.total_ms),
        ):
            if ms is not None:
                histogram.observe(ms / 1000)
        if record.mean_score is not None:
            self._chunks.observe(record.chunks)
            self._similarity.observe(record.mean_score)
            if record.context_window:
                self._context.observe(record.context_tokens / record.context_window)
        if record.support is not None:
            self._support.observe(record.support)

    def _count_delivery(self, record: EventDeliveryRecord) -> None:
        for seconds in record.lag_seconds:
            self._outgoing_lag.observe(seconds)
        counts = {
            "delivered": len(record.lag_seconds),
            "refused": record.refused,
            "unreachable": record.unreachable,
            "given_up": record.given_up,
            "dropped": record.dropped,
        }
        for result, count in counts.items():
            self._outgoing.labels(record.destination, result).inc(count)

    def read_families(self, state: ServerState) -> list[merged_metrics.Family]:
        """All metrics, with the current state."""
        self._state.current = state
        return merged_metrics.read_families(self._registry.collect())

    def render(self, state: ServerState) -> bytes:
        """All metrics in the text format 0.0.4."""
        return merged_metrics.render(self.read_families(state))
