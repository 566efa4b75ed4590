"""Count the statements, transactions and trips to the database that an operation takes."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

from sqlalchemy import Connection, Engine, event, make_url

from app.settings import Settings


@dataclass(slots=True)
class Recorded:
    """What was sent to one database; a trip is a hand-over to one of its threads and back.

    A function on a database's thread is one trip, from BEGIN to COMMIT. Through an asynchronous session, BEGIN, COMMIT
    and every statement are each one.
    """

    sent: list[tuple[str, bool]] = field(default_factory=list[tuple[str, bool]])
    """The statements, each with whether its transaction may write; on SQLite only."""
    transactions: int = 0
    trips: int = 0
    write_transactions: int = 0

    @property
    def statements(self) -> list[str]:
        """The statements without BEGIN and COMMIT."""
        return [statement for statement, _ in self.sent]

    @property
    def counts(self) -> list[int]:
        """Statements, without BEGIN and COMMIT; transactions; and trips."""
        return [len(self.statements), self.transactions, self.trips]


@contextmanager
def recorded_work(settings: Settings) -> Generator[Recorded]:
    """Record what is sent to this database. Servers of other tests may still run in this process, on theirs."""
    assert settings.database_url
    database, found = make_url(settings.database_url).database, Recorded()

    def execute(connection: Connection, _cursor: object, statement: str, *_: object) -> None:
        if connection.engine.url.database == database:
            if statement.startswith("BEGIN"):
                found.transactions += 1
                writes = connection.info["writes"] = statement == "BEGIN IMMEDIATE"
                found.write_transactions += writes
            else:
                found.sent.append((statement, connection.info.get("writes", False)))
            if connection.dialect.is_async or statement.startswith("BEGIN"):
                found.trips += 1

    def end(connection: Connection) -> None:
        if connection.engine.url.database == database and connection.dialect.is_async:
            found.trips += 1

    hooks = {"before_cursor_execute": execute, "commit": end, "rollback": end}
    for name, hook in hooks.items():
        event.listen(Engine, name, hook)
    try:
        yield found
    finally:
        for name, hook in hooks.items():
            event.remove(Engine, name, hook)
