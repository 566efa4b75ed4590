"""Split streamed Markdown into text and citation markers. Pure.

A marker is whatever reads as a group of numbers (marker_groups). In code and in link targets there are no markers. If a
link or a link definition would result (`[1](url)`, `[1]: url` at the start of a line), a space is added.

Text counts as code only if every Markdown parser agrees: a span ends on its line, a fence in its list or quotation.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from app.rag.citations import chunk_labels, fences, lookalikes, marker_groups

_LONGEST_SPAN = 400  # most text held back until code or a link's target ends on its line
_LEAD = 64
_SPECIAL = re.compile(r"[\[\]<`~\\\n\r&\u3010\uff3b]")
_IN_CODE = re.compile(r"[`~\n\r\[&\\\u3010\uff3b]")
_START = re.compile(f"[{lookalikes.STARTS}]")
_TICKS = re.compile("`++")
_LINE_END = re.compile(r"[\r\n]")
_IN_FENCE = re.compile(f"[\\r\\n{lookalikes.STARTS}]")
# Characters that end a link's target; after any but the bracket it may be no link, and its text is scanned.
_TARGET_ENDS = r")\s(<>`\\\x00-\x1f\x7f"
_TARGET_END = re.compile(f"[{_TARGET_ENDS}]")
_TARGET_STOP = re.compile(f"[{_TARGET_ENDS}{lookalikes.STARTS}]")


@dataclass(frozen=True, slots=True)
class Marker:
    """A group as written, and its ranges in order; a single number is a range of one."""

    raw: str
    ranges: tuple[tuple[int, int], ...]
    spaced: bool = False  # a space must follow, or a link would result

    def cited_numbers(self) -> Iterator[int]:
        """Every number once, in the order written; `[3-1]` counts down."""
        seen: set[int] = set()
        for first, last in self.ranges:
            step = 1 if first <= last else -1
            for number in range(first, last + step, step):
                if number not in seen:
                    seen.add(number)
                    yield number


class MarkerScanner:
    """Splits a stream into text and markers; the result does not depend on how the stream is cut into pieces.

    Text is held back only while it may still become a marker: from a bracket to one character after the group; in code
    and link targets to their end on the line.
    """

    def __init__(self) -> None:
        self._held = ""
        self._line = ""  # the current line's first characters
        self._escaped = False
        self._closed = False  # the last character was a closing bracket
        self._brackets = 0  # open on this line: without one no link can end
        self._unsure = False  # code, HTML or an odd target on this line may hold some of them
        self._in_target = False
        self._run = ""  # of backticks or tildes that may still grow
        self._run_lead = ""
        self._code: str = ""  # the run that opened a code span, or a fence's first line
        self._may_be_fence = False
        self._fence: str = ""
        self._fence_lead = ""
        self._blocks = fences.MarkdownBlocks()
        self._uncertain = False  # a code span was left open in this paragraph: parsers differ on what is code
        self._return = False  # the last character was a carriage return

    def feed(self, piece: str) -> list[str | Marker]:
        """Text and markers that `piece` completes."""
        return self._split_text(self._held + piece, final=False)

    def finish(self) -> list[str | Marker]:
        """The text that was held back; the stream ends here."""
        return self._split_text(self._held, final=True)

    def _split_text(self, text: str, *, final: bool) -> list[str | Marker]:
        found: list[str | Marker] = []
        self._held = ""
        at = begin = 0
        while at < len(text):
            protected = self._is_protected(text, at, final=final) if _START.match(text, at) else True
            marker = self._match_marker(text, at, final=final) if protected is False else _NO_MARKER
            if protected is None or marker is None:
                break
            if not marker.raw:
                at = self._consume(text, at)
                continue
            if begin < at:
                found.append(text[begin:at])
            found.append(marker)
            if marker.spaced:
                found.append(" ")
            self._note_line_start(marker.raw)
            self._closed = self._return = False
            at = begin = at + len(marker.raw)
        self._held = text[at:]
        if begin < at:
            found.append(text[begin:at])
        return found

    def _is_protected(self, text: str, at: int, *, final: bool) -> bool | None:
        """Whether this is code or a link's target, and so no marker; None while undecided."""
        if self._run and text[at] != self._run[0]:
            self._end_run()
        if self._escaped:
            return True
        if self._fence:
            self._leave_fence()
            return bool(self._fence)
        if self._code:
            return self._is_code(text, at, final=final)
        return self._in_target and self._is_target(text, at, final=final)

    def _is_code(self, text: str, at: int, *, final: bool) -> bool | None:
        """Whether the open span ends on this line, or the line begins a fence."""
        line = _LINE_END.search(text, at)
        end = line.start() if line else len(text)
        if self._may_be_fence:
            tick = self._code[0] == "`" and text.find("`", at, end) >= 0
            if not tick:
                return True if line or final or end - at >= _LONGEST_SPAN else None
        trusted = not (self._may_be_fence and self._uncertain)
        ends = (run.end() for run in _TICKS.finditer(text, at, end) if run[0] == self._code)
        if trusted and any(stop < len(text) or final for stop in ends):
            return True
        if trusted and not line and not final and end - at < _LONGEST_SPAN:
            return None
        self._code, self._may_be_fence, self._uncertain = "", False, True
        return False

    def _is_target(self, text: str, at: int, *, final: bool) -> bool | None:
        end = _TARGET_END.search(text, at)
        if end is None and not final and len(text) - at < _LONGEST_SPAN:
            return None
        self._in_target = end is not None and end[0] == ")"
        self._unsure = self._unsure or not self._in_target
        return self._in_target

    def _leave_fence(self) -> None:
        """End a fence if this line does not continue its quotation or list."""
        lead = fences.LEAD.match(self._line)
        before = lead[0] if lead else ""
        quotes = self._fence_lead.count(">")
        if before.count(">") < quotes:
            self._fence = ""
        elif not quotes and fences.indentation_width(self._line) < self._blocks.list_indentation:
            self._fence, self._blocks.distrusted = "", True

    def _match_marker(self, text: str, at: int, *, final: bool) -> Marker | None:
        """The marker at `at`; _NO_MARKER if there is none; None while undecided."""
        if label := chunk_labels.match_label(text, at, final=final):
            return Marker(label, ())
        group = marker_groups.match_group(text, at, final=final)
        if group is None or (label is None and not group.ranges):
            return None
        if not group.ranges:
            return Marker(group.written, ()) if group.written else _NO_MARKER
        end = at + len(group.written)
        following = text[end : end + 1]
        if not following and not final:
            return None
        spaced = following == "(" or (following == ":" and not self._line.strip())
        return Marker(group.written, group.ranges, spaced)

    def _consume(self, text: str, at: int) -> int:
        """Consume the character at `at` and the plain text after it; return the next position to decide."""
        character = text[at]
        if self._run and character != self._run[0]:
            self._end_run()
        closed, self._closed = self._closed, False
        returned, self._return = self._return, character == "\r"
        if character in "\r\n":
            if not (returned and character == "\n"):
                self._end_line()
            return at + 1
        if self._fence:
            special = _IN_FENCE.search(text, at + 1)
            return self._consume_until(text, at, special.start() if special else -1)
        if self._escaped:
            self._escaped = False
            return self._consume_until(text, at, at + 1)
        begins = closed and character == "("
        if self._in_target or begins:
            end = _TARGET_STOP.search(text, at + 1)
            goes_on = end is None or _TARGET_END.match(end[0]) is None
            self._in_target = goes_on and (begins or _TARGET_END.match(character) is None)
            self._brackets = 0  # links do not nest
            self._unsure = self._unsure or not (goes_on or (end is not None and end[0] == ")"))
            return self._consume_until(text, at, end.start() if end else -1)
        if character in "`~":
            if not self._run:
                self._run_lead = self._line
            self._run += character
            return self._consume_until(text, at, at + 1)
        if character in "\\[]" and not self._code:
            self._escaped = character == "\\"
            self._closed = character == "]" and self._brackets > 0 and not (self._unsure or self._uncertain)
            self._brackets = max(0, self._brackets + (character == "[") - (character == "]"))
            return self._consume_until(text, at, at + 1)
        self._unsure = self._unsure or bool(self._code) or character == "<"
        special = (_IN_CODE if self._code else _SPECIAL).search(text, at + 1)
        return self._consume_until(text, at, special.start() if special else -1)

    def _end_run(self) -> None:
        run, self._run = self._run, ""
        if self._code[:1] == "~":
            return
        starts_line = len(run) >= 3 and self._blocks.begin_fence(self._run_lead)
        if run == self._code:
            self._code = ""
        elif not self._blocks.distrusted and (
            starts_line or (run[0] == "`" and not self._code and not self._uncertain)
        ):
            # In Markdown blocks take precedence: a fence ends a span that was left open above it.
            self._code, self._may_be_fence, self._fence_lead = run, starts_line, self._run_lead
        elif run[0] == "`":
            if self._may_be_fence and self._uncertain:
                self._code = ""
            self._may_be_fence = False

    def _end_line(self) -> None:
        blank = not self._line.strip(" \t")
        if not self._fence:
            self._blocks.add_line(self._line)
        if self._fence:
            if not blank or ">" in self._fence_lead:
                self._leave_fence()
            if self._closes_fence():
                self._fence = ""
        elif self._may_be_fence and self._code:
            self._fence, self._code = self._code, ""
            self._uncertain = False
        elif blank:
            self._uncertain = False
        elif self._code:
            self._uncertain = True
        self._code = ""
        self._line = ""
        self._brackets, self._unsure = 0, False
        self._may_be_fence = self._escaped = self._closed = self._in_target = False

    def _closes_fence(self) -> bool:
        closing = fences.match_closing_fence(self._line)
        if not closing or not closing[2].startswith(self._fence or " "):
            return False
        quotes = self._fence_lead.count(">")
        return closing[1].count(">") == quotes and (
            quotes > 0 or fences.column_width(closing[1]) <= max(3, fences.column_width(self._fence_lead) + 3)
        )

    def _consume_until(self, text: str, at: int, end: int) -> int:
        end = len(text) if end < 0 else end
        self._note_line_start(text[at:end])
        return end

    def _note_line_start(self, text: str) -> None:
        if len(self._line) < _LEAD:
            self._line = (self._line + text)[:_LEAD]


_NO_MARKER = Marker("", ())
