"""A filter of a project's documents: which to list, and which to search."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from app import errors
from app.statuses import DocumentStatus

MAX_TITLE = 500
"""Maximum length of `title_contains`; no title is longer."""
MAX_NUMBER = 2**53
"""Beyond this, neither databases nor JavaScript can tell whole numbers apart."""
MAX_STATUSES = 100
# Each is one more condition of the statement; databases limit their number (SQLite: 1,000).
_MAX_KEYS = 50
_MAX_METADATA = 10_000
_STATUSES = f"`status` must be a list of {', '.join(DocumentStatus)}."

Kind = Literal["TEXT", "NUMBER", "BOOLEAN"]


@dataclass(frozen=True, slots=True)
class MetadataEntry:
    """A key of a document's metadata and its value. Without `kind`, 1 and true would be the same."""

    key: str
    kind: Kind
    value: str | float | bool


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """Which documents of a project: those that meet every criterion that is set.

    `title_contains`: whose title contains this text, in either case. `metadata`: whose metadata has all these entries.
    `ids`: only of these. `named`: whose title, source or file name is exactly this.
    """

    status: frozenset[DocumentStatus] | None = None
    title_contains: str | None = None
    metadata: tuple[MetadataEntry, ...] = ()
    ids: tuple[str, ...] | None = None
    named: str | None = None

    @property
    def selects_all(self) -> bool:
        """Whether no criterion is set."""
        return self == DocumentFilter()


def read_document_filter(values: Mapping[str, Any], spell: Callable[[str], str] = str) -> DocumentFilter:
    """The filter that a client describes as `{"status": […], "title_contains": "…", "metadata": {…}}`.

    Each criterion is optional. Raises Invalid, with the criteria spelled as the client knows them.
    """
    allowed = ("status", "title_contains", "metadata")
    for name in values:
        if name not in allowed:
            *others, last = map(spell, allowed)
            raise _invalid(name, f"A document filter has {', '.join(f'`{other}`' for other in others)} and `{last}`.")
    status, title, metadata = (values.get(name) for name in allowed)
    return DocumentFilter(
        None if status is None else _read_status(status),
        None if title is None else _read_title(title, spell("title_contains")),
        () if metadata is None else read_metadata(metadata),
    )


def read_metadata(values: object) -> tuple[MetadataEntry, ...]:
    """The entries of a JSON object of texts, numbers and booleans. Raises Invalid."""
    if not isinstance(values, dict):
        raise _invalid("metadata", "`metadata` must be a JSON object.")
    found = cast("dict[str, object]", values)
    if len(found) > _MAX_KEYS:
        raise errors.Invalid.at("metadata", "TOO_LARGE", f"Filter metadata by at most {_MAX_KEYS} keys.")
    entries = tuple(_read_entry(key, value) for key, value in sorted(found.items()))
    if sum(len(entry.key) + len(str(entry.value)) for entry in entries) > _MAX_METADATA:
        message = f"`metadata` must have at most {_MAX_METADATA:,} characters."
        raise errors.Invalid.at("metadata", "TOO_LARGE", message)
    return entries


def _read_entry(key: str, value: object) -> MetadataEntry:
    if isinstance(value, bool):
        return MetadataEntry(key, "BOOLEAN", value)
    if isinstance(value, str):
        return MetadataEntry(key, "TEXT", value)
    if not isinstance(value, int | float) or math.isnan(value):
        raise _invalid("metadata", "Filter metadata by text, number or boolean values.")
    if not -MAX_NUMBER <= value <= MAX_NUMBER:
        message = f"Numbers in `metadata` must be at most {MAX_NUMBER:,}."
        raise errors.Invalid.at("metadata", "OUT_OF_RANGE", message)
    return MetadataEntry(key, "NUMBER", float(value))


def _read_status(values: object) -> frozenset[DocumentStatus]:
    names = cast("list[Any]", values) if isinstance(values, list) else [None]
    try:
        found = frozenset(map(DocumentStatus, names[: MAX_STATUSES + 1]))
    except (TypeError, ValueError) as error:
        raise _invalid("status", _STATUSES) from error
    if len(names) > MAX_STATUSES:
        raise _invalid("status", f"`status` must have at most {MAX_STATUSES} entries.")
    return found


def _read_title(value: object, spelled: str) -> str:
    if not isinstance(value, str) or len(value) > MAX_TITLE:
        raise _invalid("title_contains", f"`{spelled}` must be a string of at most {MAX_TITLE:,} characters.")
    return value


def _invalid(path: str, message: str) -> errors.Invalid:
    return errors.Invalid.at(path, "INVALID", message)
