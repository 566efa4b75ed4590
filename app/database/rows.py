"""Statements about many rows, in the least time: SQLAlchemy takes longer for a row than the database does."""

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

# What one transaction deletes, unless a single session has more messages: each of these takes up to 0.5 ms with its log
# and its words, and others wait for the transaction to write.
_SESSIONS, _MESSAGES = 20, 500

Row = TypeVar("Row", bound=Base)


def rows_by_ids(
    db: Session, kind: type[Row], ids: Sequence[str] | Sequence[int], *conditions: ColumnElement[bool]
) -> list[Row | None]:
    """The rows with these ids, in order; None where there is none, or where it does not meet the conditions."""
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
    """A list of strings as one parameter: an array, or JSON where there are none."""

    impl = JSON
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """What the database has."""
        return dialect.type_descriptor(ARRAY(String) if dialect.name == "postgresql" else JSON())


class _IsOneOf(FunctionElement[Any]):
    """A column and a parameter with strings."""

    type = NullType()  # a Boolean would be compared with 1 where the database has none, and no index would serve that
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
    """Whether a column has one of the strings in a parameter. With `in_`, each number of them is another statement."""
    return _IsOneOf(column, bindparam(parameter, type_=_Strings()))


def insert_stored(connection: Connection, statement: Insert, rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert rows of all columns, in their order, whose values are as the driver stores them: JSON is text."""
    connection.exec_driver_sql(_sql_of(statement, connection.dialect), list(rows))


@lru_cache(maxsize=100)
def _sql_of(statement: Insert, dialect: Dialect) -> str:
    return str(statement.compile(dialect=dialect))


def delete_sessions(db: Session, *which: ColumnElement[bool]) -> int:
    """Delete the first few of these chat sessions with their messages; returns how many, 0 if there are none."""
    session, position = models.ChatSession, models.Message.position
    # That of its last message tells how many there are, without counting them.
    last = select(func.coalesce(func.max(position), 0)).where(models.Message.session_id == session.id).scalar_subquery()
    rows = db.execute(select(session.id, last).where(*which).limit(_SESSIONS)).all()
    sums = accumulate(messages for _, messages in rows)
    ids = [
        id
        for place, ((id, _), messages) in enumerate(zip(rows, sums, strict=True))
        if messages <= _MESSAGES or not place
    ]
    if ids:
        db.execute(delete(session).where(session.id.in_(ids)))
    return len(ids)
