"""Render the chosen units as the text of an answer, each quotation with its marker."""

import re
from collections.abc import Sequence

from app.phrase_files import read_phrases
from app.providers import base
from app.providers.embedded.extractive.units import MAX_CHARACTERS, MAX_CODE, QuotableUnit

MAX_ITEMS = 8  # of a list that is quoted after its introduction

_END = re.compile(r"""(?<![.!?…:。\uff01\uff1f\uff1a])[.!?…:。\uff01\uff1f\uff1a]++["'”»)\]」』\u2019\uff09]*+$""")
_OPEN_END = re.compile(r"(?<![\s,;\uff0c\uff1b、])[\s,;\uff0c\uff1b、]++$")
_COLON = re.compile(r"[:\uff1a]$")
_REFERS_BACK = read_phrases(__file__, "answer_kinds.toml").pattern("refers_back", re.IGNORECASE)


def render_quotations(
    chosen: list[QuotableUnit], every: list[QuotableUnit], passages: Sequence[base.PromptPassage]
) -> list[str]:
    """The quotations, best passage first, each in reading order and with the context a sentence needs."""
    shown: list[int] = []
    for unit in sorted(chosen, key=lambda unit: [other.passage for other in chosen].index(unit.passage)):
        at = next(index for index, other in enumerate(every) if other is unit)
        lead = at - 1
        introduced = at and every[lead].passage == unit.passage and every[lead].kind == "TEXT"
        needed = _COLON.search(every[lead].text) if unit.kind == "CODE" else _refers_back(unit)
        if introduced and needed:
            shown.append(lead)
        shown.append(at)
    parts: list[str] = []
    passage_order = list(dict.fromkeys(every[at].passage for at in shown))
    for at in sorted(set(shown), key=lambda at: (passage_order.index(every[at].passage), at)):
        number = passages[every[at].passage].number
        parts.append(_quote_unit(every[at], number) + _introduced_block(at, every, set(shown)))
    return parts


def _refers_back(unit: QuotableUnit) -> bool:
    return unit.kind == "TEXT" and bool(_REFERS_BACK.match(unit.text))


def _introduced_block(at: int, every: list[QuotableUnit], shown: set[int]) -> str:
    """The list or the short code block that a sentence with a colon at its end introduces."""
    unit = every[at]
    if unit.kind != "TEXT" or not _COLON.search(unit.text):
        return ""
    lines: list[str] = []
    for index, other in enumerate(every[at + 1 : at + 1 + MAX_ITEMS], start=at + 1):
        if index in shown or other.passage != unit.passage or other.heading != unit.heading:
            break
        if other.kind == "CODE" and not lines and len(other.text) <= MAX_CODE:
            return f"\n{_close_fence(other.text)}"
        if other.kind != "ITEM" or len(other.text) > MAX_CHARACTERS // 2:
            break
        lines.append(f"\n- {other.text}")
    return "".join(lines)


def _close_fence(code: str) -> str:
    fence = code.strip()[:3]
    return code if code.rstrip().endswith(f"\n{fence}") else f"{code}\n{fence}"


def _quote_unit(unit: QuotableUnit, number: int) -> str:
    """The unit's text with its marker before the final full stop, where models put it."""
    if unit.kind == "CODE":
        return f"{_close_fence(unit.text)}\n[{number}]"
    # An open backtick would turn the marker into code.
    text = unit.text if unit.text.count("`") % 2 == 0 else unit.text.replace("`", "")
    end = _END.search(text)
    if end is None:
        return f"{_OPEN_END.sub('', text)} [{number}]"
    return f"{text[: end.start()].rstrip()} [{number}]{end[0]}"


def join_quotations(parts: Sequence[str]) -> str:
    """Sentences in one paragraph; everything else on a line of its own."""
    text = ""
    for part in parts:
        flows = text and "\n" not in text[-200:] and "\n" not in part and _END.search(text) and _END.search(part)
        text += f"{'' if not text or (flows and text.endswith('。')) else ' ' if flows else chr(10)}{part}"
    return text
