"""Routes under /v1: models, chat completions and responses, with errors in the shape of the OpenAI API.

They are also under the base URL of each project, for clients that cannot send `index_name`.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing, closing
from dataclasses import replace
from functools import partial
from typing import cast

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.routing import BaseRoute, Route, Router
from starlette.types import Message, Receive, Scope, Send

from app import quotas
from app.http import strict_json
from app.http.disconnects import run_while_connected
from app.http.request_body import RequestBody
from app.openai_api import base_urls, refusals, responses_reply, responses_request, sending
from app.openai_api.api_config import OpenAIConfig
from app.openai_api.chat_answers import ChatAnswerer, Replies, Routed
from app.openai_api.chat_request import ChatRequest, parse_chat_request
from app.openai_api.project_names import ProjectName, find_project
from app.openai_api.refusals import RequestRefused
from app.providers.base import JsonObject
from app.providers.registry import ListedModel
from app.services import Services, UserAccess, require_caller
from app.services.authorization.followers import CredentialCheck

# Parsing takes about a millisecond per 100 KB. Larger bodies are parsed in a thread, to keep the event loop free.
_INLINE_BYTES = 200_000
ROUTE_HEADER = "x-footnote-route"
"""The route of the request: `rag`, `pass-through` or `no-sources`."""
COUNTING_HEADER = "x-footnote-counting"
"""How the prompt was counted, if it was: `EXACT`, `CALIBRATED` or `ESTIMATED`."""

# Large requests may come over slow connections.
_BODY_SECONDS = 60.0

_Serve = Callable[[Request, Send], Awaitable[None]]
_Form = Callable[[JsonObject], tuple[ChatRequest, Callable[[Replies], Replies]]]
"""Parses a request's body: returns the chat request, and a function that converts replies to the expected form."""


class OpenAIAPI:
    """The ASGI application of this API. It finds the services in the lifespan's state, as `services`.

    Every error is returned in the shape that OpenAI clients expect.
    """

    def __init__(self, config: OpenAIConfig) -> None:
        self._config = config
        self._answers = quotas.Quota("answers", per_holder=config.max_running_per_user, total=config.max_running_total)
        self._router = Router(
            [
                Route("/models", _Endpoint(self._list_models), methods=["GET"]),
                Route("/models/{id:path}", _Endpoint(self._show_model), methods=["GET"]),
                Route("/chat/completions", _Endpoint(self._complete_chat), methods=["POST"]),
                Route("/responses", _Endpoint(self._create_response), methods=["POST"]),
            ],
            redirect_slashes=False,
        )

    @property
    def routes(self) -> Sequence[BaseRoute]:
        """The routes of this API."""
        return self._router.routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        started = False

        async def send_and_note_start(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._router(scope, receive, send_and_note_start)
        except ClientDisconnect:
            pass
        except HTTPException as error:
            await _to_refusal(Request(scope), error).to_response()(scope, receive, send)
        except Exception as error:  # the outermost handler: unknown errors are masked and logged
            if started:
                raise
            found = refusals.to_refusal(error)
            if found.parameter is not None and scope["path"].endswith("/responses"):
                found = replace(found, parameter=responses_request.original_parameter(found.parameter))
            await found.to_response()(scope, receive, send)

    async def _list_models(self, request: Request, send: Send) -> None:
        access = await _authenticate(request)
        if (project := _read_project(request)) is not None:
            await find_project(access, project)  # clients check their base URL by listing the models
        listed = [_model_fields(model) for model in await _chat_models(access)]
        await sending.send_object({"object": "list", "data": listed}, {}, send)

    async def _show_model(self, request: Request, send: Send) -> None:
        access = await _authenticate(request)
        requested = str(request.path_params["id"])
        if not requested:
            raise HTTPException(404)
        name = self._config.resolve_model(requested)
        found = next((model for model in await _chat_models(access) if model.name == name), None)
        if found is None:
            problem = access.models.find_problem(name)
            raise refusals.RequestRefused(
                problem
                or f"There is no model “{requested[:100]}”; {base_urls.find_base_url(request)}/models lists the "
                "available ones.",
                parameter="model",
                code="model_not_found",
                status=404,
            )
        await sending.send_object(_model_fields(found), {}, send)

    async def _complete_chat(self, request: Request, send: Send) -> None:
        await self._answer(request, send, lambda body: (parse_chat_request(body), lambda replies: replies))

    async def _create_response(self, request: Request, send: Send) -> None:
        await self._answer(request, send, _read_response, named_events=True)

    async def _answer(self, request: Request, send: Send, read: _Form, *, named_events: bool = False) -> None:
        access = await _authenticate(request)  # before reading the body
        holder = access.quota_holder
        body = RequestBody(request.scope, request.receive, max_bytes=self._config.max_body_bytes, seconds=_BODY_SECONDS)
        with self._answers.hold(holder), closing(body):
            body.hold_quota(self._config.requests, holder)
            request = Request(request.scope, body)
            chat, to_form = read(await read_json_object(request))
            project = _read_project(request, chat.index_name)
            check_credential = _credential_check(request)
            await check_credential()  # again, because the body may have taken a minute to arrive
            async with access.models.record_tokens():
                answerer = ChatAnswerer(access, self._config, check_credential)
                replies = to_form(answerer.stream_replies(chat, project))
                reply = self._send_reply(send, replies, streams=chat.streams, named_events=named_events)
                await run_while_connected(reply, request.receive)

    async def _send_reply(self, send: Send, replies: Replies, *, streams: bool, named_events: bool) -> None:
        """Send the replies. Nothing is sent before the first chunk, so that an error until then can set the status."""
        async with aclosing(replies):
            routed = cast("Routed", await anext(replies))
            first = cast("JsonObject", await anext(replies))
            headers = {ROUTE_HEADER: routed.route}
            if routed.counting is not None:
                headers[COUNTING_HEADER] = routed.counting
            if streams:
                rest = cast("AsyncGenerator[JsonObject]", replies)
                await sending.send_stream(first, rest, headers, send, named_events=named_events)
            else:
                await sending.send_object(first, headers, send)
                async for _ in replies:  # until the end: an answer that is closed before that counts as cancelled
                    pass


class _Endpoint:
    """An ASGI endpoint. Starlette would turn HTTP errors of a plain function into plain text itself."""

    def __init__(self, serve: _Serve) -> None:
        self._serve = serve

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._serve(Request(scope, receive), send)


async def _authenticate(request: Request) -> UserAccess:
    """The caller's access. OpenAI clients always send some key; it is ignored if users do not have to sign in."""
    services: Services = request.state.services
    caller = await services.authentication.authenticate(request.headers.get("authorization"), any_key=True)
    return services.as_user(require_caller(caller).user)


def _credential_check(request: Request) -> CredentialCheck:
    """Checks the caller's credential again, while the answer is under way."""
    services: Services = request.state.services
    return partial(services.authentication.recheck, request.headers.get("authorization"))


def _read_project(request: Request, index_name: str | None = None) -> ProjectName | None:
    """The project that a request names in its field `index_name`, or else in its base URL."""
    if index_name is not None:
        return ProjectName(index_name)
    in_url = base_urls.project_in_url(request)
    return None if in_url is None else ProjectName(in_url, base_urls.find_base_url(request))


def _read_response(body: JsonObject) -> tuple[ChatRequest, Callable[[Replies], Replies]]:
    chat = parse_chat_request(responses_request.to_chat_body(body), responses_request.ADAPTABLE)
    return chat, partial(responses_reply.to_response, request=body)


async def _chat_models(access: UserAccess) -> Sequence[ListedModel]:
    return [model for model in await access.models.list_models() if model.info.kind == "CHAT"]


def _model_fields(model: ListedModel) -> JsonObject:
    """A model in the shape of the OpenAI API. `created` is 0: providers rarely report it."""
    window = model.info.context_window
    return {
        "id": model.name,
        "object": "model",
        "created": 0,
        "owned_by": model.provider,
        **({} if window is None else {"context_window": window}),
    }


def _to_refusal(request: Request, error: HTTPException) -> refusals.Refusal:
    """The refusal for an error of the router: there is no such path, or no such method on it."""
    if error.status_code != 405:
        return base_urls.unknown_path(request)
    headers = error.headers or {}
    message = f"{request.method} is not allowed here; use {headers.get('Allow', 'another method')}."
    return refusals.Refusal(405, message, refusals.INVALID, "method_not_allowed", headers=headers)


async def read_json_object(request: Request) -> JsonObject:
    """The object. Raises RequestRefused: 415 for another media type, 400 for anything but a JSON object."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        # A browser lets pages of other sites send some other media types without a CORS preflight.
        raise RequestRefused(
            "Send the request as `Content-Type: application/json`.", code="invalid_content_type", status=415
        )
    try:
        raw = await request.body()
        large = len(raw) > _INLINE_BYTES
        found = await asyncio.to_thread(strict_json.decode, raw) if large else strict_json.decode(raw)
    except json.JSONDecodeError as error:
        raise RequestRefused(f"The body is not valid JSON: {error.msg}.", code="invalid_json") from error
    if not isinstance(found, dict):
        raise RequestRefused("The body must be a JSON object.", code="invalid_json")
    return cast("JsonObject", found)
