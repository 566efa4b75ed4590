"""Choose the best installed Python driver for SQLite and adapt it to SQLAlchemy.

The best driver can load extensions and has the newest SQLite: many Pythons (pyenv's, macOS's) are built without
loadable extensions, and SQLite before 3.51.3 can corrupt its WAL on reset.
"""

import asyncio
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

import aiosqlite
import sqlite_vec
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.aiosqlite import AsyncAdapt_aiosqlite_dbapi, SQLiteDialect_aiosqlite

from app import errors

LOGGER_NAME = aiosqlite.__name__
"""The logger of the driver's threads."""

_BUSY = 5  # SQLITE_BUSY


@dataclass(frozen=True, slots=True)
class Driver:
    """A Python driver for SQLite that passed the probe, and the version of its library."""

    module: ModuleType
    version: tuple[int, ...]


@cache
def choose_driver(candidates: tuple[str, ...] = ("pysqlite3", "sqlite3")) -> Driver:
    """The candidate with the newest SQLite that meets our requirements. Raises StartError if none does.

    A process must use sqlite-vec with one SQLite alone: the extension calls the functions of the library that has
    loaded it last, which crash with connections of another. So a candidate is probed only if all with a newer SQLite
    have failed.
    """
    modules: list[ModuleType] = []
    reasons: list[str] = []
    for name in candidates:
        try:
            modules.append(importlib.import_module(name))
        except ImportError:
            reasons.append(f"{name} is not installed")
    for module in sorted(modules, key=_version, reverse=True):
        try:
            _probe_driver(module)
        except _ProbeError as failure:
            reasons.append(f"{module.__name__} {failure}")
        else:
            return Driver(module, _version(module))
    raise errors.StartError(
        f"No SQLite driver here can load extensions ({'; '.join(reasons)}). Install pysqlite3, or use a Python "
        "whose sqlite3 was built with loadable extensions."
    )


def _version(module: ModuleType) -> tuple[int, ...]:
    return tuple(module.sqlite_version_info)


class _ProbeError(Exception):
    """A driver lacks something we need."""


def _probe_driver(module: ModuleType) -> None:
    """Try sqlite-vec and our kind of full-text table, instead of guessing from the platform. Raises _ProbeError."""
    if not hasattr(module.Connection, "enable_load_extension"):
        raise _ProbeError("was built without loadable extensions")
    connection = module.connect(":memory:")
    try:
        load_vector_extension(connection)
        connection.execute("CREATE VIRTUAL TABLE probe USING fts5(text, content='', contentless_delete=1)")
        connection.execute("SELECT vec_version()").fetchone()
    except module.Error as error:
        raise _ProbeError(f"{module.sqlite_version}: {error}") from error
    finally:
        connection.close()


def load_vector_extension(connection: Any) -> None:
    """Load sqlite-vec's tables and functions into a connection."""
    connection.enable_load_extension(True)
    sqlite_vec.load(connection)
    connection.enable_load_extension(False)


def lock_exclusively(module: ModuleType, connection: Any) -> bool:
    """Lock the database exclusively until this connection closes; returns False if another connection is open.

    This uses the locks that every open connection holds, even an idle one. The system releases them when the process
    ends, however it ends, so no lock file can be left behind. Our own lock (flock) on the file would interfere with
    SQLite's on some systems (BSD, network disks), and closing its descriptor would release SQLite's:
    https://sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
    In WAL mode the first access under this pragma locks the whole file: https://sqlite.org/wal.html#noshm
    """
    connection.execute("PRAGMA locking_mode=EXCLUSIVE")
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except module.OperationalError as error:
        if is_busy(error):
            return False
        raise
    connection.execute("COMMIT")
    return True


def is_busy(error: BaseException | None) -> bool:
    """Whether a driver's error says that another connection holds the lock."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == _BUSY  # the higher bits are details


class _Connection(aiosqlite.Connection):
    """An aiosqlite connection, on its own thread, whose cursors go to the thread once per statement."""

    _stopped: asyncio.Future[Any] | None = None

    def stop(self) -> asyncio.Future[Any] | None:
        """Ask the thread to stop."""
        self._stopped = super().stop()  # pyright: ignore[reportUnknownMemberType]
        return self._stopped

    async def _connect(self) -> aiosqlite.Connection:
        """Connect; after a failure, wait for the thread to end, because it must not outlive its event loop."""
        try:
            return await super()._connect()
        except BaseException:  # including cancellation
            if self._stopped is not None:
                await self._stopped
            raise

    def cursor(self) -> Any:
        """A cursor; does not go to the thread yet."""
        return _Cursor(self)


class _Cursor:
    """The part of an asynchronous cursor that SQLAlchemy uses.

    aiosqlite's own cursor goes to the thread to create the cursor, to execute, to fetch and to close: four trips of
    about 60 µs where one is enough.
    """

    def __init__(self, connection: _Connection) -> None:
        self._connection = connection
        self._rows: list[Any] = []
        self.description: Any = None
        self.rowcount = -1
        self.lastrowid: int | None = None
        self.arraysize = 1

    async def __aenter__(self) -> "_Cursor":
        return self

    async def execute(self, statement: str, parameters: Any = ()) -> "_Cursor":
        """Execute, fetch and close on the connection's thread."""
        await self._connection._execute(self._run, "execute", statement, parameters)  # pyright: ignore[reportPrivateUsage, reportUnknownMemberType]
        return self

    async def executemany(self, statement: str, parameters: Any) -> "_Cursor":
        """Execute for each set of parameters on the connection's thread."""
        await self._connection._execute(self._run, "executemany", statement, parameters)  # pyright: ignore[reportPrivateUsage, reportUnknownMemberType]
        return self

    def _run(self, method: str, statement: str, parameters: Any) -> None:
        cursor: Any = self._connection._conn.cursor()  # pyright: ignore[reportPrivateUsage]
        try:
            getattr(cursor, method)(statement, parameters)
            self.description, self.lastrowid = cursor.description, cursor.lastrowid
            self._rows = cursor.fetchall() if cursor.description else []
            self.rowcount = cursor.rowcount
        finally:
            cursor.close()

    async def fetchall(self) -> list[Any]:
        """The rows; empty when called again."""
        rows, self._rows = self._rows, []
        return rows

    async def close(self) -> None:
        """Do nothing: the cursor was closed on the thread."""


class AnySQLiteDialect(SQLiteDialect_aiosqlite):
    """SQLAlchemy's aiosqlite dialect over the chosen driver; errors are wrapped as with any other database."""

    driver = "aiosqlite_any"
    supports_statement_cache = True

    @classmethod
    def import_dbapi(cls) -> Any:
        """The driver for engines that do not name one."""
        return adapt_driver(choose_driver().module)


def adapt_driver(module: ModuleType) -> Any:
    """A stand-in for the `aiosqlite` module that SQLAlchemy expects, with connections and exceptions of `module`.

    aiosqlite.Connection accepts any connector, and the adapter any object with the names of a DBAPI module.
    """
    facade = ModuleType(f"aiosqlite_over_{module.__name__}")
    for name in dir(module):
        if name.endswith(("Error", "Warning", "version", "version_info")):
            setattr(facade, name, getattr(module, name))

    def connect(
        database: str,
        *,
        before: Callable[[], None],
        on_open: Callable[[Any], None],
        iter_chunk_size: int = 64,
        **options: Any,
    ) -> Any:
        def open_connection() -> Any:  # runs on the connection's own thread
            before()
            connection = module.connect(database, **options)
            on_open(connection)
            return connection

        return _Connection(open_connection, iter_chunk_size)

    facade.connect = connect  # pyright: ignore[reportAttributeAccessIssue]
    facade.Connection = _Connection  # pyright: ignore[reportAttributeAccessIssue]
    return AsyncAdapt_aiosqlite_dbapi(facade, importlib.import_module(f"{module.__name__}.dbapi2"))


NAME = "sqlite+aiosqlite_any"
registry.register("sqlite.aiosqlite_any", __name__, "AnySQLiteDialect")
