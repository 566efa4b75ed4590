"""Replace the tables of a marked-up text by rows that repeat their headers. Everything else keeps its text."""

import dataclasses
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.knowledge.parsed_documents import ParsedDocument
from app.knowledge.parsing import refusals
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import tables


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """A table that takes up `text[start:end]`, whole lines without the last line break; `headers` are rows, too."""

    start: int
    end: int
    headers: Sequence[tables.Cells]
    rows: Sequence[tables.Cells]


def replace_tables(document: ParsedDocument, drawn: Iterable[DrawnTable], limits: ParsingLimits) -> ParsedDocument:
    """`document` with these tables rewritten; they are in order and have no headings inside. Raises TOO_LARGE."""
    text = document.text
    shifts, pieces, spans = [(0, 0)], list[str](), list[tuple[int, int]]()
    position = length = 0
    for table in drawn:
        header = tables.Header.from_rows(table.headers)
        lines = [line for row in table.rows for line in tables.render_row(header, row)]
        written = "\n".join(lines) or text[table.start : table.end]
        pieces += [text[position : table.start], written]
        length += table.start - position
        spans.append((length, length + len(written)))
        length += len(written)
        position = table.end
        shifts.append((table.end, length - table.end))
        if length > limits.characters * limits.repetition:
            raise refusals.too_much_text(limits.characters)
    if not spans:
        return document
    ends = [end for end, _ in shifts]

    def shift(offset: int) -> int:
        return offset + shifts[bisect_right(ends, offset) - 1][1]

    return dataclasses.replace(
        document,
        text="".join([*pieces, text[position:]]),
        headings=tuple(dataclasses.replace(each, offset=shift(each.offset)) for each in document.headings),
        line_spans=tuple(sorted([*((shift(begin), shift(end - 1) + 1) for begin, end in document.line_spans), *spans])),
    )


def is_inside(spans: Sequence[tuple[int, int]], offset: int) -> bool:
    """Whether `offset` is in one of these spans, which are in order."""
    index = bisect_right(spans, (offset, offset + 1)) - 1
    return any(begin <= offset < end for begin, end in spans[max(0, index) : index + 2])


def find_line_end(text: str, position: int) -> int:
    """The end of the line at `position`, without its line break."""
    end = text.find("\n", position)
    return len(text) if end < 0 else end
