"""The OpenAI provider's embedding models against a loopback server: requests and responses."""

import itertools
from collections.abc import AsyncGenerator, Callable, Iterable

import numpy
import pytest

from app import errors
from app.providers.base import (
    TimeLimits,
)
from app.providers.openai.provider import OpenAIProvider
from tests.servers.asking import AT_ONCE, SECRET, closed_after
from tests.servers.openai import OpenAIServer
from tests.servers.running import Refusal, running

Provide = Callable[..., OpenAIProvider]


def make(server: OpenAIServer | str, limits: TimeLimits | None = None, key: str | None = SECRET) -> OpenAIProvider:
    url = server if isinstance(server, str) else server.url
    return OpenAIProvider("stand-in", url, key, limits, local=True, retries=AT_ONCE)


@pytest.fixture
async def provide() -> AsyncGenerator[Provide]:
    async with closed_after(make) as closing:
        yield closing


async def test_vectors_are_normalized_in_order_and_blank_texts_are_not_sent(provide: Provide) -> None:
    with running(OpenAIServer(norm=7.0)) as server:
        model = provide(server).embedding_model("minilm")
        vectors = await model.embed_texts(["red fish", " ", "blue sky", "red fish"], "document")
        assert await model.dimensions() == 16
        assert (await model.embed_texts([], "query")).shape == (0, 16)
    assert vectors.dtype == numpy.float32
    assert vectors.shape == (4, 16)
    assert numpy.allclose(numpy.linalg.norm(vectors, axis=1), [1, 0, 1, 1])
    assert numpy.allclose(vectors[0], vectors[3])
    assert not numpy.allclose(vectors[0], vectors[2])
    assert server.embeddings[0] == {
        "model": "minilm",
        "input": ["red fish", "blue sky", "red fish"],
        "encoding_format": "float",
    }
    # The dimensions are measured once.
    assert [body["input"] for body in server.embeddings[1:]] == [["dimensions"]]


async def test_queries_and_documents_get_their_prefixes(provide: Provide) -> None:
    with running(OpenAIServer()) as server:
        model = provide(server).embedding_model("nomic-embed-text")
        await model.embed_texts(["sky"], "query")
        await model.embed_texts(["sky"], "document")
    assert [body["input"] for body in server.embeddings] == [["search_query: sky"], ["search_document: sky"]]


async def test_batches_are_bounded_by_texts_and_by_tokens(provide: Provide) -> None:
    with running(OpenAIServer()) as server:
        model = provide(server).embedding_model("bge-m3")
        vectors = await model.embed_texts(["word"] * 300, "document")
        long = await model.embed_texts(["many words here " * 1000] * 12, "document")
    assert vectors.shape == (300, 16)
    assert long.shape == (12, 16)
    sizes = [len(body["input"]) for body in server.embeddings]
    assert sizes[:2] == [256, 44]
    assert sum(sizes[2:]) == 12
    assert max(sizes[2:]) < 12


async def test_long_texts_are_cut_before_the_server_sees_them(provide: Provide) -> None:
    listed = [{"id": "tiny-embedder", "max_model_len": 64}]
    with running(OpenAIServer(models=listed)) as server:
        await provide(server).embedding_model("tiny-embedder").embed_texts(["word " * 1000, "short"], "document")
    long, short = server.embeddings[0]["input"]
    assert short == "short"
    assert 30 <= len(long.split()) <= 62


async def test_only_the_text_that_is_too_long_is_halved(provide: Provide) -> None:
    texts = ["one two", "a b c d e f g h i j k l m n o p", "three"]
    with running(OpenAIServer(max_input_words=9)) as server:
        vectors = await provide(server).embedding_model("minilm").embed_texts(texts, "document")
    assert vectors.shape == (3, 16)
    sent: Iterable[str] = itertools.chain.from_iterable(body["input"] for body in server.embeddings)
    assert {text.strip() for text in sent} == {*texts, "a b c d e f g h"}


@pytest.mark.parametrize("status", [413, 422])
async def test_a_server_that_takes_fewer_texts_gets_fewer(provide: Provide, status: int) -> None:
    texts = [f"text {number}" for number in range(100)]
    with running(OpenAIServer(max_batch=32, batch_status=status)) as server:
        provider = provide(server)
        vectors = await provider.embedding_model("minilm").embed_texts(texts, "document")
        last = await provider.embedding_model("minilm").embed_texts(texts[-1:], "document")
        again = await provider.embedding_model("minilm").embed_texts(texts[::-1], "document")
    assert vectors.shape == (100, 16)
    assert numpy.allclose(vectors[-1], last[0])
    assert numpy.allclose(vectors, again[::-1])
    # What was refused once is not sent again, not even in another order.
    first = [100, 50, 25, 25, 25, 25]
    assert [len(body["input"]) for body in server.embeddings] == [*first, 1, 25, 25, 25, 25]


async def test_a_server_that_limits_the_length_of_a_request_gets_as_many_short_texts_as_before(
    provide: Provide,
) -> None:
    """It does not say whether the texts were too many or too long."""
    long = ["many words here " * 1000, "other words here " * 1000]
    with running(OpenAIServer(faults=[Refusal(413)])) as server:
        model = provide(server).embedding_model("bge-m3")
        for texts in (long, long, ["word"] * 200):
            await model.embed_texts(texts, "document")
    assert [len(body["input"]) for body in server.embeddings] == [2, 1, 1, 1, 1, 200]


async def test_a_text_that_is_refused_makes_no_later_batch_smaller(provide: Provide) -> None:
    texts = ["one two", "a b c d e f g h i j k l m n o p", "three", "four"]
    with running(OpenAIServer(max_input_words=9)) as server:
        model = provide(server).embedding_model("minilm")
        for each in (texts, ["five"] * 40):
            await model.embed_texts(each, "document")
    assert [len(body["input"]) for body in server.embeddings] == [4, 2, 1, 1, 1, 2, 40]


async def test_texts_that_no_server_takes_are_soon_an_error(provide: Provide) -> None:
    with (
        running(OpenAIServer(faults=itertools.repeat(Refusal(400, "what?")))) as server,
        pytest.raises(errors.ModelRefused),
    ):
        await provide(server).embedding_model("minilm").embed_texts(["x"] * 64, "document")
    assert [len(body["input"]) for body in server.embeddings] == [64, 32, 16, 8, 4, 2, 1]


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (413, "`inputs` must have less than 512 tokens. Given: 700"),  # Text Embeddings Inference
        (400, "The input (700 tokens) is longer than the model's context length (512 tokens)."),  # SGLang
        (400, "The decoder prompt (length 700) is longer than the maximum model length of 512."),  # vLLM
        (400, "The input token count (700) exceeds the maximum number of tokens allowed (512)."),  # Gemini
        (400, 'Illegal param: "input" tokens size exceeds the context size'),  # llama-box
        (413, "<html><h1>413 Request Entity Too Large</h1></html>"),  # a proxy
    ],
)
async def test_a_text_that_a_server_calls_too_long_is_shortened(provide: Provide, status: int, message: str) -> None:
    with running(OpenAIServer(faults=[Refusal(status, message)])) as server:
        assert (await provide(server).embedding_model("minilm").embed_texts(["one two"], "query")).shape == (1, 16)
    assert [body["input"] for body in server.embeddings] == [["one two"], ["one"]]


BAD_VECTORS: list[object] = [
    {"data": [{"index": 0, "embedding": [1.0, None]}]},
    {"data": [{"index": 0, "embedding": []}]},
    {"data": [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0]}]},
    {"data": [{"index": 0, "embedding": [10**400, 1]}]},
    {"data": [{"index": 0, "embedding": [1e300, 1.0]}]},
    {"data": [{"index": 0, "embedding": [[1.0], [2.0]]}]},
    {"data": [{"index": 0, "embedding": [{}]}]},
]
NO_VECTORS: list[object] = [
    {"data": [{"index": 0, "embedding": "AAAA"}]},
    {"data": [{"index": 0}]},
    {"data": [None]},
    {"data": None},
    {"ok": True},
    ["x"],
]


@pytest.mark.parametrize(
    ("body", "kind", "message"),
    [
        *(
            (body, errors.ModelFailed, "minilm at stand-in answered with vectors that cannot be used.")
            for body in BAD_VECTORS
        ),
        *(
            (
                body,
                errors.ModelUnavailable,
                "The address of minilm at stand-in is not that of a model server; check it.",
            )
            for body in NO_VECTORS
        ),
    ],
)
async def test_invalid_vectors_are_an_error(
    provide: Provide, body: object, kind: type[Exception], message: str
) -> None:
    with running(OpenAIServer(faults=itertools.repeat(Refusal(200, body)))) as server:
        model = provide(server).embedding_model("minilm")
        with pytest.raises(errors.ModelUnavailable) as caught:
            await model.embed_texts(["x"], "query")
    assert (type(caught.value), caught.value.message) == (kind, message)


async def test_embedding_survives_a_server_that_is_busy(provide: Provide) -> None:
    with running(OpenAIServer(faults=[Refusal(503), Refusal(429)])) as server:
        assert (await provide(server).embedding_model("minilm").embed_texts(["x"], "query")).shape == (1, 16)
    assert len(server.embeddings) == 3
