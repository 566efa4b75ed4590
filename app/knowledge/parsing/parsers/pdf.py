"""Parse PDFs: lines joined into paragraphs, without hyphenation and running headers."""

import ctypes
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, nullcontext
from itertools import islice
from typing import Protocol, cast

import pypdfium2
from pypdfium2 import PdfiumError, raw

from app.knowledge.parsed_documents import ParsedDocument
from app.knowledge.parsing import refusals
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import pdf_layout, recognition
from app.knowledge.parsing.parsers import text as plain

_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "\xa0": " "})
_LINE_HYPHENS = str.maketrans(
    {"\x02": "-", "\ufffe": "-", "\xad": "-"}
)  # PDFium's characters for a hyphen at the end of a line
_MAX_BOOKMARKS = 5_000
_DOTS_PER_INCH = 200
_MAX_DOTS = 25_000_000
_UNREADABLE_SHARE = 0.5  # of characters that map to no letter, as in a font without a character map


class _TextPage(Protocol):
    def get_text_range(self) -> str: ...
    def get_charbox(self, index: int, loose: bool) -> tuple[float, float, float, float]: ...
    def close(self) -> None: ...


class _Bitmap(Protocol):
    width: int
    height: int
    stride: int
    buffer: ctypes.Array[ctypes.c_ubyte]


class _Page(Protocol):
    def get_textpage(self) -> _TextPage: ...
    def get_size(self) -> tuple[float, float]: ...
    def render(self, *, scale: float, grayscale: bool) -> _Bitmap: ...
    def close(self) -> None: ...


class _Destination(Protocol):
    def get_index(self) -> int | None: ...


class _Bookmark(Protocol):
    level: int

    def get_title(self) -> str: ...
    def get_dest(self) -> _Destination | None: ...


class _Pdf(Protocol):
    """What we use of pypdfium2, which comes without types."""

    def __len__(self) -> int: ...
    def get_page(self, index: int) -> _Page: ...
    def get_metadata_value(self, key: str) -> str: ...
    def get_toc(self) -> Iterator[_Bookmark]: ...
    def close(self) -> None: ...


_open = cast(Callable[[bytes], _Pdf], pypdfium2.PdfDocument)
_char_index = cast(Callable[[_TextPage, int], int], raw.FPDFText_GetCharIndexFromTextIndex)
_load = cast(Callable[[bytes, int, None], object], raw.FPDF_LoadMemDocument64)
# A password, or protection for certain readers only (certificates, purchased books).
_PROTECTED = (cast(int, raw.FPDF_ERR_PASSWORD), cast(int, raw.FPDF_ERR_SECURITY))


PageTimeLimit = Callable[[], AbstractContextManager[None]]
"""Limits the time of the block that reads a page. PDFium cannot be interrupted; only its process can be killed."""


def parse_pdf(data: bytes, limits: ParsingLimits, page_time_limit: PageTimeLimit = nullcontext) -> ParsedDocument:
    """Headings come from the bookmarks; the title from the document's properties, unless a program made it up."""
    _reset_last_error()
    try:
        with closing(_open(data)) as document:
            if len(document) > limits.pages:
                raise refusals.too_many_pages(len(document), limits.pages)
            pages = list(_read_pages(document, limits, page_time_limit))
            bookmarks = list(_read_bookmarks(document))
            title = plain.clean_title(_read_property(document, "Title"))
            flow = pdf_layout.join_lines(pdf_layout.mark_headings(pdf_layout.remove_running_lines(pages), bookmarks))
            if not plain.has_text(flow.text) or _is_unreadable(flow.text):
                return _recognize_pages(document, title, limits, page_time_limit)
    except PdfiumError as error:
        locked = cast("int | None", getattr(error, "err_code", None)) in _PROTECTED
        refuse = refusals.encrypted_file if locked else refusals.damaged_file
        raise refuse(Format.PDF.noun) from error
    return ParsedDocument(flow.text, Format.PDF.media_type, title, flow.headings, flow.page_starts)


def _recognize_pages(
    document: _Pdf, title: str | None, limits: ParsingLimits, page_time_limit: PageTimeLimit
) -> ParsedDocument:
    """A scanned document, by Tesseract. Raises NO_TEXT_LAYER where it is not installed or finds nothing."""
    recognize = recognition.find_recognizer(limits)
    if recognize is None:
        raise refusals.no_text_layer()
    texts: list[str] = []
    starts: list[int] = []
    length = 0
    for index in range(len(document)):
        with page_time_limit(), closing(document.get_page(index)) as page:
            picture = _draw_page(page)
        starts.append(length)
        texts.append(recognize(picture))
        length += len(texts[-1]) + 2
        if length > limits.characters:
            raise refusals.too_much_text(limits.characters)
    text = "\n\n".join(texts)
    if not plain.has_text(text):
        raise refusals.no_text_layer()
    return ParsedDocument(text, Format.PDF.media_type, title, page_starts=tuple(starts))


def _draw_page(page: _Page) -> bytes:
    """A page in shades of gray, as a portable graymap."""
    width, height = page.get_size()
    scale = min(_DOTS_PER_INCH / 72, (_MAX_DOTS / max(1.0, width * height)) ** 0.5)
    drawn = page.render(scale=scale, grayscale=True)
    pixels = bytes(drawn.buffer)
    rows = (pixels[start : start + drawn.width] for start in range(0, drawn.height * drawn.stride, drawn.stride))
    return b"P5 %d %d 255\n%b" % (drawn.width, drawn.height, b"".join(rows))


def _reset_last_error() -> None:
    """Load nothing, to reset PDFium's last error.

    PDFium reports its last error for a document without pages, even another document's.
    """
    _load(b"", 0, None)


def _read_pages(
    document: _Pdf, limits: ParsingLimits, page_time_limit: PageTimeLimit
) -> Iterator[list[pdf_layout.Line]]:
    length = failed = 0
    for index in range(len(document)):
        lines: list[pdf_layout.Line] = []
        try:
            with (
                page_time_limit(),
                closing(document.get_page(index)) as page,
                closing(page.get_textpage()) as text_page,
            ):
                lines = list(_read_lines(text_page))
        except PdfiumError:  # a bad page must not cost the others
            failed += 1
            if failed == len(document):
                raise
        length += sum(len(line.text) for line in lines)
        if length > limits.characters:
            raise refusals.too_much_text(limits.characters)
        yield lines


def _read_lines(text_page: _TextPage) -> Iterator[pdf_layout.Line]:
    text = text_page.get_text_range()
    position = 0
    for printed in text.splitlines(keepends=True):
        stripped = printed.rstrip()
        start = position + len(printed) - len(printed.lstrip())
        end = position + len(stripped) - 1
        position += len(printed)
        body = stripped.strip()
        clean = plain.clean_text((body[:-1] + body[-1:].translate(_LINE_HYPHENS)).translate(_LIGATURES)).strip()
        if clean:
            yield _place_line(text_page, clean, start, end)


def _place_line(text_page: _TextPage, text: str, start: int, end: int) -> pdf_layout.Line:
    try:
        left, bottom, _, top = text_page.get_charbox(_char_index(text_page, start), loose=True)
        _, _, right, _ = text_page.get_charbox(_char_index(text_page, end), loose=True)
    except (PdfiumError, IndexError):  # a character without a position
        return pdf_layout.Line(text)
    return pdf_layout.Line(text, left, right, bottom, top - bottom)


def _read_bookmarks(document: _Pdf) -> Iterator[tuple[int, int, str]]:
    for bookmark in islice(document.get_toc(), _MAX_BOOKMARKS):
        try:
            target = bookmark.get_dest()
            page = target.get_index() if target else None
            title = bookmark.get_title()
        except (PdfiumError, ValueError):  # points nowhere, or is not text
            continue
        if page is not None:
            yield page, min(9, bookmark.level + 1), title


def _read_property(document: _Pdf, name: str) -> str | None:
    try:
        return document.get_metadata_value(name)
    except ValueError:  # an incomplete character
        return None


def _is_unreadable(text: str) -> bool:
    sample = [character for character in text[:20_000] if not character.isspace()]
    odd = sum(1 for character in sample if character == "\ufffd" or "\ue000" <= character <= "\uf8ff")
    return odd > _UNREADABLE_SHARE * len(sample)
