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
from app.providers.resilience.circuit_breaker import Call, Circuit
from app.providers.resilience.concurrency import Gate, Lane

log = logging.getLogger(__name__)

_DOCUMENTS = ("documents", "")
_MOST_WINDOWS = 1000


@dataclass(frozen=True, slots=True)
class Guard:
    """What stands before one provider, for all its models.

    `counting` is a gate beside the other: an answer should not wait twice, and a server counts while it writes.
    """

    circuit: Circuit
    gate: Gate
    counting: Gate
    place: str = ""
    """Where the server is and which setting says so: for the operator's eyes, no client is to see it."""
    longest_answer_seconds: float = base.TimeLimits().longest_answer
    windows: dict[str, int] = field(default_factory=dict[str, int])
    """What models said of their windows last; a server that hangs is not asked while its circuit is open."""

    @asynccontextmanager
    async def call(self, lane: Lane | None) -> AsyncGenerator[Call]:
        """One call with a place of its own, in its lane or before all; ModelUnavailable when none may be made."""
        self.circuit.check()  # before the queue: nobody should wait there to hear this
        async with self.gate.place(lane):
            call = self.circuit.begin()
            try:
                yield call
            except errors.AnswerError as error:
                if call.raised(error):
                    log.warning("no answer from %s: %s", self.place, error.message)
                raise
            finally:
                call.ended()


class GuardedLanguageModel:
    """A LanguageModel. Its place is held until the stream is closed."""

    def __init__(self, model: base.LanguageModel, guard: Guard) -> None:
        self._model = model
        self._guard = guard

    @property
    def name(self) -> str:
        """`provider/model`."""
        return self._model.name

    @property
    def writes(self) -> bool:
        """As the model."""
        return self._model.writes

    async def context_window(self) -> int:
        """As the model says, or said last."""
        windows = self._guard.windows
        if self.name in windows and self._guard.circuit.problem():
            return windows[self.name]
        if len(windows) >= _MOST_WINDOWS:
            windows.clear()  # clients may ask for any name
        windows[self.name] = window = await self._model.context_window()
        return window

    async def count(self, messages: Sequence[base.Message]) -> int | None:
        """As the model says; None when it cannot be asked now.

        It says nothing to the circuit: a server that does not count may answer well.
        """
        if self._guard.circuit.problem():
            return None
        try:
            async with self._guard.counting.place(None):
                return await self._model.count(messages)
        except errors.ModelUnavailable:
            return None

    async def stream(self, prompt: base.Prompt, options: base.Options) -> AsyncGenerator[base.Piece]:
        """The pieces of the model's answer, in the lane of whom it is for."""
        async with (
            self._guard.call(options.on_behalf) as call,
            aclosing(self._bounded(prompt, options)) as pieces,
        ):
            async for piece in pieces:
                call.answered()
                yield piece

    async def relay(self, request: base.Json, on_behalf: Lane) -> AsyncGenerator[base.Json]:
        """The model's answer as it is; in the lane of whom it is for."""
        seconds = self._guard.longest_answer_seconds
        relayed = answer_limits.bounded_relay(self._model.relay(request, on_behalf), request, self.name, seconds)
        async with self._guard.call(on_behalf) as call, aclosing(relayed) as chunks:
            async for chunk in chunks:
                call.answered()
                yield chunk

    def _bounded(self, prompt: base.Prompt, options: base.Options) -> AsyncGenerator[base.Piece]:
        seconds = self._guard.longest_answer_seconds
        return answer_limits.bounded(self._model.stream(prompt, options), options, self.name, seconds)


class GuardedEmbeddingModel:
    """An EmbeddingModel. Queries go before everything that waits; documents stand in a lane of their own."""

    def __init__(self, model: base.EmbeddingModel, guard: Guard) -> None:
        self._model = model
        self._guard = guard

    @property
    def name(self) -> str:
        """`provider/model`."""
        return self._model.name

    async def dimensions(self) -> int:
        """As the model says. It may know without asking its server, so this says nothing good to the circuit."""
        async with self._guard.call(_DOCUMENTS):
            return await self._model.dimensions()

    async def embed(self, texts: Sequence[str], purpose: base.Purpose) -> base.Vectors:
        """The model's vectors."""
        async with self._guard.call(_DOCUMENTS if purpose == "document" else None) as call:
            vectors = await self._model.embed(texts, purpose)
            call.answered()
            return vectors
