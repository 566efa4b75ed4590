"""Substitute the attributes that an AsciiDoc document defines, and remove the lines that define them.

See https://docs.asciidoctor.org/asciidoc/latest/attributes/. References to other attributes are left unchanged.
"""

import re
from collections.abc import Sequence

from app.knowledge.parsing.parsers.markup.rewriting import is_inside

_ENTRY = re.compile(r":(!?)(\w[\w-]{0,99})(!?):(?:[ \t]+(.*))?$", re.MULTILINE)
_REFERENCE = re.compile(r"(\\?)\{(\w[\w-]{0,99})\}")
_TITLE = re.compile(r"[=#][ \t]+\S")
# One-line blocks, after which an entry is not part of a paragraph: headings, comments, block attributes, delimiters.
_ONE_LINE = re.compile(r"(?:={1,6}|#{1,6})[ \t]|//|\[[^\n]*\]$|([-.*=_+/])\1{3,}$|[|!,:]===$")
_CONTINUED = " \\"
_LONGEST_VALUE = 2_000
_LEAST_GROWTH = 2_000


def substitute_attributes(text: str, verbatim: Sequence[tuple[int, int]], max_length: int) -> str:
    """`text` with the values of its attributes, except within the blocks `verbatim`.

    References cannot blow up the text: values are resolved once, where they are defined. References that would double
    the text's length (or, if it is short, add more than 2,000 characters) or exceed `max_length` are left unchanged.
    """
    if not any(not is_inside(verbatim, entry.start()) for entry in re.finditer(r"^:!?\w", text, re.MULTILINE)):
        return text
    growth = min(max(_LEAST_GROWTH, len(text)), max(0, max_length - len(text)))
    return _Substitution(text, verbatim, growth).run()


class _Substitution:
    def __init__(self, text: str, verbatim: Sequence[tuple[int, int]], growth: int) -> None:
        self._lines = text.split("\n")
        self._verbatim = verbatim
        self._growth = growth
        self._values: dict[str, str] = {}

    def run(self) -> str:
        header = self._find_header()
        # The title may use attributes that are defined below it.
        for number in header:
            self._define(number)
        written: list[str] = []
        number = offset = 0
        is_between = True  # blocks, where a line may define an attribute
        while number < len(self._lines):
            line = self._lines[number]
            taken = 1
            if is_inside(self._verbatim, offset):
                written.append(line)
                is_between = True
            elif (is_between or number in header) and (entered := self._define(number)):
                taken = entered
            else:
                written.append(self._substitute(line))
                is_between = not line.strip() or _ONE_LINE.match(line) is not None
            offset += sum(len(each) + 1 for each in self._lines[number : number + taken])
            number += taken
        return "\n".join(written)

    def _find_header(self) -> range:
        """The lines from the title to the first blank line."""
        for number, line in enumerate(self._lines):
            if _TITLE.match(line):
                end = number
                while end < len(self._lines) and self._lines[end].strip():
                    end += 1
                return range(number, end)
            if line.strip() and not line.startswith("//") and not _ENTRY.match(line):
                break
        return range(0)

    def _define(self, number: int) -> int:
        """Define the attribute of this line; returns the number of lines it takes, 0 if the line defines none."""
        entry = _ENTRY.match(self._lines[number])
        if entry is None:
            return 0
        value, taken = (entry[4] or "").rstrip(), 1
        while value.endswith(_CONTINUED) and number + taken < len(self._lines) and len(value) <= _LONGEST_VALUE:
            value = f"{value.removesuffix(_CONTINUED).rstrip()} {self._lines[number + taken].strip()}"
            taken += 1
        name = entry[2].lower()
        if entry[1] or entry[3]:
            self._values.pop(name, None)
        elif len(value) <= _LONGEST_VALUE:
            resolved = _REFERENCE.sub(self._resolve, value)
            self._values[name] = resolved if len(resolved) <= _LONGEST_VALUE else value
        return taken

    def _substitute(self, line: str) -> str:
        return _REFERENCE.sub(self._replace, line) if "{" in line else line

    def _replace(self, found: re.Match[str]) -> str:
        value = self._value_of(found)
        if value is None:
            return found[0]
        grown = len(value) - len(found[0])
        if grown > self._growth:
            return found[0]
        self._growth -= max(0, grown)
        return value

    def _resolve(self, found: re.Match[str]) -> str:
        value = self._value_of(found)
        return found[0] if value is None else value

    def _value_of(self, found: re.Match[str]) -> str | None:
        """The value of a reference; None if it is not defined."""
        value = self._values.get(found[2].lower())
        return value if value is None or not found[1] else found[0].removeprefix("\\")
