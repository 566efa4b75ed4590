"""Set up the models of GGUF files that the settings name."""

from collections.abc import Sequence
from pathlib import Path

from app import errors, safe_text
from app.providers.base import ModelKind, Provider, Reranker, TimeLimits
from app.providers.llamacpp import gguf, provider
from app.providers.llamacpp.connection import PROVIDER
from app.providers.llamacpp.models import LlamacppReranker
from app.providers.llamacpp.process import LaunchOptions, ModelProcess, ModelUse
from app.settings import Settings


def open_provider(settings: Settings, named: Sequence[tuple[str, str, ModelKind]], limits: TimeLimits) -> Provider:
    """The provider of these files, each with the variable that names it. Raises StartError for an unusable file."""
    return provider.LlamacppProvider([_open_file(settings, limits, *each) for each in named])


def open_reranker(settings: Settings, limits: TimeLimits) -> Reranker:
    """The reranker that RERANK_MODEL names. Raises StartError if it cannot be used."""
    process = _open_file(settings, limits, "RERANK_MODEL", settings.rerank_model or "", "RERANK")
    return LlamacppReranker(process, settings.rerank_seconds)


def _open_file(settings: Settings, limits: TimeLimits, variable: str, name: str, use: ModelUse) -> ModelProcess:
    options = LaunchOptions(
        settings.llamacpp_num_ctx,
        settings.llamacpp_slots,
        settings.llamacpp_threads or provider.choose_threads(),
        settings.llamacpp_idle_seconds,
        limits,
    )
    model = name.removeprefix(f"{PROVIDER}/")
    try:
        return provider.open_process(Path(settings.llamacpp_folder), model, use, options)
    except gguf.UnusableFile as error:
        raise errors.StartError(f"{safe_text.show_setting(variable, name)} {error}.") from error
