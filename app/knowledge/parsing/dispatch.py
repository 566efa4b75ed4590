"""Parse a file with the parser for its format. Synchronous.

Parsers are imported in groups, when a file needs one: a server that only reads short texts itself needs few of them.
"""

import re
from contextlib import nullcontext
from functools import partial
from typing import Literal, assert_never

from app.knowledge.parsed_documents import ParsedDocument
from app.knowledge.parsing import refusals
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import PageTimeLimit, ParsingLimits
from app.knowledge.parsing.sniff import sniff_format

_CHARSET = re.compile(r"""charset\s*=\s*["']?([\w.:-]+)""", re.IGNORECASE)
_DEFAULT_LIMITS = ParsingLimits()
_OfficeFormat = Literal[
    Format.DOCX, Format.PPTX, Format.XLSX, Format.XLS, Format.ODT, Format.ODS, Format.ODP, Format.RTF
]
_ContainerFormat = Literal[Format.PDF, Format.EML, Format.MSG, Format.ZIP, Format.PICTURE, Format.EPUB]
_MarkupFormat = Literal[Format.HTML, Format.RST, Format.ASCIIDOC, Format.IPYNB]
_PlainFormat = Literal[Format.MARKDOWN, Format.CSV, Format.JSON, Format.TEXT, Format.CODE]
# An archive may contain a message with attachments, one of which is a message with attachments.
_MAX_DEPTH = 3


def parse_file(
    data: bytes,
    *,
    name: str | None = None,
    media_type: str | None = None,
    limits: ParsingLimits = _DEFAULT_LIMITS,
    page_time_limit: PageTimeLimit = nullcontext,
) -> ParsedDocument:
    """Parse `data` in this process; raises DocumentError. Only `isolation.split_safely` limits time and memory."""
    return _parse(data, name, media_type, limits, page_time_limit=page_time_limit, depth=0)


def _parse(
    data: bytes,
    name: str | None,
    media_type: str | None,
    limits: ParsingLimits,
    *,
    page_time_limit: PageTimeLimit,
    depth: int,
) -> ParsedDocument:
    """Parse a file; `depth` is the number of files that contain it."""
    found = _CHARSET.search(media_type or "")
    charset = found[1] if found else None
    kind = sniff_format(data, name, media_type)
    if depth and (kind is Format.ZIP or depth > _MAX_DEPTH):
        raise refusals.nested_archive()
    match kind:
        case Format.PDF | Format.EML | Format.MSG | Format.ZIP | Format.PICTURE | Format.EPUB:
            return _parse_container_file(data, kind, limits, page_time_limit, depth)
        case Format.DOCX | Format.PPTX | Format.XLSX | Format.XLS | Format.ODT | Format.ODS | Format.ODP | Format.RTF:
            return _parse_office_file(data, kind, limits)
        case Format.HTML | Format.RST | Format.ASCIIDOC | Format.IPYNB:
            return _parse_markup_file(data, kind, charset, limits)
        case _:
            return _parse_plain_file(data, kind, charset, limits)


def _parse_container_file(
    data: bytes, kind: _ContainerFormat, limits: ParsingLimits, page_time_limit: PageTimeLimit, depth: int
) -> ParsedDocument:
    from app.knowledge.parsing.parsers import archive, pdf, recognition
    from app.knowledge.parsing.parsers.mail import eml, msg
    from app.knowledge.parsing.parsers.web import epub

    parse_part = partial(_parse, page_time_limit=page_time_limit, depth=depth + 1)
    match kind:
        case Format.PDF:
            return pdf.parse_pdf(data, limits, page_time_limit)
        case Format.EML:
            return eml.parse_eml(data, limits, parse_part)
        case Format.MSG:
            return msg.parse_msg(data, limits, parse_part)
        case Format.ZIP:
            return archive.parse_archive(data, limits, parse_part)
        case Format.PICTURE:
            return recognition.parse_picture(data, limits)
        case Format.EPUB:
            return epub.parse_epub(data, limits)
    assert_never(kind)


def _parse_office_file(data: bytes, kind: _OfficeFormat, limits: ParsingLimits) -> ParsedDocument:
    from app.knowledge.parsing.parsers.office import docx, opendocument, presentation, rtf
    from app.knowledge.parsing.parsers.office.spreadsheets import spreadsheet

    match kind:
        case Format.DOCX:
            return docx.parse_docx(data, limits)
        case Format.PPTX:
            return presentation.parse_presentation(data, limits)
        case Format.XLSX | Format.XLS | Format.ODS:
            return spreadsheet.parse_spreadsheet(data, kind, limits)
        case Format.ODT | Format.ODP:
            return opendocument.parse_opendocument(data, kind, limits)
        case Format.RTF:
            return rtf.parse_rtf(data, limits)
    assert_never(kind)


def _parse_markup_file(data: bytes, kind: _MarkupFormat, charset: str | None, limits: ParsingLimits) -> ParsedDocument:
    from app.knowledge.parsing.parsers.data import notebook
    from app.knowledge.parsing.parsers.markup import asciidoc, restructured
    from app.knowledge.parsing.parsers.web import html

    match kind:
        case Format.HTML:
            return html.parse_html(data, charset, limits)
        case Format.RST:
            return restructured.parse_restructured(data, charset, limits)
        case Format.ASCIIDOC:
            return asciidoc.parse_asciidoc(data, charset, limits)
        case Format.IPYNB:
            return notebook.parse_notebook(data, charset, limits)
    assert_never(kind)


def _parse_plain_file(data: bytes, kind: _PlainFormat, charset: str | None, limits: ParsingLimits) -> ParsedDocument:
    from app.knowledge.parsing.parsers import text
    from app.knowledge.parsing.parsers.data import delimited, json_records
    from app.knowledge.parsing.parsers.markup import markdown

    match kind:
        case Format.MARKDOWN:
            return markdown.parse_markdown(data, charset, limits)
        case Format.CSV:
            return delimited.parse_delimited(data, charset, limits)
        case Format.JSON:
            return json_records.parse_json(data, charset, limits)
        case Format.TEXT | Format.CODE:
            return text.parse_text(data, charset, limits, is_code=kind is Format.CODE)
    assert_never(kind)
