"""Limit the unsent results on WebSockets and streams, per connection, per user and in the whole process.

A client that keeps reading never has more than a few results waiting. If a limit is exceeded, only one connection is
aborted: of those with the most unsent bytes, the one that has not been sent anything for the longest time.
"""

from dataclasses import dataclass
from typing import Protocol

MAX_BYTES_PER_CONNECTION = 32_000_000
MAX_BYTES_PER_USER = 64_000_000
MAX_BYTES = 128_000_000
_SMALLEST_LIMIT = min(MAX_BYTES_PER_CONNECTION, MAX_BYTES_PER_USER, MAX_BYTES)
CLOSE_REASON = "Too much unread data is waiting on this socket."


class Connection(Protocol):
    """A WebSocket or a streaming response. `user` is None if users do not have to sign in."""

    unsent_bytes: int

    @property
    def user(self) -> str | None:
        """The id of its user."""
        ...

    def abort_now(self) -> None:
        """Close it at once."""
        ...


class Backlog:
    """The unsent bytes of all connections."""

    def __init__(self) -> None:
        # Those that were sent something most recently come last.
        self._connections: dict[Connection, None] = {}
        self._bytes = 0

    def count_unsent(self, connection: Connection, size: int) -> "UnsentBytes":
        """Count bytes within a `with` statement, while they wait to be sent."""
        return UnsentBytes(self, connection, size)

    def add_unsent(self, connection: Connection, size: int) -> None:
        """Count bytes that wait to be sent, and abort a connection if a limit is exceeded."""
        connection.unsent_bytes += size
        self._bytes += size
        self._connections.setdefault(connection)
        if self._bytes > _SMALLEST_LIMIT and (slowest := self._find_connection_to_abort(connection)) is not None:
            slowest.abort_now()

    def remove_unsent(self, connection: Connection, size: int) -> None:
        """Stop counting bytes that were sent, or never will be."""
        connection.unsent_bytes -= size
        self._bytes -= size
        self.record_progress(connection)

    def record_progress(self, connection: Connection) -> None:
        """Record that something was sent: the connection's client is reading."""
        self._connections.pop(connection, None)
        if connection.unsent_bytes:
            self._connections[connection] = None

    def _find_connection_to_abort(self, connection: Connection) -> Connection | None:
        if connection.unsent_bytes > MAX_BYTES_PER_CONNECTION:
            return connection
        of_user = [one for one in self._connections if one.user == connection.user] if connection.user else []
        for connections, limit in ((of_user, MAX_BYTES_PER_USER), (self._connections, MAX_BYTES)):
            if sum(one.unsent_bytes for one in connections) > limit:
                # Not simply the largest: that may be one that reads, and whose result has just arrived.
                most = max(one.unsent_bytes for one in connections)
                return next(one for one in connections if 2 * one.unsent_bytes >= most)
        return None


@dataclass(slots=True)
class UnsentBytes:
    """Bytes that are counted within a `with` statement. A generator function would be slower, for every event."""

    backlog: Backlog
    connection: Connection
    size: int

    def __enter__(self) -> None:
        try:
            self.backlog.add_unsent(self.connection, self.size)
        except BaseException:  # `__exit__` is not called then
            self.backlog.remove_unsent(self.connection, self.size)
            raise

    def __exit__(self, *_: object) -> None:
        self.backlog.remove_unsent(self.connection, self.size)
