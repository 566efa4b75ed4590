"""Parse reStructuredText: the source text, with the places of headings and literal blocks; rows of tables.

docutils would run directives, and takes half a minute per megabyte.
"""

import re
from collections.abc import Iterator

from app.knowledge.parsed_documents import Heading, ParsedDocument
from app.knowledge.parsing import refusals
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import text as plain
from app.knowledge.parsing.parsers.markup import definitions, drawn_tables, rewriting

_LINE = re.compile(r"^[^\n]*", re.MULTILINE)
_RULE = re.compile(r"""([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~])\1+[ \t]*$""")
_LITERAL = re.compile(
    r"^(?P<indent>[ \t]*)(?:\.\. (?:code-block|code|sourcecode|parsed-literal|prompt|highlight|math)::[^\n]*"
    r"|(?:(?!\.\. )[^\s][^\n]*)?::)[ \t]*$",
    re.MULTILINE,
)
_ROLE = re.compile(r":[\w:.+-]{1,60}:`([^`<>]+)(?:<[^<>`]*>)?`")
_LINK = re.compile(r"`([^`<>]+)<[^<>`]*>`_{1,2}")
_MARKS = re.compile(r"(\*\*|``|\*|`)(?=\S)([^*`]+)(?<=\S)\1_{0,2}")
_LONGEST_HEADING = 300


def parse_restructured(data: bytes, declared: str | None, limits: ParsingLimits) -> ParsedDocument:
    """Parse reStructuredText; the title is the first heading."""
    text = plain.normalize_text(plain.decode_text(data, declared), limits)
    code = list(_find_literals(text))
    headings = list(_find_headings(text, code, limits))
    title = plain.clean_title(headings[0].text) if headings else None
    document = ParsedDocument(text, Format.RST.media_type, title, tuple(headings), line_spans=tuple(code))
    return rewriting.rewrite(
        document, drawn_tables.find_tables(text, code), definitions.find_in_restructured(text, code), limits
    )


def _find_literals(text: str) -> Iterator[tuple[int, int]]:
    """Blocks indented below a paragraph that ends with two colons, or below a code directive."""
    reached = 0
    for opening in _LITERAL.finditer(text):
        if opening.start() < reached:
            continue
        position, start, end = opening.end() + 1, None, opening.end()
        while position < len(text):
            line_end = rewriting.find_line_end(text, position)
            line = text[position:line_end]
            if line.strip():
                if len(line) - len(line.lstrip()) <= len(opening["indent"]):
                    break
                start = position if start is None else start
                end = line_end
            position = line_end + 1
        reached = position
        if start is not None:
            yield start, end


def _find_headings(text: str, code: list[tuple[int, int]], limits: ParsingLimits) -> Iterator[Heading]:
    """The headings. Underline styles define the levels in the order in which they first appear."""
    styles: list[str] = []
    above: tuple[int, str] | None = None
    over = ""  # the line above the one above, if it is a rule
    found = 0
    for match in _LINE.finditer(text):
        line, offset = match[0], match.start()
        rule = _RULE.match(line)
        if rule and above and above[1].strip() and not _RULE.match(above[1]):
            title = above[1].strip()
            is_long = len(line.rstrip()) >= min(len(title), 40) and len(line.rstrip()) > 1
            if is_long and (over or not above[1][:1].isspace()) and not rewriting.is_inside(code, offset):
                style = f"{over[:1] == line[:1] and over[:1]}{line[0]}"
                if style not in styles:
                    styles.append(style)
                found += 1
                if found > limits.headings:
                    raise refusals.too_many("headings", limits.headings)
                yield Heading(above[0], min(9, styles.index(style) + 1), _clean_inline(title)[:_LONGEST_HEADING])
                above, over = None, ""
                continue
        over = above[1].strip() if above and _RULE.match(above[1]) else ""
        above = (offset, line)


def _clean_inline(text: str) -> str:
    if len(text) > _LONGEST_HEADING:
        return text
    for pattern, replacement in ((_ROLE, _label), (_LINK, _label), (_MARKS, r"\2")):
        text = pattern.sub(replacement, text)
    return text


def _label(found: re.Match[str]) -> str:
    return found[1].rstrip()
