"""Copy the rows of one database into another, of whichever product, and compare them."""

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

# What the indexes make of the other rows, and make again for the copy.
_DERIVED_TABLES = {"keyword_totals", "message_text_rows", "message_text_users"}
_DERIVED_COLUMNS = {"messages.searchable"}
# A message comes after the one that it answers.
_ORDERS = {"messages": ("session_id", "position", "id")}
_BATCH_SIZES = {"originals": 8}  # each a piece of a file
_USUAL_BATCH_SIZE = 500


ShowProgress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is of it."""


class _StoredJSON(UserDefinedType[str]):
    """JSON as it is stored: what it means is not changed by reading and writing it, not even null beside no value."""

    cache_ok = True
    render_bind_cast = True

    def get_col_spec(self, **_: object) -> str:
        """The name of the type."""
        return "JSON"

    def column_expression(self, colexpr: ColumnElement[Any]) -> ColumnElement[Any]:
        """As text, which a driver leaves as it is."""
        return cast(colexpr, Text)


@dataclass(slots=True)
class TableSum:
    """What tables with the same rows agree in: their number, and a sum of their hashes."""

    rows: int = 0
    hashes: int = 0

    def add_rows(self, rows: Sequence[RowMapping]) -> None:
        """Count rows; in which order does not matter."""
        self.rows += len(rows)
        self.hashes = (self.hashes + sum(map(_hash_row, rows))) % (1 << 128)


def copied_tables() -> list[Table]:
    """The tables that are copied, each after those that it refers to."""
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
    """How many rows a table has."""
    return (await db.execute(select(func.count()).select_from(table))).scalar_one()


async def copy_tables(
    source: AsyncSession, target: AsyncSession, tables: Sequence[Table], show: ShowProgress
) -> dict[str, TableSum]:
    """Insert all rows of these tables; returns what was copied of each."""
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
    """The names of tables that do not hold what was copied."""
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
    """All rows of a table, some at a time."""
    order = _order_of(table)
    page = select(*_copied_columns(table)).order_by(*order).limit(_BATCH_SIZES.get(table.name, _USUAL_BATCH_SIZE))
    connection = await db.connection()
    rows = (await connection.execute(page)).mappings().all()
    while rows:
        yield rows
        after = tuple_(*(literal(rows[-1][column.name], column.type) for column in order))
        rows = (await connection.execute(page.where(tuple_(*order) > after))).mappings().all()


async def _copy_rows(db: AsyncSession, table: Table, rows: Sequence[RowMapping]) -> None:
    """Insert rows of another database. Raises Conflict for one that this database cannot hold, or has by now."""
    if await _is_postgres(db):
        for row in rows:
            _require_no_nul(table, row)
    inserting = (await db.connection()).execute(insert(table), [dict(row) for row in rows])
    # A driver that is stopped while it sends rows may wait for its server, and the server for the rest.
    try:
        await settled_result(asyncio.ensure_future(inserting), lambda: None)
    except IntegrityError as error:  # rows that were not there, or not committed yet, when they were counted
        message = f"The new database is in use: others write to {table.name}. Copy to an empty database."
        raise errors.Conflict(message) from error


async def _copy_last_id(source: AsyncSession, target: AsyncSession, table: Table) -> None:
    """Let the target number new rows after all that the source ever had: numbers of removed rows are not used again."""
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
    kept = text("SELECT seq FROM sqlite_sequence WHERE name = :table")
    largest = await db.scalar(select(func.max(column)))
    return max(await db.scalar(kept, {"table": table.name}) or 0, largest or 0)


async def _is_postgres(db: AsyncSession) -> bool:
    return (await db.connection()).dialect.name == "postgresql"


def _order_of(table: Table) -> list[Column[Any]]:
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
    written = json.dumps([_plain_value(value) for value in row.values()])
    return int.from_bytes(hashlib.blake2b(written.encode(), digest_size=16).digest())


def _plain_value(value: Any) -> Any:
    """The same for a value whichever database it was read from."""
    if isinstance(value, bytes):
        return hashlib.blake2b(value, digest_size=16).hexdigest()
    if isinstance(value, datetime):
        return value.isoformat()
    return value.name if isinstance(value, Enum) else value
