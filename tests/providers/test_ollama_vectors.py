"""The Ollama provider's embedding models, model lists and hosts, against a loopback server."""

from collections.abc import AsyncGenerator, Callable

import numpy
import pytest

from app import errors
from app.providers.base import (
    EmbeddingModel,
    TimeLimits,
)
from app.providers.ollama import addresses
from app.providers.ollama.provider import OllamaProvider
from tests.servers import ollama
from tests.servers.asking import AT_ONCE, closed_after
from tests.servers.ollama import OllamaServer
from tests.servers.running import Break, Fault, Page, Refusal, running

Provide = Callable[..., OllamaProvider]


def make(server: OllamaServer | str, limits: TimeLimits | None = None, num_ctx: int = 8192) -> OllamaProvider:
    return OllamaProvider(server if isinstance(server, str) else server.url, num_ctx, limits, AT_ONCE)


@pytest.fixture
async def provide() -> AsyncGenerator[Provide]:
    async with closed_after(make) as closing:
        yield closing


async def test_models_are_listed_with_what_they_can_do(provide: Provide) -> None:
    with running(OllamaServer()) as server:
        listed = await provide(server).list_models()
    assert {(m.name, m.kind, m.context_window, m.dimensions) for m in listed} == {
        ("tiny:latest", "CHAT", 8192, None),
        ("small:latest", "CHAT", 2048, None),
        ("thinking:latest", "CHAT", 8192, None),
        ("baked:latest", "CHAT", 8192, None),
        ("minilm:latest", "EMBEDDING", 256, 384),
    }


@pytest.mark.parametrize(
    "fault", [Page(), Refusal(500), Refusal(200, ["x"]), Refusal(200, {"models": 1}), Break("stall")]
)
async def test_an_invalid_model_list_is_an_error(provide: Provide, fault: Fault) -> None:
    with running(OllamaServer(listing=fault)) as server:
        house = provide(server, TimeLimits(connect=0.3))
        with pytest.raises(errors.AnswerError):
            await house.list_models()


async def test_vectors_are_normalized_and_the_request_forbids_truncation(provide: Provide) -> None:
    with running(OllamaServer()) as server:
        model: EmbeddingModel = provide(server).embedding_model("minilm")
        assert await model.dimensions() == 384
        vectors = await model.embed_texts(["red fish", "", "blue sky", "red fish"], "document")
        assert (await model.embed_texts([], "query")).shape == (0, 384)
    assert vectors.dtype == numpy.float32
    assert numpy.allclose(numpy.linalg.norm(vectors, axis=1), [1, 0, 1, 1])
    assert numpy.allclose(vectors[0], vectors[3])
    assert not numpy.allclose(vectors[0], vectors[2])
    assert server.embeddings == [
        {
            "model": "minilm",
            "input": ["red fish", "blue sky", "red fish"],
            "truncate": False,
            "options": {"num_ctx": 256},
        }
    ]


async def test_batches_are_bounded_and_long_texts_cut(provide: Provide) -> None:
    with running(OllamaServer()) as server:
        vectors = (
            await provide(server).embedding_model("minilm").embed_texts(["word " * 1000] + ["short"] * 99, "document")
        )
    assert vectors.shape == (100, 384)
    assert [len(body["input"]) for body in server.embeddings] == [64, 36]
    assert server.embeddings[0]["input"][0].startswith("word word")
    assert len(server.embeddings[0]["input"][0].split()) < 256


async def test_only_the_text_that_is_too_long_is_halved(provide: Provide) -> None:
    # Punctuation: 30 tokens for this server, 21 for our estimate.
    models = {"minilm": ollama.Model("bert", 24, ("embedding",), 8)}
    with running(OllamaServer(models=models)) as server:
        model = provide(server).embedding_model("minilm")
        vectors = await model.embed_texts(["one", "!" * 30, "two"], "document")
    assert vectors.shape == (3, 8)
    assert [body["input"] for body in server.embeddings] == [
        ["one", "!" * 30, "two"],
        ["one"],
        ["!" * 30, "two"],
        ["!" * 30],
        ["!" * 15],
        ["two"],
    ]


async def test_a_missing_embedding_model_is_reported(provide: Provide) -> None:
    with running(OllamaServer()) as server:
        model = provide(server).embedding_model("nope")
        with pytest.raises(errors.ModelNotFound):
            await model.embed_texts(["x"], "query")
        with pytest.raises(errors.ModelNotFound):
            await model.dimensions()


@pytest.mark.parametrize(
    ("host", "address", "local"),
    [
        ("localhost", "http://localhost:11434", True),
        ("0.0.0.0:11435", "http://127.0.0.1:11435", True),
        ("http://127.0.0.1:80/", "http://127.0.0.1:80", True),
        ("[::1]:1234", "http://[::1]:1234", True),
        ("ollama.example", "http://ollama.example:11434", False),
        ("https://ollama.example/base/", "https://ollama.example/base", False),
        ("http://10.0.0.5:11434", "http://10.0.0.5:11434", False),
    ],
)
async def test_hosts_are_read_as_ollama_reads_them(provide: Provide, host: str, address: str, local: bool) -> None:
    assert addresses.parse_address(host) == address
    assert provide(host).is_local is local
