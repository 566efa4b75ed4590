"""Send texts of any length in batches that a server accepts.

Servers treat texts that are too long differently (a 400, a 500, or a silent cut), so texts to embed are cut here, by
our own count. If that count was too low and the server rejects the batch, the batch is halved until the offending text
is alone, and that text is shortened. Nor does a server say how many texts it accepts at once: from 10 to thousands. So
the sizes of batches that it accepted only in halves are remembered until this process ends.
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
_MAX_MODELS = 200


class AcceptedSizes:
    """The largest batches that a model's server accepts, learned from those that it accepted only in halves.

    It may limit the number of texts, or their length in all, and does not say which. So only a batch that exceeds both
    the number and the length of what was accepted is known to be too large.
    """

    def __init__(self) -> None:
        self._sizes: list[tuple[int, int]] = []

    def allow(self, texts: int, characters: int) -> bool:
        """Whether the server may accept so many texts with so many characters in all. A single text is allowed."""
        return not any(texts > most and characters > length for most, length in self._sizes)

    def add(self, texts: int, characters: int) -> None:
        """Remember the size of an accepted half."""
        smaller = [size for size in self._sizes if size[0] < texts or size[1] < characters]
        self._sizes = [*smaller, (texts, characters)]


class AcceptedSizesByModel:
    """The accepted sizes of each model of one server."""

    def __init__(self) -> None:
        self._models: dict[str, AcceptedSizes] = {}

    def sizes_of(self, model: str) -> AcceptedSizes:
        """The accepted sizes of this model."""
        if model not in self._models and len(self._models) >= _MAX_MODELS:
            self._models.clear()  # users may name any model
        return self._models.setdefault(model, AcceptedSizes())


async def send_in_halves(
    send: Callable[[Sequence[str]], Awaitable[Sequence[T]]],
    batch: Sequence[str],
    min_length: int,
    accepted: AcceptedSizes,
) -> list[T]:
    """The result of each text, in order. Halves a batch that the server refuses, until it accepts the parts.

    A single text that is too long is halved, too, down to `min_length` characters. Raises an AnswerError.
    """
    results, _ = await _send_in_halves(send, batch, min_length, accepted)
    return results


async def _send_in_halves(
    send: Callable[[Sequence[str]], Awaitable[Sequence[T]]],
    batch: Sequence[str],
    min_length: int,
    accepted: AcceptedSizes,
) -> tuple[list[T], bool]:
    """The results, and whether the server has accepted the batch as it is."""
    is_tried = accepted.allow(len(batch), _count_characters(batch))
    if is_tried:
        try:
            return list(await send(batch)), True
        except (errors.ContextTooLong, errors.ModelRefused) as error:
            can_be_shorter = isinstance(error, errors.ContextTooLong) and len(batch[0]) > min_length
            if len(batch) == 1 and not can_be_shorter:
                raise
    half = len(batch) // 2
    if not half:
        shorter = batch[0][: max(len(batch[0]) // 2, min_length)]
        return await send_in_halves(send, [shorter], min_length, accepted), False
    halves = batch[:half], batch[half:]
    sent = [await _send_in_halves(send, each, min_length, accepted) for each in halves]
    # Otherwise, a text was the reason, not the size of the batch.
    if is_tried and all(is_accepted for _, is_accepted in sent):
        accepted.add(max(map(len, halves)), max(map(_count_characters, halves)))
    return [result for results, _ in sent for result in results], False


def _count_characters(texts: Sequence[str]) -> int:
    return sum(map(len, texts))


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """The most texts, and the most tokens by our own count, in one request."""

    texts: int
    tokens: int


@dataclass(frozen=True, slots=True)
class BatchEmbedder:
    """Embeds texts with `send`. `max_tokens` limits each text (None: no limit); `prefix` is put before each text.

    `batches` limits what is sent at once, and so does what the server has `accepted` before.
    """

    send: SendBatch
    error_mapper: ErrorMapper
    batches: BatchLimits
    accepted: AcceptedSizes
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
            rows += await send_in_halves(self._send_batch, batch, len(self.prefix) + 1, self.accepted)
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
        total = characters = 0
        for text in texts:
            count = self.counter.count(text)
            is_full = len(batch) == self.batches.texts or total + count > self.batches.tokens
            if batch and (is_full or not self.accepted.allow(len(batch) + 1, characters + len(text))):
                yield batch
                batch, total, characters = [], 0, 0
            batch.append(text)
            total += count
            characters += len(text)
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
