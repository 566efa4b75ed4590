"""Render the chosen units as the text of an answer, each quotation with its marker."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from app import language
from app.providers import base
from app.providers.embedded.extractive.antecedents import AntecedentFinder
from app.providers.embedded.extractive.lists import Blocks
from app.providers.embedded.extractive.units import QuotableUnit

MAX_SENTENCES = 5  # sentences of an answer; a list with its introduction counts as one
MAX_ROWS = 12  # table rows of an answer that consists of rows
_WORDS_ALONE = 5  # an item with this many words is clear without its introduction
_SHORT_LIST = 400  # a list of at most this many characters is quoted whole if one of its items is chosen
OMITTED, OMITTED_ROWS = "- …", "…"
_GAP = "\n\n"

# A number that Markdown reads as that of a list item.
_NUMBER = re.compile(r"(\d{1,3})[.)]")

_SIGNS = f".!?…:\uff1a{language.FULL_STOPS}"
_END = re.compile(rf"""(?<![{_SIGNS}])[{_SIGNS}]++["'”»)\]」』*_\u2019\uff09]*+$""")
_EMPHASIS, _QUOTES = "*_", "\"'"
_OPEN_END = re.compile(r"(?<![\s,;\uff0c\uff1b、])[\s,;\uff0c\uff1b、]++$")


@dataclass(frozen=True, slots=True)
class Quotation:
    """A quoted unit, the quoted lines below it, and whether lines before or after them are omitted.

    `is_best`: the unit that answers best, or its antecedent.
    """

    at: int
    unit: QuotableUnit
    lines: tuple[QuotableUnit, ...] = ()
    code: QuotableUnit | None = None
    omits_before: bool = False
    omits_after: bool = False
    is_best: bool = False


def render_quotations(
    chosen: Sequence[QuotableUnit],
    headings: Mapping[int, QuotableUnit | None],
    antecedents: AntecedentFinder,
    blocks: Blocks,
    passages: Sequence[base.PromptPassage],
    *,
    best_first: bool,
    wants_list: bool,
) -> list[str]:
    """Render the quotations, best passage first, in reading order and with the context that they need.

    `headings`: the heading that each chosen unit is quoted under, if it needs one, by the unit's id.
    `best_first`: the best unit leads. `wants_list`: a list is quoted as a whole, not only the chosen items.
    """
    planned = _plan_quotations(chosen, headings, antecedents, blocks, wants_list=wants_list)
    order = list(dict.fromkeys(quotation.unit.passage for quotation in planned))
    planned.sort(key=lambda each: (not (best_first and each.is_best), order.index(each.unit.passage), each.at))
    quotations = [_quote(quotation, passages) for quotation in planned]
    return [*quotations, OMITTED_ROWS] if _are_rows(chosen) and len(chosen) > MAX_ROWS else quotations


def _are_rows(units: Sequence[QuotableUnit]) -> bool:
    return all(unit.kind == "ROW" for unit in units)


def _plan_quotations(
    chosen: Sequence[QuotableUnit],
    headings: Mapping[int, QuotableUnit | None],
    antecedents: AntecedentFinder,
    blocks: Blocks,
    *,
    wants_list: bool,
) -> list[Quotation]:
    """The quotations, best first; a unit below another quoted unit is quoted there."""
    planned: dict[int, Quotation] = {}
    quoted: set[int] = set()
    limit = MAX_ROWS if _are_rows(chosen) else MAX_SENTENCES
    for unit in chosen:
        if len(planned) >= limit or id(unit) in quoted:
            continue
        heading = headings[id(unit)]
        introduction = heading or _needed_introduction(unit, wants_list=wants_list)
        head = introduction or unit
        best = not planned
        quotation = Quotation(antecedents.place(head), head, is_best=best)
        if heading is not None:
            quotation = _with_line(planned.get(quotation.at, quotation), unit)
        elif introduction is not None:
            quotation = _with_list(planned.get(quotation.at, quotation), unit, blocks, wants_list=wants_list)
        elif blocks.is_introduction(unit):
            lines, complete = blocks.lines_below(unit)
            quotation = replace(quotation, lines=tuple(lines), code=blocks.code_below(unit), omits_after=not complete)
        planned[quotation.at] = quotation
        quoted.update(map(id, (quotation.unit, *quotation.lines)))
        before = antecedents.find_antecedent(unit) if introduction is None else None
        if before is not None and id(before) not in quoted and len(planned) < limit:
            planned[antecedents.place(before)] = Quotation(antecedents.place(before), before, is_best=best)
            quoted.add(id(before))
    return [
        quotation
        for quotation in planned.values()
        if not any(quotation.unit is line for other in planned.values() for line in other.lines)
    ]


def _needed_introduction(unit: QuotableUnit, *, wants_list: bool) -> QuotableUnit | None:
    """The introduction of a unit that says too little without it."""
    if unit.introduction is None or unit.is_part or unit.kind not in ("ITEM", "CODE"):
        return None
    alone = unit.kind == "ITEM" and len(unit.text.split()) >= _WORDS_ALONE and not wants_list
    return None if alone else unit.introduction


def _with_list(quotation: Quotation, unit: QuotableUnit, blocks: Blocks, *, wants_list: bool) -> Quotation:
    """Add the whole list to an introduction if it is short or requested, otherwise one more item."""
    if unit.kind == "CODE":
        return replace(quotation, code=blocks.code_below(quotation.unit))
    lines, complete = blocks.lines_below(quotation.unit)
    whole = any(line is unit for line in lines) and (
        wants_list or (complete and sum(len(line.text) for line in lines) <= _SHORT_LIST)
    )
    if whole:
        return replace(quotation, lines=tuple(lines), omits_after=not complete)
    return _with_line(quotation, unit)


def _with_line(quotation: Quotation, unit: QuotableUnit) -> Quotation:
    """Add one more of the lines below to a quotation."""
    return replace(quotation, lines=(*quotation.lines, unit), omits_before=True)


def _quote(quotation: Quotation, passages: Sequence[base.PromptPassage]) -> str:
    number = passages[quotation.unit.passage].number
    lines = [line.text for line in quotation.lines]
    # The introduction's marker also covers the following lines of the same passage.
    if quotation.lines and (below := passages[quotation.lines[-1].passage].number) != number:
        lines[-1] = _mark(lines[-1], below)
    items = list(_as_items(quotation, lines))
    # Markdown treats a list that does not begin with 1 as part of the paragraph above it.
    gap = [""] if items and (first := _NUMBER.match(items[0])) and first[1] != "1" else []
    code = [_close_fence(quotation.code.text)] if quotation.code else []
    return "\n".join([_quote_unit(quotation.unit, number), *gap, *items, *code])


def _as_items(quotation: Quotation, texts: Sequence[str]) -> Iterator[str]:
    """The lines as items of Markdown lists, with their numbers from the document.

    Markdown numbers items consecutively, so a gap between two numbers starts a new list.
    """
    if quotation.omits_before:
        yield OMITTED
    last: int | None = None
    for line, text in zip(quotation.lines, texts, strict=True):
        label = _NUMBER.fullmatch(line.label)
        if label and last is not None and int(label[1]) != last + 1:
            yield OMITTED
        last = int(label[1]) if label else None
        yield f"{'' if label else '- '}{line.label}{' ' if line.label.isascii() and line.label else ''}{text}"
    if quotation.omits_after:
        yield OMITTED


def _close_fence(code: str) -> str:
    fence = code.strip()[:3]
    return code if code.rstrip().endswith(f"\n{fence}") else f"{code}\n{fence}"


def _quote_unit(unit: QuotableUnit, number: int) -> str:
    return f"{_close_fence(unit.text)}\n[{number}]" if unit.kind == "CODE" else _mark(unit.text, number)


def _mark(text: str, number: int) -> str:
    """A text with its marker before the final full stop, as models write it."""
    # An open backtick would turn the marker into code.
    text = text if text.count("`") % 2 == 0 else text.replace("`", "")
    end = _END.search(text)
    if end is None or _ends_in_value(text, end):
        return f"{_OPEN_END.sub('', text)} [{number}]"
    return f"{text[: end.start()].rstrip()} [{number}]{end[0]}"


def _ends_in_value(text: str, end: re.Match[str]) -> bool:
    """Whether the apparent end of a sentence is part of a value: 1.4.*, '...'."""
    last = end[0][-1]
    return (last in _EMPHASIS and text.count(last) % 2 == 1) or (last in _QUOTES and text[: end.start()].endswith(last))


def join_quotations(parts: Sequence[str]) -> str:
    """Join sentences into one paragraph, and put anything else in its own: Markdown joins lines without a gap."""
    text, last = "", ""
    for part in parts:
        flows = last and "\n" not in last + part and _END.search(last) and _END.search(part)
        text += f"{'' if not text or (flows and last.endswith('。')) else ' ' if flows else _GAP}{part}"
        last = part
    return text
