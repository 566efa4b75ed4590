"""Language and embedding models of a server that speaks the OpenAI API."""

from collections.abc import AsyncGenerator, Collection, Sequence
from dataclasses import replace
from functools import partial

from app.providers import base, catalog, tokens
from app.providers.batching import BatchEmbedder, BatchLimits
from app.providers.openai import passthrough, refused_fields, sse, wire
from app.providers.openai.answer_reader import AnswerReader
from app.providers.openai.connection import OpenAIConnection
from app.providers.resilience.retries import stream_with_retries

_EMBEDDINGS = "/embeddings"
# OpenAI accepts 2,048 texts and 300,000 tokens in one request; the limits of other servers are unknown.
_BATCHES = BatchLimits(texts=2048, tokens=250_000)
_BATCHES_ELSEWHERE = BatchLimits(texts=256, tokens=32_000)
# The most consecutive chunks without anything: far more than any keep-alive.
_MAX_SILENT_CHUNKS = 10_000


class OpenAILanguageModel:
    """One chat model of a server that speaks the OpenAI API."""

    is_generative = True

    def __init__(self, connection: OpenAIConnection, model: str) -> None:
        self.name = f"{connection.name}/{model}"
        self.parameters = catalog.find_parameters(model)
        self._connection = connection
        self._model = model
        self._error_mapper = connection.error_mapper(model)

    async def context_window(self) -> int:
        """The window, from the server or else the catalog."""
        return await self._connection.find_window(self._model) or catalog.find_window(self._model)

    async def count_tokens(self, messages: Sequence[base.PromptMessage]) -> int | None:
        """The exact count of llama.cpp or vLLM; None for other servers."""
        return await self._connection.count_tokens(self._model, messages)

    def stream_answer(self, prompt: base.Prompt, options: base.GenerationOptions) -> AsyncGenerator[base.Piece]:
        """Stream the answer to `prompt`."""
        official = self._connection.is_official
        thinking = official and self._model.startswith(wire.THINKING)
        request = wire.CompletionRequest(
            [wire.message_param(message, developer=official) for message in prompt.messages],
            options.max_tokens,
            options.temperature,
            with_temperature=not thinking and options.temperature is not None,
            completion_tokens=thinking or refused_fields.COMPLETION_TOKENS in options.extra_fields,
            extra_fields=wire.without_limits(options.extra_fields),
        )
        return stream_with_retries(
            lambda: self._attempt(request), self._error_mapper, self._connection.limits, self._connection.retries
        )

    def relay_request(
        self, request: base.JsonObject, on_behalf_of: tuple[str, str], adaptable: Collection[str] = ()
    ) -> AsyncGenerator[base.JsonObject]:
        """Relay the unchanged request, and the server's answer."""
        limits = self._connection.limits
        if request.get("stream") is not True:
            # Without streaming, the first piece is the whole answer.
            limits = replace(limits, first_token=limits.whole_answer)
        body = {**request, "model": self._model}
        attempt = partial(passthrough.relay_request, self._connection, self._model, body, adaptable)
        return stream_with_retries(attempt, self._error_mapper, limits, self._connection.retries)

    async def _attempt(self, request: wire.CompletionRequest) -> AsyncGenerator[base.Piece | None]:
        body = request.body(self._model)
        response = await self._connection.send_chat(self._model, body, refused_fields.OUR_FIELDS)
        try:
            usage, silent = None, 0
            async with passthrough.open_groups(response, self._error_mapper, sse.read_text_events) as groups:
                answer = AnswerReader(groups, self._error_mapper, self._connection)
                with self._error_mapper.translate_errors(reading=True):
                    while (chunks := await answer.next_group()) is not None:
                        usage = wire.find_usage(chunks) or usage
                        pieces = wire.read_chunks(chunks)
                        for piece in pieces:
                            yield piece
                        if answer.is_complete:
                            yield None
                        silent = 0 if pieces or any(map(wire.reports_progress, chunks)) else silent + len(chunks)
                        if silent > _MAX_SILENT_CHUNKS:
                            raise self._error_mapper.incomplete_answer()
            yield base.Finished(wire.map_finish_reason(answer.finish or ""), *(usage or (None, None)))
        finally:
            await response.aclose()


class OpenAIEmbeddingModel:
    """One embedding model of a server that speaks the OpenAI API."""

    is_immediate = False

    def __init__(self, connection: OpenAIConnection, model: str) -> None:
        self.name = f"{connection.name}/{model}"
        self._connection = connection
        self._model = model
        self._known = catalog.find_embedding_model(model)
        self._counter = tokens.TokenCounter()
        self._error_mapper = connection.error_mapper(model)
        self._measured: int | None = self._known.dimensions if connection.is_official else None

    async def dimensions(self) -> int:
        """The length of a vector, measured once with a test text: on other servers than OpenAI's, names say little."""
        measured = self._measured or (await self.embed_texts(["dimensions"], "query")).shape[1]
        self._measured = measured
        return measured

    async def embed_texts(self, texts: Sequence[str], purpose: base.Purpose) -> base.Vectors:
        """One vector per text; see `BatchEmbedder`."""
        connection = self._connection
        limits = (self._known.max_input_tokens, await connection.find_window(self._model))
        embedder = BatchEmbedder(
            self._send,
            self._error_mapper,
            _BATCHES if connection.is_official else _BATCHES_ELSEWHERE,
            connection.accepted_sizes.sizes_of(self._model),
            min((limit for limit in limits if limit is not None), default=None),
            self._known.query_prefix if purpose == "query" else self._known.document_prefix,
            self._counter,
            connection.retries,
        )
        return await embedder.embed_texts(texts, self.dimensions)

    async def _send(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        async with self._error_mapper.request_within(self._connection.limits.first_token):
            # Unparsed: the client would convert vectors to its own types without checking them.
            body = {"model": self._model, "input": list(texts), "encoding_format": "float"}
            response = await self._connection.client.post(_EMBEDDINGS, cast_to=object, body=body)
        rows = wire.read_vectors(response)
        if rows is None:
            raise self._error_mapper.unexpected_response()
        return rows
