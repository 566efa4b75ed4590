"""Where code fences may begin: after which indentation, marks of quotations and of lists. Pure."""

import re

LEAD = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*")
"""What may stand before a code fence on its line: indentation, quotation marks, list markers."""
_CLOSING = re.compile(r"([ \t>]*)(`{3,}|~{3,})[ \t]*")
_LIST_NUMBER = re.compile(r"\d+")
# Most HTML ends at a blank line; what does not is told by its first group.
_HTML = re.compile(r"<([!?]|(?:script|pre|style|textarea)\b)?", re.IGNORECASE)


class MarkdownBlocks:
    """What the lines so far say about where a fence may begin: lists, quotations and HTML.

    Readers of Markdown differ. After a fence that not all of them see, nothing is taken for code (`distrusted`).
    """

    def __init__(self) -> None:
        self.list_indentation = 0
        """The columns by which the last item of a list is indented; 0 in no list."""
        self.distrusted = False
        self._in_html = False
        self._list_in_quotation = False

    def note_line(self, line: str) -> None:
        """A line that is in no fence has ended."""
        if not line.strip(" \t"):
            self._in_html = False
            return
        before = self._block_lead(f"{line} ")  # an item may be empty yet
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
        """Whether a fence begins after `lead`; deeply indented only in a list, else it goes on with a paragraph."""
        if LEAD.fullmatch(lead) is None:
            return False
        listed = bool(lead.strip(" \t>")) or self._list_in_quotation
        shared = not (self._in_html or (">" in lead and listed)) and lead == self._block_lead(lead)
        shared = shared and indentation_width(lead) <= self.list_indentation + 3
        self.distrusted = self.distrusted or not shared
        return shared

    def _block_lead(self, line: str) -> str:
        """What makes this line a part of quotations and lists; a list begins with 1, or it may be a paragraph's."""
        match = LEAD.match(line)
        before = match[0] if match else ""
        number = _LIST_NUMBER.search(before)
        return before if self.list_indentation or number is None or int(number[0]) == 1 else ""


def match_closing_fence(line: str) -> re.Match[str] | None:
    """What stands before the run that may close a fence, and the run."""
    return _CLOSING.fullmatch(line)


def indentation_width(line: str) -> int:
    """The columns before the first character that shows."""
    return column_width(line[: len(line) - len(line.lstrip(" \t"))])


def column_width(text: str) -> int:
    """Columns, with a tab to every fourth."""
    return len(text.expandtabs(4))
