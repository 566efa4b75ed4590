"""Pass requests to the model unchanged, and check first that they fit its window."""

import asyncio
from collections.abc import AsyncGenerator, Collection, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from app import errors
from app.providers import base, registry, tokens
from app.statuses import TokenCounting

MIN_TOP_K = 100
"""The fewest candidates: too many are better than too few, because the window decides which of them stay."""

# Counting longer texts would noticeably block the event loop.
_LONG_TEXT = 20_000
# The true count is almost never below this percentage of ours. Estimates lean toward too many; apart from that they
# were measured to be off by up to 27% either way, or 11% once calibrated.
_MIN_PERCENT: dict[TokenCounting, int] = {
    TokenCounting.EXACT: 100,
    TokenCounting.CALIBRATED: 80,
    TokenCounting.ESTIMATED: 66,
}


@dataclass(frozen=True, slots=True)
class PromptMeasurement:
    """The window of a model, and the tokens of it that the client's own messages take."""

    window: int
    prompt_tokens: int
    counting: TokenCounting = TokenCounting.ESTIMATED

    def check_fits(self) -> None:
        """Raise ContextTooLong if the messages alone are certainly longer than the window.

        If an estimate leaves a doubt, the request is sent: the model's server knows, and refuses by itself.
        """
        if self._min_prompt_tokens > self.window:
            raise errors.ContextTooLong("Prompt length exceeds context window.")

    def candidate_limit(self, tokens_per_passage: int, maximum: int) -> int:
        """How many passages are candidates: as many as may fit, at least MIN_TOP_K and at most `maximum`."""
        return min(maximum, max(MIN_TOP_K, (self.window - self.prompt_tokens) // tokens_per_passage))

    def grant_max_tokens(self, requested: int | None) -> int | None:
        """How many of the requested tokens the answer may use; None if no limit was requested."""
        prompt = self.prompt_tokens if self.prompt_tokens < self.window else self._min_prompt_tokens
        return None if requested is None else max(1, min(requested, self.window - prompt))

    @property
    def _min_prompt_tokens(self) -> int:
        """The fewest tokens that the messages can have."""
        return self.prompt_tokens * _MIN_PERCENT[self.counting] // 100


class PassThrough:
    """Passes requests to a model unchanged; keeps no state between requests."""

    def __init__(self, models: registry.ModelRegistry, counters: tokens.TokenCounters) -> None:
        self._models = models
        self._counters = counters

    async def measure_prompt(
        self,
        user_id: str,
        model: str,
        messages: Sequence[base.PromptMessage],
        max_tokens: int | None,
        *,
        local_only: bool,
    ) -> PromptMeasurement:
        """Count a user's conversation for this model. Raises ModelNotFound or ModelRefused.

        Counts by estimate; if that exceeds the window with the answer's `max_tokens`, the server is asked to count.
        """
        language_model = self._models.language_model(model, local_only=local_only)
        window = await language_model.context_window()
        counter, prompt = await self._count_messages(user_id, model, messages)
        if prompt + (max_tokens or 0) > window and (exact := await language_model.count_tokens(messages)) is not None:
            return PromptMeasurement(window, exact, TokenCounting.EXACT)
        return PromptMeasurement(window, prompt, counter.counting)

    async def _count_messages(
        self, user_id: str, model: str, messages: Sequence[base.PromptMessage]
    ) -> tuple[tokens.TokenCounter, int]:
        def count() -> tuple[tokens.TokenCounter, int]:
            script = tokens.detect_script(message.content for message in messages)
            counter = self._counters.counter_for(user_id, model, script)
            return counter, counter.count_messages(messages)

        if sum(len(message.content) for message in messages) < _LONG_TEXT:
            return count()
        return await asyncio.to_thread(count)

    def count_tokens(self, user_id: str, model: str, text: str) -> int:
        """Tokens of a user's text, by the best known counter of the model."""
        return self._counters.counter_for(user_id, model, tokens.detect_script([text])).count(text)

    async def count_long_text(self, user_id: str, model: str, text: str) -> int:
        """Like `count_tokens`, but counts long texts in a thread."""
        if len(text) < _LONG_TEXT:
            return self.count_tokens(user_id, model, text)
        return await asyncio.to_thread(self.count_tokens, user_id, model, text)

    async def relay_request(
        self,
        model: str,
        request: base.JsonObject,
        on_behalf: tuple[str, str],
        adaptable: Collection[str],
        *,
        local_only: bool,
    ) -> AsyncGenerator[base.JsonObject]:
        """The model's chunks, or its one completion. Raises an AnswerError if the answer breaks off.

        `adaptable` fields may be changed, see `LanguageModel.relay_request`.
        """
        relayed = self._models.language_model(model, local_only=local_only).relay_request(request, on_behalf, adaptable)
        async with aclosing(relayed) as chunks:
            async for chunk in chunks:
                yield chunk
