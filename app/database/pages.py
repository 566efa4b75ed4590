"""A statement and what a client asked for in; one page of its rows out. Stable while rows are added or removed.

Keyset pagination: a cursor holds the order's key values of its row, so a page starts after that row and not at a count.
"""

import base64
import binascii
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from sqlalchemy import ColumnElement, Select, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from app import errors

Row = TypeVar("Row")

DEFAULT_SIZE = 20
MAX_SIZE = 100


@dataclass(frozen=True, slots=True)
class Window:
    """Which page: the first `first` after `after`, or the last `last` before `before`."""

    first: int | None = None
    after: str | None = None
    last: int | None = None
    before: str | None = None

    def size(self) -> int:
        """Rows asked for. Raises BadUserInput for a size out of range or for both directions at once."""
        if self.first is not None and self.last is not None:
            raise errors.BadUserInput("last", "Pass `first` or `last`, not both.")
        for name, value in (("first", self.first), ("last", self.last)):
            if value is not None and not 0 <= value <= MAX_SIZE:
                raise errors.BadUserInput(name, f"`{name}` must be between 0 and {MAX_SIZE}.")
        asked = self.last if self.last is not None else self.first
        return DEFAULT_SIZE if asked is None else asked


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """Rows with their cursors, and whether there are more on either side."""

    rows: Sequence[Row]
    cursors: Sequence[str]
    has_next: bool
    has_previous: bool


async def fetch(
    db: AsyncSession,
    statement: Select[Row],
    keys: Sequence[InstrumentedAttribute[Any]],
    window: Window,
    *,
    descending: bool = False,
) -> Page[Row]:
    """One page of `statement`'s rows in the order of `keys`, whose last must be unique. One statement."""
    size = window.size()
    backwards = window.last is not None
    page = statement
    for name, cursor, above in (("after", window.after, not descending), ("before", window.before, descending)):
        if cursor is not None:
            position = tuple_(*_decode(name, cursor, keys))
            page = page.where(tuple_(*keys) > position if above else tuple_(*keys) < position)
    order: list[ColumnElement[Any]] = [key.desc() if descending != backwards else key.asc() for key in keys]
    rows = list((await db.scalars(page.order_by(*order).limit(size + 1))).all())
    more = len(rows) > size
    rows = rows[:size]
    if backwards:
        rows.reverse()
    return Page(
        rows=rows,
        cursors=[_encode([getattr(row, key.key) for key in keys]) for row in rows],
        has_next=window.before is not None if backwards else more,
        has_previous=more if backwards else window.after is not None,
    )


async def count(db: AsyncSession, statement: Select[Any]) -> int:
    """How many rows `statement` has in all."""
    return await db.scalar(select(func.count()).select_from(statement.order_by(None).subquery())) or 0


def _encode(values: Sequence[Any]) -> str:
    plain = [value.isoformat() if hasattr(value, "isoformat") else value for value in values]
    return base64.urlsafe_b64encode(json.dumps(plain, ensure_ascii=False).encode()).decode()


def _decode(argument: str, cursor: str, keys: Sequence[InstrumentedAttribute[Any]]) -> list[Any]:
    try:
        values = json.loads(base64.urlsafe_b64decode(cursor.encode()))
        if not isinstance(values, list) or len(values) != len(keys):  # pyright: ignore[reportUnknownArgumentType]
            raise ValueError(cursor)
        kinds = [key.type.python_type for key in keys]
        return [
            kind.fromisoformat(value) if hasattr(kind, "fromisoformat") else _of(kind, value)
            for kind, value in zip(kinds, values, strict=True)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        ]
    except (ValueError, TypeError, binascii.Error) as error:
        raise errors.BadUserInput(argument, f"`{argument}` is not a cursor of this list.") from error


def _of(kind: type[Any], value: Any) -> Any:
    if type(value) is not kind:
        raise TypeError(value)
    return value
