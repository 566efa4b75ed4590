"""A condition on a document's metadata. Each database reads JSON in its own way."""

from collections.abc import Sequence
from typing import Any, ClassVar

from sqlalchemy import Boolean, ColumnElement, Text, literal
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from app.answer_options.document_filter import Kind, MetadataEntry
from app.database.tables.documents import Document


class _WantedEntry(FunctionElement[bool]):
    """Whether an entry of JSON, whose key is right, has a value. The value is there as itself, and as text."""

    inherit_cache = True
    type = Boolean()
    sqlite_condition: ClassVar[str]
    postgres_condition: ClassVar[str]


class _TextEntry(_WantedEntry):
    """A text; 7 is not "7 dwarfs"."""

    inherit_cache = True
    sqlite_condition = "entry.type = 'text' AND entry.value = {value}"
    postgres_condition = "json_typeof(entry.value) = 'string' AND entry.value #>> '{{}}' = {spelled}"


class _NumberEntry(_WantedEntry):
    """A number, however it is written."""

    inherit_cache = True
    sqlite_condition = "entry.type IN ('integer', 'real') AND entry.value = {value}"
    postgres_condition = (
        "CASE WHEN json_typeof(entry.value) = 'number' "
        "THEN CAST(entry.value #>> '{{}}' AS numeric) = CAST({spelled} AS numeric) END"
    )


class _BooleanEntry(_WantedEntry):
    """True or false, which 1 and 0 are not."""

    inherit_cache = True
    sqlite_condition = "entry.type = {spelled}"
    postgres_condition = "json_typeof(entry.value) = 'boolean' AND entry.value #>> '{{}}' = {spelled}"


class _HasEntries(FunctionElement[bool]):
    """Whether JSON has all of these entries. They are counted in one pass: keys are unique.

    A pass for each would take seconds: metadata may have a thousand keys, and a filter fifty.
    """

    inherit_cache = True
    type = Boolean()


_KINDS: dict[Kind, type[_WantedEntry]] = {"TEXT": _TextEntry, "NUMBER": _NumberEntry, "BOOLEAN": _BooleanEntry}


def has_metadata(wanted: Sequence[MetadataEntry]) -> ColumnElement[bool]:
    """Whether a document's metadata has these keys with these values, of the same kinds.

    A JSON path would not find every key: which characters it may contain depends on the version of the database.
    """
    return _HasEntries(Document.document_metadata, *map(_entry, wanted))


def _entry(wanted: MetadataEntry) -> _WantedEntry:
    spelled = str(wanted.value).lower() if wanted.kind == "BOOLEAN" else str(wanted.value)
    return _KINDS[wanted.kind](literal(wanted.key), literal(wanted.value), literal(spelled, Text))


@compiles(_HasEntries, "sqlite")
def _write_sqlite(element: _HasEntries, compiler: Any, **options: Any) -> str:
    json, *entries = element.clauses
    return _count_entries(f"json_each({compiler.process(json, **options)})", entries, compiler, options)


@compiles(_HasEntries, "postgresql")
def _write_postgres(element: _HasEntries, compiler: Any, **options: Any) -> str:
    json, *entries = element.clauses
    column = compiler.process(json, **options)
    # Text cannot hold U+0000 there, though JSON can; nothing with it can be looked for. A backslash in a text without E
    # may mean another thing (standard_conforming_strings).
    readable = rf"CASE WHEN strpos(CAST({column} AS text), E'\\u0000') > 0 THEN '{{}}' ELSE {column} END"
    return _count_entries(f"json_each({readable})", entries, compiler, options)


def _count_entries(rows: str, entries: Sequence[Any], compiler: Any, options: dict[str, Any]) -> str:
    keys = ", ".join(compiler.process(next(iter(entry.clauses)), **options) for entry in entries)
    conditions = " ".join(compiler.process(entry, **options) for entry in entries)
    return (
        f"(SELECT count(*) FROM {rows} AS entry WHERE entry.key IN ({keys}) "
        f"AND CASE entry.key {conditions} END) = {len(entries)}"
    )


@compiles(_WantedEntry, "sqlite")
def _write_sqlite_entry(element: _WantedEntry, compiler: Any, **options: Any) -> str:
    return _write_entry(element, element.sqlite_condition, compiler, options)


@compiles(_WantedEntry, "postgresql")
def _write_postgres_entry(element: _WantedEntry, compiler: Any, **options: Any) -> str:
    return _write_entry(element, element.postgres_condition, compiler, options)


def _write_entry(element: _WantedEntry, condition: str, compiler: Any, options: dict[str, Any]) -> str:
    key, value, spelled = element.clauses
    # Only what is used may be written: each value becomes a parameter.
    used = {name: each for name, each in (("value", value), ("spelled", spelled)) if f"{{{name}}}" in condition}
    written = {name: compiler.process(each, **options) for name, each in used.items()}
    return f"WHEN {compiler.process(key, **options)} THEN {condition.format(**written)}"
