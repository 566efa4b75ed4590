"""Parse Markdown: the source text, with the places of headings and fenced code; rows of tables with their headers.

markdown-it-py takes ten times as long (2.9 s per megabyte) and quadratic time on hostile lines (16 s for 50,000
brackets), and reports lines instead of offsets.
"""

import re

from app.knowledge.parsed_documents import Heading, ParsedDocument
from app.knowledge.parsing import refusals
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import text as plain
from app.knowledge.parsing.parsers.markup import dashed_tables, definitions, html_tables, pipe_tables, rewriting

_FRONT = re.compile(
    r"(?P<fence>---|\+\+\+)[ \t]*\n(?P<body>[\w-]+[ \t]*[:=](?s:.*?))^(?:(?P=fence)|\.\.\.)[ \t]*$", re.MULTILINE
)
_FRONT_TITLE = re.compile(r"^title\s*+[:=](.*+)$", re.MULTILINE)
_LINE = re.compile(r"^[^\n]*", re.MULTILINE)
_FENCE = re.compile(r"[ \t]*(?:>[ \t]?)*(`{3,}(?=[^`]*$)|~{3,})")
_COMMENT = re.compile(r" {0,3}<!--")  # within a line, it ends with the paragraph
_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]++(.*+))?+$")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_NO_PARAGRAPH = re.compile(r" {4}|\t| {0,3}(?:[-*+>|#<]|\d{1,9}[.)]\s|:::|$)")
_INLINE = (
    (re.compile(r"(?:^|(?<![ \t])[ \t]++)#++[ \t]*+$"), ""),  # closing marks: # Title #
    (re.compile(r"(?<![ \t])[ \t]*+\{[#.:][^{}]*+\}[ \t]*+$"), ""),  # attributes: {#anchor}
    (re.compile(r"!\[([^\[\]]*)\]\([^()]*\)"), r"\1"),
    (re.compile(r"\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])"), r"\1"),
    (re.compile(r"</?[a-zA-Z][^<>]*>"), ""),
    (re.compile(r"(\*\*|__|~~)(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<!\w)([*_])(?=\S)([^*_]+)(?<=\S)\1(?!\w)"), r"\2"),
    (re.compile(r"\\([!-/:-@\[-`{-~])"), r"\1"),
)
# Code stays unchanged: while patterns are applied, a number replaces it, between characters that no parsed text has.
_CODE = re.compile(r"(?<!`)`++([^`]++)`++")
_CODE_NUMBER = re.compile("\x00([0-9]+)\x00")
_LONGEST_HEADING = 300


def parse_markdown(data: bytes, declared: str | None, limits: ParsingLimits) -> ParsedDocument:
    """Parse Markdown; only tables are rewritten. The title is the front matter's, or else the first level-1 heading."""
    text = plain.normalize_text(plain.decode_text(data, declared), limits)
    front = _FRONT.match(text)
    start = front.end() if front else 0
    headings, code = _find_blocks(text, start, limits)
    titled = _FRONT_TITLE.search(front["body"]) if front else None
    title = _unquote(titled[1].strip()) if titled else ""
    title = title or next((heading.text for heading in headings if heading.level == 1), None)
    document = ParsedDocument(
        text, Format.MARKDOWN.media_type, plain.clean_title(title), tuple(headings), line_spans=tuple(code)
    )
    kept = sorted([*code, *((heading.offset, heading.offset + 1) for heading in headings)])
    return rewriting.rewrite(
        document,
        [
            *html_tables.find_tables(text, start, kept, _clean_inline),
            *pipe_tables.find_tables(text, start, code, _clean_inline),
            *dashed_tables.find_tables(text, start, code, _clean_inline),
        ],
        definitions.find_in_markdown(text, start, code, _clean_inline),
        limits,
    )


def _unquote(value: str) -> str:
    return value[1:-1] if len(value) > 2 and value[0] == value[-1] and value[0] in "\"'" else value


def _find_blocks(text: str, start: int, limits: ParsingLimits) -> tuple[list[Heading], list[tuple[int, int]]]:
    headings: list[Heading] = []
    code: list[tuple[int, int]] = []
    fence, fence_start = "", 0
    in_comment = False
    above: tuple[int, str] | None = None  # a paragraph's only line so far: the text of a setext heading
    for match in _LINE.finditer(text, start):
        line, offset = match[0], match.start()
        if match.end() == offset:
            above = None
            continue
        opening = _FENCE.match(line)
        if fence:
            if opening and opening[1].startswith(fence) and not line[opening.end() :].strip():
                code.append((fence_start, match.end()))
                fence = ""
        elif in_comment:
            in_comment = "-->" not in line
        elif opening:
            fence, fence_start, above = opening[1], offset, None
        else:
            in_comment = "-->" not in line and _COMMENT.match(line) is not None
            above = _read_heading(line, offset, above, headings)
            if len(headings) > limits.headings:
                raise refusals.too_many("headings", limits.headings)
    if fence:
        code.append((fence_start, len(text)))
    return headings, code


def _read_heading(
    line: str, offset: int, above: tuple[int, str] | None, headings: list[Heading]
) -> tuple[int, str] | None:
    """Add the heading that `line` completes, if any; returns the line if a setext underline may follow."""
    atx = _ATX.match(line)
    if atx:
        _add_heading(headings, offset, len(atx[1]), atx[2] or "")
        return None
    underline = _UNDERLINE.match(line)
    if underline and above and above[1]:
        _add_heading(headings, above[0], 1 if underline[1][0] == "=" else 2, above[1])
        return None
    if not line.strip():
        return None
    # A second line makes a paragraph, and a rule below a paragraph is more often a rule than a heading.
    return (offset, "" if above or _NO_PARAGRAPH.match(line) else line.strip())


def _add_heading(headings: list[Heading], offset: int, level: int, text: str) -> None:
    text = " ".join(_clean_inline(text).split())[:_LONGEST_HEADING]
    if text:
        headings.append(Heading(offset, level, text))


def _clean_inline(text: str) -> str:
    """A short text without its markup."""
    if len(text) > _LONGEST_HEADING:
        return text
    code: list[str] = _CODE.findall(text)
    numbers = iter(range(len(code)))
    text = _CODE.sub(lambda _: f"\x00{next(numbers)}\x00", text)
    for pattern, replacement in _INLINE:
        text = pattern.sub(replacement, text)
    return _CODE_NUMBER.sub(lambda match: code[int(match[1])], text)
