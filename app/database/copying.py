"""Copy the rows of one database into another, SQLite or PostgreSQL, and compare them."""

import asyncio
import hashlib
import json
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    ColumnElement,
    MetaData,
    RowMapping,
    Table,
    Text,
    cast,
    func,
    insert,
    literal,
    select,
    text,
    tuple_,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.types import UserDefinedType

from app import errors
from app.database.models import Base
from app.database.threads import settled_result

# The indexes derive these from other rows, and rebuild them for the copy.
_DERIVED_TABLES = {"keyword_totals", "message_text_rows", "message_text_users"}
_DERIVED_COLUMNS = {"messages.searchable"}
# A message must be copied after the one that it answers.
_ORDERS = {"messages": ("session_id", "position", "id")}
_BATCH_SIZES = {"originals": 8}  # each row is a piece of a file
_DEFAULT_BATCH_SIZE = 500


ShowProgress = Callable[[str, int, int], None]
"""Called with the current step, the rows done so far, and the total number of rows."""


class _StoredJSON(UserDefinedType[str]):
    """JSON copied as stored text, so that nothing changes, not even the difference between JSON null and SQL NULL."""

    cache_ok = True
    render_bind_cast = True

    def get_col_spec(self, **_: object) -> str:
        """The name of the type."""
        return "JSON"

    def column_expression(self, colexpr: ColumnElement[Any]) -> ColumnElement[Any]:
        """Read it as text, which drivers do not convert."""
        return cast(colexpr, Text)


@dataclass(slots=True)
class TableSum:
    """A checksum of a table's rows, in any order: their number and the sum of their hashes."""

    rows: int = 0
    hashes: int = 0

    def add_rows(self, rows: Sequence[RowMapping]) -> None:
        """Add rows to the checksum."""
        self.rows += len(rows)
        self.hashes = (self.hashes + sum(map(_hash_row, rows))) % (1 << 128)


def copied_tables() -> list[Table]:
    """The tables to copy, each after the tables that it refers to."""
    stored = MetaData()
    found: list[Table] = []
    for table in Base.metadata.sorted_tables:
        copy = table.to_metadata(stored)
        for column in copy.columns:
            if isinstance(column.type, JSON):
                column.type = _StoredJSON()
        if table.name not in _DERIVED_TABLES:
            found.append(copy)
    return found


async def count_rows(db: AsyncSession, table: Table) -> int:
    """The number of rows in a table."""
    return (await db.execute(select(func.count()).select_from(table))).scalar_one()


async def copy_tables(
    source: AsyncSession, target: AsyncSession, tables: Sequence[Table], show: ShowProgress
) -> dict[str, TableSum]:
    """Copy all rows of these tables; returns the checksum of each table by its name."""
    sums: dict[str, TableSum] = {}
    for table in tables:
        total, found = await count_rows(source, table), TableSum()
        async with aclosing(read_rows(source, table)) as pages:
            async for rows in pages:
                await _copy_rows(target, table, rows)
                found.add_rows(rows)
                show(f"copying {table.name}", found.rows, total)
        await _copy_last_id(source, target, table)
        sums[table.name] = found
    return sums


async def find_different_tables(
    db: AsyncSession, tables: Sequence[Table], sums: Mapping[str, TableSum], show: ShowProgress
) -> list[str]:
    """The names of the tables whose rows differ from what was copied."""
    different: list[str] = []
    for table in tables:
        found = TableSum()
        async with aclosing(read_rows(db, table)) as pages:
            async for rows in pages:
                found.add_rows(rows)
                show(f"comparing {table.name}", found.rows, sums[table.name].rows)
        if found != sums[table.name]:
            different.append(table.name)
    return different


async def read_rows(db: AsyncSession, table: Table) -> AsyncGenerator[Sequence[RowMapping]]:
    """Read all rows of a table in batches."""
    order = _order_columns(table)
    page = select(*_copied_columns(table)).order_by(*order).limit(_BATCH_SIZES.get(table.name, _DEFAULT_BATCH_SIZE))
    connection = await db.connection()
    rows = (await connection.execute(page)).mappings().all()
    while rows:
        yield rows
        after = tuple_(*(literal(rows[-1][column.name], column.type) for column in order))
        rows = (await connection.execute(page.where(tuple_(*order) > after))).mappings().all()


async def _copy_rows(db: AsyncSession, table: Table, rows: Sequence[RowMapping]) -> None:
    """Insert rows of another database. Raises Conflict for a row that this database cannot store or already has."""
    if await _is_postgres(db):
        for row in rows:
            _require_no_nul(table, row)
    inserting = (await db.connection()).execute(insert(table), [dict(row) for row in rows])
    # If a driver is interrupted while it sends rows, it and its server may wait for each other.
    try:
        await settled_result(asyncio.ensure_future(inserting), lambda: None)
    except IntegrityError as error:  # rows that were committed after the check that the database is empty
        message = f"The new database is in use: something else writes to {table.name}. Copy to an empty database."
        raise errors.Conflict(message) from error


async def _copy_last_id(source: AsyncSession, target: AsyncSession, table: Table) -> None:
    """Let the target's ids continue after the highest that the source ever used, so that no deleted id is reused."""
    column = table.autoincrement_column
    if column is None or not (last := await _read_last_id(source, table, column)):
        return
    if await _is_postgres(target):
        await target.execute(select(func.setval(func.pg_get_serial_sequence(table.name, column.name), last)))
    else:
        values = {"table": table.name, "last": last}
        await target.execute(text("DELETE FROM sqlite_sequence WHERE name = :table"), values)
        await target.execute(text("INSERT INTO sqlite_sequence(name, seq) VALUES (:table, :last)"), values)


async def _read_last_id(db: AsyncSession, table: Table, column: Column[Any]) -> int:
    if await _is_postgres(db):
        sequence = await db.scalar(select(func.pg_get_serial_sequence(table.name, column.name)))
        row = (await db.execute(text(f"SELECT last_value, is_called FROM {sequence}"))).one()  # noqa: S608 - quoted by it
        return row.last_value if row.is_called else 0
    last_used = text("SELECT seq FROM sqlite_sequence WHERE name = :table")
    largest = await db.scalar(select(func.max(column)))
    return max(await db.scalar(last_used, {"table": table.name}) or 0, largest or 0)


async def _is_postgres(db: AsyncSession) -> bool:
    return (await db.connection()).dialect.name == "postgresql"


def _order_columns(table: Table) -> list[Column[Any]]:
    if names := _ORDERS.get(table.name):
        return [table.columns[name] for name in names]
    return list(table.primary_key.columns)


def _copied_columns(table: Table) -> list[Column[Any]]:
    return [column for column in table.columns if f"{table.name}.{column.name}" not in _DERIVED_COLUMNS]


def _require_no_nul(table: Table, row: RowMapping) -> None:
    for name, value in row.items():
        if isinstance(value, str) and "\0" in value:
            key = ", ".join(str(row[column.name]) for column in table.primary_key.columns)
            raise errors.Conflict(f"{name} of row {key} of {table.name} contains U+0000, which PostgreSQL cannot hold.")


def _hash_row(row: RowMapping) -> int:
    serialized = json.dumps([_plain_value(value) for value in row.values()])
    return int.from_bytes(hashlib.blake2b(serialized.encode(), digest_size=16).digest())


def _plain_value(value: Any) -> Any:
    """A JSON form of a value that does not depend on the database it was read from."""
    if isinstance(value, bytes):
        return hashlib.blake2b(value, digest_size=16).hexdigest()
    if isinstance(value, datetime):
        return value.isoformat()
    return value.name if isinstance(value, Enum) else value
