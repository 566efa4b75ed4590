"""Rewrite XHTML so that an HTML parser reads it as it was meant.

In XHTML, an opening tag may also close its element, as in `<title/>` or `<script src="a.js"/>`. To an HTML parser, such
a tag only opens the element, and the rest of the page is its content.
"""

import re

_XHTML = re.compile(r"\A\s*<\?xml\b|<html\b[^<>]*\sxmlns=", re.IGNORECASE)
_HEAD = 5_000  # the first characters of a page, which say that it is XHTML
_EMPTY_ELEMENT = re.compile(r"""<([a-zA-Z][\w:.-]*+)((?:[^<>"']++|"[^<"]*+"|'[^<']*+')*+)(?<=/)>""")
# HTML elements that have no content, with or without a slash.
_VOID = frozenset(re.findall(r"\S+", "area base br col embed hr img input link meta param source track wbr"))


def close_empty_elements(source: str) -> str:
    """A page with a separate closing tag for each empty element, if it is XHTML; else the same page."""
    return _EMPTY_ELEMENT.sub(_close, source) if _XHTML.search(source[:_HEAD]) else source


def _close(tag: re.Match[str]) -> str:
    return tag[0] if tag[1].lower() in _VOID else f"<{tag[1]}{tag[2][:-1]}></{tag[1]}>"
