"""Parse AsciiDoc: the source text, with the places of headings and listings; rows of tables with their headers."""

import re
from collections.abc import Iterator

from app.knowledge.parsed_documents import Heading, ParsedDocument
from app.knowledge.parsing import refusals
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import text as plain
from app.knowledge.parsing.parsers.markup import rewriting
from app.knowledge.parsing.parsers.markup.rewriting import DrawnTable, find_line_end

_FENCE = re.compile(r"^(-{4,}|\.{4,}|/{4,}|\+{4,}|```)[^\n]*$", re.MULTILINE)
_HEADING = re.compile(r"^(={1,6}|#{1,6})[ \t]+(\S[^\n]*)$", re.MULTILINE)
_TABLE = re.compile(r"^(?P<mark>[|!,:]===+)[ \t]*$", re.MULTILINE)
_ATTRIBUTES = re.compile(r"\[([^\n]*)\][ \t]*$")
_COLUMNS = re.compile(r"""cols\s*=\s*(?:"([^"]*)"|'([^']*)'|([^,\]]*))""")
_REPEATED = re.compile(r"(\d{1,3})\*")
_HEADER = re.compile(r"(?:%[\w%]{0,80}|(?:options|opts)\s?=\s?[\"']?[^\"'\]]{0,80})header")
# A cell begins with a bar, and before it what says how wide it is and how it looks.
_CELL = re.compile(
    r"(?:(?<=\s)|^)(?:\d{0,3}(?:\.\d{1,3})?[+*])?[<^>]?(?:\.[<^>])?[adehlmsv]?\|(?!===)|\|", re.MULTILINE
)
_MARKS = re.compile(r"(\*\*|__|``|[*_`])(?=\S)([^*_`]+)(?<=\S)\1")
_LONGEST_HEADING = 300


def parse_asciidoc(data: bytes, declared: str | None, limits: ParsingLimits) -> ParsedDocument:
    """The title is the heading of level 1."""
    text = plain.normalize_text(plain.decode_text(data, declared), limits)
    code = list(_find_listings(text))
    headings = [
        Heading(found.start(), len(found[1]), _clean_inline(found[2].strip())[:_LONGEST_HEADING])
        for found in _HEADING.finditer(text)
        if not rewriting.is_inside(code, found.start())
    ]
    if len(headings) > limits.headings:
        raise refusals.too_many("headings", limits.headings)
    title = next((heading.text for heading in headings if heading.level == 1), None)
    document = ParsedDocument(
        text, Format.ASCIIDOC.media_type, plain.clean_title(title), tuple(headings), line_spans=tuple(code)
    )
    return rewriting.replace_tables(document, _find_tables(text, code), limits)


def _find_listings(text: str) -> Iterator[tuple[int, int]]:
    """Blocks between two equal lines of dashes, dots or the like."""
    opened: tuple[str, int] | None = None
    for fence in _FENCE.finditer(text):
        if opened is None:
            opened = (fence[1], fence.start())
        elif fence[0].rstrip() == opened[0]:
            yield opened[1], fence.end()
            opened = None
    if opened is not None:
        yield opened[1], len(text)


def _find_tables(text: str, code: list[tuple[int, int]]) -> Iterator[DrawnTable]:
    opened: re.Match[str] | None = None
    for mark in _TABLE.finditer(text):
        if rewriting.is_inside(code, mark.start()):
            continue
        if opened is None:
            opened = mark
        elif mark["mark"] == opened["mark"]:
            table = _read_table(text, opened, mark) if mark["mark"][0] == "|" else None
            if table is not None:
                yield table
            opened = None


def _read_table(text: str, opening: re.Match[str], closing: re.Match[str]) -> DrawnTable | None:
    above = text[text.rfind("\n", 0, max(0, opening.start() - 1)) + 1 : max(0, opening.start() - 1)]
    attributes = _ATTRIBUTES.match(above)
    body = text[opening.end() + 1 : closing.start()]
    marks = list(_CELL.finditer(body))
    if not marks:
        return None
    ends = [mark.start() for mark in marks[1:]] + [len(body)]
    cells = [body[mark.end() : end].strip() for mark, end in zip(marks, ends, strict=True)]
    first_line = find_line_end(body, marks[0].start())
    width = _count_columns(attributes[1] if attributes else "") or sum(mark.start() < first_line for mark in marks)
    rows = [cells[start : start + width] for start in range(0, len(cells), width)]
    blank_below = body[first_line : first_line + 2] == "\n\n" and not body[: marks[0].start()].strip("\n")
    has_header = (attributes is not None and _HEADER.search(attributes[1]) is not None) or (
        blank_below and not body.startswith("\n") and sum(mark.start() < first_line for mark in marks) == width
    )
    count = 1 if has_header and len(rows) > 1 else 0
    return DrawnTable(opening.start(), closing.end(), rows[:count], rows[count:])


def _count_columns(attributes: str) -> int:
    """The number of columns that attributes declare; 0 if they do not."""
    found = _COLUMNS.search(attributes)
    if found is None:
        return 0
    count = 0
    for column in (found[1] or found[2] or found[3] or "").split(","):
        repeated = _REPEATED.match(column.strip())
        count += int(repeated[1]) if repeated else 1
    return count


def _clean_inline(text: str) -> str:
    return text if len(text) > _LONGEST_HEADING else _MARKS.sub(r"\2", text)
