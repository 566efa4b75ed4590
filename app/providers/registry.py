"""Find models by their `provider/model` names."""

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from app import errors
from app.observation.observer import Observer
from app.providers import catalog
from app.providers.base import EmbeddingModel, LanguageModel, ModelInfo, ModelKind, Provider
from app.providers.observed_models import ObservedEmbeddingModel, ObservedLanguageModel
from app.providers.resilience.guarded_models import ProtectedEmbeddingModel, ProtectedLanguageModel, ProviderProtection
from app.providers.resilience.server_problems import ServerProblems

log = logging.getLogger(__name__)

_NEEDS: Mapping[str, str] = {
    "ollama": "OLLAMA_HOST",
    "openai": "OPENAI_API_KEY or OPENAI_BASE_URL",
    "openrouter": "OPENROUTER_API_KEY",
}
"""The settings that each provider needs."""
_EXAMPLES: Mapping[ModelKind, str] = {"CHAT": "embedded/extractive", "EMBEDDING": "embedded/wordllama"}
_KINDS: Mapping[ModelKind, str] = {"CHAT": "a chat model", "EMBEDDING": "an embedding model"}


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model and its provider. `is_available`: the server has just listed it."""

    provider: str
    info: ModelInfo
    is_available: bool

    @property
    def name(self) -> str:
        """`provider/model`."""
        return f"{self.provider}/{self.info.name}"


@dataclass(frozen=True, slots=True)
class ProviderHealth:
    """The health of a provider; `problem` is a sentence if it does not respond.

    `user_problem` is a sentence if only some user's requests fail. `waiting_requests` have not been sent yet.
    """

    provider: str
    problem: str | None
    user_problem: str | None
    latency_ms: float
    waiting_requests: int = 0


class ModelRegistry:
    """The providers of this server. `named`: models named in settings.

    `protections`: by provider name, or by `provider/model` for models with their own process.
    """

    def __init__(
        self,
        providers: Sequence[Provider],
        named: Sequence[str],
        protections: Mapping[str, ProviderProtection],
        observer: Observer,
        problems: ServerProblems,
    ) -> None:
        self.problems = problems
        self._providers = {provider.name: provider for provider in providers}
        self._protections = protections
        self._observer = observer
        self._named = tuple(named)

    def language_model(self, name: str, *, local_only: bool = False) -> LanguageModel:
        """The chat model of this name. Raises ModelNotFound, or ModelRefused if only local models may be used."""
        provider, model = self._resolve_name(name, "CHAT", local_only=local_only)
        found, guard = provider.language_model(model), self._find_protection(provider, model)
        return ObservedLanguageModel(ProtectedLanguageModel(found, guard) if guard else found, self._observer)

    def embedding_model(self, name: str, *, local_only: bool = False) -> EmbeddingModel:
        """The embedding model of this name. Raises ModelNotFound, or ModelRefused if only local ones may be used."""
        provider, model = self._resolve_name(name, "EMBEDDING", local_only=local_only)
        found, guard = provider.embedding_model(model), self._find_protection(provider, model)
        return ObservedEmbeddingModel(ProtectedEmbeddingModel(found, guard) if guard else found, self._observer)

    def find_problem(self, name: str, kind: ModelKind, *, local_only: bool = False) -> str | None:
        """Why a model cannot be used as one of this kind, as a sentence; None if its name gives no reason.

        Does not check whether the server has the model.
        """
        try:
            provider, model = self._resolve_name(name, kind, local_only=local_only)
        except (errors.ModelNotFound, errors.ModelRefused) as error:
            return error.message
        if provider.fixed_models is None:
            return None
        kinds: dict[ModelKind, str | None] = {
            each.kind: each.problem for each in provider.fixed_models if each.name == model
        }
        return kinds[kind] if kind in kinds else _describe_missing(provider, name, kind, kinds)

    def _advise(self, prefix: str, model: str, kind: ModelKind) -> str:
        """Advice on how to make such a name work."""
        if model and prefix in _NEEDS:
            return f"{prefix}/… needs {_NEEDS[prefix]}"
        known = " or ".join(f"{known}/…" for known in sorted(self._providers))
        others = ", ".join(f"{name}/… needs {needs}" for name, needs in _NEEDS.items() if name not in self._providers)
        more = f" ({others})" if others else ""
        return f"give provider/model, such as {_EXAMPLES[kind]}; allowed are {known}{more}"

    async def list_models(self) -> list[ListedModel]:
        """The models of all providers, and those named in settings even if their servers do not respond."""
        listed: dict[str, ListedModel] = {}
        for provider, models in zip(self._providers.values(), await self._list_all(), strict=True):
            for info in models if not isinstance(models, errors.AnswerError) else ():
                entry = ListedModel(provider.name, info, is_available=True)
                listed[entry.name] = entry
                if info.alias is not None and f"{provider.name}/{info.alias}" in self._named:
                    entry = ListedModel(provider.name, replace(info, name=info.alias, alias=None), is_available=True)
                    listed[entry.name] = entry
        for name in self._named:
            provider, _, model = name.partition("/")
            entry = ListedModel(provider, ModelInfo(model, catalog.model_kind(name) or "CHAT"), is_available=False)
            listed.setdefault(name, entry)
        return [listed[name] for name in sorted(listed)]

    async def check_health(self) -> list[ProviderHealth]:
        """Check all providers concurrently. A provider that lists its models may still fail to answer questions."""
        return await asyncio.gather(*(self._check_provider(provider) for provider in self._providers.values()))

    def count_waiting_requests(self) -> dict[str, int]:
        """How many requests to each provider have not been sent yet."""
        return {name: self._count_waiting(name) for name in self._providers}

    async def close(self) -> None:
        """Close every provider, even if closing another one fails; failures are logged."""
        closed = await asyncio.gather(*(each.close() for each in self._providers.values()), return_exceptions=True)
        for name, failure in zip(self._providers, closed, strict=True):
            if failure is not None:
                log.error("%s was not closed: %r", name, failure, exc_info=failure)

    async def _list_all(self) -> list[list[ModelInfo] | errors.AnswerError]:
        async def ask(provider: Provider) -> list[ModelInfo] | errors.AnswerError:
            try:
                return await provider.list_models()
            except errors.AnswerError as error:
                return error

        return await asyncio.gather(*map(ask, self._providers.values()))

    async def _check_provider(self, provider: Provider) -> ProviderHealth:
        clock = asyncio.get_running_loop().time
        start = clock()
        problem: str | None = None
        circuits = [guard.circuits for guard in self._protections_of(provider.name)]
        try:
            await provider.list_models()
        except errors.AnswerError as error:
            problem = error.message
        else:
            problem = _first_message(each.find_problem() for each in circuits)
        user_problem = _first_message(each.find_user_problem() for each in circuits)
        waiting = self._count_waiting(provider.name)
        return ProviderHealth(provider.name, problem, user_problem, (clock() - start) * 1000, waiting)

    def _protections_of(self, provider: str) -> list[ProviderProtection]:
        return [guard for name, guard in self._protections.items() if name.partition("/")[0] == provider]

    def _count_waiting(self, provider: str) -> int:
        return sum(guard.request_limiter.waiting_count for guard in self._protections_of(provider))

    def _find_protection(self, provider: Provider, model: str) -> ProviderProtection | None:
        return self._protections.get(f"{provider.name}/{model}") or self._protections.get(provider.name)

    def _resolve_name(self, name: str, kind: ModelKind, *, local_only: bool) -> tuple[Provider, str]:
        prefix, slash, model = name.partition("/")
        provider = self._providers.get(prefix)
        if not slash or not model or provider is None:
            raise errors.ModelNotFound(f"There is no model “{name[:100]}” here: {self._advise(prefix, model, kind)}.")
        if local_only and not provider.is_local:
            raise errors.ModelRefused(f"This project allows local models only, but “{name}” is not one.", "model")
        return provider, model


def _describe_missing(provider: Provider, name: str, kind: ModelKind, others: Iterable[ModelKind]) -> str:
    """The provider has no model of this name and kind; `others`: the kinds that it has under this name."""
    usable = [each for each in provider.fixed_models or () if each.kind == kind and each.problem is None]
    there = "; there is " + " and ".join(f"{provider.name}/{each.name}" for each in usable) if usable else ""
    for other in others:
        return f"“{name[:100]}” is {_KINDS[other]}, not {_KINDS[kind]}{there}."
    return f"There is no model “{name[:100]}” here{there}."


def _first_message(found: Iterable[errors.AnswerError | None]) -> str | None:
    return next((error.message for error in found if error is not None), None)
