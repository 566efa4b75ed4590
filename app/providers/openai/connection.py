"""The connection to a server that speaks the OpenAI API.

Such servers agree only on the happy path. Some end streams without `finish_reason`, send errors as events or with
status 200, send a web page instead of a stream, name the same limit differently, or reject parameters that others
require. Here, a stream without `finish_reason` never counts as a complete answer.
"""

import asyncio
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from urllib.parse import urlsplit

import httpx2
import openai

from app import errors
from app.providers import base, batching
from app.providers.openai import base_urls, refused_fields, wire
from app.providers.openai.transport import open_transport
from app.providers.resilience.error_mapping import ClientErrors, ErrorMapper
from app.providers.resilience.retries import RetryPolicy

OPENAI_HOST = "api.openai.com"
_CHAT = "/chat/completions"
# The statuses with which a server refuses a field.
_REFUSALS = frozenset({400, 422})
_LISTED_FOR_SECONDS = 60.0
_UNLISTED_FOR_SECONDS = 5.0


def _map_reported(mapper: ErrorMapper, error: Exception) -> errors.AnswerError | None:
    if isinstance(error, openai.APIStatusError):
        return mapper.map_status(error.status_code, error.response.text, error.response.headers)
    if isinstance(error, openai.APIError) and error.body is not None:
        return mapper.map_reported_error(error.body)
    return None


_CLIENT_ERRORS = ClientErrors(
    # For chats, the client's HTTP library is used without the client.
    raised=(openai.OpenAIError, httpx2.RequestError),
    timeouts=(openai.APITimeoutError, httpx2.ConnectTimeout),
    unreachable=(openai.APIConnectionError, httpx2.RequestError),
    map_reported=_map_reported,
    # These may be the fault of one model behind a router.
    connected=(httpx2.ReadError, httpx2.WriteError, httpx2.RemoteProtocolError),
)
"""The errors of the `openai` client."""


class OpenAIConnection:
    """A server that speaks the OpenAI API. `local`: it runs on this machine and is never called via a proxy."""

    def __init__(
        self,
        name: str,
        base_url: str,
        api_key: str | None,
        limits: base.TimeLimits | None = None,
        local: bool = False,
        retries: RetryPolicy | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self.is_local = local
        self._key = api_key
        self.limits = limits or base.TimeLimits()
        self.retries = retries or RetryPolicy()
        self._clock = clock
        self._mistake = base_urls.find_mistake(base_url)
        self.is_official = urlsplit(base_url).hostname == OPENAI_HOST
        timeout = openai.Timeout(None, connect=self.limits.connect)
        self._http = openai.DefaultAsyncHttpxClient(
            timeout=timeout, transport=open_transport(base_url, trust_env=not local), trust_env=not local
        )
        self.client = openai.AsyncOpenAI(
            api_key=api_key or "none",  # otherwise the client would use OPENAI_API_KEY, meant for another server
            base_url=base_url,
            max_retries=0,  # the client would retry hopeless calls, such as after an exhausted quota
            timeout=timeout,
            http_client=self._http,
        )
        if not self.is_official:
            self.client.organization = self.client.project = (
                None  # read from the environment, and meant for OpenAI alone
            )
        self.accepted_sizes = batching.AcceptedSizesByModel()
        self._refused = refused_fields.RefusedFields(self._clock)
        self.last_arrival = 0.0
        """When a piece of a streamed answer last arrived, by the monotonic clock."""
        self._listed: tuple[float, dict[str, base.JsonObject]] = (0.0, {})
        self._listing = asyncio.Lock()

    async def close(self) -> None:
        """Close the connections."""
        await self.client.close()

    def error_mapper(self, model: str = "") -> ErrorMapper:
        """The error mapper for `model`."""
        return ErrorMapper(_CLIENT_ERRORS, self.name, model, (self._key,) if self._key else (), self._mistake)

    async def send_chat(self, model: str, body: base.JsonObject, adaptable: Collection[str]) -> httpx2.Response:
        """Send a chat request, again without the `adaptable` fields that the server refuses. Raises an AnswerError.

        The client neither builds the request nor reads the response: it takes three times as long to build one, its own
        types take twice as long as everything else that a token needs, and it does not distinguish a broken-off answer
        from an unreachable server.
        """
        error_mapper, without = self.error_mapper(model), list[str]()
        body = self._refused.adapt(model, body, adaptable)
        while True:
            with error_mapper.translate_errors():
                response = await self._post_chat(body)
            if response.is_success:
                self._refused.add(model, without)
                return response
            error = error_mapper.map_status(response.status_code, response.text, response.headers)
            may_adapt = response.status_code in _REFUSALS and not isinstance(error, errors.ContextTooLong)
            name = refused_fields.find_refused(body, response.text, adaptable) if may_adapt else None
            if name is None or name in without:
                raise error
            without.append(name)
            body = refused_fields.without_field(body, name)

    async def _post_chat(self, body: base.JsonObject) -> httpx2.Response:
        """The response, of which only an error has been read. Raises httpx2's errors."""
        named = {**self.client.default_headers, **self.client.auth_headers}
        headers = {name: value for name, value in named.items() if isinstance(value, str)}
        url = f"{str(self.client.base_url).rstrip('/')}{_CHAT}"
        request = self._http.build_request("POST", url, json=body, headers=headers)
        response = await self._http.send(request, stream=True)
        if not response.is_success:
            try:
                await response.aread()
            finally:
                await response.aclose()
        return response

    async def count_tokens(self, model: str, messages: Sequence[base.PromptMessage]) -> int | None:
        """The server's own count of a prompt, if it can count."""
        entry = await self._find_entry(model)
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
            return None  # then the estimate is used, and the ledger says so

    async def find_window(self, model: str) -> int | None:
        """The window of `model` from the server's list; None if it is not listed.

        The list is at most a minute old, unless the server fails to list its models again.
        """
        entry = await self._find_entry(model)
        return wire.find_window(entry) if entry else None

    async def _find_entry(self, model: str) -> Mapping[str, object] | None:
        """The entry of a model in the server's list."""
        async with self._listing:
            until, listed = self._listed
            if self._clock() >= until:
                try:
                    listed, seconds = await self._fetch_list(), _LISTED_FOR_SECONDS
                except errors.AnswerError:
                    # Not retried at once, because each turn would wait for the time limit. An old list is better than
                    # the catalog, whose window may be larger than the one that the server runs the model with.
                    seconds = _UNLISTED_FOR_SECONDS
                self._listed = self._clock() + seconds, listed
        entry = listed.get(model)
        if entry is None and len(listed) == 1:
            # llama.cpp has one model and accepts any name for it.
            only = next(iter(listed.values()))
            entry = only if only.get("owned_by") == "llamacpp" else None
        return entry

    async def _fetch_list(self) -> dict[str, base.JsonObject]:
        error_mapper = self.error_mapper()
        async with error_mapper.request_within(self.limits.connect):
            # The client would turn entries into its own types, whatever they are.
            body = await self.client.get("/models", cast_to=object)
        listed = wire.read_model_list(body)
        if listed is None:
            raise error_mapper.unexpected_response()
        return listed
