"""Detect the format of a file by its content, name and media type; the content counts most."""

import io
import re
import zipfile
from pathlib import PurePath

from app.knowledge.parsing import refusals
from app.knowledge.parsing.formats import UNKNOWN, Format

_BINARY_FORMATS = [each for each in Format if each.is_binary]
_NAMED_FORMATS = [
    each for each in Format if not each.is_binary and each not in {Format.HTML, Format.MARKDOWN, Format.TEXT}
]
"""Text formats that only a name or a media type tells from plain text."""
_TEXT_SUFFIXES = frozenset[str]().union(*(each.suffixes for each in Format if not each.is_binary))
_BEFORE_PDF = b"\xef\xbb\xbf\x00\t\n\r\f "
_MAGIC = (
    (b"\x89PNG\r\n", "An image"),
    (b"\xff\xd8\xff", "An image"),
    (b"GIF8", "An image"),
    (b"II*\x00", "An image"),
    (b"MM\x00*", "An image"),
    (b"BM", "An image"),
    (b"\x1f\x8b", "A compressed archive"),
    (b"7z\xbc\xaf", "A compressed archive"),
    (b"Rar!", "A compressed archive"),
    (b"\x7fELF", "A program"),
    (b"MZ", "A program"),
    (b"ID3", "An audio file"),
    (b"OggS", "An audio file"),
    (b"fLaC", "An audio file"),
    (b"RIFF", "A media file"),
)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
# What may precede the first tag. A comment ends at the first `-->`; a pattern that could try each of several would take
# exponential time.
_PROLOGUE = rb"\s*(?:<\?xml[^>]*>\s*|<!--(?s:(?!-->).)*-->\s*|<!doctype svg[^>]*>\s*)*"
_HTML_START = re.compile(_PROLOGUE + rb"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_HTML_TAG = re.compile(rb"<(?:p|div|h[1-6]|table|ul|ol|br|span|a|article|main|section)\b[^<>]*+>", re.IGNORECASE)
_SVG = re.compile(_PROLOGUE + rb"<svg\b", re.IGNORECASE)
_MARKDOWN_SIGNS = tuple(
    re.compile(sign, re.MULTILINE)
    for sign in (
        rb"^#{1,6} \S",
        rb"^(?:```|~~~)",
        rb"\[[^\[\]\n]{1,200}+\]\([^()\[\]\s]{1,500}+\)",
        rb"\*\*[^*\n]{1,200}\*\*",
        rb"^[-*] \S",
    )
)


def sniff_format(data: bytes, name: str | None, media_type: str | None) -> Format:
    """The format of `data`; raises UNSUPPORTED, EMPTY, ENCRYPTED or BROKEN."""
    if not data.strip():
        raise refusals.no_text()
    head = data[:4096]
    suffix = PurePath(name or "").suffix.lower()
    declared = (media_type or "").partition(";")[0].strip().lower()
    if b"%PDF-" in head[:1024] and _is_pdf(data, suffix, declared):
        return Format.PDF
    if head.startswith(b"PK\x03\x04"):
        return _sniff_archive(data)
    _refuse_known(data, head)
    claimed = _find_binary_claim(suffix, declared)
    if claimed is not None and not _looks_like_text(head):
        raise refusals.damaged_file(claimed.noun)
    return _sniff_text(head, suffix, declared)


def _is_pdf(data: bytes, suffix: str, declared: str) -> bool:
    """Whether data with a PDF header is a PDF: the header may follow other bytes, and texts may mention it."""
    if (
        suffix in Format.PDF.suffixes
        or declared in Format.PDF.declared_as
        or data.lstrip(_BEFORE_PDF).startswith(b"%PDF-")
    ):
        return True
    return suffix not in _TEXT_SUFFIXES and b"endobj" in data


def _refuse_known(data: bytes, head: bytes) -> None:
    """Refuse formats that are recognized but not supported."""
    if head.startswith(_OLE):
        if _ENCRYPTED_PACKAGE in data:
            raise refusals.encrypted_file("Office file")
        raise refusals.unsupported_format(
            "A file of an old Office format (.doc, .xls, .ppt)", " (save it as .docx or PDF)"
        )
    for magic, what in _MAGIC:
        if head.startswith(magic) and (b"\x00" in head or not magic.isascii()):
            raise refusals.unsupported_format(what)
    if head.startswith((b"{\\rtf", b"%!PS")):
        raise refusals.unsupported_format("A rich text or PostScript file", " (save it as .docx or PDF)")
    if _SVG.match(head):
        raise refusals.unsupported_format("An image")


def _looks_like_text(head: bytes) -> bool:
    return not re.search(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x80-\xff]", head)


def _find_binary_claim(suffix: str, declared: str) -> Format | None:
    """The binary format that a file claims to have, by its name or else by its media type."""
    by_suffix = (each for each in _BINARY_FORMATS if suffix in each.suffixes)
    by_media_type = (each for each in _BINARY_FORMATS if declared in each.declared_as)
    return next(by_suffix, None) or next(by_media_type, None)


def _sniff_text(head: bytes, suffix: str, declared: str) -> Format:
    if _HTML_START.match(head.removeprefix(b"\xef\xbb\xbf")):
        return Format.HTML
    if suffix in Format.MARKDOWN.suffixes or (
        declared in Format.MARKDOWN.declared_as and not any(suffix in each.suffixes for each in _NAMED_FORMATS)
    ):
        return Format.MARKDOWN
    if suffix in Format.HTML.suffixes or (not suffix and declared in Format.HTML.declared_as):
        return Format.HTML if _HTML_TAG.search(head) or b"\x00" in head else Format.TEXT
    for each in _NAMED_FORMATS:
        if suffix in each.suffixes or declared in each.declared_as:
            return each
    if not suffix and declared in {"", Format.TEXT.media_type, UNKNOWN} and _reads_as_markdown(head):
        return Format.MARKDOWN
    return Format.TEXT


def _reads_as_markdown(head: bytes) -> bool:
    heading, *others = (sign.search(head) is not None for sign in _MARKDOWN_SIGNS)
    return heading and any(others)


def _sniff_archive(data: bytes) -> Format:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = {name.replace("\\", "/") for name in archive.namelist()}  # as some programs for Windows write it
    except (zipfile.BadZipFile, ValueError, NotImplementedError, UnicodeDecodeError, OverflowError) as error:
        raise refusals.damaged_file() from error
    folders = {name.partition("/")[0] for name in names if "/" in name}
    if "[Content_Types].xml" in names and "word" in folders:
        return Format.DOCX
    if "ppt" in folders:
        raise refusals.unsupported_format("A presentation (.pptx)", " (save it as PDF)")
    if "xl" in folders:
        raise refusals.unsupported_format("A spreadsheet (.xlsx)", " (save it as CSV or PDF)")
    if "mimetype" in names:
        raise refusals.unsupported_format("An OpenDocument or EPUB file", " (save it as .docx or PDF)")
    raise refusals.unsupported_format("An archive (.zip)", " (upload the files in it one by one)")
