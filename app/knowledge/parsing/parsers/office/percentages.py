"""Find the cells of an Excel workbook that people see as percentages: 0.15 is shown as 15%."""

import functools
import re
from collections.abc import Mapping

from app.knowledge.parsing.parsers.office.package import PARSE_ERRORS, OfficePackage

Places = frozenset[tuple[int, int]]
"""Rows and columns, which count from 0."""

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_USUAL_FORMATS = frozenset({"9", "10"})  # 0% and 0.00%, which no file declares
_LITERAL = re.compile(r"\"[^\"]*\"|\\.|_.|\[[^\[\]]*\]")
_CELL = re.compile(rb"<(?:\w+:)?c\s([^<>]*)>")
_PLACE = re.compile(rb"""\br=["']([A-Z]{1,3})(\d{1,7})["']""")
_STYLE = re.compile(rb"""\bs=["'](\d{1,6})["']""")


def find_percentages(package: OfficePackage) -> Mapping[str, Places]:
    """The cells of each sheet, by its name. Empty for other files, and where formats cannot be read."""
    try:
        book = package.find_related_part("", "officeDocument")
        root = package.read_part(book)
        if book is None or root is None:
            return {}
        styles = _find_percentage_styles(package, book)
        parts = dict(package.find_related_parts(book, "worksheet")) if styles else {}
        named = {sheet.get("name") or "": parts.get(sheet.get(_ID) or "") for sheet in root.iter(f"{_MAIN}sheet")}
        return {name: _find_cells(package.read_bytes(part) or b"", styles) for name, part in named.items() if part}
    except PARSE_ERRORS:
        return {}


def _find_percentage_styles(package: OfficePackage, book: str) -> frozenset[int]:
    """The numbers of the styles of cells whose format has a percent sign that is no mere text."""
    root = package.read_part(package.find_related_part(book, "styles"))
    if root is None:
        return frozenset()
    formats = set(_USUAL_FORMATS)
    for each in root.iter(f"{_MAIN}numFmt"):
        if "%" in _LITERAL.sub("", each.get("formatCode") or ""):
            formats.add(each.get("numFmtId") or "")
    styles = root.findall(f"{_MAIN}cellXfs/{_MAIN}xf")
    return frozenset(number for number, style in enumerate(styles) if style.get("numFmtId") in formats)


def _find_cells(sheet: bytes, styles: frozenset[int]) -> Places:
    found: set[tuple[int, int]] = set()
    for cell in _CELL.finditer(sheet):
        style, place = _STYLE.search(cell[1]), _PLACE.search(cell[1])
        if style and place and int(style[1]) in styles:
            found.add((int(place[2]) - 1, read_column(place[1]) - 1))
    return frozenset(found)


def read_column(letters: bytes) -> int:
    """The number of a column: A is 1, AA is 27."""
    return functools.reduce(lambda number, letter: number * 26 + letter - 64, letters, 0)
