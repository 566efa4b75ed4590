"""Collect the cells of a table, expand those that span rows and columns, and find the header. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from app.knowledge.parsing import refusals
from app.knowledge.parsing.parsers import tables

# The same limit as in browsers.
_MAX_COLUMNS = 1_000
_MAX_ROWS = 65_534
_SAMPLE = 50  # rows that show what columns contain


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of a row, the heading above it inside the table, and its number in the file.

    A heading without rows below it is a row without cells.
    `spans` maps the column of each cell that spans more than one column or row to its numbers of columns and rows.
    """

    cells: Sequence[str]
    group: str = ""
    number: int = 0
    spans: Mapping[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])


@dataclass(slots=True)
class _GridRow:
    number: int = 0
    cells: list[str] = field(default_factory=list[str])
    # Columns whose text is repeated from the left or from above → the first column of the original cell.
    repeated: dict[int, int] = field(default_factory=dict[int, int])
    headers: int = 0  # cells of its own that are declared as headers
    own: int = 0  # cells of its own with text
    is_group: bool = False

    def list_own_cells(self) -> list[str]:
        """The cells without repeated text."""
        return ["" if index in self.repeated else cell for index, cell in enumerate(self.cells)]

    def drop_repeated(self, labels: Sequence[str]) -> Sequence[str]:
        """The cells, without text that a wide cell would repeat under the same header or without a header."""
        if not self.repeated:
            return self.cells
        named = dict(enumerate(labels))
        cells = list(self.cells)
        for index, first in self.repeated.items():
            if index != first and named.get(index, "") in ("", named.get(first)):
                cells[index] = ""
        while cells and not cells[-1]:
            cells.pop()
        return cells

    def list_wide_cells(self) -> Iterator[range]:
        """The columns of each cell that spans several."""
        lasts = {first: index for index, first in sorted(self.repeated.items()) if index != first}
        return (range(first, last + 1) for first, last in lasts.items())


class TableGrid:
    """One table. Raises TOO_LARGE if it has more than `max_cells` once its spanning cells are expanded."""

    def __init__(self, max_cells: int) -> None:
        self._max_cells = max_cells
        self._cells = 0
        self._rows: list[_GridRow] = []
        # Column → remaining rows of a tall cell, its text, its first column.
        self._below: dict[int, tuple[int, str, int]] = {}
        self._open = (False, 1, 1)

    def begin_row(self, number: int = 0) -> None:
        """Start a row; `number` is its number in the file."""
        self._end_row()
        self._rows.append(_GridRow(number))

    def add_row(self, row: Row) -> None:
        """Add a row with a cell in every column. Cells covered by a spanning cell may have their own text."""
        self.begin_row(row.number)
        added = self._rows[-1]
        if not row.spans and not self._below:
            self._count(len(row.cells))
            added.cells = list(row.cells)
            added.own = sum(1 for cell in row.cells if cell.strip())
            return
        for index, text in enumerate(row.cells):
            if index < len(added.cells):
                if text.strip():
                    added.cells[index] = text
                    added.own += 1
                    added.repeated.pop(index, None)
            elif index in self._below and not text.strip():
                self._repeat_from_above()
            else:
                self._below.pop(index, None)
                columns, rows = row.spans.get(index, (1, 1))
                self.begin_cell(is_header=False, columns=columns, rows=rows)
                self.end_cell(text)

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
        first = len(row.cells)
        for column in range(first, first + columns):
            if rows > 1:
                self._below[column] = (rows - 1, text, first)
            if column > first:
                row.repeated[column] = first
            self._add(text)

    def read_rows(
        self, *, has_header: bool, header_above: tables.Header = tables.NO_HEADER
    ) -> tuple[tables.Header, list[Row]]:
        """The header, or `header_above` if the table has none, and the rows below it."""
        self._end_row()
        rows = [row for row in self._rows if row.own]
        headers = _find_header_rows(rows, has_header=has_header)
        count = len(headers)
        header = tables.Header.from_rows(headers) if headers else header_above
        found: list[Row] = []
        group: _GridRow | None = None
        is_used = True
        for row in rows[count:]:
            if row.is_group and row.own == 1 and len(set(row.cells)) == 1 and len(rows) > 1:
                found += [] if is_used else _list_group(group)
                group, is_used = row, False
            else:
                found.append(Row(row.drop_repeated(header.labels), group.cells[0] if group else "", row.number))
                is_used = True
        if (
            headers and found and not any(_has_labels(header, row) for row in found)
        ):  # no row would repeat a word of the header
            found = [*(Row(row.drop_repeated(()), number=row.number) for row in rows[:count]), *found]
        if not any(row.cells for row in found):  # only headings, which are then the content
            found = [Row(row.drop_repeated(()), number=row.number) for row in rows]
            return tables.NO_HEADER, found
        return header, found + ([] if is_used else _list_group(group))

    def _end_row(self) -> None:
        """Repeat tall cells from above to the right of the last cell."""
        if self._rows:
            last = max(self._below, default=-1)
            while len(self._rows[-1].cells) <= last:
                self._repeat_from_above()

    def _repeat_from_above(self) -> None:
        column = len(self._rows[-1].cells)
        left, text, first = self._below.pop(column, (0, "", column))
        if left > 1:
            self._below[column] = (left - 1, text, first)
        if left:
            self._rows[-1].repeated[column] = first
        self._add(text)

    def _add(self, text: str) -> None:
        self._count(1)
        self._rows[-1].cells.append(text)

    def _count(self, cells: int) -> None:
        self._cells += cells
        if self._cells > self._max_cells:
            raise refusals.too_many("cells in a table", self._max_cells)


def _has_labels(header: tables.Header, row: Row) -> bool:
    """Whether a cell of a row has a header, or the row has no cells."""
    return not row.cells or any(label and cell.strip() for label, cell in zip(header.labels, row.cells, strict=False))


def _list_group(group: _GridRow | None) -> list[Row]:
    """The heading of an empty group, as a row without cells."""
    return [Row((), group.cells[0], group.number)] if group else []


def _find_header_rows(rows: Sequence[_GridRow], *, has_header: bool) -> list[Sequence[str]]:
    """The cells of the leading rows declared as headers; or else of the first row, if it looks like a header.

    If its cells span columns that the next row names, that row belongs to the header, too.
    """
    cells: list[Sequence[str]] = [row.cells for row in rows]
    declared = 0
    while declared < len(rows) and rows[declared].headers == rows[declared].own:
        declared += 1
    if declared:
        return cells[:declared] if declared < len(rows) else []
    if any(row.headers for row in rows):  # headers of rows, not of columns
        return []
    count = 1
    while count < len(rows) and _names_columns(rows[count], rows[count - 1]):
        count += 1
    headers = cells[:count] if count > 1 else _find_unmerged_header(rows)
    if len(headers) > 1:
        labels = tables.Header.from_rows(headers).labels
        if tables.count_header_rows([labels, *cells[len(headers) :]], is_usual=has_header):
            return headers
    own = [row.list_own_cells() for row in rows[:1]]
    return cells[: tables.count_header_rows([*own, *cells[1:]], is_usual=has_header)]


def _find_unmerged_header(rows: Sequence[_GridRow]) -> list[Sequence[str]]:
    """Find two header rows whose cells are not merged; empty if there are none.

    A name in the first row is above the first of its columns, which the second row names, or above a unit. Values below
    its names distinguish the second row from data.
    """
    if len(rows) < 3 or rows[0].repeated:
        return []
    first, second = ([tables.clean_cell(cell) for cell in row.list_own_cells()] for row in rows[:2])
    width = max(len(first), len(second))
    first, second = ([*cells, *[""] * (width - len(cells))] for cells in (first, second))
    below = [row.cells for row in rows[2 : 2 + _SAMPLE]]
    named = [index for index, cell in enumerate(second) if cell]
    if rows[0].own < 2 or not all(map(tables.is_label, filter(None, [*first, *second]))):
        return []
    groups = {at for at in range(width - 1) if first[at] and second[at] and not first[at + 1] and second[at + 1]}
    for index in named:
        is_unit = not tables.is_value(second[index]) and tables.holds_values(below, index)
        if first[index] and index not in groups and not is_unit:
            return []
    if not any(tables.holds_values(below, index) for index in named):
        return []
    for index in range(1, width):
        if second[index] and second[index - 1] and not first[index]:
            first[index] = first[index - 1]
    return [first, second]


def _names_columns(row: _GridRow, above: _GridRow) -> bool:
    """Whether a row has only headers of columns that are below a wide cell of the row above."""
    wide = list(above.list_wide_cells())
    own = {index: tables.clean_cell(cell) for index, cell in enumerate(row.list_own_cells()) if cell.strip()}
    if above.own < 2 or not all(map(tables.is_label, own.values())):
        return False
    narrow = {index for index, cell in enumerate(above.cells) if cell.strip()}.difference(*wide)
    if not narrow.isdisjoint(own):
        return False
    return any(len({own[index] for index in columns if index in own}) > 1 for columns in wide)
