"""Detect the format of a file by its content, name and media type; the content has priority."""

import re
from pathlib import PurePath

from app.knowledge.parsing import containers, ole, refusals
from app.knowledge.parsing.formats import UNKNOWN, Format
from app.knowledge.parsing.parsers import text as plain

_BINARY_FORMATS = [each for each in Format if each.is_binary]
_NAMED_FORMATS = [
    each for each in Format if not each.is_binary and each not in {Format.HTML, Format.MARKDOWN, Format.TEXT}
]
"""Text formats that only a name or a media type distinguishes from plain text."""
_TEXT_SUFFIXES = frozenset[str]().union(*(each.suffixes for each in Format if not each.is_binary))
_BEFORE_PDF = b"\xef\xbb\xbf\x00\t\n\r\f "
_PICTURES = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF8", b"II*\x00", b"MM\x00*", b"BM")
_MAGIC = (
    (b"\x1f\x8b", "Gzip files"),
    (b"7z\xbc\xaf", "7z archives"),
    (b"Rar!", "RAR archives"),
    (b"\x7fELF", "Programs"),
    (b"MZ", "Programs"),
    (b"ID3", "Audio files"),
    (b"OggS", "Audio files"),
    (b"fLaC", "Audio files"),
    (b"RIFF", "Audio and video files"),
)
# What may precede the first tag. A comment ends at the first `-->`; a pattern that could backtrack to later ones would
# take exponential time.
_PROLOGUE = rb"\s*(?:<\?xml[^>]*>\s*|<!--(?s:(?!-->).)*-->\s*|<!doctype svg[^>]*>\s*)*"
_HTML_START = re.compile(_PROLOGUE + rb"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_HTML_TAG = re.compile(rb"<(?:p|div|h[1-6]|table|ul|ol|br|span|a|article|main|section)\b[^<>]*+>", re.IGNORECASE)
_SVG = re.compile(_PROLOGUE + rb"<svg\b", re.IGNORECASE)
_FIELD = re.compile(rb"(?:From \S[^\n]*\n)?[A-Za-z][A-Za-z0-9-]{1,60}:[ \t]")
_MAIL_FIELD = re.compile(
    rb"^(Return-Path|Received|Message-ID|MIME-Version|From|Delivered-To|Content-Type):[ \t]",
    re.MULTILINE | re.IGNORECASE,
)
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
    suffix = PurePath(name).suffix.lower() if name else ""
    declared = (media_type or "").partition(";")[0].strip().lower()
    if b"%PDF-" in head[:1024] and _is_pdf(data, suffix, declared):
        return Format.PDF
    if head.startswith(b"PK\x03\x04"):
        return containers.sniff_archive(data, suffix)
    if head.startswith(ole.MAGIC):
        return containers.sniff_ole(data, suffix)
    if head.lstrip().startswith(b"{\\rtf"):
        return Format.RTF
    if _is_picture(head):
        return Format.PICTURE
    _refuse_known(head)
    claimed = _find_binary_claim(suffix, declared)
    if claimed is not None and not _looks_like_text(head):
        raise refusals.damaged_file(claimed.noun)
    return _sniff_text(head, suffix, declared)


def refuse_unreadable(head: bytes, name: str | None, media_type: str | None) -> None:
    """Raise UNSUPPORTED for a file that can never be read, by its first bytes; other files need parsing to tell."""
    suffix = PurePath(name).suffix.lower() if name else ""
    if head.startswith(ole.MAGIC) and suffix in containers.OLD_OFFICE_SUFFIXES:
        raise containers.unsupported_old_format()
    if head.startswith((ole.MAGIC, b"PK\x03\x04")) or b"%PDF-" in head[:1024] or _is_picture(head):
        return
    _refuse_known(head)
    declared = (media_type or "").partition(";")[0].strip().lower()
    if b"\x00" in head and _find_binary_claim(suffix, declared) is None:
        plain.decode_text(head)


def _is_picture(head: bytes) -> bool:
    found = next((magic for magic in _PICTURES if head.startswith(magic)), None)
    is_webp = head.startswith(b"RIFF") and head[8:12] == b"WEBP"
    return is_webp or (found is not None and (b"\x00" in head or not found.isascii()))


def _is_pdf(data: bytes, suffix: str, declared: str) -> bool:
    """Whether data that contains a PDF header is a PDF: other bytes may precede the header, and a text may quote it."""
    if (
        suffix in Format.PDF.suffixes
        or declared in Format.PDF.declared_as
        or data.lstrip(_BEFORE_PDF).startswith(b"%PDF-")
    ):
        return True
    return suffix not in _TEXT_SUFFIXES and b"endobj" in data


def _refuse_known(head: bytes) -> None:
    """Refuse formats that are recognized but not supported."""
    for magic, what in _MAGIC:
        if head.startswith(magic) and (b"\x00" in head or not magic.isascii()):
            raise refusals.unsupported_format(what)
    if head.startswith(b"%!PS"):
        raise refusals.unsupported_format("PostScript files", "; save them as PDF")
    if _SVG.match(head):
        raise refusals.unsupported_format("SVG images")


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
    if not suffix and _reads_as_mail(head):
        return Format.EML
    return Format.TEXT


def _reads_as_mail(head: bytes) -> bool:
    """Whether a file begins with mail headers, including at least two that no other text has."""
    return _FIELD.match(head) is not None and len({found.lower() for found in _MAIL_FIELD.findall(head)}) > 1


def _reads_as_markdown(head: bytes) -> bool:
    heading, *others = (sign.search(head) is not None for sign in _MARKDOWN_SIGNS)
    return heading and any(others)
