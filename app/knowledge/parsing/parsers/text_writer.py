"""Build the plain text of a marked-up document piece by piece, with its headings and code blocks."""

import re

from app.knowledge.parsed_documents import Heading
from app.knowledge.parsing import refusals
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import text as plain

_SPACE = re.compile(r"[ \t\n\r\f\xa0]+")
_PERMALINK = re.compile(r"(?<![\s¶§#🔗\ue000-\uf8ff])[\s¶§#🔗\ue000-\uf8ff]++$")


class TextWriter:
    """Collapses white space as a browser does; blocks are separated by at most one blank line."""

    def __init__(self, limits: ParsingLimits) -> None:
        self.headings: list[Heading] = []
        self.code: list[tuple[int, int]] = []
        self._limits = limits
        self._parts: list[str] = []
        self._length = 0
        self._block: list[str] = []  # pieces of the current block
        self._breaks = 0  # line ends due before the next block
        self._mark = ""  # a bullet or number due before it
        self._level = 0  # of the heading being written
        self._in_code = False
        self._in_row = False

    @property
    def text(self) -> str:
        """Everything written so far."""
        self.begin_line()
        return "".join(self._parts)

    def write_text(self, piece: str) -> None:
        """Add text to the current block; its white space is collapsed when the block ends."""
        self._block.append(piece)

    def begin_line(self) -> None:
        """Start a new line; inside a table row, continue on the same one."""
        self._end_block(1)

    def begin_paragraph(self) -> None:
        """Start a new paragraph."""
        self._end_block(2)

    def begin_item(self, mark: str) -> None:
        """Start a list item with this bullet or number."""
        self.begin_line()
        self._mark = "" if self._in_row else mark

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
            self.code.append((start, self._length))
        self.begin_paragraph()

    def begin_row(self) -> None:
        """Start a table row."""
        self.begin_line()
        self._in_row = True

    def begin_cell(self) -> None:
        """Start the next cell of the row."""
        if self._in_row and self._block:
            self._block.append(" | ")

    def end_row(self) -> None:
        """End the row."""
        self._in_row = False
        self.begin_line()

    def _end_block(self, breaks: int) -> None:
        if self._in_code:
            if self._block and not self._block[-1].endswith("\n"):
                self._block.append("\n")
        elif self._in_row:
            if self._block:
                self._block.append(" ")
        else:
            self._flush()
            self._breaks = max(self._breaks, 1 if self._mark else breaks)

    def _flush(self) -> None:
        text = plain.clean_text(_SPACE.sub(" ", "".join(self._block))).strip(" ")
        self._block.clear()
        if self._level:
            text = _PERMALINK.sub("", text)
        if not text.strip(" |"):
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
        if self._length > self._limits.characters:
            raise refusals.too_much_text(self._limits.characters)
        start += len(self._mark)
        self._breaks, self._mark = 0, ""
        return start
