"""Find tables in plain text whose columns are separated by spaces or tabs."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app import language
from app.knowledge.parsing.parsers import tables
from app.knowledge.parsing.parsers.markup.rewriting import DrawnTable, find_line_end

_CELL = re.compile(r"\S++(?: \S++)*+")
_RULE = re.compile(r"[ \t]*+[-=_─━][-=_─━ \t|+]*+$")
_WIDE = re.compile(f"[{language.CJK}\u3001-\u303f\uff01-\uff60\uffe0-\uffe6]")
_AMOUNT = re.compile(r"\d[\d.,]*+")
_FEWEST_LINES = 3
_MAX_COLUMNS = 200
# Text that can name a value on its line, and is neither code nor a sentence.
_NAME = re.compile(r"[^=;{}<>|#$\n]{1,40}")
_ALIGNED = 0.7  # share of a column's cells that must be aligned left or right


@dataclass(frozen=True, slots=True)
class _Cell:
    """A text between wide gaps, and its start and end on the line, in terminal columns."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Line:
    """A line with several cells; `is_ruled`: a line of dashes follows."""

    start: int
    end: int
    cells: Sequence[_Cell]
    is_ruled: bool = False


def find_tables(text: str) -> Iterator[DrawnTable]:
    """The tables of `text`: consecutive lines with headers above columns, or with names before values."""
    for lines in _find_runs(text):
        table = _read_table(lines) if len(lines) >= _FEWEST_LINES else None
        if table is not None:
            yield DrawnTable(lines[0].start, lines[-1].end, *table)


def _find_runs(text: str) -> Iterator[list[_Line]]:
    """Runs of consecutive lines with several cells; lines of dashes are skipped."""
    run: list[_Line] = []
    position = 0
    while position < len(text):
        end = find_line_end(text, position)
        line = text[position:end]
        cells = _read_cells(line)
        if len(cells) > 1 and not _RULE.match(line):
            run.append(_Line(position, end, cells))
        elif run and _RULE.match(line):
            run[-1] = _Line(run[-1].start, run[-1].end, run[-1].cells, is_ruled=True)
        elif run:
            yield run
            run = []
        position = end + 1
    yield run


def _read_cells(line: str) -> list[_Cell]:
    if "  " not in line and "\t" not in line and "\u3000" not in line:
        return []
    line = line.replace("\u3000", "  ").expandtabs()
    cells: list[_Cell] = []
    position = reached = 0
    for found in _CELL.finditer(line):
        start = position + found.start() - reached
        position, reached = start + _measure(found[0]), found.end()
        cells.append(_Cell(found[0], start, position))
    return cells[:_MAX_COLUMNS]


def _measure(text: str) -> int:
    return len(text) if text.isascii() else len(text) + len(_WIDE.findall(text))


def _read_table(lines: Sequence[_Line]) -> tuple[list[tables.Cells], list[tables.Cells]] | None:
    """The headers and rows; None if the lines are not a table."""
    first, *rest = lines
    written = [[cell.text for cell in line.cells] for line in lines]
    width = max(len(line.cells) for line in rest)
    if _has_headers(first, rest, written):
        rows = _place_cells(rest, first.cells)
        return None if rows is None else ([written[0]], rows)
    if (
        len(first.cells) == width - 1
        and _is_right_of_first_column(first, rest)
        and all(map(tables.is_label, written[0]))
    ):
        name = _Cell("", 0, first.cells[0].start - 1)
        rows = _place_cells(rest, [name, *first.cells])
        return None if rows is None else ([["", *written[0]]], rows)
    is_list = all(len(line.cells) == 2 and _NAME.fullmatch(line.cells[0].text) for line in lines)
    return ([], list(written)) if is_list and _are_aligned([line.cells[1] for line in lines]) else None


def _has_headers(first: _Line, rest: Sequence[_Line], written: Sequence[Sequence[str]]) -> bool:
    """Whether the first line is a header. Two columns with values in several units are names and values instead."""
    if len(first.cells) != max(len(line.cells) for line in rest):
        return False
    units = {_AMOUNT.sub("", line.cells[-1].text) for line in rest}
    is_list = len(first.cells) == 2 and len(units) > 1 and not first.is_ruled
    return not is_list and tables.count_header_rows(written, is_usual=first.is_ruled) > 0


def _is_right_of_first_column(header: _Line, rows: Sequence[_Line]) -> bool:
    """Whether a header begins to the right of the first column."""
    return all(row.cells[0].end <= header.cells[0].start for row in rows)


def _place_cells(rows: Sequence[_Line], headers: Sequence[_Cell]) -> list[tables.Cells] | None:
    """The cells of each row by the header above them; None if the rows do not keep to the columns."""
    whole = [row.cells for row in rows if len(row.cells) == len(headers)]
    columns = list(zip(*whole, strict=True))
    if not whole or (len(whole) < len(rows) and not all(map(_are_aligned, columns))):
        return None
    if len(headers) == 2 and not _are_aligned(columns[1]):
        return None
    spans = [
        (min(cell.start for cell in (header, *column)), max(cell.end for cell in (header, *column)))
        for header, column in zip(headers, columns, strict=True)
    ]
    placed = [_place_row(row.cells, spans) for row in rows]
    return [row for row in placed if row is not None] if all(row is not None for row in placed) else None


def _place_row(cells: Sequence[_Cell], spans: Sequence[tuple[int, int]]) -> list[str] | None:
    """The texts of a row, empty for missing columns; None if two cells are in one column."""
    if len(cells) == len(spans):
        return [cell.text for cell in cells]
    row = [""] * len(spans)
    for cell in cells:
        at = max(range(len(spans)), key=lambda at: min(cell.end, spans[at][1]) - max(cell.start, spans[at][0]))
        if row[at]:
            return None
        row[at] = cell.text
    return row


def _are_aligned(column: Sequence[_Cell]) -> bool:
    """Whether most cells of a column are aligned left or right."""
    begin, end = Counter(cell.start for cell in column), Counter(cell.end for cell in column)
    return max(max(begin.values()), max(end.values())) >= _ALIGNED * len(column)
