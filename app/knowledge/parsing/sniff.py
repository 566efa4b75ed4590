"""Detect the format of a file by its content, name and media type; the content counts most."""

import io
import re
import zipfile
from enum import Enum
from pathlib import PurePath

from app.knowledge.parsing import refusals

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


class Format(Enum):
    """The formats there are readers for; CODE is plain text whose lines must be kept."""

    TEXT = "text/plain"
    CODE = "text/plain; lines"
    MARKDOWN = "text/markdown"
    HTML = "text/html"
    PDF = "application/pdf"
    DOCX = DOCX


_MARKDOWN_NAMES = frozenset({".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd", ".rmd"})
_HTML_NAMES = frozenset({".html", ".htm", ".xhtml"})
_CODE_NAMES = frozenset(
    re.findall(
        r"\S+",
        """
        .py .pyi .js .mjs .cjs .ts .tsx .jsx .java .kt .scala .c .h .cc .cpp .hpp .cs .go .rs .rb .php
        .swift .m .sh .bash .zsh .ps1 .sql .r .jl .lua .pl .hs .ex .exs .erl .clj .dart .vue .svelte .css
        .scss .less .json .jsonl .ndjson .yaml .yml .toml .ini .cfg .conf .env .xml .xsd .csv .tsv .graphql
        .proto .tf .gradle .cmake .diff .patch
        """,
    )
)
_TEXT_NAMES = _MARKDOWN_NAMES | _HTML_NAMES | _CODE_NAMES | {".txt", ".text", ".rst", ".log", ".tex"}
_WORD_NAMES = frozenset({".docx", ".docm", ".dotx", ".dotm"})
SUPPORTED_SUFFIXES = _TEXT_NAMES | _WORD_NAMES | {".pdf"}
"""How the files end that there are readers for; what is in them may say otherwise."""
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
# What may stand before the first tag. A comment ends at its first end: where it might end at any, a few comments would
# take for ever.
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
    if suffix in {".pdf", ".docx"} or declared in {Format.PDF.value, DOCX}:
        _refuse_pretender(head, suffix, declared)
    return _sniff_text(head, suffix, declared)


def _is_pdf(data: bytes, suffix: str, declared: str) -> bool:
    """Whether what holds a PDF's first mark is one: readers allow for noise before it, and texts may speak of it."""
    if suffix == ".pdf" or declared == Format.PDF.value or data.lstrip(_BEFORE_PDF).startswith(b"%PDF-"):
        return True
    return suffix not in _TEXT_NAMES and b"endobj" in data


def _refuse_known(data: bytes, head: bytes) -> None:
    """Refuse the formats that are known and not read."""
    if head.startswith(_OLE):
        if _ENCRYPTED_PACKAGE in data:
            raise refusals.encrypted_file("This Office file")
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


def _refuse_pretender(head: bytes, suffix: str, declared: str) -> None:
    if not _looks_like_text(head):
        is_pdf = suffix == ".pdf" or (suffix != ".docx" and declared == Format.PDF.value)
        raise refusals.damaged_file("This PDF" if is_pdf else "This Word file")


def _sniff_text(head: bytes, suffix: str, declared: str) -> Format:
    if _HTML_START.match(head.removeprefix(b"\xef\xbb\xbf")):
        return Format.HTML
    if suffix in _MARKDOWN_NAMES or (declared in {"text/markdown", "text/x-markdown"} and suffix not in _CODE_NAMES):
        return Format.MARKDOWN
    if suffix in _HTML_NAMES or (not suffix and declared in {"text/html", "application/xhtml+xml"}):
        return Format.HTML if _HTML_TAG.search(head) or b"\x00" in head else Format.TEXT
    if suffix in _CODE_NAMES or declared in {"application/json", "text/csv", "application/xml", "text/xml"}:
        return Format.CODE
    if not suffix and declared in {"", "text/plain", "application/octet-stream"} and _reads_as_markdown(head):
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
        raise refusals.damaged_file("This file") from error
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
