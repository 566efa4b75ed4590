"""Read the text of shapes, of cells of a slide's table, and of diagrams (DrawingML)."""

from collections.abc import Iterator

from app.knowledge.parsing.parsers.office.package import Element
from app.knowledge.parsing.parsers.text_writer import join_pieces

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_FORMULA_TEXT = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"


def read_paragraphs(parent: Element) -> Iterator[str]:
    """The texts of the paragraphs in a shape, a cell or a diagram."""
    for paragraph in parent.iter(f"{_A}p"):
        parts = paragraph.iter(f"{_A}t", f"{_A}br", _FORMULA_TEXT)
        yield join_pieces((" " if part.tag == f"{_A}br" else part.text or "", _is_raised(part)) for part in parts)


def _is_raised(text: Element) -> bool:
    """Whether the text of a run is superscript: above the base line, by a share of the type size."""
    run = next(text.iterancestors(f"{_A}r"), None)
    properties = run.find(f"{_A}rPr") if run is not None else None
    raised = (properties.get("baseline") or "") if properties is not None else ""
    return raised.isdecimal() and raised.strip("0") != ""
