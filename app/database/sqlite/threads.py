"""SQLite connections for the threads that run transactions, one per thread."""

from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import URL, create_engine, event
from sqlalchemy.engine import Connection
from sqlalchemy.orm import Session
from sqlalchemy.pool import SingletonThreadPool

from app.database import compiled
from app.database.sqlite.failures import replace_read_only_connections
from app.database.threads import ThreadConnections, Work, keeping_rows

Result = TypeVar("Result")


class SQLiteThreadConnections(ThreadConnections):
    """One connection for each of `count` threads, opened by `connect` when a thread first needs it."""

    def __init__(
        self, connect: Callable[[], Any], module: Any, name: str, *, count: int, begin: Callable[[Connection], None]
    ) -> None:
        """`name` is the database's; listeners use it to tell databases apart."""
        self._engine = engine = create_engine(
            URL.create("sqlite", database=name),
            module=module,
            creator=connect,
            poolclass=SingletonThreadPool,
            pool_size=count,
            # A transaction always ends before its connection is returned.
            pool_reset_on_return=None,
            # Errors are logged: they must not quote documents, questions or hashes of tokens.
            hide_parameters=True,
        )

        compiled.share_statements(engine, module.__name__)
        event.listen(engine, "begin", begin)
        replace_read_only_connections(engine)

    def run_transaction(self, work: Work[Result], may_commit: Callable[[], None]) -> Result:
        """Use the thread's connection."""
        with Session(self._engine, expire_on_commit=False) as db, keeping_rows(db):
            result = work(db)
            may_commit()
            db.commit()
            return result

    def close(self) -> None:
        """Close the connections of all threads."""
        self._engine.dispose()
