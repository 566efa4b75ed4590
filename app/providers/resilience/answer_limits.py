"""Limit the length and duration of answers, for models that do not stop by themselves.

Most servers obey `max_tokens`; some do not. A token has about four characters. An answer with ten times as many, or
one that takes longer than any useful model would, ends with the finish reason LENGTH, and its request is closed.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import cast

from app.providers import base, completions, request_fields
from app.providers.openai import wire

log = logging.getLogger(__name__)

_CHARACTERS_PER_TOKEN = 40
_MIN_CHARACTERS = 4_000
MAX_CHARACTERS = 4_000_000
"""The longest answer, including reasoning, whatever limit was granted."""

_SECONDS_PER_TOKEN = 2.0
_MIN_SECONDS = 60.0

# Chunks without text count, too: in a stream, most chunks contain a token.
_MIN_CHUNK_CHARACTERS = 4
_NO_TEXT = frozenset({"images", "audio", "logprobs"})


class AnswerAllowance:
    """The characters and time left for an answer of `tokens`; without `tokens`, only the general limits apply.

    `longest_seconds` limits every answer. The clock starts with the first piece.
    """

    def __init__(self, tokens: int | None, longest_seconds: float) -> None:
        characters, seconds = MAX_CHARACTERS, longest_seconds
        if tokens is not None:
            characters = min(characters, max(_MIN_CHARACTERS, tokens * _CHARACTERS_PER_TOKEN))
            seconds = min(seconds, max(_MIN_SECONDS, tokens * _SECONDS_PER_TOKEN))
        self.tokens = tokens
        self._left = characters
        self._seconds = seconds
        self._clock = asyncio.get_running_loop().time
        self._until: float | None = None

    @property
    def is_used_up(self) -> bool:
        """Whether the answer must end now."""
        return self._left <= 0 or (self._until is not None and self._clock() >= self._until)

    def cut_piece(self, piece: base.TextDelta | base.ReasoningDelta) -> base.TextDelta | base.ReasoningDelta:
        """The part of `piece` that is still allowed; its text may be empty."""
        left = max(0, self._left)
        self.spend_characters(len(piece.text))
        return piece if len(piece.text) <= left else type(piece)(piece.text[:left])

    def spend_characters(self, characters: int) -> None:
        """Count received characters."""
        self._left -= characters
        if self._until is None:
            self._until = self._clock() + self._seconds


def answer_allowance(options: base.GenerationOptions, longest_seconds: float) -> AnswerAllowance:
    """The allowance of an answer with these options."""
    granted = options.context_window if options.max_tokens is None else options.max_tokens
    return AnswerAllowance(granted, longest_seconds)


def request_allowance(request: base.JsonObject, longest_seconds: float) -> AnswerAllowance:
    """The allowance of an OpenAI chat request."""
    limits = [limit for name in request_fields.MAX_TOKENS_FIELDS if isinstance(limit := request.get(name), int)]
    return AnswerAllowance(max(limits, default=None), longest_seconds)


async def limit_relay(
    chunks: AsyncGenerator[base.JsonObject], request: base.JsonObject, name: str, longest_seconds: float
) -> AsyncGenerator[base.JsonObject]:
    """Pass the chunks of a stream through, up to the request's limit; a completion passes unchanged.

    A stream that is cut ends with the finish reason `length`.
    """
    if request.get("stream") is not True:
        async with aclosing(chunks):
            async for chunk in chunks:
                yield chunk
        return
    allowance, ended = request_allowance(request, longest_seconds), False
    async with aclosing(chunks):
        async for chunk in chunks:
            allowance.spend_characters(max(_MIN_CHUNK_CHARACTERS, count_characters(chunk.get("choices"))))
            ended = ended or wire.find_finish_reason(chunk) is not None
            yield chunk
            if allowance.is_used_up:
                log.warning("%s did not stop; the relayed answer was cut", name)
                if not ended:
                    yield completions.make_length_chunk(chunk)
                return


def count_characters(value: object) -> int:
    """The characters of all texts in a chunk's choices; images and probabilities do not count."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, list):
        return sum(map(count_characters, cast("list[object]", value)))
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, object]", value)
        return sum(count_characters(field) for name, field in fields.items() if name not in _NO_TEXT)
    return 0
