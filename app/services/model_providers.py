"""Set up the model providers and the reranker that the settings name."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from pydantic import SecretStr

from app import errors
from app.knowledge.search.reranking import PassageReranker
from app.providers.base import Provider, TimeLimits
from app.providers.embedded.provider import ANSWERER, VECTORS, EmbeddedProvider
from app.providers.ollama.connection import parse_address
from app.providers.ollama.provider import OllamaProvider
from app.providers.openai.provider import OpenAIProvider
from app.providers.registry import ModelRegistry
from app.providers.rerank import HttpReranker
from app.providers.resilience.circuit_breaker import CircuitBreaker
from app.providers.resilience.concurrency import ConcurrencyLimiter
from app.providers.resilience.error_mapping import is_local_url
from app.providers.resilience.guarded_models import ProviderProtection
from app.settings import Settings

_OPENAI_URL = "https://api.openai.com/v1"
_OPENROUTER_URL = "https://openrouter.ai/api/v1"


def open_models(settings: Settings) -> ModelRegistry:
    """The models of every provider that the settings name. Raises StartError for a model that can never work."""
    providers = _providers(settings)
    registry = ModelRegistry(
        providers, [settings.chosen_chat_model, settings.embedding_model], _protections(settings, providers)
    )
    _check_models(settings, registry)
    return registry


def open_reranking(settings: Settings) -> PassageReranker:
    """Reranking with the server that the settings name, if any."""
    url, key = settings.rerank_url, _plain(settings.rerank_api_key)
    return PassageReranker(
        HttpReranker(url, settings.rerank_model, key, seconds=settings.rerank_seconds) if url else None
    )


def _providers(settings: Settings) -> list[Provider]:
    """The embedded provider, and those that the settings name."""
    limits = TimeLimits(
        settings.model_connect_seconds,
        settings.model_first_token_seconds,
        settings.model_between_tokens_seconds,
        settings.model_whole_answer_seconds,
        settings.model_longest_answer_seconds,
    )
    providers: list[Provider] = [EmbeddedProvider()]
    if settings.ollama_host:
        providers.append(OllamaProvider(settings.ollama_host, num_ctx=settings.ollama_num_ctx, limits=limits))
    if settings.openai_api_key or settings.openai_base_url:
        url = settings.openai_base_url or _OPENAI_URL
        providers.append(OpenAIProvider("openai", url, _plain(settings.openai_api_key), limits, is_local_url(url)))
    if settings.openrouter_api_key:
        key = _plain(settings.openrouter_api_key)
        providers.append(OpenAIProvider("openrouter", _OPENROUTER_URL, key, limits=limits))
    return providers


def _check_models(settings: Settings, registry: ModelRegistry) -> None:
    """Raises StartError for a model's name that can never work; whether a server has it shows when it is used."""
    chat = "CHAT_MODEL" if settings.chat_model or not settings.primary_model_id else "PRIMARY_MODEL_ID"
    for variable, name, embedded in (
        (chat, settings.chosen_chat_model, f"embedded/{ANSWERER}"),
        ("EMBEDDING_MODEL", settings.embedding_model, f"embedded/{VECTORS}"),
    ):
        problem = registry.find_problem(name)
        if problem is None and name.startswith("embedded/") and name != embedded:
            problem = f"the only embedded one is {embedded}."
        if problem:
            raise errors.StartError(f"{variable}={name!r}: {problem[:1].lower()}{problem[1:]}")


def _protections(settings: Settings, providers: Sequence[Provider]) -> Mapping[str, ProviderProtection]:
    """The protection of each provider that is a server, by name; the embedded one is always there."""
    seconds, places = settings.model_first_token_seconds, _places(settings)

    def protect(name: str) -> ProviderProtection:
        gate, counting = (ConcurrencyLimiter(name, settings.model_requests_at_once, seconds) for _ in range(2))
        return ProviderProtection(
            CircuitBreaker(name), gate, counting, places[name], settings.model_longest_answer_seconds
        )

    return {
        provider.name: protect(provider.name) for provider in providers if not isinstance(provider, EmbeddedProvider)
    }


def _places(settings: Settings) -> dict[str, str]:
    """The origin of each provider's URL: user, path and query may be secret."""
    named = {
        "ollama": (parse_address(settings.ollama_host or ""), "OLLAMA_HOST"),
        "openai": (settings.openai_base_url or _OPENAI_URL, "OPENAI_BASE_URL"),
        "openrouter": (_OPENROUTER_URL, "OPENROUTER_API_KEY"),
    }
    return {name: f"{_origin(url)} ({variable})" for name, (url, variable) in named.items()}


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}" if parts.netloc else "what is no URL"


def _plain(secret: SecretStr | None) -> str | None:
    return secret.get_secret_value() if secret else None
