"""Conditions on a document's metadata, in the JSON functions of each database."""

from collections.abc import Sequence
from typing import Any, ClassVar

from sqlalchemy import Boolean, ColumnElement, Text, literal
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from app.answer_options.document_filter import Kind, MetadataEntry
from app.database.tables.documents import Document


class _WantedEntry(FunctionElement[bool]):
    """Whether the JSON entry with a key has a value. The value is passed as it is, and as text (`spelled`)."""

    inherit_cache = True
    type = Boolean()
    sqlite_condition: ClassVar[str]
    postgres_condition: ClassVar[str]


class _TextEntry(_WantedEntry):
    """A text; the number 7 does not equal the text "7"."""

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
    """True or false; 1 and 0 do not match."""

    inherit_cache = True
    sqlite_condition = "entry.type = {spelled}"
    postgres_condition = "json_typeof(entry.value) = 'boolean' AND entry.value #>> '{{}}' = {spelled}"


class _HasEntries(FunctionElement[bool]):
    """Whether a JSON object has all of these entries. Keys are unique, so matches are counted in one pass.

    A pass per entry would take seconds: metadata may have a thousand keys, and a filter fifty.
    """

    inherit_cache = True
    type = Boolean()


_KINDS: dict[Kind, type[_WantedEntry]] = {"TEXT": _TextEntry, "NUMBER": _NumberEntry, "BOOLEAN": _BooleanEntry}


def has_metadata(wanted: Sequence[MetadataEntry]) -> ColumnElement[bool]:
    """Whether a document's metadata has these keys with these values of the same types.

    A JSON path would not find every key: the characters that it allows depend on the database's version.
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
    # PostgreSQL's text cannot hold U+0000, though its JSON can, so metadata with it never matches. The prefix E makes
    # the backslash independent of standard_conforming_strings.
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
    # Only used values may be compiled: each becomes a parameter of the statement.
    used = {name: each for name, each in (("value", value), ("spelled", spelled)) if f"{{{name}}}" in condition}
    written = {name: compiler.process(each, **options) for name, each in used.items()}
    return f"WHEN {compiler.process(key, **options)} THEN {condition.format(**written)}"
