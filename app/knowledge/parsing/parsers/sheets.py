"""Write sheets: find the tables in rows of cells, wherever they begin."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from app.knowledge.parsing.parsers import table_grid, tables
from app.knowledge.parsing.parsers.table_grid import Row
from app.knowledge.parsing.parsers.text_writer import TextWriter

MAX_CELLS = 20_000_000  # in the rectangle around all cells of a sheet
_SAMPLE = 50  # rows that show how wide a table is, and what its columns contain
_MOST = 0.6
_DATE = re.compile(r"\d{4}-\d\d?-\d\d?|\d\d?([./-])\d\d?\1(?:\d\d)?\d\d\b")


class _Kind(Enum):
    """The kind of values in a column."""

    TEXT = auto()
    NUMBER = auto()
    PERCENTAGE = auto()
    DATE = auto()
    MIXED = auto()


@dataclass(frozen=True, slots=True)
class _TableAbove:
    """A table that may continue below a blank row."""

    header: tables.Header
    kinds: Mapping[int, _Kind]


def write_sheet(writer: TextWriter, rows: Iterable[Row]) -> None:
    """Write numbered rows. Blank rows end a table; lines above a header are titles.

    A table without a header of its own continues the one above it if it has the same shape.
    """
    above: _TableAbove | None = None
    for block in _split_blocks(rows):
        titles = _count_titles(block)
        for row in block[:titles]:
            writer.begin_paragraph()
            writer.write_text(" ".join(row.cells))
        body = block[titles:]
        if not any(map(_count_filled, body)):
            continue
        grid = table_grid.TableGrid(MAX_CELLS)
        for row in body:
            grid.add_row(row)
        sample = _find_columns(body[:_SAMPLE])
        header_above = above.header if above and _continues(above, sample) else tables.NO_HEADER
        header, found = grid.read_rows(has_header=above is None, header_above=header_above)
        if header not in (header_above, tables.NO_HEADER):
            above = _TableAbove(
                header, {index: _find_kind(cells) for index, cells in _find_columns(found[:_SAMPLE]).items()}
            )
        writer.begin_paragraph()
        writer.write_rows(header, found, "row")
    writer.begin_paragraph()


def _split_blocks(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Split rows at blank rows, unless a tall cell spans the blank row."""
    block: list[Row] = []
    last = covered = 0
    for row in rows:
        if not any(map(str.strip, row.cells)) and row.number > covered:
            continue
        if block and row.number > last + 1:
            yield block
            block = []
        block.append(row)
        last = row.number
        covered = max([covered, *(last + tall - 1 for wide, tall in row.spans.values() if wide == 1)])
    if block:
        yield block


def _count_titles(block: Sequence[Row]) -> int:
    """How many leading rows are titles: they have only one cell, but the table has more."""
    width = max(map(_count_filled, block[:_SAMPLE]))
    titles = 1 if width == sum(map(_count_filled, block)) == 1 else 0
    while titles < len(block) - 1 and width > 1 >= _count_filled(block[titles]):
        height = max((rows for _, rows in block[titles].spans.values()), default=1)
        if any(map(_count_filled, block[titles + 1 : titles + height])):  # there is other text next to it
            break
        titles += 1
    return titles


def _count_filled(row: Row) -> int:
    return sum(1 for cell in row.cells if cell.strip())


def _find_columns(rows: Sequence[Row]) -> Mapping[int, list[str]]:
    """The filled cells of each column that has any."""
    columns: dict[int, list[str]] = {}
    for row in rows:
        for index, cell in enumerate(row.cells):
            if cell.strip():
                columns.setdefault(index, []).append(tables.clean_cell(cell))
    return columns


def _continues(above: _TableAbove, columns: Mapping[int, Sequence[str]]) -> bool:
    """Whether the rows below a blank one continue the table above, and are not a list of names and values.

    They must use its columns, and not only the first two, unless they are a narrow row of totals. Most of their columns
    must have the same kinds of values.
    """
    labels = {index for index, label in enumerate(above.header.labels) if label}
    is_single = max(map(len, columns.values())) == 1
    if not labels or not columns.keys() <= labels | above.kinds.keys() or len(columns) > len(labels):
        return False
    if len(labels) > 2 >= len(columns) and (not is_single or max(columns) < 2):
        return False
    if 2 * len(columns) < len(labels) and not is_single:
        return False
    pairs = [(above.kinds.get(index, _Kind.TEXT), _find_kind(cells)) for index, cells in columns.items()]
    pairs = [pair for pair in pairs if pair != (_Kind.TEXT, _Kind.TEXT)]
    different = sum(1 for one, other in pairs if one is not other and (one, other) != (_Kind.MIXED, _Kind.NUMBER))
    return not pairs or 2 * different < len(pairs)


def _find_kind(cells: Sequence[str]) -> _Kind:
    """The most frequent kind of values, if at least half of the cells hold values."""
    kinds = Counter(
        _Kind.PERCENTAGE if cell.endswith("%") else _Kind.DATE if _DATE.match(cell) else _Kind.NUMBER
        for cell in cells
        if tables.is_value(cell)
    )
    if 2 * kinds.total() < len(cells):
        return _Kind.TEXT
    [(kind, count)] = kinds.most_common(1)
    return kind if count > _MOST * kinds.total() else _Kind.MIXED


def trim_cells(cells: Sequence[str]) -> Sequence[str]:
    """`cells` without trailing empty ones."""
    end = len(cells)
    while end and not cells[end - 1].strip():
        end -= 1
    return cells[:end]
