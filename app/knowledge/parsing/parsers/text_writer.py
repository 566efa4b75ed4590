"""Build the plain text of a document piece by piece, with its headings, code blocks and tables."""

import dataclasses
import re
from collections.abc import Iterable

from app.knowledge.parsed_documents import Heading, ParsedDocument, Place
from app.knowledge.parsing import refusals
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import table_grid, tables
from app.knowledge.parsing.parsers import text as plain

_SPACE = re.compile(r"[ \t\n\r\f\xa0]+")
_PERMALINK = re.compile(r"(?<![\s¶§#🔗\ue000-\uf8ff])[\s¶§#🔗\ue000-\uf8ff]++$")

_SUPERSCRIPT = re.compile(r"[0-9+,\u2212-]+")
_SUPERSCRIPTS = str.maketrans("0123456789+-\u2212", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_MAX_REPEATED = 26 * 20
_ROMAN = tuple(
    zip(
        (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
        ("m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i"),
        strict=True,
    )
)
_MAX_ROMAN = 3_999


def raise_digits(before: str, piece: str) -> str:
    """Superscript text as plain text; after a digit, its digits stay superscript: 10⁶ is not 106."""
    is_exponent = _SUPERSCRIPT.fullmatch(piece) and before.rstrip(",")[-1:].isdigit()
    return piece.translate(_SUPERSCRIPTS) if is_exponent else piece


def join_pieces(pieces: Iterable[tuple[str, bool]]) -> str:
    """Join pieces of text, each with whether it is superscript (see `raise_digits`)."""
    joined: list[str] = []
    for piece, is_raised in pieces:
        if piece:
            joined.append(raise_digits("".join(joined[-3:]), piece) if is_raised else piece)
    return "".join(joined)


def write_list_number(number: int, style: str, *, repeats_letters: bool = False) -> str:
    """A number in the style `1`, `01`, `a`, `A`, `i` or `I`; in digits if no style can write it.

    After z come aa, ab, ac as in a browser or, if the letter repeats, aa, bb, cc as in Word.
    """
    if style in {"a", "A"} and number > 0 and not (repeats_letters and number > _MAX_REPEATED):
        written = _repeat_letter(number) if repeats_letters else _write_letters(number)
    elif style in {"i", "I"} and 0 < number <= _MAX_ROMAN:
        written = _write_roman(number)
    else:
        return f"{number:02}" if style == "01" else str(number)
    return written.upper() if style.isupper() else written


def _write_letters(number: int) -> str:
    written = ""
    while number:
        number, index = divmod(number - 1, len(_LETTERS))
        written = _LETTERS[index] + written
    return written


def _repeat_letter(number: int) -> str:
    repeated, index = divmod(number - 1, len(_LETTERS))
    return _LETTERS[index] * (repeated + 1)


def _write_roman(number: int) -> str:
    written = ""
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        written += letters * count
    return written


class TextWriter:
    """Writes text with white space collapsed as in a browser, and at most one blank line between blocks."""

    def __init__(self, limits: ParsingLimits) -> None:
        self.headings: list[Heading] = []
        self.line_spans: list[tuple[int, int]] = []
        self.places: list[Place] = []
        self._limits = limits
        self._parts: list[str] = []
        self._length = self._repeated = 0
        self._block: list[str] = []  # pieces of the current block
        self._breaks = 0  # line ends due before the next block
        self._mark = ""  # a bullet or number due before it
        self._level = 0  # of the heading being written
        self._in_code = False
        self._grid: table_grid.TableGrid | None = None
        self._in_row = False
        self._awaits_definition = False  # the next text continues the line of its term

    @property
    def text(self) -> str:
        """Everything written so far."""
        self.begin_definition_block()
        self.begin_line()
        return "".join(self._parts)

    def write_text(self, piece: str) -> None:
        """Add text to the current block; its white space is collapsed when the block ends."""
        self._block.append(piece)
        self._awaits_definition &= not piece.strip()

    def write_lines(self, text: str) -> None:
        """Add text whose line ends are kept."""
        for index, line in enumerate(text.split("\n")):
            if index:
                self.begin_line()
            self.write_text(line)

    def write_paragraph(self, text: str) -> None:
        """Write a paragraph of its own."""
        self.begin_paragraph()
        self.write_text(text)
        self.begin_paragraph()

    def write_superscript(self, piece: str) -> None:
        """Add superscript text."""
        self.write_text(raise_digits("".join(self._block[-3:]), piece))

    def end_term(self) -> None:
        """End a term whose definition is written on the same line, even if breaks come before it."""
        term = "".join(self._block).rstrip().rstrip(":\uff1a")
        if term.strip():
            self._block[:] = [term, ": "]
            self._awaits_definition = True

    def begin_definition_block(self) -> None:
        """Begin a definition, such as a list, on its own line; there may be no term."""
        self._awaits_definition = False

    def begin_line(self) -> None:
        """Start a new line; inside a table row, continue the same line."""
        self._end_block(1)

    def begin_paragraph(self) -> None:
        """Start a new paragraph."""
        self._end_block(2)

    def begin_item(self, mark: str) -> None:
        """Start a list item with this bullet or number."""
        self.begin_line()
        self._mark = "" if self._in_row else mark

    def write_heading(self, text: str, level: int, *, is_part: bool = False) -> None:
        """Write a heading; `is_part`: it begins a part of the document that is never joined with another."""
        self.begin_heading(level)
        self.write_text(text)
        self.end_heading()
        if is_part and self.headings:
            self.headings[-1] = dataclasses.replace(self.headings[-1], is_part=True)

    def begin_heading(self, level: int) -> None:
        """Start a heading, which extends to the next break."""
        self.begin_paragraph()
        self._level = level

    def end_heading(self) -> None:
        """End the heading."""
        self.begin_paragraph()
        self._level = 0

    def begin_code(self) -> None:
        """Start a code block, which keeps its white space."""
        self.begin_paragraph()
        self._in_code = not self._in_row

    def end_code(self) -> None:
        """End the code block."""
        if not self._in_code:
            return
        self._in_code = False
        text = plain.clean_text("".join(self._block)).strip("\n")
        self._block.clear()
        if text.strip():
            start = self._append_text(text)
            self.line_spans.append((start, self._length))
        self.begin_paragraph()

    def begin_table(self) -> None:
        """Start a table; a table inside a cell is written as text of that cell."""
        if self._grid is None:
            self.begin_paragraph()
            self._grid = table_grid.TableGrid(self._limits.elements)

    def begin_row(self) -> None:
        """Start a row of the table."""
        self._flush()
        self._in_row = True
        if self._grid is not None:
            self._grid.begin_row()

    def begin_cell(self, *, is_header: bool = False, columns: int = 1, rows: int = 1) -> None:
        """Start the next cell of the row, which spans `columns` and `rows`."""
        if self._grid is not None:
            self._grid.begin_cell(is_header=is_header, columns=columns, rows=rows)

    def end_cell(self) -> None:
        """End the cell."""
        if self._grid is not None:
            self._grid.end_cell(plain.clean_text("".join(self._block)))
            self._block.clear()

    def end_row(self) -> None:
        """End the row."""
        self._in_row = False
        self._block.clear()  # white space between cells

    def end_table(self, *, has_header: bool = False) -> None:
        """End the table and write it; `has_header`: the first row is a header, even without header cells."""
        if self._grid is None:
            return
        grid, self._grid, self._in_row = self._grid, None, False
        self._block.clear()
        self.begin_paragraph()
        header, rows = grid.read_rows(has_header=has_header)
        self.write_rows(header, rows)
        self.begin_paragraph()

    def write_rows(self, header: tables.Header, rows: Iterable[table_grid.Row], unit: str | None = None) -> None:
        """Write table rows, each on a line; `unit` names the rows (as in "row 12") if they are numbered in the file."""
        first = None
        for row in rows:
            start = None
            if not row.cells:
                lines = tables.render_row(tables.NO_HEADER, (row.group,))
            else:
                lines = tables.render_row(header, row.cells, row.group)
            for line in lines:
                self._repeated += max(0, len(line) - sum(map(len, row.cells)))
                start = self._append_text(line) if start is None else (self._append_text(line), start)[1]
                self._breaks = 1
            if start is not None:
                first = start if first is None else first
                if unit:
                    self.places.append(Place(start, self._length, unit, row.number))
        if first is not None:
            self.line_spans.append((first, self._length))

    def to_document(self, media_type: str, title: str | None) -> ParsedDocument:
        """Everything written so far as a document. Raises EMPTY."""
        text = self.text
        if not plain.has_text(text):
            raise refusals.no_text()
        return ParsedDocument(
            text,
            media_type,
            title,
            tuple(self.headings),
            line_spans=tuple(self.line_spans),
            places=tuple(self.places),
        )

    def _end_block(self, breaks: int) -> None:
        if self._awaits_definition:
            return
        if self._in_code:
            if self._block and not self._block[-1].endswith("\n"):
                self._block.append("\n")
        elif self._in_row:
            self._block.append(" ")
        else:
            self._flush()
            self._breaks = max(self._breaks, 1 if self._mark else breaks)

    def _flush(self) -> None:
        text = plain.clean_text(_SPACE.sub(" ", "".join(self._block))).strip(" ")
        self._block.clear()
        self._awaits_definition = False
        if self._level:
            text = _PERMALINK.sub("", text)
        if not text:
            return
        level, self._level = self._level, 0
        start = self._append_text(text)
        if level:
            self.headings.append(Heading(start, level, text[:300]))
            if len(self.headings) > self._limits.headings:
                raise refusals.too_many("headings", self._limits.headings)

    def _append_text(self, text: str) -> int:
        before = "\n" * self._breaks if self._length else ""
        start = self._length + len(before)
        self._parts.append(before + self._mark + text)
        self._length += len(self._parts[-1])
        limit = self._limits.characters
        if self._length - self._repeated > limit or self._length > limit * self._limits.repetition:
            raise refusals.too_much_text(self._limits.document_characters)
        start += len(self._mark)
        self._breaks, self._mark = 0, ""
        return start
