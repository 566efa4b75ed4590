"""Models that report every call to the observer: how long it took, and how it ended."""

import json
from collections.abc import AsyncGenerator, Collection, Sequence
from contextlib import aclosing

from app.observation.observer import Observer
from app.providers import base
from app.providers.call_timer import ModelCallTimer
from app.providers.forwarding import ForwardingEmbeddingModel, ForwardingLanguageModel


class ObservedLanguageModel(ForwardingLanguageModel):
    """A LanguageModel whose answers are reported, including the wait for a slot; token counts are not."""

    def __init__(self, model: base.LanguageModel, observer: Observer) -> None:
        super().__init__(model)
        self._observer = observer

    async def stream_answer(self, prompt: base.Prompt, options: base.GenerationOptions) -> AsyncGenerator[base.Piece]:
        """Stream the model's answer."""
        request = {"gen_ai.request.max_tokens": options.max_tokens, "gen_ai.request.temperature": options.temperature}
        with ModelCallTimer(self._observer, self.name, "CHAT", request) as timer:
            timer.span.set_text("gen_ai.input.messages", lambda: _messages_text(prompt))
            async with aclosing(self._model.stream_answer(prompt, options)) as pieces:
                piece: base.Piece | None = None
                async for piece in pieces:
                    timer.note_first_piece()
                    yield piece
                if isinstance(piece, base.Finished):
                    timer.input_tokens, timer.output_tokens = piece.input_tokens, piece.output_tokens
                    timer.span.set_attributes({"gen_ai.response.finish_reasons": [piece.reason.lower()]})

    async def relay_request(
        self, request: base.JsonObject, on_behalf_of: tuple[str, str], adaptable: Collection[str] = ()
    ) -> AsyncGenerator[base.JsonObject]:
        """The model's answer unchanged."""
        with ModelCallTimer(self._observer, self.name, "CHAT") as timer:
            async with aclosing(self._model.relay_request(request, on_behalf_of, adaptable)) as chunks:
                async for chunk in chunks:
                    timer.note_first_piece()
                    yield chunk


def _messages_text(prompt: base.Prompt) -> str:
    """The messages as JSON, in the format of OpenTelemetry's conventions."""
    return json.dumps(
        [
            {"role": message.role, "parts": [{"type": "text", "content": message.content}]}
            for message in prompt.messages
        ],
        ensure_ascii=False,
    )


class ObservedEmbeddingModel(ForwardingEmbeddingModel):
    """An EmbeddingModel that reports each batch of texts; `dimensions` rarely calls a server."""

    def __init__(self, model: base.EmbeddingModel, observer: Observer) -> None:
        super().__init__(model)
        self._observer = observer

    async def embed_texts(self, texts: Sequence[str], purpose: base.Purpose) -> base.Vectors:
        """The model's vectors."""
        with ModelCallTimer(self._observer, self.name, "EMBEDDING"):
            return await self._model.embed_texts(texts, purpose)


class ObservedReranker:
    """A Reranker that reports each query."""

    def __init__(self, reranker: base.Reranker, observer: Observer) -> None:
        self.name = reranker.name
        self.is_local = reranker.is_local
        self._reranker = reranker
        self._observer = observer

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """The reranker's scores."""
        with ModelCallTimer(self._observer, self.name, "RERANK"):
            return await self._reranker.rerank(query, texts)

    async def close(self) -> None:
        """Close the reranker's connections."""
        await self._reranker.close()
