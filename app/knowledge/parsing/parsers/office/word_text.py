"""Read the text of a Word file's paragraphs and cells, with its formulas, symbols and list numbers."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from app.knowledge.parsing.parsers.office.package import Element
from app.knowledge.parsing.parsers.text_writer import join_pieces

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
BOX = f"{W}txbxContent"
CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}chart"
DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_FALSE = frozenset({"0", "false", "off"})
_BREAKS = {f"{W}tab": "\t", f"{W}ptab": "\t", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-"}
_NOTES = {f"{W}footnoteReference": "footnote", f"{W}endnoteReference": "endnote"}
# Properties, and text that was deleted or moved away.
_UNSEEN = frozenset({FALLBACK, f"{W}pPr", f"{W}rPr", f"{W}tcPr", f"{W}del", f"{W}moveFrom", f"{_M}ctrlPr", f"{W}rt"})
# What is written before the parts of formulas: in a fraction, a slash before the second part.
_FORMULA_MARKS = {f"{_M}sup": "^", f"{_M}sub": "_", f"{_M}den": "/", f"{_M}rad": "√"}
_SEVERAL = 9  # texts of a part of a formula that are enough to tell whether it has one character
_GROUPED = frozenset({f"{_M}sup", f"{_M}sub", f"{_M}num", f"{_M}den", f"{_M}e"})
# Letters in the private characters of symbol fonts, by font and offset.
_PRIVATE = 0xF000
_SYMBOL_LETTERS = dict(zip("ABCDEFGHIKLMNOPQRSTUWXYZ", "ΑΒΧΔΕΦΓΗΙΚΛΜΝΟΠΘΡΣΤΥΩΞΨΖ", strict=True)) | dict(
    zip("abcdefghijklmnopqrstuvwxyz", "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True)
)
_SYMBOLS = {
    "symbol": {ord(letter): greek for letter, greek in _SYMBOL_LETTERS.items()}
    | dict(zip(b"\xa3\xa5\xac\xae\xb0\xb1\xb3\xb4\xb7\xb8\xb9\xbb\xd6\xe5", "≤∞←→°±≥×•÷≠≈√∑", strict=True)),  # noqa: RUF001
    "wingdings": dict(zip(b"\x6f\x78\xa8\xe0\xfb\xfc\xfd\xfe", "☐☒☐→✗✓☒☑", strict=True)),
    "wingdings 2": dict(zip(b"\x4f\x50\x51\x52\xa3", "✗✓☒☑☐", strict=True)),
}


@dataclass(slots=True)
class WordContent:
    """The text of a paragraph or cell, the ids of its notes by kind, and its text boxes, charts and diagrams."""

    text: str = ""
    notes: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    drawn: list[Element] = field(default_factory=list[Element])

    def add(self, other: "WordContent") -> None:
        """Add the notes and drawings of another content."""
        self.notes += other.notes
        self.drawn += other.drawn


def read_content(parent: Element, number_paragraph: Callable[[Element], str] = lambda _: "") -> WordContent:
    """The content of a paragraph, or of a cell or note with several; `number_paragraph` numbers those inside."""
    content = WordContent()
    content.text = join_pieces(_read_pieces(parent, content, number_paragraph))
    return content


def _read_pieces(
    parent: Element, content: WordContent, number_paragraph: Callable[[Element], str]
) -> Iterator[tuple[str, bool]]:
    """The pieces of the text, and whether they are superscript."""
    waiting: list[tuple[Element | str, bool]] = [(child, False) for child in list(parent)[::-1]]
    while waiting:
        element, is_raised = waiting.pop()
        if isinstance(element, str):
            yield element, False
            continue
        tag = element.tag
        if tag in {f"{W}t", f"{_M}t"}:
            yield element.text or "", is_raised
        elif tag in _BREAKS:
            yield _BREAKS[str(tag)], False
        elif tag == f"{W}sym":
            yield _read_symbol(element), False
        elif tag in {BOX, CHART, DIAGRAM}:
            content.drawn.append(element)
        elif tag in _NOTES:
            content.notes.append((_NOTES[str(tag)], element.get(f"{W}id") or ""))
        elif tag not in _UNSEEN and not _is_hidden(element):
            before, after = _frame(element, number_paragraph)
            waiting.append((after, False))
            raised = is_raised or read_value(element, "rPr/vertAlign") == "superscript"
            waiting.extend((child, raised) for child in list(element)[::-1])
            waiting.append((before, False))


def _frame(element: Element, number_paragraph: Callable[[Element], str]) -> tuple[str, str]:
    """What is written before and after the text of an element."""
    tag = str(element.tag)
    if tag == f"{W}p":
        return f" {number_paragraph(element)}", ""
    if tag == f"{_M}d":
        return _read_math_value(element, "begChr", "("), _read_math_value(element, "endChr", ")")
    if tag == f"{_M}nary":
        return _read_math_value(element, "chr", "∫"), ""
    mark = _FORMULA_MARKS.get(tag, "")
    parts = islice(element.iter(f"{_M}t"), _SEVERAL) if tag in _GROUPED else ()
    is_group = sum(len(part.text or "") for part in parts) > 1
    is_group = is_group and (tag != f"{_M}e" or _is_root(element))
    return (f"{mark}(", ")") if is_group else (mark, "")


def _is_root(element: Element) -> bool:
    parent = next(element.iterancestors(), None)
    return parent is not None and parent.tag == f"{_M}rad"


def _read_math_value(element: Element, name: str, default: str) -> str:
    found = element.find(f"{element.tag}Pr/{_M}{name}")
    return default if found is None else found.get(f"{_M}val") or ""


def _is_hidden(run: Element) -> bool:
    return run.tag == f"{W}r" and is_on(run.find(f"{W}rPr/{W}vanish"))


def _read_symbol(symbol: Element) -> str:
    """A character of a symbol font; empty if it is unknown."""
    try:
        code = int(symbol.get(f"{W}char") or "", 16)
    except ValueError:
        return ""
    letters = _SYMBOLS.get((symbol.get(f"{W}font") or "").lower(), {})
    return letters.get(code & 0xFF, "") if code >= _PRIVATE or letters else chr(code)


def read_value(parent: Element, path: str) -> str:
    """The value of the element at `path`; empty if there is none."""
    found = parent.find("/".join(W + step for step in path.split("/")))
    return (found.get(f"{W}val") or "") if found is not None else ""


def is_on(switch: Element | None) -> bool:
    """Whether a property such as bold is given, and not switched off."""
    return switch is not None and switch.get(f"{W}val") not in _FALSE
