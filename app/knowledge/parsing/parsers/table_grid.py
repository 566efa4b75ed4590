"""Collect the cells of a table, resolve those that extend over rows and columns, and find its header. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from app.knowledge.parsing import refusals
from app.knowledge.parsing.parsers import tables

# As browsers limit them.
_MAX_COLUMNS = 1_000
_MAX_ROWS = 65_534


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of a row, the heading above it inside the table, and its number in the file."""

    cells: Sequence[str]
    group: str = ""
    number: int = 0


@dataclass(slots=True)
class _GridRow:
    cells: list[str] = field(default_factory=list[str])
    headers: int = 0  # cells of its own that are declared as headers
    own: int = 0  # cells of its own with text
    is_group: bool = False


class TableGrid:
    """One table. Raises TOO_LARGE if it has more than `max_cells` once its wide and tall cells are repeated."""

    def __init__(self, max_cells: int) -> None:
        self._max_cells = max_cells
        self._cells = 0
        self._rows: list[_GridRow] = []
        self._below: dict[int, tuple[int, str]] = {}  # column → rows that a tall cell still extends over, and its text
        self._open = (False, 1, 1)

    def begin_row(self) -> None:
        """Start a row."""
        self._end_row()
        self._rows.append(_GridRow())

    def begin_cell(self, *, is_header: bool, columns: int, rows: int) -> None:
        """Start a cell."""
        self._open = (is_header, min(max(1, columns), _MAX_COLUMNS), min(max(1, rows), _MAX_ROWS))

    def end_cell(self, text: str) -> None:
        """Add the open cell with this text."""
        if not self._rows:
            self._rows.append(_GridRow())
        row, text = self._rows[-1], tables.clean_cell(text)
        is_header, columns, rows = self._open
        while len(row.cells) in self._below:
            self._repeat_from_above()
        row.is_group = bool(text) and columns > 1 and not row.own and not row.cells
        row.headers += is_header and bool(text)
        row.own += bool(text)
        for _ in range(columns):
            if rows > 1:
                self._below[len(row.cells)] = (rows - 1, text)
            self._add(text)

    def read_rows(self, *, has_header: bool) -> tuple[tables.Header, list[Row]]:
        """The header, and the rows below it."""
        self._end_row()
        rows = [row for row in self._rows if row.own]
        count = _count_header_rows(rows, has_header=has_header)
        header = tables.Header.from_rows([row.cells for row in rows[:count]])
        found: list[Row] = []
        group = ""
        for row in rows[count:]:
            if row.is_group and row.own == 1 and len(set(row.cells)) == 1 and len(rows) > 1:
                group = row.cells[0]
            else:
                found.append(Row(row.cells, group))
        if not found:  # nothing but headings: they are the content
            return tables.NO_HEADER, [Row(row.cells[:1] if row.is_group else row.cells) for row in rows]
        return header, found

    def _end_row(self) -> None:
        """Repeat the tall cells from above that are right of the last cell."""
        if self._rows:
            while len(self._rows[-1].cells) <= max(self._below, default=-1):
                self._repeat_from_above()

    def _repeat_from_above(self) -> None:
        column = len(self._rows[-1].cells)
        left, text = self._below.pop(column, (0, ""))
        if left > 1:
            self._below[column] = (left - 1, text)
        self._add(text)

    def _add(self, text: str) -> None:
        self._cells += 1
        if self._cells > self._max_cells:
            raise refusals.too_many("cells in a table", self._max_cells)
        self._rows[-1].cells.append(text)


def _count_header_rows(rows: Sequence[_GridRow], *, has_header: bool) -> int:
    """The leading rows whose cells are all declared as headers; or else the first, if it reads like one."""
    declared = 0
    while declared < len(rows) and rows[declared].headers == rows[declared].own:
        declared += 1
    if declared:
        return declared if declared < len(rows) else 0
    if any(row.headers for row in rows):  # headers of rows, not of columns
        return 0
    return tables.count_header_rows([row.cells for row in rows], is_usual=has_header)
