"""Parse the range of bytes that a request asks for (RFC 9110, section 14)."""

import re
from collections.abc import Mapping

_RANGE = re.compile(r"\s*bytes\s*=\s*(\d{0,20})-(\d{0,20})\s*", re.ASCII | re.IGNORECASE)


class RangeNotSatisfiable(Exception):
    """The range contains no existing byte."""


def requested_range(method: str, headers: Mapping[str, str], size: int, etag: str) -> range | None:
    """The positions of the bytes that a request asks for, out of `size`; None for all of them.

    As the standard allows, a range is ignored if it is malformed, if it is one of several, or if `If-Range` names
    anything else than this `etag`. Raises RangeNotSatisfiable.
    """
    found = _RANGE.fullmatch(headers.get("range", ""))
    if found is None or method != "GET" or headers.get("if-range", etag) != etag:
        return None
    first, last = (int(number) if number else None for number in found.groups())
    if (first is None and last is None) or (first is not None and last is not None and last < first):
        return None
    if first is None:
        positions = range(max(0, size - (last or 0)), size)
    else:
        positions = range(first, size if last is None else min(last + 1, size))
    if not positions:
        raise RangeNotSatisfiable
    return positions
