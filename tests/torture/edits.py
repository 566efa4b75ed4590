"""Edits of marked source lines that remove a guard."""

import ast
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.torture import markers
from tests.torture.markers import Place


@dataclass(frozen=True, slots=True)
class Edit:
    """A change at the line that `marker` names. `text` is what it adds.

    `change` takes the line's number and all lines, and returns all lines.
    """

    marker: str
    change: Callable[[int, Sequence[str]], list[str]]
    text: str = ""

    def apply(self, source: str) -> str:
        """The changed source. Raises LookupError unless the marker occurs exactly once."""
        lines = source.splitlines()
        return "\n".join(self.change(line_of(self.marker, lines), lines)) + "\n"


def line_of(marker: str, lines: Sequence[str]) -> int:
    """The line number of a marker. Raises LookupError unless it occurs exactly once."""
    found = [Place(Path(), line) for name, line in markers.read("\n".join(lines)) if name == marker]
    return markers.only(marker, found).line


def replace_line(marker: str, text: str) -> Edit:
    """Replace the marked line with this."""

    def change(number: int, lines: Sequence[str]) -> list[str]:
        return [*lines[: number - 1], *_like(lines[number - 1], text), *lines[number:]]

    return Edit(marker, change, text)


def replace(marker: str, text: str = "") -> Edit:
    """Replace the statement that begins on the marked line with this, or with nothing."""

    def change(number: int, lines: Sequence[str]) -> list[str]:
        return [*lines[: number - 1], *_like(lines[number - 1], text), *lines[_end(number, lines) :]]

    return Edit(marker, change, text)


def insert(marker: str, text: str) -> Edit:
    """Insert this before the marked statement and the comments above it.

    A kill point at the statement comes after what is inserted.
    """

    def change(number: int, lines: Sequence[str]) -> list[str]:
        first = number - 1
        while lines[first - 1].lstrip().startswith("#"):
            first -= 1
        return [*lines[:first], *_like(lines[first], text), *lines[first:]]

    return Edit(marker, change, text)


def commit(marker: str) -> Edit:
    """Commit before the marked statement; what follows happens in a second transaction.

    A kill point at the transaction's end moves to the end of the second.
    """

    def change(number: int, lines: Sequence[str]) -> list[str]:
        if _in_function_of_session(number, lines):
            return [*lines[: number - 1], *_like(lines[number - 1], "db.commit()"), *lines[number - 1 :]]
        withs = [node for node in ast.walk(ast.parse("\n".join(lines))) if isinstance(node, ast.AsyncWith)]
        begin = max(node.lineno for node in withs if node.lineno < number <= (node.end_lineno or 0))
        header = lines[begin - 1]
        return [*lines[: begin - 1], _unmarked(header), *lines[begin : number - 1], header, *lines[number - 1 :]]

    return Edit(marker, change)


def append_transaction(marker: str, text: str) -> Edit:
    """Do this in a second transaction after the one whose function ends with the marked line."""

    def change(number: int, lines: Sequence[str]) -> list[str]:
        return [*lines[: number - 1], *_like(lines[number - 1], f"db.commit()\n{text}"), *lines[number - 1 :]]

    return Edit(marker, change, text)


def _in_function_of_session(number: int, lines: Sequence[str]) -> bool:
    """Whether the line is in a function that runs in one transaction, on the database's thread."""
    functions = [node for node in ast.walk(ast.parse("\n".join(lines))) if isinstance(node, ast.FunctionDef)]
    around = [node for node in functions if node.lineno < number <= (node.end_lineno or 0)]
    return bool(around) and any(each.arg == "db" for each in max(around, key=lambda node: node.lineno).args.args)


def _unmarked(line: str) -> str:
    return line.partition("  # ")[0]


def _like(line: str, text: str) -> list[str]:
    """The lines of a text, indented like this line."""
    return textwrap.indent(text, line[: len(line) - len(line.lstrip())]).splitlines()


def _end(number: int, lines: Sequence[str]) -> int:
    """The last line of the statement that begins on this one. Raises LookupError when none does."""
    for node in ast.walk(ast.parse("\n".join(lines))):
        if isinstance(node, ast.stmt) and node.lineno == number:
            return node.end_lineno or number
    raise LookupError(f"no statement begins on line {number}: {lines[number - 1]}")
