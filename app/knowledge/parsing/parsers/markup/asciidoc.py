"""Parse AsciiDoc: the source text with its attributes substituted; table rows with their headers."""

import csv
import io
import re
from collections.abc import Iterator, Sequence

from app.knowledge.parsed_documents import Heading, ParsedDocument
from app.knowledge.parsing import refusals
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import text as plain
from app.knowledge.parsing.parsers.markup import definitions, rewriting
from app.knowledge.parsing.parsers.markup.asciidoc_attributes import substitute_attributes
from app.knowledge.parsing.parsers.markup.rewriting import DrawnTable, find_line_end

_FENCE = re.compile(r"^(-{4,}|\.{4,}|/{4,}|\+{4,}|```)[^\n]*$", re.MULTILINE)
_HEADING = re.compile(r"^(={1,6}|#{1,6})[ \t]+(\S[^\n]*)$", re.MULTILINE)
_TABLE = re.compile(r"^(?P<mark>[|!,:]===+)[ \t]*$", re.MULTILINE)
_ATTRIBUTES = re.compile(r"\[([^\n]*)\][ \t]*$")
_COLUMNS = re.compile(r"""cols\s*=\s*(?:"([^"]*)"|'([^']*)'|([^,\]]*))""")
_FORMAT = re.compile(r"""\bformat\s?=\s?["']?(\w+)""")
_SEPARATOR = re.compile(r"""\bseparator\s?=\s?["']?(\\t|[^\s"'])""")
_SEPARATORS = {"csv": ",", "tsv": "\t", "dsv": ":"}
_SEPARATORS_BY_MARK = {",": ",", ":": ":"}
_ESCAPES = {"\\t": "\t"}
_TITLE = re.compile(r"\.[^\s.]")
_REPEATED = re.compile(r"(\d{1,3})\*")
_HEADER = re.compile(r"(?:%[\w%]{0,80}|(?:options|opts)\s?=\s?[\"']?[^\"'\]]{0,80})header")
# A cell begins with a bar, which may follow a specification of its width and style: `2+|` is a cell over two columns,
# `.2+|` one over two rows, `3*|` are three equal cells. A bar after a backslash is text.
_CELL = re.compile(
    r"(?:(?:(?<=\s)|^)(?:(?P<columns>\d{0,3})(?:\.(?P<rows>\d{1,3}))?(?P<kind>[+*]))?[<^>]?(?:\.[<^>])?[adehlmsv]?\|(?!===)"
    r"|(?<!\\)\|)",
    re.MULTILINE,
)
_MOST_ROWS = 1_000  # over which a cell extends
_MARKS = re.compile(r"(\*\*|__|``|[*_`])(?=\S)([^*_`]+)(?<=\S)\1")
_LONGEST_HEADING = 300
_MAX_COLUMNS = 1_000
_MAX_COVERED = 1_000_000  # cells
_LONGEST_HEAD = 1_000  # characters of the lines above a table


def parse_asciidoc(data: bytes, declared: str | None, limits: ParsingLimits) -> ParsedDocument:
    """Parse AsciiDoc; the title is the level-1 heading."""
    text = plain.normalize_text(plain.decode_text(data, declared), limits)
    text = substitute_attributes(text, list(_find_listings(text)), limits.characters)
    if not plain.has_text(text):
        raise refusals.no_text()
    code = list(_find_listings(text))
    headings = [
        Heading(found.start(), len(found[1]), _clean_inline(found[2].strip())[:_LONGEST_HEADING])
        for found in _HEADING.finditer(text)
        if not rewriting.is_inside(code, found.start())
    ]
    if len(headings) > limits.headings:
        raise refusals.too_many("headings", limits.headings)
    title = next((heading.text for heading in headings if heading.level == 1), None)
    document = ParsedDocument(
        text, Format.ASCIIDOC.media_type, plain.clean_title(title), tuple(headings), line_spans=tuple(code)
    )
    return rewriting.rewrite(document, _find_tables(text, code), definitions.find_in_asciidoc(text, code), limits)


def _find_listings(text: str) -> Iterator[tuple[int, int]]:
    """Blocks between two equal delimiter lines of dashes, dots or the like."""
    opened: tuple[str, int] | None = None
    for fence in _FENCE.finditer(text):
        if opened is None:
            opened = (fence[1], fence.start())
        elif fence[0].rstrip() == opened[0]:
            yield opened[1], fence.end()
            opened = None
    if opened is not None:
        yield opened[1], len(text)


def _find_tables(text: str, code: list[tuple[int, int]]) -> Iterator[DrawnTable]:
    opened: re.Match[str] | None = None
    for mark in _TABLE.finditer(text):
        if rewriting.is_inside(code, mark.start()):
            continue
        if opened is None:
            opened = mark
        elif mark["mark"] == opened["mark"]:
            table = _read_table(text, opened, mark)
            if table is not None:
                yield table
            opened = None


def _read_table(text: str, opening: re.Match[str], closing: re.Match[str]) -> DrawnTable | None:
    attributes, start = _read_attributes(text, opening.start())
    body = text[opening.end() + 1 : closing.start()]
    separator = _find_separator(opening["mark"], attributes)
    if separator is None:
        rows, is_titled = _split_cells(body, attributes) if opening["mark"].startswith("|") else ([], False)
    else:
        rows, is_titled = _split_lines(body, separator)
    count = 1 if len(rows) > 1 and (is_titled or _HEADER.search(attributes)) else 0
    return DrawnTable(start, closing.end(), rows[:count], rows[count:]) if rows else None


def _read_attributes(text: str, start: int) -> tuple[str, int]:
    """The attributes above the block that begins at `start`, and the offset where they begin."""
    for number, line in enumerate(reversed(text[max(0, start - _LONGEST_HEAD) : start].splitlines()[-2:])):
        attributes = _ATTRIBUTES.match(line)
        if attributes is not None:
            return attributes[1], start if number else start - len(line) - 1
        if not _TITLE.match(line):
            break
    return "", start


def _find_separator(mark: str, attributes: str) -> str | None:
    """The separator between the cells of a line; None if each cell begins with a bar."""
    named = _FORMAT.search(attributes)
    usual = _SEPARATORS.get(named[1]) if named else _SEPARATORS_BY_MARK.get(mark[0])
    other = _SEPARATOR.search(attributes) if usual else None
    return (_ESCAPES.get(other[1], other[1]) if other else usual) or None


def _split_lines(body: str, separator: str) -> tuple[list[list[str]], bool]:
    """The rows of a table with one line per row, and whether a blank line after the first makes it a header."""
    try:
        rows = [row for row in csv.reader(io.StringIO(body), delimiter=separator, skipinitialspace=True) if row]
    except csv.Error:
        return [], False
    return rows, _stands_apart(body, find_line_end(body, 0))


def _split_cells(body: str, attributes: str) -> tuple[list[list[str]], bool]:
    """Like `_split_lines`, for a table whose cells begin with bars, one or several per line."""
    marks = list(_CELL.finditer(body))
    if not marks:
        return [], False
    ends = [mark.start() for mark in marks[1:]] + [len(body)]
    cells = [(body[mark.end() : end].strip().replace("\\|", "|"), mark) for mark, end in zip(marks, ends, strict=True)]
    first_line = find_line_end(body, marks[0].start())
    in_first = sum(_count_cells(mark) for mark in marks if mark.start() < first_line)
    width = min(_count_columns(attributes) or in_first, _MAX_COLUMNS)
    is_first = not body[: marks[0].start()].strip("\n")
    return _fill_rows(cells, width), is_first and in_first == width and _stands_apart(body, first_line)


def _count_cells(mark: re.Match[str]) -> int:
    """The number of columns that a cell, or its copies, fill."""
    return max(1, int(mark["columns"] or 1)) if mark["kind"] else 1


def _fill_rows(cells: Sequence[tuple[str, re.Match[str]]], width: int) -> list[list[str]]:
    """Arrange cells in rows. A cell over several columns counts for the first, one over several rows for each."""
    filler = _RowFiller(width)
    for text, mark in cells:
        count, is_copied = _count_cells(mark), mark["kind"] == "*"
        height = min(int(mark["rows"] or 1), _MOST_ROWS) if mark["kind"] == "+" else 1
        for copy in range(count if is_copied else min(count, width)):
            filler.add_cell(text if is_copied or copy == 0 else "", height)
    return filler.end()


class _RowFiller:
    """Fills rows of `width` cells, some of which are covered by cells above."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._rows: list[list[str]] = [[]]
        self._below: dict[int, tuple[int, str]] = {}  # column → remaining rows of a tall cell, its text
        self._covered = 0

    def add_cell(self, text: str, height: int) -> None:
        """Add a cell at the next free place. Raises TOO_LARGE if tall cells cover too many."""
        self._skip_covered()
        while len(self._rows[-1]) == self._width:
            self._rows.append([])
            self._skip_covered()
        if height > 1:
            self._below[len(self._rows[-1])] = (height - 1, text)
        self._rows[-1].append(text)

    def end(self) -> list[list[str]]:
        """All rows."""
        self._skip_covered()
        return self._rows

    def _skip_covered(self) -> None:
        """Repeat the texts of the cells above that cover the next places of the row."""
        row = self._rows[-1]
        while len(row) < self._width and len(row) in self._below:
            left, text = self._below.pop(len(row))
            if left > 1:
                self._below[len(row)] = (left - 1, text)
            row.append(text)
            self._covered += 1
            if self._covered > _MAX_COVERED:
                raise refusals.too_many("cells in a table", _MAX_COVERED)


def _stands_apart(body: str, first_line: int) -> bool:
    """Whether the line that ends at `first_line` is the block's first and is followed by a blank line."""
    return not body.startswith("\n") and body[first_line : first_line + 2] == "\n\n"


def _count_columns(attributes: str) -> int:
    """The number of columns that attributes declare; 0 if they declare none."""
    found = _COLUMNS.search(attributes)
    if found is None:
        return 0
    count = 0
    for column in (found[1] or found[2] or found[3] or "").split(","):
        repeated = _REPEATED.match(column.strip())
        count += int(repeated[1]) if repeated else 1
    return count


def _clean_inline(text: str) -> str:
    return text if len(text) > _LONGEST_HEADING else _MARKS.sub(r"\2", text)
