"""Time a model call, trace it, and report it to the observer."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType

from app import errors
from app.observation import tracing
from app.observation.observer import ModelCall, ModelCallKind, Observer

# The names from OpenTelemetry's conventions for generative AI, where they have one.
_OPERATIONS: Mapping[ModelCallKind, str] = {"CHAT": "chat", "EMBEDDING": "embeddings", "RERANK": "rerank"}


@dataclass(slots=True)
class ModelCallTimer:
    """Times a `with` block, including the wait for a slot; requests sent in it belong to its span.

    `attributes`: additional span attributes.
    """

    observer: Observer
    model: str
    kind: ModelCallKind
    attributes: tracing.Attributes = field(default_factory=dict[str, str])
    input_tokens: int | None = None
    output_tokens: int | None = None
    _start: float = field(default_factory=time.perf_counter)
    _first_piece_ms: float | None = None
    span: tracing.SpanScope = field(init=False)

    def note_first_piece(self) -> None:
        """Record the arrival of a piece of the answer; only the first counts."""
        if self._first_piece_ms is None:
            self._first_piece_ms = self._elapsed_ms()

    def __enter__(self) -> "ModelCallTimer":
        provider, slash, model = self.model.partition("/")
        operation = _OPERATIONS[self.kind]
        named = {
            "gen_ai.operation.name": operation,
            "gen_ai.provider.name": provider if slash else None,
            "gen_ai.request.model": model if slash else self.model,
        }
        self.span = tracing.child_span(f"{operation} {self.model}", "CLIENT", {**named, **self.attributes})
        self.span.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        failure = None if error is None else errors.failure_code(error)
        first_seconds = None if self._first_piece_ms is None else self._first_piece_ms / 1000
        self.span.set_attributes(
            {
                "gen_ai.usage.input_tokens": self.input_tokens,
                "gen_ai.usage.output_tokens": self.output_tokens,
                "gen_ai.response.time_to_first_chunk": first_seconds,
            }
        )
        self.observer.observe(
            ModelCall(
                self.model,
                self.kind,
                self._elapsed_ms(),
                self._first_piece_ms,
                self.input_tokens,
                self.output_tokens,
                failure,
            )
        )
        self.span.__exit__(kind, error, traceback)

    def _elapsed_ms(self) -> float:
        return (time.perf_counter() - self._start) * 1000
