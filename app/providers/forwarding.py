"""Base classes for models that wrap another model and forward its properties."""

from collections.abc import Sequence

from app.providers import base


class ForwardingLanguageModel:
    """Forwards the properties of a wrapped LanguageModel."""

    def __init__(self, model: base.LanguageModel) -> None:
        self.name = model.name
        self.is_generative = model.is_generative
        self.parameters = model.parameters
        self._model = model

    async def context_window(self) -> int:
        """As the model says."""
        return await self._model.context_window()

    async def count_tokens(self, messages: Sequence[base.PromptMessage]) -> int | None:
        """As the model says."""
        return await self._model.count_tokens(messages)


class ForwardingEmbeddingModel:
    """Forwards the properties of a wrapped EmbeddingModel."""

    def __init__(self, model: base.EmbeddingModel) -> None:
        self.name = model.name
        self.is_immediate = model.is_immediate
        self._model = model

    async def dimensions(self) -> int:
        """As the model says."""
        return await self._model.dimensions()
