"""A model in; the same model behind its provider's circuit and gate, out.

Every request of a provider that is a server passes here, and only here: first the circuit says whether the server is
known to be down, then the gate gives a place, and what becomes of the request is told to the circuit. An answer that
does not end is ended here.
"""

import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field

from app import errors
from app.providers import base
from app.providers.resilience import answer_limits
from app.providers.resilience.circuit_breaker import CircuitBreaker, CircuitCall
from app.providers.resilience.concurrency import ConcurrencyLimiter, Lane

log = logging.getLogger(__name__)

_DOCUMENTS = ("documents", "")
_MOST_WINDOWS = 1000


@dataclass(frozen=True, slots=True)
class ProviderProtection:
    """What stands before one provider, for all its models.

    `counting` is a gate beside the other: an answer should not wait twice, and a server counts while it writes.
    """

    circuit_breaker: CircuitBreaker
    request_limiter: ConcurrencyLimiter
    counting_limiter: ConcurrencyLimiter
    server_location: str = ""
    """Where the server is and which setting says so: for the operator's eyes, no client is to see it."""
    longest_answer_seconds: float = base.TimeLimits().longest_answer
    known_windows: dict[str, int] = field(default_factory=dict[str, int])
    """What models said of their windows last; a server that hangs is not asked while its circuit is open."""

    @asynccontextmanager
    async def protected_call(self, lane: Lane | None) -> AsyncGenerator[CircuitCall]:
        """One call with a place of its own, in its lane or before all; ModelUnavailable when none may be made."""
        self.circuit_breaker.check_closed()  # before the queue: nobody should wait there to hear this
        async with self.request_limiter.hold_place(lane):
            call = self.circuit_breaker.begin_call()
            try:
                yield call
            except errors.AnswerError as error:
                if call.record_error(error):
                    log.warning("no answer from %s: %s", self.server_location, error.message)
                raise
            finally:
                call.end()


class ProtectedLanguageModel:
    """A LanguageModel. Its place is held until the stream is closed."""

    def __init__(self, model: base.LanguageModel, protection: ProviderProtection) -> None:
        self._model = model
        self._protection = protection

    @property
    def name(self) -> str:
        """`provider/model`."""
        return self._model.name

    @property
    def is_generative(self) -> bool:
        """As the model."""
        return self._model.is_generative

    async def context_window(self) -> int:
        """As the model says, or said last."""
        windows = self._protection.known_windows
        if self.name in windows and self._protection.circuit_breaker.current_error():
            return windows[self.name]
        if len(windows) >= _MOST_WINDOWS:
            windows.clear()  # clients may ask for any name
        windows[self.name] = window = await self._model.context_window()
        return window

    async def count_tokens(self, messages: Sequence[base.PromptMessage]) -> int | None:
        """As the model says; None when it cannot be asked now.

        It says nothing to the circuit: a server that does not count may answer well.
        """
        if self._protection.circuit_breaker.current_error():
            return None
        try:
            async with self._protection.counting_limiter.hold_place(None):
                return await self._model.count_tokens(messages)
        except errors.ModelUnavailable:
            return None

    async def stream_answer(self, prompt: base.Prompt, options: base.GenerationOptions) -> AsyncGenerator[base.Piece]:
        """The pieces of the model's answer, in the lane of whom it is for."""
        async with (
            self._protection.protected_call(options.on_behalf_of) as call,
            aclosing(self._bounded(prompt, options)) as pieces,
        ):
            async for piece in pieces:
                call.record_answer()
                yield piece

    async def relay_request(self, request: base.JsonObject, on_behalf_of: Lane) -> AsyncGenerator[base.JsonObject]:
        """The model's answer as it is; in the lane of whom it is for."""
        seconds = self._protection.longest_answer_seconds
        relayed = answer_limits.limit_relay(
            self._model.relay_request(request, on_behalf_of), request, self.name, seconds
        )
        async with self._protection.protected_call(on_behalf_of) as call, aclosing(relayed) as chunks:
            async for chunk in chunks:
                call.record_answer()
                yield chunk

    def _bounded(self, prompt: base.Prompt, options: base.GenerationOptions) -> AsyncGenerator[base.Piece]:
        seconds = self._protection.longest_answer_seconds
        return answer_limits.limit_answer(self._model.stream_answer(prompt, options), options, self.name, seconds)


class ProtectedEmbeddingModel:
    """An EmbeddingModel. Queries go before everything that waits; documents stand in a lane of their own."""

    def __init__(self, model: base.EmbeddingModel, protection: ProviderProtection) -> None:
        self._model = model
        self._protection = protection

    @property
    def name(self) -> str:
        """`provider/model`."""
        return self._model.name

    async def dimensions(self) -> int:
        """As the model says. It may know without asking its server, so this says nothing good to the circuit."""
        async with self._protection.protected_call(_DOCUMENTS):
            return await self._model.dimensions()

    async def embed_texts(self, texts: Sequence[str], purpose: base.Purpose) -> base.Vectors:
        """The model's vectors."""
        async with self._protection.protected_call(_DOCUMENTS if purpose == "document" else None) as call:
            vectors = await self._model.embed_texts(texts, purpose)
            call.record_answer()
            return vectors
