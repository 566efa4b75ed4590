"""Run a model and collect its pieces or its error; providers that close when a test ends."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import ParamSpec, TypeVar

import pytest

from app import errors
from app.providers.base import GenerationOptions, LanguageModel, Piece, Prompt, PromptMessage, Provider
from app.providers.resilience.retries import RetryPolicy

SECRET = "sk-test-0123456789abcdef"
AT_ONCE = RetryPolicy(first_pause=0)
QUESTION = "Why is the sky blue?"
PROMPT = Prompt(
    (PromptMessage("system", "Be brief."), PromptMessage("developer", "Cite."), PromptMessage("user", QUESTION)),
    QUESTION,
)
OPTIONS = GenerationOptions(max_tokens=100, temperature=0.4, context_window=8192)

K = ParamSpec("K")
P = TypeVar("P", bound=Provider)


@asynccontextmanager
async def closed_after(make: Callable[K, P]) -> AsyncGenerator[Callable[K, P]]:
    """Wrap `make` so that everything it made is closed at the end."""
    made: list[P] = []

    def remembered(*args: K.args, **kwargs: K.kwargs) -> P:
        made.append(make(*args, **kwargs))
        return made[-1]

    yield remembered
    for provider in made:
        await provider.close()


async def pieces(model: LanguageModel, prompt: Prompt = PROMPT, options: GenerationOptions = OPTIONS) -> list[Piece]:
    """A whole answer."""
    return [piece async for piece in model.stream_answer(prompt, options)]


async def failure(model: LanguageModel, prompt: Prompt = PROMPT) -> tuple[errors.AnswerError, list[Piece]]:
    """The error that ends a stream, checked to contain no secrets, and the pieces before it."""
    came: list[Piece] = []
    with pytest.raises(errors.AnswerError) as caught:
        async for piece in model.stream_answer(prompt, OPTIONS):
            came.append(piece)
    message = caught.value.message
    assert SECRET not in message
    assert "http" not in message
    assert "\n" not in message
    assert message.endswith(".")
    return caught.value, came
