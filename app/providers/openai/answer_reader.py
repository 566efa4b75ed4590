"""Read a streamed answer to its end.

A finish reason is not always the end: some servers send `stop` with every chunk (QuantumNous/new-api#378,
BerriAI/litellm#2195), and later chunks belong to the answer. But once an answer is complete, nothing that follows
invalidates it: neither an error, nor a broken connection, nor silence.
"""

import asyncio
import time
from collections.abc import AsyncGenerator

from app import errors
from app.providers.openai import wire
from app.providers.openai.connection import OpenAIConnection
from app.providers.resilience.error_mapping import ErrorMapper
from app.providers.server_values import read_fields

# How long to wait after a complete answer for the usage and the end of the stream.
_REST_SECONDS = 5.0


class AnswerReader:
    """Reads the chunks of one answer, grouped by arrival, and knows when it is complete."""

    def __init__(
        self, groups: AsyncGenerator[list[object]], error_mapper: ErrorMapper, connection: OpenAIConnection
    ) -> None:
        self.finish: str | None = None
        self._groups = groups
        self._error_mapper = error_mapper
        self._connection = connection
        self._rest_seconds = min(_REST_SECONDS, connection.limits.between_tokens)
        self._has_content = False
        self._goes_on = False
        """Whether text has followed a finish reason, so that this server's do not end an answer."""
        self.is_complete = False
        """Whether the answer is complete, unless more of it follows. The reader limits the next wait itself."""

    async def next_group(self) -> list[object] | None:
        """The next chunks; None at the end. Raises an AnswerError or a client error for an incomplete answer.

        A finish reason that reports a failure is an error, too.
        """
        if self.is_complete:
            group = await self._read_rest()
        elif wire.is_failure(self.finish):
            raise self._error_mapper.failed_answer()
        else:
            group = await anext(self._groups, None)
            if group is None and self.finish is None:
                raise self._error_mapper.incomplete_answer()
        self._connection.last_arrival = time.monotonic()
        for chunk in group or ():
            self._note_chunk(chunk)
        return group

    async def _read_rest(self) -> list[object] | None:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        try:
            async with asyncio.timeout(self._rest_seconds):
                with self._error_mapper.translate_errors():
                    return await anext(self._groups, None)
        except (TimeoutError, errors.AnswerError):
            return None
        finally:
            self._rest_seconds -= loop.time() - begun

    def _note_chunk(self, chunk: object) -> None:
        finish = wire.find_finish_reason(read_fields(chunk))
        if wire.has_content(chunk):
            self._has_content = True
            if self.finish is not None:
                self._goes_on, self.is_complete = True, False
        if finish is None or self.is_complete:
            return
        self.finish = finish
        # A server that sends `stop` with each chunk may send the first before it has processed the prompt.
        has_begun = self._has_content or finish != "stop"
        self.is_complete = has_begun and not self._goes_on and not wire.is_failure(finish)
