"""The declared file formats: each is found by its name, its media type and its content, and shown to people."""

import re
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli.commands import cli
from app.errors import DocumentError
from app.knowledge.parsing import formats
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.sniff import sniff_format

ROOT = Path(__file__).parent.parent.parent
HTML = b"<p>Any text</p>"
SUFFIXES = [(each, suffix) for each in Format for suffix in sorted(each.suffixes)]
MEDIA_TYPES = [(each, media_type) for each in Format for media_type in sorted(each.declared_as)]


def found_format(expected: Format, name: str | None, media_type: str | None) -> None:
    """Text of this name and type has the expected format; binary formats refuse what is not theirs."""
    assert sniff_format(HTML, name, media_type) == (Format.TEXT if expected.is_binary else expected)
    if expected.is_binary:
        with pytest.raises(DocumentError, match=f"^This {expected.noun} is damaged"):
            sniff_format(bytes(range(256)), name, media_type)


@pytest.mark.parametrize(("expected", "suffix"), SUFFIXES)
def test_a_suffix_names_its_format(expected: Format, suffix: str) -> None:
    found_format(expected, f"A{suffix.upper()}", None)


@pytest.mark.parametrize(("expected", "media_type"), MEDIA_TYPES)
def test_a_media_type_names_its_format(expected: Format, media_type: str) -> None:
    found_format(expected, None, f"{media_type}; charset=utf-8")


def test_a_suffix_belongs_to_one_format() -> None:
    assert Counter(suffix for _, suffix in SUFFIXES).most_common(1)[0][1] == 1


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("a.png", "image/png"),
        ("a.csv", "text/csv"),
        ("a.qmd", "text/markdown"),
        ("a", formats.UNKNOWN),
        (None, formats.UNKNOWN),
    ],
)
def test_a_media_type_is_guessed_from_a_name(name: str | None, media_type: str) -> None:
    assert formats.guess_media_type(name) == media_type


def test_people_read_one_list_of_formats() -> None:
    shown = CliRunner().invoke(cli, ["ingest", "--help"]).output
    assert formats.SUPPORTED_FORMATS == (
        "PDF, Word (.docx), PowerPoint (.pptx), Excel (.xlsx, .xls), OpenDocument (.odt, .ods, .odp), RTF, EPUB, "
        "mail (.eml, .msg), HTML, Markdown, reStructuredText, AsciiDoc, CSV, JSON, Jupyter notebooks, plain text, "
        "source code, pictures (with Tesseract) and ZIP archives of these"
    )
    assert formats.SUPPORTED_FORMATS in " ".join(shown.replace("│", " ").split())
    with pytest.raises(DocumentError) as refused:
        sniff_format(b"\x7fELF\x00", None, None)
    assert refused.value.message.endswith(f" Footnote reads {formats.SUPPORTED_FORMATS}.")


def test_the_page_skips_the_secrets_that_commands_skip() -> None:
    page = Path(ROOT, "app/static/page-source/src/lib/state/uploads.svelte.ts").read_text(encoding="utf-8")
    ours = Path(ROOT, "app/knowledge/secret_files.py").read_text(encoding="utf-8")
    theirs = re.findall(r"const (SECRET_NAME|PRIVATE_KEY) = /(.+)/(i?);", page)
    assert [pattern for _, pattern, _ in theirs] == re.findall(r'r"(\^.+)"', ours)
    assert [flags for _, _, flags in theirs] == ["i", ""]
