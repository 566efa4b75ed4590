"""Begin transactions on SQLite, and measure how long those that write wait for other processes."""

import time

from sqlalchemy.engine import Connection


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
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        self.waited_seconds += time.perf_counter() - began
