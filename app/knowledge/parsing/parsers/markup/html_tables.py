"""Find HTML tables in Markdown."""

import html
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

from app.knowledge.parsing.parsers.markup.rewriting import DrawnTable, is_inside
from app.knowledge.parsing.parsers.table_grid import TableGrid

_TABLE = re.compile(r"^ {0,3}<table\b[^<>]*+>", re.MULTILINE | re.IGNORECASE)
_END = re.compile(r"</table>[ \t]*$", re.MULTILINE | re.IGNORECASE)
_TAG = re.compile(r"<(/?)(\w{1,20})\b([^<>]*+)>")
_SPAN = re.compile(r"\b(col|row)span\s*+=\s*+[\"']?+(\d{1,4})", re.IGNORECASE)
_MAX_CELLS = 1_000_000


def find_tables(
    text: str, start: int, kept: Sequence[tuple[int, int]], clean_cell: Callable[[str], str]
) -> Iterator[DrawnTable]:
    """The tables of `text[start:]` outside the spans `kept`: code and headings, in order.

    Tables that contain another table or such a span are left unchanged.
    """
    reached = start
    for opening in _TABLE.finditer(text, start):
        if opening.start() < reached or is_inside(kept, opening.start()):
            continue
        closing = _END.search(text, opening.end())
        if closing is None:
            return
        reached = closing.end()
        following = bisect_left(kept, (opening.start(), 0))
        if following < len(kept) and kept[following][0] < reached:
            continue
        table = _read_table(text, opening, closing, clean_cell)
        if table is not None:
            yield table


def _read_table(
    text: str, opening: re.Match[str], closing: re.Match[str], clean_cell: Callable[[str], str]
) -> DrawnTable | None:
    grid = TableGrid(_MAX_CELLS)
    cell = -1  # where the open cell begins
    for tag in _TAG.finditer(text, opening.end(), closing.end()):
        name = tag[2].lower()
        if name == "table" and not tag[1]:
            return None
        if cell >= 0 and name in {"tr", "td", "th", "thead", "tbody", "tfoot", "table"}:
            grid.end_cell(html.unescape(clean_cell(text[cell : tag.start()])))
            cell = -1
        if tag[1]:
            continue
        if name == "tr":
            grid.begin_row()
        elif name in {"td", "th"}:
            spans = {kind.lower(): int(number) for kind, number in _SPAN.findall(tag[3])}
            grid.begin_cell(is_header=name == "th", columns=spans.get("col", 1), rows=spans.get("row", 1))
            cell = tag.end()
    header, rows = grid.read_rows(has_header=False)
    if any(row.group for row in rows):
        return None
    return DrawnTable(opening.start(), closing.end(), [header.labels], [row.cells for row in rows])
