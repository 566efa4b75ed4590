"""Limit how much of a model server's response is read.

Of an error only the beginning is read. A streamed answer is limited by its reader, event by event.
"""

import re
from collections.abc import AsyncGenerator, AsyncIterable
from dataclasses import dataclass

_MAX_ERROR_BYTES = 64 << 10
_MAX_BYTES = 8 << 20
# Vectors come as text: at most 2,048 of 3,072 numbers are requested at once.
_MAX_VECTOR_BYTES = 128 << 20
_STREAMS = ("text/event-stream", "application/x-ndjson")

_ASKS_FOR_A_STREAM = re.compile(rb'(?<!\\)"stream": ?true')


class ResponseTooLong(Exception):
    """A response is longer than any valid one."""


@dataclass(frozen=True, slots=True)
class SizeLimit:
    """At most `max_bytes` are read; the rest is dropped if it `truncates`, and is an error otherwise."""

    max_bytes: int
    truncates: bool

    async def limit_body(self, body: AsyncIterable[bytes]) -> AsyncGenerator[bytes]:
        """The body up to this limit. Raises ResponseTooLong."""
        left = self.max_bytes
        async for data in body:
            if len(data) > left:
                if not self.truncates:
                    raise ResponseTooLong
                yield data[:left]
                return
            left -= len(data)
            yield data


def choose_limit(status: int, path: str, media_type: str, request_body: bytes) -> SizeLimit | None:
    """The limit of a response to a request with the body `request_body`; None for a streamed answer.

    A stream that was not requested is limited like any other response.
    """
    if status >= 400:
        return SizeLimit(_MAX_ERROR_BYTES, truncates=True)
    if media_type.startswith(_STREAMS) and _ASKS_FOR_A_STREAM.search(request_body):
        return None
    return SizeLimit(_MAX_VECTOR_BYTES if path.endswith(("/embeddings", "/embed")) else _MAX_BYTES, truncates=False)
