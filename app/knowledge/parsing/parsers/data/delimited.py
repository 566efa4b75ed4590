"""Parse CSV and similar formats: tables with a comma, tab, semicolon or bar between cells."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from app.knowledge.parsed_documents import ParsedDocument
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import sheets
from app.knowledge.parsing.parsers import text as plain
from app.knowledge.parsing.parsers.table_grid import Row
from app.knowledge.parsing.parsers.text_writer import TextWriter

_DELIMITERS = (",", "\t", ";", "|")
_DECLARATION = re.compile(r"""["']?sep=([,;|\t])["']?[,;|\t ]*(?=\n)""", re.IGNORECASE)  # the first line, for Excel
_SAMPLE_CHARACTERS = 1 << 16
_SAMPLE_ROWS = 50
_MOST = 0.5  # share of a table's rows that must have the same length


def parse_delimited(data: bytes, declared: str | None, limits: ParsingLimits) -> ParsedDocument:
    """Parse a table. Rows are numbered as in spreadsheet programs. Lines that are not a table are kept unchanged."""
    text = plain.normalize_data(plain.decode_text(data, declared), limits)
    declared_delimiter = _DECLARATION.match(text)
    # Its line stays as an empty one, so that rows keep their numbers.
    text = text[declared_delimiter.end() :] if declared_delimiter else text
    delimiter = declared_delimiter[1] if declared_delimiter else _find_delimiter(text)
    csv.field_size_limit(limits.characters)
    if delimiter is None:
        return plain.read_lines(text, Format.CSV.media_type)
    writer = TextWriter(limits)
    try:
        sheets.write_sheet(writer, _read_rows(text, delimiter))
    except csv.Error:
        return plain.read_lines(text, Format.CSV.media_type)
    return writer.to_document(Format.CSV.media_type, None)


def _read_rows(text: str, delimiter: str) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(text), delimiter=delimiter, skipinitialspace=True)
    for number, cells in enumerate(reader, 1):
        yield Row(sheets.trim_cells(cells), number=number)


def _find_delimiter(text: str) -> str | None:
    """The delimiter that gives the most rows of the same length; None if there is none."""
    sample = text[:_SAMPLE_CHARACTERS]
    if len(sample) < len(text):
        sample = sample[: sample.rfind("\n") + 1] or sample
    best, most = None, (0, 0)
    for delimiter in _DELIMITERS:
        try:
            rows = list(islice(csv.reader(io.StringIO(sample), delimiter=delimiter), _SAMPLE_ROWS))
        except csv.Error:
            continue
        widths = Counter(len(row) for row in rows if len(row) > 1)
        filled = sum(1 for row in rows if row)
        width, count = max(widths.items(), key=lambda item: (item[1], item[0]), default=(0, 0))
        if count > _MOST * filled and (count, width) > most:
            best, most = delimiter, (count, width)
    return best
