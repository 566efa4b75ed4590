"""Read the filled fields of PDF forms, which are shown on the page but are not part of its text."""

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
_read_label = cast(Callable[..., int], raw.FPDFAnnot_GetOptionLabel)
_TEXT_BOX = cast(int, raw.FPDF_FORMFIELD_TEXTFIELD)
_LISTS = (raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX)
_HIDDEN = cast(int, raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW)
_PASSWORD = cast(int, raw.FPDF_FORMFLAG_TEXT_PASSWORD)
_MIDDLE = 0.35  # the height of a letter's middle above the baseline, as a factor of the type size


class FilledField(NamedTuple):
    """The value of a field, and its box."""

    text: str
    box: pdfium.GlyphBox


def read_fields(document: pdfium.Pdf, page: pdfium.PdfPage) -> Iterator[FilledField]:
    """The filled fields of a page, without passwords, hidden fields and check boxes."""
    form = document.formenv
    for index in range(_count_annotations(page) if form else 0):
        annotation = _get_annotation(page, index)
        if not annotation:
            continue
        try:
            text, box = _read_field(form, annotation), pdfium.new_rectangle()
            if text and _read_box(annotation, box):
                yield FilledField(text, pdfium.GlyphBox(box.left, box.bottom, box.right, box.top))
        finally:
            _close_annotation(annotation)


def _read_field(form: object, annotation: object) -> str:
    """The displayed value of a field on one line: the labels of its chosen options, or else its value."""
    kind = _read_kind(form, annotation)
    if kind not in (_TEXT_BOX, *_LISTS) or _read_flags(annotation) & _HIDDEN:
        return ""
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


def place_fields(lines: Sequence[Line], fields: Sequence[FilledField]) -> list[Line]:
    """Insert field values into the lines of a page: after the label left of a field, or else below the line above.

    Lines with a value have no size, so that they are not joined with others.
    """
    placed = list(lines)
    for field in sorted(fields, key=lambda field: (-field.box.top, field.box.left)):
        label = _find_label(placed, field.box)
        if label is not None:
            placed[label] = replace(placed[label], text=f"{placed[label].text} {field.text}", size=0.0)
            continue
        above = _find_line_above(placed, field.box)
        line = Line(field.text, field.box.left, field.box.right, field.box.bottom)
        placed.insert(0 if above is None else above + 1, line)
    return placed


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
