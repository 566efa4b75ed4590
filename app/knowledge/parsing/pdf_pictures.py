"""Draw pages of PDFs as PNG images."""

import struct
import zlib
from contextlib import closing, nullcontext

from app.knowledge.parsing.limits import PageTimeLimit
from app.knowledge.parsing.parsers import pdfium

_MAX_DOTS = 12_000_000
_FAST = 3  # higher compression levels take several times as long and save little


def draw_page(data: bytes, number: int, width: int, page_time_limit: PageTimeLimit = nullcontext) -> bytes | None:
    """Draw page `number` (from 1) as a PNG `width` pixels wide; None if there is no such page. Raises DocumentError."""
    with pdfium.open_pdf(data) as document:
        if not 1 <= number <= len(document):
            return None
        with page_time_limit(), closing(document.get_page(number - 1)) as page:
            scale = pdfium.limited_scale(page, width / max(1.0, page.get_size()[0]), _MAX_DOTS)
            return _to_png(page.render(scale=scale, grayscale=False, rev_byteorder=True))


def _to_png(drawn: pdfium.Bitmap) -> bytes:
    pixels = bytes(drawn.buffer)
    starts = range(0, drawn.height * drawn.stride, drawn.stride)
    rows = b"".join(b"\0" + pixels[start : start + 3 * drawn.width] for start in starts)
    header = struct.pack(">IIBBBBB", drawn.width, drawn.height, 8, 2, 0, 0, 0)
    parts = (_chunk(b"IHDR", header), _chunk(b"IDAT", zlib.compress(rows, _FAST)), _chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
