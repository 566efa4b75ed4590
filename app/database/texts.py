"""Case-insensitive text search; in a PostgreSQL database with the locale `C`, for ASCII letters only."""

from typing import Any

from sqlalchemy import Boolean, ColumnElement, Text, literal
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import InstrumentedAttribute
from sqlalchemy.sql.functions import FunctionElement

LOWER_FUNCTION = "lower_text"
"""The name of `lower_text` in SQLite, whose own function `lower` knows only ASCII."""

# Letters whose lower case is two characters, or depends on the next letter.
_DOTTED_I = "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}"
_SIGMA, _SMALL_SIGMA = "\N{GREEK CAPITAL LETTER SIGMA}", "\N{GREEK SMALL LETTER SIGMA}"


def lower_text(text: str | None) -> str | None:
    """`text` in lower case, character by character, like PostgreSQL with any locale but `C`."""
    return None if text is None else text.replace(_DOTTED_I, "i").replace(_SIGMA, _SMALL_SIGMA).lower()


class _ContainsText(FunctionElement[bool]):
    inherit_cache = True
    type = Boolean()


def contains_text(column: ColumnElement[str] | InstrumentedAttribute[str], text: str) -> ColumnElement[bool]:
    """Whether a column contains `text`, ignoring case."""
    return _ContainsText(column, literal(text, Text))


@compiles(_ContainsText, "sqlite")
def _write_sqlite(element: _ContainsText, compiler: Any, **options: Any) -> str:
    column, text = (compiler.process(each, **options) for each in element.clauses)
    return f"instr({LOWER_FUNCTION}({column}), {LOWER_FUNCTION}({text})) > 0"


@compiles(_ContainsText, "postgresql")
def _write_postgres(element: _ContainsText, compiler: Any, **options: Any) -> str:
    column, text = (compiler.process(each, **options) for each in element.clauses)
    # Columns have the collation `C`, with which `lower` knows only ASCII.
    return f'strpos(lower({column} COLLATE "default"), lower({text} COLLATE "default")) > 0'
