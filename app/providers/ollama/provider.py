"""The provider for an Ollama server."""

import asyncio

from app.providers import base
from app.providers.ollama.connection import OllamaConnection
from app.providers.ollama.models import OllamaEmbeddingModel, OllamaLanguageModel


class OllamaProvider(OllamaConnection):
    """The models of one Ollama server."""

    fixed_models = None

    def language_model(self, model: str) -> OllamaLanguageModel:
        """The chat model called `model`."""
        return OllamaLanguageModel(self, model)

    def embedding_model(self, model: str) -> OllamaEmbeddingModel:
        """The embedding model called `model`."""
        return OllamaEmbeddingModel(self, model)

    async def list_models(self) -> list[base.ModelInfo]:
        """The pulled models and what each can do."""
        async with self.error_mapper().request_within(self.limits.connect):
            listed = await self.client.list()
        names = [entry.model for entry in listed.models if entry.model]
        return list(await asyncio.gather(*(self._describe_model(name) for name in names)))

    async def _describe_model(self, name: str) -> base.ModelInfo:
        shown = await self.known_details(name)
        kind = shown.kind(name)
        dimensions = shown.dimensions if kind == "EMBEDDING" else None
        short = name.removesuffix(":latest")
        return base.ModelInfo(
            name, kind, self.effective_window(name, shown), dimensions, None if short == name else short
        )
