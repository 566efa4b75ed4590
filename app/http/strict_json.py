"""JSON: strict decoding, with limits on values and depth that are checked before parsing, and encoding.

A parsed value takes many times its size in memory, so the values are counted in the text first.
"""

import codecs
import json
import math
import re
from itertools import accumulate
from typing import Any, NoReturn

from pydantic_core import PydanticSerializationError, to_json

from app import safe_text

MAX_VALUES = 100_000
"""Maximum number of values in one request. A chat of ten thousand messages has forty thousand."""
MAX_LEVELS = 400
"""Maximum nesting depth of lists and objects."""

# A number with more digits is larger than any float.
_MAX_DIGITS = 300
_STRINGS = re.compile(rb'"(?:[^"\\]++|\\.?)*+"?', re.DOTALL)
_BRACKETS = re.compile(rb"[\[\]{}]")
# U+0000 arrives as an escape; a lone surrogate also as invalid UTF-8 that Python's decoder accepts.
_UNSTORABLE = re.compile(rb"\\u(?:[dD]|0000)|\xed[\xa0-\xbf]")


def decode(data: str | bytes) -> object:
    """Decode a JSON value. Raises JSONDecodeError, with a `msg` for the client.

    A lone surrogate (JavaScript can cut strings inside a character) and U+0000 (as some PDFs have it between words)
    become replacement characters: not every database can store them.
    """
    raw = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
    try:
        check_size(raw)
        # Not as bytes: those could be UTF-16 or UTF-32, which neither of the checks expects.
        text = data if isinstance(data, str) else raw.removeprefix(codecs.BOM_UTF8).decode("utf-8", "surrogatepass")
        value = json.loads(text, parse_constant=_reject_constant, parse_float=_parse_float, parse_int=_parse_integer)
        return _make_storable(value) if _UNSTORABLE.search(raw) else value
    except (ValueError, RecursionError) as error:
        raise json.JSONDecodeError(_describe_error(error), "", 0) from error


def encode(data: object, *, ascii_only: bool = False) -> bytes:
    """The JSON of a value, in a quarter of the time that `json` takes.

    `ascii_only` is for clients that take U+2028 for the end of a line. Lone surrogates are escaped, and numbers that
    JSON does not have become null: names of models come from servers and files, and some servers count in NaN.
    """
    try:
        return to_json(data, ensure_ascii=ascii_only, inf_nan_mode="null")
    except PydanticSerializationError:
        valid = json.loads(json.dumps(data), parse_constant=lambda _: None)
        return json.dumps(valid, separators=(",", ":")).encode()


def check_size(data: bytes) -> None:
    """Raises ValueError for too many values or levels. If the text is not JSON, the result does not matter."""
    if _count_separators(data) <= MAX_VALUES and data.count(b"[") + data.count(b"{") <= MAX_LEVELS:
        return
    bare = _STRINGS.sub(b"", data)
    if _count_separators(bare) > MAX_VALUES:
        raise ValueError(f"it has too many values; at most {MAX_VALUES:,} are allowed")
    steps = (1 if bracket[0] in b"[{" else -1 for bracket in _BRACKETS.findall(bare))
    if max(accumulate(steps), default=0) > MAX_LEVELS:
        raise ValueError("it is nested too deeply")


def _count_separators(data: bytes) -> int:
    """The number of commas, colons and brackets, an upper bound for the number of values."""
    return data.count(b",") + data.count(b":") + data.count(b"[") + data.count(b"{")


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _parse_integer(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise ValueError(f"{digits[:20]}… is too large a number")
    return int(digits)


def _parse_float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits[:20]} is too large a number")
    return number


def _make_storable(value: Any) -> Any:
    if isinstance(value, str):
        return safe_text.replace_unstorable(value)
    if isinstance(value, list):
        return [_make_storable(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, dict):
        return {safe_text.replace_unstorable(key): _make_storable(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return value


def _describe_error(error: ValueError | RecursionError) -> str:
    match error:
        case json.JSONDecodeError():
            return f"{error.msg.lower()} at line {error.lineno}, column {error.colno}"
        case UnicodeDecodeError():
            return "it is not UTF-8"
        case RecursionError():
            return "it is nested too deeply"
        case _:
            return str(error)
