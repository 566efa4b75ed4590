"""A file's bytes in; a `ParsedDocument` out, or a `DocumentError` that says why not. Synchronous."""

import re
from contextlib import nullcontext

from app.knowledge.parsed import ParsedDocument
from app.knowledge.parsing import docx, html, markdown, pdf, text
from app.knowledge.parsing.limits import Limits
from app.knowledge.parsing.sniff import Format, sniff

_CHARSET = re.compile(r"""charset\s*=\s*["']?([\w.:-]+)""", re.IGNORECASE)
_DEFAULT_LIMITS = Limits()


def parse(
    data: bytes,
    *,
    name: str | None = None,
    media_type: str | None = None,
    limits: Limits = _DEFAULT_LIMITS,
    page_bound: pdf.PageBound = nullcontext,
) -> ParsedDocument:
    """Read `data` in this process; time and memory are bounded only by `isolation.parse_safely`."""
    found = _CHARSET.search(media_type or "")
    charset = found[1] if found else None
    match sniff(data, name, media_type):
        case Format.PDF:
            return pdf.parse(data, limits, page_bound)
        case Format.DOCX:
            return docx.parse(data, limits)
        case Format.HTML:
            return html.parse(data, charset, limits)
        case Format.MARKDOWN:
            return markdown.parse(data, charset, limits)
        case Format.TEXT:
            return text.parse(data, charset, limits, is_code=False)
        case Format.CODE:
            return text.parse(data, charset, limits, is_code=True)
