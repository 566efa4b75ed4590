"""Read rows by their ids."""

from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Select, bindparam, select
from sqlalchemy.orm import Session

from app.database.base import Base

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
