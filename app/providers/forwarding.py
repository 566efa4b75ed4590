"""Models that pass every call on to another model; subclasses change what they need to."""

from collections.abc import Sequence

from app.providers import base


class ForwardingLanguageModel:
    """What a LanguageModel says about itself, as the wrapped model says it."""

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
    """What an EmbeddingModel says about itself, as the wrapped model says it."""

    def __init__(self, model: base.EmbeddingModel) -> None:
        self.name = model.name
        self.is_immediate = model.is_immediate
        self._model = model

    async def dimensions(self) -> int:
        """As the model says."""
        return await self._model.dimensions()
