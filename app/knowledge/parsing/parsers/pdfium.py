"""A typed interface to the parts of PDFium that we use. Coordinates are the PDF's own."""

import ctypes
import math
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, suppress
from typing import NamedTuple, Protocol, cast

import pypdfium2
from pypdfium2 import PdfiumError, raw

from app.knowledge.parsing import refusals
from app.knowledge.parsing.formats import Format


class TextPage(Protocol):
    """The text of a page. PDFium counts both its characters and the units of its text."""

    def get_text_range(self) -> str:
        """The text, with line ends."""
        ...

    def get_charbox(self, index: int, loose: bool) -> tuple[float, float, float, float]:
        """Left, bottom, right and top of a character's ink, or (`loose`) of its font's cell. Raises PdfiumError."""
        ...

    def close(self) -> None:
        """Free it."""
        ...


class GlyphBox(NamedTuple):
    """The box of a character, in the PDF's coordinates."""

    left: float
    bottom: float
    right: float
    top: float


class TypeSize(NamedTuple):
    """The size of a character's font as printed, in points, and the height of its baseline."""

    size: float
    baseline: float


class Rectangle(Protocol):
    """A rectangle that PDFium fills in."""

    left: float
    bottom: float
    right: float
    top: float


class _Matrix(Protocol):
    c: float
    d: float


class Bitmap(Protocol):
    """An image in memory; a row takes `stride` bytes."""

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
        """Draw it in grayscale or color (blue, green, red, or reversed); scale 1 draws a pixel per point."""
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
    """An open document; `formenv` is what its forms need."""

    formenv: object | None

    def __len__(self) -> int: ...

    def get_page(self, index: int) -> PdfPage:
        """A page, from 0. Raises PdfiumError."""
        ...

    def init_forms(self) -> bool:
        """Load its forms, if it has any; pages opened later show filled fields. Raises PdfiumError."""
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
"""The index of the character at this index of a page's text."""
read_unicode = cast(Callable[[TextPage, int], int], raw.FPDFText_GetUnicode)
"""The code point of a character."""
read_angle = cast(Callable[[TextPage, int], float], raw.FPDFText_GetCharAngle)
"""The angle by which a character is rotated, in radians; below 0 if unknown."""
new_rectangle = cast(Callable[[], Rectangle], raw.FS_RECTF)
"""An empty rectangle."""
is_tagged = cast(Callable[[Pdf], int], raw.FPDFCatalog_IsTagged)
"""Whether a document is tagged: it says what its parts are, such as headings."""
open_tags = cast(Callable[[PdfPage], object], raw.FPDF_StructTree_GetForPage)
"""The tags of a page, which must be closed; falsy if there are none."""
close_tags = cast(Callable[[object], None], raw.FPDF_StructTree_Close)
"""Free them."""
to_device = cast(Callable[..., int], raw.FPDF_PageToDevice)
"""Convert coordinates on a page to whole pixels of an image of it."""

_new_matrix = cast(Callable[[], _Matrix], raw.FS_MATRIX)
_read_matrix = cast(Callable[[TextPage, int, object], int], raw.FPDFText_GetMatrix)
_read_origin = cast(Callable[[TextPage, int, object, object], int], raw.FPDFText_GetCharOrigin)
_read_font_size = cast(Callable[[TextPage, int], float], raw.FPDFText_GetFontSize)
_read_loose_box = cast(Callable[[TextPage, int, object], int], raw.FPDFText_GetLooseCharBox)
_count_roots = cast(Callable[[object], int], raw.FPDF_StructTree_CountChildren)
_get_root = cast(Callable[[object, int], object], raw.FPDF_StructTree_GetChildAtIndex)
_count_children = cast(Callable[[object], int], raw.FPDF_StructElement_CountChildren)
_get_child = cast(Callable[[object, int], object], raw.FPDF_StructElement_GetChildAtIndex)
_get_content = cast(Callable[[object, int], int], raw.FPDF_StructElement_GetChildMarkedContentID)
_read_tag_name = cast(Callable[[object, object, int], int], raw.FPDF_StructElement_GetType)
_find_text_object = cast(Callable[[TextPage, int], object], raw.FPDFText_GetTextObject)
_read_content_number = cast(Callable[[object], int], raw.FPDFPageObj_GetMarkedContentID)
_open = cast(Callable[[bytes], Pdf], pypdfium2.PdfDocument)
_load = cast(Callable[[bytes, int, None], object], raw.FPDF_LoadMemDocument64)
# A password, or protection for certain readers only (certificates, purchased books).
_PROTECTED = (cast(int, raw.FPDF_ERR_PASSWORD), cast(int, raw.FPDF_ERR_SECURITY))
_LONGEST_TAG = 64  # bytes, two for each character
# The longest side of an image, in pixels. Tesseract and browsers read at most 32,767.
_MAX_SIDE = 32_000


def read_loose_box(text_page: TextPage, text_index: int) -> GlyphBox:
    """The cell of the character at this index of a page's text, as defined by its font. Raises PdfiumError."""
    box = new_rectangle()
    index = char_index(text_page, text_index)
    if index < 0 or not _read_loose_box(text_page, index, box):
        raise PdfiumError("a character without a place")
    return GlyphBox(box.left, box.bottom, box.right, box.top)


def read_type(text_page: TextPage, text_index: int) -> TypeSize:
    """The size and baseline of the character at this index of a page's text. Raises PdfiumError."""
    index, matrix = char_index(text_page, text_index), _new_matrix()
    x, y = ctypes.c_double(), ctypes.c_double()
    if index < 0 or not (_read_matrix(text_page, index, matrix) and _read_origin(text_page, index, x, y)):
        raise PdfiumError("a character without a place")
    return TypeSize(_read_font_size(text_page, index) * math.hypot(matrix.c, matrix.d), y.value)


def find_roots(tags: object) -> Iterator[object]:
    """The outermost elements of a page's tags."""
    return filter(None, (_get_root(tags, index) for index in range(_count_roots(tags))))


def read_element(element: object) -> tuple[str, list[object], list[int]]:
    """The name of an element, its child elements, and the numbers of its contents."""
    name = ctypes.create_string_buffer(_LONGEST_TAG)
    length = _read_tag_name(element, name, _LONGEST_TAG)
    named = name.raw[: length - 2].decode("utf-16-le", "replace") if 2 < length <= _LONGEST_TAG else ""
    indices = range(_count_children(element))
    children = [child for index in indices if (child := _get_child(element, index))]
    return named, children, [number for index in indices if (number := _get_content(element, index)) >= 0]


def read_content(text_page: TextPage, text_index: int) -> int:
    """The number of the content that contains the character at this index of a page's text; below 0: none."""
    index = char_index(text_page, text_index)
    found = _find_text_object(text_page, index) if index >= 0 else None
    return _read_content_number(found) if found else -1


@contextmanager
def open_pdf(data: bytes) -> Generator[Pdf]:
    """Open a PDF for the block, and translate PDFium's errors in it into DocumentErrors."""
    _reset_last_error()
    try:
        with closing(_open(data)) as document:
            with suppress(PdfiumError):
                document.init_forms()
            yield document
    except PdfiumError as error:
        locked = cast("int | None", getattr(error, "err_code", None)) in _PROTECTED
        refuse = refusals.encrypted_file if locked else refusals.damaged_file
        raise refuse(Format.PDF.noun) from error


def limited_scale(page: PdfPage, wanted: float, max_dots: int) -> float:
    """The scale to draw a page at: `wanted`, or less if the image would have too long a side or too many pixels.

    A side has at least one pixel, so a page that is hardly wider than a line has more pixels than its area suggests.
    Raises PdfiumError for a page without an area, such as one cropped to a region outside of it.
    """
    width, height = page.get_size()
    if not (width > 0 and height > 0):
        raise PdfiumError("a page without an area")
    return min(wanted, _MAX_SIDE / max(width, height), (max_dots / (width * height)) ** 0.5)


def _reset_last_error() -> None:
    """Reset PDFium's last error by loading nothing.

    PDFium reports its last error for a document without pages, even another document's.
    """
    _load(b"", 0, None)
