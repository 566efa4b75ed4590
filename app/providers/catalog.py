"""A model's name in; what is known about it without asking anyone out: context window, or vectors and how to use them.

A server that tells its own numbers is always believed before this table. Unknown chat models get 8192 tokens, because
too small a window shortens a context and too large a one loses its beginning.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

DEFAULT_CONTEXT_WINDOW = 8192


@dataclass(frozen=True, slots=True)
class ChatModelInfo:
    """A chat model; `context_window` holds input and output together, in tokens."""

    name: str
    context_window: int


@dataclass(frozen=True, slots=True)
class EmbeddingModelInfo:
    """An embedding model and how search uses it.

    `dimensions` None: not known here. `max_input_tokens` None: no limit. `dense_weight` is the vectors' share of the
    fused score, `threshold` the fused score under which a passage is no answer; both were measured on public sets
    (wordllama and MiniLM; the others get MiniLM's). The prefixes stand before every query and every document.
    """

    name: str
    dimensions: int | None = None
    max_input_tokens: int | None = 512
    dense_weight: float = 0.4
    threshold: float = 0.25
    query_prefix: str = ""
    document_prefix: str = ""


# Keys are written as the makers write them; `_spellings` brings tags, dates and separators to one form. The longest key
# that a name begins with wins, so a family stands once and its exceptions beside it.
_WINDOWS: Mapping[str, int] = {
    # OpenAI
    "gpt-4": 8192, "gpt-4-32k": 32_768, "gpt-4-turbo": 128_000, "gpt-4-1106": 128_000, "gpt-4-0125": 128_000,
    "gpt-4o": 128_000, "chatgpt-4o": 128_000, "gpt-4.1": 1_047_576, "gpt-4.5": 128_000,
    "gpt-3.5-turbo": 16_385, "gpt-35-turbo": 16_385, "gpt-3.5-turbo-0613": 4096, "gpt-3.5-turbo-instruct": 4096,
    "gpt-5": 400_000, "gpt-5-chat": 128_000, "gpt-5.1-chat": 128_000, "gpt-5.2-chat": 128_000, "gpt-oss": 131_072,
    "o1": 200_000, "o1-mini": 128_000, "o1-preview": 128_000, "o3": 200_000, "o3-mini": 200_000, "o4-mini": 200_000,
    # Anthropic
    "claude": 200_000, "claude-3-opus": 200_000, "claude-3-sonnet": 200_000, "claude-3-haiku": 200_000,
    "claude-3-5-sonnet": 200_000, "claude-3-7-sonnet": 200_000, "claude-opus-4": 200_000, "claude-sonnet-4": 200_000,
    "claude-haiku-4": 200_000, "claude-2": 100_000, "claude-2.1": 200_000, "claude-instant": 100_000,
    # Google
    "gemini": 1_048_576, "gemini-pro": 32_760, "gemini-1.0": 32_760, "gemini-1.5-pro": 2_097_152,
    "gemini-1.5-flash": 1_048_576, "gemini-2.0-flash": 1_048_576, "gemini-2.5": 1_048_576, "gemini-3": 1_048_576,
    "gemma": 8192, "gemma2": 8192, "gemma3": 131_072, "gemma3:1b": 32_768, "gemma3:270m": 32_768, "gemma3n": 32_768,
    "codegemma": 8192,
    # Meta
    "llama2": 4096, "llama3": 8192, "llama3.1": 128_000, "llama3.2": 128_000, "llama3.3": 128_000,
    "llama4": 1_048_576, "llama4:scout": 10_485_760, "codellama": 16_384, "tinyllama": 2048,
    # Mistral
    "mistral": 32_768, "mistral-nemo": 128_000, "mistral-small": 32_768, "mistral-small3.1": 128_000,
    "mistral-small3.2": 128_000, "mistral-medium": 128_000, "mistral-large": 128_000, "ministral": 128_000,
    "mixtral": 32_768, "mixtral:8x22b": 65_536, "codestral": 32_768, "devstral": 131_072, "magistral": 40_000,
    "pixtral": 128_000, "open-mistral-nemo": 128_000,
    # Alibaba
    "qwen": 8192, "qwen2": 32_768, "qwen2.5": 128_000, "qwen2.5:0.5b": 32_768, "qwen2.5:1.5b": 32_768,
    "qwen2.5:3b": 32_768, "qwen2.5-coder": 32_768, "qwen2.5vl": 128_000, "qwen3": 40_960, "qwen3:4b-instruct": 262_144,
    "qwen3:30b-a3b-instruct": 262_144, "qwen3:235b-a22b-instruct": 262_144, "qwen3-coder": 262_144,
    "qwen3-next": 262_144, "qwen3-max": 262_144, "qwen3-vl": 262_144, "qwq": 131_072, "qwen-max": 32_768,
    "qwen-plus": 131_072, "qwen-turbo": 131_072,
    # DeepSeek, Microsoft, xAI, Cohere and others
    "deepseek-chat": 64_000, "deepseek-reasoner": 64_000, "deepseek-coder": 16_000, "deepseek-coder-v2": 128_000,
    "deepseek-v2": 128_000, "deepseek-v3": 128_000, "deepseek-r1": 128_000, "deepseek-llm": 4096,
    "phi": 2048, "phi3": 4096, "phi3:mini-128k": 128_000, "phi3:medium-128k": 128_000, "phi3.5": 128_000,
    "phi4": 16_384, "phi4-mini": 128_000, "phi4-multimodal": 128_000, "phi4-reasoning": 32_768,
    "grok-2": 131_072, "grok-3": 131_072, "grok-4": 256_000, "grok-4-fast": 2_000_000, "grok-code-fast": 256_000,
    "command-r": 128_000, "command-r7b": 128_000, "command-a": 256_000, "aya-expanse": 8192,
    "granite3": 4096, "granite3.1": 128_000, "granite3.2": 128_000, "granite3.3": 128_000, "granite4": 131_072,
    "kimi-k2": 131_072, "glm-4": 128_000, "glm-4.5": 131_072, "glm-4.6": 200_000, "minimax-m1": 1_000_000,
    "minimax-m2": 196_608, "nemotron": 128_000, "nova-micro": 128_000, "nova-lite": 300_000, "nova-pro": 300_000,
    "smollm": 2048, "smollm2": 8192, "smollm3": 65_536, "olmo2": 4096, "falcon3": 32_768, "hermes3": 128_000,
    "zephyr": 32_768, "openchat": 8192, "yi": 4096, "starcoder2": 16_384, "exaone3.5": 32_768, "lfm2": 32_768,
    "solar": 4096, "vicuna": 2048, "stablelm2": 4096, "jamba": 256_000,
}  # fmt: skip

_SEARCH = "Represent this sentence for searching relevant passages: "
_SEARCH_ZH = "为这个句子生成表示以用于检索相关文章："  # noqa: RUF001 - the words the model was trained with
_INSTRUCT = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"


def _embedding(
    name: str, dimensions: int | None, max_input_tokens: int | None = 512, query: str = "", document: str = ""
) -> EmbeddingModelInfo:
    return EmbeddingModelInfo(name, dimensions, max_input_tokens, query_prefix=query, document_prefix=document)


_EMBEDDINGS: tuple[EmbeddingModelInfo, ...] = (
    EmbeddingModelInfo("wordllama", 256, None, dense_weight=0.3, threshold=0.20),
    # sentence-transformers; trained on 256 tokens (128 the multilingual ones), whatever the position table holds
    _embedding("all-minilm", 384, 256),
    _embedding("all-mpnet-base-v2", 768, 384),
    _embedding("multi-qa-minilm", 384),
    _embedding("paraphrase-multilingual", 768, 128),
    _embedding("paraphrase-multilingual-minilm", 384, 128),
    # models that were trained with words before the text; without them they rank visibly worse
    _embedding("nomic-embed-text", 768, 2048, "search_query: ", "search_document: "),
    _embedding("nomic-embed-text-v2-moe", 768, 512, "search_query: ", "search_document: "),
    _embedding("mxbai-embed-large", 1024, 512, _SEARCH),
    _embedding("mxbai-embed-xsmall", 384, 4096, _SEARCH),
    _embedding("snowflake-arctic-embed", 1024, 512, _SEARCH),
    _embedding("snowflake-arctic-embed-xs", 384, 512, _SEARCH),
    _embedding("snowflake-arctic-embed:22m", 384, 512, _SEARCH),
    _embedding("snowflake-arctic-embed-s", 384, 512, _SEARCH),
    _embedding("snowflake-arctic-embed:33m", 384, 512, _SEARCH),
    _embedding("snowflake-arctic-embed-m", 768, 512, _SEARCH),
    _embedding("snowflake-arctic-embed:110m", 768, 512, _SEARCH),
    _embedding("snowflake-arctic-embed-m-v2.0", 768, 8192, "query: "),
    _embedding("snowflake-arctic-embed-l-v2.0", 1024, 8192, "query: "),
    _embedding("snowflake-arctic-embed2", 1024, 8192, "query: "),
    _embedding("bge-small", 384, 512, _SEARCH),
    _embedding("bge-base", 768, 512, _SEARCH),
    _embedding("bge-large", 1024, 512, _SEARCH),
    _embedding("bge-small-zh", 512, 512, _SEARCH_ZH),
    _embedding("bge-base-zh", 768, 512, _SEARCH_ZH),
    _embedding("bge-large-zh", 1024, 512, _SEARCH_ZH),
    _embedding("bge-m3", 1024, 8192),
    _embedding("e5-small", 384, 512, "query: ", "passage: "),
    _embedding("e5-base", 768, 512, "query: ", "passage: "),
    _embedding("e5-large", 1024, 512, "query: ", "passage: "),
    _embedding("multilingual-e5-small", 384, 512, "query: ", "passage: "),
    _embedding("multilingual-e5-base", 768, 512, "query: ", "passage: "),
    _embedding("multilingual-e5-large", 1024, 512, "query: ", "passage: "),
    _embedding("multilingual-e5-large-instruct", 1024, 512, _INSTRUCT + " "),
    _embedding("e5-mistral-7b-instruct", 4096, 4096, _INSTRUCT + " "),
    _embedding("embeddinggemma", 768, 2048, "task: search result | query: ", "title: none | text: "),
    _embedding("qwen3-embedding", None, 32_768, _INSTRUCT),
    _embedding("qwen3-embedding:0.6b", 1024, 32_768, _INSTRUCT),
    _embedding("qwen3-embedding:4b", 2560, 32_768, _INSTRUCT),
    _embedding("qwen3-embedding:8b", 4096, 32_768, _INSTRUCT),
    # models that need nothing
    _embedding("gte-small", 384),
    _embedding("gte-base", 768),
    _embedding("gte-large", 1024),
    _embedding("granite-embedding", 384),
    _embedding("granite-embedding:278m", 768),
    _embedding("jina-embeddings-v2-small-en", 512, 8192),
    _embedding("jina-embeddings-v2", 768, 8192),
    _embedding("jina-embeddings-v3", 1024, 8192),
    _embedding("text-embedding-3-small", 1536, 8192),
    _embedding("text-embedding-3-large", 3072, 8192),
    _embedding("text-embedding-ada-002", 1536, 8192),
    _embedding("text-embedding-004", 768, 2048),
    _embedding("gemini-embedding-001", 3072, 2048),
    _embedding("mistral-embed", 1024, 8192),
    _embedding("codestral-embed", 1536, 8192),
    _embedding("voyage-3", 1024, 32_000),
    _embedding("embed-english-v3.0", 1024),
    _embedding("embed-multilingual-v3.0", 1024),
    _embedding("embed-v4.0", 1536, 8192),
)

_SEPARATORS = re.compile(r"[:_@\s]")
_BEFORE_A_NUMBER = re.compile(r"(?<=[a-z])-(?=\d)")
_NEITHER = re.compile(
    r"whisper|dall-?e|\btts\b|-tts|gpt-image|image|sora|moderation|rerank|realtime|transcribe|-audio|davinci|babbage"
)


def find_chat_model(name: str) -> ChatModelInfo:
    """What is known of the chat model called `provider/model` or `model`; 8192 tokens when it is not in the table."""
    key = _longest_prefix(name, _WINDOWS)
    return ChatModelInfo(name, _WINDOWS[key] if key else DEFAULT_CONTEXT_WINDOW)


def find_embedding_model(name: str) -> EmbeddingModelInfo:
    """What is known of the embedding model called `provider/model` or `model`; cautious values if it is not listed."""
    listed = {model.name: model for model in _EMBEDDINGS}
    key = _longest_prefix(name, listed)
    return listed[key] if key else EmbeddingModelInfo(name)


def model_kind(name: str) -> Literal["CHAT", "EMBEDDING"] | None:
    """What a model is for, by its name; None for speech, pictures, moderation and reranking."""
    if _longest_prefix(name, {model.name: None for model in _EMBEDDINGS}) or "embed" in name.lower():
        return "EMBEDDING"
    return None if _NEITHER.search(name.lower()) else "CHAT"


def cost_usd(name: str) -> float | None:
    """The price of an answer in US dollars; None where it is not known, which is everywhere but in this process.

    Makers change their prices, and a server on this machine may pass a request on: a wrong price is worse than none.
    """
    return 0.0 if name.startswith("embedded/") else None


def _longest_prefix(name: str, table: Mapping[str, object]) -> str | None:
    wanted = _spellings(name)
    found = [key for key in table if any(_begins(spelling, form) for spelling in wanted for form in _spellings(key))]
    return max(found, key=len, default=None)


def _spellings(name: str) -> set[str]:
    """`name` after its last slash, as written and with `llama-3.1` as `llama3.1`: makers and servers differ in that."""
    plain = _SEPARATORS.sub("-", name.rsplit("/", 1)[-1].strip().lower()).removeprefix("meta-")
    return {plain, _BEFORE_A_NUMBER.sub("", plain, count=1)}


def _begins(name: str, key: str) -> bool:
    """Whether `name` is `key` or goes on with a tag, a date or a minor version; `gpt-4o` is no `gpt-4`."""
    return name.startswith(key) and not name[len(key) : len(key) + 1].isalnum()
