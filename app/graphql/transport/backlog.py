"""What waits to be sent on WebSockets: bounded for each socket, each user and the whole process.

A client that reads has no more than a few results waiting. Of those that do not read, the one for which most waits is
cut off, and nobody else.
"""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Protocol

MOST_OF_A_SOCKET = 32_000_000
MOST_OF_A_USER = 64_000_000
MOST_TOGETHER = 128_000_000
REASON = "Too much unread data is waiting on this socket."


class Waiting(Protocol):
    """A socket. `user` is None where all are the same."""

    unsent: int

    @property
    def user(self) -> str | None:
        """Whose it is."""
        ...

    def cut(self) -> None:
        """Close it, now."""
        ...


class Unsent:
    """The bytes that wait on all sockets."""

    def __init__(self) -> None:
        self._sockets: set[Waiting] = set()

    @contextmanager
    def held(self, socket: Waiting, size: int) -> Generator[None]:
        """For as long as so much waits on a socket; who has too much is cut."""
        socket.unsent += size
        self._sockets.add(socket)
        try:
            if (laggard := self._laggard(socket)) is not None:
                laggard.cut()
            yield
        finally:
            socket.unsent -= size
            if not socket.unsent:
                self._sockets.discard(socket)

    def _laggard(self, socket: Waiting) -> Waiting | None:
        if socket.unsent > MOST_OF_A_SOCKET:
            return socket
        of_user = [one for one in self._sockets if one.user == socket.user] if socket.user else []
        for sockets, most in ((of_user, MOST_OF_A_USER), (self._sockets, MOST_TOGETHER)):
            if sum(one.unsent for one in sockets) > most:
                return max(sockets, key=lambda one: one.unsent)
        return None
