"""Write sheets: rows of cells in which tables begin wherever their authors put them."""

from collections.abc import Iterable, Iterator, Sequence

from app.knowledge.parsing.parsers import tables
from app.knowledge.parsing.parsers.table_grid import Row
from app.knowledge.parsing.parsers.text_writer import TextWriter

_SAMPLE = 50  # rows that tell how wide a table is


def write_sheet(writer: TextWriter, rows: Iterable[Row]) -> None:
    """Write numbered rows. Blank rows end a table; lines above a header are titles.

    A table without a header of its own continues the one above it.
    """
    header = tables.NO_HEADER
    for block in _split_blocks(rows):
        width = max(_count_filled(row) for row in block[:_SAMPLE])
        titles = 1 if len(block) == 1 == width else 0
        while titles < len(block) - 1 and width > 1 == _count_filled(block[titles]):
            titles += 1
        for row in block[:titles]:
            writer.begin_paragraph()
            writer.write_text(next(filter(None, map(tables.clean_cell, row.cells))))
        body = block[titles:]
        if not body:
            continue
        is_first = header is tables.NO_HEADER
        named = tables.count_header_rows([row.cells for row in body], is_usual=is_first)
        if named:
            header = tables.Header.from_rows([row.cells for row in body[:named]])
        elif _count_labels(header) < max(_count_filled(row) for row in body[:_SAMPLE]):
            header = tables.NO_HEADER
        writer.begin_paragraph()
        writer.write_rows(header, body[named:], "row")
    writer.begin_paragraph()


def _split_blocks(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Rows without a blank one between them."""
    block: list[Row] = []
    last = 0
    for row in rows:
        if not any(map(str.strip, row.cells)):
            continue
        if block and row.number > last + 1:
            yield block
            block = []
        block.append(row)
        last = row.number
    if block:
        yield block


def _count_filled(row: Row) -> int:
    return sum(1 for cell in row.cells if cell.strip())


def _count_labels(header: tables.Header) -> int:
    return sum(1 for label in header.labels if label)


def trim_cells(cells: Sequence[str]) -> Sequence[str]:
    """`cells` without the empty ones at the end."""
    end = len(cells)
    while end and not cells[end - 1].strip():
        end -= 1
    return cells[:end]
