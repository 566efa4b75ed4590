"""Strict JSON decoding, bounded in values and depth before anything is parsed.

Parsed, each value takes many times its bytes, so their number is counted in the text.
"""

import json
import math
import re
from itertools import accumulate
from typing import Any, NoReturn

from app import language

MOST_VALUES = 100_000
"""Values in one request. A chat of ten thousand messages has forty thousand."""
MOST_LEVELS = 400
"""How deeply lists and objects may be nested."""

# A number with more digits is larger than any floating-point number.
_MOST_DIGITS = 300
_STRINGS = re.compile(rb'"(?:[^"\\]++|\\.?)*+"?', re.DOTALL)
_BRACKETS = re.compile(rb"[\[\]{}]")
# Half a character comes as an escape, or as bytes that UTF-8 does not allow and Python's decoder lets pass.
_SURROGATE = re.compile(rb"\\u[dD]|\xed[\xa0-\xbf]")


def decode(data: str | bytes) -> object:
    """Decode a JSON value. Raises JSONDecodeError; its `msg` says what is wrong, for the client.

    Half a character (JavaScript cuts strings there) becomes a replacement character: no database takes it.
    """
    raw = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
    try:
        check_size(raw)
        value = json.loads(data, parse_constant=_reject_constant, parse_float=_finite, parse_int=_integer)
        return _without_surrogates(value) if _SURROGATE.search(raw) else value
    except (ValueError, RecursionError) as error:
        raise json.JSONDecodeError(_reason(error), "", 0) from error


def check_size(data: bytes) -> None:
    """Raises ValueError for too many values or levels. The text may be no JSON; then neither matters."""
    if _separators(data) <= MOST_VALUES and data.count(b"[") + data.count(b"{") <= MOST_LEVELS:
        return
    bare = _STRINGS.sub(b"", data)
    if _separators(bare) > MOST_VALUES:
        raise ValueError(f"it has too many values; {MOST_VALUES:,} are allowed")
    steps = (1 if bracket[0] in b"[{" else -1 for bracket in _BRACKETS.findall(bare))
    if max(accumulate(steps), default=0) > MOST_LEVELS:
        raise ValueError("it is nested too deeply")


def _separators(data: bytes) -> int:
    """Commas and colons stand between values, brackets around them; inside strings they count for nothing."""
    return data.count(b",") + data.count(b":") + data.count(b"[") + data.count(b"{")


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _integer(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"{digits[:20]}… is too large a number")
    return int(digits)


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits[:20]} is too large a number")
    return number


def _without_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return language.replace_lone_surrogates(value)
    if isinstance(value, list):
        return [_without_surrogates(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, dict):
        return {language.replace_lone_surrogates(key): _without_surrogates(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return value


def _reason(error: ValueError | RecursionError) -> str:
    match error:
        case json.JSONDecodeError():
            return f"{error.msg.lower()} at line {error.lineno}, column {error.colno}"
        case UnicodeDecodeError():
            return "it is not UTF-8"
        case RecursionError():
            return "it is nested too deeply"
        case _:
            return str(error)
