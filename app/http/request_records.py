"""Give every request an id, and report its end to the observer."""

import time
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app import services
from app.observation import request_context, tracing
from app.observation.observer import RequestRecord
from app.observation.request_context import RequestContext

REQUEST_ID_HEADER = "X-Request-ID"
# How much of a path is recorded: this server's own paths are shorter, but anybody may send longer ones.
_MAX_PATH = 500

_AREAS = frozenset({"graphql", "v1", "documents", "static", "health", "livez", "readyz", "metrics"})
_MONITORED = frozenset({"static", "health", "livez", "readyz", "metrics"})
# Other paths of an area: the OpenAI API is also under the base URL of each project.
_AREA_OF = {"projects": "v1", **dict.fromkeys(("", "p", "c", "account", "status", "handbook"), "page")}


class RequestRecords:
    """Uses the id in `X-Request-ID` or a new one, returns it, and reports the end of every request and WebSocket."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        context = request_context.begin_request(headers.get(REQUEST_ID_HEADER))
        response = _Response(context, send)
        start = time.perf_counter()
        with _request_span(scope, headers, context) as span:
            try:
                await self._app(scope, receive, response.send)
            except Exception:  # Starlette answers it with 500, outside of all middleware
                response.status = response.status or 500
                raise
            finally:
                span.set_attributes({"http.response.status_code": response.status})
                _services(scope).observer.observe(
                    RequestRecord(
                        id=context.id,
                        method=scope.get("method", "WEBSOCKET"),
                        path=_shown_path(scope),
                        area=_find_area(scope["path"]),
                        status=response.status,
                        duration_ms=(time.perf_counter() - start) * 1000,
                        user_id=context.user_id,
                    )
                )


@dataclass(slots=True)
class _Response:
    """Passes the messages of a response on, with the id, and records its status."""

    context: RequestContext
    pass_on: Send
    status: int | None = None

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self._add_id(message)
        elif message["type"] == "websocket.accept":
            self.status = 101
            self._add_id(message)
        elif message["type"] == "websocket.close" and self.status is None:
            self.status = 403
        await self.pass_on(message)

    def _add_id(self, message: Message) -> None:
        message["headers"] = [*message.get("headers", ()), (b"x-request-id", self.context.id.encode())]


def _services(scope: Scope) -> services.Services:
    return scope["state"]["services"]


def _request_span(scope: Scope, headers: Headers, context: RequestContext) -> tracing.SpanScope:
    """The span of a request. A WebSocket has none, because it can be open for days: its operations have their own.

    Nor do the frequent requests of monitoring programs.
    """
    area = _find_area(scope["path"])
    if scope["type"] != "http" or area in _MONITORED:
        return tracing.SpanScope(None)
    method: str = scope["method"]
    attributes = {"http.request.method": method, "url.path": _shown_path(scope), "footnote.request_id": context.id}
    return tracing.trace(_services(scope).tracer, f"{method} /{area}", "SERVER", attributes, headers)


def _shown_path(scope: Scope) -> str:
    path: str = scope["path"]
    return path if len(path) <= _MAX_PATH else f"{path[:_MAX_PATH]}…"


def _find_area(path: str) -> str:
    first = path.split("/", 2)[1] if path.startswith("/") else path
    return first if first in _AREAS else _AREA_OF.get(first, "other")
