"""Find pipe tables, as in Markdown."""

import re
from collections.abc import Callable, Iterator, Sequence

from app.knowledge.parsing.parsers.markup.rewriting import DrawnTable, find_line_end, is_inside

# The line below the headers. No part of it can match in two ways.
_RULE = re.compile(
    r"^(?=[^\n]*\|)[ \t]*+\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+$", re.MULTILINE
)
_CELL = re.compile(r"(?:[^|\\]++|\\.?)*+", re.DOTALL)


def find_tables(
    text: str, start: int, code: Sequence[tuple[int, int]], clean_label: Callable[[str], str]
) -> Iterator[DrawnTable]:
    """The tables of `text[start:]` outside code."""
    position = start
    for rule in _RULE.finditer(text, start):
        first = max(text.rfind("\n", position, max(position, rule.start() - 1)) + 1, position)
        if first >= rule.start() or is_inside(code, rule.start()):
            continue
        header = text[first : rule.start() - 1]
        if "|" not in header or len(split_cells(header)) != len(split_cells(rule[0])):
            continue
        rows: list[list[str]] = []
        position = end = min(rule.end() + 1, len(text))
        while position < len(text) and "|" in (line := text[position : find_line_end(text, position)]):
            rows.append(split_cells(line))
            end = position + len(line)
            position = end + 1
        yield DrawnTable(first, end, [[clean_label(cell) for cell in split_cells(header)]], rows)


def split_cells(row: str) -> list[str]:
    """The cells of a line; a bar after a backslash is not a separator."""
    row = row.strip().removeprefix("|")
    cells: list[str] = []
    position = 0
    while position <= len(row):
        cell = _CELL.match(row, position)
        end = cell.end() if cell else position
        cells.append(row[position:end].replace("\\|", "|").strip())
        position = end + 1
    if len(cells) > 1 and not cells[-1]:
        cells.pop()
    return cells
