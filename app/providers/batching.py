"""Send texts of any length in batches that a server accepts.

Servers treat texts that are too long differently (a 400, a 500, or a silent cut), so texts to embed are cut here, by
our own count. If that count was too low and the server rejects the batch, the batch is halved until the offending text
is alone, and that text is shortened. Nor does a server say how many texts it accepts at once: from 10 to thousands.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy

from app import errors
from app.providers import tokens
from app.providers.base import Vectors
from app.providers.resilience.error_mapping import ErrorMapper
from app.providers.resilience.retries import RetryPolicy, retry_call

SendBatch = Callable[[Sequence[str]], Awaitable[Sequence[Sequence[float]]]]
"""Sends one request and returns a vector per text, in order."""

T = TypeVar("T")

_SPECIAL_TOKENS = 2


async def send_in_halves(
    send: Callable[[Sequence[str]], Awaitable[Sequence[T]]], batch: Sequence[str], min_length: int
) -> list[T]:
    """The result of each text, in order. Halves a batch that the server refuses, until it accepts the parts.

    A single text that is too long is halved, too, down to `min_length` characters. Raises an AnswerError.
    """
    try:
        return list(await send(batch))
    except (errors.ContextTooLong, errors.ModelRefused) as error:
        can_be_shorter = isinstance(error, errors.ContextTooLong) and len(batch[0]) > min_length
        if len(batch) == 1 and not can_be_shorter:
            raise
    half = len(batch) // 2
    if not half:
        return await send_in_halves(send, [batch[0][: max(len(batch[0]) // 2, min_length)]], min_length)
    parts = batch[:half], batch[half:]
    return [result for part in parts for result in await send_in_halves(send, part, min_length)]


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """The most texts, and the most tokens by our own count, in one request."""

    texts: int
    tokens: int


@dataclass(frozen=True, slots=True)
class BatchEmbedder:
    """Embeds texts with `send`. `max_tokens` limits each text (None: no limit); `prefix` is put before each text."""

    send: SendBatch
    error_mapper: ErrorMapper
    batches: BatchLimits
    max_tokens: int | None
    prefix: str
    counter: tokens.TokenCounter
    retries: RetryPolicy

    async def embed_texts(self, texts: Sequence[str], dimensions: Callable[[], Awaitable[int]]) -> Vectors:
        """Embed texts, a row each. A blank text gets zeros and is not sent: servers reject it or make something up."""
        wanted = [index for index, text in enumerate(texts) if text.strip()]
        if not wanted:
            return numpy.zeros((len(texts), await dimensions()), dtype=numpy.float32)
        rows: list[Sequence[float]] = []
        for batch in self._batches(self._cut_text(texts[index]) for index in wanted):
            rows += await send_in_halves(self._send_batch, batch, len(self.prefix) + 1)
        found = self._normalize(rows)
        vectors = numpy.zeros((len(texts), found.shape[1]), dtype=numpy.float32)
        vectors[wanted] = found
        return vectors

    def _cut_text(self, text: str) -> str:
        # Replace lone surrogates, which cannot be encoded as UTF-8.
        text = self.prefix + text.encode("utf-8", "replace").decode()
        if self.max_tokens is None:
            return text
        return tokens.cut_text(text, self.max_tokens - _SPECIAL_TOKENS, self.counter)

    def _batches(self, texts: Iterable[str]) -> Iterator[list[str]]:
        batch: list[str] = []
        total = 0
        for text in texts:
            count = self.counter.count(text)
            if batch and (len(batch) == self.batches.texts or total + count > self.batches.tokens):
                yield batch
                batch, total = [], 0
            batch.append(text)
            total += count
        if batch:
            yield batch

    async def _send_batch(self, batch: Sequence[str]) -> Sequence[Sequence[float]]:
        rows = await retry_call(lambda: self.send(batch), self.retries)
        if len(rows) != len(batch):
            raise self.error_mapper.unusable_vectors()
        return rows

    def _normalize(self, rows: Sequence[Sequence[float]]) -> Vectors:
        if not rows[0] or any(len(row) != len(rows[0]) for row in rows):
            raise self.error_mapper.unusable_vectors()
        try:
            with numpy.errstate(over="ignore"):  # too large values become infinite
                vectors = numpy.asarray(rows, dtype=numpy.float32)
        except (ValueError, TypeError, OverflowError) as error:
            raise self.error_mapper.unusable_vectors() from error
        if vectors.ndim != 2:
            raise self.error_mapper.unusable_vectors()
        norms = numpy.linalg.norm(vectors.astype(numpy.float64), axis=1, keepdims=True)  # squares may overflow 32 bits
        if not numpy.isfinite(norms).all():
            raise self.error_mapper.unusable_vectors()
        return (vectors / numpy.where(norms == 0, 1, norms)).astype(numpy.float32, copy=False)
