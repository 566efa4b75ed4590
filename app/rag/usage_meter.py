"""Measure what one answer takes: times, and the tokens of every model call."""

import time

from app.providers import base
from app.rag import events


class UsageMeter:
    """Times of one answer in milliseconds since it began, and tokens spent before it."""

    def __init__(self) -> None:
        self._start = time.perf_counter()
        self.retrieval_ms: float | None = None
        self.first_token_ms: float | None = None
        self.input_tokens = 0
        self.output_tokens = 0

    @property
    def tokens(self) -> int:
        """Tokens of calls other than the answer itself."""
        return self.input_tokens + self.output_tokens

    def record_piece(self) -> None:
        """Record that a piece of the model's answer has arrived."""
        if self.first_token_ms is None:
            self.first_token_ms = self.elapsed_ms()

    def add_call(self, finished: base.Finished, input_tokens: int, output_tokens: int) -> None:
        """Count the tokens of a call other than the answer itself: as the server reports them, else as given."""
        self.input_tokens += input_tokens if finished.input_tokens is None else finished.input_tokens
        self.output_tokens += output_tokens if finished.output_tokens is None else finished.output_tokens

    def total_usage(self, model: str, input_tokens: int, output_tokens: int) -> events.AnswerUsage:
        """Everything used so far; the arguments are the answer's own tokens."""
        return events.AnswerUsage(
            model,
            self.input_tokens + input_tokens,
            self.output_tokens + output_tokens,
            self.retrieval_ms,
            self.first_token_ms,
            self.elapsed_ms(),
        )

    def elapsed_ms(self) -> float:
        """Milliseconds since the answer began."""
        return (time.perf_counter() - self._start) * 1000
