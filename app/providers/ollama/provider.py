"""Models of an Ollama server, with the context window that is really used.

Ollama silently shortens what is too long: it runs with 4096 tokens of context whatever a model declares, and drops or
cuts what does not fit (HTTP 200). So the window is always sent as `num_ctx`, the same every time (another value reloads
the model), and `truncate: false` makes the server report what is too long.

The `ollama` client is used for list, show and embed. Chat bypasses it: the client cannot send `truncate`, accepts a
stream without its `done` frame, and breaks at U+0085, which it takes for the end of a line.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Literal, cast
from urllib.parse import urlsplit

import httpx
import ollama

from app import errors
from app.providers import base, catalog, completions, tokens
from app.providers.batching import BatchEmbedder, BatchLimits
from app.providers.ollama import ndjson, passthrough
from app.providers.resilience import answer_limits, response_sizes
from app.providers.resilience.error_mapping import ErrorMapper, RetryPolicy, is_local_url, stream_with_retries

_BATCHES = BatchLimits(texts=64, tokens=32_000)
_SHOWN_FOR_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class _Shown:
    """What /api/show says about a model; None where it says nothing."""

    declared_window: int | None = None
    dimensions: int | None = None
    capabilities: frozenset[str] = frozenset()

    def kind(self, name: str) -> Literal["CHAT", "EMBEDDING"]:
        """By capabilities; old servers report none, then the name decides."""
        by_name = catalog.model_kind(name) == "EMBEDDING" and not self.capabilities
        return "EMBEDDING" if by_name or "embedding" in self.capabilities else "CHAT"


class OllamaProvider:
    """One Ollama server. `host` is as in OLLAMA_HOST; `num_ctx` is the largest window a model runs with."""

    def __init__(
        self,
        host: str,
        num_ctx: int = 8192,
        limits: base.TimeLimits | None = None,
        retries: RetryPolicy | None = None,
        api_key: str | None = None,
    ) -> None:
        self.num_ctx = num_ctx
        self.limits = limits or base.TimeLimits()
        self.retries = retries or RetryPolicy()
        self.address = parse_address(host)
        self._secrets = (api_key,) if api_key else ()
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        # `enforce_time_limits` limits each piece. A server on this machine is never asked through a proxy.
        timeout = httpx.Timeout(None, connect=self.limits.connect)
        self.http = httpx.AsyncClient(
            base_url=self.address,
            headers=headers,
            timeout=timeout,
            trust_env=not self.is_local,
            follow_redirects=True,
            event_hooks=response_sizes.SIZE_LIMIT_HOOKS,
        )
        self.client = ollama.AsyncClient(
            self.address,
            headers=headers,
            timeout=timeout,
            trust_env=not self.is_local,
            event_hooks=response_sizes.SIZE_LIMIT_HOOKS,
        )
        self._shown: dict[str, tuple[float, _Shown]] = {}

    @property
    def name(self) -> str:
        """Always `ollama`."""
        return "ollama"

    @property
    def is_local(self) -> bool:
        """Whether the server is on this machine."""
        return is_local_url(self.address)

    def language_model(self, model: str) -> "OllamaLanguageModel":
        """The chat model called `model`."""
        return OllamaLanguageModel(self, model)

    def embedding_model(self, model: str) -> "OllamaEmbeddingModel":
        """The embedding model called `model`."""
        return OllamaEmbeddingModel(self, model)

    async def list_models(self) -> list[base.ModelInfo]:
        """The pulled models and what each can do."""
        async with self.error_mapper().request_within(self.limits.connect):
            listed = await self.client.list()
        names = [entry.model for entry in listed.models if entry.model]
        return list(await asyncio.gather(*(self._info(name) for name in names)))

    async def close(self) -> None:
        """Close the connections."""
        await self.http.aclose()
        await self.client.close()

    def error_mapper(self, model: str = "") -> ErrorMapper:
        """The error mapper for `model`."""
        return ErrorMapper(self.name, model, self._secrets)

    async def model_details(self, model: str) -> _Shown:
        """What the server says about `model`; kept for a minute, so that the window stays the same within a turn."""
        until, known = self._shown.get(model, (0.0, _Shown()))
        if time.monotonic() < until:
            return known
        async with self.error_mapper(model).request_within(self.limits.connect):
            response = await self.client.show(model)
        info = response.modelinfo or {}
        family = info.get("general.architecture")
        window, dimensions = (
            _count(info.get(f"{family}.context_length")),
            _count(info.get(f"{family}.embedding_length")),
        )
        known = _Shown(window or None, dimensions or None, frozenset(response.capabilities or ()))
        self._shown[model] = (time.monotonic() + _SHOWN_FOR_SECONDS, known)
        return known

    async def known_details(self, model: str) -> _Shown:
        """`model_details`, or empty details if the server fails; the next request will report why."""
        try:
            return await self.model_details(model)
        except errors.AnswerError:
            return _Shown()

    def effective_window(self, model: str, shown: _Shown) -> int:
        """The window that `model` runs with; sent as `num_ctx`."""
        return min(shown.declared_window or catalog.find_chat_model(model).context_window, self.num_ctx)

    async def _info(self, name: str) -> base.ModelInfo:
        shown = await self.known_details(name)
        kind = shown.kind(name)
        dimensions = shown.dimensions if kind == "EMBEDDING" else None
        short = name.removesuffix(":latest")
        return base.ModelInfo(
            name, kind, self.effective_window(name, shown), dimensions, None if short == name else short
        )

    async def request_vectors(
        self, model: str, texts: Sequence[str], num_ctx: int, error_mapper: ErrorMapper
    ) -> Sequence[Sequence[float]]:
        """One request for vectors."""
        async with error_mapper.request_within(self.limits.first_token):
            response = await self.client.embed(model, texts, truncate=False, options={"num_ctx": num_ctx})
        return response.embeddings


class OllamaLanguageModel:
    """One chat model of an Ollama server."""

    def __init__(self, provider: OllamaProvider, model: str) -> None:
        self._provider = provider
        self._model = model
        self._error_mapper = provider.error_mapper(model)

    @property
    def name(self) -> str:
        """`ollama/model`."""
        return f"ollama/{self._model}"

    @property
    def is_generative(self) -> bool:
        """Always."""
        return True

    async def count_tokens(self, messages: Sequence[base.PromptMessage]) -> int | None:
        """Ollama has no tokenizer to ask."""
        return None

    async def context_window(self) -> int:
        """The declared window, or the provider's `num_ctx` if that is smaller."""
        return self._provider.effective_window(self._model, await self._provider.known_details(self._model))

    def stream_answer(self, prompt: base.Prompt, options: base.GenerationOptions) -> AsyncGenerator[base.Piece]:
        """Stream the answer to `prompt`."""
        attempt = partial(self._attempt, prompt, options)
        return stream_with_retries(attempt, self._error_mapper, self._provider.limits, self._provider.retries)

    def relay_request(self, request: base.JsonObject, on_behalf_of: tuple[str, str]) -> AsyncGenerator[base.JsonObject]:
        """Ollama's answer to the translated request, as OpenAI objects."""
        limits = self._provider.limits
        if request.get("stream") is not True:
            limits = replace(limits, first_token=limits.whole_answer)
        return stream_with_retries(partial(self._relayed, request), self._error_mapper, limits, self._provider.retries)

    async def _relayed(self, request: base.JsonObject) -> AsyncGenerator[base.JsonObject]:
        shown = await self._provider.known_details(self._model)
        answer = completions.CompletionBuilder(request, self._model)
        body = self._body(passthrough.convert_messages(request), passthrough.convert_fields(request), shown)
        # Checked here too: a client that does not stream gets nothing before the end.
        allowance = answer_limits.request_allowance(request, self._provider.limits.longest_answer)
        async with aclosing(ndjson.read_frames(self._provider.http, self._error_mapper, body)) as frames:
            async for frame in frames:
                allowance.spend_characters(answer_limits.count_characters(frame.get("message")))
                message = cast("base.JsonObject", frame.get("message") or {})
                for chunk in (
                    chunk for call in passthrough.read_tool_calls(message) for chunk in answer.add_tool_call(*call)
                ):
                    yield chunk
                for piece in self._pieces(frame):
                    for chunk in answer.add_piece(piece):
                        yield chunk
                if allowance.is_used_up and frame.get("done") is not True:
                    for chunk in answer.finish("LENGTH", None, None):
                        yield chunk
                    return

    async def _attempt(self, prompt: base.Prompt, options: base.GenerationOptions) -> AsyncGenerator[base.Piece]:
        shown = await self._provider.known_details(self._model)
        fields = passthrough.convert_fields(
            {**options.extra_fields, "temperature": options.temperature, **_limit(options)}
        )
        body = self._body(_messages(prompt), fields, shown)
        async with aclosing(ndjson.read_frames(self._provider.http, self._error_mapper, body)) as frames:
            async for frame in frames:
                for piece in self._pieces(frame):
                    yield piece

    def _body(self, messages: Sequence[base.JsonObject], fields: base.JsonObject, shown: _Shown) -> dict[str, object]:
        settings = cast("base.JsonObject", fields["options"])
        body: dict[str, object] = {
            **fields,
            "model": self._model,
            "messages": messages,
            "stream": True,
            "options": {**settings, "num_ctx": self._provider.effective_window(self._model, shown)},
            "truncate": False,
            # When the window is full the answer ends with LENGTH; with shifting the model would forget the question.
            "shift": False,
        }
        if "thinking" in shown.capabilities:
            # Without it some versions leave the reasoning in the text; models that do not reason reject it.
            body.setdefault("think", True)
        return body

    def _pieces(self, fields: Mapping[str, object]) -> list[base.Piece]:
        message, pieces = cast("Mapping[str, object]", fields.get("message") or {}), list[base.Piece]()
        if isinstance(thought := message.get("thinking"), str) and thought:
            pieces.append(base.ReasoningDelta(thought))
        if isinstance(content := message.get("content"), str) and content:
            pieces.append(base.TextDelta(content))
        if fields.get("done") is True:
            reason = "LENGTH" if fields.get("done_reason") == "length" else "STOP"
            pieces.append(
                base.Finished(reason, _count(fields.get("prompt_eval_count")), _count(fields.get("eval_count")))
            )
        return pieces


class OllamaEmbeddingModel:
    """One embedding model of an Ollama server."""

    def __init__(self, provider: OllamaProvider, model: str) -> None:
        self._provider = provider
        self._model = model
        self._known = catalog.find_embedding_model(model)

    @property
    def name(self) -> str:
        """`ollama/model`."""
        return f"ollama/{self._model}"

    async def dimensions(self) -> int:
        """From the server, else from the catalog, else measured on a test vector."""
        known = (await self._provider.model_details(self._model)).dimensions or self._known.dimensions
        return known or (await self.embed_texts(["dimensions"], "query")).shape[1]

    async def embed_texts(self, texts: Sequence[str], purpose: base.Purpose) -> base.Vectors:
        """One vector per text; see `BatchEmbedder`."""
        provider = self._provider
        shown = await provider.known_details(self._model)
        longest = min(filter(None, (shown.declared_window, self._known.max_input_tokens, provider.num_ctx)))
        error_mapper = provider.error_mapper(self._model)

        async def send(batch: Sequence[str]) -> Sequence[Sequence[float]]:
            return await provider.request_vectors(self._model, batch, longest, error_mapper)

        prefix = self._known.query_prefix if purpose == "query" else self._known.document_prefix
        embedder = BatchEmbedder(
            send, error_mapper, _BATCHES, longest, prefix, tokens.EstimatedCounter(), provider.retries
        )
        return await embedder.embed_texts(texts, self.dimensions)


def _messages(prompt: base.Prompt) -> list[base.JsonObject]:
    return passthrough.convert_messages({"messages": [asdict(message) for message in prompt.messages]})


def _limit(options: base.GenerationOptions) -> base.JsonObject:
    """The granted limit, which replaces the client's under either name."""
    return {"max_tokens": options.max_tokens, "max_completion_tokens": None}


def _count(value: object) -> int | None:
    return value if isinstance(value, int) else None


def parse_address(host: str) -> str:
    """The base URL for OLLAMA_HOST, which holds a name, name and port, or a URL. Without a scheme the port is 11434.

    0.0.0.0, where a server listens, becomes the loopback address.
    """
    bare = "://" not in host
    url = urlsplit(f"http://{host}" if bare else host)
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(url.hostname or "127.0.0.1", url.hostname or "127.0.0.1")  # noqa: S104
    port = url.port or (11434 if bare else None)
    place = f"[{name}]" if ":" in name else name
    return f"{url.scheme}://{place}{f':{port}' if port else ''}{url.path.rstrip('/')}"
