"""The sentence encoder: shapes, bounds, and threads that use it at once."""

import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy
import pytest
import threadpoolctl

from app import errors
from app.providers.base import Vectors
from app.providers.embedded.provider import EmbeddedProvider
from app.providers.embedded.sentence_encoder import SentenceEncoder

ENCODER = SentenceEncoder()


def test_shapes_and_norms_whatever_the_text() -> None:
    texts = ["a cat sat", "", " \n\t", "中文", "\ud800", "\0", "<s>", "😀" * 50, "word " * 5_000]
    found = ENCODER.unit_vectors(texts)
    assert (found.shape, found.dtype) == ((9, 512), numpy.float32)
    numpy.testing.assert_allclose(numpy.linalg.norm(found, axis=1), [1, 0, 0, 1, 1, 1, 1, 1, 1], atol=1e-5)
    assert ENCODER.unit_vectors([]).shape == (0, 512)
    alone = numpy.concatenate([ENCODER.unit_vectors([text]) for text in texts])
    numpy.testing.assert_allclose(alone, found, atol=1e-5)


def test_a_long_text_takes_little_memory_and_counts_to_its_end() -> None:
    ENCODER.unit_vectors(["loaded"])
    long = "The harvest of apples begins in September and ends in the middle of October. " * 400
    tracemalloc.start()
    try:
        [vector] = ENCODER.unit_vectors([f"{long}{'Der Heizkessel wird jährlich gewartet. ' * 800}"])
        assert tracemalloc.get_traced_memory()[1] < 30_000_000
    finally:
        tracemalloc.stop()
    begin, end, other = ENCODER.unit_vectors([long[:200], "Der Heizkessel wird jährlich gewartet.", "Ships at sea."])
    assert min(vector @ begin, vector @ end) > 0.35 > 0.15 > vector @ other


def test_threads_take_turns_and_numpy_has_one_of_its_own() -> None:
    def pools() -> list[int]:
        library: Any = threadpoolctl  # it has no types
        return [pool["num_threads"] for pool in library.threadpool_info() if pool["user_api"] == "blas"]

    def encode(text: str) -> Vectors:
        return ENCODER.unit_vectors([text])

    texts = ["The lark sings over the fields and the sea. " * number for number in range(1, 64)]
    alone, before = ENCODER.unit_vectors(texts), pools()
    with ThreadPoolExecutor(8) as threads:
        rows = numpy.concatenate(list(threads.map(encode, texts)))
    numpy.testing.assert_allclose(rows, alone, atol=1e-5)
    assert pools() == before
    assert set(before) == {1}, "threads of numpy spin on every core"


async def test_capitals_mean_the_same_in_a_question() -> None:
    provider = EmbeddedProvider()
    model = provider.embedding_model("multilingual")
    assert (model.name, await model.dimensions()) == ("embedded/multilingual", 512)
    loud, low = await model.embed_texts(["WO IST DER BAHNHOF?", "wo ist der bahnhof?"], "query")
    assert loud @ low > 0.99
    kept, _ = await model.embed_texts(["WO IST DER BAHNHOF?", "wo ist der bahnhof?"], "document")
    assert kept @ low < 0.9
    with pytest.raises(errors.ModelNotFound, match="embedded/wordllama and embedded/multilingual"):
        provider.embedding_model("gpt")
    await provider.close()
