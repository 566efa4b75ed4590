"""Locate quotes from a PDF's text on its pages."""

import ctypes
import math
import unicodedata
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing, nullcontext
from itertools import groupby
from typing import NamedTuple

from pypdfium2 import PdfiumError

from app.knowledge.parsed_documents import Box, PageArea, QuotedText
from app.knowledge.parsing.limits import PageTimeLimit, ParsingLimits
from app.knowledge.parsing.parsers import pdf, pdfium
from app.knowledge.parsing.parsers.pdf_layout import PlacedLine, TextFlow

_STEPS_PER_POINT = 64  # PDFium converts coordinates to integers
_STRAIGHT = 0.02  # text may be rotated by this many radians and still count as straight


class _Glyph(NamedTuple):
    """The box of a character in the PDF's coordinates: left, bottom, right, top."""

    left: float
    bottom: float
    right: float
    top: float
    is_upright: bool


class _Unplaced(Exception):
    """The place of a character is uncertain."""


def find_quotes(
    data: bytes,
    quotes: Sequence[QuotedText],
    limits: ParsingLimits,
    page_time_limit: PageTimeLimit = nullcontext,
) -> list[tuple[PageArea, ...]]:
    """The areas of each quote, by page; empty if a quote is not at its offset in the text, or its place is uncertain.

    Offsets are the same as in `pdf.parse_pdf`, because the same functions produce the text. Raises DocumentError.
    """
    with pdfium.open_pdf(data) as document:
        flow = pdf.read_flow(document, limits, page_time_limit)
        wanted: dict[int, list[int]] = defaultdict(list)
        for index, quote in enumerate(quotes):
            if quote.text and flow.text.startswith(quote.text, quote.start):
                for page in {placed.page for placed, _, _ in _lines_of(flow, quote)}:
                    wanted[page].append(index)
        found: list[list[PageArea] | None] = [[] for _ in quotes]
        for page, indices in sorted(wanted.items()):
            with page_time_limit(), closing(_OpenPage(document, page)) as opened:
                for index in indices:
                    areas = found[index]
                    if areas is not None:
                        area = _find_on_page(opened, flow, quotes[index])
                        found[index] = [*areas, area] if area else None
    return [tuple(areas or ()) for areas in found]


def _lines_of(flow: TextFlow, quote: QuotedText) -> Iterator[tuple[PlacedLine, int, int]]:
    """The lines that contain a quote, each with the range of the line's text that belongs to it."""
    end = quote.start + len(quote.text)
    first = max(0, bisect_right(flow.lines, quote.start, key=lambda placed: placed.offset) - 1)
    last = bisect_left(flow.lines, end, key=lambda placed: placed.offset)
    for index in range(first, last):
        placed = flow.lines[index]
        line_end = placed.offset + len(placed.line.text)
        if index + 1 < len(flow.lines):  # a hyphen may have been dropped
            line_end = min(line_end, flow.lines[index + 1].offset)
        start, stop = max(quote.start, placed.offset), min(end, line_end)
        if start < stop:
            yield placed, start - placed.offset, stop - placed.offset


class _OpenPage:
    """A page and its text."""

    def __init__(self, document: pdfium.Pdf, index: int) -> None:
        self.index = index
        self._page = document.get_page(index)
        self.text_page = self._page.get_textpage()
        self.text = self.text_page.get_text_range()
        self.width, self.height = self._page.get_size()

    def close(self) -> None:
        """Free PDFium's memory."""
        self.text_page.close()
        self._page.close()

    def to_shown(self, glyph: _Glyph) -> Box:
        """The box of a character on the page as displayed: cropped and rotated. Raises _Unplaced if it is cut off."""
        x1, y1 = self._shown_point(glyph.left, glyph.bottom)
        x2, y2 = self._shown_point(glyph.right, glyph.top)
        left, top, right, bottom = max(0.0, min(x1, x2)), max(0.0, min(y1, y2)), max(x1, x2), max(y1, y2)
        if left >= min(right, self.width) or top >= min(bottom, self.height):  # outside the visible part of the page
            raise _Unplaced
        return Box(left, top, min(right, self.width), min(bottom, self.height))

    def _shown_point(self, x: float, y: float) -> tuple[float, float]:
        size = round(self.width * _STEPS_PER_POINT), round(self.height * _STEPS_PER_POINT)
        shown_x, shown_y = ctypes.c_int(), ctypes.c_int()
        if not pdfium.to_device(self._page, 0, 0, *size, 0, x, y, shown_x, shown_y):
            raise _Unplaced
        return shown_x.value / _STEPS_PER_POINT, shown_y.value / _STEPS_PER_POINT


def _find_on_page(page: _OpenPage, flow: TextFlow, quote: QuotedText) -> PageArea | None:
    """The boxes of a quote's part on one page; None if they are uncertain."""
    boxes: list[Box] = []
    try:
        for placed, start, end in _lines_of(flow, quote):
            if placed.page == page.index:
                sources = _align_line(page.text, placed)[start:end]
                glyphs = [_read_glyph(page, index) for index, _ in groupby(i for each in sources for i in each)]
                boxes += (page.to_shown(glyph) for glyph in _join_glyphs([each for each in glyphs if each]))
    except (_Unplaced, PdfiumError):
        return None
    return PageArea(page.index + 1, page.width, page.height, tuple(boxes)) if boxes else None


def _align_line(page_text: str, placed: PlacedLine) -> list[range]:
    """For each character of a line, the characters of the page's text that it was made from. Raises _Unplaced.

    Marks of boxes to tick are made from none.
    """
    first, end = placed.line.source
    printed = page_text[first:end]
    starts = [index for index, char in enumerate(printed) if index == 0 or not unicodedata.combining(char)]
    made: list[str] = []
    sources: list[range] = []
    for start, stop in zip(starts, [*starts[1:], len(printed)], strict=True):
        # Between other letters, nothing is stripped; only at the end of a line may a hyphen divide a word.
        after = "x" if stop < len(printed) else ""
        clean = pdf.clean_line(f"x{printed[start:stop]}{after}")[1:].removesuffix(after)
        made += clean
        sources += [range(first + start, first + stop)] * len(clean)
    for start, stop in placed.line.added:
        marks = placed.line.text[start:stop]
        made[start:start] = marks
        sources[start:start] = [range(0)] * len(marks)
    if "".join(made) != placed.line.text:
        raise _Unplaced
    return sources


def _read_glyph(page: _OpenPage, text_index: int) -> _Glyph | None:
    """The box of a character; None for white space. Raises _Unplaced if the box is doubtful."""
    char = page.text[text_index]
    if char.isspace():
        return None
    index = pdfium.char_index(page.text_page, text_index)
    if index < 0 or (char.isprintable() and pdfium.read_unicode(page.text_page, index) != ord(char)):
        raise _Unplaced
    turns = pdfium.read_angle(page.text_page, index) / (math.pi / 2)
    if turns < 0 or abs(turns - round(turns)) > _STRAIGHT:
        raise _Unplaced
    tight = page.text_page.get_charbox(index, loose=False)
    left, bottom, right, top = page.text_page.get_charbox(index, loose=True) if round(turns) % 4 == 0 else tight
    if not (left <= (tight[0] + tight[2]) / 2 <= right and bottom <= (tight[1] + tight[3]) / 2 <= top):
        left, bottom, right, top = tight
    return _Glyph(left, bottom, right, top, round(turns) % 2 == 0) if left < right and bottom < top else None


def _join_glyphs(glyphs: Sequence[_Glyph]) -> list[_Glyph]:
    """Merge the boxes of adjacent characters that have no other words between them."""
    joined: list[_Glyph] = []
    for glyph in glyphs:
        if joined and _are_neighbors(joined[-1], glyph):
            last = joined.pop()
            left, bottom = min(last.left, glyph.left), min(last.bottom, glyph.bottom)
            glyph = _Glyph(left, bottom, max(last.right, glyph.right), max(last.top, glyph.top), glyph.is_upright)
        joined.append(glyph)
    return joined


def _are_neighbors(one: _Glyph, other: _Glyph) -> bool:
    """Whether two boxes are on the same line, with less than its height between them."""
    if one.is_upright != other.is_upright:
        return False
    across, along = ((1, 3), (0, 2)) if one.is_upright else ((0, 2), (1, 3))
    heights = one[across[1]] - one[across[0]], other[across[1]] - other[across[0]]
    shared = min(one[across[1]], other[across[1]]) - max(one[across[0]], other[across[0]])
    gap = max(one[along[0]], other[along[0]]) - min(one[along[1]], other[along[1]])
    return shared >= min(heights) / 2 and gap < max(heights)
