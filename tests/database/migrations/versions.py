"""Every version of the schema, and what a database of it holds."""

import re
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path
from sqlite3 import Connection
from typing import Any

from alembic.config import Config
from alembic.script import ScriptDirectory

from app.database.sqlite import driver
from app.services.first_start import OWNER_EMAIL

INI = Path(__file__).parents[3] / "alembic.ini"
_SCRIPTS = ScriptDirectory.from_config(Config(str(INI)))
CHAIN = [script.revision for script in _SCRIPTS.walk_revisions()][::-1]
STEPS = list(zip(["base", *CHAIN], CHAIN, strict=False))
# What these hold beside their content is measured, or numbered, again.
MEASURED = {
    "embedding_spaces": ("dense_weight", "measured_chunks", "threshold", "owner", "lease_until", "problem"),
    "documents": ("reader_version",),
    "projects": ("stored_bytes",),
    "chunks": ("page_breaks",),
    "document_keys": ("number",),
}
WORD = "gooseberries"

Rows = dict[str, list[tuple[Any, ...]]]


@contextmanager
def opened(file: Path) -> Generator[Connection]:
    module = driver.choose_driver().module
    with closing(module.connect(str(file), isolation_level=None)) as connection:
        driver.load_vector_extension(connection)
        yield connection


def tables(connection: Connection) -> list[str]:
    """Our tables, parents first."""
    found = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
    virtual = [name for name, sql in found if sql.startswith("CREATE VIRTUAL")]
    names = [
        name
        for name, _ in found
        if name not in virtual
        and not name.startswith(("sqlite_", "alembic_", *(f"{owner}_" for owner in virtual if owner != "chunks")))
    ]
    parents = {name: {row[2] for row in _foreign_keys(connection, name)} - {name} for name in names}
    ordered: list[str] = []
    while len(ordered) < len(names):
        ordered += [name for name in names if name not in ordered and parents[name] <= set(ordered)]
    return ordered


def _foreign_keys(connection: Connection, table: str) -> list[Any]:
    return connection.execute(f"PRAGMA foreign_key_list({table})").fetchall()


def fill(file: Path) -> None:
    """Insert two rows into each table, with every column set, and index the chunks."""
    with opened(file) as connection:
        for table in tables(connection):
            parents = {row[3]: row[2] for row in _foreign_keys(connection, table)}
            columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
            names = [column[1] for column in columns]
            for number in (1, 2):
                values = [_value(table, column[1], column[2], number, parents) for column in columns]
                marks = ", ".join("?" * len(values))
                quoted = ", ".join(f'"{name}"' for name in names)
                connection.execute(f"INSERT INTO {table} ({quoted}) VALUES ({marks})", values)
        if "text" in [column[1] for column in connection.execute("PRAGMA table_info(chunk_texts)")]:
            connection.execute(
                "INSERT INTO chunk_texts(rowid, project, heading, text) SELECT id, project_id, '', text FROM chunks"
            )
        else:
            connection.execute(
                "INSERT INTO chunk_texts(rowid, n1) SELECT chunks.id << 12 | 5, number || 'xgooseberri' FROM chunks "
                "JOIN keyword_totals USING (project_id)"
            )
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


_VALUES: dict[str, Callable[[int], Any]] = {
    "JSON": lambda _: "[]",
    "DATETIME": lambda number: f"2026-01-0{number} 00:00:00.000000",
    "INTEGER": lambda number: number,
    "BIGINT": lambda number: number,
    "BOOLEAN": lambda _: 0,
    "DOUBLE": lambda number: number / 4,
    "BLOB": lambda _: b"bytes",
}
_SPECIAL: dict[tuple[str, str], Callable[[int], Any]] = {
    # Token calibrations become the owner's.
    ("users", "email"): lambda number: OWNER_EMAIL if number == 1 else f"email {number}",
    ("chunks", "text"): lambda number: f"Text {number} tells of {WORD}.",
    ("messages", "position"): lambda _: 1,  # each is the first of its session
    ("messages", "replaced_by"): lambda _: None,
    ("messages", "current"): lambda _: 1,
    ("messages", "shown"): lambda _: 1,
    ("embedding_spaces", "number"): lambda _: 0,  # and the first of its project
}


def _value(table: str, column: str, kind: str, number: int, parents: dict[str, str]) -> Any:
    if column in parents:
        parent = parents[column]
        return None if parent == table else number if parent == "chunks" else _id(parent, number)
    if column == "id" and "CHAR" in kind:
        return _id(table, number)
    made = _SPECIAL.get((table, column)) or _VALUES.get(re.split(r"[( ]", kind)[0])
    return made(number) if made else f"{column} {number}"


def _id(table: str, number: int) -> str:
    return f"{number}{table}".ljust(32, "0")[:32]


def content(file: Path) -> Rows:
    """The rows of all tables, and the chunks that a word finds."""
    with opened(file) as connection:
        found: Rows = {}
        for table in tables(connection):
            measured = MEASURED.get(table, ())
            columns = sorted(
                row[1] for row in connection.execute(f"PRAGMA table_info({table})") if row[1] not in measured
            )
            names = ", ".join(f'"{column}"' for column in columns)
            found[table] = sorted(connection.execute(f"SELECT {names} FROM {table}").fetchall(), key=repr)
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master")]
        if "chunk_postings" in names:
            query = "SELECT doc >> 12 FROM chunk_postings WHERE term LIKE '%xgooseberri' ORDER BY doc"
            found["full text"] = connection.execute(query).fetchall()
        elif "chunk_texts" in names:
            query = "SELECT rowid FROM chunk_texts WHERE chunk_texts MATCH ? ORDER BY rowid"
            found["full text"] = connection.execute(query, [WORD]).fetchall()
        return found


def shape(file: Path) -> set[tuple[str, str]]:
    """The tables and indexes, regardless of column order."""
    with opened(file) as connection:
        found = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    return {
        (name, " ".join(sorted(re.split(r"[\s,]+", sql.replace('"', "")))))
        for name, sql in found
        if not name.startswith(("sqlite_", "alembic_"))
    }
