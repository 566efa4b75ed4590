"""Split a passage into units that can be quoted: sentences, list items, table rows, code blocks."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from app import language

MAX_CHARACTERS = 500  # of a sentence; longer ones are lists or lack full stops, and are cut at a comma
MAX_CODE = 600  # characters of a code block worth quoting whole

_SPECIAL = re.compile(
    r"^[ \t]*(?P<fence>```|~~~)[^\n]*\n.*?(?:^[ \t]*(?P=fence)[ \t]*$|\Z)"
    r"|^[ \t]*(?P<row>\|[^\n]*)$|^[ \t]*#{1,6}[ \t]+(?P<heading>[^\n]*)$",
    re.MULTILINE | re.DOTALL,
)
_ITEM = re.compile(r"(?:[-*+•\u2013]\s+|\d{1,3}[.)]\s+)+")
_MARKS = re.compile(r"(?:[-*+•\u2013]\s+|\d{1,3}[.)]\s+|>\s?|#{1,6}\s+)+")
_RULE = re.compile(r"[ \t]*+\|?+[ \t]*+:?+-{2,}+:?+[ \t]*+(?:\|[ \t]*+:?+-*+:?+[ \t]*+)*+$")
_ANCHOR = re.compile(r"(?<!\s)\s*+(?:\{#[^{}]*+\}|(?<!#)#++\s*+$)")
_CLAUSE = re.compile(r"[^\n,;\uff0c\uff1b、]*[\n,;\uff0c\uff1b、]*")


@dataclass(frozen=True, slots=True)
class QuotableUnit:
    """Something that can be quoted: a sentence, list item, table row or code block. `before` introduces it."""

    text: str
    passage: int
    kind: Literal["TEXT", "ITEM", "ROW", "CODE"]
    heading: str = ""
    before: str = ""


def read_units(index: int, text: str) -> list[QuotableUnit]:
    """The quotable units of the passage at `index`, in order."""
    found: list[QuotableUnit] = []
    heading, columns, position, before = "", [""], 0, ""
    for match in _SPECIAL.finditer(text):
        new = list(_split_sentences(index, text, position, match.start(), heading))
        before = next((unit.text for unit in reversed(new) if unit.kind == "TEXT"), before)
        found += new
        position = match.end()
        if match["heading"] is not None:
            heading = _ANCHOR.sub("", match["heading"])
        elif match["row"] is None:
            found.append(QuotableUnit(match[0].strip("\n"), index, "CODE", heading, before))
        elif _RULE.match(text, match.end() + 1, _line_end(text, match.end() + 1)):
            columns = _split_cells(match["row"])
        elif not _RULE.match(match["row"]):
            found.append(
                QuotableUnit(_render_row(columns, _split_cells(match["row"])), index, "ROW", heading, " ".join(columns))
            )
    found += _split_sentences(index, text, position, len(text), heading)
    return [unit for unit in found if any(map(str.isalnum, unit.text))]


def _line_end(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text) if end < 0 else end


def _split_cells(row: str) -> list[str]:
    return [" ".join(cell.split()) for cell in row.strip().strip("|").split("|")]


def _render_row(columns: list[str], cells: list[str]) -> str:
    if len(columns) != len(cells):
        return " | ".join(filter(None, cells))
    named = zip(columns, cells, strict=True)
    return ", ".join(f"{column}: {cell}" if column else cell for column, cell in named if cell)


def _split_sentences(index: int, text: str, start: int, end: int, heading: str) -> Iterator[QuotableUnit]:
    before = ""
    for begin, stop in language.sentence_spans(text, start, end):
        raw = text[begin:stop]
        kind = "ITEM" if _ITEM.match(raw) else "TEXT"
        for piece in _split_long_sentence(_MARKS.sub("", raw, count=1) if _MARKS.match(raw) else raw):
            yield QuotableUnit(piece, index, kind, heading, before)
            if kind == "TEXT":
                before = piece


def _split_long_sentence(sentence: str) -> Iterator[str]:
    """The sentence on one line; a long one is cut into clauses, and long clauses at the limit."""
    if len(sentence) <= MAX_CHARACTERS:
        yield " ".join(sentence.split())
        return
    piece = ""
    for clause in _CLAUSE.findall(sentence):
        if len(piece) + len(clause) > MAX_CHARACTERS and piece.strip():
            yield " ".join(piece.split())
            piece = ""
        piece += clause
        while len(piece) > MAX_CHARACTERS:
            cut = piece.rfind(" ", MAX_CHARACTERS // 2, MAX_CHARACTERS)
            cut = MAX_CHARACTERS if cut < 0 else cut
            yield " ".join(piece[:cut].split())
            piece = piece[cut:]
    if piece.strip():
        yield " ".join(piece.split())


def drop_repetitions(found: list[QuotableUnit]) -> list[QuotableUnit]:
    """Drop repetitions, which overlapping chunks cause; the best-ranked passage keeps its sentence."""
    first: dict[str, QuotableUnit] = {}
    for unit in found:
        if unit.kind != "CODE" or len(unit.text) <= MAX_CODE:
            first.setdefault(" ".join(language.split_words(unit.text)), unit)
    return list(first.values())
