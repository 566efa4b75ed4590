"""What we use of PDFium, whose bindings come without types. Places are in the PDF's own coordinates."""

import ctypes
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from typing import Protocol, cast

import pypdfium2
from pypdfium2 import PdfiumError, raw

from app.knowledge.parsing import refusals
from app.knowledge.parsing.formats import Format


class TextPage(Protocol):
    """The text of a page: PDFium counts its characters, and the units of its text."""

    def get_text_range(self) -> str:
        """The text, with line ends."""
        ...

    def get_charbox(self, index: int, loose: bool) -> tuple[float, float, float, float]:
        """Left, bottom, right and top of a character, or of the space that its font gives it. Raises PdfiumError."""
        ...

    def close(self) -> None:
        """Free it."""
        ...


class Bitmap(Protocol):
    """A picture in memory; a row takes `stride` bytes."""

    width: int
    height: int
    stride: int
    buffer: ctypes.Array[ctypes.c_ubyte]


class PdfPage(Protocol):
    """A page."""

    def get_textpage(self) -> TextPage:
        """Its text. Raises PdfiumError."""
        ...

    def get_size(self) -> tuple[float, float]:
        """Width and height in points, as shown."""
        ...

    def render(self, *, scale: float, grayscale: bool, rev_byteorder: bool = False) -> Bitmap:
        """A picture of it, in grays or in colors (blue, green, red, or reversed); scale 1 draws a dot per point."""
        ...

    def close(self) -> None:
        """Free it."""
        ...


class Destination(Protocol):
    """Where a bookmark points."""

    def get_index(self) -> int | None:
        """The page, from 0."""
        ...


class Bookmark(Protocol):
    """An entry of the table of contents."""

    level: int

    def get_title(self) -> str:
        """Its text. Raises ValueError."""
        ...

    def get_dest(self) -> Destination | None:
        """Where it points. Raises PdfiumError."""
        ...


class Pdf(Protocol):
    """An open document."""

    def __len__(self) -> int: ...

    def get_page(self, index: int) -> PdfPage:
        """A page, from 0. Raises PdfiumError."""
        ...

    def get_metadata_value(self, key: str) -> str:
        """A property of the document. Raises ValueError."""
        ...

    def get_toc(self) -> Iterator[Bookmark]:
        """The bookmarks."""
        ...

    def close(self) -> None:
        """Free it."""
        ...


char_index = cast(Callable[[TextPage, int], int], raw.FPDFText_GetCharIndexFromTextIndex)
"""The number of the character at this place of a page's text."""
read_unicode = cast(Callable[[TextPage, int], int], raw.FPDFText_GetUnicode)
"""The code point of a character."""
read_angle = cast(Callable[[TextPage, int], float], raw.FPDFText_GetCharAngle)
"""The angle by which a character is turned, in radians; below 0 if it is not known."""
to_device = cast(Callable[..., int], raw.FPDF_PageToDevice)
"""Turn a place on a page into whole pixels of a picture of it."""

_open = cast(Callable[[bytes], Pdf], pypdfium2.PdfDocument)
_load = cast(Callable[[bytes, int, None], object], raw.FPDF_LoadMemDocument64)
# A password, or protection for certain readers only (certificates, purchased books).
_PROTECTED = (cast(int, raw.FPDF_ERR_PASSWORD), cast(int, raw.FPDF_ERR_SECURITY))


@contextmanager
def open_pdf(data: bytes) -> Generator[Pdf]:
    """A PDF while the block runs, in which PDFium's errors become DocumentErrors."""
    _reset_last_error()
    try:
        with closing(_open(data)) as document:
            yield document
    except PdfiumError as error:
        locked = cast("int | None", getattr(error, "err_code", None)) in _PROTECTED
        refuse = refusals.encrypted_file if locked else refusals.damaged_file
        raise refuse(Format.PDF.noun) from error


def _reset_last_error() -> None:
    """Load nothing, to reset PDFium's last error.

    PDFium reports its last error for a document without pages, even another document's.
    """
    _load(b"", 0, None)
