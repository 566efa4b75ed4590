"""Strawberry's ASGI view, made strict.

Malformed requests are 400, cross-site forms are refused, subscriptions need a transport that supports them, and status
codes and media types follow GraphQL over HTTP.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing
from datetime import timedelta
from typing import Any, cast

from cross_web import AsyncHTTPRequestAdapter, HTTPException, StarletteRequestAdapter
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket
from strawberry.asgi import GraphQL
from strawberry.exceptions import ConnectionRejectionError
from strawberry.http import GraphQLHTTPResponse, GraphQLRequestData
from strawberry.http.base import BaseRequestProtocol
from strawberry.http.streaming import HTTPStreamTransport
from strawberry.subscriptions import (
    GRAPHQL_SSE_PROTOCOL,
    GRAPHQL_TRANSPORT_WS_PROTOCOL,
    MULTIPART_SUBSCRIPTION_PROTOCOL,
)
from strawberry.types.execution import SubscriptionExecutionResult
from strawberry.types.unset import UNSET, UnsetType

from app import errors as app_errors
from app.graphql.api_config import GraphQLConfig
from app.graphql.context import Context
from app.graphql.execution import persisted
from app.graphql.schema import Schema, build_schema
from app.graphql.transport import bodies, content_negotiation, credentials, error_responses, results, streams
from app.graphql.transport.backlog import Backlog
from app.graphql.transport.content_negotiation import GRAPHQL_RESPONSE
from app.graphql.transport.error_responses import error_response
from app.graphql.transport.operation_slots import OperationSlots
from app.graphql.transport.operation_view import OperationView
from app.graphql.transport.results import OperationResult
from app.graphql.transport.socket_adapter import SocketAdapter
from app.graphql.transport.streams import CancellableStream, EventStream, OpenStream
from app.graphql.transport.websocket import SocketHandler
from app.http import forwarding, strict_json
from app.http.error_responses import log_error, masked_message
from app.http.files.static_files import playground_page
from app.http.json_pieces import EncodedTooLarge, encode_with_pauses
from app.http.request_body import MAX_ANONYMOUS_BYTES, BodyError, RequestBody
from app.services import Caller, Services, require_caller


def create_graphql_api(config: GraphQLConfig) -> "GraphQLAPI":
    """The ASGI application of this API. It finds the services in the lifespan's state, as `services`."""
    return GraphQLAPI(config, build_schema(config))


class RequestAdapter(StarletteRequestAdapter):
    """Strawberry's request adapter, with access to the request itself."""

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        self.request = request


class GraphQLAPI(OperationView):
    """GraphQL over HTTP, WebSocket, server-sent events and multipart."""

    request_adapter_class = RequestAdapter
    graphql_transport_ws_handler_class = SocketHandler
    websocket_adapter_class = SocketAdapter
    stream_transport_classes_by_protocol = {  # noqa: RUF012
        **GraphQL.stream_transport_classes_by_protocol,
        GRAPHQL_SSE_PROTOCOL: EventStream,
    }

    def __init__(self, config: GraphQLConfig, schema: Schema) -> None:
        super().__init__(
            schema,
            subscription_protocols=[
                GRAPHQL_TRANSPORT_WS_PROTOCOL,
                GRAPHQL_SSE_PROTOCOL,
                MULTIPART_SUBSCRIPTION_PROTOCOL,
            ],
            multipart_uploads_enabled=True,
            connection_init_wait_timeout=timedelta(seconds=config.request_seconds),
            max_subscriptions_per_connection=None,  # `SocketHandler` limits them, with an error code
        )
        for transport in self._stream_transport_map.values():
            transport.heartbeat_interval = min(transport.heartbeat_interval, config.ping_seconds)
        self.config = config
        self.open_streams: set[OpenStream] = set()
        self.backlog = Backlog()
        self.slots = OperationSlots()

    async def end_streams(self) -> None:
        """End all streams and sockets because the server stops, so that clients know that they can reconnect."""
        await asyncio.gather(*(stream.end_cleanly() for stream in tuple(self.open_streams)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request or a socket."""
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        body = self._request_body(scope, receive)
        request = Request(scope, body)
        try:
            response = await self._respond_or_fail(request)
            if not isinstance(response, CancellableStream):  # a stream may still have to read the uploaded files
                await request.close()
            await response(scope, receive, send)
        finally:
            self.slots.release(request)
            await request.close()  # closes the uploaded files, however the request ended
            body.close()

    async def _respond_or_fail(self, request: Request) -> Response:
        try:
            bodies.refuse_cross_site(request)
            response = await self.run(request)
            if isinstance(response, OperationResult):
                await response.encode()
            return response
        except EncodedTooLarge:
            return results.too_large(request, has_mutated=self.has_mutated(request))
        except HTTPException as error:
            code = "FORBIDDEN" if error.status_code == 403 else "BAD_USER_INPUT"
            return error_responses.top_level_error(request, error.status_code, error.reason, code)
        except BodyError as error:
            return error_responses.top_level_error(request, error.status, error.message, "BAD_USER_INPUT")
        except (app_errors.Unauthenticated, app_errors.RateLimited, app_errors.Unavailable) as error:
            return error_response(request, error)
        except ClientDisconnect:
            return Response(status_code=400)  # nobody reads it
        except Exception as error:  # the outermost handler of a request: the details go to the log
            message = masked_message(log_error("request failed,", error))
            return error_responses.top_level_error(request, 500, message, "INTERNAL_SERVER_ERROR")

    def _request_body(self, scope: Scope, receive: Receive) -> RequestBody:
        config, max_bytes = self.config, self.config.max_body_bytes
        if bodies.media_type(Request(scope)) == bodies.FORM:
            max_bytes += config.max_upload_bytes
        return RequestBody(scope, receive, max_bytes=max_bytes, seconds=config.request_seconds)

    async def get_context(self, request: Request | WebSocket, response: Response | WebSocket) -> Context:
        """The context of a request or a socket."""
        services: Services = request.state.services
        if isinstance(request, Request):
            credential = credentials.credential_in(request.headers)
            caller = await services.authentication.authenticate(credential)
            self._hold_body(request, caller, services)
            return Context(services, caller, credential, forwarding.client_address(request.scope))
        return Context(
            services, None, address=forwarding.client_address(request.scope), socket_headers=dict(request.headers)
        )

    def _hold_body(self, request: Request, caller: Caller | None, services: Services) -> None:
        """Charge the body to the sender's quota. Without a credential, it must be small and have no files."""
        form, body = bodies.media_type(request) == bodies.FORM, cast("RequestBody", request.receive)
        if caller is None:
            if form:
                require_caller(caller)
            body.lower_limit(MAX_ANONYMOUS_BYTES)
        body.hold_quota(
            self.config.uploads if form else self.config.requests, credentials.quota_holder(caller, services)
        )

    async def on_ws_connect(self, context: Context) -> UnsetType:
        """Authenticate a socket; it is closed with 4403 if that fails. Raises RateLimited or Unavailable."""
        context.credential = credentials.credential_in(context.socket_headers, context.connection_params)
        try:
            context.caller = await context.services.authentication.authenticate(context.credential)
        except app_errors.Unauthenticated as error:
            raise ConnectionRejectionError from error
        if context.caller is None:
            raise ConnectionRejectionError
        return UNSET

    def is_websocket_origin_allowed(self, request: WebSocket, origin: str) -> bool:
        """Always true: `OriginCheck` has already refused the origins that are not allowed."""
        return True

    def should_render_graphql_ide(self, request: BaseRequestProtocol) -> bool:
        """Whether to show the playground: browsers ask for HTML, programs accept anything."""
        has_operation = any(
            request.query_params.get(part) is not None for part in ("query", "extensions", "documentId")
        )
        wants_page = request.method == "GET" and not has_operation and "text/html" in request.headers.get("accept", "")
        return wants_page and self.config.playground

    async def render_graphql_ide(self, request: Request) -> Response:
        """The playground, instead of Strawberry's GraphiQL."""
        return playground_page()

    def decode_json(self, data: str | bytes) -> object:
        """Decode a message strictly."""
        return strict_json.decode(data)

    async def parse_http_body(self, request: AsyncHTTPRequestAdapter) -> GraphQLRequestData:
        """The operation in a request. Raises HTTPException for an invalid request."""
        adapter = cast("RequestAdapter", request)
        accept = request.headers.get("accept", "")
        transport = self._get_stream_transport_from_headers(request.headers)
        if transport is None and content_negotiation.choose_media_type(accept) is None:
            raise HTTPException(406, f"The result is available as {GRAPHQL_RESPONSE} or {content_negotiation.JSON}.")
        operation = await bodies.read_operation(adapter.request, max_part_bytes=self.config.max_body_bytes)
        bodies.check_part_types(operation)
        data = GraphQLRequestData(
            query=operation.get("query"),
            variables=operation.get("variables"),
            operation_name=operation.get("operationName"),
            extensions=persisted.read_extensions(operation),
            protocol=transport.protocol if transport else "http",
        )
        # Strawberry streams to every client that accepts events. One that also accepts JSON gets JSON unless the
        # operation is a subscription: urql always accepts both (https://github.com/urql-graphql/urql/issues/3673).
        if data.protocol == "sse" and "json" in accept and not self._may_subscribe(data):
            data.protocol = "http"
        return data

    def encode_json(self, data: object) -> bytes:
        """A result as JSON."""
        return strict_json.encode(data, ascii_only=True)

    def create_response(
        self, response_data: GraphQLHTTPResponse | list[GraphQLHTTPResponse], sub_response: Response
    ) -> Response:
        """A response with the chosen media type."""
        media_type = sub_response.headers.get("content-type", "application/json")
        return OperationResult(response_data, sub_response.status_code or 200, media_type)

    def _stream_result(
        self, request: Request | WebSocket, result: SubscriptionExecutionResult, transport: HTTPStreamTransport
    ) -> Callable[[], AsyncGenerator[str]]:
        """The body. Each event is produced when the previous one is sent, not before (no upstream issue)."""
        return lambda: streams.with_heartbeats(
            self._encode_events(cast("Request", request), result, transport),
            transport.heartbeat_message(self.encode_json_string),
            transport,
        )

    async def _encode_events(
        self, request: Request, result: SubscriptionExecutionResult, transport: HTTPStreamTransport
    ) -> AsyncGenerator[str]:
        async with aclosing(cast("AsyncGenerator[Any]", result)):
            async for value in result:
                response = await self.process_result(request, value)
                text = await _encode_event(response, transport)
                # The frames below keep a reference to the value, and sending may take long.
                value.data = None
                del value, response
                yield text
                del text
        yield transport.encode_complete()

    async def create_streaming_response(
        self,
        request: Request | WebSocket,
        stream: Callable[[], AsyncIterator[str]],
        sub_response: Response,
        headers: Mapping[str, str],
    ) -> Response:
        """A response that ends promptly when its client disconnects."""
        body = cast("AsyncGenerator[str]", stream())
        user = cast("RequestBody", request.receive).holder
        return CancellableStream(
            body, headers=dict(headers), open_streams=self.open_streams, backlog=self.backlog, user=user
        )


async def _encode_event(response: GraphQLHTTPResponse, transport: HTTPStreamTransport) -> str:
    """One event of a stream. The transport says what to encode, since it may wrap the response; then it gets that."""
    wrapped: list[object] = []

    def take(data: object) -> str:
        wrapped.append(data)
        return ""

    transport.encode_next(response, take)
    encoded = (await encode_with_pauses(wrapped.pop())).decode()
    return transport.encode_next(response, lambda _: encoded)
