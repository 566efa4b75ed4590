"""Decompression bombs and their like: small files that would expand without limit are refused early."""

from collections.abc import Callable
from pathlib import Path

import pytest
from anyio import CapacityLimiter

from app.errors import DocumentError
from app.knowledge.parsing.dispatch import parse_file
from app.knowledge.parsing.isolation import split_safely
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers.web import html_limits
from tests.files.office import changed, word
from tests.files.pdf import paragraph, pdf, self_drawing_pdf
from tests.files.sample import zipped

REAL_FILES = Path(__file__).parents[1] / "files" / "real"


def document_of(body: bytes) -> bytes:
    """A Word file with this XML in its body."""

    def change(data: bytes) -> bytes:
        return data.replace(b"<w:body>", b"<w:body>" + body)

    return changed(word(lambda document: document.add_paragraph("The end.")), "word/document.xml", change)


def refused(data: bytes, name: str) -> str:
    with pytest.raises(DocumentError) as caught:
        parse_file(data, name=name)
    assert caught.value.reason == "TOO_LARGE"
    return caught.value.message


@pytest.mark.parametrize(
    ("name", "make", "says"),
    [
        ("a.docx", lambda: document_of(b"<w:p/>" * 2_600_000), "1,500,000 elements"),
        ("a.docx", lambda: document_of(b"".join(b'<w:p w:a="%x"/>' % n for n in range(1_500_001))), "1,500,000 elem"),
        ("a.html", lambda: b"<html><body><ul>" + b"<li>a" * 1_500_001, "1,500,000 elements"),
        ("a.html", lambda: b"<html><body><table><tr>" + b"<td>a" * 1_500_001, "1,500,000 elements"),
        ("a.html", lambda: b"<html><body>" + b"<div>" * 100_000 + b"a", "nested too deep"),
        ("a.html", lambda: b"<html><body>" + b"<ul><li>" * 100_000 + b"a", "nested too deep"),
        ("a.html", lambda: b"<html>" + b"".join(b"<font size=%d>" % n for n in range(20_000)), "nested too deep"),
        ("a.html", lambda: b"<html><body>" + b"<div>" * 9_000 + b"<p></p>" * 50_000, "nested too deep"),
        (
            "a.html",
            lambda: b"<html>" + b"".join(b"<b c=%d>" % n for n in range(1000)) + b"<p>a" * 20_000,
            "nested too deep",
        ),
        ("a.html", lambda: b"<html><body>" + b"<h2>a</h2>" * 100_001, "100,000 headings"),
        ("a.md", lambda: b"# a\n" * 100_001, "100,000 headings"),
        ("a.md", lambda: b"a\n=\n\n" * 100_001, "100,000 headings"),
    ],
    ids=[
        "paragraphs",
        "elements",
        "list",
        "table",
        "nested",
        "nested list",
        "fonts",
        "deep and many",
        "copied",
        "h2",
        "headings",
        "underlined",
    ],
)
def test_bombs_are_refused(name: str, make: Callable[[], bytes], says: str) -> None:
    assert says in refused(make(), name)


def test_the_cells_of_a_binary_sheet_are_not_far_apart() -> None:
    """The rectangle around them is held in memory: here a million rows of 16,384 columns."""
    file = (REAL_FILES / "sheetjs.xlsb").read_bytes()
    last_row, first_cell = b"\x00\x19\x02\x00\x00\x00", b"\x06\x16\x00\x00\x00\x00"
    spread = changed(
        file,
        "xl/worksheets/sheet1.bin",
        lambda sheet: sheet.replace(last_row, b"\x00\x19\xff\xff\x0f\x00").replace(
            first_cell, b"\x06\x16\xff\x3f\x00\x00"
        ),
    )
    assert "20,000,000 cells in a sheet" in refused(spread, "a.xlsb")


def test_endless_combining_marks_are_cut() -> None:
    """100,000 marks of two classes, which take ten thousand million steps to sort."""
    text = parse_file(("a" + "\u0316\u0301" * 100_000 + " word").encode(), name="a.txt").text
    assert text.endswith(" word")
    assert len(text) <= 36
    assert parse_file("e\u0301 \u1ecb\u0302".encode()).text == "é \u1ecb\u0302"


@pytest.mark.parametrize(
    "field",
    [
        b"Subject: " + b"=?utf-8?q?Larks?= " * 1_000_000,
        b"Content-Type: text/plain; " + b"".join(b"a*%d=b; " % number for number in range(1_000_000)),
        b"Content-Disposition: inline; " + b"".join(b"filename*%d=b; " % number for number in range(1_000_000)),
    ],
    ids=["encoded words", "parameters", "parts of a name"],
)
def test_endless_fields_of_a_message_are_cut(field: bytes) -> None:
    """Python's library would take a quarter of an hour for each."""
    read = parse_file(b"From: a@example.org\r\n" + field + b"\r\n\r\nOwls hoot at night.", name="a.eml")
    assert read.text.startswith("From: a@example.org\n")
    assert read.text.endswith("Owls hoot at night.")
    assert len(read.text) < 2_500


async def test_a_page_that_draws_itself_recursively_is_given_up() -> None:
    """PDFium would draw for hours: the worker stops at the page's time limit and says so."""
    limiter = CapacityLimiter(1)
    file = self_drawing_pdf()
    assert len(file) < 800
    with pytest.raises(DocumentError) as caught:
        await split_safely(
            file, name="a.pdf", media_type=None, limits=ParsingLimits(seconds=3600, page_seconds=0.5), limiter=limiter
        )
    assert caught.value.reason == "TIMEOUT"
    assert caught.value.message.startswith("A page of this document takes more than 0.5 seconds to read")
    words = pdf([paragraph("Words")] * 20)
    read = await split_safely(words, name="b.pdf", media_type=None, limits=ParsingLimits(), limiter=limiter)
    assert "Words" in read.chunks[0].text


async def test_a_document_in_too_many_pieces_is_refused() -> None:
    sections = b"".join(b"# %d\n\n%s\n\n" % (n, b"words and more " * 20) for n in range(20))
    with pytest.raises(DocumentError) as caught:
        await split_safely(
            sections, name="a.md", media_type=None, limits=ParsingLimits(chunks=10), limiter=CapacityLimiter(1)
        )
    assert (caught.value.reason, "10 pieces" in caught.value.message) == ("TOO_LARGE", True)


@pytest.mark.parametrize(
    "page",
    [
        "<p>a" * 30_000,
        "<div><br>" * 5_000 + "<li>a" * 30_000,
        "<svg>" + "<path d='M0 0'/>" * 30_000 + "</svg>",
        "<script>" + "if (a<b) c();" * 30_000 + "</script>",
        "<b>x</b>" * 100_000,
        "a < b " * 100_000,
    ],
)
def test_long_but_shallow_pages_are_accepted(page: str) -> None:
    html_limits.check_nesting(page, ParsingLimits())


@pytest.mark.parametrize("name", ["b.txt", "b.csv", "b.py", "b.md"])
def test_an_archive_with_too_much_text_is_told_the_limit_of_all_of_it(name: str) -> None:
    inner = zipped({"a.txt": "Larks sing at dawn. " * 20, name: "Town,Note\n" + "Rome,walls\n" * 60})
    with pytest.raises(DocumentError) as caught:
        parse_file(inner, name="a.zip", limits=ParsingLimits(characters=500))
    assert (caught.value.reason, caught.value.message) == (
        "TOO_LARGE",
        "This document contains more than 500 characters of text; upload it in parts.",
    )
