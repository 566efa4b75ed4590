"""Limit the number and the nesting of HTML elements before the page is parsed.

Parsing elements that are nested n deep takes time that grows with n².
"""

import re
from collections.abc import Iterator

from app.knowledge.parsing import refusals
from app.knowledge.parsing.limits import ParsingLimits

_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/<>]*)([^<>]*)")
# Elements that have no content or end where the next of their kind begins.
_FLAT = frozenset(
    re.findall(
        r"\S+",
        """
        area base br col embed hr img input link meta param source track wbr p li dt dd tr td th thead tbody tfoot
        colgroup caption option optgroup rp rt html head body
        """,
    )
)
# For each tag, a parser checks all open elements; in each block, it reopens formatting elements.
_FORMATTING = frozenset(
    ["a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"]
)
_MAX_STEPS, _MAX_COPIES = 500_000_000, 10_000_000
_RAW = ("script", "style")


def check_nesting(source: str, limits: ParsingLimits) -> None:
    """Raises TOO_LARGE. Looks at each tag once, and only if there are many."""
    tags = source.count("<")
    if tags - source.count("</") > limits.elements:
        raise refusals.too_many("elements", limits.elements)
    if tags <= limits.depth:
        return
    depth = formatting = steps = copies = 0
    in_drawing = False
    for closes, name, ends_itself in _scan_tags(source):
        if name == "svg":
            in_drawing = not closes
        if name not in _FLAT and not (ends_itself and in_drawing):
            change = -1 if closes else 1
            depth = max(0, depth + change)
            formatting = max(0, formatting + change) if name in _FORMATTING else formatting
        steps += depth
        copies += formatting
        if depth > limits.depth or steps > _MAX_STEPS or copies > _MAX_COPIES:
            raise refusals.nested_too_deep(limits.depth)


def _scan_tags(source: str) -> Iterator[tuple[bool, str, bool]]:
    """For each tag outside scripts: whether it is a closing tag, its name, and whether it ends with a slash."""
    position = 0
    while (found := _TAG.search(source, position)) is not None:
        name = found[2].lower()
        position = found.end()
        if name in _RAW and not found[1]:
            end = source.find(f"</{name}", position)
            position = len(source) if end < 0 else end
        yield bool(found[1]), name, found[3].endswith("/")
