"""Unsent results on WebSockets and streams: bounded for each connection, each user and the whole process.

A client that reads has no more than a few results waiting. Of those that do not read, the one with the most unsent
bytes is cut off, and nobody else.
"""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Protocol

MAX_BYTES_PER_CONNECTION = 32_000_000
MAX_BYTES_PER_USER = 64_000_000
MAX_BYTES = 128_000_000
CLOSE_REASON = "Too much unread data is waiting on this socket."


class Connection(Protocol):
    """A WebSocket or a streaming response. `user` is None where everybody is the same user."""

    unsent_bytes: int

    @property
    def user(self) -> str | None:
        """Whose it is."""
        ...

    def cut(self) -> None:
        """Close it, now."""
        ...


class Backlog:
    """The bytes that wait to be sent on all connections."""

    def __init__(self) -> None:
        self._connections: set[Connection] = set()

    @contextmanager
    def held(self, connection: Connection, size: int) -> Generator[None]:
        """Count bytes while they wait on a connection; cut off whoever has too many."""
        connection.unsent_bytes += size
        self._connections.add(connection)
        try:
            if (laggard := self._laggard(connection)) is not None:
                laggard.cut()
            yield
        finally:
            connection.unsent_bytes -= size
            if not connection.unsent_bytes:
                self._connections.discard(connection)

    def _laggard(self, connection: Connection) -> Connection | None:
        if connection.unsent_bytes > MAX_BYTES_PER_CONNECTION:
            return connection
        of_user = [one for one in self._connections if one.user == connection.user] if connection.user else []
        for connections, limit in ((of_user, MAX_BYTES_PER_USER), (self._connections, MAX_BYTES)):
            if sum(one.unsent_bytes for one in connections) > limit:
                return max(connections, key=lambda one: one.unsent_bytes)
        return None
