"""Models that pass every call on to another model; subclasses change what they need to."""

from collections.abc import Sequence

from app.providers import base


class ForwardingLanguageModel:
    """What a LanguageModel says about itself, as the wrapped model says it."""

    def __init__(self, model: base.LanguageModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """`provider/model`."""
        return self._model.name

    @property
    def is_generative(self) -> bool:
        """As the model says."""
        return self._model.is_generative

    @property
    def parameters(self) -> int | None:
        """As the model says."""
        return self._model.parameters

    async def context_window(self) -> int:
        """As the model says."""
        return await self._model.context_window()

    async def count_tokens(self, messages: Sequence[base.PromptMessage]) -> int | None:
        """As the model says."""
        return await self._model.count_tokens(messages)


class ForwardingEmbeddingModel:
    """What an EmbeddingModel says about itself, as the wrapped model says it."""

    def __init__(self, model: base.EmbeddingModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """`provider/model`."""
        return self._model.name

    @property
    def is_immediate(self) -> bool:
        """As the model says."""
        return self._model.is_immediate

    async def dimensions(self) -> int:
        """As the model says."""
        return await self._model.dimensions()
