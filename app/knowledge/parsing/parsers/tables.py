"""Write tables as text: each row on its own line, which repeats the headers of its cells. Pure.

    | Region: North; Price: 1,664

So a chunk can begin at any row, and every row can be understood and quoted by itself. A row that is longer than a chunk
becomes several lines, each of which repeats the row's first cell.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app import language

Cells = Sequence[str]

_LONGEST_HEADER = 80
_LONGEST_KEY = 80
# The greatest length of a row's line, in quarters of a token, as for chunks.
_LONGEST_LINE = 900
_LONGEST_PIECE = 500  # for the pieces of a cell that is longer than a line
_CJK = re.compile(f"[{language.CJK}]")
_SPACE = re.compile(r"\s+")
_CURRENCY = r"(?:(?:CHF|EUR|USD|GBP|JPY|CNY|INR|AUD|CAD|SEK|NOK|DKK|PLN|CZK|Fr\.|Rs\.?|kr\.?)\s?)?"
_VALUE = re.compile(
    _CURRENCY + r"[^\w\s]{0,3}\s?\d[\d.,:/\s\u2013-]*(?:e[+-]?\d+)?\s?[^\W\d]{0,3}[%°]?[^\w\s]{0,2}", re.IGNORECASE
)
_MOST = 0.6
_MONTH = re.compile(r"((?:19|20)\d\d)[-/.](\d\d?)(?:[-/.](\d\d?))?|(\d\d?)[-/.]((?:19|20)\d\d)")
_DAY = re.compile(r"(\d\d?)[-/.](\d\d?)[-/.]((?:19|20)\d\d)")
_YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True)
class Header:
    """The header of each column; empty for columns without one."""

    labels: tuple[str, ...]

    @classmethod
    def from_rows(cls, rows: Sequence[Cells]) -> "Header":
        """Merge header rows: the texts above each column, from top to bottom."""
        width = max(map(len, rows), default=0)
        columns = [[clean_cell(row[index]) for row in rows if index < len(row)] for index in range(width)]
        return cls(tuple(_shorten(" / ".join(dict.fromkeys(filter(None, column)))) for column in columns))


NO_HEADER = Header(())


def clean_cell(cell: str) -> str:
    """The text of a cell on one line."""
    return _SPACE.sub(" ", cell).strip()


def render_row(header: Header, cells: Cells, group: str = "") -> Iterator[str]:
    """The lines of one row; none if its cells are empty. `group` is the heading of several rows in the table."""
    named = list(_name_cells(header, [clean_cell(cell) for cell in cells]))
    if not named:
        return
    lead = f"{group}; " if group else ""
    key = f"{lead}{named[0].text}; " if len(named) > 1 and len(named[0].text) <= _LONGEST_KEY else lead
    line = lead
    for index, cell in enumerate(named):
        if index and _measure(line) + _measure(cell.text) > _LONGEST_LINE:
            yield f"{language.ROW_MARK}{line[:-2]}"
            line = key
        *pieces, last = _split_cell(cell, _LONGEST_LINE - _measure(line))
        for piece in pieces:
            yield f"{language.ROW_MARK}{line}{piece}"
            line = key if index else lead
        line += f"{last}; "
    yield f"{language.ROW_MARK}{line[:-2]}"


def count_header_rows(rows: Sequence[Cells], *, is_usual: bool) -> int:
    """1 if the first row looks like a header, else 0.

    Its cells must be short texts, or periods such as months above numbers. If headers are not usual or some texts are
    the same, the rows below must differ from it: they must have a column of numbers. If there are only two columns, the
    second must hold nothing else, because otherwise they may be names and values.
    """
    if len(rows) < 2:
        return 0
    first = [clean_cell(cell) for cell in rows[0]]
    named = [cell for cell in first if cell]
    years = sum(1 for cell in named if _YEAR.fullmatch(cell))
    if len(named) < 2 or years == len(named) or any(len(cell) > _LONGEST_HEADER for cell in named):
        return 0
    if not all(map(is_label, named)) and not _names_periods(rows):
        return 0
    is_distinct = len(set(named)) == len(named)
    if not is_distinct and len(first) == 2:
        return 0
    return 1 if (is_usual and is_distinct) or _has_column_of_values(rows, len(first)) else 0


def _names_periods(rows: Sequence[Cells]) -> bool:
    """Whether the values in the first row are several months or days in order, with numbers below, after a text."""
    first = [clean_cell(cell) for cell in rows[0]]
    columns = [index for index, cell in enumerate(first) if cell and not is_label(cell)]
    periods = [_read_period(first[index]) for index in columns]
    found = [period for period in periods if period is not None]
    fewest = 2 if all(period.endswith("-01") for period in found) else 3
    if len(found) < max(fewest, len(columns)) or not any(map(is_label, filter(None, first[: columns[0]]))):
        return False
    if len(set(found)) < len(found) or found not in (sorted(found), sorted(found, reverse=True)):
        return False
    below = (clean_cell(row[index]) for row in rows[1:] for index in columns if index < len(row))
    return all(is_value(cell) and _read_period(cell) is None for cell in below if cell)


def _read_period(cell: str) -> str | None:
    """A month or day in the form of ISO 8601, with the first day for a month; None if it is something else."""
    if found := _MONTH.fullmatch(cell):
        year, month, day = found[1] or found[5], found[2] or found[4], found[3] or "01"
    elif found := _DAY.fullmatch(cell):
        day, month, year = found[1], found[2], found[3]
    else:
        return None
    return f"{year}-{int(month):02}-{int(day):02}"


def is_value(cell: str) -> bool:
    """Whether a cell holds a number, an amount or a date."""
    return len(cell) < 40 and _VALUE.fullmatch(cell) is not None


def is_label(cell: str) -> bool:
    """Whether a cell can be a header: it holds no value, except perhaps a year."""
    return not is_value(cell) or _YEAR.fullmatch(cell) is not None


def holds_values(rows: Sequence[Cells], index: int) -> bool:
    """Whether most cells of a column hold numbers, amounts or dates."""
    filled = _list_filled(rows, index)
    return sum(map(is_value, filled)) > _MOST * len(filled) > 0


def _has_column_of_values(rows: Sequence[Cells], width: int) -> bool:
    for index in range(width):
        if width == 2:
            filled = _list_filled(rows[1:], index)
            if sum(map(is_value, filled)) == len(filled) > 1:
                return True
        elif holds_values(rows[1:], index):
            return True
    return False


def _list_filled(rows: Sequence[Cells], index: int) -> list[str]:
    column = [clean_cell(row[index]) for row in rows if index < len(row)]
    return [cell for cell in column if cell]


@dataclass(frozen=True, slots=True)
class _NamedCell:
    """A cell as it is written; `label` is the part that continuation lines repeat."""

    label: str
    text: str


def _name_cells(header: Header, cells: Cells) -> Iterator[_NamedCell]:
    labels = header.labels
    if not any(labels) and len(cells) == 2 and all(cells) and not is_value(cells[0]) and len(cells[0]) <= _LONGEST_KEY:
        label = f"{cells[0].rstrip(' :')}: "
        yield _NamedCell(label, label + cells[1])  # a list of names and values
        return
    for index, cell in enumerate(cells):
        label = labels[index] if index < len(labels) else ""
        label = f"{label}: " if label and label != cell else ""
        if cell:
            yield _NamedCell(label, label + cell)


def _shorten(label: str) -> str:
    label = label.rstrip(" :")
    if len(label) <= _LONGEST_HEADER:
        return label
    cut = label.rfind(" ", _LONGEST_HEADER // 2, _LONGEST_HEADER)
    return label[: cut if cut > 0 else _LONGEST_HEADER] + "…"


def _measure(text: str) -> int:
    return len(text) if text.isascii() else len(text) + 3 * len(_CJK.findall(text))


def _split_cell(cell: _NamedCell, longest: int) -> Iterator[str]:
    """Split a cell into pieces that fit, at the ends of sentences, or else at spaces."""
    text, start, label = cell.text, 0, ""
    if len(text) > longest or _measure(text) > longest:
        longest = _LONGEST_PIECE
    while start + (reach := _count_fitting(text, start, longest)) < len(text):
        end = start + reach
        stops = [stop for _, stop in language.sentence_spans(text, start, end) if start + reach // 2 < stop < end]
        space = text.rfind(" ", start + reach // 2, end)
        cut = stops[-1] if stops else space if space > 0 else end
        yield label + text[start:cut].rstrip()
        start, label = cut + (text[cut] == " "), cell.label
    yield label + text[start:]


def _count_fitting(text: str, start: int, longest: int) -> int:
    """How many characters of `text` from `start` on fit."""
    piece = text[start : start + longest]
    if piece.isascii():
        return len(piece)
    length = 0
    for index, character in enumerate(piece):
        length += 4 if _CJK.match(character) else 1
        if length > longest:
            return max(1, index)
    return len(piece)
