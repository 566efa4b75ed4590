"""How long an answer may become, by the tokens that were granted: a model that does not stop is stopped.

Most servers keep to `max_tokens`, and some do not. A token has about four characters; what has ten times as many, or
takes longer than any model that is of use, ends with the finish reason LENGTH, and its request is closed.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import cast

from app.providers import base, completions
from app.providers.openai import wire

log = logging.getLogger(__name__)

_CHARACTERS_PER_TOKEN = 40
_LEAST_CHARACTERS = 4_000
MOST_CHARACTERS = 4_000_000
"""Of any answer, thoughts included, whatever was granted."""

_SECONDS_PER_TOKEN = 2.0
_LEAST_SECONDS = 60.0

# Chunks that carry no text cost as well: of a server that streams, most have a token.
_LEAST_OF_A_CHUNK = 4
_NO_TEXT = frozenset({"images", "audio", "logprobs"})
_LIMITS = ("max_completion_tokens", "max_tokens")


class AnswerAllowance:
    """What an answer may still have of characters and of time; None tokens: only what bounds every answer.

    `longest_seconds` bounds the time of every answer. The clock starts with what comes first.
    """

    def __init__(self, tokens: int | None, longest_seconds: float) -> None:
        characters, seconds = MOST_CHARACTERS, longest_seconds
        if tokens is not None:
            characters = min(characters, max(_LEAST_CHARACTERS, tokens * _CHARACTERS_PER_TOKEN))
            seconds = min(seconds, max(_LEAST_SECONDS, tokens * _SECONDS_PER_TOKEN))
        self._left = characters
        self._seconds = seconds
        self._clock = asyncio.get_running_loop().time
        self._until: float | None = None

    @property
    def is_used_up(self) -> bool:
        """Whether nothing more may come."""
        return self._left <= 0 or (self._until is not None and self._clock() >= self._until)

    def take_text(self, text: str) -> str:
        """As much of `text` as may come."""
        taken = text[: max(0, self._left)]
        self.spend_characters(len(text))
        return taken

    def spend_characters(self, characters: int) -> None:
        """So many have come."""
        self._left -= characters
        if self._until is None:
            self._until = self._clock() + self._seconds


async def limit_answer(
    pieces: AsyncGenerator[base.Piece], options: base.GenerationOptions, name: str, longest_seconds: float
) -> AsyncGenerator[base.Piece]:
    """The pieces of an answer, to their end or to that of what `options` grants."""
    granted = options.context_window if options.max_tokens is None else options.max_tokens
    allowance = AnswerAllowance(granted, longest_seconds)
    async with aclosing(pieces):
        async for piece in pieces:
            if isinstance(piece, base.Finished):
                yield piece
                return
            if text := allowance.take_text(piece.text):
                yield type(piece)(text)
            if allowance.is_used_up:
                log.warning("%s did not stop at the %d tokens it was granted; its answer was cut", name, granted)
                yield base.Finished("LENGTH")
                return


def request_allowance(request: base.JsonObject, longest_seconds: float) -> AnswerAllowance:
    """The allowance of a chat request of the OpenAI API."""
    asked = [limit for name in _LIMITS if isinstance(limit := request.get(name), int)]
    return AnswerAllowance(max(asked, default=None), longest_seconds)


async def limit_relay(
    chunks: AsyncGenerator[base.JsonObject], request: base.JsonObject, name: str, longest_seconds: float
) -> AsyncGenerator[base.JsonObject]:
    """The chunks of a stream, to their end or to that of what the request asks for; one completion as it is.

    What is cut ends as the API tells of it: with the finish reason `length`.
    """
    if request.get("stream") is not True:
        async with aclosing(chunks):
            async for chunk in chunks:
                yield chunk
        return
    allowance, ended = request_allowance(request, longest_seconds), False
    async with aclosing(chunks):
        async for chunk in chunks:
            allowance.spend_characters(max(_LEAST_OF_A_CHUNK, count_characters(chunk.get("choices"))))
            ended = ended or wire.find_finish_reason(chunk) is not None
            yield chunk
            if allowance.is_used_up:
                log.warning("%s does not stop; what is passed through of its answer was cut", name)
                if not ended:
                    yield completions.make_length_chunk(chunk)
                return


def count_characters(value: object) -> int:
    """Characters of all texts in a chunk's choices; what is no text (pictures, probabilities) does not count."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, list):
        return sum(map(count_characters, cast("list[object]", value)))
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, object]", value)
        return sum(count_characters(field) for name, field in fields.items() if name not in _NO_TEXT)
    return 0
