"""Find the number formats of a spreadsheet's cells: 0.15 may be shown as 15%, and 81.5 as $81.50."""

import functools
import html
import re
from array import array
from collections.abc import Mapping

from app.knowledge.parsing.parsers.office import number_formats
from app.knowledge.parsing.parsers.office.number_formats import DURATION, GENERAL, PERCENTAGE, NumberFormat
from app.knowledge.parsing.parsers.office.package import PARSE_ERRORS, OfficePackage

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
USUAL_FORMATS: Mapping[int, NumberFormat] = {9: PERCENTAGE, 10: PERCENTAGE}
"""0% and 0.00%, which are built into Excel."""
_CELL = re.compile(rb"<(?:\w+:)?c\s([^<>]*)>")
_PLACE = re.compile(rb"""\br=["']([A-Z]{1,3})(\d{1,7})["']""")
_STYLE = re.compile(rb"""\bs=["'](\d{1,6})["']""")
_ODF_TAG = re.compile(
    rb"""<table:(table|table-row|table-cell|covered-table-cell)(\s(?:[^<>"']|"[^"<]*"|'[^'<]*')*+)?/?>"""
)
_ODF_ATTRIBUTE = re.compile(
    rb"""\s(?:table:(name|number-(?:columns|rows)-repeated)|office:(value-type|currency|value))=(?:"([^"]*)"|'([^']*)')"""
)
_ODF_TEXT = re.compile(rb"<text:p(?:\s[^<>]*)?>([^<]{1,200})</text:p>")
_LONGEST_ODF_CELL = 2_000
_LONGEST_CURRENCY = 20
_MAX_ROWS, _MAX_COLUMNS = 1 << 20, 1 << 14
# A small file can repeat a cell millions of times. Numbers beyond this limit are shown without a format.
_MAX_BYTES = 256 << 20
_ROW_BYTES, _CELL_BYTES = 200, 2
_MAX_FORMATS = 1 << 16  # distinct ones


class BookFormats:
    """The formats of the cells of all sheets; one sheet at a time is open. Rows and columns count from 0."""

    def __init__(self) -> None:
        self._formats = [GENERAL]
        self._numbers = {GENERAL: 0}
        self._sheets: dict[str, dict[int, array[int]]] = {}
        self._rows: dict[int, array[int]] = {}
        self._bytes = 0

    def open_sheet(self, name: str) -> None:
        """Switch to this sheet for setting and finding formats."""
        self._rows = self._sheets.setdefault(name, {})

    def set_format(self, row: int, column: int, number_format: NumberFormat, *, columns: int = 1) -> None:
        """Set the format of a cell and the `columns - 1` cells to its right."""
        number = self._numbers.get(number_format)
        if number is None and len(self._formats) < _MAX_FORMATS:
            number = self._numbers[number_format] = len(self._formats)
            self._formats.append(number_format)
        end = min(column + columns, _MAX_COLUMNS)
        if not number or column >= end or row >= _MAX_ROWS:
            return
        cells = self._rows.get(row)
        added = max(0, end - len(cells or ()))
        if not self._has_room(_CELL_BYTES * added + (_ROW_BYTES if cells is None else 0)):
            return
        if cells is None:
            cells = self._rows[row] = array("H")
        cells.extend(array("H", [0]) * added)
        cells[column:end] = array("H", [number]) * (end - column)

    def repeat_row(self, row: int, end: int) -> None:
        """Copy the formats of a row to the rows below, up to `end`."""
        rows = range(row + 1, min(end, _MAX_ROWS))
        if rows and row in self._rows and self._has_room(_ROW_BYTES * len(rows)):
            self._rows.update(dict.fromkeys(rows, self._rows[row]))

    def find_format(self, row: int, column: int) -> NumberFormat:
        """The format of a cell."""
        cells = self._rows.get(row, ())
        return self._formats[cells[column]] if column < len(cells) else GENERAL

    def _has_room(self, added: int) -> bool:
        if self._bytes + added > _MAX_BYTES:
            return False
        self._bytes += added
        return True


def find_formats(package: OfficePackage) -> BookFormats:
    """The formats of an Excel or OpenDocument file; empty if they cannot be read."""
    found = BookFormats()
    try:
        if (content := package.read_bytes("content.xml")) is not None:
            _find_odf_cells(found, content)
            return found
        book = package.find_related_part("", "officeDocument")
        root = package.read_part(book)
        if book is None or root is None:
            return found
        if styles := _find_styles(package, book):
            parts = dict(package.find_related_parts(book, "worksheet"))
            for sheet in root.iter(f"{_MAIN}sheet"):
                part = parts.get(sheet.get(_ID) or "")
                found.open_sheet(sheet.get("name") or "")
                _find_cells(found, (package.read_bytes(part) if part else None) or b"", styles)
    except PARSE_ERRORS:
        return BookFormats()
    return found


def _find_styles(package: OfficePackage, book: str) -> Mapping[int, NumberFormat]:
    """The formats of cell styles that show more than digits, by style number."""
    root = package.read_part(package.find_related_part(book, "styles"))
    if root is None:
        return {}
    formats = {str(number): each for number, each in USUAL_FORMATS.items()}
    for each in root.iter(f"{_MAIN}numFmt"):
        formats[each.get("numFmtId") or ""] = number_formats.parse_format(each.get("formatCode") or "")
    styles = (formats.get(style.get("numFmtId") or "", GENERAL) for style in root.findall(f"{_MAIN}cellXfs/{_MAIN}xf"))
    return {number: each for number, each in enumerate(styles) if each != GENERAL}


def _find_cells(found: BookFormats, sheet: bytes, styles: Mapping[int, NumberFormat]) -> None:
    for cell in _CELL.finditer(sheet):
        style, place = _STYLE.search(cell[1]), _PLACE.search(cell[1])
        if style and place and int(style[1]) in styles:
            found.set_format(int(place[2]) - 1, read_column(place[1]) - 1, styles[int(style[1])])


def _find_odf_cells(found: BookFormats, content: bytes) -> None:
    """Find the formats of an OpenDocument file, whose rows and cells may be repeated."""
    row = next_row = column = 0
    for tag in _ODF_TAG.finditer(content):
        attributes = {each[1] or each[2]: each[3] or each[4] for each in _ODF_ATTRIBUTE.finditer(tag[2] or b"")}
        if tag[1] == b"table":
            found.repeat_row(row, next_row)
            found.open_sheet(html.unescape(attributes.get(b"name", b"").decode()))
            row = next_row = column = 0
        elif tag[1] == b"table-row":
            found.repeat_row(row, next_row)
            row, next_row, column = next_row, next_row + abs(int(attributes.get(b"number-rows-repeated", 1))), 0
        else:
            columns = abs(int(attributes.get(b"number-columns-repeated", 1)))
            if b"value-type" in attributes:
                shown = b"" if tag[0].endswith(b"/>") else _find_odf_text(content, tag.end())
                found.set_format(row, column, _read_odf_format(attributes, shown), columns=columns)
            column += columns
    found.repeat_row(row, next_row)


def _find_odf_text(content: bytes, start: int) -> bytes:
    """The displayed text of a cell whose content begins at `start`."""
    end = content.find(b"</table:", start, start + _LONGEST_ODF_CELL)
    shown = _ODF_TEXT.findall(content, start, max(start, end))
    return shown[-1] if shown else b""  # comments come first


def _read_odf_format(attributes: Mapping[bytes, bytes], shown: bytes) -> NumberFormat:
    """The format of a cell, from its type, its currency and its displayed text."""
    kind = attributes[b"value-type"]
    if kind == b"percentage":
        return PERCENTAGE
    if kind == b"time":
        return DURATION
    if kind not in (b"float", b"currency"):
        return GENERAL
    currency = attributes.get(b"currency", b"") if kind == b"currency" else b""
    return number_formats.read_format(
        html.unescape(shown.decode()),
        html.unescape(currency.decode())[:_LONGEST_CURRENCY],
        float(attributes.get(b"value", b"nan")),
    )


def read_column(letters: bytes) -> int:
    """The number of a column: A is 1, AA is 27."""
    return functools.reduce(lambda number, letter: number * 26 + letter - 64, letters, 0)
