"""Parse spreadsheets (.xlsx, .xls, .ods): each row on a line with its headers, under the name of its sheet."""

import datetime
import io
import re
import zipfile
from collections.abc import Generator, Iterator, Sequence
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
from app.knowledge.parsing import refusals
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import sheets
from app.knowledge.parsing.parsers.office.number_formats import NumberFormat
from app.knowledge.parsing.parsers.office.package import OfficePackage
from app.knowledge.parsing.parsers.office.spreadsheets import cell_formats, old_excel, sheet_repairs
from app.knowledge.parsing.parsers.table_grid import Row
from app.knowledge.parsing.parsers.text_writer import TextWriter

_Value = int | float | str | bool | datetime.time | datetime.date | datetime.datetime | datetime.timedelta
# More elements are allowed: sheets are not kept as trees, which take most of the memory for other formats.
_ELEMENTS = 8
_SHEET = re.compile(r"worksheets[/\\][^/\\]+\.xml$", re.IGNORECASE)
_CELL = re.compile(rb"""\br=["']([A-Z]{1,3})(\d{1,7})["']""")
_DURATION = re.compile(r"(-)?PT(?:(\d{1,7})H)?(?:(\d{1,7})M)?(?:(\d{1,7}(?:\.\d{1,12})?)S)?")
_MAX_MERGED_ROWS = 1_000
_LONGEST_WIDE = 80  # longest text of a cell over several columns that is repeated in each


def parse_spreadsheet(data: bytes, kind: Format, limits: ParsingLimits) -> ParsedDocument:
    """Parse a spreadsheet without its hidden sheets."""
    formats = cell_formats.BookFormats()
    if data.startswith(b"PK"):
        with _damage_refused(kind):
            package = OfficePackage(data, kind.noun, limits.elements * _ELEMENTS)
            for name in filter(_SHEET.search, package.list_names()):
                _check_extent(package.read_bytes(name) or b"")
            formats = cell_formats.find_formats(package)
            data = sheet_repairs.repair_spreadsheet(data, kind, package)
    elif kind is Format.XLS:
        book = old_excel.read_book(data)
        if old_excel.is_encrypted(book):
            raise refusals.encrypted_file(Format.XLS.noun)
        formats = old_excel.find_formats(book)
        data = old_excel.renumber_formats(data, book)
    writer = TextWriter(limits)
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
            if sheet.width * sheet.height > sheets.MAX_CELLS:
                raise refusals.too_many("cells in a sheet", sheets.MAX_CELLS)
            if sheet.height:
                writer.write_heading(f"Sheet “{name}”", 1, is_part=True)
                formats.open_sheet(name)
                sheets.write_sheet(writer, _read_rows(sheet, formats))
    return writer.to_document(kind.media_type, None)


def _check_extent(sheet: bytes) -> None:
    """Refuse a sheet whose cells are so far apart that the rectangle around them would not fit into memory."""
    rows = columns = 0
    for found in _CELL.finditer(sheet):
        columns = max(columns, cell_formats.read_column(found[1]))
        rows = max(rows, int(found[2]))
    if rows * columns > sheets.MAX_CELLS:
        raise refusals.too_many("cells in a sheet", sheets.MAX_CELLS)


@contextmanager
def _damage_refused(kind: Format) -> Generator[None]:
    try:
        yield
    except PasswordError as error:
        raise refusals.encrypted_file(kind.noun) from error
    except (CalamineError, zipfile.BadZipFile, ValueError, OverflowError, NotImplementedError, OSError) as error:
        raise refusals.damaged_file(kind.noun) from error
    except BaseException as error:
        if type(error).__module__ != "pyo3_runtime":  # a Rust panic is not an Exception
            raise
        raise refusals.damaged_file(kind.noun) from error


def _read_rows(sheet: CalamineSheet, formats: cell_formats.BookFormats) -> Iterator[Row]:
    first = sheet.start[0] if sheet.start else 0
    column = sheet.start[1] if sheet.start else 0
    merged: dict[int, dict[int, tuple[int, int]]] = {}
    for (top, left), (bottom, right) in sheet.merged_cell_ranges or ():
        right = min(right, column + sheet.width - 1)
        if left >= column and bottom - top < _MAX_MERGED_ROWS:
            merged.setdefault(top, {})[left - column] = (right - left + 1, bottom - top + 1)
    for number, values in enumerate(sheet.to_python(), first):
        cells = [_write_value(value, formats.find_format(number, at)) for at, value in enumerate(values, column)]
        spans = {at: span for at, span in merged.get(number, {}).items() if _is_repeated(cells, at, span)}
        yield Row(sheets.trim_cells(cells), number=number + 1, spans=spans)


def _is_repeated(cells: Sequence[str], column: int, span: tuple[int, int]) -> bool:
    """Whether to repeat a spanning cell: a long text over several columns is a box that belongs to no column."""
    return column < len(cells) and bool(cells[column].strip()) and (span[0] == 1 or len(cells[column]) <= _LONGEST_WIDE)


def _write_value(value: _Value, number_format: NumberFormat) -> str:
    match value:
        case str():
            duration = _DURATION.fullmatch(value) if number_format.is_duration else None
            return _write_duration(_read_duration(duration)) if duration else value
        case bool():
            return "TRUE" if value else "FALSE"
        case int() | float():
            return number_format.write_number(value)
        case datetime.datetime() if value.time() == datetime.time():
            return value.date().isoformat()
        case datetime.datetime():
            return value.isoformat(" ", "seconds")
        case datetime.date() | datetime.time():
            return value.isoformat()
        case datetime.timedelta():
            return _write_duration(value)


def _read_duration(found: re.Match[str]) -> datetime.timedelta:
    hours, minutes, seconds = (float(part or 0) for part in found.groups()[1:])
    duration = datetime.timedelta(hours=hours, minutes=minutes, seconds=seconds)
    return -duration if found[1] else duration


def _write_duration(value: datetime.timedelta) -> str:
    """A duration in hours (of any number) and minutes, with seconds and fractions if there are any."""
    milliseconds = round(abs(value) / datetime.timedelta(milliseconds=1))
    minutes, milliseconds = divmod(milliseconds, 60_000)
    seconds = (
        f":{milliseconds / 1000:06.3f}".rstrip("0").rstrip(".")
        if milliseconds % 1000
        else f":{milliseconds // 1000:02}"
    )
    sign = "-" if value < datetime.timedelta() else ""
    return f"{sign}{minutes // 60}:{minutes % 60:02}{seconds if milliseconds else ''}"
