"""Keyset pagination of a statement's rows, stable while rows are added or removed.

A cursor holds its row's values of the sort keys, so a page starts after that row, not at an offset.
"""

import base64
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar, Generic, TypeVar

from sqlalchemy import ColumnElement, Select, func, select, tuple_, union_all
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.visitors import InternalTraversal

from app import errors

Row = TypeVar("Row")

# The longest key is a title of 500 characters.
_MAX_CURSOR = 10_000
# The largest value of an integer column.
_MAX_INTEGER = 2**63 - 1

DEFAULT_SIZE = 20
MAX_SIZE = 100


@dataclass(frozen=True, slots=True)
class PageRequest:
    """Which page: the first `first` after `after`, or the last `last` before `before`."""

    first: int | None = None
    after: str | None = None
    last: int | None = None
    before: str | None = None

    def size(self) -> int:
        """The number of rows requested. Raises BadUserInput if it is out of range, or for both directions at once."""
        if self.first is not None and self.last is not None:
            raise errors.BadUserInput("last", "Pass `first` or `last`, not both.")
        for name, value in (("first", self.first), ("last", self.last)):
            if value is not None and not 0 <= value <= MAX_SIZE:
                raise errors.BadUserInput(name, f"`{name}` must be between 0 and {MAX_SIZE}.")
        size = self.last if self.last is not None else self.first
        return DEFAULT_SIZE if size is None else size


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """Rows with their cursors, and whether there are more on either side."""

    rows: Sequence[Row]
    cursors: Sequence[str]
    has_next: bool
    has_previous: bool


def fetch_page(
    db: Session,
    statement: Select[Row],
    keys: Sequence[InstrumentedAttribute[Any]],
    request: PageRequest,
    *,
    descending: bool = False,
    sort_matches: bool = False,
) -> Page[Row]:
    """One page of `statement`'s rows, sorted by `keys`, the last of which must be unique. Runs one statement.

    `sort_matches`: few rows match, so finding and then sorting them is faster than scanning an index in order.
    """
    page, order = _select_page(statement, keys, request, descending=descending, sort_matches=sort_matches)
    rows = db.scalars(page.order_by(*order).limit(request.size() + 1)).all()
    return _make_page(list(rows), keys, request)


def fetch_merged_page(
    db: Session,
    parts: Sequence[Select[Row]],
    keys: Sequence[InstrumentedAttribute[Any]],
    request: PageRequest,
    *,
    descending: bool,
) -> Page[Row]:
    """One page of the union of these statements, which share no rows; each can be read from its own index."""
    size = request.size() + 1
    limited: list[Select[Any]] = []
    for part in parts:
        page, order = _select_page(part, keys, request, descending=descending)
        limited.append(select(page.order_by(*order).limit(size).subquery()))
    entity = aliased(keys[0].class_, union_all(*limited).subquery())
    backwards = request.last is not None
    merged = [getattr(entity, key.key) for key in keys]
    order = [key.desc() if descending != backwards else key.asc() for key in merged]
    return _make_page(list(db.scalars(select(entity).order_by(*order).limit(size))), keys, request)


def fetch_page_per_parent(
    db: Session,
    statement: Select[Row],
    parent: InstrumentedAttribute[str],
    parent_ids: Sequence[str],
    keys: Sequence[InstrumentedAttribute[Any]],
    request: PageRequest,
    *,
    descending: bool = False,
    sort_matches: bool = False,
) -> list[Page[Row]]:
    """The same page for each parent. Runs one statement for all parents, and reads no rows beyond the pages."""
    statement = statement.where(parent.in_(parent_ids))
    if len(parent_ids) == 1:
        return [fetch_page(db, statement, keys, request, descending=descending, sort_matches=sort_matches)]
    page, order = _select_page(statement, keys, request, descending=descending, sort_matches=sort_matches)
    row_number = func.row_number().over(partition_by=parent, order_by=order).label("row_number")
    numbered = page.add_columns(row_number).subquery()
    entity = aliased(parent.class_, numbered)
    pages = select(entity).where(numbered.c.row_number <= request.size() + 1).order_by(numbered.c.row_number)
    by_parent: defaultdict[str, list[Any]] = defaultdict(list)
    for row in db.scalars(pages):
        by_parent[getattr(row, parent.key)].append(row)
    return [_make_page(by_parent[id], keys, request) for id in parent_ids]


def count_rows(db: Session, statement: Select[Any]) -> int:
    """The number of rows that `statement` selects."""
    return db.scalar(select(func.count()).select_from(statement.order_by(None).subquery())) or 0


def count_rows_per_parent(
    db: Session, statement: Select[Any], parent: InstrumentedAttribute[str], parent_ids: Sequence[str]
) -> list[int]:
    """The number of rows of each parent. Runs one statement."""
    grouped = statement.with_only_columns(parent, func.count()).where(parent.in_(parent_ids)).group_by(parent)
    counts = {row[0]: int(row[1]) for row in db.execute(grouped)}
    return [counts.get(id, 0) for id in parent_ids]


class _SortedColumn(ColumnElement[Any]):
    """A sort column for which no index is used: rows are sorted after they were found."""

    inherit_cache = True
    _traverse_internals: ClassVar[Any] = [("column", InternalTraversal.dp_clauseelement)]

    def __init__(self, column: ColumnElement[Any]) -> None:
        self.column = column
        self.type = column.type


@compiles(_SortedColumn)
def _compile_sorted(element: _SortedColumn, compiler: SQLCompiler, **options: Any) -> str:
    return compiler.process(element.column, **options)


@compiles(_SortedColumn, "sqlite")
def _compile_unindexed(element: _SortedColumn, compiler: SQLCompiler, **options: Any) -> str:
    return f"+{compiler.process(element.column, **options)}"


def _select_page(
    statement: Select[Row],
    keys: Sequence[InstrumentedAttribute[Any]],
    request: PageRequest,
    *,
    descending: bool,
    sort_matches: bool = False,
) -> tuple[Select[Row], list[ColumnElement[Any]]]:
    """The statement limited by the cursors, and the order that puts the page's rows first."""
    columns: list[ColumnElement[Any]] = [
        _SortedColumn(key.expression) if sort_matches else key.expression for key in keys
    ]
    for name, cursor, above in (("after", request.after, not descending), ("before", request.before, descending)):
        if cursor is not None:
            position = tuple_(*_cursor_values(name, cursor, keys))
            statement = statement.where(tuple_(*columns) > position if above else tuple_(*columns) < position)
    backwards = request.last is not None
    return statement, [column.desc() if descending != backwards else column.asc() for column in columns]


def _make_page(rows: list[Any], keys: Sequence[InstrumentedAttribute[Any]], request: PageRequest) -> Page[Any]:
    """A page of these rows. One row more than the page's size was read, to see whether there are more."""
    size, backwards = request.size(), request.last is not None
    more = len(rows) > size
    rows = rows[:size]
    if backwards:
        rows.reverse()
    return Page(
        rows=rows,
        cursors=[encode_cursor([getattr(row, key.key) for key in keys]) for row in rows],
        has_next=request.before is not None or (more and not backwards),
        has_previous=request.after is not None or (more and backwards),
    )


def encode_cursor(values: Sequence[Any]) -> str:
    """The cursor of a row, from its values of the sort keys."""
    plain = [value.isoformat() if hasattr(value, "isoformat") else value for value in values]
    return base64.urlsafe_b64encode(json.dumps(plain, ensure_ascii=False).encode()).decode()


def decode_single_key(cursor: str) -> Any:
    """The only value in a cursor; None for an invalid cursor, which `fetch_page` then rejects."""
    try:
        [value] = _decode_cursor(cursor)
    except (ValueError, TypeError, RecursionError):
        return None
    return value


def _decode_cursor(cursor: str) -> list[Any]:
    """The values in a cursor. Raises ValueError, TypeError or RecursionError if `encode_cursor` did not make it."""
    if len(cursor) > _MAX_CURSOR:
        raise ValueError(cursor)
    values: Any = json.loads(base64.urlsafe_b64decode(cursor.encode()))
    if encode_cursor(values) != cursor or any(isinstance(value, str) and "\0" in value for value in values):
        raise ValueError(cursor)
    return values


def _cursor_values(argument: str, cursor: str, keys: Sequence[InstrumentedAttribute[Any]]) -> list[Any]:
    """The values of a cursor, converted to the types of these keys. Raises BadUserInput."""
    try:
        return [
            _typed_value(key.type.python_type, value) for key, value in zip(keys, _decode_cursor(cursor), strict=True)
        ]
    except (ValueError, TypeError, RecursionError) as error:
        raise errors.BadUserInput(argument, f"`{argument}` is not a cursor of this list.") from error


def _typed_value(kind: type[Any], value: Any) -> Any:
    """A cursor's value, converted for comparison with a column of this type. Raises ValueError or TypeError."""
    if kind is datetime:
        value = datetime.fromisoformat(value)
        if value.utcoffset() != timedelta(0):
            raise ValueError(value)
    elif type(value) is not kind:
        raise TypeError(value)
    if isinstance(value, int) and abs(value) > _MAX_INTEGER:
        raise ValueError(value)
    return value
