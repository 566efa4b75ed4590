"""What the model catalog knows about each model name."""

import pytest

from app.providers import catalog

SEED_001 = {
    "gpt-4": 8192,
    "gpt-4-turbo": 128_000,
    "gpt-4o": 128_000,
    "gpt-3.5-turbo": 16_385,
    "claude-3-opus": 200_000,
    "claude-3-sonnet": 200_000,
    "claude-3-haiku": 200_000,
    "claude-3-5-sonnet": 200_000,
    "llama3.2:3b": 128_000,
    "llama3.1:70b": 128_000,
    "deepseek-coder:6.7b": 16_000,
    "qwen2.5:7b": 128_000,
    "mistral:7b": 32_768,
    "grok-3": 131_072,
    "deepseek-chat": 64_000,
}


@pytest.mark.parametrize(("name", "window"), SEED_001.items())
def test_the_windows_of_the_first_table_stand(name: str, window: int) -> None:
    assert catalog.find_window(name) == window
    assert catalog.find_window(f"some-provider/{name}") == window


@pytest.mark.parametrize(
    ("name", "window"),
    [
        ("openai/gpt-4o-mini-2024-07-18", 128_000),
        ("gpt-4-0613", 8192),
        ("gpt-4.1-nano", 1_047_576),
        ("gpt-4-1106-preview", 128_000),
        ("gpt-3.5-turbo-0613", 4096),
        ("openai/gpt-5-mini", 400_000),
        ("gpt-5-chat-latest", 128_000),
        ("o3-mini-2025-01-31", 200_000),
        ("o1-mini", 128_000),
        ("claude-sonnet-4-20250514", 200_000),
        ("openrouter/anthropic/claude-3.7-sonnet", 200_000),
        ("openrouter/google/gemini-2.5-flash", 1_048_576),
        ("meta-llama/Llama-3.2-3B-Instruct", 128_000),
        ("Meta-Llama-3.1-8B-Instruct-Q4_K_M", 128_000),
        ("llama3", 8192),
        ("llama3:8b-instruct-q4_0", 8192),
        ("meta-llama/llama-4-scout-17b-16e-instruct", 10_485_760),
        ("ollama/gemma3:1b", 32_768),
        ("ollama/gemma3:27b-it-qat", 131_072),
        ("google/gemma-2-9b-it", 8192),
        ("Qwen/Qwen2.5-3B-Instruct", 32_768),
        ("qwen3:8b", 40_960),
        ("microsoft/Phi-3.5-mini-instruct", 128_000),
        ("phi4:14b", 16_384),
        ("mistral-small3.2:24b", 128_000),
        ("mixtral:8x22b-instruct", 65_536),
        ("deepseek-r1:7b", 128_000),
    ],
)
def test_tags_dates_and_vendor_spellings_lead_to_the_closest_entry(name: str, window: int) -> None:
    assert catalog.find_window(name) == window


@pytest.mark.parametrize("name", ["", "/", "nobody/has-heard-of-it", "gpt", "gpt-4omega", "o1x", ":latest"])
def test_an_unknown_model_gets_the_small_window(name: str) -> None:
    assert catalog.find_window(name) == 8192


@pytest.mark.parametrize(
    ("name", "dimensions", "longest"),
    [
        ("embedded/wordllama", 256, None),
        ("ollama/all-minilm:latest", 384, 256),
        ("sentence-transformers/all-MiniLM-L6-v2", 384, 256),
        ("openai/text-embedding-3-small", 1536, 8192),
        ("text-embedding-3-large", 3072, 8192),
        ("bge-m3:567m", 1024, 8192),
        ("qwen3-embedding:4b-q8_0", 2560, 32_768),
        ("snowflake-arctic-embed:22m", 384, 512),
        ("nobody/has-heard-of-it", None, 512),
    ],
)
def test_embedding_models_say_how_to_use_them(name: str, dimensions: int | None, longest: int | None) -> None:
    model = catalog.find_embedding_model(name)
    assert (model.dimensions, model.max_input_tokens) == (dimensions, longest)


@pytest.mark.parametrize(
    ("name", "query", "document"),
    [
        ("nomic-embed-text:v1.5", "search_query: ", "search_document: "),
        ("intfloat/e5-large-v2", "query: ", "passage: "),
        ("intfloat/multilingual-e5-base", "query: ", "passage: "),
        ("mxbai-embed-large", "Represent this sentence for searching relevant passages: ", ""),
        ("BAAI/bge-base-en-v1.5", "Represent this sentence for searching relevant passages: ", ""),
        ("BAAI/bge-m3", "", ""),
        ("all-minilm", "", ""),
    ],
)
def test_prefixes_are_those_the_models_were_trained_with(name: str, query: str, document: str) -> None:
    model = catalog.find_embedding_model(name)
    assert (model.query_prefix, model.document_prefix) == (query, document)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("gpt-4o", "CHAT"),
        ("openai/text-embedding-3-small", "EMBEDDING"),
        ("bge-small-en-v1.5", "EMBEDDING"),
        ("some-new-embedder", "EMBEDDING"),
        ("whisper-1", None),
        ("dall-e-3", None),
        ("gpt-4o-realtime-preview", None),
        ("jina-reranker-v2", None),
    ],
)
def test_a_name_says_what_a_model_is_for(name: str, kind: str | None) -> None:
    assert catalog.model_kind(name) == kind


def test_only_free_providers_have_a_price() -> None:
    assert catalog.cost_usd("embedded/extractive") == catalog.cost_usd("llamacpp/model.gguf") == 0.0
    assert catalog.cost_usd("openai/gpt-4o") is None
    assert catalog.cost_usd("openai/embedded/extractive") is None
