"""Parse RTF with striprtf, and recover headings and table rows."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
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
_WORD = re.compile(r"\\(?:([a-z]{1,32})(-?\d{1,10})?|.)|[{}]", re.DOTALL | re.IGNORECASE)
_STYLE = re.compile(r"\{\\s(\d{1,5})(\\[^{};]{1,2000}+);")
_STYLE_LEVEL = re.compile(r"\\outlinelevel([0-8])(?!\d)|heading ([1-9])$", re.IGNORECASE)
_STYLES_REACH = 1_000_000  # how many characters at the beginning are searched for style definitions
# A character for each heading level, which marks the end of a heading; striprtf keeps them.
_MARKS = "\x01\x02\x03\x04\x05\x06\x07\x08"
_UNMARKED = str.maketrans("", "", _MARKS)
# The exceptions that striprtf raises for files that violate the standard: missing numbers, unknown charsets.
_PARSE_ERRORS = (ValueError, LookupError, TypeError, OverflowError, AttributeError)


_to_text = cast("Callable[[str, str, str], str]", striprtf.rtf_to_text)  # pyright: ignore[reportUnknownMemberType]


def parse_rtf(data: bytes, limits: ParsingLimits) -> ParsedDocument:
    """Parse RTF, which is ASCII with escapes. The title is a property, or else the first heading."""
    source = data.decode("latin-1")
    if source.count("\\") + source.count("{") > limits.elements * 4:
        raise refusals.too_many("control words", limits.elements * 4)
    found = _TITLE.search(source[:100_000])
    try:
        text = _to_text(_mark_paragraphs(_PICTURE.sub(" ", source.translate(_UNMARKED))), _CHARSET, "replace")
        title = _to_text(f"{{\\rtf1 {found[1]}}}", _CHARSET, "replace") if found else None
    except _PARSE_ERRORS as error:
        raise refusals.damaged_file("RTF file") from error
    writer = TextWriter(limits)
    _write_lines(writer, text)
    first = next((heading.text for heading in writer.headings if heading.level == 1), None)
    return writer.to_document(Format.RTF.media_type, plain.clean_title(title) or plain.clean_title(first))


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """The heading level of a paragraph, or 0, and whether it is in a table cell."""

    level: int = 0
    is_in_cell: bool = False


def _mark_paragraphs(source: str) -> str:
    """The source with a mark at the end of each heading, and without paragraph ends inside cells."""
    pieces: list[str] = []
    copied = 0
    for paragraph, start, end in _read_paragraph_ends(source):
        if paragraph.is_in_cell:
            pieces += [source[copied:start], "\\tab "]
            copied = end
        elif paragraph.level:
            pieces += [source[copied:start], _MARKS[min(paragraph.level, len(_MARKS)) - 1]]
            copied = start
    return "".join([*pieces, source[copied:]])


def _read_paragraph_ends(source: str) -> Iterator[tuple[_Paragraph, int, int]]:
    """Each paragraph's properties, and the span of its end mark. Properties apply until the end of their group."""
    levels = _read_style_levels(source)
    paragraph = _Paragraph()
    groups: list[_Paragraph] = []
    reached = 0
    for found in _WORD.finditer(source):
        if found.start() < reached:
            continue
        word, number = found[1], int(found[2] or -1)
        if found[0] == "{":
            groups.append(paragraph)
        elif found[0] == "}":
            paragraph = groups.pop() if groups else paragraph
        elif word == "par":
            yield paragraph, found.start(), found.end()
        elif word == "bin":
            reached = found.end() + number
        elif word:
            paragraph = _apply_word(paragraph, word, number, levels)


def _apply_word(paragraph: _Paragraph, word: str, number: int, levels: Mapping[int, int]) -> _Paragraph:
    match word:
        case "pard":
            return _Paragraph()
        case "s":
            return replace(paragraph, level=levels.get(number, 0))
        case "outlinelevel":
            return replace(paragraph, level=number + 1 if 0 <= number < 9 else 0)
        case "intbl" | "row":
            return replace(paragraph, is_in_cell=word == "intbl")
        case _:
            return paragraph


def _read_style_levels(source: str) -> Mapping[int, int]:
    """The levels of heading styles, by style number. Style names are the same in every language."""
    levels: dict[int, int] = {}
    for style in _STYLE.finditer(source[:_STYLES_REACH]):
        if found := _STYLE_LEVEL.search(style[2]):
            levels[int(style[1])] = int(found[1]) + 1 if found[1] else int(found[2])
        elif style[2].casefold().endswith(" title"):
            levels[int(style[1])] = 1
    return levels


def _write_lines(writer: TextWriter, text: str) -> None:
    """Write each line as a paragraph; lines that end with a bar are table rows, as striprtf writes them."""
    in_table = False
    for line in text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").split("\n"):
        is_row = line.endswith("|")
        if in_table and not is_row:
            writer.end_table(has_header=True)
        if level := _MARKS.find(line[-1:]) + 1 if line else 0:
            writer.write_heading(line.translate(_UNMARKED), level)
        elif not is_row:
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
