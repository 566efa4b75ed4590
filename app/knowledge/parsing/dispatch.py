"""Parse a file with the parser for its format. Synchronous."""

import re
from contextlib import nullcontext
from typing import assert_never

from app.knowledge.parsed_documents import ParsedDocument
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import docx, html, markdown, pdf, text
from app.knowledge.parsing.sniff import sniff_format

_CHARSET = re.compile(r"""charset\s*=\s*["']?([\w.:-]+)""", re.IGNORECASE)
_DEFAULT_LIMITS = ParsingLimits()


def parse_file(
    data: bytes,
    *,
    name: str | None = None,
    media_type: str | None = None,
    limits: ParsingLimits = _DEFAULT_LIMITS,
    page_time_limit: pdf.PageTimeLimit = nullcontext,
) -> ParsedDocument:
    """Parse `data` in this process; raises DocumentError. Only `isolation.parse_safely` limits time and memory."""
    found = _CHARSET.search(media_type or "")
    charset = found[1] if found else None
    kind = sniff_format(data, name, media_type)
    match kind:
        case Format.PDF:
            return pdf.parse_pdf(data, limits, page_time_limit)
        case Format.DOCX:
            return docx.parse_docx(data, limits)
        case Format.HTML:
            return html.parse_html(data, charset, limits)
        case Format.MARKDOWN:
            return markdown.parse_markdown(data, charset, limits)
        case Format.TEXT:
            return text.parse_text(data, charset, limits, is_code=False)
        case Format.CODE:
            return text.parse_text(data, charset, limits, is_code=True)
    assert_never(kind)
