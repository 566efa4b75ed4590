"""Find the row of a table that a quote comes from, in a passage whose first and last row are known. Pure."""

import re
from itertools import accumulate

from app import language

_RANGE = re.compile(r"(\w+)s (\d+)\u2013(\d+)")
# A row as long as this may be written on several lines.
_LONGEST_ROW = 400


def find_row(text: str, place: str, quote: language.Span) -> str | None:
    """Words such as "row 14". `place` names the first and last row; None if the lines of `text` do not fit them."""
    named = _RANGE.fullmatch(place)
    if named is None:
        return None
    lines = text.splitlines(keepends=True)
    starts = accumulate(map(len, lines), initial=0)
    rows = [(start, line) for start, line in zip(starts, lines, strict=False) if line.startswith(language.ROW_MARK)]
    first, last = int(named[2]), int(named[3])
    if len(rows) != last - first + 1 or any(len(line) > _LONGEST_ROW for _, line in rows):
        return None
    before = sum(start <= quote[0] for start, _ in rows)
    is_row = before > 0 and quote[1] <= rows[before - 1][0] + len(rows[before - 1][1])
    return f"{named[1]} {first + before - 1}" if is_row else None
