"""Limit how much of a model server's response is read.

Of an error only the beginning is read. A streamed answer is limited by its reader, event by event. The size of what is
compressed is that of its content: a few compressed bytes can expand to a huge body.
"""

import re
import zlib
from collections.abc import AsyncGenerator, AsyncIterable, Mapping
from dataclasses import dataclass

_MAX_ERROR_BYTES = 64 << 10
_MAX_BYTES = 8 << 20
# Vectors come as text: at most 2,048 of 3,072 numbers are requested at once.
_MAX_VECTOR_BYTES = 128 << 20
_STREAMS = ("text/event-stream", "application/x-ndjson")

_COMPRESSED = ("gzip", "deflate")
ACCEPTED_ENCODINGS = ", ".join(_COMPRESSED)
"""What servers may compress responses with, once: what can be counted here."""

_ASKS_FOR_A_STREAM = re.compile(rb'(?<!\\)"stream": ?true')


class ResponseRefused(Exception):
    """A response that is not read, or not to its end."""


class ResponseTooLong(ResponseRefused):
    """A response is longer than any valid one."""


class _Counter:
    """Counts the bytes of a body, without its compression."""

    def __init__(self, *, is_compressed: bool) -> None:
        self._decompressor = zlib.decompressobj(zlib.MAX_WBITS | 32) if is_compressed else None  # gzip or zlib

    def count(self, data: bytes, most: int) -> int:
        """How many bytes a piece adds; more than `most` is any number above that. Raises ResponseRefused."""
        if self._decompressor is None:
            return len(data)
        try:
            return len(self._decompressor.decompress(data, most + 1))
        except zlib.error as error:
            raise ResponseRefused from error


@dataclass(frozen=True, slots=True)
class SizeLimit:
    """At most `max_bytes` are read; the rest is dropped if it `truncates`, and is an error otherwise."""

    max_bytes: int
    truncates: bool
    is_compressed: bool = False

    async def limit_body(self, body: AsyncIterable[bytes]) -> AsyncGenerator[bytes]:
        """The body up to this limit, as it comes. Raises ResponseTooLong, or ResponseRefused if it is damaged."""
        left, counter = self.max_bytes, _Counter(is_compressed=self.is_compressed)
        async for data in body:
            size = counter.count(data, left)
            if size > left:
                if not self.truncates:
                    raise ResponseTooLong
                yield data[:left]
                return
            left -= size
            yield data


def choose_limit(status: int, path: str, headers: Mapping[str, str], request_body: bytes) -> SizeLimit | None:
    """The limit of a response to a request with the body `request_body`; None for a streamed answer.

    A stream that was not requested is limited like any other response. Raises ResponseRefused for a response whose
    content cannot be counted, such as one that is compressed twice.
    """
    encoding = headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("", "identity", *_COMPRESSED):
        raise ResponseRefused
    if status >= 400:
        return SizeLimit(_MAX_ERROR_BYTES, truncates=True)
    if headers.get("content-type", "").startswith(_STREAMS) and _ASKS_FOR_A_STREAM.search(request_body):
        return None
    largest = _MAX_VECTOR_BYTES if path.endswith(("/embeddings", "/embed")) else _MAX_BYTES
    return SizeLimit(largest, truncates=False, is_compressed=encoding in _COMPRESSED)
