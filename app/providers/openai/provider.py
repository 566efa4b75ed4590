"""The provider for any server that speaks the OpenAI API."""

from app.providers import base, catalog
from app.providers.openai import wire
from app.providers.openai.connection import OpenAIConnection
from app.providers.openai.models import OpenAIEmbeddingModel, OpenAILanguageModel


class OpenAIProvider(OpenAIConnection):
    """The models of one server that speaks the OpenAI API."""

    fixed_models = None

    def language_model(self, model: str) -> OpenAILanguageModel:
        """The chat model called `model`."""
        return OpenAILanguageModel(self, model)

    def embedding_model(self, model: str) -> OpenAIEmbeddingModel:
        """The embedding model called `model`."""
        return OpenAIEmbeddingModel(self, model)

    async def list_models(self) -> list[base.ModelInfo]:
        """The chat and embedding models that the server lists, without those for speech, images and ranking."""
        found: list[base.ModelInfo] = []
        for name, entry in (await self._fetch_list()).items():
            kind = catalog.model_kind(name)
            if kind == "CHAT":
                found.append(base.ModelInfo(name, kind, wire.find_window(entry) or catalog.find_window(name)))
            elif kind == "EMBEDDING":
                known = catalog.find_embedding_model(name)
                found.append(base.ModelInfo(name, kind, wire.find_window(entry), known.dimensions))
        return found
