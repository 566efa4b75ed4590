"""Parse RTF: text by striprtf, with the rows of tables."""

import re
from collections.abc import Callable
from typing import cast

from striprtf import striprtf

from app.knowledge.parsed_documents import ParsedDocument
from app.knowledge.parsing import refusals
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import text as plain
from app.knowledge.parsing.parsers.text_writer import TextWriter

_CHARSET = "cp1252"
_TITLE = re.compile(r"\{\\title\s++([^{}]{1,1000})\}")
_PICTURE = re.compile(r"(?<![0-9a-fA-F\s])[0-9a-fA-F\s]{2000,}+")
# What striprtf raises for files that violate the standard: numbers missing, charsets that do not exist.
_PARSE_ERRORS = (ValueError, LookupError, TypeError, OverflowError, AttributeError)


_to_text = cast("Callable[[str, str, str], str]", striprtf.rtf_to_text)  # pyright: ignore[reportUnknownMemberType]


def parse_rtf(data: bytes, limits: ParsingLimits) -> ParsedDocument:
    """RTF is in ASCII; other characters are escaped in it. It has no headings that programs agree on."""
    source = data.decode("latin-1")
    if source.count("\\") + source.count("{") > limits.elements * 4:
        raise refusals.too_many("control words", limits.elements * 4)
    found = _TITLE.search(source[:100_000])
    try:
        text = _to_text(_PICTURE.sub(" ", source), _CHARSET, "replace")
        title = _to_text(f"{{\\rtf1 {found[1]}}}", _CHARSET, "replace") if found else None
    except _PARSE_ERRORS as error:
        raise refusals.damaged_file("RTF file") from error
    writer = TextWriter(limits)
    _write_lines(writer, text)
    return writer.to_document(Format.RTF.media_type, plain.clean_title(title))


def _write_lines(writer: TextWriter, text: str) -> None:
    """Each line is a paragraph; lines that end with a bar are rows of a table, as striprtf writes them."""
    in_table = False
    for line in text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").split("\n"):
        is_row = line.endswith("|")
        if in_table and not is_row:
            writer.end_table(has_header=True)
        if not is_row:
            writer.write_text(line)
            writer.begin_paragraph()
        else:
            if not in_table:
                writer.begin_table()
            writer.begin_row()
            for cell in line[:-1].split("|"):
                writer.begin_cell()
                writer.write_text(cell)
                writer.end_cell()
            writer.end_row()
        in_table = is_row
    if in_table:
        writer.end_table(has_header=True)
