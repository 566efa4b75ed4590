"""Split passages into quotable units: sentences, list items, table rows, code blocks."""

import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from app import language
from app.providers import base
from app.providers.embedded.extractive.cutting import split_long_sentence

MAX_CODE = 600  # the most characters of a code block that is quoted
_MAX_HEADING = 80  # the most characters of a line that counts as a heading

Kind = Literal["TEXT", "HEADING", "ITEM", "ROW", "CODE"]

_SPECIAL = re.compile(
    r"^[ \t]*(?P<fence>```|~~~)[^\n]*\n.*?(?:^[ \t]*(?P=fence)[ \t]*$|\Z)"
    r"|^[ \t]*(?P<row>\|[^\n]*)$|^[ \t]*(?P<level>#{1,6})[ \t]+(?P<heading>[^\n]*)$",
    re.MULTILINE | re.DOTALL,
)
_FENCES = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*$", re.MULTILINE)
_CLOSING_FENCE = re.compile(r"(?<=[^\n]\n)```[ \t]*(?=\n[ \t]*\n|\n?\Z)")
_HAN = "一二三四五六七八九十百"
_BULLET = (
    r"[-*+•\u2013]\s+|\d{1,3}[.)]\s+|[a-z]\)\s+|\d{1,3}、"
    rf"|[(\uff08][{_HAN}]{{1,4}}[)\uff09]\s*|[{_HAN}]{{1,4}}、|[\u2460-\u2473]\s*"
)
_ITEM = re.compile(f"(?:{_BULLET})+")
_PLAIN_BULLETS = " \t\n-*+•\u2013"
_MARKS = re.compile(rf"(?:{_BULLET}|>\s?|#{{1,6}}\s+|!!! ?\w+(?: \"\")?\s+(?!\"))+")
_RULE = re.compile(r"[ \t]*+\|?+[ \t]*+:?+-{2,}+:?+[ \t]*+(?:\|[ \t]*+:?+-*+:?+[ \t]*+)*+$")
_ANCHOR = re.compile(r"(?<!\s)\s*+(?:\{#[^{}]*+\}|(?<!#)#++\s*+$)")
# Markup without text of its own: pictures, link targets.
_NOTHING = re.compile(r"(?:\[[^\[\]\n]++\]:\s*+\S++|!\[[^\[\]\n]*+\]\([^()\n]*+\)(?:\{[^{}\n]*+\})?+|\s++)++")
_CELL = re.compile(r"(?:^|; )([^:;]{1,80}): (.+?)(?=; [^:;]{1,80}: |$)")
# A line that begins with a label: Weight: 3 kg.
_LABEL = re.compile(r"([^:\uff1a\n]{2,40})[:\uff1a]\s*\S")
_BLANK_LINE = re.compile(r"\n[ \t]*+\n")
_ENDS = tuple(".!?…。;,\uff01\uff1f\uff0c\uff1b")
_BEHIND_ENDS = "\"'”\u2019»)]」』*_`"
ASKS = re.compile(r"[?\uff1f][*_]*+$")
INTRODUCES = re.compile(r"[:\uff1a][*_]*+$")


@dataclass(frozen=True, slots=True)
class QuotableUnit:
    """A sentence, list item, table row or code block that can be quoted. `before` is the sentence before it.

    `introduction` is the line above the list, the table or the code that the unit belongs to; a heading is quoted only
    as one. `is_part`: the unit is a piece of a sentence that is too long to be quoted whole, or of code that began in
    the chunk before. `cells`: those of a row, each with the header of its column. `section`: the heading next above in
    the passage, of a heading the one that it stands under. `label`: the number or letter of a list item, such as `1.`
    or `a)`.
    """

    text: str
    passage: int
    kind: Kind
    heading: str = ""
    before: str = ""
    introduction: "QuotableUnit | None" = field(default=None, compare=False, repr=False)
    is_part: bool = field(default=False, compare=False)
    cells: tuple[tuple[str, str], ...] = field(default=(), compare=False, repr=False)
    section: "QuotableUnit | None" = field(default=None, compare=False, repr=False)
    label: str = field(default="", compare=False)


def read_all_units(passages: Sequence[base.PromptPassage]) -> list[QuotableUnit]:
    """The units of all passages; a list that continues in the next chunk of its document keeps its introduction."""
    read: dict[int, list[QuotableUnit]] = {}
    index_by_number = {passage.number: index for index, passage in enumerate(passages)}

    def read_passage(index: int, depth: int = 0) -> list[QuotableUnit]:
        if index not in read:
            before = index_by_number.get(passages[index].continues or -1)
            earlier = read_passage(before, depth + 1) if before is not None and depth < len(passages) else []
            passage = passages[index]
            read[index] = read_units(index, passage.text, earlier[-1] if earlier else None, passage.headings)
        return read[index]

    return [unit for index in range(len(passages)) for unit in read_passage(index)]


def read_units(
    index: int, text: str, last: QuotableUnit | None = None, headings: Sequence[str] = ()
) -> list[QuotableUnit]:
    """The quotable units of the passage at `index`, in order; `last` is the unit that it follows in its document.

    `headings` are those of the passage. A slide's title or a sheet's name is a heading in the text without a mark.
    """
    reader = _UnitReader(index, text, last, headings)
    return [unit for unit in reader.read() if _says_something(unit.text)]


class _UnitReader:
    """Reads the units of one passage, and knows what was read last."""

    def __init__(self, index: int, text: str, last: QuotableUnit | None, headings: Sequence[str]) -> None:
        self._index, self._text, self._last = index, text, last
        self._unmarked_headings = frozenset(headings)
        self._heading, self._before = "", ""
        self._sections: list[tuple[int, QuotableUnit]] = []
        self._columns = [""]
        self._in_list = last is not None and last.kind == "ITEM"
        self._introduction = last.introduction if last is not None and self._in_list else None

    def read(self) -> Iterator[QuotableUnit]:
        position = yield from self._read_rest_of_code()
        for match in _SPECIAL.finditer(self._text, position):
            yield from self._read_sentences(position, match.start())
            position = match.end()
            if match["heading"] is not None:
                yield self._read_heading(_ANCHOR.sub("", match["heading"]), len(match["level"]))
            elif match["row"] is None:
                yield self._add(match[0].strip("\n"), "CODE", self._introduction_above())
            elif _RULE.match(self._text, match.end() + 1, self._line_end(match.end() + 1)):
                self._columns = _split_cells(match["row"])
            elif not _RULE.match(match["row"]):
                yield self._read_row(match["row"])
        yield from self._read_sentences(position, len(self._text))

    def _read_rest_of_code(self) -> Generator[QuotableUnit, None, int]:
        """The rest of a code block in which the passage begins, and the offset of its closing fence."""
        first = _CLOSING_FENCE.search(self._text)
        if first is None or first.start() != self._text.find("```") or len(_FENCES.findall(self._text)) % 2 == 0:
            return 0
        yield self._add(f"```\n{self._text[: first.start()].strip()}\n```", "CODE", is_part=True)
        return first.end()

    def _add(
        self,
        text: str,
        kind: Kind,
        introduction: QuotableUnit | None = None,
        *,
        is_part: bool = False,
        label: str = "",
    ) -> QuotableUnit:
        section = self._sections[-1][1] if self._sections else None
        unit = QuotableUnit(
            text, self._index, kind, self._heading, self._before, introduction, is_part, section=section, label=label
        )
        self._last = unit
        return unit

    def _read_heading(self, heading: str, level: int) -> QuotableUnit:
        self._heading, self._before, self._in_list = heading, "", False
        self._sections = [(other, unit) for other, unit in self._sections if other < level]
        unit = self._add(heading, "HEADING")
        self._sections.append((level, unit))
        return unit

    def _read_row(self, row: str) -> QuotableUnit:
        last, self._in_list = self._last, False
        introduction = last.introduction if last is not None and last.kind == "ROW" else self._introduction_above()
        self._before = " ".join(self._columns)
        text, cells = _read_cells(self._columns, _split_cells(row))
        self._last = replace(self._add(text, "ROW", introduction), cells=cells)
        return self._last

    def _read_sentences(self, start: int, end: int) -> Iterator[QuotableUnit]:
        self._before, stopped = "", start
        for begin, stop in language.sentence_spans(self._text, start, end):
            raw = self._text[begin:stop]
            if raw in self._unmarked_headings and self._stands_alone(begin, stop):
                yield self._read_heading(raw, 1)
                continue
            bullets = _ITEM.match(raw)
            item, label = bullets is not None, bullets[0].strip(_PLAIN_BULLETS) if bullets else ""
            if not item and (not self._in_list or self._begins_paragraph(stopped, begin)):
                self._in_list, self._introduction = False, None
            elif item and not self._in_list:
                self._in_list, self._introduction = True, self._introduction_above(is_list=True)
            stopped = stop
            pieces = list(split_long_sentence(_MARKS.sub("", raw, count=1) if _MARKS.match(raw) else raw))
            for at, piece in enumerate(pieces):
                unit = self._add(
                    piece,
                    "ITEM" if item else "TEXT",
                    self._introduction,
                    is_part=len(pieces) > 1,
                    label="" if at else label,
                )
                yield unit
                if not item:
                    self._note_sentence(unit, begin, stop)

    def _note_sentence(self, unit: QuotableUnit, begin: int, stop: int) -> None:
        """Remember a sentence as the one before the next, and a separate line as the heading of what follows."""
        self._before = unit.text
        gap = "\n" if unit.text.isupper() else "\n\n"  # a line in capitals may head the lines directly below it
        asks = ASKS.search(unit.text) is not None
        if (
            self._stands_alone(begin, stop, gap)
            and len(unit.text) <= _MAX_HEADING
            and (asks or not _ends(unit.text))
            and not INTRODUCES.search(unit.text)
        ):
            self._heading = unit.text

    def _stands_alone(self, begin: int, stop: int, gap: str = "\n\n") -> bool:
        above = begin == 0 or self._text.endswith(gap, 0, begin)
        return above and (stop == len(self._text) or self._text.startswith(gap, stop))

    def _introduction_above(self, *, is_list: bool = False) -> QuotableUnit | None:
        """The last unit, if it introduces the next one: with a colon, or for a list also without a final mark."""
        last = self._last
        if last is None or last.kind not in ("TEXT", "HEADING") or last.is_part or not _says_something(last.text):
            return None
        return last if INTRODUCES.search(last.text) or (is_list and not _ends(last.text)) else None

    def _begins_paragraph(self, stopped: int, begin: int) -> bool:
        """Whether a sentence follows a blank line, and is not indented like part of a list item."""
        at_margin = begin == 0 or self._text[begin - 1] == "\n"
        return at_margin and _BLANK_LINE.search(self._text, stopped, begin) is not None

    def _line_end(self, position: int) -> int:
        end = self._text.find("\n", position)
        return len(self._text) if end < 0 else end


def _says_something(text: str) -> bool:
    return any(map(str.isalnum, text)) and not _NOTHING.fullmatch(text)


def _ends(text: str) -> bool:
    """Whether a text ends like a sentence or a clause."""
    return text.rstrip(_BEHIND_ENDS).endswith(_ENDS)


def _split_cells(row: str) -> list[str]:
    return [" ".join(cell.split()) for cell in row.strip().strip("|").split("|")]


def _read_cells(columns: list[str], cells: list[str]) -> tuple[str, tuple[tuple[str, str], ...]]:
    """A row as it is quoted, and its cells with their headers, which parsed documents repeat in each row."""
    if len(columns) != len(cells):
        return " | ".join(filter(None, cells)), ()
    named = [(column, cell) for column, cell in zip(columns, cells, strict=True) if cell]
    text = ", ".join(f"{column}: {cell}" if column else cell for column, cell in named)
    return text, tuple(named) if columns != [""] else tuple(_CELL.findall(text))


def find_label(unit: QuotableUnit) -> str:
    """The label of a table row or a line with a value; "" for a sentence."""
    if len(unit.cells) > 1:
        return unit.cells[0][1]
    found = _LABEL.match(unit.text)
    return found[1] if found else ""


def drop_repetitions(found: list[QuotableUnit]) -> list[QuotableUnit]:
    """Drop repetitions caused by overlapping chunks; the best-ranked passage keeps its sentence."""
    first: dict[str, QuotableUnit] = {}
    for unit in found:
        if unit.kind != "HEADING" and (unit.kind != "CODE" or len(unit.text) <= MAX_CODE):
            first.setdefault(" ".join(language.split_words(unit.text)), unit)
    return list(first.values())
