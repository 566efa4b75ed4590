"""Print tables, JSON and notices."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import typer
from rich.cells import cell_len
from rich.text import Text

from app.cli.running import CONTROLS, err, out

# JSON itself escapes only those below U+0020.
_ESCAPED_CONTROLS = {code: f"\\u{code:04x}" for code in CONTROLS}


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print aligned columns, without those that are empty in every row."""
    shown = [column for column in range(len(heads)) if not rows or any(row[column] for row in rows)]
    widths = {column: max(cell_len(row[column]) for row in [heads, *rows]) for column in shown}
    for row in [heads, *rows]:
        cells = (row[column] + " " * (widths[column] - cell_len(row[column])) for column in shown)
        out.print("  ".join(cells).rstrip())


def print_json(value: Any) -> None:
    """Print JSON for programs, with the field names of the GraphQL API. Control characters are escaped."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False).translate(_ESCAPED_CONTROLS))


def print_notice(code: str, message: str) -> None:
    """Print a notice on standard error."""
    err.print(Text(f"[{code}] {message}", style="yellow"))


def format_day(when: datetime) -> str:
    """`2026-08-01`."""
    return f"{when:%Y-%m-%d}"


def format_minute(when: datetime) -> str:
    """`2026-08-01 09:30`."""
    return f"{when:%Y-%m-%d %H:%M}"


def format_count(count: int, noun: str) -> str:
    """`1 chunk`, `2,000 chunks`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def to_line(text: str) -> str:
    """One line, also of the name of a file, which may contain line ends."""
    return " ".join(text.split())


def shorten_line(text: str, length: int) -> str:
    """One line of at most `length` characters."""
    line = to_line(text)
    return line if len(line) <= length else f"{line[: length - 1]}…"
