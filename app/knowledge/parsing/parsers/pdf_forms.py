"""Read the fields of PDF forms, which are shown on the page but are not part of its text: values and ticked boxes."""

import ctypes
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, cast

from pypdfium2 import raw

from app.knowledge.parsing.parsers import pdfium
from app.knowledge.parsing.parsers import text as plain
from app.knowledge.parsing.parsers.pdf_layout import Line

_count_annotations = cast(Callable[[pdfium.PdfPage], int], raw.FPDFPage_GetAnnotCount)
_get_annotation = cast(Callable[[pdfium.PdfPage, int], object], raw.FPDFPage_GetAnnot)
_close_annotation = cast(Callable[[object], None], raw.FPDFPage_CloseAnnot)
_read_flags = cast(Callable[[object], int], raw.FPDFAnnot_GetFlags)
_read_box = cast(Callable[[object, object], int], raw.FPDFAnnot_GetRect)
_read_kind = cast(Callable[[object, object], int], raw.FPDFAnnot_GetFormFieldType)
_read_field_flags = cast(Callable[[object, object], int], raw.FPDFAnnot_GetFormFieldFlags)
_read_value = cast(Callable[..., int], raw.FPDFAnnot_GetFormFieldValue)
_count_options = cast(Callable[[object, object], int], raw.FPDFAnnot_GetOptionCount)
_is_selected = cast(Callable[[object, object, int], int], raw.FPDFAnnot_IsOptionSelected)
_is_checked = cast(Callable[[object, object], int], raw.FPDFAnnot_IsChecked)
_read_label = cast(Callable[..., int], raw.FPDFAnnot_GetOptionLabel)
_TEXT_BOX = cast(int, raw.FPDF_FORMFIELD_TEXTFIELD)
_LISTS = (raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX)
_BOXES = (raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON)
_HIDDEN = cast(int, raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW)
_PASSWORD = cast(int, raw.FPDF_FORMFLAG_TEXT_PASSWORD)
_MIDDLE = 0.35  # the height of a letter's middle above the baseline, as a factor of the type size
_SLACK = 3.0  # points by which a box to tick may be above or below its label
TICKED, EMPTY = "☒", "☐"


class FormField(NamedTuple):
    """The value of a field, or the mark of a box to tick; and its place on the page."""

    text: str
    box: pdfium.GlyphBox


def read_fields(document: pdfium.Pdf, page: pdfium.PdfPage) -> Iterator[FormField]:
    """The filled fields and the boxes to tick (check boxes and radio buttons), without passwords and hidden fields."""
    form = document.formenv
    for index in range(_count_annotations(page) if form else 0):
        annotation = _get_annotation(page, index)
        if not annotation:
            continue
        try:
            text, box = _read_field(form, annotation), pdfium.new_rectangle()
            if text and _read_box(annotation, box):
                yield FormField(text, pdfium.GlyphBox(box.left, box.bottom, box.right, box.top))
        finally:
            _close_annotation(annotation)


def _read_field(form: object, annotation: object) -> str:
    """The displayed value of a field on one line: the labels of its chosen options, or else its value; or its mark."""
    kind = _read_kind(form, annotation)
    if kind not in (_TEXT_BOX, *_LISTS, *_BOXES) or _read_flags(annotation) & _HIDDEN:
        return ""
    if kind in _BOXES:
        return TICKED if _is_checked(form, annotation) else EMPTY
    if kind == _TEXT_BOX and _read_field_flags(form, annotation) & _PASSWORD:
        return ""
    chosen = [index for index in range(_count_options(form, annotation)) if _is_selected(form, annotation, index)]
    labels = [_read_wide(_read_label, form, annotation, index) for index in chosen]
    value = ", ".join(labels) or _read_wide(_read_value, form, annotation)
    return " ".join(plain.clean_text(value).split())


def _read_wide(read: Callable[..., int], *arguments: object) -> str:
    """Read a text from PDFium: ask for its size first; it is in UTF-16 with a terminating zero."""
    length = read(*arguments, None, 0)
    if length <= 2:
        return ""
    buffer = ctypes.create_string_buffer(length)
    read(*arguments, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), length)
    return buffer.raw[: length - 2].decode("utf-16-le", "replace")


def place_fields(
    lines: Sequence[Line], fields: Sequence[FormField], find_offset: Callable[[Line, float], int]
) -> list[Line]:
    """Insert fields into the lines of a page: values after the label left of a field, or else below the line above.

    Marks stand before the text to their right, or else after the text to their left. `find_offset` returns where in the
    text of a line the text to the right of a place (in points) begins. Changed lines have no size, so that they are not
    joined with others.
    """
    marks = [field for field in fields if field.text in (TICKED, EMPTY)]
    placed = _place_marks(lines, marks, find_offset)
    values = (field for field in fields if field.text not in (TICKED, EMPTY))
    for field in sorted(values, key=lambda field: (-field.box.top, field.box.left)):
        label = _find_label(placed, field.box)
        if label is not None:
            placed[label] = replace(placed[label], text=f"{placed[label].text} {field.text}", size=0.0)
            continue
        above = _find_line_above(placed, field.box)
        line = Line(field.text, field.box.left, field.box.right, field.box.bottom)
        placed.insert(0 if above is None else above + 1, line)
    return placed


def _place_marks(
    lines: Sequence[Line], marks: Sequence[FormField], find_offset: Callable[[Line, float], int]
) -> list[Line]:
    placed = list(lines)
    by_line: dict[int, list[FormField]] = {}
    for mark in marks:
        beside = _find_line_beside(lines, mark.box)
        if beside is not None:
            by_line.setdefault(beside, []).append(mark)
    for index, found in by_line.items():
        placed[index] = _mark_line(lines[index], sorted(found, key=lambda mark: mark.box.left), find_offset)
    return placed


def _mark_line(line: Line, marks: Sequence[FormField], find_offset: Callable[[Line, float], int]) -> Line:
    """The line with marks, which are in order."""
    text = ""
    added: list[tuple[int, int]] = []
    reached = 0
    for mark in marks:
        offset = max(reached, find_offset(line, (mark.box.left + mark.box.right) / 2))
        text += line.text[reached:offset]
        inserted = f"{mark.text} " if not text or text[-1].isspace() else f" {mark.text} "
        added.append((len(text), len(text) + len(inserted)))
        text += inserted
        reached = offset
    text += line.text[reached:]
    return replace(line, text=text.rstrip(), left=min(line.left, marks[0].box.left), size=0.0, added=tuple(added))


def _find_line_beside(lines: Sequence[Line], box: pdfium.GlyphBox) -> int | None:
    """The line next to a box to tick, or around it; of several, the nearest."""
    beside = [
        index
        for index, line in enumerate(lines)
        if box.bottom - _SLACK <= line.baseline + _MIDDLE * line.size <= box.top + _SLACK
    ]
    return min(
        beside, key=lambda index: max(lines[index].left - box.right, box.left - lines[index].right), default=None
    )


def _find_label(lines: Sequence[Line], box: pdfium.GlyphBox) -> int | None:
    """The line next to a field that begins to its left; the nearest one if there are several."""
    candidates = [
        index
        for index, line in enumerate(lines)
        if line.left < box.left and box.bottom <= line.baseline + _MIDDLE * line.size <= box.top
    ]
    return max(candidates, key=lambda index: lines[index].left, default=None)


def _find_line_above(lines: Sequence[Line], box: pdfium.GlyphBox) -> int | None:
    """The lowest line above a field, preferably one that overlaps it horizontally."""
    above = [index for index, line in enumerate(lines) if line.baseline >= box.bottom]
    over = [index for index in above if lines[index].left < box.right and lines[index].right > box.left]
    return min(over or above, key=lambda index: (lines[index].baseline, -index), default=None)
