"""Begin transactions on SQLite, and measure how long those that write wait for other processes."""

import time
from typing import Any

from sqlalchemy.engine import Connection
from sqlalchemy.exc import OperationalError

from app.database.sqlite.driver import is_busy
from app.database.sqlite.engine import BUSY_MS

# SQLite itself tries again after 1, 2, 5, 10 ms and so on up to 100 ms. A transaction takes about 2 ms, so the lock
# would mostly be free while a process sleeps; and one that has just had it would mostly get it again.
_PAUSE_SECONDS = 0.0005


def begin_reading(connection: Connection) -> None:
    """Begin a transaction that reads."""
    connection.exec_driver_sql("BEGIN")


class WriteLock:
    """SQLite's lock for writing, which one connection of all processes holds at a time.

    A read that becomes a write could fail with "database is locked" whatever the timeout, so writes begin as such.
    """

    def __init__(self) -> None:
        self.waited_seconds = 0.0

    def begin_writing(self, connection: Connection) -> None:
        """Begin a transaction that writes. Within a process they queue by themselves, so it waits for other ones."""
        began = time.perf_counter()
        try:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        except OperationalError as error:
            # An asynchronous connection has waited on its own thread; this is the event loop, which must not sleep.
            if connection.dialect.is_async or not is_busy(error.orig):
                raise
            if not _keep_trying(connection.connection.dbapi_connection):
                connection.exec_driver_sql("BEGIN IMMEDIATE")  # which says why
        finally:
            self.waited_seconds += time.perf_counter() - began


def _keep_trying(connection: Any) -> bool:
    """Begin as soon as no other process writes; returns False if that takes too long, or fails for another reason."""
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
