"""HTTP requests and WebSockets in; operations run on the schema, and their results in the client's wire format, out.

Strawberry's ASGI view, made strict: malformed requests are 400, cross-site forms are refused, subscriptions need a
transport that can carry them, and the status codes and media types are those of GraphQL over HTTP.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from cross_web import AsyncHTTPRequestAdapter, HTTPException
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket
from strawberry.asgi import GraphQL
from strawberry.exceptions import MissingQueryError
from strawberry.http import GraphQLHTTPResponse, GraphQLRequestData
from strawberry.http.base import BaseRequestProtocol
from strawberry.http.websocket_origin import normalize_origin
from strawberry.schema import BaseSchema
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError
from strawberry.subscriptions import (
    GRAPHQL_SSE_PROTOCOL,
    GRAPHQL_TRANSPORT_WS_PROTOCOL,
    MULTIPART_SUBSCRIPTION_PROTOCOL,
)
from strawberry.types.execution import ExecutionResult, PreExecutionError
from strawberry.types.graphql import OperationType

from app.graphql import bodies, playground
from app.graphql.context import Context
from app.graphql.loaders import Loaders
from app.graphql.options import Options
from app.graphql.schema import build_schema
from app.graphql.sockets import SocketHandler
from app.graphql.streams import CancellableStream, EventStream
from app.services import Services

GRAPHQL_RESPONSE = "application/graphql-response+json"

# A page of another site can send these without asking first, unless they carry a header that a form cannot set.
_SIMPLE = ("multipart/form-data", "text/plain", "application/x-www-form-urlencoded")
_PROOFS = ("graphql-require-preflight", "apollo-require-preflight", "x-requested-with")
_NO_STREAM = "A subscription needs a WebSocket (graphql-transport-ws) or `Accept: text/event-stream`."


def door(options: Options) -> "GraphQLDoor":
    """The ASGI application of one address; services come with the lifespan's state, as `services`."""
    return GraphQLDoor(
        options,
        build_schema(),
        subscription_protocols=[GRAPHQL_TRANSPORT_WS_PROTOCOL, GRAPHQL_SSE_PROTOCOL, MULTIPART_SUBSCRIPTION_PROTOCOL],
        multipart_uploads_enabled=True,
    )


class GraphQLDoor(GraphQL[Context, None]):
    """GraphQL over HTTP, WebSocket, server-sent events and multipart."""

    graphql_transport_ws_handler_class = SocketHandler
    stream_transport_classes_by_protocol = {  # noqa: RUF012
        **GraphQL.stream_transport_classes_by_protocol,
        GRAPHQL_SSE_PROTOCOL: EventStream,
    }

    def __init__(self, options: Options, schema: BaseSchema, **given: Any) -> None:
        super().__init__(schema, **given)
        self.options = options

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request or a socket."""
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        request = Request(scope, receive)
        try:
            _refuse_cross_site(request)
            response = await self.run(request)
        except HTTPException as error:
            response = _refusal(request, error.status_code, error.reason)
        await response(scope, receive, send)

    async def get_context(self, request: Request | WebSocket, response: Response | WebSocket) -> Context:
        """Of a request or a socket; operations fork it."""
        services = _services(request)
        return Context(services, services.owner, Loaders(services, services.owner))

    def is_websocket_origin_allowed(self, request: WebSocket, origin: str) -> bool:
        """Pages of other origins may open a socket only if CORS_ORIGINS names theirs; `*` names all."""
        allowed = self.options.cors_origins
        return "*" in allowed or normalize_origin(origin) in {normalize_origin(known) for known in allowed}

    def should_render_graphql_ide(self, request: BaseRequestProtocol) -> bool:
        """Browsers say that they want HTML; programs take anything."""
        asks = request.query_params.get("query") is not None
        return request.method == "GET" and not asks and "text/html" in request.headers.get("accept", "")

    async def render_graphql_ide(self, request: Request) -> Response:
        """Our own playground."""
        return playground.page()

    def decode_json(self, data: str | bytes) -> object:
        """A body or a message as JSON."""
        return bodies.decode(data)

    async def parse_http_body(self, request: AsyncHTTPRequestAdapter) -> GraphQLRequestData | list[GraphQLRequestData]:
        """The operation that is asked for. Raises HTTPException 400 for whatever is none."""
        try:
            data = await super().parse_http_body(request)
        except StarletteHTTPException as error:
            raise HTTPException(error.status_code, error.detail) from error
        except (AttributeError, TypeError, ValueError, LookupError) as error:
            raise HTTPException(400, "This is not a GraphQL request.") from error
        if isinstance(data, list):  # a batch; Strawberry has refused it
            raise HTTPException(400, "Send one operation at a time.")
        if not _is_name(data.operation_name):
            raise HTTPException(400, "`operationName` must be a string or null.")
        # Strawberry streams whenever events are accepted; who accepts JSON too (urql always does) gets JSON, except
        # for what can only be streamed.
        if data.protocol == "sse" and "json" in request.headers.get("accept", "") and not self._subscribes(data):
            data.protocol = "http"
        return data

    async def execute_operation(
        self,
        request: Request,
        request_adapter: AsyncHTTPRequestAdapter,
        request_data: GraphQLRequestData | list[GraphQLRequestData],
        context: Context,
        root_value: None,
        sub_response: Response,
    ) -> Any:
        """Run it; a wrong request is 4xx for clients that know the media type of GraphQL."""
        result = await super().execute_operation(
            request, request_adapter, request_data, context, root_value, sub_response
        )
        if isinstance(result, ExecutionResult) and _knows_media_type(request):
            sub_response.headers["content-type"] = f"{GRAPHQL_RESPONSE}; charset=utf-8"
            if _is_request_error(result):
                sub_response.status_code = 400
        return result

    async def execute_single(
        self,
        request: Request,
        request_adapter: AsyncHTTPRequestAdapter,
        sub_response: Response,
        context: Context,
        root_value: None,
        request_data: GraphQLRequestData,
    ) -> ExecutionResult:
        """Run a query or, by POST, a mutation. Raises HTTPException for anything else."""
        allowed = {OperationType.QUERY}
        if request_adapter.method == "POST":
            allowed.add(OperationType.MUTATION)
        try:
            return await self.schema.execute(
                request_data.query,
                variable_values=request_data.variables,
                context_value=context,
                root_value=root_value,
                operation_name=request_data.operation_name,
                operation_extensions=request_data.extensions,
                allowed_operation_types=allowed,
            )
        except InvalidOperationTypeError as error:
            if error.operation_type is OperationType.SUBSCRIPTION:
                raise HTTPException(406, _NO_STREAM) from error
            raise HTTPException(405, error.as_http_error_reason(request_adapter.method)) from error
        except CannotGetOperationTypeError as error:
            raise HTTPException(400, error.as_http_error_reason()) from error
        except MissingQueryError as error:
            raise HTTPException(400, "There is no operation in this request.") from error

    async def process_result(self, request: Request, result: ExecutionResult) -> GraphQLHTTPResponse:
        """The result as JSON; without `data` where nothing was executed."""
        out: GraphQLHTTPResponse = {}
        if result.errors:
            out["errors"] = [error.formatted for error in result.errors]
        if not (_is_request_error(result) and _knows_media_type(request)):
            out["data"] = result.data
        if result.extensions:
            out["extensions"] = result.extensions
        return out

    def create_response(
        self, response_data: GraphQLHTTPResponse | list[GraphQLHTTPResponse], sub_response: Response
    ) -> Response:
        """A response of the media type that was chosen."""
        media_type = sub_response.headers.get("content-type", "application/json")
        response = Response(self.encode_json(response_data), sub_response.status_code or 200)
        response.headers["content-type"] = media_type
        response.headers["vary"] = "Accept"
        return response

    async def create_streaming_response(
        self,
        request: Request | WebSocket,
        stream: Callable[[], AsyncIterator[str]],
        sub_response: Response,
        headers: Mapping[str, str],
    ) -> Response:
        """A response that ends promptly when its client goes."""
        return CancellableStream(stream(), headers=dict(headers))

    def _subscribes(self, data: GraphQLRequestData) -> bool:
        # A word is enough to tell: the worst that comes of a query that only mentions it is a stream of one event.
        return "subscription" in (data.query or "")


def _is_name(value: object) -> bool:
    return isinstance(value, str | None)


def _services(request: Request | WebSocket) -> Services:
    return request.state.services


def _refuse_cross_site(request: Request) -> None:
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if request.method == "POST" and media_type in _SIMPLE and not any(proof in request.headers for proof in _PROOFS):
        raise HTTPException(
            403, "A form of another site could send this too: send the header `GraphQL-Require-Preflight: 1` with it."
        )


def _refusal(request: Request, status: int, reason: str) -> Response:
    return JSONResponse(
        {"errors": [{"message": reason, "extensions": {"code": "BAD_USER_INPUT"}}]},
        status,
        headers={"allow": "GET, POST"} if status == 405 else None,
        media_type=GRAPHQL_RESPONSE if _knows_media_type(request) else None,
    )


def _knows_media_type(request: Request) -> bool:
    return GRAPHQL_RESPONSE in request.headers.get("accept", "")


def _is_request_error(result: ExecutionResult) -> bool:
    """Whether nothing was executed. (Errors of execution have a path.)"""
    if isinstance(result, PreExecutionError):
        return True
    return result.data is None and bool(result.errors) and all(error.path is None for error in result.errors or ())
