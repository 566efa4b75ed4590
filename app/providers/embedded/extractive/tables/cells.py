"""Read the cells of a column as comparable amounts, or as yes and no. Pure."""

import re
from collections.abc import Sequence

from app.phrase_files import read_phrases

_PHRASES = read_phrases(__file__, "conditions.toml")
_YES, _NO = (_PHRASES.words(name) for name in ("yes", "no"))
_NUMBER = re.compile(r"-?\d+(?:[.,'\u2019\u00a0 ]\d+)*")
_SEPARATED = re.compile(r"[^\d-]")
_LAST_GROUP = re.compile(r"([.,])(\d+)$")
_THOUSANDS = 3  # digits of a group


def read_amounts(cells: Sequence[str]) -> list[float] | None:
    """The amount in each cell; None if a cell has none or several, or if their units differ."""
    found = [_NUMBER.findall(cell) for cell in cells]
    units = {_NUMBER.sub("", cell).strip().lower() for cell in cells}
    if len(units) != 1 or any(len(numbers) != 1 for numbers in found):
        return None
    numbers = [each[0] for each in found]
    decimal = _decimal_sign(numbers)
    return [_read_number(number, decimal) for number in numbers]


def read_limit(number: str) -> float:
    """Parse a number in a question."""
    return _read_number(number, _decimal_sign([number]))


def read_whether(cells: Sequence[str]) -> list[bool] | None:
    """Whether each cell says yes; None if a cell says anything but yes or no."""
    words = [cell.strip().lower() for cell in cells]
    return [word in _YES for word in words] if set(words) <= _YES | _NO else None


def _decimal_sign(numbers: Sequence[str]) -> str:
    """The decimal sign: the last separator of a number that has both, or one not followed by a group of thousands."""
    for number in numbers:
        last = _LAST_GROUP.search(number)
        if last and (len(last[2]) != _THOUSANDS or ({".", ","} <= set(number))):
            return last[1]
    return ""


def _read_number(number: str, decimal: str) -> float:
    """Parse a number; without a decimal sign, all separators are between thousands."""
    whole, _, rest = number.partition(decimal) if decimal else (number, "", "")
    return float(f"{_SEPARATED.sub('', whole)}.{_SEPARATED.sub('', rest) or 0}")
