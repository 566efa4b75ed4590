"""Operations on one WebSocket, side by side, by the graphql-transport-ws protocol.

Strawberry's handler with three cures: a wrong operation is an `error` message and does not close the socket under all
the others, a malformed message closes it with 4400 instead of an exception, and pings find peers that are gone.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import ExitStack, aclosing, nullcontext, suppress
from typing import Any, Protocol, cast

from cross_web import HTTPException
from graphql import GraphQLError
from starlette import websockets as starlette_websockets
from strawberry.asgi import ASGIWebSocketAdapter
from strawberry.http.exceptions import WebSocketDisconnected
from strawberry.subscriptions.protocols.graphql_transport_ws.handlers import BaseGraphQLTransportWSHandler, Operation
from strawberry.subscriptions.protocols.graphql_transport_ws.types import (
    ConnectionInitMessage,
    Message,
    PongMessage,
    SubscribeMessage,
)
from strawberry.types.execution import PreExecutionError

from app import errors as app_errors
from app.graphql.context import Context
from app.graphql.execution import persisted
from app.graphql.options import GraphQLOptions
from app.graphql.schema import Schema
from app.graphql.transport import bodies, credentials
from app.graphql.transport.backlog import CLOSE_REASON, Backlog
from app.graphql.transport.streams import Leaving
from app.http.error_responses import log_error, masked

_GONE = (WebSocketDisconnected, starlette_websockets.WebSocketDisconnect, starlette_websockets.WebSocketDisconnected)
# How long one operation may keep the event loop to itself.
_BREATH_SECONDS = 0.005
_MALFORMED = "Malformed message."
# Results of one socket that are made or wait to be sent at once.
_AT_ONCE = 8
_TRY_AGAIN_LATER = 1013


class SocketOwner(Protocol):
    """What a socket needs of the API it belongs to."""

    options: GraphQLOptions
    open_streams: set[Leaving]
    backlog: Backlog


class SocketHandler(BaseGraphQLTransportWSHandler[Context, None]):
    """The protocol on one socket."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._owner = cast("SocketOwner", self.view)
        self._pinging: asyncio.Task[None] | None = None
        self._answered = True
        # Strawberry drops them: of operations that are about to begin.
        self._extensions: dict[str, dict[str, Any] | None] = {}
        self._sending = asyncio.Lock()
        self._cutting: asyncio.Task[None] | None = None
        self.unsent_bytes = 0
        self.context.turn = asyncio.Semaphore(_AT_ONCE)

    @property
    def user(self) -> str | None:
        """Whose socket it is; None where all are the same user."""
        return credentials.holder(self.context.asker, self.context.services)

    def cut(self) -> None:
        """Close it, for its client does not read what it asked for."""
        if self._cutting is None:
            self._cutting = asyncio.create_task(self._cut())

    async def _cut(self) -> None:
        for id in list(self.operations):
            await self.cleanup_operation(id)
        with suppress(*_GONE, RuntimeError):  # it may have closed already
            await self.websocket.close(_TRY_AGAIN_LATER, CLOSE_REASON)

    async def send_message(self, message: Message) -> None:
        """Send it after those that wait already."""
        text = str(self.view.encode_json(message))
        with self._owner.backlog.held(self, len(text)):
            async with self._sending:
                await cast("ASGIWebSocketAdapter", self.websocket).ws.send_text(text)

    async def handle(self) -> None:
        """Serve the socket until it closes."""
        self._owner.open_streams.add(self)
        try:
            await super().handle()
        finally:
            self._owner.open_streams.discard(self)

    async def leave(self) -> None:
        """Close, for the server stops."""
        with suppress(*_GONE):
            await self.websocket.close(1001, "The server is shutting down.")

    async def handle_connection_init(self, message: ConnectionInitMessage) -> None:
        """Acknowledge, and begin to ping."""
        await super().handle_connection_init(message)
        if self.connection_acknowledged and self._pinging is None:
            self._pinging = asyncio.create_task(self._ping())

    async def handle_pong(self, message: PongMessage) -> None:
        """The peer is there."""
        self._answered = True

    async def shutdown(self) -> None:
        """End everything that runs for this socket."""
        if self._pinging is not None:
            self._pinging.cancel()
        await super().shutdown()

    async def handle_message(self, message: Message) -> None:
        """One message; anything but the protocol's objects closes the socket."""
        try:
            await super().handle_message(message)
        except (TypeError, AttributeError, ValueError):
            await self.handle_invalid_message(_MALFORMED)

    async def handle_subscribe(self, message: SubscribeMessage) -> None:
        """Start an operation whose parts have the right types."""
        payload: Any = message["payload"]
        if not _is_operation(message["id"], payload):
            raise TypeError(_MALFORMED)
        payload.setdefault("query", None)
        id = message["id"]
        if not self.connection_acknowledged or id in self.operations:
            await super().handle_subscribe(message)  # which closes the socket
            return
        most = self._owner.options.max_socket_operations
        if len(self.operations) >= most:
            await self._refuse(id, f"{most} operations are running on this socket; wait for one to finish.")
            return
        if not await self._may_ask(id):
            return
        try:
            held = self._hold(payload)
        except (app_errors.RateLimited, app_errors.Unavailable) as error:
            await self._refuse(id, error.message, error.code)
            return
        await super().handle_subscribe(message)
        task = cast("asyncio.Task[None]", self.operations[id].task)
        task.add_done_callback(lambda _: held.close())
        self._extensions[id] = persisted.named(payload)  # its task begins after this

    def _hold(self, payload: object) -> ExitStack:
        """A place for an operation, and its request, until it is closed. Raises RateLimited or Unavailable."""
        options, user = self._owner.options, self.user
        with ExitStack() as stack:
            stack.enter_context(options.operations.held(user))
            stack.enter_context(options.requests.held(user, _size(payload)))
            return stack.pop_all()

    async def _may_ask(self, id: str) -> bool:
        """Whether the socket's credential is still good (if not, the socket closes), and this is not too much.

        An operation on a socket is a request like any other.
        """
        context = self.context
        if context.asker is None:
            return True
        try:
            await self._owner.options.identify(context.services, context.credential)
        except app_errors.Unauthenticated as error:
            with suppress(*_GONE):
                await self.websocket.close(4403, error.message)
            return False
        except app_errors.RateLimited as error:
            await self._refuse(id, error.message)
            return False
        except app_errors.Unavailable:  # what was let in stays; what it asks for will tell
            return True
        return True

    async def run_operation(self, operation: Operation[Context, None]) -> None:
        """Run to the end, or until the client completes it; a failure of ours is an `error` message, not silence."""
        extensions = self._extensions.pop(operation.id, None)
        # A result takes a turn while it is made and sent; a subscription takes one for each of its events.
        schema = cast("Schema", self.schema)
        subscribes = schema.subscribes(operation.query, operation.operation_name, extensions)
        async with nullcontext() if subscribes else self.context.turn:
            await self._run(operation, extensions)

    async def _run(self, operation: Operation[Context, None], extensions: dict[str, Any] | None) -> None:
        try:
            source: Any = await self.schema.stream(
                operation.query,
                variable_values=operation.variables,
                context_value=self.context,
                root_value=self.root_value,
                operation_name=operation.operation_name,
                operation_extensions=extensions,
            )
            async with aclosing(source):
                await self._send_results(operation, source)
            await operation.send_operation_message({"id": operation.id, "type": "complete"})
        except _GONE:
            self.operations.pop(operation.id, None)
        except Exception as error:  # the last stop of a task: nobody else would tell the client
            message = masked(log_error("operation failed on a socket,", error))
            failure = GraphQLError(message, extensions={"code": "INTERNAL_SERVER_ERROR"})
            with suppress(*_GONE):
                await operation.send_initial_errors([failure])

    async def _send_results(self, operation: Operation[Context, None], source: AsyncGenerator[Any]) -> None:
        clock = asyncio.get_running_loop().time
        breathed = clock()
        async for result in source:
            if isinstance(result, PreExecutionError):
                await operation.send_initial_errors(result.errors or [])
                return
            await operation.send_next(result)
            # Neither a source that always has more nor a socket that takes it all ever waits; others would.
            if clock() - breathed > _BREATH_SECONDS:
                await asyncio.sleep(0)
                breathed = clock()

    async def _refuse(self, id: str, reason: str, code: str = "RATE_LIMITED") -> None:
        error = GraphQLError(reason, extensions={"code": code})
        await self.send_message({"id": id, "type": "error", "payload": [error.formatted]})

    async def _ping(self) -> None:
        with suppress(*_GONE):
            while self._answered:
                self._answered = False
                await self.send_message({"type": "ping"})
                await asyncio.sleep(self._owner.options.ping_seconds)
            await self.websocket.close(4408, "The client sent no pong.")


def _size(value: object) -> int:
    """About the bytes of a JSON value in memory."""
    if isinstance(value, str):
        return 50 + len(value)
    if isinstance(value, list):
        return 50 + sum(map(_size, cast("list[object]", value)))
    if isinstance(value, dict):
        return 50 + sum(_size(key) + _size(item) for key, item in cast("dict[str, object]", value).items())
    return 50


def _is_operation(id: object, payload: Any) -> bool:
    if not isinstance(id, str) or not isinstance(payload, dict):
        return False
    try:
        bodies.check(payload)  # pyright: ignore[reportUnknownArgumentType]
    except HTTPException:
        return False
    return any(payload.get(part) is not None for part in ("query", "extensions", "documentId"))  # pyright: ignore[reportUnknownMemberType]
