"""What one answer takes: its times, and the tokens of every model that was asked for it."""

import time

from app.rag import events


class UsageMeter:
    """The times of one answer, in milliseconds since it began; and the tokens that were spent before it."""

    def __init__(self) -> None:
        self._start = time.perf_counter()
        self.retrieval_ms: float | None = None
        self.first_token_ms: float | None = None
        self.input_tokens = 0
        self.output_tokens = 0

    def record_piece(self) -> None:
        """A piece of the model's answer has arrived."""
        if self.first_token_ms is None:
            self.first_token_ms = self._elapsed_ms()

    def add_tokens(self, input_tokens: int, output_tokens: int) -> None:
        """A model was asked for something besides the answer."""
        self.input_tokens += input_tokens
        self.output_tokens += output_tokens

    def total_usage(self, model: str, input_tokens: int, output_tokens: int) -> events.AnswerUsage:
        """What everything took until now; the tokens given are the answer's own."""
        return events.AnswerUsage(
            model,
            self.input_tokens + input_tokens,
            self.output_tokens + output_tokens,
            self.retrieval_ms,
            self.first_token_ms,
            self._elapsed_ms(),
        )

    def _elapsed_ms(self) -> float:
        return (time.perf_counter() - self._start) * 1000
