"""Language model, embedding model and reranker that run in a child process."""

import json
from collections.abc import AsyncGenerator, Collection, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import cast

import numpy

from app import errors
from app.providers import base, catalog
from app.providers.llamacpp.process import ModelProcess
from app.providers.openai import wire
from app.providers.openai.models import OpenAIEmbeddingModel, OpenAILanguageModel
from app.providers.rerank import HttpReranker

# Makes the server report its progress after each batch of the prompt: only so does it notice a disconnected client.
# This costs nothing.
_PROGRESS = "return_progress"
_SLOT = "id_slot"
# Texts per request: the next query waits for at most one request.
_BATCH_TEXTS = 16


class LlamacppLanguageModel:
    """A LanguageModel of one GGUF file. If it is split, its parameters are known only from its name."""

    is_generative = True

    def __init__(self, process: ModelProcess) -> None:
        self.name = process.name
        self.parameters = process.parameters or catalog.find_parameters(process.model)
        self._process = process

    async def context_window(self) -> int:
        """The window that the process runs with."""
        return self._process.options.window

    async def count_tokens(self, messages: Sequence[base.PromptMessage]) -> int | None:
        """The exact count, by the model's own tokenizer and chat template."""
        try:
            async with self._process.running() as server:
                return await server.connection.count_tokens(self._process.model, messages)
        except errors.AnswerError:
            return None  # the answer will fail for the same reason and report it

    async def stream_answer(self, prompt: base.Prompt, options: base.GenerationOptions) -> AsyncGenerator[base.Piece]:
        """Stream the answer to `prompt`; starts the process if it is not running."""
        async with self._process.running() as server:
            model = OpenAILanguageModel(server.connection, self._process.model)
            with server.slots.use_slot(prompt.messages) as slot:
                options = replace(options, extra_fields={**options.extra_fields, _PROGRESS: True, _SLOT: slot})
                async with aclosing(model.stream_answer(prompt, options)) as pieces:
                    async for piece in pieces:
                        yield piece
        self._process.record_answer()

    async def relay_request(
        self, request: base.JsonObject, on_behalf_of: tuple[str, str], adaptable: Collection[str] = ()
    ) -> AsyncGenerator[base.JsonObject]:
        """Relay the unchanged request, and the server's answer."""
        wants_progress = request.get(_PROGRESS) is True
        if request.get("stream") is True:
            request = {**request, _PROGRESS: True}
        async with self._process.running() as server:
            model = OpenAILanguageModel(server.connection, self._process.model)
            with server.slots.use_slot(_message_keys(request)) as slot:
                request = {**request, _SLOT: slot}
                async with aclosing(model.relay_request(request, on_behalf_of, adaptable)) as chunks:
                    async for chunk in chunks:
                        if wants_progress or not wire.reports_progress(chunk):
                            yield chunk
        self._process.record_answer()


class LlamacppEmbeddingModel:
    """An EmbeddingModel of one GGUF file."""

    is_immediate = False

    def __init__(self, process: ModelProcess) -> None:
        self.name = process.name
        self._process = process

    async def dimensions(self) -> int:
        """The length of a vector, measured once with a test text."""
        known = self._process.dimensions or (await self.embed_texts(["dimensions"], "query")).shape[1]
        self._process.dimensions = known
        return known

    async def embed_texts(self, texts: Sequence[str], purpose: base.Purpose) -> base.Vectors:
        """Embed texts, one vector each, a few texts at a time."""
        rows: list[base.Vectors] = []
        async with self._process.running() as server:
            model = OpenAIEmbeddingModel(server.connection, self._process.model)
            for start in range(0, len(texts), _BATCH_TEXTS):
                rows.append(await model.embed_texts(texts[start : start + _BATCH_TEXTS], purpose))
            if not rows:
                return numpy.zeros((0, await model.dimensions()), dtype=numpy.float32)
        self._process.record_answer()
        return numpy.concatenate(rows)


class LlamacppReranker:
    """A Reranker of one GGUF file; `seconds` limits a request, including the start of the process."""

    is_local = True

    def __init__(self, process: ModelProcess, seconds: float) -> None:
        self.name = process.name
        self._process = process
        self._seconds = seconds

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """A score per text, in order."""
        async with self._process.running() as server:
            reranker = HttpReranker(
                server.rerank_url, self._process.model, server.connection.client.api_key, seconds=self._seconds
            )
            try:
                scores = await reranker.rerank(query, texts)
            finally:
                await reranker.close()
        self._process.record_answer()
        return scores

    async def close(self) -> None:
        """End the process."""
        await self._process.close()


def _message_keys(request: base.JsonObject) -> list[str]:
    """Keys that identify the messages of a request."""
    messages = request.get("messages")
    return [json.dumps(message) for message in cast("list[object]", messages)] if isinstance(messages, list) else []
