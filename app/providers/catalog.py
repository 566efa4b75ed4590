"""Look up context windows and embedding parameters of models by name; `catalog.toml` holds the data.

What a server reports takes precedence. Unknown chat models get 8192 tokens: too small a window only shortens the
context, while with too large a window the prompt's beginning is lost.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import Any

from app.providers.base import ModelKind

DEFAULT_CONTEXT_WINDOW = 8192


@dataclass(frozen=True, slots=True)
class EmbeddingModelInfo:
    """An embedding model and how search uses it.

    `dimensions` None: unknown. `max_input_tokens` None: no limit. The prefixes are put before every query and every
    document.
    """

    name: str
    dimensions: int | None = None
    max_input_tokens: int | None = 512
    query_prefix: str = ""
    document_prefix: str = ""


def _read_embedding_model(name: str, fields: Mapping[str, Any]) -> EmbeddingModelInfo:
    model = EmbeddingModelInfo(name, **fields)
    return replace(model, max_input_tokens=model.max_input_tokens or None)


_CATALOG = tomllib.loads(files("app.providers").joinpath("catalog.toml").read_text(encoding="utf-8"))
_FREE_PROVIDERS = frozenset[str](_CATALOG["free_providers"])
_BILLIONS: Mapping[str, float] = _CATALOG["billions_of_parameters"]
_WINDOWS: Mapping[str, int] = _CATALOG["windows"]
_EMBEDDINGS: Mapping[str, EmbeddingModelInfo] = {
    name: _read_embedding_model(name, fields) for name, fields in _CATALOG["embeddings"].items()
}

# The size of a cache: every answer and search looks up its model.
_KNOWN_NAMES = 256
_SIZE = re.compile(r"(?<![a-z0-9.])(?:\d+x)?(\d+(?:\.\d+)?)([bm])(?![a-z0-9])")
_SEPARATORS = re.compile(r"[:_@\s]")
_BEFORE_A_NUMBER = re.compile(r"(?<=[a-z])-(?=\d)")
_NEITHER = re.compile(
    r"whisper|dall-?e|\btts\b|-tts|gpt-image|image|sora|moderation|rerank|realtime|transcribe|-audio|davinci|babbage"
)


@lru_cache(_KNOWN_NAMES)
def find_window(name: str) -> int:
    """The tokens of input and output together of the chat model `provider/model` or `model`; 8192 if not listed."""
    key = _longest_prefix(name, _WINDOWS)
    return _WINDOWS[key] if key else DEFAULT_CONTEXT_WINDOW


@lru_cache(_KNOWN_NAMES)
def find_parameters(name: str) -> int | None:
    """The number of parameters of a chat model, from its name (`:0.5b`, `135M`) or the catalog; None if unknown."""
    written = _SIZE.search(name.rsplit("/", 1)[-1].lower())
    if written:
        return int(float(written[1]) * (1e9 if written[2] == "b" else 1e6))
    key = _longest_prefix(name, _BILLIONS)
    return int(_BILLIONS[key] * 1e9) if key else None


@lru_cache(_KNOWN_NAMES)
def find_embedding_model(name: str) -> EmbeddingModelInfo:
    """The embedding model called `provider/model` or `model`; cautious values if it is not listed."""
    key = _longest_prefix(name, _EMBEDDINGS)
    return _EMBEDDINGS[key] if key else EmbeddingModelInfo(name)


def model_kind(name: str) -> ModelKind | None:
    """The kind of a model, by its name; None for speech, image, moderation and reranking models."""
    if _longest_prefix(name, _EMBEDDINGS) or "embed" in name.lower():
        return "EMBEDDING"
    return None if _NEITHER.search(name.lower()) else "CHAT"


def cost_usd(name: str) -> float | None:
    """The price of an answer from `provider/model` in US dollars; None if unknown."""
    return 0.0 if name.partition("/")[0] in _FREE_PROVIDERS else None


def _longest_prefix(name: str, table: Mapping[str, object]) -> str | None:
    wanted = _spellings(name)
    found = [key for key in table if any(_begins(spelling, form) for spelling in wanted for form in _spellings(key))]
    return max(found, key=len, default=None)


def _spellings(name: str) -> set[str]:
    """`name` after its last slash, unchanged and with `llama-3.1` as `llama3.1`: both spellings are in use."""
    plain = _SEPARATORS.sub("-", name.rsplit("/", 1)[-1].strip().lower()).removeprefix("meta-")
    return {plain, _BEFORE_A_NUMBER.sub("", plain, count=1)}


def _begins(name: str, key: str) -> bool:
    """Whether `name` is `key`, or `key` with a tag, a date or a minor version; `gpt-4o` is not a `gpt-4`."""
    return name.startswith(key) and not name[len(key) : len(key) + 1].isalnum()
