"""Models protected by their provider's circuit breakers and concurrency limiter.

Every request to a model server passes through here: the circuit breakers check whether the server or the model is down,
the limiter grants a slot, and the circuit breakers record the outcome. An answer that does not end by itself is cut.
"""

import logging
from collections.abc import AsyncGenerator, Collection, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field

from app import errors
from app.concurrency import ConcurrencyLimiter, Lane
from app.providers import base
from app.providers.forwarding import ForwardingEmbeddingModel, ForwardingLanguageModel
from app.providers.resilience import answer_limits
from app.providers.resilience.provider_circuits import ProviderCall, ProviderCircuits
from app.providers.resilience.server_problems import ServerProblems
from app.statuses import FinishReason

log = logging.getLogger(__name__)

_DOCUMENTS = ("documents", "")
_MAX_WINDOWS = 1000


@dataclass(frozen=True, slots=True)
class ProviderProtection:
    """Circuit breakers and limiters of one provider, for all its models.

    Token counts have their own limiter: an answer should not wait twice, and a server can count while it generates.
    """

    circuits: ProviderCircuits
    request_limiter: ConcurrencyLimiter
    counting_limiter: ConcurrencyLimiter
    server_location: str = ""
    """The server's address and the setting that names it; for the operator, never for clients."""
    problems: ServerProblems = field(default_factory=ServerProblems)
    longest_answer_seconds: float = base.TimeLimits().longest_answer
    known_windows: dict[str, int] = field(default_factory=dict[str, int])
    """The last known window per model, used while the circuit is open."""

    @asynccontextmanager
    async def protected_call(self, model: str, lane: Lane | None) -> AsyncGenerator[ProviderCall]:
        """Hold a slot for one call. Raises ModelUnavailable if a circuit is open or no slot is free."""
        user = "" if lane in (None, _DOCUMENTS) else lane[0]
        self.circuits.check_closed(model, user)  # before the queue: nobody should wait there only to fail
        async with self.request_limiter.hold_slot(lane):
            call = self.circuits.begin_call(model, user)
            try:
                yield call
            except errors.AnswerError as error:
                if call.record_error(error):
                    self.problems.report(self.server_location, error.message)
                raise
            finally:
                call.end()


class ProtectedLanguageModel(ForwardingLanguageModel):
    """A LanguageModel that holds its slot until the stream is closed."""

    def __init__(self, model: base.LanguageModel, protection: ProviderProtection) -> None:
        super().__init__(model)
        self._protection = protection

    async def context_window(self) -> int:
        """The model's window, or the last known one."""
        windows = self._protection.known_windows
        if self.name in windows and self._protection.circuits.current_error(self.name):
            return windows[self.name]
        if len(windows) >= _MAX_WINDOWS:
            windows.clear()  # clients may request any model name
        windows[self.name] = window = await self._model.context_window()
        return window

    async def count_tokens(self, messages: Sequence[base.PromptMessage]) -> int | None:
        """The model's count; None if it cannot be called now.

        Records nothing in the circuit breaker: a server that cannot count may still answer.
        """
        if self._protection.circuits.current_error(self.name):
            return None
        try:
            async with self._protection.counting_limiter.hold_slot(None):
                return await self._model.count_tokens(messages)
        except errors.ModelUnavailable:
            return None

    async def stream_answer(self, prompt: base.Prompt, options: base.GenerationOptions) -> AsyncGenerator[base.Piece]:
        """Stream the model's answer; waits in the lane of its user and project."""
        allowance = answer_limits.answer_allowance(options, self._protection.longest_answer_seconds)
        async with (
            self._protection.protected_call(self.name, options.on_behalf_of) as call,
            aclosing(self._model.stream_answer(prompt, options)) as pieces,
        ):
            async for piece in pieces:
                call.record_answer()
                if isinstance(piece, base.Finished):
                    yield piece
                    return
                if (allowed := allowance.cut_piece(piece)).text:
                    yield allowed
                if allowance.is_used_up:
                    log.warning(
                        "%s did not stop at the %d tokens it was granted; its answer was cut",
                        self.name,
                        allowance.tokens,
                    )
                    yield base.Finished(FinishReason.LENGTH)
                    return

    async def relay_request(
        self, request: base.JsonObject, on_behalf_of: Lane, adaptable: Collection[str] = ()
    ) -> AsyncGenerator[base.JsonObject]:
        """Relay the model's answer unchanged; waits in the lane of its user and project."""
        seconds = self._protection.longest_answer_seconds
        relayed = answer_limits.limit_relay(
            self._model.relay_request(request, on_behalf_of, adaptable), request, self.name, seconds
        )
        async with self._protection.protected_call(self.name, on_behalf_of) as call, aclosing(relayed) as chunks:
            async for chunk in chunks:
                call.record_answer()
                yield chunk


class ProtectedEmbeddingModel(ForwardingEmbeddingModel):
    """An EmbeddingModel. Queries go before all waiting requests; documents have their own lane."""

    def __init__(self, model: base.EmbeddingModel, protection: ProviderProtection) -> None:
        super().__init__(model)
        self._protection = protection

    async def dimensions(self) -> int:
        """The model's dimensions. They may be known without calling the server, so success is not recorded."""
        async with self._protection.protected_call(self.name, _DOCUMENTS):
            return await self._model.dimensions()

    async def embed_texts(self, texts: Sequence[str], purpose: base.Purpose) -> base.Vectors:
        """The model's vectors."""
        async with self._protection.protected_call(self.name, _DOCUMENTS if purpose == "document" else None) as call:
            vectors = await self._model.embed_texts(texts, purpose)
            call.record_answer()
            return vectors
