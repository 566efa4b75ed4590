"""What all tables share: ids, timestamps, common columns, and the base class with its naming convention."""

import json
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import uuid_utils
from sqlalchemy import JSON, BigInteger, DateTime, Dialect, Enum, ForeignKey, Integer, MetaData, String, TypeDecorator
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

# For tables whose row ids are stored elsewhere, as citations of old answers store chunk ids: no id is ever reused.
RowId = BigInteger().with_variant(Integer, "sqlite")
NEVER_REUSED = {"sqlite_autoincrement": True}


def new_id() -> str:
    """A UUID of version 7 as 32 hex digits: unique everywhere, and in order of creation."""
    return uuid_utils.uuid7().hex


def now() -> datetime:
    """The current time in UTC."""
    return datetime.now(UTC)


class Moment(TypeDecorator[datetime]):
    """A moment in UTC, with its zone even if the database does not store zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    @property
    def python_type(self) -> type[datetime]:
        """The type of the column's values; cursors are checked against it."""
        return datetime

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert to UTC for the database."""
        return value.astimezone(UTC) if value else None

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """Add the zone that the database may not have stored."""
        return value.replace(tzinfo=UTC) if value and value.tzinfo is None else value


def is_same_json(one: object, other: object) -> bool:
    """Whether two values are the same in JSON. In Python, 1 equals True."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


class ExactJSON(JSON):
    """JSON that is also written when 1 becomes true, which Python considers equal."""

    def compare_values(self, x: Any, y: Any) -> bool:
        """Whether two values are equal, so that nothing has to be written."""
        return is_same_json(x, y)


class Base(DeclarativeBase):
    """The base class of all tables. Constraint names are fixed, so that migrations can find them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012
        datetime: Moment,
        dict[str, Any]: ExactJSON,
        list[str]: ExactJSON,
        list[Any]: ExactJSON,
        str: String,
    }


def enum_type(enum: type[StrEnum]) -> Enum:
    """The type of a column that holds the name of an enum member as text."""
    return Enum(enum, native_enum=False, length=16)


def id_column() -> Mapped[str]:
    """The primary key of most tables."""
    return mapped_column(String(32), primary_key=True, default=new_id)


def project_column() -> Mapped[str]:
    """The project that a row belongs to; deleting it deletes the row."""
    return mapped_column(String(32), ForeignKey("projects.id", ondelete="CASCADE"))


def user_column(**options: Any) -> Mapped[str]:
    """The user that a row belongs to; deleting them deletes the row."""
    return mapped_column(String(32), ForeignKey("users.id", ondelete="CASCADE"), **options)
