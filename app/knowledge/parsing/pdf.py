"""Parse PDFs: lines joined into paragraphs, without hyphenation and running headers."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, nullcontext
from itertools import islice
from typing import Protocol, cast

import pypdfium2
from pypdfium2 import PdfiumError, raw

from app.knowledge.parsed import ParsedDocument
from app.knowledge.parsing import layout, refusals
from app.knowledge.parsing import text as plain
from app.knowledge.parsing.limits import ParsingLimits

_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "\xa0": " "})
_LINE_HYPHENS = str.maketrans({"\x02": "-", "\ufffe": "-", "\xad": "-"})  # PDFium's sign for a hyphen at a line's end
_MOST_BOOKMARKS = 5_000
_UNREADABLE_SHARE = 0.5  # of the characters without a meaning: a font without a table of its letters


class _TextPage(Protocol):
    def get_text_range(self) -> str: ...
    def get_charbox(self, index: int, loose: bool) -> tuple[float, float, float, float]: ...
    def close(self) -> None: ...


class _Page(Protocol):
    def get_textpage(self) -> _TextPage: ...
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
# A password, or a way to protect that is for certain people alone (certificates, a shop's books).
_PROTECTED = (cast(int, raw.FPDF_ERR_PASSWORD), cast(int, raw.FPDF_ERR_SECURITY))


PageTimeLimit = Callable[[], AbstractContextManager[None]]
"""Bounds the time of the block that reads a page. PDFium cannot be interrupted: only the process can be ended."""


def parse_pdf(data: bytes, limits: ParsingLimits, page_time_limit: PageTimeLimit = nullcontext) -> ParsedDocument:
    """Headings come from the bookmarks; the title is the document's property if a person wrote it."""
    _reset_last_error()
    try:
        with closing(_open(data)) as document:
            if len(document) > limits.pages:
                raise refusals.too_many_pages(len(document), limits.pages)
            pages = list(_read_pages(document, limits, page_time_limit))
            bookmarks = list(_read_bookmarks(document))
            title = plain.clean_title(_read_property(document, "Title"))
    except PdfiumError as error:
        locked = cast("int | None", getattr(error, "err_code", None)) in _PROTECTED
        raise (refusals.encrypted_file("This PDF") if locked else refusals.damaged_file("This PDF")) from error
    flow = layout.join_lines(layout.mark_headings(layout.remove_running_lines(pages), bookmarks))
    if not plain.has_text(flow.text) or _is_unreadable(flow.text):
        raise refusals.no_text_layer()
    return ParsedDocument(flow.text, "application/pdf", title, flow.headings, flow.page_starts)


def _reset_last_error() -> None:
    """A document without pages is told the last error that there was, be it another document's: let it be this."""
    _load(b"", 0, None)


def _read_pages(document: _Pdf, limits: ParsingLimits, page_bound: PageTimeLimit) -> Iterator[list[layout.Line]]:
    length = failed = 0
    for index in range(len(document)):
        lines: list[layout.Line] = []
        try:
            with (
                page_bound(),
                closing(document.get_page(index)) as page,
                closing(page.get_textpage()) as text_page,
            ):
                lines = list(_read_lines(text_page))
        except PdfiumError:  # one bad page does not take the others with it
            failed += 1
            if failed == len(document):
                raise
        length += sum(len(line.text) for line in lines)
        if length > limits.characters:
            raise refusals.too_much_text(limits.characters)
        yield lines


def _read_lines(text_page: _TextPage) -> Iterator[layout.Line]:
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


def _place_line(text_page: _TextPage, text: str, start: int, end: int) -> layout.Line:
    try:
        left, bottom, _, top = text_page.get_charbox(_char_index(text_page, start), loose=True)
        _, _, right, _ = text_page.get_charbox(_char_index(text_page, end), loose=True)
    except (PdfiumError, IndexError):  # a character without a place
        return layout.Line(text)
    return layout.Line(text, left, right, bottom, top - bottom)


def _read_bookmarks(document: _Pdf) -> Iterator[tuple[int, int, str]]:
    for bookmark in islice(document.get_toc(), _MOST_BOOKMARKS):
        try:
            target = bookmark.get_dest()
            page = target.get_index() if target else None
            title = bookmark.get_title()
        except (PdfiumError, ValueError):  # points nowhere, or is no text
            continue
        if page is not None:
            yield page, min(9, bookmark.level + 1), title


def _read_property(document: _Pdf, name: str) -> str | None:
    try:
        return document.get_metadata_value(name)
    except ValueError:  # half a character
        return None


def _is_unreadable(text: str) -> bool:
    sample = [character for character in text[:20_000] if not character.isspace()]
    odd = sum(1 for character in sample if character == "\ufffd" or "\ue000" <= character <= "\uf8ff")
    return odd > _UNREADABLE_SHARE * len(sample)
