"""Strawberry's adapter of a WebSocket, which can be closed with a reason of any length, and the API it belongs to."""

from typing import Protocol

from strawberry.asgi import ASGIWebSocketAdapter

from app.graphql.api_config import GraphQLConfig
from app.graphql.transport.backlog import Backlog
from app.graphql.transport.operation_slots import OperationSlots
from app.graphql.transport.streams import OpenStream

# What fits into a close frame: 125 bytes, of which the code takes two (RFC 6455, section 5.5).
_MAX_REASON_BYTES = 123


class SocketAdapter(ASGIWebSocketAdapter):
    """Strawberry quotes what clients send when it closes a socket, however long that is (no upstream issue)."""

    async def close(self, code: int, reason: str) -> None:
        """Close the socket. A long reason is cut."""
        start = reason.encode("utf-8", "replace")[:_MAX_REASON_BYTES]
        await super().close(code, start.decode("utf-8", "ignore"))


class SocketOwner(Protocol):
    """What a socket needs from the API it belongs to."""

    config: GraphQLConfig
    open_streams: set[OpenStream]
    backlog: Backlog
    slots: OperationSlots
