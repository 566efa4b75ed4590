"""Recognize texts about something else of the same kind: another day, or the height in place of the width. Pure."""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import TypeVar

from app.phrase_files import Pattern, read_phrases

Found = TypeVar("Found")

_PHRASES = read_phrases(__file__, "others.toml")
_MONTHS = {name: number for number, names in enumerate(_PHRASES.tables["months"], 1) for name in names.split()}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_NAMED_DAYS = [
    re.compile(rf"(?<!\d)(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)? (?:of )?(?P<month>{_MONTH})\b", re.IGNORECASE),
    re.compile(rf"\b(?P<month>{_MONTH})\.? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![\w:.]*\d)", re.IGNORECASE),
]
_WRITTEN_DAYS = [
    re.compile(r"(?<!\d)\d{4}-(?P<month>\d\d)-(?P<day>\d\d)(?!\d)"),
    re.compile(r"(?<![\d.])(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?:(?:19|20)?\d\d)?(?!\d)"),
    re.compile(r"(?P<month>\d{1,2})月(?P<day>\d{1,2})[日号]"),
]
_SPANS = _PHRASES.pattern("spans", re.IGNORECASE)
_LONG = "|".join(f"({each['long']})" for each in _PHRASES.tables["weekdays"])
_SHORT = "|".join(f"({each['short']})" for each in _PHRASES.tables["weekdays"])
_WEEKDAY = re.compile(rf"(?<![a-zäöü])(?:{_LONG})(?![a-zäöü])", re.IGNORECASE)
_SHORT_WEEKDAY = re.compile(rf"\b(?:{_SHORT})\b", re.IGNORECASE)
_SHORT_WEEKDAYS = re.compile(rf"\b(?:{_SHORT})\.?(?:\s?[-\u2013\u2014,/&+]\s?(?:{_SHORT})\b\.?)+", re.IGNORECASE)
_WEEK_SPAN, _MANY_DAYS = (_PHRASES.pattern(name, re.IGNORECASE) for name in ("week_span", "many_days"))
_DIMENSIONS = [
    (_PHRASES.any_of(each["asks"], re.IGNORECASE), _PHRASES.any_of(each["names"], re.IGNORECASE))
    for each in _PHRASES.tables["dimensions"]
]


def is_about_other_time(question: str, text: str) -> bool:
    """Whether `text` names days of the year or of the week, but none of the question, and no span that may have it."""
    return _names_others(_find_days(question), text, _find_days, _SPANS) or _names_others(
        _find_weekdays(question), text, _find_weekdays, _MANY_DAYS
    )


def _names_others(
    asked: frozenset[Found], text: str, find: Callable[[str], frozenset[Found]], several: Pattern
) -> bool:
    if not asked or several.search(text):
        return False
    named = find(text)
    return bool(named) and asked.isdisjoint(named)


def is_about_other_dimension(question: str, text: str) -> bool:
    """Whether `text` names the height, for example, but not the width that a question asks for."""
    asked = [names for asks, names in _DIMENSIONS if asks.search(question)]
    return (
        bool(asked)
        and not any(names.search(text) for names in asked)
        and any(names.search(text) for _, names in _DIMENSIONS)
    )


def _find_weekdays(text: str) -> frozenset[int]:
    """The days of the week in a text, with those between the first and the last of a span; Monday is 0."""
    found = [*_WEEKDAY.finditer(text)]
    for several in _SHORT_WEEKDAYS.finditer(text):
        found += _SHORT_WEEKDAY.finditer(text, several.start(), several.end())
    found.sort(key=re.Match[str].start)
    days = frozenset(_weekday_of(each) for each in found)
    for first, last in pairwise(found):
        if _WEEK_SPAN.fullmatch(text[first.end() : last.start()]):
            begin = _weekday_of(first)
            days |= {(begin + after) % 7 for after in range((_weekday_of(last) - begin) % 7)}
    return days


def _weekday_of(found: re.Match[str]) -> int:
    return (found.lastindex or 1) - 1


def _find_days(text: str) -> frozenset[tuple[int, int]]:
    """The months and days in a text, whatever year they are in."""
    named = [found for pattern in _NAMED_DAYS for found in pattern.finditer(text)]
    written = [found for pattern in _WRITTEN_DAYS for found in pattern.finditer(text)]
    return frozenset(
        [(_MONTHS[found["month"].lower()], int(found["day"])) for found in named]
        + [(int(found["month"]), int(found["day"])) for found in written]
    )
