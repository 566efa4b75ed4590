"""How many values a JSON text holds, told before it is parsed: parsed, each takes many times its bytes."""

import re

MOST_VALUES = 100_000
"""Of a request. A chat of ten thousand messages has forty thousand."""

_TEXTS = re.compile(rb'"(?:[^"\\]++|\\.?)*+"?', re.DOTALL)


def check(data: bytes) -> None:
    """Raises ValueError for a text of too many values. It may be no JSON; then the count does not matter."""
    if _count(data) > MOST_VALUES and _count(_TEXTS.sub(b"", data)) > MOST_VALUES:
        raise ValueError(f"more than {MOST_VALUES:,} values")


def _count(data: bytes) -> int:
    """Commas and colons stand between values, brackets around them; in texts they count for nothing."""
    return data.count(b",") + data.count(b":") + data.count(b"[") + data.count(b"{")
