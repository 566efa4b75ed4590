"""Set up the model providers and the reranker that the settings name.

The client libraries of servers take a third of the time and memory of a start, so each is imported when it is needed.
"""

from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import urlsplit

from pydantic import SecretStr

from app import errors, safe_text
from app.concurrency import ConcurrencyLimiter
from app.knowledge.search.reranking import PassageReranker
from app.observation.observer import Observer
from app.providers.base import ModelKind, Provider, TimeLimits
from app.providers.embedded.provider import EmbeddedProvider
from app.providers.observed_models import ObservedReranker
from app.providers.ollama.addresses import parse_address
from app.providers.registry import ModelRegistry
from app.providers.resilience.error_mapping import is_local_url
from app.providers.resilience.guarded_models import ProviderProtection
from app.providers.resilience.provider_circuits import ProviderCircuits
from app.providers.resilience.server_problems import ServerProblems
from app.settings import Settings

_OPENAI_URL = "https://api.openai.com/v1"
_OPENROUTER_URL = "https://openrouter.ai/api/v1"
_FILES = "llamacpp/"


def open_models(settings: Settings, observer: Observer) -> ModelRegistry:
    """The models of every provider in the settings. Raises StartError for a model that can never work."""
    providers, problems = _open_providers(settings), ServerProblems()
    registry = ModelRegistry(
        providers,
        [settings.chosen_chat_model, settings.embedding_model],
        _build_protections(settings, providers, problems),
        observer,
        problems,
    )
    _check_models(settings, registry)
    return registry


def open_reranking(settings: Settings, observer: Observer) -> PassageReranker:
    """Reranking with the server or file in the settings, if there is one. Raises StartError."""
    if not settings.rerank_url and (settings.rerank_model or "").startswith(_FILES):
        from app.services import model_files

        return PassageReranker(ObservedReranker(model_files.open_reranker(settings, _time_limits(settings)), observer))
    if not settings.rerank_url:
        if settings.rerank_model:
            shown = safe_text.show_setting("RERANK_MODEL", settings.rerank_model)
            raise errors.StartError(
                f"{shown} needs RERANK_URL, the server that has it, or must be the name "
                "of a file, such as llamacpp/PATH.gguf."
            )
        return PassageReranker(None)
    from app.providers.rerank import HttpReranker

    key = _secret_value(settings.rerank_api_key)
    reranker = HttpReranker(settings.rerank_url, settings.rerank_model, key, seconds=settings.rerank_seconds)
    return PassageReranker(ObservedReranker(reranker, observer))


def _open_providers(settings: Settings) -> list[Provider]:
    """The embedded provider, and those in the settings."""
    limits = _time_limits(settings)
    providers: list[Provider] = [EmbeddedProvider()]
    if settings.ollama_host:
        from app.providers.ollama.provider import OllamaProvider

        providers.append(OllamaProvider(settings.ollama_host, num_ctx=settings.ollama_num_ctx, limits=limits))
    if settings.openai_api_key or settings.openai_base_url or settings.openrouter_api_key:
        providers.extend(_openai_providers(settings, limits))
    if files := [named for named in _named_models(settings) if named[1].startswith(_FILES)]:
        from app.services import model_files

        providers.append(model_files.open_provider(settings, files, limits))
    return providers


def _time_limits(settings: Settings) -> TimeLimits:
    return TimeLimits(
        settings.model_connect_seconds,
        settings.model_first_token_seconds,
        settings.model_between_tokens_seconds,
        settings.model_whole_answer_seconds,
        settings.model_longest_answer_seconds,
    )


def _openai_providers(settings: Settings, limits: TimeLimits) -> Iterator[Provider]:
    """The providers that speak the OpenAI API."""
    from app.providers.openai.provider import OpenAIProvider

    if settings.openai_api_key or settings.openai_base_url:
        url = settings.openai_base_url or _OPENAI_URL
        yield OpenAIProvider("openai", url, _secret_value(settings.openai_api_key), limits, is_local_url(url))
    if settings.openrouter_api_key:
        yield OpenAIProvider("openrouter", _OPENROUTER_URL, _secret_value(settings.openrouter_api_key), limits=limits)


def _check_models(settings: Settings, registry: ModelRegistry) -> None:
    """Raises StartError for a model name that can never work. Whether a server has the model shows when it is used."""
    for variable, name, kind in _named_models(settings):
        problem = registry.find_problem(name, kind)
        if problem:
            raise errors.StartError(f"{safe_text.show_setting(variable, name)}: {problem[:1].lower()}{problem[1:]}")


def _named_models(settings: Settings) -> tuple[tuple[str, str, ModelKind], ...]:
    """The models that settings name, each with its variable."""
    chat = "CHAT_MODEL" if settings.chat_model or not settings.primary_model_id else "PRIMARY_MODEL_ID"
    return (chat, settings.chosen_chat_model, "CHAT"), ("EMBEDDING_MODEL", settings.embedding_model, "EMBEDDING")


def _build_protections(
    settings: Settings, providers: Sequence[Provider], problems: ServerProblems
) -> Mapping[str, ProviderProtection]:
    """The protection of each provider that is a server, and of each model that is a file, by name."""
    seconds, locations = settings.model_first_token_seconds, _server_locations(settings)

    def protect(name: str, at_once: int, location: str, problems: ServerProblems) -> ProviderProtection:
        gate, counting = (ConcurrencyLimiter(name, at_once, seconds) for _ in range(2))
        longest = settings.model_longest_answer_seconds
        return ProviderProtection(ProviderCircuits(name), gate, counting, location, problems, longest)

    servers = [provider.name for provider in providers if provider.name in locations]
    files = [name for _, name, _ in _named_models(settings) if name.startswith(_FILES)]
    return {
        **{name: protect(name, settings.model_requests_per_process, locations[name], problems) for name in servers},
        # Each file has a process of its own, without an address: one that fails or is busy is no reason not to ask
        # another.
        **{name: protect(name, settings.llamacpp_slots, f"the process of {name}", ServerProblems()) for name in files},
    }


def _server_locations(settings: Settings) -> dict[str, str]:
    """The origin of each provider's URL, because user, path and query may be secret."""
    named = {
        "ollama": (parse_address(settings.ollama_host or ""), "OLLAMA_HOST"),
        "openai": (settings.openai_base_url or _OPENAI_URL, "OPENAI_BASE_URL"),
        "openrouter": (_OPENROUTER_URL, "OPENROUTER_API_KEY"),
    }
    return {name: f"{_read_origin(url)} ({variable})" for name, (url, variable) in named.items()}


def _read_origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}" if parts.netloc else "an invalid URL"


def _secret_value(secret: SecretStr | None) -> str | None:
    return secret.get_secret_value() if secret else None
