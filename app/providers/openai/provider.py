"""Models of any server that speaks the OpenAI API.

Such servers agree only on the happy path. They end streams without `finish_reason`, send errors as events or with
status 200, send a web page instead of a stream, name the same limit differently, and reject parameters that others
require. A stream without `finish_reason` never counts as a complete answer here.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import cast
from urllib.parse import urlsplit

import openai

from app import errors
from app.providers import base, catalog, tokens
from app.providers.batching import BatchEmbedder, BatchLimits
from app.providers.openai import passthrough, sse, wire
from app.providers.resilience.error_mapping import ErrorMapper, RetryPolicy, stream_with_retries
from app.providers.transport import AiohttpTransport

OPENAI_HOST = "api.openai.com"
_CHAT = "/chat/completions"

# OpenAI accepts 2,048 texts and 300,000 tokens in one request; the limits of other servers are unknown.
_BATCHES = BatchLimits(texts=2048, tokens=250_000)
_BATCHES_ELSEWHERE = BatchLimits(texts=256, tokens=32_000)
_LISTED_FOR_SECONDS = 60.0
_UNLISTED_FOR_SECONDS = 5.0
_USAGE_WITHIN_SECONDS = 5.0
# Pause after each read of a stream, per open stream: what arrives meanwhile is handled together, and the cost of a
# piece hardly depends on its length.
_GATHER_SECONDS_EACH = 0.0003
# Chunks in a row without text: far more than any keep-alive.
_MOST_SILENT_CHUNKS = 10_000


class OpenAIProvider:
    """One server that speaks the OpenAI API. `local`: it runs on this machine and is never asked through a proxy."""

    def __init__(
        self,
        name: str,
        base_url: str,
        api_key: str | None,
        limits: base.TimeLimits | None = None,
        local: bool = False,
        retries: RetryPolicy | None = None,
    ) -> None:
        self._name = name
        self._local = local
        self._key = api_key
        self.limits = limits or base.TimeLimits()
        self.retries = retries or RetryPolicy()
        self.is_official = urlsplit(base_url).hostname == OPENAI_HOST
        timeout = openai.Timeout(None, connect=self.limits.connect)
        self.client = openai.AsyncOpenAI(
            api_key=api_key or "none",  # else the client would take OPENAI_API_KEY, meant for another server
            base_url=base_url,
            max_retries=0,  # it would retry what cannot succeed, such as an exhausted quota
            timeout=timeout,
            http_client=openai.DefaultAsyncHttpxClient(
                timeout=timeout, transport=AiohttpTransport(trust_env=not local), trust_env=not local
            ),
        )
        if not self.is_official:
            self.client.organization = self.client.project = (
                None  # read from the environment, and meant for OpenAI alone
            )
        self._listed: tuple[float, dict[str, Mapping[str, object]]] = (0.0, {})
        self._listing = asyncio.Lock()
        self.open_streams = 0  # streams that are being read now

    @property
    def name(self) -> str:
        """`openai`, `openrouter` …: the first part of its models' names."""
        return self._name

    @property
    def is_local(self) -> bool:
        """Whether the server runs on this machine."""
        return self._local

    def language_model(self, model: str) -> "OpenAILanguageModel":
        """The chat model called `model`."""
        return OpenAILanguageModel(self, model)

    def embedding_model(self, model: str) -> "OpenAIEmbeddingModel":
        """The embedding model called `model`."""
        return OpenAIEmbeddingModel(self, model)

    async def list_models(self) -> list[base.ModelInfo]:
        """The chat and embedding models that the server lists; not those for speech, pictures and ranking."""
        found: list[base.ModelInfo] = []
        for name, entry in (await self._list()).items():
            kind = catalog.model_kind(name)
            if kind == "CHAT":
                found.append(
                    base.ModelInfo(name, kind, wire.find_window(entry) or catalog.find_chat_model(name).context_window)
                )
            elif kind == "EMBEDDING":
                known = catalog.find_embedding_model(name)
                found.append(base.ModelInfo(name, kind, wire.find_window(entry), known.dimensions))
        return found

    async def close(self) -> None:
        """Close the connections."""
        await self.client.close()

    def error_mapper(self, model: str = "") -> ErrorMapper:
        """The error mapper for `model`."""
        return ErrorMapper(self.name, model, (self._key,) if self._key else ())

    async def count_tokens(self, model: str, messages: Sequence[base.PromptMessage]) -> int | None:
        """The server's own count of a prompt, if it can count."""
        entry = await self._entry(model)
        path = wire.counting_path(entry, str(self.client.base_url)) if entry else None
        if path is None:
            return None
        body = {
            "model": model,
            "messages": [wire.message_param(message, developer=False) for message in messages],
            "add_generation_prompt": True,
        }
        try:
            async with self.error_mapper(model).request_within(self.limits.connect):
                return wire.read_token_count(await self.client.post(path, cast_to=object, body=body))
        except errors.AnswerError:
            return None  # the estimate is used, and the ledger says so

    async def find_window(self, model: str) -> int | None:
        """The window of `model` as listed by the server, at most a minute old; None if it is not listed."""
        entry = await self._entry(model)
        return wire.find_window(entry) if entry else None

    async def _entry(self, model: str) -> Mapping[str, object] | None:
        """The entry of a model in the server's list."""
        async with self._listing:
            until, listed = self._listed
            if time.monotonic() >= until:
                try:
                    listed, seconds = await self._list(), _LISTED_FOR_SECONDS
                except errors.AnswerError:
                    # Not asked again at once, or each turn would wait for the time limit.
                    listed, seconds = {}, _UNLISTED_FOR_SECONDS
                self._listed = time.monotonic() + seconds, listed
        entry = listed.get(model)
        if entry is None and len(listed) == 1:
            # llama.cpp has one model, which answers to any name.
            only = next(iter(listed.values()))
            entry = only if only.get("owned_by") == "llamacpp" else None
        return entry

    async def _list(self) -> dict[str, Mapping[str, object]]:
        error_mapper = self.error_mapper()
        async with error_mapper.request_within(self.limits.connect):
            page = await self.client.models.list()
        # For anything but JSON the client returns the text, whatever its types say.
        data: object = getattr(page, "data", None)
        if not isinstance(data, list):
            raise error_mapper.unexpected_response()
        entries = [cast("openai.BaseModel", entry).to_dict() for entry in cast("list[object]", data) if entry]
        return {str(entry["id"]): entry for entry in entries if "id" in entry}


class OpenAILanguageModel:
    """One chat model of a server that speaks the OpenAI API."""

    def __init__(self, provider: OpenAIProvider, model: str) -> None:
        self._provider = provider
        self._model = model
        self._error_mapper = provider.error_mapper(model)

    @property
    def name(self) -> str:
        """`provider/model`."""
        return f"{self._provider.name}/{self._model}"

    @property
    def is_generative(self) -> bool:
        """Always."""
        return True

    async def context_window(self) -> int:
        """From the server, else from the catalog."""
        return await self._provider.find_window(self._model) or catalog.find_chat_model(self._model).context_window

    async def count_tokens(self, messages: Sequence[base.PromptMessage]) -> int | None:
        """The exact count of llama.cpp or vLLM; None for other servers."""
        return await self._provider.count_tokens(self._model, messages)

    def stream_answer(self, prompt: base.Prompt, options: base.GenerationOptions) -> AsyncGenerator[base.Piece]:
        """Stream the answer to `prompt`."""
        official = self._provider.is_official
        thinking = official and self._model.startswith(wire.THINKING)
        request = wire.CompletionRequest(
            [wire.message_param(message, developer=official) for message in prompt.messages],
            options.max_tokens,
            options.temperature,
            with_temperature=not thinking and options.temperature is not None,
            completion_tokens=thinking or wire.COMPLETION_TOKENS in options.extra_fields,
            extra_fields=wire.without_limits(options.extra_fields),
        )
        return stream_with_retries(
            lambda: self._attempt(request), self._error_mapper, self._provider.limits, self._provider.retries
        )

    def relay_request(self, request: base.JsonObject, on_behalf_of: tuple[str, str]) -> AsyncGenerator[base.JsonObject]:
        """The server's answer to the unchanged request."""
        limits = self._provider.limits
        if request.get("stream") is not True:
            # The first piece is the whole answer.
            limits = replace(limits, first_token=limits.whole_answer)
        body = {**request, "model": self._model}
        attempt = partial(passthrough.relay_request, self._provider.client, self._error_mapper, body)
        return stream_with_retries(attempt, self._error_mapper, limits, self._provider.retries)

    async def _attempt(self, request: wire.CompletionRequest) -> AsyncGenerator[base.Piece]:
        stream = await self._opened(request)
        self._provider.open_streams += 1
        try:
            await passthrough.check_is_stream(stream.response, self._error_mapper)
            finish, usage, silent = None, None, 0
            async with aclosing(sse.read_text_events(stream.response, self._error_mapper)) as groups:
                with self._error_mapper.translate_errors(reading=True):
                    async for chunks in groups:
                        pieces, finish = wire.read_chunks(chunks)
                        usage = wire.find_usage(chunks) or usage
                        for piece in pieces:
                            yield piece
                        if finish is not None:
                            break
                        silent = 0 if pieces else silent + len(chunks)
                        if silent > _MOST_SILENT_CHUNKS:
                            raise self._error_mapper.incomplete_answer()
                        await asyncio.sleep(self._provider.open_streams * _GATHER_SECONDS_EACH)
                if finish is None:
                    raise self._error_mapper.incomplete_answer()
                if finish == "error":
                    raise self._error_mapper.failed_answer()
                read, written = await self._usage(groups) or usage or (None, None)
            yield base.Finished(wire.map_finish_reason(finish), read, written)
        finally:
            self._provider.open_streams -= 1
            await stream.close()

    async def _opened(self, request: wire.CompletionRequest) -> openai.AsyncStream[object]:
        while True:
            with self._error_mapper.translate_errors():
                try:
                    return await self._create(request)
                except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                    lesser = request.without_refused(error.response.text)
                    if lesser == request or isinstance(self._error_mapper.map_exception(error), errors.ContextTooLong):
                        raise
                    request = lesser

    async def _create(self, request: wire.CompletionRequest) -> openai.AsyncStream[object]:
        # Plain objects: building the client's own types takes twice as long as everything else that a token needs.
        body = request.body(self._model)
        client = self._provider.client
        return await client.post(_CHAT, cast_to=object, body=body, stream=True, stream_cls=openai.AsyncStream[object])

    async def _usage(self, groups: AsyncGenerator[list[object]]) -> tuple[int | None, int | None] | None:
        """The usage, which follows the last piece. The answer is complete without it."""
        usage = None
        try:
            async with self._error_mapper.request_within(_USAGE_WITHIN_SECONDS):
                async for chunks in groups:
                    usage = wire.find_usage(chunks) or usage
        except errors.AnswerError:
            pass
        return usage


class OpenAIEmbeddingModel:
    """One embedding model of such a server."""

    def __init__(self, provider: OpenAIProvider, model: str) -> None:
        self._provider = provider
        self._model = model
        self._known = catalog.find_embedding_model(model)
        self._counter = tokens.EstimatedCounter()
        self._error_mapper = provider.error_mapper(model)
        self._measured: int | None = self._known.dimensions if provider.is_official else None

    @property
    def name(self) -> str:
        """`provider/model`."""
        return f"{self._provider.name}/{self._model}"

    async def dimensions(self) -> int:
        """Measured once on a test vector; on servers other than OpenAI's a name says little."""
        measured = self._measured or (await self.embed_texts(["dimensions"], "query")).shape[1]
        self._measured = measured
        return measured

    async def embed_texts(self, texts: Sequence[str], purpose: base.Purpose) -> base.Vectors:
        """One vector per text; see `BatchEmbedder`."""
        provider = self._provider
        limits = (self._known.max_input_tokens, await provider.find_window(self._model))
        embedder = BatchEmbedder(
            self._send,
            self._error_mapper,
            _BATCHES if provider.is_official else _BATCHES_ELSEWHERE,
            min((limit for limit in limits if limit is not None), default=None),
            self._known.query_prefix if purpose == "query" else self._known.document_prefix,
            self._counter,
            provider.retries,
        )
        return await embedder.embed_texts(texts, self.dimensions)

    async def _send(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        async with self._error_mapper.request_within(self._provider.limits.first_token):
            response = await self._provider.client.embeddings.create(
                model=self._model, input=list(texts), encoding_format="float"
            )
        rows = wire.read_vectors(response)
        if rows is None:
            raise self._error_mapper.unexpected_response()
        return rows
