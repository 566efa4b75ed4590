"""Language and embedding models of an Ollama server."""

from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from contextlib import aclosing
from dataclasses import asdict, replace
from functools import partial
from typing import cast

from app.providers import base, catalog, completions, tokens
from app.providers.batching import BatchEmbedder, BatchLimits
from app.providers.ollama import ndjson, passthrough
from app.providers.ollama.connection import ModelDetails, OllamaConnection
from app.providers.resilience import answer_limits
from app.providers.resilience.retries import stream_with_retries
from app.providers.server_values import read_fields, read_tokens
from app.statuses import FinishReason

_BATCHES = BatchLimits(texts=64, tokens=32_000)


class OllamaLanguageModel:
    """One chat model of an Ollama server."""

    is_generative = True

    def __init__(self, connection: OllamaConnection, model: str) -> None:
        self.name = f"{connection.name}/{model}"
        self.parameters = catalog.find_parameters(model)
        self._connection = connection
        self._model = model
        self._error_mapper = connection.error_mapper(model)

    async def count_tokens(self, messages: Sequence[base.PromptMessage]) -> int | None:
        """Always None: Ollama has no endpoint for it."""
        return None

    async def context_window(self) -> int:
        """The model's declared window, or the provider's `num_ctx` if that is smaller."""
        return self._connection.effective_window(self._model, await self._connection.known_details(self._model))

    def stream_answer(self, prompt: base.Prompt, options: base.GenerationOptions) -> AsyncGenerator[base.Piece]:
        """Stream the answer to `prompt`."""
        attempt = partial(self._attempt, prompt, options)
        return stream_with_retries(attempt, self._error_mapper, self._connection.limits, self._connection.retries)

    def relay_request(
        self, request: base.JsonObject, on_behalf_of: tuple[str, str], adaptable: Collection[str] = ()
    ) -> AsyncGenerator[base.JsonObject]:
        """Ollama's answer to the translated request, as OpenAI objects."""
        limits = self._connection.limits
        if request.get("stream") is not True:
            limits = replace(limits, first_token=limits.whole_answer)
        return stream_with_retries(
            partial(self._relay_attempt, request), self._error_mapper, limits, self._connection.retries
        )

    async def _relay_attempt(self, request: base.JsonObject) -> AsyncGenerator[base.JsonObject]:
        shown = await self._connection.known_details(self._model)
        answer = completions.CompletionBuilder(request, self._model)
        body = self._request_body(passthrough.convert_messages(request), passthrough.convert_fields(request), shown)
        # Limited here, too: a client that does not stream gets nothing before the end.
        allowance = answer_limits.request_allowance(request, self._connection.limits.longest_answer)
        async with aclosing(ndjson.read_frames(self._connection.http, self._error_mapper, body)) as frames:
            async for frame in frames:
                allowance.spend_characters(answer_limits.count_characters(frame.get("message")))
                message = read_fields(frame.get("message"))
                for chunk in (
                    chunk for call in passthrough.read_tool_calls(message) for chunk in answer.add_tool_call(*call)
                ):
                    yield chunk
                for piece in self._pieces(frame):
                    for chunk in answer.add_piece(piece):
                        yield chunk
                if allowance.is_used_up and frame.get("done") is not True:
                    for chunk in answer.finish(FinishReason.LENGTH, None, None):
                        yield chunk
                    return

    async def _attempt(self, prompt: base.Prompt, options: base.GenerationOptions) -> AsyncGenerator[base.Piece]:
        shown = await self._connection.known_details(self._model)
        fields = passthrough.convert_fields(
            {**options.extra_fields, "temperature": options.temperature, **_limit_fields(options)}
        )
        body = self._request_body(_messages(prompt), fields, shown)
        async with aclosing(ndjson.read_frames(self._connection.http, self._error_mapper, body)) as frames:
            async for frame in frames:
                for piece in self._pieces(frame):
                    yield piece

    def _request_body(
        self, messages: Sequence[base.JsonObject], fields: base.JsonObject, shown: ModelDetails
    ) -> dict[str, object]:
        settings = cast("base.JsonObject", fields["options"])
        body: dict[str, object] = {
            **fields,
            "model": self._model,
            "messages": messages,
            "stream": True,
            "options": {**settings, "num_ctx": self._connection.effective_window(self._model, shown)},
            "truncate": False,
            # When the window is full, the answer ends with LENGTH; with shifting, the model would forget the question.
            "shift": False,
        }
        if "thinking" in shown.capabilities:
            # Without this, some versions leave the reasoning in the text; models that do not reason reject it.
            body.setdefault("think", True)
        return body

    def _pieces(self, fields: Mapping[str, object]) -> list[base.Piece]:
        message, pieces = read_fields(fields.get("message")), list[base.Piece]()
        if isinstance(thought := message.get("thinking"), str) and thought:
            pieces.append(base.ReasoningDelta(thought))
        if isinstance(content := message.get("content"), str) and content:
            pieces.append(base.TextDelta(content))
        if fields.get("done") is True:
            reason = FinishReason.LENGTH if fields.get("done_reason") == "length" else FinishReason.STOP
            pieces.append(
                base.Finished(
                    reason, read_tokens(fields.get("prompt_eval_count")), read_tokens(fields.get("eval_count"))
                )
            )
        return pieces


class OllamaEmbeddingModel:
    """One embedding model of an Ollama server."""

    is_immediate = False

    def __init__(self, connection: OllamaConnection, model: str) -> None:
        self.name = f"{connection.name}/{model}"
        self._connection = connection
        self._model = model
        self._known = catalog.find_embedding_model(model)

    async def dimensions(self) -> int:
        """The length of a vector: from the server, else from the catalog, else measured with a test text."""
        known = (await self._connection.model_details(self._model)).dimensions or self._known.dimensions
        return known or (await self.embed_texts(["dimensions"], "query")).shape[1]

    async def embed_texts(self, texts: Sequence[str], purpose: base.Purpose) -> base.Vectors:
        """One vector per text; see `BatchEmbedder`."""
        connection = self._connection
        shown = await connection.known_details(self._model)
        longest = min(filter(None, (shown.declared_window, self._known.max_input_tokens, connection.num_ctx)))
        error_mapper = connection.error_mapper(self._model)

        async def send(batch: Sequence[str]) -> Sequence[Sequence[float]]:
            return await connection.request_vectors(self._model, batch, longest, error_mapper)

        prefix = self._known.query_prefix if purpose == "query" else self._known.document_prefix
        accepted, counter = connection.accepted_sizes.sizes_of(self._model), tokens.TokenCounter()
        embedder = BatchEmbedder(send, error_mapper, _BATCHES, accepted, longest, prefix, counter, connection.retries)
        return await embedder.embed_texts(texts, self.dimensions)


def _messages(prompt: base.Prompt) -> list[base.JsonObject]:
    return passthrough.convert_messages({"messages": [asdict(message) for message in prompt.messages]})


def _limit_fields(options: base.GenerationOptions) -> base.JsonObject:
    """The granted token limit, which replaces the client's, whatever its name."""
    return {"max_tokens": options.max_tokens, "max_completion_tokens": None}
