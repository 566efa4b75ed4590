"""The server in a running child process, and whether it hangs."""

import asyncio
import time
from asyncio.subprocess import Process
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from app import errors
from app.providers.llamacpp.endings import explain_end
from app.providers.llamacpp.slots import Slots
from app.providers.openai.connection import OpenAIConnection

# Timers may fire a little early.
_NEARLY = 0.9


@dataclass(slots=True)
class ModelServer:
    """A running child, and the connection to its server. `output` is the end of its output, collected by `reading`."""

    connection: OpenAIConnection
    process: Process
    output: bytearray
    reading: asyncio.Task[None]
    slots: Slots
    has_hung: bool = field(default=False, init=False)
    """Whether it was ended because it hung."""
    _requests: int = field(default=0, init=False)
    _requests_since: float = field(default=0.0, init=False)
    """Since when it has had at least one request."""
    _waited: float = field(default=0.0, init=False)
    """How long earlier requests have waited in vain."""

    @contextmanager
    def expect_answer(self) -> Generator[None]:
        """The block is a request. If it fails because the process hangs, that is ended."""
        if not self._requests:
            self._requests_since = time.monotonic()
        self._requests += 1
        try:
            yield
        except (
            BaseException
        ) as error:  # including cancellation: nobody may have the patience to wait for the time limit
            if self._hangs(timed_out=isinstance(error, errors.ModelTimeout)):
                self.has_hung = True
                self.kill()
            raise
        finally:
            self._requests -= 1
            if not self._requests:
                self._waited = self._measure_silence()

    def note_answer(self) -> None:
        """Note that a request was answered; the connection notes the pieces of streamed answers."""
        self.connection.last_arrival = time.monotonic()

    def _hangs(self, *, timed_out: bool) -> bool:
        """Whether it does not go on with anything; while it reads a prompt, it reports the progress."""
        limits = self.connection.limits
        has_begun = timed_out and self.connection.last_arrival >= self._requests_since
        limit = limits.between_tokens if has_begun else limits.first_token
        return self._measure_silence() >= _NEARLY * limit

    def _measure_silence(self) -> float:
        """For how many seconds, without those when it had no request, it has sent nothing."""
        last, now = self.connection.last_arrival, time.monotonic()
        return now - last if last >= self._requests_since else self._waited + now - self._requests_since

    def kill(self) -> None:
        """End the process, which has nothing to save."""
        with suppress(ProcessLookupError):
            self.process.kill()

    async def wait_end(self, seconds: float | None = None) -> str | None:
        """Wait until the process ends; returns how it ended, or None if it has not ended within `seconds`."""
        ending = asyncio.create_task(self.process.wait())
        try:
            await asyncio.wait({ending, self.reading}, timeout=seconds)
        finally:
            ending.cancel()
        if self.process.returncode is None:
            return None
        return "hung and was ended" if self.has_hung else explain_end(self.process.returncode, self.output)

    @property
    def rerank_url(self) -> str:
        """The URL of its reranking endpoint."""
        return f"{self.connection.client.base_url}rerank"
