"""Notifications between the processes of one machine that have the same database open."""

import asyncio
import logging
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from app.notifier import topics
from app.notifier.local import LocalNotifier
from app.notifier.peers import MAX_MESSAGE_BYTES, PeerSockets
from app.notifier.subscription import TopicSubscription
from app.notifier.topics import Topic

log = logging.getLogger(__name__)

# A process can be killed between its commit and its notification, and without a socket nothing arrives at all. So
# while other processes may exist, all subscribers check again this often. This is rare, so the interval is long.
LOOK_AGAIN_SECONDS = 30.0
# A peer whose queue is full gets the rest later, with growing delays: it may be suspended.
_RETRY_SECONDS, _LONGEST_RETRY_SECONDS = 0.02, 2.0
# Topics kept for one peer; if more are pending, it gets EVERYTHING instead.
_MAX_UNSENT = 1000
# Messages read per iteration of the event loop.
_MESSAGES_AT_ONCE = 64


class MachineNotifier:
    """Notifies all processes on one database and receives their notifications. Runs no timer without peers."""

    def __init__(self, database: Path) -> None:
        self._local = LocalNotifier()
        self._sockets = PeerSockets(database)
        self._loop = asyncio.get_running_loop()
        self._descriptor: int | None = None
        self._outgoing: set[Topic] = set()
        self._unsent: dict[str, set[Topic]] = {}
        self._retry_seconds = _RETRY_SECONDS
        self._flush_handle: asyncio.Handle | None = None
        self._retry_handle: asyncio.TimerHandle | None = None
        self._look_again_handle: asyncio.TimerHandle | None = None

    @classmethod
    @contextmanager
    def opened(cls, database: Path) -> Generator["MachineNotifier"]:
        """Open the notifier of a database file; close it at the end of the block."""
        notifier = cls(database)
        notifier._open()
        try:
            yield notifier
        finally:
            notifier._close()

    def notify(self, topic: Topic) -> None:
        """Wake this process's subscribers now, and other processes' in the next iteration of the event loop."""
        self._local.notify(topic)
        self._outgoing.add(topic)
        if self._flush_handle is None:
            self._flush_handle = self._loop.call_soon(self._flush)

    def subscribe(self, *topics: Topic) -> TopicSubscription:
        """Subscribe to these topics, whichever process notifies."""
        return self._local.subscribe(*topics)

    def ensure_reachable(self) -> None:
        """Recreate the socket if it was removed."""
        if self._descriptor is not None and not self._sockets.is_reachable:
            self._disconnect()
            self._open()
            self._local.notify(topics.EVERYTHING)

    def _open(self) -> None:
        try:
            self._descriptor = self._sockets.open()
            self._loop.add_reader(self._descriptor, self._receive)
        except (OSError, NotImplementedError) as error:
            self._disconnect()
            log.warning(
                "no socket for notifications from other processes (%s): their changes appear after up to %.0f seconds",
                error,
                LOOK_AGAIN_SECONDS,
            )
        self._look_again_while_needed()

    def _close(self) -> None:
        self._flush()
        for handle in (self._retry_handle, self._look_again_handle):
            if handle is not None:
                handle.cancel()
        self._disconnect()

    def _disconnect(self) -> None:
        if self._descriptor is not None:
            with suppress(NotImplementedError):
                self._loop.remove_reader(self._descriptor)
            self._descriptor = None
        self._sockets.close()

    def _flush(self) -> None:
        """Send the topics notified since the last flush, and those that full queues have rejected."""
        for handle in (self._flush_handle, self._retry_handle):
            if handle is not None:
                handle.cancel()
        self._flush_handle = self._retry_handle = None
        outgoing, self._outgoing = self._outgoing, set()
        unsent, self._unsent = self._unsent, {}
        peers = list(self._sockets.list_peers())
        for peer in peers:
            if rest := self._send(peer, unsent.get(peer, set()) | outgoing):
                self._unsent[peer] = rest if len(rest) <= _MAX_UNSENT else {topics.EVERYTHING}
        if peers:
            self._expect_peers()
        if self._unsent:
            self._retry_handle = self._loop.call_later(self._retry_seconds, self._flush)
            self._retry_seconds = min(2 * self._retry_seconds, _LONGEST_RETRY_SECONDS)
        else:
            self._retry_seconds = _RETRY_SECONDS

    def _send(self, peer: str, notified: set[Topic]) -> set[Topic]:
        """Send topics to a peer; returns those that did not fit into its queue."""
        rest = set(notified)
        for message in topics.encode(notified, MAX_MESSAGE_BYTES):
            if not self._sockets.send(peer, message):
                break
            rest.difference_update(topics.decode(message))
        return rest

    def _receive(self) -> None:
        for _ in range(_MESSAGES_AT_ONCE):
            message = self._sockets.receive()
            if message is None:
                return
            if not message:  # a greeting from a new peer
                self._sockets.forget_listing()
            self._expect_peers()
            for topic in topics.decode(message):
                self._local.notify(topic)

    def _expect_peers(self) -> None:
        if self._look_again_handle is None:
            self._look_again_handle = self._loop.call_later(LOOK_AGAIN_SECONDS, self._look_again)

    def _look_again(self) -> None:
        self._look_again_handle = None
        self._local.notify(topics.EVERYTHING)
        self._look_again_while_needed()

    def _look_again_while_needed(self) -> None:
        """Schedule another look if there may be peers. An empty message greets live peers and reveals dead ones."""
        for peer in list(self._sockets.list_peers()):
            self._sockets.send(peer, b"")
        if self._descriptor is None or self._sockets.list_peers():
            self._expect_peers()
