"""Parse spreadsheets (.xlsx, .xls, .ods): each row on a line with its headers, under the name of its sheet."""

import datetime
import io
import re
import struct
import zipfile
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager

from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    PasswordError,
    SheetTypeEnum,
    SheetVisibleEnum,
)

from app.knowledge.parsed_documents import ParsedDocument
from app.knowledge.parsing import ole, refusals
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import sheets
from app.knowledge.parsing.parsers.office import percentages
from app.knowledge.parsing.parsers.office.package import OfficePackage
from app.knowledge.parsing.parsers.table_grid import Row
from app.knowledge.parsing.parsers.text_writer import TextWriter

_Value = int | float | str | bool | datetime.time | datetime.date | datetime.datetime | datetime.timedelta
_FILE_PASS, _HEAD = 0x2F, 4096
# Sheets are never held as trees, which take most of the memory of other formats.
_ELEMENTS = 8
_MAX_CELLS = 20_000_000  # of the rectangle around all cells of a sheet
_SHEET = re.compile(r"worksheets[/\\][^/\\]+\.xml$", re.IGNORECASE)
_CELL = re.compile(rb"""\br=["']([A-Z]{1,3})(\d{1,7})["']""")
_MAX_MERGED_ROWS = 1_000


def parse_spreadsheet(data: bytes, kind: Format, limits: ParsingLimits) -> ParsedDocument:
    """Hidden sheets are left out, as nobody sees them."""
    shown_as_percent: Mapping[str, percentages.Places] = {}
    if data.startswith(b"PK"):
        with _damage_refused(kind):
            package = OfficePackage(data, kind.noun, limits.elements * _ELEMENTS)
            for name in filter(_SHEET.search, package.list_names()):
                _check_extent(package.read_bytes(name) or b"")
            shown_as_percent = percentages.find_percentages(package)
    writer = TextWriter(limits)
    if kind is Format.XLS and _has_password(data):
        raise refusals.encrypted_file(kind.noun)
    with _damage_refused(kind):
        workbook = CalamineWorkbook.from_filelike(io.BytesIO(data))
        shown = [
            sheet.name
            for sheet in workbook.sheets_metadata
            if sheet.visible == SheetVisibleEnum.Visible and sheet.typ == SheetTypeEnum.WorkSheet
        ]
        if len(shown) > limits.pages:
            raise refusals.too_many("sheets", limits.pages)
        for name in shown:
            sheet = workbook.get_sheet_by_name(name)
            if sheet.width * sheet.height > _MAX_CELLS:
                raise refusals.too_many("cells in a sheet", _MAX_CELLS)
            if sheet.height:
                writer.write_heading(f"Sheet “{name}”", 1, is_part=True)
                sheets.write_sheet(writer, _read_rows(sheet, shown_as_percent.get(name, frozenset())))
    return writer.to_document(kind.media_type, None)


def _has_password(data: bytes) -> bool:
    """Whether a file of old Excel is encrypted, which calamine takes for another format."""
    try:
        file = ole.open_ole(data)
        name = next(name for name in ("workbook", "book") if file.exists(name))
        head = file.openstream(name).read()[:_HEAD]
    except (*ole.ERRORS, StopIteration):
        return False
    position = 0
    while position + 4 <= len(head):  # records, each with its kind and length
        kind, length = struct.unpack_from("<HH", head, position)
        if kind == _FILE_PASS:
            return True
        position += 4 + length
    return False


def _check_extent(sheet: bytes) -> None:
    """Refuse a sheet whose cells are so far apart that the rectangle around them could not be held in memory."""
    rows = columns = 0
    for found in _CELL.finditer(sheet):
        columns = max(columns, percentages.read_column(found[1]))
        rows = max(rows, int(found[2]))
    if rows * columns > _MAX_CELLS:
        raise refusals.too_many("cells in a sheet", _MAX_CELLS)


@contextmanager
def _damage_refused(kind: Format) -> Generator[None]:
    try:
        yield
    except PasswordError as error:
        raise refusals.encrypted_file(kind.noun) from error
    except (CalamineError, zipfile.BadZipFile, ValueError, OverflowError, NotImplementedError, OSError) as error:
        raise refusals.damaged_file(kind.noun) from error
    except BaseException as error:
        if type(error).__module__ != "pyo3_runtime":  # a panic in Rust, which is no Exception
            raise
        raise refusals.damaged_file(kind.noun) from error


def _read_rows(sheet: CalamineSheet, percent: percentages.Places) -> Iterator[Row]:
    first = sheet.start[0] + 1 if sheet.start else 1
    column = sheet.start[1] if sheet.start else 0
    above = {
        (row, left - column): (top, left - column)
        for (top, left), (bottom, right) in sheet.merged_cell_ranges or ()
        if left == right and bottom - top < _MAX_MERGED_ROWS
        for row in range(top + 1, bottom + 1)
    }
    tops = set(above.values())
    texts: dict[tuple[int, int], str] = {}
    for number, values in enumerate(sheet.to_python(), first):
        cells = [
            _write_value(value, is_percentage=(number - 1, at) in percent) for at, value in enumerate(values, column)
        ]
        for index in range(len(cells)) if above else ():
            place = (number - 1, index)
            if place in tops:
                texts[place] = cells[index]
            elif place in above and not cells[index]:
                cells[index] = texts.get(above[place], "")
        yield Row(sheets.trim_cells(cells), number=number)


def _write_value(value: _Value, *, is_percentage: bool) -> str:
    match value:
        case str():
            return value
        case bool():
            return "TRUE" if value else "FALSE"
        case int() | float() if is_percentage:
            return f"{value * 100:.15g}%"
        case float():
            return format(value, ".15g")
        case datetime.datetime() if value.time() == datetime.time():
            return value.date().isoformat()
        case datetime.datetime():
            return value.isoformat(" ", "seconds")
        case datetime.date() | datetime.time():
            return value.isoformat()
        case _:
            return str(value)
