"""Fast statements on many rows: SQLAlchemy usually takes longer for a row than the database does."""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import accumulate
from typing import Any, TypeVar

from sqlalchemy import (
    ARRAY,
    JSON,
    ColumnElement,
    Connection,
    Dialect,
    Insert,
    Select,
    String,
    bindparam,
    delete,
    func,
    select,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import InstrumentedAttribute, Session
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import NullType, TypeDecorator, TypeEngine

from app.database import models
from app.database.base import Base

# The most that one transaction deletes, unless a single session has more messages: deleting a message with its log and
# its words takes up to 0.5 ms, and other writers wait for the transaction.
_SESSIONS, _MESSAGES = 20, 500

Row = TypeVar("Row", bound=Base)


def rows_by_ids(
    db: Session, kind: type[Row], ids: Sequence[str] | Sequence[int], *conditions: ColumnElement[bool]
) -> list[Row | None]:
    """The rows with these ids, in order; None where there is no row, or it does not meet the conditions."""
    found: dict[Any, Row] = {
        row.id: row  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType] - every such table has one
        for row in db.scalars(_select_by_ids(kind).where(*conditions), {"ids": ids})
    }
    return [found.get(id) for id in ids]


@cache
def _select_by_ids(kind: type[Any]) -> Select[Any]:
    """Built once for each table."""
    return select(kind).where(kind.id.in_(bindparam("ids", expanding=True)))


class _Strings(TypeDecorator[list[str]]):
    """A list of strings as one parameter: an array, or JSON in a database without arrays."""

    impl = JSON
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """An array in PostgreSQL, JSON otherwise."""
        return dialect.type_descriptor(ARRAY(String) if dialect.name == "postgresql" else JSON())


class _IsOneOf(FunctionElement[Any]):
    """The condition that a column has one of the strings in a parameter."""

    type = NullType()  # a Boolean would be compared with 1 in SQLite, which then would not use an index
    inherit_cache = True


@compiles(_IsOneOf)
def _compile_json(element: _IsOneOf, compiler: SQLCompiler, **options: Any) -> str:
    column, strings = (compiler.process(part, **options) for part in element.clauses)
    return f"{column} IN (SELECT value FROM json_each({strings}))"  # noqa: S608 - both are SQLAlchemy's


@compiles(_IsOneOf, "postgresql")
def _compile_array(element: _IsOneOf, compiler: SQLCompiler, **options: Any) -> str:
    column, strings = (compiler.process(part, **options) for part in element.clauses)
    return f"{column} = ANY ({strings})"


def is_one_of(column: InstrumentedAttribute[str], parameter: str) -> ColumnElement[bool]:
    """Whether a column has one of the strings in a parameter. With `in_`, the SQL would depend on their number."""
    return _IsOneOf(column, bindparam(parameter, type_=_Strings()))


def insert_stored(connection: Connection, statement: Insert, rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert rows with values for all columns, in order, in the form that the driver stores: JSON as text."""
    connection.exec_driver_sql(_sql_of(statement, connection.dialect), list(rows))


@lru_cache(maxsize=100)
def _sql_of(statement: Insert, dialect: Dialect) -> str:
    return str(statement.compile(dialect=dialect))


def delete_sessions(db: Session, *conditions: ColumnElement[bool]) -> int:
    """Delete a batch of the chat sessions that match, with their messages; returns how many were deleted."""
    session, position = models.ChatSession, models.Message.position
    # The last message's position says how many messages there are, without counting them.
    last = select(func.coalesce(func.max(position), 0)).where(models.Message.session_id == session.id).scalar_subquery()
    rows = db.execute(select(session.id, last).where(*conditions).limit(_SESSIONS)).all()
    totals = accumulate(messages for _, messages in rows)
    ids = [
        id for index, ((id, _), total) in enumerate(zip(rows, totals, strict=True)) if total <= _MESSAGES or index == 0
    ]
    if ids:
        db.execute(delete(session).where(session.id.in_(ids)))
    return len(ids)
