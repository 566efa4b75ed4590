"""The file formats that Footnote reads, each declared once.

Derived from the declarations: detection by name and media type, the media type guessed from a file name, the files that
`footnote ingest` takes from folders, error messages, `--help`, and the lists in the README and the handbook, which a
test compares.

To add a format, declare it here, write its parser in `parsers`, and call it in `dispatch`, as the type checker will
remind you. If the content alone identifies the format, teach `sniff` to recognize it.
"""

import mimetypes
import re
import shutil
from dataclasses import dataclass
from enum import Enum
from pathlib import PurePath

UNKNOWN = "application/octet-stream"
"""The media type of unknown files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Declaration:
    """What is known about a format before a file is opened.

    `label` is its name in lists, and `noun` the name of such a file in errors. `media_type` is that of parsed
    documents; `declared_as` are the media types that clients declare for uploads. Files of a binary format are
    recognized by their content; text with such a name is read as text. `needs_tesseract`: whether reading requires
    Tesseract.
    """

    label: str
    noun: str = "file"
    media_type: str
    declared_as: frozenset[str] = frozenset()
    suffixes: frozenset[str]
    is_binary: bool = False
    needs_tesseract: bool = False


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\S+", text))


class Format(Enum):
    """The supported formats, in listing order."""

    PDF = _Declaration(
        label="PDF",
        noun="PDF",
        media_type="application/pdf",
        declared_as=_words("application/pdf"),
        suffixes=_words(".pdf"),
        is_binary=True,
    )
    DOCX = _Declaration(
        label="Word (.docx)",
        noun="Word file",
        media_type="application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        declared_as=_words("application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        suffixes=_words(".docx .docm .dotx .dotm"),
        is_binary=True,
    )
    PPTX = _Declaration(
        label="PowerPoint (.pptx)",
        noun="presentation",
        media_type="application/vnd.openxmlformats-officedocument.presentationml.presentation",
        declared_as=_words("application/vnd.openxmlformats-officedocument.presentationml.presentation"),
        suffixes=_words(".pptx .pptm .ppsx .ppsm .potx .potm"),
        is_binary=True,
    )
    XLSX = _Declaration(
        label="Excel (.xlsx, .xls)",
        noun="spreadsheet",
        media_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        declared_as=_words("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        suffixes=_words(".xlsx .xlsm .xltx .xltm .xlsb"),
        is_binary=True,
    )
    XLS = _Declaration(
        label="Excel (.xlsx, .xls)",
        noun="spreadsheet",
        media_type="application/vnd.ms-excel",
        declared_as=_words("application/vnd.ms-excel"),
        suffixes=_words(".xls .xlt"),
        is_binary=True,
    )
    ODT = _Declaration(
        label="OpenDocument (.odt, .ods, .odp)",
        noun="OpenDocument text",
        media_type="application/vnd.oasis.opendocument.text",
        declared_as=_words("application/vnd.oasis.opendocument.text"),
        suffixes=_words(".odt .ott"),
        is_binary=True,
    )
    ODS = _Declaration(
        label="OpenDocument (.odt, .ods, .odp)",
        noun="OpenDocument spreadsheet",
        media_type="application/vnd.oasis.opendocument.spreadsheet",
        declared_as=_words("application/vnd.oasis.opendocument.spreadsheet"),
        suffixes=_words(".ods .ots"),
        is_binary=True,
    )
    ODP = _Declaration(
        label="OpenDocument (.odt, .ods, .odp)",
        noun="OpenDocument presentation",
        media_type="application/vnd.oasis.opendocument.presentation",
        declared_as=_words("application/vnd.oasis.opendocument.presentation"),
        suffixes=_words(".odp .otp"),
        is_binary=True,
    )
    RTF = _Declaration(
        label="RTF",
        noun="RTF file",
        media_type="application/rtf",
        declared_as=_words("application/rtf text/rtf"),
        suffixes=_words(".rtf"),
        is_binary=True,
    )
    EPUB = _Declaration(
        label="EPUB",
        noun="book",
        media_type="application/epub+zip",
        declared_as=_words("application/epub+zip"),
        suffixes=_words(".epub"),
        is_binary=True,
    )
    EML = _Declaration(
        label="mail (.eml, .msg)",
        noun="message",
        media_type="message/rfc822",
        declared_as=_words("message/rfc822"),
        suffixes=_words(".eml"),
    )
    MSG = _Declaration(
        label="mail (.eml, .msg)",
        noun="message",
        media_type="application/vnd.ms-outlook",
        declared_as=_words("application/vnd.ms-outlook"),
        suffixes=_words(".msg"),
        is_binary=True,
    )
    HTML = _Declaration(
        label="HTML",
        media_type="text/html",
        declared_as=_words("text/html application/xhtml+xml"),
        suffixes=_words(".html .htm .xhtml"),
    )
    MARKDOWN = _Declaration(
        label="Markdown",
        media_type="text/markdown",
        declared_as=_words("text/markdown text/x-markdown"),
        suffixes=_words(".md .markdown .mdown .mkd .mdx .qmd .rmd"),
    )
    RST = _Declaration(
        label="reStructuredText",
        media_type="text/x-rst",
        declared_as=_words("text/x-rst text/prs.fallenstein.rst"),
        suffixes=_words(".rst .rest"),
    )
    ASCIIDOC = _Declaration(
        label="AsciiDoc",
        media_type="text/asciidoc",
        declared_as=_words("text/asciidoc text/x-asciidoc"),
        suffixes=_words(".adoc .asciidoc .asc"),
    )
    CSV = _Declaration(
        label="CSV",
        media_type="text/csv",
        declared_as=_words("text/csv text/tab-separated-values"),
        suffixes=_words(".csv .tsv .tab"),
    )
    JSON = _Declaration(
        label="JSON",
        media_type="application/json",
        declared_as=_words("application/json application/jsonl application/x-ndjson"),
        suffixes=_words(".json .jsonl .ndjson"),
    )
    IPYNB = _Declaration(
        label="Jupyter notebooks",
        noun="notebook",
        media_type="application/x-ipynb+json",
        declared_as=_words("application/x-ipynb+json"),
        suffixes=_words(".ipynb"),
    )
    TEXT = _Declaration(
        label="plain text",
        media_type="text/plain",
        suffixes=_words(".txt .text .log .tex"),
    )
    CODE = _Declaration(  # plain text that is split only at lines
        label="source code",
        media_type="text/plain",
        declared_as=_words("application/xml text/xml"),
        suffixes=_words(
            """
            .py .pyi .js .mjs .cjs .ts .tsx .jsx .java .kt .scala .c .h .cc .cpp .hpp .cs .go .rs .rb .php
            .swift .m .sh .bash .zsh .ps1 .sql .r .jl .lua .pl .hs .ex .exs .erl .clj .dart .vue .svelte .css
            .scss .less .yaml .yml .toml .ini .cfg .conf .xml .xsd .graphql
            .proto .tf .gradle .cmake .diff .patch
            """
        ),
    )
    PICTURE = _Declaration(
        label="pictures (with Tesseract)",
        noun="picture",
        media_type="image/png",
        declared_as=_words("image/png image/jpeg image/tiff image/bmp image/gif image/webp"),
        suffixes=_words(".png .jpg .jpeg .tif .tiff .bmp .gif .webp"),
        is_binary=True,
        needs_tesseract=True,
    )
    ZIP = _Declaration(
        label="ZIP archives of these",
        noun="archive",
        media_type="application/zip",
        declared_as=_words("application/zip application/x-zip-compressed"),
        suffixes=_words(".zip"),
        is_binary=True,
    )

    @property
    def label(self) -> str:
        """The name of this format in lists; some formats share one."""
        return self.value.label

    @property
    def noun(self) -> str:
        """The name of a file of this format in error messages."""
        return self.value.noun

    @property
    def media_type(self) -> str:
        """The media type of parsed documents."""
        return self.value.media_type

    @property
    def declared_as(self) -> frozenset[str]:
        """The media types that clients declare for uploads of this format."""
        return self.value.declared_as

    @property
    def suffixes(self) -> frozenset[str]:
        """File name suffixes, in lower case, with the dot."""
        return self.value.suffixes

    @property
    def is_binary(self) -> bool:
        """Whether files of this format are recognized by their content alone."""
        return self.value.is_binary

    @property
    def needs_tesseract(self) -> bool:
        """Whether files of this format can be read only with Tesseract."""
        return self.value.needs_tesseract


def _join_labels() -> str:
    *others, last = dict.fromkeys(each.label for each in Format)
    return f"{', '.join(others)} and {last}"


SUPPORTED_FORMATS = _join_labels()
"""A human-readable list of all formats."""


def find_tesseract() -> str | None:
    """The program that recognizes the text of pictures, if it is installed."""
    return shutil.which("tesseract")


def find_readable_formats() -> list[Format]:
    """The formats that can be read on this machine, in listing order."""
    has_tesseract = find_tesseract() is not None
    return [each for each in Format if has_tesseract or not each.needs_tesseract]


def find_readable_suffixes() -> frozenset[str]:
    """The suffixes that can be read on this machine."""
    return frozenset[str]().union(*(each.suffixes for each in find_readable_formats()))


def lacks_tesseract(name: str) -> bool:
    """Whether a file with this name cannot be read only because Tesseract is not installed."""
    suffix = PurePath(name).suffix.lower()
    return any(each.needs_tesseract and suffix in each.suffixes for each in Format) and find_tesseract() is None


def guess_media_type(name: str | None) -> str:
    """The media type that a file name suggests."""
    suffix = PurePath(name or "").suffix.lower()
    declared = (each.media_type for each in Format if suffix in each.suffixes)
    return mimetypes.guess_type(name or "")[0] or next(declared, UNKNOWN)
