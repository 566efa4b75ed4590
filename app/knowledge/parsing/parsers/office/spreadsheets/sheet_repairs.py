"""Rewrite valid spreadsheets that python-calamine would reject or read only partly."""

import io
import re
import zipfile
from collections.abc import Iterator

from app.knowledge.parsing import refusals
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.parsers import sheets
from app.knowledge.parsing.parsers.office.package import OfficePackage

_BINARY_SHEET = re.compile(r"worksheets[/\\][^/\\]+\.bin$", re.IGNORECASE)
_READ = (".xml", ".bin", ".rels", "mimetype")  # name endings of the parts that are read
# calamine rejects white space between cells, which Gnumeric and SheetJS write.
_SPACED_TAG = re.compile(rb"(</?table:[^<>]*+>)\s++(?=<)")
# calamine skips cells with text but no type, as in odfpy's examples; LibreOffice shows them as text.
_UNTYPED_CELL = re.compile(rb"<table:table-cell(?![^<>]*\soffice:value-type=)([^<>]*)(?<!/)>(?=<text:p\b)")
# calamine skips breaks between words.
_LINE_BREAK = re.compile(rb"<text:(?:line-break|tab)\b[^<>]*/>")
# Record numbers of binary sheets, from [MS-XLSB].
_ROW = 0
_CELLS = range(1, 12)
_SHORT_CELLS = range(12, 19)
_LONG_CELL = 11  # subtracted from the number of a short cell record, gives that of the same record with a column


def repair_spreadsheet(data: bytes, kind: Format, package: OfficePackage) -> bytes:
    """The file with cells that calamine can read; the same bytes if nothing had to be changed.

    Raises TOO_LARGE for a binary sheet whose cells are too far apart.
    """
    repaired: dict[str, bytes] = {}
    if kind is Format.ODS:
        content, spaced = _SPACED_TAG.subn(rb"\1", package.read_bytes("content.xml") or b"")
        content, untyped = _UNTYPED_CELL.subn(rb'<table:table-cell\1 office:value-type="string">', content)
        content, joined = _LINE_BREAK.subn(b"<text:s/>", content)
        repaired = {"content.xml": content} if spaced or untyped or joined else {}
    for name in filter(_BINARY_SHEET.search, package.list_names()):
        sheet = package.read_bytes(name) or b""
        lengthened = _lengthen_cells(sheet)
        if len(lengthened) > len(sheet):
            repaired[name] = lengthened
    return _replace_parts(package, repaired) if repaired else data


def _replace_parts(package: OfficePackage, repaired: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in package.list_names():
            if name.lower().endswith(_READ):
                archive.writestr(name, repaired.get(name) or package.read_bytes(name) or b"")
    return file.getvalue()


def _read_records(sheet: bytes) -> Iterator[tuple[int, int, int]]:
    """The number of each record, and the start and end of its content."""
    position = 0
    while position < len(sheet):
        number, position = _read_varied(sheet, position)
        size, position = _read_varied(sheet, position)
        yield number, position, position + size
        position += size


def _read_varied(sheet: bytes, position: int) -> tuple[int, int]:
    """A variable-length number, seven bits per byte, and the offset after it."""
    value = shift = 0
    for byte in sheet[position : position + 4]:
        value |= (byte & 127) << shift
        shift += 7
        position += 1
        if byte < 128:
            break
    return value, position


def _lengthen_cells(sheet: bytes) -> bytes:
    """Replace short cells, which omit their column because they follow another cell.

    Raises TOO_LARGE if the rectangle around all cells would not fit into memory.
    """
    written = bytearray()
    copied = begin = row = rows = columns = 0
    column = -1
    for number, start, end in _read_records(sheet):
        if number == _ROW:
            row, column = int.from_bytes(sheet[start : start + 4], "little") + 1, -1
        elif number in _CELLS:
            column = int.from_bytes(sheet[start : start + 4], "little")
        elif number in _SHORT_CELLS:
            column += 1
            written += sheet[copied:begin] + bytes([number - _LONG_CELL]) + _write_varied(end - start + 4)
            written += column.to_bytes(4, "little")
            copied = start
        if column >= 0:
            rows, columns = max(rows, row), max(columns, column + 1)
        if rows * columns > sheets.MAX_CELLS:
            raise refusals.too_many("cells in a sheet", sheets.MAX_CELLS)
        begin = end
    return bytes(written) + sheet[copied:]


def _write_varied(value: int) -> bytes:
    written = bytearray()
    while value > 127:
        written.append(value & 127 | 128)
        value >>= 7
    return bytes([*written, value])
