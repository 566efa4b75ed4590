"""Time a call of a model and report it to the observer."""

import time
from dataclasses import dataclass, field
from types import TracebackType

from app import errors
from app.observation.observer import ModelCall, ModelCallKind, Observer


@dataclass(slots=True)
class ModelCallTimer:
    """Times a `with` block, waiting for a place included."""

    observer: Observer
    model: str
    kind: ModelCallKind
    input_tokens: int | None = None
    output_tokens: int | None = None
    _start: float = field(default_factory=time.perf_counter)
    _first_piece_ms: float | None = None

    def note_first_piece(self) -> None:
        """A piece of the answer has arrived; all but the first change nothing."""
        if self._first_piece_ms is None:
            self._first_piece_ms = self._elapsed_ms()

    def __enter__(self) -> "ModelCallTimer":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        failure = None if error is None else errors.failure_code(error)
        self.observer.model_called(
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

    def _elapsed_ms(self) -> float:
        return (time.perf_counter() - self._start) * 1000
