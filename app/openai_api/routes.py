"""Routes under /v1: models and chat completions, with errors in the shape of the OpenAI API."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing, closing
from typing import cast

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Route, Router
from starlette.types import Message, Receive, Scope, Send

from app import quotas
from app.http.disconnects import run_while_connected
from app.http.request_body import RequestBody
from app.openai_api import bodies, chat_request, refusals, responses
from app.openai_api.answering import Answering, Replies, Routed
from app.openai_api.options import OpenAIOptions
from app.providers.base import JsonObject
from app.providers.registry import ListedModel
from app.services import Services, UserAccess, require_asker

ROUTE_HEADER = "x-footnote-route"
"""`rag`, `pass-through` or `no-sources`: the way that a request has taken."""
COUNTING_HEADER = "x-footnote-counting"
"""`EXACT`, `CALIBRATED` or `ESTIMATED`: how the prompt was counted, where it was."""

# Large requests come over slow lines.
_BODY_SECONDS = 60.0

_Serve = Callable[[Request, Send], Awaitable[None]]


def create_openai_api(options: OpenAIOptions) -> "OpenAIAPI":
    """The ASGI application of this API; services come with the lifespan's state, as `services`."""
    return OpenAIAPI(options)


class OpenAIAPI:
    """The addresses of the API, behind one wall: whatever fails, clients get the shape that they can read."""

    def __init__(self, options: OpenAIOptions) -> None:
        self._options = options
        self._answers = quotas.Quota("answers", each=options.most_running, together=options.most_running_together)
        self._router = Router(
            [
                Route("/models", _Endpoint(self._models), methods=["GET"]),
                Route("/models/{id:path}", _Endpoint(self._model), methods=["GET"]),
                Route("/chat/completions", _Endpoint(self._chat), methods=["POST"]),
            ],
            redirect_slashes=False,
        )

    @property
    def routes(self) -> Sequence[BaseRoute]:
        """Its addresses."""
        return self._router.routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        started = False

        async def noticing(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._router(scope, receive, noticing)
        except ClientDisconnect:
            pass
        except HTTPException as error:
            found = refusals.Refusal(
                error.status_code, _sentence(scope, error), refusals.INVALID, _code(error), headers=error.headers or {}
            )
            await found.response()(scope, receive, send)
        except Exception as error:  # the wall: what is unknown is masked and logged
            if started:
                raise
            await refusals.refusal(error).response()(scope, receive, send)

    async def _models(self, request: Request, send: Send) -> None:
        listed = [_listed(model) for model in await _chat_models(await _access(request))]
        await JSONResponse({"object": "list", "data": listed})(request.scope, request.receive, send)

    async def _model(self, request: Request, send: Send) -> None:
        access = await _access(request)
        given = str(request.path_params["id"])
        name = Answering(access, self._options).model(given)
        found = next((model for model in await _chat_models(access) if model.name == name), None)
        if found is None:
            unset = access.models.find_problem(name)
            raise refusals.Refused(
                unset or f"There is no model “{given[:100]}” here; `/v1/models` lists the available ones.",
                parameter="model",
                code="model_not_found",
                status=404,
            )
        await JSONResponse(_listed(found))(request.scope, request.receive, send)

    async def _chat(self, request: Request, send: Send) -> None:
        access = await _access(request)  # before the body is read
        holder = access.quota_holder
        body = RequestBody(
            request.scope, request.receive, max_bytes=self._options.max_body_bytes, seconds=_BODY_SECONDS
        )
        with self._answers.held(holder), closing(body):
            body.hold(self._options.requests, holder)
            request = Request(request.scope, body)
            given = chat_request.read(await bodies.read(request))
            async with access.models.spending():
                replies = Answering(access, self._options).replies(given)
                reply = self._reply(request, send, replies, streams=given.streams)
                await run_while_connected(reply, request.receive)

    async def _reply(self, request: Request, send: Send, replies: Replies, *, streams: bool) -> None:
        """Nothing is sent before the first chunk is there: what fails until then has a status of its own."""
        async with aclosing(replies):
            routed = cast("Routed", await anext(replies))
            first = cast("JsonObject", await anext(replies))
            headers = {ROUTE_HEADER: routed.way}
            if routed.counting is not None:
                headers[COUNTING_HEADER] = routed.counting
            if streams:
                await responses.stream(first, cast("AsyncGenerator[JsonObject]", replies), headers, send)
            else:
                await responses.whole(first, headers, send)


class _Endpoint:
    """An endpoint whose errors reach the wall; Starlette would answer those of a function by itself, in plain text."""

    def __init__(self, serve: _Serve) -> None:
        self._serve = serve

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._serve(Request(scope, receive), send)


async def _access(request: Request) -> UserAccess:
    """What the sender may do. Clients of this API send some key always; where nobody has to sign in it says nothing."""
    services: Services = request.state.services
    asker = await services.authentication.authenticate(request.headers.get("authorization"), any_key=True)
    return services.as_user(require_asker(asker).user)


async def _chat_models(access: UserAccess) -> Sequence[ListedModel]:
    return [model for model in await access.models.list_models() if model.info.kind == "CHAT"]


def _listed(model: ListedModel) -> JsonObject:
    """A model as clients of the API know it. When it was made, providers rarely say."""
    window = model.info.context_window
    return {
        "id": model.name,
        "object": "model",
        "created": 0,
        "owned_by": model.provider,
        **({} if window is None else {"context_window": window}),
    }


def _sentence(scope: Scope, error: HTTPException) -> str:
    method, path = scope["method"], scope["path"]
    if error.status_code == 405:
        return f"{method} is not allowed here; use {(error.headers or {}).get('Allow', 'another method')}."
    return f"There is nothing at {path[:200]}; this API has /v1/models and /v1/chat/completions."


def _code(error: HTTPException) -> str:
    return "method_not_allowed" if error.status_code == 405 else "unknown_url"
