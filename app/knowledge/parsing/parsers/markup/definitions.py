"""Find terms and their definitions in marked-up text, to write them on one line: "Term: definition"."""

import re
from collections.abc import Callable, Iterator, Sequence

from app.knowledge.parsing.parsers.markup.rewriting import Replacement, is_inside

_MARKDOWN = re.compile(
    r"^(?! {0,3}(?:[-*+>|#:<]\s|\d{1,9}[.)]\s|\||#|```|~~~|-{3}|<!--))(?P<term> {0,3}\S[^\n]{0,200})\n"
    r"(?:[ \t]*\n)? {0,3}:[ \t]+(?=\S)",
    re.MULTILINE,
)
_ASCIIDOC = re.compile(
    r"^(?![ \t]*+(?:[=|*./:\[+-]|//))[ \t]*+(?P<term>\S[^\n]{0,200}?)(?:::|:::|::::|;;)"
    r"(?:[ \t]++|[ \t]*+\n\n?[ \t]*+(?![*.+|=\[:-]|[^\n]{1,200}?(?:::|;;)(?:\s|$)))(?=\S)",
    re.MULTILINE,
)
_RESTRUCTURED = re.compile(
    r"^(?P<indent> *)(?!\.\.|[-*+:|>=~^\"'#_]|\(?(?:\d{1,3}|\w)[.)]\s|\[)(?P<term>\S[^\n]{0,100})\n"
    r"(?P=indent)[ \t]+(?!\.\.|[-*+:|]\s|:\w)(?=\S)",
    re.MULTILINE,
)
_INDENTED_ABOVE = re.compile(r"(?:^|\n)[ \t][^\n]*\n\Z")
_LONGEST_LINE = 500


def find_in_markdown(
    text: str, start: int, code: Sequence[tuple[int, int]], clean_term: Callable[[str], str]
) -> Iterator[Replacement]:
    """Find terms on a line, with a colon and the definition below."""
    for found in _MARKDOWN.finditer(text, start):
        if not is_inside(code, found.start()):
            yield _join(found, found.start("term"), clean_term(found["term"].strip()))


def find_in_asciidoc(text: str, code: Sequence[tuple[int, int]]) -> Iterator[Replacement]:
    """Find terms followed by two or more colons, with the definition there or on the next line."""
    for found in _ASCIIDOC.finditer(text):
        if not is_inside(code, found.start()):
            yield _join(found, found.start("term"), found["term"])


def find_in_restructured(text: str, code: Sequence[tuple[int, int]]) -> Iterator[Replacement]:
    """Find terms on a line of their own, with the indented definition directly below."""
    for found in _RESTRUCTURED.finditer(text):
        before = text[max(0, found.start() - _LONGEST_LINE) : found.start()]
        is_first = not before or before.endswith("\n\n") or before.isspace() or before.rstrip(" \t").endswith("\n\n")
        if found["term"].endswith("::") or is_inside(code, found.start()) or is_inside(code, found.end()):
            continue
        if is_first or (not found["indent"] and _INDENTED_ABOVE.search(before)):
            yield _join(found, found.start("term"), found["term"])


def _join(found: re.Match[str], start: int, term: str) -> Replacement:
    return Replacement(start, found.end(), f"{term.rstrip(' :')}: ")
