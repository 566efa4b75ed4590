"""Build small PDFs from lines of text at given positions, turn their pages, and read what stands in boxes on them."""

import io
import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

import pypdfium2

open_pdf = cast(Callable[[bytes], Any], pypdfium2.PdfDocument)
"""A document of PDFium, whose bindings come without types."""

Placed = tuple[float, float, str]
"""Left and lower edge in points, and the text (ASCII)."""


def pdf(pages: Sequence[Sequence[Placed]], *, title: str = "", encrypted: bool = False) -> bytes:
    """A PDF in 10 pt Helvetica. Nobody can open an encrypted one: its password check is random."""
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"", b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
    objects.append(b"<</Title(%s)>>" % title.encode())
    kids: list[bytes] = []
    for page in pages:
        stream = b"".join(b"BT /F 10 Tf %g %g Td (%s) Tj ET\n" % (x, y, _escaped(text)) for x, y, text in page)
        objects.append(b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream))
        kids.append(b"%d 0 R" % (len(objects) + 1))
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F 3 0 R>>>>/Contents %d 0 R>>"
            % len(objects)
        )
    objects[1] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(kids), b" ".join(kids))
    trailer = b"/Root 1 0 R/Info 4 0 R"
    if encrypted:
        objects.append(b"<</Filter/Standard/V 1/R 2/P -4/O<%s>/U<%s>>>" % (b"ab" * 32, b"cd" * 32))
        trailer += b"/Encrypt %d 0 R/ID[<00><00>]" % len(objects)
    return _file(objects, trailer)


def typeset_pdf(lines: Sequence[str]) -> bytes:
    """A page of lines 12 pt apart, each of them operators of a PDF that show text; they begin in 10 pt Helvetica."""
    stream = b"BT /F 10 Tf 12 TL 72 700 Td\n%s ET" % b"".join(b"%s T*\n" % line.encode("cp1252") for line in lines)
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F 3 0 R>>>>/Contents 5 0 R>>"
    return _file(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Count 1/Kids[4 0 R]>>",
            b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
            page,
            b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream),
        ],
        b"/Root 1 0 R",
    )


def form_pdf(lines: Sequence[Placed], fields: Sequence[tuple[float, float, str]]) -> bytes:
    """A page of lines and fields, 200 pt wide: left and lower edge, and its entries in PDF, such as its value."""
    stream = b"".join(b"BT /F 10 Tf %g %g Td (%s) Tj ET\n" % (x, y, _escaped(text)) for x, y, text in lines)
    kids = b" ".join(b"%d 0 R" % (6 + index) for index in range(len(fields)))
    form = b"<</Fields[%s]/NeedAppearances true/DA(/F 10 Tf 0 g)/DR<</Font<</F 3 0 R>>>>>>" % kids
    widgets = [
        b"<</Type/Annot/Subtype/Widget/T(%d)/F 4/DA(/F 10 Tf 0 g)%s%s>>"
        % (index, b"" if "/Rect" in told else b"/Rect[%g %g %g %g]" % (x, y, x + 200, y + 18), told.encode())
        for index, (x, y, told) in enumerate(fields)
    ]
    objects = [
        b"<</Type/Catalog/Pages 2 0 R/AcroForm %s>>" % form,
        b"<</Type/Pages/Count 1/Kids[4 0 R]>>",
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F 3 0 R>>>>/Contents 5 0 R/Annots[%s]>>"
        % kids,
        b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream),
    ]
    return _file(objects + widgets, b"/Root 1 0 R")


def paragraph(*lines: str, top: float = 700, left: float = 72) -> list[Placed]:
    """Lines below each other, 12 pt apart."""
    return [(left, top - 12 * index, line) for index, line in enumerate(lines)]


def _escaped(text: str) -> bytes:
    return text.encode("ascii").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


def _file(objects: Sequence[bytes], trailer: bytes) -> bytes:
    data, offsets = b"%PDF-1.4\n", list[int]()
    for number, body in enumerate(objects, 1):
        offsets.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    return data + b"xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d%s>>\nstartxref\n%d\n%%%%EOF" % (
        size,
        table,
        size,
        trailer,
        len(data),
    )


def self_drawing_pdf(draws: int = 2) -> bytes:
    """A 760-byte PDF whose drawing includes itself this many times, recursively."""
    drawing = b"/X Do " * draws
    box = b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 5 0 R>>>>"
    return _file(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Resources<</XObject<</X 5 0 R>>>>/Contents 4 0 R>>",
            b"<</Length 5>>stream\n/X Do\nendstream",
            b"<<%s/Length %d>>stream\n%s\nendstream" % (box, len(drawing), drawing),
        ],
        b"/Root 1 0 R",
    )


def slow_pdf(pages: int = 5_000, strokes: int = 20_000) -> bytes:
    """A small PDF that takes minutes to parse: many pages share one drawing."""
    drawing = zlib.compress(b"0 0 m 1 1 l S\n" * strokes)
    kids = b" ".join(b"%d 0 R" % (4 + page) for page in range(pages))
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 3 0 R>>"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count %d/Kids[%s]>>" % (pages, kids),
        b"<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (len(drawing), drawing),
    ]
    return _file(objects + [page] * pages, b"/Root 1 0 R")


def turned(data: bytes, degrees: int, crop: tuple[float, float, float, float]) -> bytes:
    """The same PDF with its pages turned, and cropped to left, bottom, right and top."""
    document, file = open_pdf(data), io.BytesIO()
    for page in document:
        page.set_rotation(degrees)
        page.set_cropbox(*crop)
    document.save(file)
    return file.getvalue()


def lines_inside(data: bytes, page: int, boxes: Iterable[tuple[float, float, float, float]]) -> list[str]:
    """What stands in each box (left, top, right, bottom) of a page (from 1) that is neither turned nor cropped."""
    opened = open_pdf(data)[page - 1]
    text, height = opened.get_textpage(), opened.get_height()
    return [text.get_text_bounded(box[0], height - box[3], box[2], height - box[1]).strip() for box in boxes]
