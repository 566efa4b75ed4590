"""The connection to an Ollama server, which makes the server use the context window that we count on.

By default, Ollama silently shortens prompts: it runs with 4096 tokens of context whatever a model declares, and drops
or cuts what does not fit (HTTP 200). So the window is always sent as `num_ctx`, with the same value every time (another
value reloads the model), and `truncate: false` makes the server report prompts that are too long.

The `ollama` client is not used: it cannot send `truncate`, accepts a stream without its `done` frame, breaks at U+0085,
which it treats as a line end, and cannot even be imported if the environment names a SOCKS proxy.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

import httpx

from app import errors
from app.providers import base, catalog, httpx_client
from app.providers.ollama.addresses import parse_address
from app.providers.resilience.error_mapping import ErrorMapper, is_local_url
from app.providers.resilience.retries import RetryPolicy
from app.providers.server_values import decode_json, read_count, read_fields, read_tokens

_SHOWN_FOR_SECONDS = 60.0
# How many spellings of model names are remembered: clients may use any, and the server accepts most. The oldest is
# forgotten first.
_MAX_NAMES = 200


@dataclass(frozen=True, slots=True)
class ModelDetails:
    """What /api/show reports about a model; None for missing values."""

    declared_window: int | None = None
    dimensions: int | None = None
    capabilities: frozenset[str] = frozenset()

    def kind(self, name: str) -> base.ModelKind:
        """The kind of model, by its capabilities; old servers report none, so the name decides."""
        by_name = catalog.model_kind(name) == "EMBEDDING" and not self.capabilities
        return "EMBEDDING" if by_name or "embedding" in self.capabilities else "CHAT"


class OllamaConnection:
    """One Ollama server. `host` has the format of OLLAMA_HOST; `num_ctx` is the largest window for any model."""

    name = "ollama"

    def __init__(
        self,
        host: str,
        num_ctx: int = 8192,
        limits: base.TimeLimits | None = None,
        retries: RetryPolicy | None = None,
        api_key: str | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.num_ctx = num_ctx
        self.limits = limits or base.TimeLimits()
        self.retries = retries or RetryPolicy()
        self._clock = clock
        self.address = parse_address(host)
        self.is_local = is_local_url(self.address)
        self._secrets = (api_key,) if api_key else ()
        # `stream_with_retries` limits the time for each piece.
        timeout = httpx.Timeout(None, connect=self.limits.connect)
        self.http = httpx_client.open_client(self.address, api_key, timeout, is_local=self.is_local)
        self._shown: dict[str, tuple[float, ModelDetails]] = {}

    async def close(self) -> None:
        """Close the connections."""
        await self.http.aclose()

    def error_mapper(self, model: str = "") -> ErrorMapper:
        """The error mapper for `model`."""
        return ErrorMapper(httpx_client.CLIENT_ERRORS, self.name, model, self._secrets)

    async def model_details(self, model: str) -> ModelDetails:
        """What the server reports about `model`; cached for a minute, so that the window is the same within a turn."""
        until, known = self._shown.get(model, (0.0, ModelDetails()))
        if self._clock() < until:
            return known
        async with self.error_mapper(model).request_within(self.limits.connect):
            shown = await self._request("POST", "/api/show", {"model": model})
        info, capabilities = read_fields(shown.get("model_info")), shown.get("capabilities")
        family = info.get("general.architecture")
        known = ModelDetails(
            read_tokens(info.get(f"{family}.context_length")),
            read_count(info.get(f"{family}.embedding_length")) or None,
            frozenset(map(str, cast("list[object]", capabilities) if isinstance(capabilities, list) else ())),
        )
        self._shown.pop(model, None)
        self._shown[model] = (self._clock() + _SHOWN_FOR_SECONDS, known)
        if len(self._shown) > _MAX_NAMES:
            del self._shown[next(iter(self._shown))]
        return known

    async def known_details(self, model: str) -> ModelDetails:
        """`model_details`, or the last known ones if the server fails; the next request will report why.

        Without them, the window could change, for which Ollama reloads the model.
        """
        try:
            return await self.model_details(model)
        except errors.AnswerError:
            return self._shown.get(model, (0.0, ModelDetails()))[1]

    def effective_window(self, model: str, shown: ModelDetails) -> int:
        """The window for `model`, which is sent as `num_ctx`."""
        return min(shown.declared_window or catalog.find_window(model), self.num_ctx)

    async def list_names(self) -> list[str]:
        """The names of the pulled models."""
        error_mapper = self.error_mapper()
        async with error_mapper.request_within(self.limits.connect):
            listed = (await self._request("GET", "/api/tags")).get("models")
        if not isinstance(listed, list):
            raise error_mapper.unexpected_response()
        names = (read_fields(entry).get("model") for entry in cast("list[object]", listed))
        return [name for name in names if isinstance(name, str) and name]

    async def request_vectors(
        self, model: str, texts: Sequence[str], num_ctx: int, error_mapper: ErrorMapper
    ) -> Sequence[Sequence[float]]:
        """Send one request for vectors."""
        body = {"model": model, "input": texts, "truncate": False, "options": {"num_ctx": num_ctx}}
        async with error_mapper.request_within(self.limits.first_token):
            found = (await self._request("POST", "/api/embed", body)).get("embeddings")
        rows = cast("list[object]", found) if isinstance(found, list) else [None]
        if not all(isinstance(row, list) for row in rows):
            raise error_mapper.unexpected_response()
        return cast("list[list[float]]", rows)

    async def _request(self, method: str, path: str, body: base.JsonObject | None = None) -> base.JsonObject:
        """The fields of the server's answer. Raises errors of httpx, and JSONDecodeError."""
        response = await self.http.request(method, path, json=body)
        response.raise_for_status()
        return read_fields(decode_json(response.content))
