"""Select documents by status, title and metadata."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, or_, select

from app import errors
from app.database import models
from app.statuses import DocumentStatus

# Each is one more nested condition of the statement; databases limit their number (SQLite: 1,000).
_MAX_KEYS = 50


@dataclass(frozen=True, slots=True)
class DocumentCriteria:
    """Which documents of a project; metadata matches when every given key has the given value.

    `named`: those with exactly this title, source or file name.
    """

    status: Sequence[DocumentStatus] | None = None
    title_contains: str | None = None
    metadata: dict[str, Any] | None = None
    named: str | None = None


def select_documents(which: DocumentCriteria) -> Select[models.Document]:
    """The documents of all projects that match. Raises Invalid for metadata that cannot be compared."""
    statement = select(models.Document)
    if which.status is not None:
        statement = statement.where(models.Document.status.in_(which.status))
    if which.title_contains is not None:
        statement = statement.where(models.Document.title.icontains(which.title_contains, autoescape=True))
    if which.named is not None:
        named = (models.Document.title, models.Document.source, models.Document.name)
        statement = statement.where(or_(*(column == which.named for column in named)))
    if len(which.metadata or {}) > _MAX_KEYS:
        raise errors.Invalid.at("metadata", "TOO_LARGE", f"Filter metadata by at most {_MAX_KEYS} keys.")
    for key, value in (which.metadata or {}).items():
        if not key or not key.isprintable() or '"' in key or "\\" in key:
            raise errors.Invalid.at("metadata", "INVALID", "Filter metadata by keys without quotes and backslashes.")
        entry = models.Document.document_metadata[key]
        if isinstance(value, bool):
            statement = statement.where(entry.as_boolean() == value)
        elif isinstance(value, int | float):
            statement = statement.where(entry.as_float() == float(value))
        elif isinstance(value, str):
            statement = statement.where(entry.as_string() == value)
        else:
            raise errors.Invalid.at("metadata", "INVALID", "Filter metadata by text, number or boolean values.")
    return statement
