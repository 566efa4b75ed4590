"""Strawberry's ASGI view, made strict: malformed requests are 400, cross-site forms are refused, subscriptions need a
transport that can carry them, and the status codes and media types are those of GraphQL over HTTP.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing
from datetime import timedelta
from typing import Any, cast

from cross_web import AsyncHTTPRequestAdapter, HTTPException, StarletteRequestAdapter
from graphql import GraphQLError
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
from app.graphql.context import Context
from app.graphql.execution import persisted
from app.graphql.options import GraphQLOptions
from app.graphql.schema import Schema, build_schema
from app.graphql.transport import bodies, content_negotiation, credentials, error_responses, streams
from app.graphql.transport.backlog import Backlog
from app.graphql.transport.content_negotiation import GRAPHQL_RESPONSE
from app.graphql.transport.error_responses import error_response
from app.graphql.transport.operation_view import OperationView
from app.graphql.transport.streams import CancellableStream, EventStream, Leaving
from app.graphql.transport.websocket import SocketHandler
from app.http import callers, strict_json
from app.http.error_responses import log_error, masked
from app.http.request_body import BodyError, RequestBody
from app.http.static_files import playground_page
from app.services import Asker, Services, require_asker

# Bytes of a request that shows no credential.
_MOST_OF_STRANGERS = 20_000


def create_graphql_api(options: GraphQLOptions) -> "GraphQLAPI":
    """The ASGI application of one address; services come with the lifespan's state, as `services`."""
    return GraphQLAPI(options, build_schema(options))


class RequestAdapter(StarletteRequestAdapter):
    """Strawberry's view of a request, with the request itself."""

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        self.request = request


class GraphQLAPI(OperationView):
    """GraphQL over HTTP, WebSocket, server-sent events and multipart."""

    request_adapter_class = RequestAdapter
    graphql_transport_ws_handler_class = SocketHandler
    stream_transport_classes_by_protocol = {  # noqa: RUF012
        **GraphQL.stream_transport_classes_by_protocol,
        GRAPHQL_SSE_PROTOCOL: EventStream,
    }

    def __init__(self, options: GraphQLOptions, schema: Schema) -> None:
        super().__init__(
            schema,
            subscription_protocols=[
                GRAPHQL_TRANSPORT_WS_PROTOCOL,
                GRAPHQL_SSE_PROTOCOL,
                MULTIPART_SUBSCRIPTION_PROTOCOL,
            ],
            multipart_uploads_enabled=True,
            connection_init_wait_timeout=timedelta(seconds=options.request_seconds),
            max_subscriptions_per_connection=None,  # `SocketHandler` bounds them, with a code
        )
        for transport in self._stream_transport_map.values():
            transport.heartbeat_interval = min(transport.heartbeat_interval, options.ping_seconds)
        self.options = options
        self.open_streams: set[Leaving] = set()
        self.backlog = Backlog()

    async def leave(self) -> None:
        """End all streams and sockets, for the server stops: their clients know that they are to come again."""
        await asyncio.gather(*(leaving.leave() for leaving in tuple(self.open_streams)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request or a socket."""
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        body = self._request_body(scope, receive)
        request = Request(scope, body)
        try:
            response = await self._answer(request)
            if not isinstance(response, CancellableStream):  # that one may have yet to read them
                await request.close()
            await response(scope, receive, send)
        finally:
            await request.close()  # the files that came with it, however it ended
            body.close()

    async def _answer(self, request: Request) -> Response:
        try:
            bodies.refuse_cross_site(request)
            return await self.run(request)
        except HTTPException as error:
            code = "FORBIDDEN" if error.status_code == 403 else "BAD_USER_INPUT"
            return error_responses.response(request, error.status_code, error.reason, code)
        except BodyError as error:
            return error_responses.response(request, error.status, error.message, "BAD_USER_INPUT")
        except (app_errors.Unauthenticated, app_errors.RateLimited, app_errors.Unavailable) as error:
            return error_response(request, error)
        except ClientDisconnect:
            return Response(status_code=400)  # nobody reads it
        except Exception as error:  # the last stop of a request: what is behind it is the log's
            message = masked(log_error("request failed,", error))
            return error_responses.response(request, 500, message, "INTERNAL_SERVER_ERROR")

    def _request_body(self, scope: Scope, receive: Receive) -> RequestBody:
        options, max_bytes = self.options, self.options.max_body_bytes
        if bodies.media_type(Request(scope)) == bodies.FORM:
            max_bytes += options.max_upload_bytes
        return RequestBody(scope, receive, max_bytes=max_bytes, seconds=options.request_seconds)

    async def get_context(self, request: Request | WebSocket, response: Response | WebSocket) -> Context:
        """Of a request or a socket; operations fork it."""
        services: Services = request.state.services
        if isinstance(request, Request):
            credential = credentials.credential_in(request.headers)
            asker = await self.options.identify(services, credential)
            self._bound(request, asker, services)
            return Context(services, asker, credential, callers.address(request.scope))
        return Context(services, None, address=callers.address(request.scope), socket_headers=dict(request.headers))

    def _bound(self, request: Request, asker: Asker | None, services: Services) -> None:
        """Hold the body that is about to be read; of who may only sign in few bytes, and no files."""
        form, body = bodies.media_type(request) == bodies.FORM, cast("RequestBody", request.receive)
        if asker is None:
            if form:
                require_asker(asker)
            body.limit(_MOST_OF_STRANGERS)
        body.hold(self.options.uploads if form else self.options.requests, credentials.holder(asker, services))

    async def on_ws_connect(self, context: Context) -> UnsetType:
        """Let in who may come in; anybody else's socket is closed with 4403."""
        context.credential = credentials.credential_in(context.socket_headers, context.connection_params)
        try:
            context.asker = await self.options.identify(context.services, context.credential)
        except app_errors.FootnoteError as error:
            raise ConnectionRejectionError from error
        if context.asker is None:
            raise ConnectionRejectionError
        return UNSET

    def is_websocket_origin_allowed(self, request: WebSocket, origin: str) -> bool:
        """Whether a page of another origin may open a socket: `OriginCheck` has refused those that may not."""
        return True

    def should_render_graphql_ide(self, request: BaseRequestProtocol) -> bool:
        """Browsers say that they want HTML; programs take anything."""
        asks = any(request.query_params.get(part) is not None for part in ("query", "extensions", "documentId"))
        wants_page = request.method == "GET" and not asks and "text/html" in request.headers.get("accept", "")
        return wants_page and self.options.playground

    async def render_graphql_ide(self, request: Request) -> Response:
        """Our own playground."""
        return playground_page()

    def decode_json(self, data: str | bytes) -> object:
        """A message as JSON."""
        return strict_json.decode(data)

    async def parse_http_body(self, request: AsyncHTTPRequestAdapter) -> GraphQLRequestData:
        """The operation that is asked for. Raises HTTPException for whatever is none."""
        adapter = cast("RequestAdapter", request)
        accept = request.headers.get("accept", "")
        transport = self._get_stream_transport_from_headers(request.headers)
        if transport is None and content_negotiation.chosen(accept) is None:
            raise HTTPException(406, f"The result is available as {GRAPHQL_RESPONSE} or {content_negotiation.JSON}.")
        operation = await bodies.read(adapter.request, max_part_bytes=self.options.max_body_bytes)
        bodies.check(operation)
        data = GraphQLRequestData(
            query=operation.get("query"),
            variables=operation.get("variables"),
            operation_name=operation.get("operationName"),
            extensions=persisted.named(operation),
            protocol=transport.protocol if transport else "http",
        )
        # Strawberry streams whenever events are accepted; who accepts JSON too (urql always does) gets JSON, except
        # for what can only be streamed.
        if data.protocol == "sse" and "json" in accept and not self._subscribes(data):
            data.protocol = "http"
        return data

    def create_response(
        self, response_data: GraphQLHTTPResponse | list[GraphQLHTTPResponse], sub_response: Response
    ) -> Response:
        """A response of the media type that was chosen."""
        media_type = sub_response.headers.get("content-type", "application/json")
        response = Response(self.encode_json(response_data), sub_response.status_code or 200)
        response.headers["content-type"] = media_type
        response.headers["vary"] = "Accept"
        response.headers["cache-control"] = "no-store"
        return response

    def _stream_result(
        self, request: Request | WebSocket, result: SubscriptionExecutionResult, transport: HTTPStreamTransport
    ) -> Callable[[], AsyncGenerator[str]]:
        """The body, each event made when the one before has left: Strawberry's makes three ahead."""
        return lambda: streams.with_heartbeats(
            self._encoded(cast("Request", request), result, transport),
            transport.heartbeat_message(self.encode_json_string),
            transport,
        )

    async def _encoded(
        self, request: Request, result: SubscriptionExecutionResult, transport: HTTPStreamTransport
    ) -> AsyncGenerator[str]:
        async with aclosing(cast("AsyncGenerator[Any]", result)):
            async for value in result:
                response = await self.process_result(request, value)
                text = transport.encode_next(response, self.encode_json_string)
                # Frames up to the resolver's keep the value, which may wait for its reader for long.
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
        """A response that ends promptly when its client goes."""
        body = cast("AsyncGenerator[str]", stream())
        user = cast("RequestBody", request.receive).holder
        return CancellableStream(
            body, headers=dict(headers), open_streams=self.open_streams, backlog=self.backlog, user=user
        )

    def _subscribes(self, data: GraphQLRequestData) -> bool:
        # A word is enough to tell: the worst that comes of a query that only mentions it is a stream of one event.
        try:
            return "subscription" in (self.schema.persisted.text(data.query, data.extensions) or "")
        except GraphQLError:
            return False
