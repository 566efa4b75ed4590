"""Limit how much of a model server's response is read.

Only the beginning of an error is read. A streamed answer is limited by its reader, event by event. For a compressed
body, the uncompressed size counts: a few bytes can expand to a huge body.
"""

import re
import zlib
from collections.abc import AsyncGenerator, AsyncIterable, Mapping
from dataclasses import dataclass

_MAX_ERROR_BYTES = 64 << 10
_MAX_BYTES = 8 << 20
# Vectors are sent as text: at most 2,048 vectors of 3,072 numbers are requested at once.
_MAX_VECTOR_BYTES = 128 << 20
_STREAMS = ("text/event-stream", "application/x-ndjson")

_COMPRESSED = ("gzip", "deflate")
ACCEPTED_ENCODINGS = ", ".join(_COMPRESSED)
"""The encodings that servers may use, once: those whose uncompressed size can be counted here."""

_ASKS_FOR_A_STREAM = re.compile(rb'(?<!\\)"stream": ?true')


class ResponseRefused(Exception):
    """A response that is not read, or not completely."""


class ResponseTooLong(ResponseRefused):
    """A response is longer than any valid one."""


class _Counter:
    """Counts the uncompressed bytes of a body."""

    def __init__(self, *, is_compressed: bool) -> None:
        self._decompressor = zlib.decompressobj(zlib.MAX_WBITS | 32) if is_compressed else None  # gzip or zlib

    def count(self, data: bytes, most: int) -> int:
        """The bytes that a piece adds; counting stops above `most`. Raises ResponseRefused."""
        if self._decompressor is None:
            return len(data)
        try:
            return len(self._decompressor.decompress(data, most + 1))
        except zlib.error as error:
            raise ResponseRefused from error


@dataclass(frozen=True, slots=True)
class SizeLimit:
    """Reads at most `max_bytes`; anything more is dropped (`truncates`) or an error."""

    max_bytes: int
    truncates: bool
    is_compressed: bool = False

    async def limit_body(self, body: AsyncIterable[bytes]) -> AsyncGenerator[bytes]:
        """Stream the body up to this limit. Raises ResponseTooLong, or ResponseRefused if it is damaged."""
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

    A stream that was not requested is limited like any other response. Raises ResponseRefused if the uncompressed
    size cannot be counted, for example if the body is compressed twice.
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
