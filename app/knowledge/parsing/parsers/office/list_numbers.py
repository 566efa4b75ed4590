"""Number the items of lists as readers see them: 4, d, IV, 4.2."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from app.knowledge.parsing.parsers.office.opendocument_text import STYLE, TEXT
from app.knowledge.parsing.parsers.office.package import Element
from app.knowledge.parsing.parsers.office.word_text import W, is_on, read_value
from app.knowledge.parsing.parsers.text_writer import write_list_number

_STYLES = {
    "decimalZero": "01",
    "lowerLetter": "a",
    "upperLetter": "A",
    "lowerRoman": "i",
    "upperRoman": "I",
}
_BULLET = "bullet"
_LEVELS = 9
_PART = re.compile(r"%([1-9])")
_LONGEST_MARK = 60
_OUTLINE = "\0outline"  # the style of headings, which no list can have


@dataclass(frozen=True, slots=True)
class _Level:
    """A level of numbered items: the number of the first, the style of the number, and the text around it.

    `is_legal`: numbers of levels above are written in digits. `paragraph_style` is the style with this level.
    """

    start: int = 1
    style: str = "decimal"
    text: str = ""
    is_legal: bool = False
    paragraph_style: str = ""

    @classmethod
    def read(cls, level: Element) -> "_Level":
        return cls(
            _to_number(read_value(level, "start"), 1),
            read_value(level, "numFmt") or "decimal",
            read_value(level, "lvlText")[:_LONGEST_MARK],
            is_on(level.find(f"{W}isLgl")),
            read_value(level, "pStyle"),
        )


@dataclass(slots=True)
class _WordList:
    """The levels of a list, and how far each is counted."""

    levels: dict[int, _Level]
    counts: dict[int, int] = field(default_factory=dict[int, int])


class WordNumbers:
    """Numbers the paragraphs of a Word file, which must be passed in order."""

    def __init__(self, numbering: Element | None) -> None:
        self._lists: dict[str, _WordList] = {}  # by the id of a definition: its instances count together
        self._instances: dict[str, tuple[str, dict[int, int]]] = {}
        for each in numbering.findall(f"{W}abstractNum") if numbering is not None else ():
            levels = {_to_number(level.get(f"{W}ilvl"), 0): _Level.read(level) for level in each.findall(f"{W}lvl")}
            self._lists[each.get(f"{W}abstractNumId") or ""] = _WordList(levels)
        for each in numbering.findall(f"{W}num") if numbering is not None else ():
            starts = {
                _to_number(override.get(f"{W}ilvl"), 0): _to_number(read_value(override, "startOverride"), 1)
                for override in each.findall(f"{W}lvlOverride")
                if override.find(f"{W}startOverride") is not None
            }
            self._instances[each.get(f"{W}numId") or ""] = (read_value(each, "abstractNumId"), starts)

    def number(self, instance: str, level: int | None, paragraph_style: str) -> str | None:
        """The mark of the next item, such as `4.2.`; None if it has none or a bullet.

        `level` counts from 0; None: that of the paragraph's style.
        """
        definition, starts = self._instances.get(instance, ("", {}))
        found = self._lists.get(definition)
        if found is None:
            return None
        if level is None:
            levels = (at for at, each in found.levels.items() if each.paragraph_style == paragraph_style)
            level = next(levels, 0) if paragraph_style else 0
        defined = found.levels.get(level)
        if defined is None:
            return None
        if level in starts:
            found.counts[level] = starts.pop(level) - 1
        found.counts[level] = found.counts.get(level, defined.start - 1) + 1
        for deeper in range(level + 1, _LEVELS):
            found.counts.pop(deeper, None)
        if defined.style == _BULLET:
            return None
        return _PART.sub(lambda part: _write_part(found, int(part[1]) - 1, defined), defined.text).strip() or None


def _write_part(found: _WordList, level: int, defined: _Level) -> str:
    """The number of a level, as a part of the mark of an item at that level or below."""
    above = found.levels.get(level, defined)
    number = found.counts.get(level, above.start)
    if above.style == "none":
        return ""
    return write_list_number(number, "" if defined.is_legal else _STYLES.get(above.style, ""), repeats_letters=True)


@dataclass(frozen=True, slots=True)
class _OpenDocumentLevel:
    """A level of a list of OpenDocument: the number is that of `shown` levels, up to this one."""

    start: int
    style: str
    before: str
    after: str
    shown: int
    repeats_letters: bool

    @classmethod
    def read(cls, level: Element) -> "_OpenDocumentLevel":
        before, after = (level.get(f"{STYLE}num-{name}") or "" for name in ("prefix", "suffix"))
        return cls(
            _to_number(level.get(f"{TEXT}start-value"), 1),
            level.get(f"{STYLE}num-format") or "",
            before[:_LONGEST_MARK],
            after[:_LONGEST_MARK],
            _to_number(level.get(f"{TEXT}display-levels"), 1),
            level.get(f"{STYLE}num-letter-sync") == "true",
        )

    def write_number(self, number: int) -> str:
        """A number in the style of this level."""
        return write_list_number(number, self.style, repeats_letters=self.repeats_letters)


class OpenDocumentNumbers:
    """Numbers the headings and list items of an OpenDocument file, which must be passed in order."""

    def __init__(self, roots: Iterable[Element]) -> None:
        self._levels: dict[str, dict[int, _OpenDocumentLevel]] = {}
        self._counts: dict[str, dict[int, int]] = {}
        for root in roots:
            for style in root.iter(f"{TEXT}list-style", f"{TEXT}outline-style"):
                name = _OUTLINE if style.tag == f"{TEXT}outline-style" else style.get(f"{STYLE}name") or ""
                self._levels[name] = {
                    _to_number(level.get(f"{TEXT}level"), 0): _OpenDocumentLevel.read(level)
                    for level in style
                    if level.tag in {f"{TEXT}list-level-style-number", f"{TEXT}outline-level-style"}
                }

    def begin_list(self, style: str, level: int) -> None:
        """Begin a list that does not continue an earlier one; `level` counts from 1."""
        self._counts.setdefault(style, {}).pop(level, None)

    def number_item(self, style: str, level: int, start: str | None = None) -> str | None:
        """The mark of the next item, such as `4.2.`; None if it has a bullet."""
        levels, counts = self._levels.get(style, {}), self._counts.setdefault(style, {})
        defined = levels.get(level)
        if defined is None:
            return None
        usual = counts.get(level, defined.start - 1) + 1
        counts[level] = _to_number(start, usual)
        for deeper in range(level + 1, _LEVELS + 2):
            counts.pop(deeper, None)
        shown = [at for at in range(max(1, level - defined.shown + 1), level + 1) if at in levels and levels[at].style]
        numbers = [levels[at].write_number(counts.get(at, levels[at].start)) for at in shown]
        return f"{defined.before}{'.'.join(numbers)}{defined.after}".strip() or None if defined.style else None

    def number_heading(self, level: int) -> str | None:
        """The number of the next heading; None if headings have none."""
        return self.number_item(_OUTLINE, level)


def _to_number(value: str | None, default: int) -> int:
    return int(value) if value and value.isdecimal() and len(value) < 9 else default
