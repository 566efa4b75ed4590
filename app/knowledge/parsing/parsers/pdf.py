"""Parse PDFs: lines joined into paragraphs, without hyphenation and running headers."""

import re
from collections.abc import Iterator
from contextlib import closing, nullcontext
from functools import partial
from itertools import islice
from statistics import median_low

from pypdfium2 import PdfiumError

from app.knowledge.parsed_documents import ParsedDocument
from app.knowledge.parsing import refusals
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import PageTimeLimit, ParsingLimits
from app.knowledge.parsing.parsers import pdf_forms, pdf_layout, pdf_tags, pdfium, recognition
from app.knowledge.parsing.parsers import text as plain

_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "\xa0": " "})
_LINE_HYPHENS = str.maketrans(
    {"\x02": "-", "\ufffe": "-", "\xad": "-"}
)  # PDFium's characters for a hyphen at the end of a line
# PDFium joins words that are divided at a line end, and thereby their lines.
_DIVIDED = re.compile(r"(?<=[\x02\ufffe])(?=\S)")
_MAX_BOOKMARKS = 5_000
_DOTS_PER_INCH = 200
_MAX_DOTS = 25_000_000
_MEASURED = 5  # the most characters of a line that are measured
_LONGEST_MARKED = 2_000  # the most characters of a line in which the places of ticked boxes are looked for
_INITIAL = 1.6  # from this factor of the other letters' size, a letter is a drop cap
_LIKELY = 3  # the size of a character is at most this factor of its box's height
_UNREADABLE_SHARE = 0.5  # of characters that map to no letter, as in a font without a character map


def parse_pdf(data: bytes, limits: ParsingLimits, page_time_limit: PageTimeLimit = nullcontext) -> ParsedDocument:
    """Parse a PDF. Headings come from bookmarks or else tags, the title from a property unless a program made it up."""
    with pdfium.open_pdf(data) as document:
        flow = read_flow(document, limits, page_time_limit)
        title = plain.clean_title(_read_property(document, "Title"))
        if not plain.has_text(flow.text) or _is_unreadable(flow.text):
            return _recognize_pages(document, title, limits, page_time_limit)
    return ParsedDocument(flow.text, Format.PDF.media_type, title, flow.headings, flow.page_starts)


def read_flow(document: pdfium.Pdf, limits: ParsingLimits, page_time_limit: PageTimeLimit) -> pdf_layout.TextFlow:
    """The running text of all pages. Raises PdfiumError, and DocumentError if a limit is exceeded."""
    if len(document) > limits.pages:
        raise refusals.too_many_pages(len(document), limits.pages)
    bookmarks = list(_read_bookmarks(document))
    pages = list(_read_pages(document, limits, page_time_limit, uses_tags=not bookmarks))
    text_lines = pdf_tags.drop_doubtful_headings(pdf_layout.remove_running_lines(pages))
    return pdf_layout.join_lines(pdf_layout.mark_headings(text_lines, bookmarks))


def _recognize_pages(
    document: pdfium.Pdf, title: str | None, limits: ParsingLimits, page_time_limit: PageTimeLimit
) -> ParsedDocument:
    """Parse a scanned document with Tesseract. Raises NO_TEXT_LAYER if it is not installed or finds nothing."""
    recognize = recognition.find_recognizer(limits)
    if recognize is None:
        raise refusals.no_text_layer()
    texts: list[str] = []
    starts: list[int] = []
    length = failed = 0
    for index in range(len(document)):
        picture = None
        try:
            with page_time_limit(), closing(document.get_page(index)) as page:
                picture = _draw_page(page)
        except PdfiumError:  # a bad page must not cost the others
            failed += 1
            if failed == len(document):
                raise
        starts.append(length)
        texts.append(recognize(picture) if picture else "")
        length += len(texts[-1]) + 2
        if length > limits.characters:
            raise refusals.too_much_text(limits.document_characters)
    text = "\n\n".join(texts)
    if not plain.has_text(text):
        raise refusals.no_text_layer()
    return ParsedDocument(text, Format.PDF.media_type, title, page_starts=tuple(starts))


def _draw_page(page: pdfium.PdfPage) -> bytes:
    """Draw a page in grayscale, as a portable graymap. Raises PdfiumError."""
    drawn = page.render(scale=pdfium.limited_scale(page, _DOTS_PER_INCH / 72, _MAX_DOTS), grayscale=True)
    pixels = bytes(drawn.buffer)
    rows = (pixels[start : start + drawn.width] for start in range(0, drawn.height * drawn.stride, drawn.stride))
    return b"P5 %d %d 255\n%b" % (drawn.width, drawn.height, b"".join(rows))


def _read_pages(
    document: pdfium.Pdf, limits: ParsingLimits, page_time_limit: PageTimeLimit, *, uses_tags: bool
) -> Iterator[list[pdf_layout.Line]]:
    length = failed = 0
    uses_tags = uses_tags and bool(pdfium.is_tagged(document))
    for index in range(len(document)):
        lines: list[pdf_layout.Line] = []
        try:
            with (
                page_time_limit(),
                closing(document.get_page(index)) as page,
                closing(page.get_textpage()) as text_page,
            ):
                lines = list(_read_lines(text_page))
                lines = pdf_tags.mark_tagged_headings(page, text_page, lines) if uses_tags else lines
                if fields := list(pdf_forms.read_fields(document, page)):
                    lines = pdf_forms.place_fields(
                        lines, fields, partial(_find_offset, text_page, text_page.get_text_range())
                    )
        except PdfiumError:  # a bad page must not cost the others
            failed += 1
            if failed == len(document):
                raise
        length += sum(len(line.text) for line in lines)
        if length > limits.characters:
            raise refusals.too_much_text(limits.document_characters)
        yield lines


def _read_lines(text_page: pdfium.TextPage) -> Iterator[pdf_layout.Line]:
    text = text_page.get_text_range()
    position = 0
    for printed in (part for line in text.splitlines(keepends=True) for part in _DIVIDED.split(line)):
        stripped = printed.rstrip()
        body = stripped.lstrip()
        start = position + len(stripped) - len(body)
        position += len(printed)
        clean = clean_line(body)
        if clean:
            yield _place_line(text_page, body, clean, start)


def _find_offset(text_page: pdfium.TextPage, text: str, line: pdf_layout.Line, x: float) -> int:
    """The offset in a line's text of its first character to the right of `x`; its length if there is none."""
    if x <= line.left:
        return 0
    start, end = line.source
    printed = text[start:end] if x < line.right and end - start <= _LONGEST_MARKED else ""
    for index, character in enumerate(printed):
        if not character.isspace():
            box = pdfium.read_loose_box(text_page, start + index)
            if (box.left + box.right) / 2 > x:
                offset = len(clean_line(printed[:index]))
                return offset + (line.text[offset : offset + 1] == " ")
    return len(line.text)


def clean_line(printed: str) -> str:
    """A line of a page's text as it is stored, stripped of white space."""
    spelled = (printed[:-1] + printed[-1:].translate(_LINE_HYPHENS)).translate(_LIGATURES)
    return plain.clean_text(spelled).strip()


def _place_line(text_page: pdfium.TextPage, printed: str, text: str, start: int) -> pdf_layout.Line:
    end = start + len(printed)
    try:
        first = pdfium.read_loose_box(text_page, start)
        last = pdfium.read_loose_box(text_page, end - 1)
        size, baseline = _measure_line(text_page, printed, start)
    except PdfiumError:  # a character without a position
        return pdf_layout.Line(text)
    height = first.top - first.bottom
    if not height / _LIKELY < size < height * _LIKELY:  # symbol fonts may have any size
        size = height
    return pdf_layout.Line(text, first.left, last.right, baseline, size, source=(start, end))


def _measure_line(text_page: pdfium.TextPage, printed: str, start: int) -> pdfium.TypeSize:
    """The prevailing size and baseline of a line, measured at some of its characters.

    Line and footnote numbers are smaller, and drop caps are larger. Character boxes are less reliable: they differ
    between fonts of the same size, and the parts of a ligature share the box of its ink.
    """
    inked = [start + index for index, character in enumerate(printed) if not character.isspace()]
    chosen = {inked[index * (len(inked) - 1) // (_MEASURED - 1)] for index in range(_MEASURED)}
    types = sorted(pdfium.read_type(text_page, index) for index in chosen)
    large, largest = types[-2:][0].size, types[-1].size
    size = large if largest > _INITIAL * large else largest
    baselines = [each.baseline for each in types if each.size == size]
    return pdfium.TypeSize(size, median_low(baselines))


def _read_bookmarks(document: pdfium.Pdf) -> Iterator[tuple[int, int, str]]:
    for bookmark in islice(document.get_toc(), _MAX_BOOKMARKS):
        try:
            target = bookmark.get_dest()
            page = target.get_index() if target else None
            title = bookmark.get_title()
        except (PdfiumError, ValueError):  # points nowhere, or is not text
            continue
        if page is not None:
            yield page, min(9, bookmark.level + 1), title


def _read_property(document: pdfium.Pdf, name: str) -> str | None:
    try:
        return document.get_metadata_value(name)
    except ValueError:  # an incomplete character
        return None


def _is_unreadable(text: str) -> bool:
    sample = [character for character in text[:20_000] if not character.isspace()]
    odd = sum(1 for character in sample if character == "\ufffd" or "\ue000" <= character <= "\uf8ff")
    return odd > _UNREADABLE_SHARE * len(sample)
