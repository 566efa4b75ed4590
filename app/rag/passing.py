"""A request from outside in; its size against the model's window, and the model's own answer to it as it is, out."""

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


@dataclass(frozen=True, slots=True)
class Measured:
    """The window of a model, and what of it the client's own messages take."""

    window: int
    prompt: int

    def check(self) -> None:
        """Raises ContextTooLong when the messages alone are longer than the window; equal passes."""
        if self.prompt > self.window:
            raise errors.ContextTooLong("Prompt length exceeds context window.")

    def top_k(self, tokens_per_passage: int, most: int) -> int:
        """How many passages are candidates: as many as may fit, but not few, and at most `most`."""
        return min(most, max(LEAST_TOP_K, (self.window - self.prompt) // tokens_per_passage))

    def limit(self, asked: int | None) -> int | None:
        """The tokens an answer may have of those it asks for; None for none asked."""
        return None if asked is None else max(1, min(asked, self.window - self.prompt))


class Passing:
    """Requests that go to a model as they are; keeps nothing between two of them."""

    def __init__(self, models: registry.Registry, counter: tokens.TokenCounter) -> None:
        self._models = models
        self._counter = counter

    async def measure(self, model: str, messages: Sequence[base.Message], *, local_only: bool) -> Measured:
        """How long a conversation is for this model. Raises ModelNotFound or ModelRefused."""
        window = await self._models.language_model(model, local_only=local_only).context_window()
        if sum(len(message.content) for message in messages) < _LONG_TEXT:
            return Measured(window, self._counter.count_messages(messages))
        return Measured(window, await asyncio.to_thread(self._counter.count_messages, messages))

    async def relay(self, model: str, request: base.Json, *, local_only: bool) -> AsyncGenerator[base.Json]:
        """The model's chunks, or its one completion. Raises an AnswerError when it breaks off."""
        relayed = self._models.language_model(model, local_only=local_only).relay(request)
        async with aclosing(relayed) as chunks:
            async for chunk in chunks:
                yield chunk
