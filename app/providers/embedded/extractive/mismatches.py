"""Detect texts about another time, dimension or thing than the question: another day, height for width. Pure."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from app import language, question_language
from app.phrase_files import Pattern, read_phrases

Found = TypeVar("Found")

_PHRASES = read_phrases(__file__, "mismatches.toml")
_SPANS, _WEEK_SPAN, _MANY_DAYS, _LENGTH, _ASKS_PRICE_OF, _HAS_PRICE_OF, _ASKS_AGE_OF, _HAS_AGE_OF = (
    _PHRASES.pattern(name, re.IGNORECASE)
    for name in (
        "spans",
        "week_span",
        "many_days",
        "length",
        "asks_price_of",
        "has_price_of",
        "asks_age_of",
        "has_age_of",
    )
)
_MONTHS = {name: number for number, names in enumerate(_PHRASES.tables["months"], 1) for name in names.split()}
_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})"
_DAY = r"(?:[12]\d|3[01]|0?[1-9])"
# A second day that shares the month of the first: 12 and 13 July, 12./13. Juli, July 3rd and 4th.
_AND = rf"(?:st|nd|rd|th|\.)?(?: ?(?:and|or|und|oder|[,/&+]) ?(?P<second>{_DAY}))?"
_DAYS = [
    re.compile(rf"(?<![\d.:])(?P<day>{_DAY}){_AND}(?:st|nd|rd|th|\.)? ?(?:of )?{_MONTH}\b"),
    re.compile(rf"\b{_MONTH}\.? (?P<day>{_DAY}){_AND}(?:st|nd|rd|th)?(?![\w:.]*\d)"),
]
_NUMBERED_DAYS = [
    re.compile(rf"(?<!\d)\d{{4}}-(?P<month>0[1-9]|1[0-2])-(?P<day>{_DAY})(?!\d)"),
    re.compile(rf"(?<![\d.])(?P<day>{_DAY})\.(?P<month>0?[1-9]|1[0-2])\.(?:19|20)?\d\d(?!\d)"),
    re.compile(rf"\b(?:am|den|zum) (?P<day>{_DAY})\.(?P<month>0?[1-9]|1[0-2])\.(?!\d)"),
    re.compile(r"(?<!\d)(?P<month>\d{1,2})月(?P<day>\d{1,2})[日号]"),
]
_LONG = "|".join(f"({each['long']})" for each in _PHRASES.tables["weekdays"])
_SHORT = "|".join(f"({each['short']})" for each in _PHRASES.tables["weekdays"])
_WEEKDAY = re.compile(rf"(?<![a-zäöü])(?:{_LONG})(?![a-zäöü])", re.IGNORECASE)
_SHORT_WEEKDAY = re.compile(rf"\b(?:{_SHORT})\b")
_SHORT_WEEKDAYS = re.compile(rf"\b(?:{_SHORT})\.?(?:\s?[-\u2013\u2014,/&+]\s?(?:{_SHORT})\b\.?)+")
_MONEY = read_phrases(__file__, "answer_kinds.toml").pattern("money", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[.,;:!?](?=\s)")
_PRONOUNS = _PHRASES.words("pronouns")
_STEM = 4  # the first letters that forms and compounds of a word share
_OPPOSITES = [
    tuple(_PHRASES.any_of(each[side], re.IGNORECASE) for side in ("one", "other"))
    for each in _PHRASES.tables["opposites"]
]
_DIMENSIONS = [
    (
        _PHRASES.any_of(each["asks"], re.IGNORECASE),
        _PHRASES.any_of(each["names"], re.IGNORECASE),
        bool(each.get("unnamed", True)),
    )
    for each in _PHRASES.tables["dimensions"]
]
_ATTRIBUTES = [
    *((asks, names) for asks, names, _ in _DIMENSIONS),
    *(
        (_PHRASES.any_of(each["asks"], re.IGNORECASE), _PHRASES.any_of(each["names"], re.IGNORECASE))
        for each in _PHRASES.tables["attributes"]
    ),
]

_SIBLINGS = read_phrases(__file__, "siblings.toml")
_ASKS_PRICE, _AGES = (_SIBLINGS.pattern(name, re.IGNORECASE) for name in ("asks_price", "ages"))
_ORDINARY = _SIBLINGS.words("ordinary")
_WORD = re.compile(r"\w+")
_WITHOUT_SPACES = "zh"
_LEAST_FORM, _LEAST_FORM_CJK, _ENDING = 4, 2, 2  # letters by which a text has a word in a form or a compound
_MOST_WORDS = 20  # in a question: a longer one tells a story


@dataclass(frozen=True, slots=True)
class _Siblings:
    """Things of one kind in one language, each with its words."""

    members: tuple[frozenset[str], ...]
    is_priced: bool


_KINDS: dict[str, list[_Siblings]] = {}
for _each in _SIBLINGS.tables["groups"]:
    for _name in _each.keys() - {"priced"}:
        _members = tuple(frozenset(words.split()) for words in _each[_name])
        _KINDS.setdefault(_name, []).append(_Siblings(_members, _each.get("priced", False)))


def is_about_other(question: str, best: str, with_next: str, quoted: str, around: str) -> bool:
    """Whether a quotation is about another time or dimension, the other one of two, or something else's price or age.

    `quoted` is the whole quotation; `with_next` is the best unit with what follows it, `around` with what is above it.
    """
    return (
        is_about_other_time(question, quoted)
        or is_about_other_dimension(question, with_next)
        or is_about_opposite(question, around)
        or is_price_of_other(question, best)
        or is_age_of_other(question, best)
    )


def is_about_other_time(question: str, text: str) -> bool:
    """Whether `text` names dates or weekdays, but none of the question's, and no span that may include them."""
    return _names_others(_find_days(question), text, _find_days, _SPANS) or _names_others(
        _find_weekdays(question), text, _find_weekdays, _MANY_DAYS
    )


def find_dimension(question: str) -> Pattern | None:
    """A pattern for the dimension that a question asks for: width, for how wide something is."""
    return next((names for asks, names, _ in _DIMENSIONS if asks.search(question)), None)


def find_attribute(question: str) -> Pattern | None:
    """A pattern for labels of the attribute that a question asks for: weight, for how heavy something is."""
    return next((names for asks, names in _ATTRIBUTES if asks.search(question)), None)


def is_other_attribute(question: str, label: str) -> bool:
    """Whether a label names another attribute than the question asks for: the price for the weight."""
    asked = [names for asks, names in _ATTRIBUTES if asks.search(question)]
    if not asked or any(names.search(label) for names in asked):
        return False
    return any(names.search(label) for _, names in _ATTRIBUTES)


def is_about_other_dimension(question: str, text: str) -> bool:
    """Whether each length in `text` is a height, for example, but the question asks for the width."""
    asked = [(names, unnamed) for asks, names, unnamed in _DIMENSIONS if asks.search(question)]
    lengths = sum(1 for _ in _LENGTH.finditer(text))
    if not asked or not lengths or any(names.search(text) for names, _ in asked):
        return False
    others = sum(1 for _, names, _ in _DIMENSIONS for _ in names.finditer(text))
    return lengths <= others or not any(unnamed for _, unnamed in asked)


def is_about_opposite(question: str, text: str) -> bool:
    """Whether `text` is about the opposite, for example the new one of two when the question asks about the old one."""
    return any(
        one.search(question) and not other.search(question) and other.search(text) and not one.search(text)
        for pair in _OPPOSITES
        for one, other in (pair, pair[::-1])
    )


def is_price_of_other(question: str, text: str) -> bool:
    """Whether `text` gives the price of another thing, and none in a clause about the thing in question."""
    asked, priced = _ASKS_PRICE_OF.search(question), _HAS_PRICE_OF.search(text)
    if asked is None or priced is None or priced[1].lower() in _PRONOUNS:
        return False
    words = language.split_words(asked[asked.lastindex or 0])
    about = [clause for clause in _CLAUSE_END.split(text) if _has_word_like(words, clause)]
    return not any(_MONEY.search(clause) for clause in about)


def is_age_of_other(question: str, text: str) -> bool:
    """Whether `text` begins with another person's age, and names the person in question only after it."""
    asked, aged = _ASKS_AGE_OF.search(question), _HAS_AGE_OF.search(text)
    if asked is None or aged is None:
        return False
    return set(language.split_words(asked[1])).isdisjoint(language.split_words(aged[0]))


def is_about_sibling(question: str, text: str, around: str) -> bool:
    """Whether a text is about another thing of the same kind, and the thing in question is not mentioned `around` it.

    A price for nobody in particular counts as another thing if the question asks for the price for children.
    """
    name = question_language.guess_language(question)
    words, text_words = _between_spaces(question), _between_spaces(text)
    if len(words.split()) > _MOST_WORDS:
        return False
    for kind in _KINDS.get(name, ()):
        asked = [member for member in kind.members if _has_any(member, words, name)]
        if not asked or any(_has_form(member, f"{text}\n{around}".lower(), name) for member in asked):
            continue
        if any(_has_any(member, text_words, name) for member in kind.members):
            return True
        is_special = kind.is_priced and all(_ORDINARY.isdisjoint(member) for member in asked)
        if is_special and _ASKS_PRICE.search(question) and not _AGES.search(text):
            return True
    return False


def _between_spaces(text: str) -> str:
    """The words of a text in lower case, each with one space before and after it."""
    return f" {' '.join(_WORD.findall(text.lower()))} "


def _has_any(member: frozenset[str], text: str, name: str) -> bool:
    return any((word if name == _WITHOUT_SPACES else f" {word.replace('-', ' ')} ") in text for word in member)


def _has_form(member: frozenset[str], text: str, name: str) -> bool:
    least = _LEAST_FORM_CJK if name == _WITHOUT_SPACES else _LEAST_FORM
    return any(word[: max(least, len(word) - _ENDING)] in text for word in member)


def _has_word_like(words: Sequence[str], text: str) -> bool:
    """Whether a text has one of the words in some form, or as part of a compound: Fahrt, Klassenfahrt."""
    known = [word for word in language.split_words(text) if word not in language.STOP_WORDS]
    return any(
        one[:_STEM] == other[:_STEM] or one.endswith(other[-_STEM:]) or other.endswith(one[-_STEM:])
        for one in words
        for other in known
    )


def _names_others(
    asked: frozenset[Found], text: str, find: Callable[[str], frozenset[Found]], several: Pattern
) -> bool:
    if not asked or several.search(text):
        return False
    named = find(text)
    return bool(named) and asked.isdisjoint(named)


def _find_days(text: str) -> frozenset[tuple[int, int]]:
    """The months and days in a text, in any year."""
    return frozenset(_read_days(text))


def _read_days(text: str) -> Iterator[tuple[int, int]]:
    for found in (found for pattern in _DAYS for found in pattern.finditer(text)):
        for day in filter(None, (found["day"], found["second"])):
            yield _MONTHS[found["month"]], int(day)
    for found in (found for pattern in _NUMBERED_DAYS for found in pattern.finditer(text)):
        yield int(found["month"]), int(found["day"])


def _find_weekdays(text: str) -> frozenset[int]:
    """The weekdays in a text, including those within spans; Monday is 0."""
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
