"""Streamed Markdown in; its text and its citation markers out. Pure: the one place that knows what a marker is.

A marker is a bracketed group of numbers from 1 to 999: `[1]`, `[1, 3]`, `[1;2]`, `[1-3]`, or in the wide brackets of
Chinese and Japanese. It is none inside code, after a backslash, as a link (`[1](url)`), in a link's target, or as a
reference definition (`[1]: url` at a line's start).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_GROUP = 80
"""Characters of the longest group: as much text as is ever held back. Twenty numbers; longer ones are plain text."""

OPENING, CLOSING = "[\u3010\uff3b", "]\u3011\uff3d"
"""The brackets that make a marker."""
_OPEN, _CLOSE = "[\\[\u3010\uff3b]", "[\\]\u3011\uff3d]"
_SPACE = "[ \\t\u00a0\u202f]*+"
# Texts wrapped at a column break after a comma or a dash, and a model that copies them joins the lines again.
_BREAK = f"{_SPACE}\\n?{_SPACE}"
_COMMA = f"{_SPACE}[,;\uff0c\u3001\uff1b]{_BREAK}"
_DASH = f"{_SPACE}[-\u2010-\u2015\u2212]{_BREAK}"
# [0] and [0, 1] are an index and an interval. Only ASCII digits: a model that cites in others is not known.
_NUMBER = "(?!0++(?![0-9]))[0-9]{1,3}(?![0-9])"
_ITEM = f"{_NUMBER}(?:{_DASH}{_NUMBER})?"
_DIGITS = "[0-9]{1,3}+"
_DIGITS_ITEM = f"{_DIGITS}(?:{_DASH}{_DIGITS})?"

GROUP = re.compile(f"{_OPEN}{_SPACE}{_ITEM}(?:{_COMMA}{_ITEM})*+{_SPACE}{_CLOSE}")
"""A whole group, wherever it stands; what the neutral form replaces."""
_BEGUN = re.compile(f"{_OPEN}{_SPACE}(?:{_DIGITS_ITEM}{_COMMA})*(?:{_DIGITS}(?:{_DASH}(?:{_DIGITS})?)?{_SPACE})?")
_RANGE = re.compile(f"([0-9]+)(?:{_DASH}([0-9]+))?")
OPEN_GROUP = re.compile(_OPEN + "[0-9,;\uff0c\u3001\uff1b\u2010-\u2015\u2212\\s-]*$")
"""An open bracket at the end of a text that digits and a closing one would make a marker."""
GROUP_CHARACTER = re.compile("[0-9,;\uff0c\u3001\uff1b\u2010-\u2015\u2212\\s\\]\u3011\uff3d-]")

FENCE_LEAD = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*")
"""What may stand before a code fence on its line: indentation, quotation marks, list markers."""
_CLOSING_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})\s*")
_LEAD = 64
_SPECIAL = re.compile(r"[\[\]`~\\\n\u3010\uff3b]")
_IN_CODE = re.compile(r"[`~\n]")
_TARGET_END = re.compile(r"[)\s]")


@dataclass(frozen=True, slots=True)
class Marker:
    """A group as it was written, and its ranges in order; a single number is a range of one."""

    raw: str
    ranges: tuple[tuple[int, int], ...]

    def numbers(self) -> Iterator[int]:
        """Every number once, in the order written; `[3-1]` counts down."""
        seen: set[int] = set()
        for first, last in self.ranges:
            step = 1 if first <= last else -1
            for number in range(first, last + step, step):
                if number not in seen:
                    seen.add(number)
                    yield number


class MarkerScanner:
    """Splits a stream into text and markers, the same for every way of cutting it into pieces.

    Text is held back only while it may still become a marker: from a bracket on, and one character after it.
    """

    def __init__(self) -> None:
        self._held = ""
        self._line = ""  # the current line's first characters
        self._escaped = False
        self._closed = False  # the last character was a closing bracket
        self._in_target = False
        self._run = ""  # backticks or tildes whose number is not known yet
        self._run_lead = ""
        self._code = ""  # the run that opened a code span, or a fence's first line
        self._may_be_fence = False
        self._fence = ""

    def feed(self, piece: str) -> list[str | Marker]:
        """Text and markers that `piece` completes."""
        return self._scan(self._held + piece, final=False)

    def finish(self) -> list[str | Marker]:
        """What was held back when the text ends here."""
        return self._scan(self._held, final=True)

    def _scan(self, text: str, *, final: bool) -> list[str | Marker]:
        found: list[str | Marker] = []
        self._held = ""
        at = begin = 0
        while at < len(text):
            if text[at] not in OPENING or not self._is_open(text[at]):
                at = self._step(text, at)
                continue
            marker = self._group(text, at, final=final)
            if marker is None:
                break
            if not marker.raw:
                at = self._step(text, at)
                continue
            if begin < at:
                found.append(text[begin:at])
            found.append(marker)
            self._note(marker.raw)
            self._closed = False
            at = begin = at + len(marker.raw)
        self._held = text[at:]
        if begin < at:
            found.append(text[begin:at])
        return found

    def _is_open(self, character: str) -> bool:
        """Whether a bracket here could be a marker."""
        if self._run and character != self._run[0]:
            self._end_run()
        return not (self._fence or self._code or self._in_target or self._escaped)

    def _group(self, text: str, at: int, *, final: bool) -> Marker | None:
        """The marker at `at`; one without text where there is none; None while that is not decided."""
        match = GROUP.match(text, at)
        if match is None or match.end() - at > MAX_GROUP:
            undecided = not final and len(text) - at < MAX_GROUP and match is None and _BEGUN.fullmatch(text, at)
            return None if undecided else _NO_MARKER
        following = text[match.end() : match.end() + 1]
        if not following and not final:
            return None
        if following == "(" or (following == ":" and not self._line.strip()):
            return _NO_MARKER
        ranges = _RANGE.findall(match[0])
        return Marker(match[0], tuple((int(first), int(last or first)) for first, last in ranges))

    def _step(self, text: str, at: int) -> int:
        """Takes the character at `at` and the plain text after it; returns where the next decision stands."""
        character = text[at]
        if self._run and character != self._run[0]:
            self._end_run()
        closed, self._closed = self._closed, False
        if character == "\n":
            self._end_line()
            return at + 1
        if self._fence:
            return self._take(text, at, text.find("\n", at))
        if self._escaped:
            self._escaped = False
            return self._take(text, at, at + 1)
        if self._in_target or (closed and character == "("):
            end = _TARGET_END.search(text, at)
            self._in_target = end is None
            return self._take(text, at, max(at + 1, end.start()) if end else -1)
        if character in "`~":
            if not self._run:
                self._run_lead = self._line
            self._run += character
            return self._take(text, at, at + 1)
        if character in "\\]" and not self._code:
            self._escaped, self._closed = character == "\\", character == "]"
            return self._take(text, at, at + 1)
        special = (_IN_CODE if self._code else _SPECIAL).search(text, at + 1)
        return self._take(text, at, special.start() if special else -1)

    def _end_run(self) -> None:
        run, self._run = self._run, ""
        if self._code[:1] == "~":
            return
        starts_line = len(run) >= 3 and FENCE_LEAD.fullmatch(self._run_lead) is not None
        if run == self._code:
            self._code = ""
        elif starts_line or (run[0] == "`" and not self._code):
            # Blocks come before spans in Markdown: a fence ends a span that was left open above it.
            self._code, self._may_be_fence = run, starts_line
        elif run[0] == "`":
            self._may_be_fence = False

    def _end_line(self) -> None:
        closing = _CLOSING_FENCE.fullmatch(self._line)
        if self._fence:
            if closing and closing[1].startswith(self._fence):
                self._fence = ""
        elif self._may_be_fence and self._code:
            self._fence, self._code = self._code, ""
        elif not self._line.strip():
            self._code = ""
        self._line = ""
        self._may_be_fence = self._escaped = self._closed = self._in_target = False

    def _take(self, text: str, at: int, end: int) -> int:
        end = len(text) if end < 0 else end
        self._note(text[at:end])
        return end

    def _note(self, text: str) -> None:
        if len(self._line) < _LEAD:
            self._line = (self._line + text)[:_LEAD]


_NO_MARKER = Marker("", ())
