"""The server as one ASGI application: routes, middleware, and the lifespan of its services."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from typing import Any, TypedDict

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute

from app import errors, graphql, openai_api, services
from app.addresses import Proxies, is_loopback
from app.http import handbook
from app.http.error_responses import ErrorResponses
from app.http.files import downloads, static_files
from app.http.forwarding import ForwardedRequests
from app.http.health import health, livez, metrics, readyz
from app.http.origin_check import OriginCheck
from app.http.request_records import REQUEST_ID_HEADER, RequestRecords
from app.http.security_headers import SecurityHeaders
from app.http.stopped_requests import StoppedRequests
from app.observation.observer import Observer
from app.quotas import Quota
from app.settings import Settings

_REQUEST_BYTES_PER_USER = 16_000_000

# Downloads get GraphQL errors, because clients find their paths through the GraphQL API.
_ERROR_RESPONSES = {
    "/graphql": graphql.error_response,
    "/documents": graphql.error_response,
    "/v1": openai_api.error_response,
    "/projects": openai_api.error_response,
}


class State(TypedDict):
    """The state that the lifespan passes to every request."""

    services: services.Services


class Application(Starlette):
    """The server, with a way to end streams and sockets that would otherwise stay open."""

    def __init__(self, graphql_api: graphql.GraphQLAPI, **options: Any) -> None:
        super().__init__(**options)
        self._graphql_api = graphql_api

    async def end_streams(self) -> None:
        """End all streams and sockets cleanly, before the server stops."""
        await self._graphql_api.end_streams()


def create_app(
    settings: Settings, opened: services.Services | None = None, observer: Observer | None = None
) -> Application:
    """Create the application, whose services open when it starts and close when it stops.

    `opened` passes services that are already open, and stay open. Without an `observer`, records go to the log.
    """
    requests = _request_quota(settings)
    graphql_api = graphql.create_graphql_api(_graphql_config(settings, requests))
    openai = openai_api.OpenAIAPI(_openai_config(settings, requests))
    error_responses = ErrorResponses(_ERROR_RESPONSES)
    return Application(
        graphql_api,
        routes=_routes(graphql_api, openai, _downloads(settings, error_responses), has_page=settings.page),
        middleware=_middleware(settings, error_responses),
        lifespan=_lifespan(settings, opened, observer),
    )


def create_worker_app(settings: Settings, opened: services.Services) -> Starlette:
    """Create the application of `footnote work`, which serves its metrics and its health."""
    routes = [Route("/livez", livez), Route("/readyz", readyz), Route("/metrics", metrics)]
    return Starlette(
        routes=routes,
        middleware=_middleware(settings, ErrorResponses({})),
        lifespan=_lifespan(settings, opened, None),
    )


def _lifespan(
    settings: Settings, opened: services.Services | None, observer: Observer | None
) -> Callable[[Starlette], AbstractAsyncContextManager[State]]:
    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[State]:
        async with nullcontext(opened) if opened else services.open_services(settings, "serve", observer) as found:
            yield {"services": found}

    return lifespan


def _routes(
    graphql_api: graphql.GraphQLAPI, openai: openai_api.OpenAIAPI, originals: downloads.Downloads, *, has_page: bool
) -> list[BaseRoute]:
    page = static_files.page if has_page else _no_page
    return [
        *(_handbook_routes() if has_page else ()),
        *(Route(path, page) for path in static_files.PAGE_PATHS),
        Route("/graphql", graphql_api, methods=None),
        WebSocketRoute("/graphql", graphql_api),
        Route(downloads.PATH, originals.respond),
        Route(downloads.PAGE_PATH, originals.respond_page),
        *(Mount(path, openai) for path in openai_api.BASE_PATHS),
        *openai_api.wrong_base_routes(),
        Route("/health", health),
        Route("/livez", livez),
        Route("/readyz", readyz),
        Route("/metrics", metrics),
        Mount("/static/page", static_files.page_files(), name="page"),
        Mount("/static/playground", static_files.playground_files(), name="playground"),
    ]


def _handbook_routes() -> list[BaseRoute]:
    return [
        Route(handbook.LIST_PATH, handbook.respond_list),
        Route(handbook.PAGE_PATH, handbook.respond_page),
        *(Route(path, static_files.page) for path in handbook.VIEW_PATHS),
    ]


def _middleware(settings: Settings, error_responses: ErrorResponses) -> list[Middleware]:
    return [
        Middleware(RequestRecords),
        Middleware(SecurityHeaders),
        Middleware(
            ForwardedRequests,
            proxies=Proxies(settings.trusted_proxies),
            # Without sign-in, proxied requests would have full access: refused unless REQUIRE_SIGN_IN=false.
            local_only=settings.require_sign_in is None and not settings.signs_in,
            error_response=error_responses,
        ),
        Middleware(
            OriginCheck,
            hosts=settings.known_hosts,
            origins=settings.cors_origins,
            loopback=is_loopback(settings.host),
            operations_path="/graphql",
            is_signed=downloads.is_signed,
            error_response=error_responses,
        ),
        # Pages of allowed origins may send any header: tracing adds its own.
        Middleware(
            CORSMiddleware,
            allow_origins=settings.cors_origins,
            allow_methods=["GET", "POST"],
            allow_headers=["*"],
            expose_headers=[
                "Retry-After",
                REQUEST_ID_HEADER,
                *downloads.RANGE_HEADERS,
                openai_api.ROUTE_HEADER,
                openai_api.COUNTING_HEADER,
            ],
        ),
        Middleware(StoppedRequests, error_response=error_responses),
    ]


def _graphql_config(settings: Settings, requests: Quota) -> graphql.GraphQLConfig:
    path = settings.trusted_documents
    if path is None and settings.trusted_documents_only:
        raise errors.StartError("TRUSTED_DOCUMENTS_ONLY=true requires TRUSTED_DOCUMENTS, the file that lists them.")
    return graphql.GraphQLConfig(
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
        unfinished=_byte_quota("unfinished messages", settings.max_message_bytes),
        uploads=Quota(
            "bytes of uploads",
            per_holder=2 * (settings.max_upload_bytes + settings.max_body_bytes),
            total=5 * (settings.max_upload_bytes + settings.max_body_bytes),
        ),
    )


def _openai_config(settings: Settings, requests: Quota) -> openai_api.OpenAIConfig:
    return openai_api.OpenAIConfig(
        chat_model=settings.chosen_chat_model,
        rag_enabled=settings.answer_options.enable_rag,
        tokens_per_passage=settings.rag_document_node_token_approximation,
        max_passages=settings.rag_max_top_k,
        max_context_chars=settings.rag_max_context_chars,
        max_body_bytes=settings.max_chat_body_bytes,
        max_running_per_user=settings.max_running_answers_per_user,
        max_running_total=settings.max_running_answers,
        requests=requests,
    )


def _request_quota(settings: Settings) -> Quota:
    """Limits the bytes of requests in memory at once. Parsed requests take several times as much."""
    return _byte_quota(
        "requests", max(settings.max_body_bytes, settings.max_chat_body_bytes, settings.max_message_bytes)
    )


def _byte_quota(what: str, largest: int) -> Quota:
    per_holder = max(_REQUEST_BYTES_PER_USER, largest)
    return Quota(f"bytes of {what}", per_holder=per_holder, total=4 * per_holder)


def _downloads(settings: Settings, error_responses: ErrorResponses) -> downloads.Downloads:
    quota = Quota("downloads", per_holder=settings.max_downloads_per_user, total=settings.max_downloads)
    return downloads.Downloads(quota, error_responses, settings.cors_origins)


async def _no_page(_: Request) -> Response:
    return RedirectResponse("/graphql")
