"""Requests that go to the model unchanged: their size against its window, and the model's own answer."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from app import errors
from app.providers import base, registry, tokens

LEAST_TOP_K = 100
"""Passages are many candidates rather than few (seed 000): the window decides which of them stay."""

# From here on counting takes long enough to be felt by others.
_LONG_TEXT = 20_000
# Per cent of a count that the truth nearly never is under: estimates err on the side of too many, and as FACTS has it
# by up to 27 per cent either way beside their margin, by 11 where they are calibrated.
_SURELY: dict[tokens.Counting, int] = {"EXACT": 100, "CALIBRATED": 80, "ESTIMATED": 66}


@dataclass(frozen=True, slots=True)
class PromptMeasurement:
    """The window of a model, and what of it the client's own messages take."""

    window: int
    prompt_tokens: int
    counting: tokens.Counting = "ESTIMATED"

    def check_fits(self) -> None:
        """Raise ContextTooLong when the messages alone are certainly longer than the window; equal passes.

        Where an estimate leaves a doubt, the model's server has the last word: it knows, and refuses by itself.
        """
        if self._least_prompt_tokens > self.window:
            raise errors.ContextTooLong("Prompt length exceeds context window.")

    def candidate_limit(self, tokens_per_passage: int, most: int) -> int:
        """How many passages are candidates: as many as may fit, but not few, and at most `most`."""
        return min(most, max(LEAST_TOP_K, (self.window - self.prompt_tokens) // tokens_per_passage))

    def answer_limit(self, asked: int | None) -> int | None:
        """The tokens an answer may take of those requested; None if no limit was requested."""
        prompt = self.prompt_tokens if self.prompt_tokens < self.window else self._least_prompt_tokens
        return None if asked is None else max(1, min(asked, self.window - prompt))

    @property
    def _least_prompt_tokens(self) -> int:
        """The fewest tokens that the messages may be."""
        return self.prompt_tokens * _SURELY[self.counting] // 100


class PassThrough:
    """Passes requests to a model unchanged; keeps no state between requests."""

    def __init__(self, models: registry.ModelRegistry, counters: tokens.TokenCounters) -> None:
        self._models = models
        self._counters = counters

    async def measure_prompt(
        self, model: str, messages: Sequence[base.PromptMessage], limit: int | None, *, local_only: bool
    ) -> PromptMeasurement:
        """How long a conversation is for this model. Raises ModelNotFound or ModelRefused.

        By what is known of the model; its server counts where that is too much with the `limit` of the answer.
        """
        asked = self._models.language_model(model, local_only=local_only)
        window = await asked.context_window()
        counter, prompt = await self._count_messages(model, messages)
        if prompt + (limit or 0) > window and (exact := await asked.count_tokens(messages)) is not None:
            return PromptMeasurement(window, exact, "EXACT")
        return PromptMeasurement(window, prompt, counter.counting)

    async def _count_messages(
        self, model: str, messages: Sequence[base.PromptMessage]
    ) -> tuple[tokens.TokenCounter, int]:
        def count() -> tuple[tokens.TokenCounter, int]:
            counter = self._counters.counter_for(model, tokens.detect_script(message.content for message in messages))
            return counter, counter.count_messages(messages)

        if sum(len(message.content) for message in messages) < _LONG_TEXT:
            return count()
        return await asyncio.to_thread(count)

    def count_tokens(self, model: str, text: str) -> int:
        """Tokens of a text, by what is known of the model."""
        return self._counters.counter_for(model, tokens.detect_script([text])).count(text)

    async def count_long_text(self, model: str, text: str) -> int:
        """`count_tokens` for a text of any length."""
        if len(text) < _LONG_TEXT:
            return self.count_tokens(model, text)
        return await asyncio.to_thread(self.count_tokens, model, text)

    async def relay_request(
        self, model: str, request: base.JsonObject, on_behalf: tuple[str, str], *, local_only: bool
    ) -> AsyncGenerator[base.JsonObject]:
        """The model's chunks, or its one completion. Raises an AnswerError when it breaks off."""
        relayed = self._models.language_model(model, local_only=local_only).relay_request(request, on_behalf)
        async with aclosing(relayed) as chunks:
            async for chunk in chunks:
                yield chunk
