"""Read what calamine does not report about old Excel files (.xls): encryption and number formats.

The format is specified in [MS-XLS]; numbers in comments are its sections.
"""

import struct
from collections.abc import Iterator, Mapping

from app.knowledge.parsing import ole
from app.knowledge.parsing.parsers.office import number_formats
from app.knowledge.parsing.parsers.office.number_formats import GENERAL, NumberFormat
from app.knowledge.parsing.parsers.office.spreadsheets import cell_formats
from app.knowledge.parsing.parsers.office.spreadsheets.cell_formats import BookFormats

# Kinds of records (2.3.1).
_BOF, _EOF, _FILE_PASS, _BOUND_SHEET, _FORMAT, _XF = 0x0809, 0x000A, 0x002F, 0x0085, 0x041E, 0x00E0
_FORMULA, _NUMBER, _RK, _MUL_RK = 0x0006, 0x0203, 0x027E, 0x00BD
_BIFF8 = 0x0600
_HEAD = 4096


_STREAMS = ("workbook", "book")
# Built-in formats that Excel declares all the same; custom formats have higher numbers.
_FIXED_FORMATS = frozenset({5, 6, 7, 8, 41, 42, 43, 44})
_FIRST_FORMAT = 164


def read_book(data: bytes) -> bytes:
    """The records of a file; empty if it is damaged."""
    try:
        file = ole.open_ole(data)
        return file.openstream(next(name for name in _STREAMS if file.exists(name))).read()
    except (*ole.ERRORS, StopIteration):
        return b""


def renumber_formats(data: bytes, book: bytes) -> bytes:
    """Renumber custom formats that use the numbers of built-in ones; returns the same bytes if there are none.

    Gnumeric and SheetJS write such formats, and calamine misjudges whether they are dates.
    """
    declared: list[int] = []
    places: list[tuple[int, int]] = []  # the offset of a format's number, and the number
    position = 0
    for kind, record in _read_records(book, 0):
        if kind == _BOF and _read_number(record) != _BIFF8:
            return data
        if kind in (_FORMAT, _XF) and len(record) >= 4:
            at = 0 if kind == _FORMAT else 2
            places.append((position + 4 + at, _read_number(record, at)))
            declared += [places[-1][1]] if kind == _FORMAT else []
        position += 4 + len(record)
    odd = sorted({number for number in declared if number < _FIRST_FORMAT} - _FIXED_FORMATS)
    free = max([_FIRST_FORMAT - 1, *declared]) + 1
    if not odd or free + len(odd) > 0xFFFF:
        return data
    numbers = {number: free + index for index, number in enumerate(odd)}
    renumbered = bytearray(book)
    for place, number in places:
        renumbered[place : place + 2] = numbers.get(number, number).to_bytes(2, "little")
    try:
        file = ole.open_ole(data)
        name = next(name for name in _STREAMS if file.exists(name))
        return ole.replace_stream(data, name, bytes(renumbered))
    except (*ole.ERRORS, StopIteration, AssertionError):
        return data


def is_encrypted(book: bytes) -> bool:
    """Whether a book is encrypted, which calamine does not recognize."""
    return any(kind == _FILE_PASS for kind, _ in _read_records(book[:_HEAD], 0))


def find_formats(book: bytes) -> BookFormats:
    """The formats of cells; empty for damaged books and those of Excel 5.0 and 95."""
    sheets: dict[str, int] = {}
    formats, styles = dict(cell_formats.USUAL_FORMATS), list[int]()
    found = BookFormats()
    try:
        for kind, record in _read_records(book, 0):
            if kind == _BOF and _read_number(record) != _BIFF8:
                return found
            if kind == _BOUND_SHEET:  # 2.4.28: where the sheet begins, two flags, its name
                [sheets[_read_text(record[6:], length_bytes=1)]] = struct.unpack_from("<I", record)
            elif kind == _FORMAT:  # 2.4.126
                formats[_read_number(record)] = number_formats.parse_format(_read_text(record[2:], length_bytes=2))
            elif kind == _XF:  # 2.4.353: a font, a format
                styles.append(_read_number(record, 2))
        shown = {number: formats[each] for number, each in enumerate(styles) if formats.get(each, GENERAL) != GENERAL}
        for name, position in sheets.items() if shown else ():
            found.open_sheet(name)
            for row, column, number_format in _find_cells(book, position, shown):
                found.set_format(row, column, number_format)
    except (struct.error, ValueError, IndexError):
        return BookFormats()
    return found


def _read_records(book: bytes, position: int) -> Iterator[tuple[int, bytes]]:
    """The records of a part of a book, up to its end; embedded charts are skipped."""
    depth = 0
    while position + 4 <= len(book):
        kind, length = struct.unpack_from("<HH", book, position)
        depth += (kind == _BOF) - (kind == _EOF)
        if depth <= 1:
            yield kind, book[position + 4 : position + 4 + length]
        if depth == 0:
            return
        position += 4 + length


def _find_cells(
    book: bytes, position: int, styles: Mapping[int, NumberFormat]
) -> Iterator[tuple[int, int, NumberFormat]]:
    """The rows, columns and formats of the numbers that have one of these styles."""
    for kind, record in _read_records(book, position):
        if kind in (_FORMULA, _NUMBER, _RK):
            row, column, style = struct.unpack_from("<HHH", record)
            if style in styles:
                yield row, column, styles[style]
        elif kind == _MUL_RK:  # 2.4.175: a row, a column, a style and a number of four bytes for each cell, a column
            row, first = struct.unpack_from("<HH", record)
            for number, at in enumerate(range(4, len(record) - 6, 6)):
                if (style := _read_number(record, at)) in styles:
                    yield row, first + number, styles[style]


def _read_number(record: bytes, at: int = 0) -> int:
    return int.from_bytes(record[at : at + 2], "little")


def _read_text(record: bytes, *, length_bytes: int) -> str:
    """A text (2.5.294): its length, whether characters have two bytes, the characters."""
    length = int.from_bytes(record[:length_bytes], "little")
    wide, text = record[length_bytes] & 1, record[length_bytes + 1 :]
    return str(text[: 2 * length], "utf-16-le") if wide else str(text[:length], "latin-1")
