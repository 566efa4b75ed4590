"""Find tables whose columns are marked by dashes below their headers, as in Pandoc's Markdown."""

import re
from collections.abc import Callable, Iterator, Sequence

from app.knowledge.parsing.parsers.markup.rewriting import DrawnTable, find_line_end, is_inside

_RULE = re.compile(r"^ {0,3}--++(?: ++--++)++ *+$", re.MULTILINE)
_COLUMN = re.compile("-+")
_MAX_COLUMNS = 200


def find_tables(
    text: str, start: int, code: Sequence[tuple[int, int]], clean_label: Callable[[str], str]
) -> Iterator[DrawnTable]:
    """The tables of `text[start:]` outside code; a blank line ends a table."""
    reached = start
    for rule in _RULE.finditer(text, start):
        columns = [dashes.start() for dashes in _COLUMN.finditer(rule[0])]
        first = max(text.rfind("\n", reached, max(reached, rule.start() - 1)) + 1, reached)
        if rule.start() <= first or is_inside(code, rule.start()) or len(columns) > _MAX_COLUMNS:
            continue
        header = _cut(text[first : rule.start() - 1], columns)
        rows: list[list[str]] = []
        position = end = rule.end() + 1
        while position < len(text):
            row = _cut(text[position : find_line_end(text, position)], columns)
            if row is None:
                break
            rows.append(row)
            end = find_line_end(text, position)
            position = end + 1
        if header and rows:
            reached = position
            yield DrawnTable(first, end, [[clean_label(cell) for cell in header]], rows)


def _cut(line: str, columns: Sequence[int]) -> list[str] | None:
    """The cells of a line; None if it is blank, dashes, or text that crosses the columns."""
    if not line.strip(" -") or any(line[start - 1 : start].strip() for start in columns if start):
        return None
    ends = [*columns[1:], len(line)]
    return [line[start:end].strip() for start, end in zip(columns, ends, strict=True)]
