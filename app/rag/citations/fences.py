"""Track where code fences may begin: after indentation, block quote markers and list markers. Pure."""

import re

LEAD = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*")
"""What may stand before a code fence on its line: indentation, quotation marks, list markers."""
_CLOSING = re.compile(r"([ \t>]*)(`{3,}|~{3,})[ \t]*")
_LIST_NUMBER = re.compile(r"\d+")
# Most HTML ends at a blank line; the first group matches HTML that does not.
_HTML = re.compile(r"<([!?]|(?:script|pre|style|textarea)\b)?", re.IGNORECASE)


class MarkdownBlocks:
    """Lists, quotations and HTML of the lines so far, which decide where a fence may begin.

    Markdown parsers differ. After a fence that only some of them recognize, nothing counts as code (`distrusted`).
    """

    def __init__(self) -> None:
        self.list_indentation = 0
        """Columns by which the last list item is indented; 0 outside of lists."""
        self.distrusted = False
        self._in_html = False
        self._list_in_quotation = False

    def add_line(self, line: str) -> None:
        """Take in a complete line outside of fences."""
        if not line.strip(" \t"):
            self._in_html = False
            return
        before = self._block_lead(f"{line} ")  # an item may still be empty
        if ">" in before:
            self.list_indentation = 0
            self._list_in_quotation = self._list_in_quotation or bool(before.strip(" \t>"))
        elif before.strip(" \t"):
            self.list_indentation = column_width(before)
        elif indentation_width(line) < self.list_indentation:
            self.list_indentation = 0
        html = _HTML.match(line, len(self._block_lead(line)))
        if html:
            self._in_html, self.distrusted = True, self.distrusted or html[1] is not None

    def begin_fence(self, lead: str) -> bool:
        """Whether a fence begins after `lead`. Deep indentation needs a list; elsewhere it continues a paragraph."""
        if LEAD.fullmatch(lead) is None:
            return False
        listed = bool(lead.strip(" \t>")) or self._list_in_quotation
        shared = not (self._in_html or (">" in lead and listed)) and lead == self._block_lead(lead)
        shared = shared and indentation_width(lead) <= self.list_indentation + 3
        self.distrusted = self.distrusted or not shared
        return shared

    def _block_lead(self, line: str) -> str:
        """The quotation and list markers of this line; a list must begin with 1, or it may be part of a paragraph."""
        match = LEAD.match(line)
        before = match[0] if match else ""
        number = _LIST_NUMBER.search(before)
        return before if self.list_indentation or number is None or int(number[0]) == 1 else ""


def match_closing_fence(line: str) -> re.Match[str] | None:
    """The lead of a line that may close a fence, and its run of backticks or tildes."""
    return _CLOSING.fullmatch(line)


def indentation_width(line: str) -> int:
    """Columns before the first visible character."""
    return column_width(line[: len(line) - len(line.lstrip(" \t"))])


def column_width(text: str) -> int:
    """Width of `text` in columns, with tab stops every four."""
    return len(text.expandtabs(4))
