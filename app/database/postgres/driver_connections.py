"""Connections of the PostgreSQL driver, which can be cut off from any thread."""

import asyncio
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import Any, cast

import asyncpg


class DriverConnections:
    """The driver's connections of a database, which can be cut off: those that are open, and those being opened.

    Each belongs to the event loop that opens it.
    """

    def __init__(self) -> None:
        self._ends: dict[object, Callable[[], object]] = {}
        self._are_cut_off = False

    async def open(self, *arguments: Any, **options: Any) -> asyncpg.Connection:
        """Open a connection as the driver does. Raises one of CONNECTION_FAILURES."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(None) as limit:

            def give_up() -> None:
                with suppress(RuntimeError):  # it is open, or has failed
                    limit.reschedule(loop.time())

            with self._listed(limit, lambda: loop.call_soon_threadsafe(give_up)):
                connection = await cast("Any", asyncpg).connect(*arguments, **options)
        self._list(connection, lambda: loop.call_soon_threadsafe(connection.terminate))
        return connection

    def close(self, connection: Any, _: object) -> None:
        """Close SQLAlchemy's view of a connection, on its event loop. Called by the engine.

        Otherwise the driver waits for the server to answer, and a server that hangs would keep this process from
        ending: twenty connections, one after the other, for as long as a command may take each.
        """
        self._ends.pop(connection.driver_connection, None)
        connection.driver_connection.terminate()

    @contextmanager
    def closing_on_failure(self, connection: Any) -> Generator[None]:
        """Close a connection that cannot be set up, or whose caller is cancelled: nobody else would."""
        try:
            yield
        except BaseException:  # a failure, or the cancellation of whoever waits for it
            self.close(connection, None)
            raise

    def cut_off(self) -> None:
        """Cut all of them off, from any thread: what they do fails. No more can be opened."""
        self._are_cut_off = True
        for end in list(self._ends.values()):
            with suppress(RuntimeError):  # its event loop is closed
                end()

    @contextmanager
    def _listed(self, key: object, end: Callable[[], object]) -> Generator[None]:
        self._list(key, end)
        try:
            yield
        finally:
            self._ends.pop(key, None)

    def _list(self, key: object, end: Callable[[], object]) -> None:
        self._ends[key] = end
        if self._are_cut_off:  # checked after listing it: one of the two sees the other
            end()
