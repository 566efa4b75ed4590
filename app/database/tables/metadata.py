"""A condition on a document's metadata. Each database reads JSON in its own way."""

from typing import Any, ClassVar

from sqlalchemy import Boolean, ColumnElement, Text, literal
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from app.answer_options.document_filter import Kind, MetadataEntry
from app.database.tables.documents import Document


class _HasEntry(FunctionElement[bool]):
    """Whether JSON has a key with a value. The value is there as itself, and as text."""

    inherit_cache = True
    type = Boolean()
    sqlite_condition: ClassVar[str]
    postgres_condition: ClassVar[str]


class _HasText(_HasEntry):
    """A text; 7 is not "7 dwarfs"."""

    inherit_cache = True
    sqlite_condition = "entry.type = 'text' AND entry.value = {value}"
    postgres_condition = "json_typeof(entry.value) = 'string' AND entry.value #>> '{{}}' = {spelled}"


class _HasNumber(_HasEntry):
    """A number, however it is written."""

    inherit_cache = True
    sqlite_condition = "entry.type IN ('integer', 'real') AND entry.value = {value}"
    postgres_condition = (
        "CASE WHEN json_typeof(entry.value) = 'number' "
        "THEN CAST(entry.value #>> '{{}}' AS numeric) = CAST({spelled} AS numeric) END"
    )


class _HasBoolean(_HasEntry):
    """True or false, which 1 and 0 are not."""

    inherit_cache = True
    sqlite_condition = "entry.type = {spelled}"
    postgres_condition = "json_typeof(entry.value) = 'boolean' AND entry.value #>> '{{}}' = {spelled}"


_KINDS: dict[Kind, type[_HasEntry]] = {"TEXT": _HasText, "NUMBER": _HasNumber, "BOOLEAN": _HasBoolean}


def has_metadata(wanted: MetadataEntry) -> ColumnElement[bool]:
    """Whether a document's metadata has this key with this value, of the same kind.

    A JSON path would not find every key: which characters it may contain depends on the version of the database.
    """
    spelled = str(wanted.value).lower() if wanted.kind == "BOOLEAN" else str(wanted.value)
    kind = _KINDS[wanted.kind]
    return kind(Document.document_metadata, literal(wanted.key), literal(wanted.value), literal(spelled, Text))


@compiles(_HasEntry, "sqlite")
def _write_sqlite(element: _HasEntry, compiler: Any, **options: Any) -> str:
    json, key, value, spelled = element.clauses
    condition = element.sqlite_condition
    # Only what is used may be written: each value becomes a parameter.
    used = {name: each for name, each in (("value", value), ("spelled", spelled)) if f"{{{name}}}" in condition}
    written = {name: compiler.process(each, **options) for name, each in used.items()}
    return (
        f"EXISTS (SELECT 1 FROM json_each({compiler.process(json, **options)}) AS entry "
        f"WHERE entry.key = {compiler.process(key, **options)} AND {condition.format(**written)})"
    )


@compiles(_HasEntry, "postgresql")
def _write_postgres(element: _HasEntry, compiler: Any, **options: Any) -> str:
    json, key, _, spelled = element.clauses
    column = compiler.process(json, **options)
    condition = element.postgres_condition.format(spelled=compiler.process(spelled, **options))
    # Text cannot hold U+0000 there, though JSON can; nothing with it can be looked for. A backslash in a text without E
    # may mean another thing (standard_conforming_strings).
    readable = rf"CASE WHEN strpos(CAST({column} AS text), E'\\u0000') > 0 THEN '{{}}' ELSE {column} END"
    return (
        f"EXISTS (SELECT 1 FROM json_each({readable}) AS entry "
        f"WHERE entry.key = {compiler.process(key, **options)} AND {condition})"
    )
