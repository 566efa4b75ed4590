"""Notifications between all processes on one database server, on whichever machines: LISTEN and NOTIFY."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from app.notifier import topics
from app.notifier.local import LocalNotifier
from app.notifier.subscription import TopicSubscription
from app.notifier.topics import Topic
from app.observation.outages import OutageLog

log = logging.getLogger(__name__)

_CHANNEL = "footnote"
# PostgreSQL accepts payloads of less than 8,000 bytes.
_MAX_MESSAGE_BYTES = 7000
# A process can be killed between its commit and its notification. So a process that has heard from others checks for
# changes this often, and every process checks that its connection still works.
_LOOK_AGAIN_SECONDS = 30.0
_RETRY_SECONDS, _LONGEST_RETRY_SECONDS = 0.2, 5.0
_CLOSE_SECONDS = 2.0
# Topics kept while the server is unreachable; if more are pending, EVERYTHING is sent instead.
_MAX_UNSENT = 1000

Connect = Callable[[], Awaitable[Any]]
"""Opens an asyncpg connection."""


class ServerNotifier:
    """Exchanges notifications with other processes over its own connection, and reconnects when that is lost."""

    def __init__(self, connect: Connect, failures: tuple[type[Exception], ...]) -> None:
        """`failures`: the exceptions raised when a connection is lost or cannot be opened."""
        self._local = LocalNotifier()
        self._connect = connect
        self._failures = failures
        self._outgoing: set[Topic] = set()
        self._changed = asyncio.Event()
        self._hears_others = False

    @classmethod
    @asynccontextmanager
    async def opened(cls, connect: Connect, failures: tuple[type[Exception], ...]) -> AsyncGenerator["ServerNotifier"]:
        """Open the notifier; at the end of the block, send what is pending and close it.

        If the first connection fails (LISTEN does not work on a standby, and a server may have no connection left), it
        is retried in the background.
        """
        notifier = cls(connect, failures)
        connection = None
        with suppress(*failures):
            connection = await notifier._listen()
        running = asyncio.create_task(notifier._run(connection))
        try:
            yield notifier
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running
            # A task that is cancelled before it starts closes nothing.
            if connection is not None:
                connection.terminate()

    def notify(self, topic: Topic) -> None:
        """Wake this process's subscribers now, and other processes' soon."""
        self._local.notify(topic)
        self._outgoing.add(topic)
        self._changed.set()

    def subscribe(self, *topics: Topic) -> TopicSubscription:
        """Subscribe to these topics, whichever process notifies."""
        return self._local.subscribe(*topics)

    def ensure_reachable(self) -> None:
        """Do nothing: the background task reconnects by itself."""

    async def _run(self, connection: Any) -> None:
        retry_seconds = _RETRY_SECONDS
        outages = OutageLog(log, "notifications from other processes are interrupted", "notifications arrive again")
        while True:
            try:
                if connection is None:
                    connection = await self._listen()
                    # Notifications that other processes sent in the meantime were lost.
                    self._local.notify(topics.EVERYTHING)
                    outages.report_success()
                retry_seconds = _RETRY_SECONDS
                await self._send_changes(connection)
            except self._failures as error:
                outages.report_failure(error)
            except asyncio.CancelledError:
                await self._close(connection)
                raise
            if connection is not None:
                connection.terminate()
                connection = None
            await asyncio.sleep(retry_seconds)
            retry_seconds = min(2 * retry_seconds, _LONGEST_RETRY_SECONDS)

    async def _listen(self) -> Any:
        connection = await self._connect()
        try:
            connection.add_termination_listener(self._notice_end)
            await connection.add_listener(_CHANNEL, self._receive)
        except BaseException:  # including cancellation: nobody else would close it
            connection.terminate()
            raise
        return connection

    def _notice_end(self, _: object) -> None:
        self._changed.set()

    async def _send_changes(self, connection: Any) -> None:
        """Send notifications until the connection is lost. Raises one of the failures."""
        while True:
            self._changed.clear()  # before sending: a topic that comes meanwhile is sent next
            await self._send(connection)
            try:
                async with asyncio.timeout(_LOOK_AGAIN_SECONDS):
                    await self._changed.wait()
            except TimeoutError:
                await connection.execute("SELECT 1")
                if self._hears_others:
                    self._local.notify(topics.EVERYTHING)

    async def _send(self, connection: Any) -> None:
        outgoing, self._outgoing = self._outgoing, set()
        if len(outgoing) > _MAX_UNSENT:
            outgoing = {topics.EVERYTHING}
        try:
            messages = [(_CHANNEL, part.decode("ascii")) for part in topics.encode(outgoing, _MAX_MESSAGE_BYTES)]
            if messages or connection.is_closed():
                await connection.executemany("SELECT pg_notify($1, $2)", messages)
        except (*self._failures, asyncio.CancelledError):
            self._outgoing |= outgoing
            raise

    def _receive(self, connection: Any, sender: int, _: str, message: str) -> None:
        if sender == connection.get_server_pid():
            return
        self._hears_others = True
        for topic in topics.decode(message.encode("ascii", "replace")):
            self._local.notify(topic)

    async def _close(self, connection: Any) -> None:
        if connection is None:
            return
        with suppress(TimeoutError, *self._failures):
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self._send(connection)
                await connection.close()
        connection.terminate()
