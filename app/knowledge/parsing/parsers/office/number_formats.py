"""Write numbers as spreadsheet formats show them: as percentages, with a currency, with leading zeros. Pure.

All digits are kept, even if a format shows fewer.
"""

import re
import unicodedata
from dataclasses import dataclass, field, replace
from decimal import Decimal

_LONGEST_CODE = 255  # Excel's limit
_LONGEST_TEXT = 30
_TOKEN = re.compile(
    r"""
    "(?P<quoted>[^"]*)" | \\(?P<escaped>.) | \[\$(?P<currency>[^\]\[-]*+)[^\]\[]*+\] | \[(?P<bracket>[^\]\[]*+)\]
    | (?P<space>[_*].) | (?P<number>General|(?<![.,])[.,]*+[0#?][0#?.,]*+) | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_DATE_LETTERS = frozenset("dmyhsapegb")  # for days, months, years, eras, hours, minutes, seconds, AM and PM
_DAY_LETTERS = frozenset("dy")  # m may be minutes
_SIGNS = frozenset("-+()")
_GROUPS = re.compile(r"[\s\u2019'.,]*")  # separators between groups of digits
_SHOWN = re.compile(r"([^\d]*)(\d(?:[\d\s\u2019'.,]*\d)?)([^\d]*)")
_POINT = re.compile(r"[.,]")
_GROUP_SPACE = re.compile(r"[\s\u2019']+")
_SHORTEST_EXPONENT, _LONGEST_INTEGER = -9, 21  # powers of ten beyond which spreadsheets show exponents
_EXACT = 1e16  # integers below it have all their digits


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """What a format shows in addition to a number's digits.

    `zeros` is the least number of digits before the decimal point; `decimals`: least number of digits after the
    point, if there is one. `is_duration`: the cell holds a duration in the form of ISO 8601.
    """

    before: str = ""
    after: str = ""
    is_percentage: bool = False
    zeros: int = 0
    decimals: int = 0
    is_duration: bool = False

    def write_number(self, value: float) -> str:
        """A number as it is displayed."""
        digits = write_digits(value * 100 if self.is_percentage else value)
        sign = "-" if digits.startswith("-") else ""
        whole, point, decimals = digits.removeprefix("-").partition(".")
        decimals = decimals.ljust(self.decimals if point else 0, "0")
        mark = "%" if self.is_percentage else ""
        return f"{sign}{self.before}{whole.zfill(self.zeros)}{point}{decimals}{mark}{self.after}"


GENERAL = NumberFormat()
PERCENTAGE = NumberFormat(is_percentage=True)
DURATION = NumberFormat(is_duration=True)


@dataclass(slots=True)
class _FormatSection:
    """A section of a format, for example for positive numbers."""

    texts: list[str] = field(default_factory=lambda: ["", ""])  # before and after the digits
    between: str = ""
    number: str = ""
    letters: str = ""  # outside of quotes and brackets
    is_percentage: bool = False
    is_odd: bool = False  # a date, a fraction, a mask, or a condition


def write_digits(value: float) -> str:
    """A number with 15 digits, or all of them if it is an integer; without an exponent unless it is huge or tiny."""
    if isinstance(value, int) or (value.is_integer() and abs(value) < _EXACT):
        return str(int(value))
    text = format(value, ".15g")
    exponent = int(text.partition("e")[2] or 0)
    return format(Decimal(text), "f") if exponent and _SHORTEST_EXPONENT <= exponent < _LONGEST_INTEGER else text


def parse_format(code: str) -> NumberFormat:
    """Parse an Excel format, such as `#,##0.00 "CHF"`. Parts that do not apply to all numbers are ignored."""
    if len(code) > _LONGEST_CODE:
        return GENERAL
    sections = _split_sections(code)
    first = sections[0]
    found = NumberFormat(is_percentage=first.is_percentage)
    texts = _clean_texts(first)
    differs = len(sections) > 1 and sections[1].number and _clean_texts(sections[1]) != texts
    if any(section.is_odd for section in sections) or not first.number or differs:
        return found
    whole, _, decimals = first.number.partition(".")
    if whole.strip("0") == "" and 1 < len(whole) <= _LONGEST_TEXT:
        found = replace(found, zeros=len(whole))
    if first.number.endswith(",") or max(map(len, texts)) > _LONGEST_TEXT:  # shown in thousands
        return found
    return replace(
        found, before=texts[0], after=texts[1], decimals=min(decimals.count("0"), _LONGEST_TEXT) if any(texts) else 0
    )


def is_date_format(code: str) -> bool:
    """Whether an Excel format, such as `d-mmm`, shows numbers as dates."""
    letters = _split_sections(code[:_LONGEST_CODE])[0].letters
    return _DATE_LETTERS.issuperset(letters) and not _DAY_LETTERS.isdisjoint(letters)


def read_format(shown: str, currency: str, value: float | None) -> NumberFormat:
    """The format that shows a number in this way; `currency` is the currency code if it is an amount.

    Without a currency, the texts around the number are kept only if the digits are those of `value`: with 1.2 M, they
    are not.
    """
    named = NumberFormat(after=f" {currency}" if currency else "")
    found = _SHOWN.fullmatch(" ".join(shown.split()))
    if found is None:
        return named
    before, digits, after = found.groups()
    is_padded = digits.isdecimal() and len(digits) > 1 and digits.startswith("0")
    if not currency and is_padded:
        return NumberFormat(zeros=len(digits)) if not before.strip("- ") and not after else GENERAL
    if not currency and after.strip() == "%" and value is not None and _shows(digits, value * 100):
        return PERCENTAGE
    if not currency and (value is None or not _shows(digits, value)):
        return GENERAL
    texts = _clean_texts(_FormatSection([before.lstrip("-+( "), after.rstrip("-+) ")]))
    if any(texts) and max(map(len, texts)) <= _LONGEST_TEXT:
        named = NumberFormat(*texts)
    return replace(named, decimals=2 if any(texts) and digits[-3:-2] in (".", ",") else 0)


def _shows(digits: str, value: float) -> bool:
    """Whether these are the digits of a number, rounded. A single point or comma is taken as the decimal point.

    So 1,081 does not match 1081: it could be 1081 shown in thousands, with three decimals.
    """
    whole, *decimals = _POINT.split(_GROUP_SPACE.sub("", digits))
    if len(decimals) > 1:  # two different separators: one of them is the decimal point
        whole, decimals = "".join([whole, *decimals[:-1]]), decimals[-1:]
        if len(set(_POINT.findall(digits))) == 1:
            whole, decimals = whole + decimals[0], []
    shown = float(f"{whole}.{''.join(decimals)}")
    return abs(shown - abs(value)) <= 0.51 / 10 ** len("".join(decimals))


def _split_sections(code: str) -> list[_FormatSection]:
    sections = [_FormatSection()]
    for token in _TOKEN.finditer(code):
        section, kind, text = sections[-1], token.lastgroup, token[token.lastgroup or 0]
        if kind == "number":
            section.is_odd |= bool(section.number) and _GROUPS.fullmatch(section.between) is None
            section.number += text
            section.texts[1] = section.between = ""  # so it was between digits
        elif kind == "other" and text == ";":
            sections.append(_FormatSection())
        elif kind == "other" and text == "%":
            section.is_percentage = True
        elif kind == "bracket":
            section.is_odd |= text[:1] in ("<", ">", "=") or text.lower().strip("hms") == ""
        elif kind == "other" and text.isalpha():
            section.is_odd = True
            section.letters += text.lower()
        else:
            section.between += text
            is_sign = text in _SIGNS and kind in ("other", "escaped")
            section.texts[bool(section.number)] += "" if is_sign else " " if kind == "space" else text
    return sections


def _clean_texts(section: _FormatSection) -> tuple[str, str]:
    """The texts before and after the digits, each separated by at most one space."""
    before, after = (" ".join(f"|{text}|".split())[1:-1] for text in section.texts)
    before = before.lstrip()
    if before.endswith(" ") and unicodedata.category(before[-2:-1] or " ") == "Sc":  # $ 5 in a column is $5
        before = before.rstrip()
    return before, after.rstrip()
