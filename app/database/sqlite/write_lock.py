"""Begin transactions on SQLite, and measure how long writers wait for other processes."""

import time
from typing import Any

from sqlalchemy.engine import Connection
from sqlalchemy.exc import OperationalError

from app.database.sqlite.driver import is_busy
from app.database.sqlite.engine import BUSY_MS

# SQLite itself retries after 1, 2, 5, 10 ms and so on up to 100 ms. A transaction takes about 2 ms, so the lock would
# mostly be free while processes sleep, and the process that had it last would mostly get it again.
_PAUSE_SECONDS = 0.0005


def begin_reading(connection: Connection) -> None:
    """Begin a transaction that reads."""
    connection.exec_driver_sql("BEGIN")


class WriteLock:
    """SQLite's write lock, held by one connection at a time among all processes.

    A read transaction that turns into a write can fail with "database is locked" whatever the timeout, so write
    transactions take the lock when they begin.
    """

    def __init__(self) -> None:
        self.waited_seconds = 0.0

    def begin_writing(self, connection: Connection) -> None:
        """Begin a write transaction. Only other processes can hold the lock, since this process queues its writers."""
        began = time.perf_counter()
        try:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        except OperationalError as error:
            # An asynchronous connection has already waited on its thread; here is the event loop, which must not sleep.
            if connection.dialect.is_async or not is_busy(error.orig):
                raise
            if not _keep_trying(connection.connection.dbapi_connection):
                connection.exec_driver_sql("BEGIN IMMEDIATE")  # raises the reason
        finally:
            self.waited_seconds += time.perf_counter() - began


def _keep_trying(connection: Any) -> bool:
    """Retry until no other process writes; returns False after a timeout or another error."""
    deadline = time.monotonic() + BUSY_MS / 1000
    while time.monotonic() < deadline:
        time.sleep(_PAUSE_SECONDS)
        try:
            connection.execute("BEGIN IMMEDIATE")
        except Exception as error:
            if not is_busy(error):
                return False
        else:
            return True
    return False
