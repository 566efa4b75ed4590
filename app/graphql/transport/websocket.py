"""Run concurrent operations on a WebSocket with the graphql-transport-ws protocol.

Strawberry's handler, corrected. tests/graphql/transport/test_upstream.py fails when a correction is no longer needed:
- An invalid operation is an `error` message; it does not close the socket for all others (no upstream issue).
- A malformed message closes the socket with 4400 instead of raising an exception (no upstream issue).
- Pings detect dead peers (https://github.com/strawberry-graphql/strawberry/issues/2992).
- Operations keep their `extensions`, which refer to persisted documents (no upstream issue).
- An internal error is an `error` message; Strawberry only sends `complete` (no upstream issue).
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import ExitStack, aclosing, suppress
from typing import Any, cast

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
from strawberry.types.graphql import OperationType

from app import errors as app_errors
from app.graphql.context import Context
from app.graphql.errors import error_extensions
from app.graphql.execution import persisted
from app.graphql.schema import Schema
from app.graphql.transport import credentials, large_messages, subscribe_payloads
from app.graphql.transport.backlog import CLOSE_REASON
from app.graphql.transport.socket_adapter import SocketOwner
from app.http.error_responses import log_error, masked_message
from app.http.json_pieces import encode_with_pauses
from app.http.shared_pace import SharedPace
from app.quotas import RETRY_MS, Share, TokenBucket
from app.services import Caller

_GONE = (WebSocketDisconnected, starlette_websockets.WebSocketDisconnect, starlette_websockets.WebSocketDisconnected)
_MALFORMED = "Malformed message."
# Results of one socket that may be produced or wait to be sent at once.
_RESULTS_AT_ONCE = 8
_TRY_AGAIN_LATER = 1013
# Messages handled at once and per second; further ones wait, and then the client does. At first, only `connection_init`
# is expected.
_MESSAGES, _MESSAGES_PER_SECOND = 1_000, 500
_FIRST_MESSAGES, _FIRST_MESSAGES_PER_SECOND = 20, 5
# Every result repeats the id of its operation, and nothing counts its length.
_MAX_ID = 200
# How many messages are handled before other tasks get their turn.
_MESSAGES_PER_TURN = 8


class SocketHandler(BaseGraphQLTransportWSHandler[Context, None]):
    """The protocol on one socket."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._owner = cast("SocketOwner", self.view)
        self._pinging: asyncio.Task[None] | None = None
        self._answered = True
        # The extensions of operations that are about to start; Strawberry drops them.
        self._extensions: dict[Operation[Context, None], dict[str, Any] | None] = {}
        self._sending = asyncio.Lock()
        self._closing: asyncio.Task[None] | None = None
        self.unsent_bytes = 0
        self._quota_caller: Caller | None = None
        self._user: str | None = None
        self.context.result_slot = asyncio.Semaphore(_RESULTS_AT_ONCE)
        clock = asyncio.get_running_loop().time
        self._first_messages = TokenBucket(_FIRST_MESSAGES, _FIRST_MESSAGES_PER_SECOND, clock)
        self._messages = TokenBucket(_MESSAGES, _MESSAGES_PER_SECOND, clock)
        self._handled = 0

    @property
    def user(self) -> str | None:
        """The id of the socket's user; None if users do not have to sign in."""
        caller = self.context.caller
        if caller is not self._quota_caller:  # read with every message
            self._quota_caller, self._user = caller, credentials.quota_holder(caller, self.context.services)
        return self._user

    def abort_now(self) -> None:
        """Close the socket, because its client does not read its results."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._close_overloaded())

    async def _close_overloaded(self) -> None:
        for id in list(self.operations):
            await self.cleanup_operation(id)
        with suppress(*_GONE, RuntimeError):  # it may have closed already
            await self.websocket.close(_TRY_AGAIN_LATER, CLOSE_REASON)

    async def send_message(self, message: Message) -> None:
        """Send a message after those already waiting."""
        data = await encode_with_pauses(message)
        with self._owner.backlog.count_unsent(self, len(data)):
            async with self._sending:
                await cast("ASGIWebSocketAdapter", self.websocket).ws.send_text(data.decode())

    async def handle(self) -> None:
        """Serve the socket until it closes."""
        self._owner.open_streams.add(self)
        try:
            with suppress(*_GONE):  # it may close with messages left to answer
                await super().handle()
        finally:
            self._owner.open_streams.discard(self)

    async def end_cleanly(self) -> None:
        """Close the socket, because the server stops."""
        with suppress(*_GONE):
            await self.websocket.close(1001, "The server is shutting down.")

    async def handle_connection_init(self, message: ConnectionInitMessage) -> None:
        """Acknowledge the connection, accept large messages, and start to ping."""
        try:
            await super().handle_connection_init(message)
        except (app_errors.RateLimited, app_errors.Unavailable) as error:
            await self.websocket.close(_TRY_AGAIN_LATER, error.message)
            return
        if self.connection_acknowledged and self._pinging is None:
            scope = cast("ASGIWebSocketAdapter", self.websocket).ws.scope
            large_messages.allow_large_messages(scope, Share(self._owner.config.unfinished, self.user))
            self._pinging = asyncio.create_task(self._ping_until_silent())

    async def handle_pong(self, message: PongMessage) -> None:
        """Record that the peer has answered."""
        self._answered = True

    async def shutdown(self) -> None:
        """Stop everything that runs for this socket."""
        if self._pinging is not None:
            self._pinging.cancel()
        await super().shutdown()

    async def handle_message(self, message: Message) -> None:
        """Handle one message. Anything that is not a valid message of the protocol closes the socket."""
        await self._wait_for_turn()
        try:
            await super().handle_message(message)
        except (TypeError, AttributeError, ValueError):
            await self.handle_invalid_message(_MALFORMED)

    async def _wait_for_turn(self) -> None:
        """Handle messages no faster than the rate allows: meanwhile, no more of them are read."""
        rate = self._messages if self.connection_acknowledged else self._first_messages
        if seconds := rate.seconds_until_available():
            await asyncio.sleep(seconds)
        rate.take()
        self._handled += 1
        if self._handled % _MESSAGES_PER_TURN == 0:
            await asyncio.sleep(0)

    async def handle_subscribe(self, message: SubscribeMessage) -> None:
        """Start an operation, if its parts have the right types and the limits allow it."""
        payload: Any = message["payload"]
        if not subscribe_payloads.is_operation(message["id"], payload):
            raise TypeError(_MALFORMED)
        payload.setdefault("query", None)
        id = message["id"]
        if len(id) > _MAX_ID:
            await self.handle_invalid_message(f"The id of an operation may have at most {_MAX_ID} characters.")
            return
        if not self.connection_acknowledged or id in self.operations:
            await super().handle_subscribe(message)  # closes the socket
            return
        max_operations = self._owner.config.max_socket_operations
        if len(self.operations) >= max_operations:
            reason = f"{max_operations} operations are running on this socket; wait for one to finish."
            await self._send_refusal(id, app_errors.RateLimited(reason, RETRY_MS))
            return
        if not await self._may_start(id):
            return
        try:
            quotas = self._hold_quotas(payload)
        except (app_errors.RateLimited, app_errors.Unavailable) as error:
            await self._send_refusal(id, error)
            return
        await super().handle_subscribe(message)
        operation = self.operations[id]
        self._extensions[operation] = persisted.read_extensions(payload)  # its task starts after this, or never
        quotas.callback(self._extensions.pop, operation, None)
        cast("asyncio.Task[None]", operation.task).add_done_callback(lambda _: quotas.close())

    def _hold_quotas(self, payload: object) -> ExitStack:
        """Count an operation and its request against the quotas, until closed. Raises RateLimited or Unavailable."""
        config, user = self._owner.config, self.user
        with ExitStack() as stack:
            stack.enter_context(config.operations.hold(user))
            stack.enter_context(config.requests.hold(user, subscribe_payloads.memory_size(payload)))
            return stack.pop_all()

    async def _may_start(self, id: str) -> bool:
        """Whether the socket's credential is still valid and the user's rate limit is not exceeded.

        An operation on a socket counts as a request. If the credential is not valid, the socket is closed.
        """
        context = self.context
        if context.caller is None:
            return True
        try:
            await context.services.authentication.authenticate(context.credential)
        except app_errors.Unauthenticated as error:
            await self._close_unauthenticated(error)
            return False
        except app_errors.RateLimited as error:
            await self._send_refusal(id, error)
            return False
        except app_errors.Unavailable:  # an open socket stays open; the operation itself will report the problem
            return True
        return True

    async def _may_run(self) -> bool:
        """Whether the credential is still valid when an operation has its slot. If not, the socket is closed."""
        try:
            await self.context.recheck_credential()
        except app_errors.Unauthenticated as error:
            await self._close_unauthenticated(error)
            return False
        except app_errors.Unavailable:  # as in `_may_start`
            return True
        return True

    async def _close_unauthenticated(self, error: app_errors.Unauthenticated) -> None:
        with suppress(*_GONE):
            await self.websocket.close(4403, error.message)

    async def run_operation(self, operation: Operation[Context, None]) -> None:
        """Run an operation until it ends or the client completes it. Internal errors are sent as `error` messages."""
        extensions = self._extensions.pop(operation, None)
        # A result holds a slot while it is produced and sent; a subscription takes one for each event.
        schema = cast("Schema", self.schema)
        kind = schema.operation_type(operation.query, operation.operation_name, extensions)
        if kind is OperationType.SUBSCRIPTION:
            await self._run_and_report(operation, extensions)
            return
        async with self.context.result_slot, self._owner.slots.of_user(self.user):
            await self._run_and_report(operation, extensions)

    async def _run_and_report(self, operation: Operation[Context, None], extensions: dict[str, Any] | None) -> None:
        try:
            # A client that reads slowly can make its operations wait for minutes.
            if await self._may_run():
                await self._run(operation, extensions)
        except _GONE:
            self.operations.pop(operation.id, None)
        except Exception as error:  # the outermost handler of a task: nothing else would inform the client
            message = masked_message(log_error("operation failed on a socket,", error))
            failure = GraphQLError(message, extensions={"code": "INTERNAL_SERVER_ERROR"})
            with suppress(*_GONE):
                await operation.send_initial_errors([failure])

    async def _run(self, operation: Operation[Context, None], extensions: dict[str, Any] | None) -> None:
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

    async def _send_results(self, operation: Operation[Context, None], source: AsyncGenerator[Any]) -> None:
        pace = SharedPace()
        async for result in source:
            if isinstance(result, PreExecutionError):
                await operation.send_initial_errors(result.errors or [])
                return
            await operation.send_next(result)
            await pace.let_others_run()

    async def _send_refusal(self, id: str, error: app_errors.FootnoteError) -> None:
        refusal = GraphQLError(error.message, extensions=error_extensions(error))
        await self.send_message({"id": id, "type": "error", "payload": [refusal.formatted]})

    async def _ping_until_silent(self) -> None:
        with suppress(*_GONE):
            while self._answered:
                self._answered = False
                await self.send_message({"type": "ping"})
                await asyncio.sleep(self._owner.config.ping_seconds)
            await self.websocket.close(4408, "The client sent no pong.")
