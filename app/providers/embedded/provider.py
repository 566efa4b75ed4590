"""The embedded provider: two embedding models and an extractive answerer. No key, no network."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy

from app import errors
from app.providers import base
from app.providers.embedded import sentence_encoder
from app.providers.embedded.names import ANSWERER, CONTEXT_WINDOW, MULTILINGUAL, VECTORS, no_such_model
from app.providers.embedded.word_vectors import WordVectors


class TextEncoder(Protocol):
    """Turns texts into vectors of norm 1, or zeros; the implementations explain the class attributes."""

    dimensions: int
    block: int
    inline: int

    @property
    def is_loaded(self) -> bool:
        """Whether the next call needs no file access."""
        ...

    def unit_vectors(self, texts: Sequence[str]) -> base.Vectors:
        """A row per text. This is slow, so call it on a thread."""
        ...


class EncoderModel:
    """An EmbeddingModel that runs in this process. `problem`: why its encoder cannot be used; None if it can."""

    def __init__(self, model: str, encoder: TextEncoder, problem: str | None) -> None:
        self._model = model
        self._encoder = encoder
        self._problem = problem

    @property
    def name(self) -> str:
        """`embedded/wordllama`, `embedded/multilingual`."""
        return f"embedded/{self._model}"

    @property
    def is_immediate(self) -> bool:
        """True for a fast encoder once it is loaded."""
        return self._encoder.is_loaded and self._encoder.inline > 0

    async def dimensions(self) -> int:
        """The length of a vector: 256 or 512."""
        self._check()
        return self._encoder.dimensions

    async def embed_texts(self, texts: Sequence[str], purpose: base.Purpose) -> base.Vectors:
        """Embed texts, one row each; no text is cut. A query IN CAPITALS is lower-cased: models know few such words."""
        self._check()
        if purpose == "query":
            texts = [text.lower() if text.isupper() else text for text in texts]
        encoder = self._encoder
        if encoder.is_loaded and sum(map(len, texts)) <= encoder.inline:
            return encoder.unit_vectors(texts)
        blocks = [
            await asyncio.to_thread(encoder.unit_vectors, texts[start : start + encoder.block])
            for start in range(0, len(texts), encoder.block)
        ]
        return numpy.concatenate([numpy.zeros((0, encoder.dimensions), dtype=numpy.float32), *blocks])

    def _check(self) -> None:
        if self._problem is not None:
            raise errors.ModelNotFound(f"The model “{self.name}” cannot be used: {self._problem}")


class EmbeddedProvider:
    """A Provider with word vectors, the answerer that uses them, and a sentence encoder if it is installed."""

    def __init__(self) -> None:
        self._vectors = WordVectors()
        self._encoders: Mapping[str, TextEncoder] = {
            VECTORS: self._vectors,
            MULTILINGUAL: sentence_encoder.SentenceEncoder(),
        }
        self._problems = {MULTILINGUAL: sentence_encoder.find_problem()}

    @property
    def name(self) -> str:
        """`embedded`."""
        return "embedded"

    @property
    def is_local(self) -> bool:
        """Nothing leaves the machine."""
        return True

    @property
    def fixed_models(self) -> tuple[base.ModelInfo, ...]:
        """The answerer and the embedding models, including one that is not installed."""
        return (
            base.ModelInfo(ANSWERER, "CHAT", context_window=CONTEXT_WINDOW),
            *(
                base.ModelInfo(name, "EMBEDDING", dimensions=encoder.dimensions, problem=self._problems.get(name))
                for name, encoder in self._encoders.items()
            ),
        )

    def language_model(self, model: str) -> base.LanguageModel:
        """The extractive answerer."""
        from app.providers.embedded.answerer import ExtractiveModel

        return ExtractiveModel(model, self._vectors)

    def embedding_model(self, model: str) -> base.EmbeddingModel:
        """One of the encoders. Raises ModelNotFound."""
        encoder = self._encoders.get(model)
        if encoder is None:
            raise no_such_model(model, *self._encoders)
        return EncoderModel(model, encoder, self._problems.get(model))

    async def list_models(self) -> list[base.ModelInfo]:
        """List the models that can be used here."""
        return [model for model in self.fixed_models if model.problem is None]

    async def close(self) -> None:
        """Do nothing: there are no connections."""
