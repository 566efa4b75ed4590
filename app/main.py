"""Settings in; the whole server as one ASGI application out: routes, middleware, and the services' lifespan."""

import math
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any, TypedDict

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app import __version__, errors, graphql, openai_api, services
from app.addresses import Proxies, is_loopback, plain
from app.quotas import Quota
from app.settings import Settings

_STATIC = Path(__file__).parent / "static"
_REQUESTS_OF_A_USER = 16_000_000


class State(TypedDict):
    """What the lifespan hands to every request."""

    services: services.Services


class Application(Starlette):
    """The server, with a way to end what would otherwise stay open for ever."""

    def __init__(self, door: graphql.GraphQLDoor, **given: Any) -> None:
        super().__init__(**given)
        self._door = door

    async def leave(self) -> None:
        """End all streams and sockets cleanly: the server is about to stop."""
        await self._door.leave()


def create_app(settings: Settings, opened: services.Services | None = None) -> Application:
    """The application. Its services open when it starts and close when it stops, unless they are `opened` already."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[State]:
        async with nullcontext(opened) if opened else services.open_services(settings, "serve") as found:
            yield {"services": found}

    requests = _requests(settings)
    options = _options(settings, requests)
    door = graphql.door(options)
    return Application(
        door,
        routes=[
            Route("/", _home),
            Route("/graphql", door, methods=None),
            WebSocketRoute("/graphql", door),
            Route(graphql.ORIGINALS, graphql.Originals(options).__call__),
            Mount("/v1", openai_api.door(_openai_options(settings, requests))),
            Route("/health", _health),
            Mount("/static/playground", _Assets(directory=_STATIC / "playground"), name="playground"),
        ],
        middleware=[
            Middleware(_Hardened),
            Middleware(
                _Forwarded,
                proxies=Proxies(settings.trusted_proxies),
                # Nobody has said that everybody who comes through a proxy may do everything.
                local_only=settings.require_sign_in is None and not settings.signs_in,
            ),
            Middleware(
                graphql.ForeignPages,
                hosts=settings.known_hosts,
                origins=settings.cors_origins,
                loopback=is_loopback(settings.host),
            ),
            # Whoever is let in by its origin may send the headers it likes: tracing adds its own.
            Middleware(
                CORSMiddleware,
                allow_origins=settings.cors_origins,
                allow_methods=["GET", "POST"],
                allow_headers=["*"],
                expose_headers=["Retry-After", openai_api.ROUTE_HEADER, openai_api.COUNTING_HEADER],
            ),
        ],
        lifespan=lifespan,
    )


def _options(settings: Settings, requests: Quota) -> graphql.Options:
    path = settings.trusted_documents
    if path is None and settings.trusted_documents_only:
        raise errors.StartError("TRUSTED_DOCUMENTS_ONLY=true needs TRUSTED_DOCUMENTS: the file that lists them.")
    return graphql.Options(
        max_upload_bytes=settings.max_upload_bytes,
        max_body_bytes=settings.max_body_bytes,
        request_seconds=settings.request_seconds,
        persisted_queries=settings.persisted_queries,
        trusted_documents={} if path is None else graphql.read_manifest(path),
        trusted_documents_only=settings.trusted_documents_only,
        introspection=settings.graphql_introspection,
        suggestions=settings.graphql_suggestions,
        playground=settings.playground,
        max_message_bytes=settings.max_message_bytes,
        max_socket_operations=settings.max_socket_operations,
        ping_seconds=settings.ping_seconds,
        requests=requests,
        uploads=Quota(
            "bytes of uploads",
            each=2 * (settings.max_upload_bytes + settings.max_body_bytes),
            together=5 * (settings.max_upload_bytes + settings.max_body_bytes),
        ),
        downloads=Quota("downloads", each=settings.max_downloads_per_user, together=settings.max_downloads),
    )


def _requests(settings: Settings) -> Quota:
    """The bytes of requests that are in memory at once; parsed, they take a few times as much."""
    largest = max(settings.max_body_bytes, settings.max_chat_body_bytes, settings.max_message_bytes)
    each = max(_REQUESTS_OF_A_USER, largest)
    return Quota("bytes of requests", each=each, together=4 * each)


def _openai_options(settings: Settings, requests: Quota) -> openai_api.Options:
    return openai_api.Options(
        tokens_per_passage=settings.rag_document_node_token_approximation,
        most_passages=settings.rag_max_top_k,
        max_context_chars=settings.rag_max_context_chars,
        max_body_bytes=settings.max_chat_body_bytes,
        most_running=settings.max_running_answers_per_user,
        most_running_together=settings.max_running_answers,
        requests=requests,
    )


async def _home(_: Request) -> Response:
    return RedirectResponse("/graphql")


async def _health(request: Request) -> Response:
    """200 while questions can be asked, 503 when not; the parts say what is wrong, to those who may know."""
    opened: services.Services = request.state.services
    try:
        asker = await opened.doorkeeper.let_in(request.headers.get("authorization"))
    except errors.Unauthenticated as error:
        return JSONResponse({"error": error.message}, 401, {"www-authenticate": "Bearer"})
    except errors.RateLimited as error:
        wait = str(max(1, math.ceil(error.retry_after_ms / 1000)))
        return JSONResponse({"error": error.message}, 429, {"retry-after": wait})
    except errors.Unavailable:
        asker = None
    parts = await opened.health()
    worst = services.worst(parts)
    body: dict[str, object] = {"status": worst}
    if asker is not None:
        components = {part.name: {"status": part.status, "detail": part.detail} for part in parts}
        body |= {"version": __version__, "components": components}
    return JSONResponse(body, 503 if worst == "DOWN" else 200)


class _Forwarded:
    """Makes the client of a request whom a trusted proxy forwards for, so that it is the same for all who ask.

    `local_only`: refuses what a proxy forwards for other machines.
    """

    def __init__(self, app: ASGIApp, *, proxies: Proxies, local_only: bool) -> None:
        self._app = app
        self._proxies = proxies
        self._local_only = local_only

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass it on."""
        if scope["type"] in ("http", "websocket"):
            headers = Headers(scope=scope)
            forwarded = headers.getlist("x-forwarded-for")
            peer, port = scope.get("client") or (None, 0)
            scope["client"] = (self._proxies.client(peer, forwarded), port) if peer else None
            scheme = headers.get("x-forwarded-proto")
            if scheme in ("http", "https") and self._proxies.trusts(peer):
                scope["scheme"] = scheme if scope["type"] == "http" else scheme.replace("http", "ws")
            if self._local_only and not all(map(is_loopback, _forwarded_for(headers))):
                await _refuse_forwarded(scope, receive, send)
                return
        await self._app(scope, receive, send)


# RFC 7239: `for=192.0.2.60;proto=http, for="[2001:db8::17]:4711"`
_FORWARDED_FOR = re.compile(r'\bfor="?([^";,\s]+)', re.IGNORECASE)
_FORWARDED = (
    "This request came through a proxy from another machine, and nobody has to sign in here. Name the proxy in "
    "TRUSTED_PROXIES, or set REQUIRE_SIGN_IN."
)


def _forwarded_for(headers: Headers) -> list[str]:
    """Whom proxies say they forward for, believed or not."""
    told = [*headers.getlist("x-forwarded-for"), *headers.getlist("x-real-ip")]
    told += _FORWARDED_FOR.findall(",".join(headers.getlist("forwarded")))
    return [plain(entry) or entry for entry in ",".join(told).split(",") if entry.strip()]


async def _refuse_forwarded(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": "Sign-in is required behind a proxy."})
        return
    refusal = {"errors": [{"message": _FORWARDED, "extensions": {"code": "FORBIDDEN"}}]}
    await JSONResponse(refusal, 403)(scope, receive, send)


_HARDENING = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
}
"""What browsers are told with every response; a page of ours brings a policy of its own."""


class _Hardened:
    """Adds headers that keep browsers from doing what nobody asked them for."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass it on."""

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HARDENING.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, sending if scope["type"] == "http" else send)


class _Assets(StaticFiles):
    """Files whose names carry a hash of their content: a browser may keep them for ever."""

    def file_response(self, *args: object, **kwargs: object) -> Response:
        response = super().file_response(*args, **kwargs)  # pyright: ignore[reportArgumentType]
        response.headers["cache-control"] = "public, max-age=31536000, immutable"
        return response
