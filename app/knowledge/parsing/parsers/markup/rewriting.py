"""Rewrite the tables of a marked-up text as rows that repeat their headers, and join terms with their definitions.

All other text stays unchanged.
"""

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
    """A table at `text[start:end]`: whole lines without the last line break. `headers` are rows, too."""

    start: int
    end: int
    headers: Sequence[tables.Cells]
    rows: Sequence[tables.Cells]


@dataclass(frozen=True, slots=True)
class Replacement:
    """The text to write instead of `text[start:end]`."""

    start: int
    end: int
    written: str


def rewrite(
    document: ParsedDocument,
    drawn: Iterable[DrawnTable],
    replacements: Iterable[Replacement],
    limits: ParsingLimits,
) -> ParsedDocument:
    """Apply tables and replacements, which contain no headings, to `document`. Raises TOO_LARGE."""
    text = document.text
    shifts, pieces, spans = [(0, 0)], list[str](), list[tuple[int, int]]()
    position = length = 0
    for part in sorted([*drawn, *replacements], key=lambda each: each.start):
        if part.start < position:  # inside a table
            continue
        written = part.written if isinstance(part, Replacement) else _render(part) or text[part.start : part.end]
        pieces += [text[position : part.start], written]
        length += part.start - position
        if isinstance(part, DrawnTable):
            spans.append((length, length + len(written)))
        length += len(written)
        position = part.end
        shifts.append((part.end, length - part.end))
        if length > limits.characters * limits.repetition:
            raise refusals.too_much_text(limits.document_characters)
    if not pieces:
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


def _render(table: DrawnTable) -> str:
    header = tables.Header.from_rows(table.headers)
    return "\n".join(line for row in table.rows for line in tables.render_row(header, row))


def is_inside(spans: Sequence[tuple[int, int]], offset: int) -> bool:
    """Whether `offset` is in one of these sorted spans."""
    index = bisect_right(spans, (offset, offset + 1)) - 1
    return any(begin <= offset < end for begin, end in spans[max(0, index) : index + 2])


def find_line_end(text: str, position: int) -> int:
    """The end of the line at `position`, without its line break."""
    end = text.find("\n", position)
    return len(text) if end < 0 else end
