"""The file formats that Footnote reads, each declared once.

Derived from the declarations: detection by name and media type, the media type guessed from a file name, the files that
`footnote ingest` takes from folders, error messages, `--help`, and the lists in the README and the handbook, which a
test compares.

To add a format, declare it here, write its parser in `parsers`, and call it in `dispatch`, as the type checker demands.
If the content alone identifies the format, teach `sniff` to recognize it.
"""

import mimetypes
import re
from dataclasses import dataclass
from enum import Enum
from pathlib import PurePath

UNKNOWN = "application/octet-stream"
"""The media type of files of which nothing is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Declaration:
    """What is known about a format before a file is opened.

    `label` names it in lists, and `noun` a file of it in errors. `media_type` is what documents get once they are
    parsed; `declared_as` are the media types that uploads of it are declared as, besides those that say nothing. Files
    of a binary format hold bytes that are not text.
    """

    label: str
    noun: str = "file"
    media_type: str
    declared_as: frozenset[str] = frozenset()
    suffixes: frozenset[str]
    is_binary: bool = False


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\S+", text))


class Format(Enum):
    """The supported formats, in the order in which people read them."""

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
    TEXT = _Declaration(
        label="plain text",
        media_type="text/plain",
        suffixes=_words(".txt .text .rst .log .tex"),
    )
    CODE = _Declaration(  # plain text that is split only at lines: source code and data
        label="plain text",
        media_type="text/plain",
        declared_as=_words("application/json text/csv application/xml text/xml"),
        suffixes=_words(
            """
            .py .pyi .js .mjs .cjs .ts .tsx .jsx .java .kt .scala .c .h .cc .cpp .hpp .cs .go .rs .rb .php
            .swift .m .sh .bash .zsh .ps1 .sql .r .jl .lua .pl .hs .ex .exs .erl .clj .dart .vue .svelte .css
            .scss .less .json .jsonl .ndjson .yaml .yml .toml .ini .cfg .conf .env .xml .xsd .csv .tsv .graphql
            .proto .tf .gradle .cmake .diff .patch
            """
        ),
    )

    @property
    def noun(self) -> str:
        """What errors call a file of this format."""
        return self.value.noun

    @property
    def media_type(self) -> str:
        """The media type of parsed documents."""
        return self.value.media_type

    @property
    def declared_as(self) -> frozenset[str]:
        """The media types that uploads of this format are declared as."""
        return self.value.declared_as

    @property
    def suffixes(self) -> frozenset[str]:
        """Suffixes of file names, in lower case with their dot."""
        return self.value.suffixes

    @property
    def is_binary(self) -> bool:
        """Whether files of this format hold bytes that are not text."""
        return self.value.is_binary


def _join_labels() -> str:
    *others, last = dict.fromkeys(each.value.label for each in Format)
    return f"{', '.join(others)} and {last}"


SUPPORTED_FORMATS = _join_labels()
"""All formats, listed for people."""
SUPPORTED_SUFFIXES = frozenset[str]().union(*(each.suffixes for each in Format))
"""File name suffixes of supported formats. Content takes precedence."""


def guess_media_type(name: str | None) -> str:
    """The media type that a file name suggests."""
    suffix = PurePath(name or "").suffix.lower()
    declared = (each.media_type for each in Format if suffix in each.suffixes)
    return mimetypes.guess_type(name or "")[0] or next(declared, UNKNOWN)
