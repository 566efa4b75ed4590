"""The connection to an Ollama server, which makes the server use the context window that we count on.

By default, Ollama silently shortens prompts: it runs with 4096 tokens of context whatever a model declares, and drops
or cuts what does not fit (HTTP 200). So the window is always sent as `num_ctx`, with the same value every time (another
value reloads the model), and `truncate: false` makes the server report prompts that are too long.

The `ollama` client is used for list, show and embed. Chat bypasses it: the client cannot send `truncate`, accepts a
stream without its `done` frame, and breaks at U+0085, which it treats as a line end.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import httpx
import ollama

from app import errors
from app.providers import base, batching, catalog, httpx_client
from app.providers.ollama.addresses import find_mistake, parse_address
from app.providers.resilience.error_mapping import ErrorMapper, is_local_url
from app.providers.resilience.retries import RetryPolicy
from app.providers.server_values import read_count

_SHOWN_FOR_SECONDS = 60.0
# How many spellings of model names are remembered: clients may use any, and the server accepts most. The oldest is
# forgotten first.
_MAX_NAMES = 200


def _map_reported(mapper: ErrorMapper, error: Exception) -> errors.AnswerError | None:
    if isinstance(error, ollama.ResponseError):
        return mapper.map_status(error.status_code, error.error)
    return httpx_client.map_status_error(mapper, error)


_CLIENT_ERRORS = replace(
    httpx_client.CLIENT_ERRORS,
    raised=(*httpx_client.CLIENT_ERRORS.raised, ollama.RequestError, ollama.ResponseError),
    map_reported=_map_reported,
)
"""The errors of the `ollama` client, and of httpx, on which it is built."""


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
        options = httpx_client.client_options(self.address, api_key, timeout, is_local=self.is_local)
        self.http = httpx.AsyncClient(base_url=self.address, **options)
        self.client = ollama.AsyncClient(self.address, **options)
        self.accepted_sizes = batching.AcceptedSizesByModel()
        self._shown: dict[str, tuple[float, ModelDetails]] = {}

    async def close(self) -> None:
        """Close the connections."""
        await self.http.aclose()
        await self.client.close()

    def error_mapper(self, model: str = "") -> ErrorMapper:
        """The error mapper for `model`."""
        return ErrorMapper(_CLIENT_ERRORS, self.name, model, self._secrets, find_mistake(self.address))

    async def model_details(self, model: str) -> ModelDetails:
        """What the server reports about `model`; cached for a minute, so that the window is the same within a turn."""
        until, known = self._shown.get(model, (0.0, ModelDetails()))
        if self._clock() < until:
            return known
        async with self.error_mapper(model).request_within(self.limits.connect):
            response = await self.client.show(model)
        info = response.modelinfo or {}
        family = info.get("general.architecture")
        window, dimensions = (
            read_count(info.get(f"{family}.context_length")),
            read_count(info.get(f"{family}.embedding_length")),
        )
        known = ModelDetails(window or None, dimensions or None, frozenset(response.capabilities or ()))
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

    async def request_vectors(
        self, model: str, texts: Sequence[str], num_ctx: int, error_mapper: ErrorMapper
    ) -> Sequence[Sequence[float]]:
        """Send one request for vectors."""
        async with error_mapper.request_within(self.limits.first_token):
            response = await self.client.embed(model, texts, truncate=False, options={"num_ctx": num_ctx})
        return response.embeddings
