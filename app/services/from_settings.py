"""Settings in; the parts of the house that are made of them alone out."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

import anyio
from pydantic import SecretStr

from app import addresses, errors
from app.answer_options import AnswerOptions
from app.chat.sessions import Defaults
from app.knowledge import parsing
from app.knowledge.ingestion.workers import SplitFile
from app.knowledge.parsed import SplitDocument
from app.providers.base import Provider, TimeLimits
from app.providers.embedded.provider import ANSWERER, VECTORS, EmbeddedProvider
from app.providers.ollama.provider import OllamaProvider, parse_address
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


def providers(settings: Settings) -> list[Provider]:
    """The places where models run that the settings name; the embedded one always."""
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


def check_models(settings: Settings, registry: ModelRegistry) -> None:
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


def guards(settings: Settings, providers: Sequence[Provider]) -> Mapping[str, ProviderProtection]:
    """What stands before each provider that is a server, by its name; one in this process cannot be away."""
    seconds, places = settings.model_first_token_seconds, _places(settings)

    def guard(name: str) -> ProviderProtection:
        gate, counting = (ConcurrencyLimiter(name, settings.model_requests_at_once, seconds) for _ in range(2))
        return ProviderProtection(
            CircuitBreaker(name), gate, counting, places[name], settings.model_longest_answer_seconds
        )

    return {provider.name: guard(provider.name) for provider in providers if not isinstance(provider, EmbeddedProvider)}


def _places(settings: Settings) -> dict[str, str]:
    """Where each provider is, without what may be secret: a user, a path, a query."""
    named = {
        "ollama": (parse_address(settings.ollama_host or ""), "OLLAMA_HOST"),
        "openai": (settings.openai_base_url or _OPENAI_URL, "OPENAI_BASE_URL"),
        "openrouter": (_OPENROUTER_URL, "OPENROUTER_API_KEY"),
    }
    return {name: f"{_origin(url)} ({variable})" for name, (url, variable) in named.items()}


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}" if parts.netloc else "what is no URL"


def reranker(settings: Settings) -> HttpReranker | None:
    """The one that is set up, if any."""
    url, key = settings.rerank_url, _plain(settings.rerank_api_key)
    return HttpReranker(url, settings.rerank_model, key, seconds=settings.rerank_seconds) if url else None


def _plain(secret: SecretStr | None) -> str | None:
    return secret.get_secret_value() if secret else None


def wants_sample_project(settings: Settings) -> bool:
    """Whether the first start makes the sample project: only where whoever starts the server is alone with it."""
    return settings.sample_project and not settings.signs_in and addresses.is_loopback(settings.host)


def defaults(settings: Settings) -> Defaults:
    """How answers are given where nobody says."""
    options = AnswerOptions(
        model=settings.chosen_chat_model,
        enable_rag=settings.rag_enabled,
        rag_top_k=settings.rag_top_k,
        rag_threshold=settings.rag_threshold,
        include_citations=settings.include_citations,
        grounding=settings.grounding,
        context_token_ratio=settings.rag_context_token_fill_ratio,
        max_tokens=settings.max_tokens,
        temperature=settings.temperature,
        reformulate=settings.enable_query_reformulation,
        search_mode=settings.search_mode,
        citation_style=settings.citation_style,
        context_placement=settings.context_placement,
    )
    return Defaults(options, settings.max_context_tokens, settings.rag_max_context_chars)


def splitter(settings: Settings, workers: int) -> SplitFile:
    """Reads and splits documents in processes of their own, so many at once."""
    limits = parsing.ParsingLimits(seconds=settings.parse_seconds, memory_bytes=settings.parse_memory_bytes)
    capacity = anyio.CapacityLimiter(workers)

    async def split(data: bytes, name: str | None, media_type: str) -> SplitDocument:
        return await parsing.split_safely(data, name=name, media_type=media_type, limits=limits, limiter=capacity)

    return split
