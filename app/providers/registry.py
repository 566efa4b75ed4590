"""`provider/model` in; the model out, from the provider that was set up under that name."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from app import errors
from app.providers import catalog
from app.providers.base import EmbeddingModel, LanguageModel, ModelInfo, Provider
from app.providers.resilience.guarded_models import Guard, GuardedEmbeddingModel, GuardedLanguageModel

_NEEDS: Mapping[str, str] = {
    "ollama": "OLLAMA_HOST",
    "openai": "OPENAI_API_KEY or OPENAI_BASE_URL",
    "openrouter": "OPENROUTER_API_KEY",
}
"""Settings that set a provider up."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A model with its provider; `available` says whether its server has just told of it."""

    provider: str
    info: ModelInfo
    available: bool

    @property
    def name(self) -> str:
        """`provider/model`."""
        return f"{self.provider}/{self.info.name}"


@dataclass(frozen=True, slots=True)
class Reachable:
    """Whether a provider answers; `problem` is one sentence when it does not. `waiting` requests have no place yet."""

    provider: str
    problem: str | None
    latency_ms: float
    waiting: int = 0


class Registry:
    """The providers of this server, each behind its guard if it has one; `named` are the models of the settings."""

    def __init__(self, providers: Sequence[Provider], named: Sequence[str], guards: Mapping[str, Guard]) -> None:
        self._providers = {provider.name: provider for provider in providers}
        self._guards = guards
        self._named = tuple(named)

    def language_model(self, name: str, *, local_only: bool = False) -> LanguageModel:
        """The chat model of this name. Raises ModelNotFound, or ModelRefused if only local models may be used."""
        provider, model = self._split(name, local_only=local_only)
        found, guard = provider.language_model(model), self._guards.get(provider.name)
        return GuardedLanguageModel(found, guard) if guard else found

    def embedding_model(self, name: str, *, local_only: bool = False) -> EmbeddingModel:
        """The embedding model of this name. Raises ModelNotFound, or ModelRefused if only local ones may be used."""
        provider, model = self._split(name, local_only=local_only)
        found, guard = provider.embedding_model(model), self._guards.get(provider.name)
        return GuardedEmbeddingModel(found, guard) if guard else found

    def problem(self, name: str, *, local_only: bool = False) -> str | None:
        """What is wrong with a model's name, as one sentence; whether its server has it shows when it is used."""
        try:
            self._split(name, local_only=local_only)
        except (errors.ModelNotFound, errors.ModelRefused) as error:
            return error.message
        return None

    def _advice(self, prefix: str, model: str) -> str:
        """What would make such a name work."""
        if model and prefix in _NEEDS:
            return f"{prefix}/… needs {_NEEDS[prefix]}"
        known = ", ".join(f"{known}/…" for known in sorted(self._providers))
        others = ", ".join(f"{name}/… ({needs})" for name, needs in _NEEDS.items() if name not in self._providers)
        more = f"; not set up: {others}" if others else ""
        return f"names are provider/model, and there is {known}{more}"

    async def models(self) -> list[Listed]:
        """What every provider has, and the models that settings name, whether their servers answer or not."""
        listed: dict[str, Listed] = {}
        for provider, models in zip(self._providers.values(), await self._ask_all(), strict=True):
            for info in models if not isinstance(models, errors.AnswerError) else ():
                entry = Listed(provider.name, info, available=True)
                listed[entry.name] = entry
                if info.also is not None and f"{provider.name}/{info.also}" in self._named:
                    entry = Listed(provider.name, replace(info, name=info.also, also=None), available=True)
                    listed[entry.name] = entry
        for name in self._named:
            provider, _, model = name.partition("/")
            entry = Listed(provider, ModelInfo(model, catalog.kind(name) or "CHAT"), available=False)
            listed.setdefault(name, entry)
        return [listed[name] for name in sorted(listed)]

    async def health(self) -> list[Reachable]:
        """Whether each provider answers now, asked side by side; one that lists models may still fail at answers."""
        return await asyncio.gather(*(self._reach(provider) for provider in self._providers.values()))

    async def close(self) -> None:
        """Close every provider."""
        for provider in self._providers.values():
            await provider.close()

    async def _ask_all(self) -> list[list[ModelInfo] | errors.AnswerError]:
        async def ask(provider: Provider) -> list[ModelInfo] | errors.AnswerError:
            try:
                return await provider.models()
            except errors.AnswerError as error:
                return error

        return await asyncio.gather(*map(ask, self._providers.values()))

    async def _reach(self, provider: Provider) -> Reachable:
        clock = asyncio.get_running_loop().time
        start = clock()
        problem: str | None = None
        guard = self._guards.get(provider.name)
        try:
            await provider.models()
        except errors.AnswerError as error:
            problem = error.message
        else:
            failing = guard.circuit.problem() if guard else None
            problem = failing.message if failing else None
        return Reachable(provider.name, problem, (clock() - start) * 1000, guard.gate.waiting if guard else 0)

    def _split(self, name: str, *, local_only: bool) -> tuple[Provider, str]:
        prefix, slash, model = name.partition("/")
        provider = self._providers.get(prefix)
        if not slash or not model or provider is None:
            raise errors.ModelNotFound(f"There is no model “{name[:100]}” here: {self._advice(prefix, model)}.")
        if local_only and not provider.local:
            raise errors.ModelRefused(f"This project allows local models only, and “{name}” is not one.")
        return provider, model
