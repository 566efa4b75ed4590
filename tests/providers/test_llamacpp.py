"""The OpenAI provider against a real llama.cpp server: real frames, real limits, real vectors.

Needs the package `xllamacpp` and two small models in the folder FOOTNOTE_MODELS (else ../shared/models beside the
repository). Without them the tests are skipped, except in continuous integration, where that is a failure.
"""

from collections.abc import AsyncGenerator, Generator

import httpx
import numpy
import pytest

from app import errors
from app.providers.base import Finished, GenerationOptions, Piece, Prompt, PromptMessage, TextDelta
from app.providers.openai.provider import OpenAIProvider
from app.providers.resilience.retries import RetryPolicy
from tests.servers.llamacpp import CHAT, EMBEDDING, WINDOW, llamacpp


@pytest.fixture(scope="module")
def chat_server() -> Generator[str]:
    with llamacpp("chat", CHAT, WINDOW) as address:
        yield address


@pytest.fixture(scope="module")
def embedding_server() -> Generator[str]:
    with llamacpp("embed", EMBEDDING, 512) as address:
        yield address


@pytest.fixture
async def chat(chat_server: str) -> AsyncGenerator[OpenAIProvider]:
    provider = OpenAIProvider("llamacpp", f"{chat_server}/v1", None, local=True, retries=RetryPolicy(first_pause=0))
    yield provider
    await provider.close()


@pytest.fixture
async def embedding(embedding_server: str) -> AsyncGenerator[OpenAIProvider]:
    provider = OpenAIProvider(
        "llamacpp", f"{embedding_server}/v1", None, local=True, retries=RetryPolicy(first_pause=0)
    )
    yield provider
    await provider.close()


def prompt(text: str) -> Prompt:
    return Prompt((PromptMessage("system", "You are brief."), PromptMessage("user", text)), text)


async def test_an_answer_streams_and_ends_with_its_usage(chat: OpenAIProvider) -> None:
    stream = chat.language_model("tiny").stream_answer(
        prompt("What does the else clause do?"), GenerationOptions(20, 0.0, WINDOW)
    )
    came: list[Piece] = [piece async for piece in stream]
    *texts, last = came
    assert texts  # a busy machine sends several words together
    assert all(isinstance(piece, TextDelta) for piece in texts)
    assert isinstance(last, Finished)
    assert last.input_tokens is not None
    assert last.output_tokens is not None
    assert last.input_tokens > 10
    assert 1 < last.output_tokens <= 20
    assert last.reason == ("LENGTH" if last.output_tokens == 20 else "STOP")


async def test_a_truncated_answer_is_reported(chat: OpenAIProvider) -> None:
    stream = chat.language_model("tiny").stream_answer(
        prompt("What does the else clause do?"), GenerationOptions(3, 0.0, WINDOW)
    )
    last = [piece async for piece in stream][-1]
    assert isinstance(last, Finished)
    assert (last.reason, last.output_tokens) == ("LENGTH", 3)


async def test_the_window_is_the_one_it_runs_with(chat: OpenAIProvider) -> None:
    assert await chat.language_model("tiny").context_window() == WINDOW
    assert [model.context_window for model in await chat.list_models()] == [WINDOW]


async def test_a_prompt_that_is_too_long_is_reported(chat: OpenAIProvider) -> None:
    with pytest.raises(errors.ContextTooLong, match="too long for tiny at llamacpp"):
        await anext(
            chat.language_model("tiny").stream_answer(prompt("word " * 3000), GenerationOptions(20, 0.0, WINDOW))
        )


async def test_closing_the_stream_stops_the_server(chat: OpenAIProvider, chat_server: str) -> None:
    stream = chat.language_model("tiny").stream_answer(
        prompt("Tell me everything."), GenerationOptions(None, 1.0, WINDOW)
    )
    assert isinstance(await anext(stream), TextDelta)
    await stream.aclose()
    async with httpx.AsyncClient(base_url=chat_server, trust_env=False) as client:
        for _ in range(200):
            slots = (await client.get("/slots")).json()
            if not any(slot["is_processing"] for slot in slots):
                break
        else:
            pytest.fail("the server went on with an answer that nobody reads")


async def test_vectors_have_384_dimensions_unit_length_and_meaning(embedding: OpenAIProvider) -> None:
    model = embedding.embedding_model("all-minilm")
    assert await model.dimensions() == 384
    texts = ["The cat sits on the mat.", "A kitten is lying on a rug.", "Interest rates rose in March.", ""]
    vectors = await model.embed_texts(texts, "document")
    assert vectors.shape == (4, 384)
    assert numpy.allclose(numpy.linalg.norm(vectors, axis=1), [1, 1, 1, 0], atol=1e-5)
    assert vectors[0] @ vectors[1] > 0.5 > 0.2 > vectors[0] @ vectors[2]


@pytest.mark.parametrize("text", ["word " * 2000, "文字" * 2000, "x7!" * 2000, "ไทย" * 2000])
async def test_texts_of_any_length_and_script_are_embedded(embedding: OpenAIProvider, text: str) -> None:
    # With another name than its own the limit is not known from the catalog; the server's 512 must do.
    for name in ("all-minilm", "someones-embedder"):
        vectors = await embedding.embedding_model(name).embed_texts(["short", text], "document")
        assert numpy.allclose(numpy.linalg.norm(vectors, axis=1), 1, atol=1e-5)
