"""A PostgreSQL lock that one process holds until it ends, however it ends."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from app.database.postgres.failures import CONNECTION_FAILURES, translate_connection_errors
from app.database.postgres.locks import share_lock_statement, try_lock_statement

# How often to try to take a lock, and the pause in between.
_ATTEMPTS, _PAUSE_SECONDS = 10, 0.1


class ProcessLock:
    """An advisory lock on its own connection."""

    def __init__(self, connect: Callable[[], Awaitable[Any]], name: str, lock: str) -> None:
        """`name` is the database's, for messages."""
        self._connect = connect
        self._name = name
        self._try_lock = try_lock_statement(lock)
        self._turn = asyncio.Lock()
        self._connection: Any = None

    async def hold(self) -> bool:
        """Take the lock if no process holds it; returns whether this process holds it now. Raises Unavailable."""
        async with self._turn:
            if self._connection is not None and await _is_alive(self._connection):
                return True
            self._connection = None
            with translate_connection_errors(self._name):
                connection = await self._connect()
                try:
                    if await connection.fetchval(self._try_lock):
                        self._connection = connection
                finally:
                    if self._connection is None:
                        connection.terminate()
            return self._connection is not None

    async def is_free(self) -> bool:
        """Whether no process holds or shares the lock, after waiting a second for one to end. Raises Unavailable."""
        for _ in range(_ATTEMPTS):
            if await self.hold():
                self.release()
                return True
            await asyncio.sleep(_PAUSE_SECONDS)
        return False

    def release(self) -> None:
        """Release the lock, so that another process can take it. Does not wait for the server, which may hang."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.terminate()


async def connect_sharing(connect: Callable[[], Awaitable[Any]], lock: str) -> Any:
    """A new connection that shares a lock until it ends, so that no process can hold it. Raises what `connect` does."""
    connection = await connect()
    try:
        await connection.execute(share_lock_statement(lock))
    except BaseException:  # including cancellation: nobody else would close it
        connection.terminate()
        raise
    return connection


async def _is_alive(connection: Any) -> bool:
    """Whether the connection still works; if not, another process may hold the lock by now."""
    try:
        await connection.execute("SELECT 1")
    except CONNECTION_FAILURES:
        connection.terminate()
        return False
    return True
