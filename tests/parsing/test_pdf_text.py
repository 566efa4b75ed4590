"""The text, pages and titles of PDF files."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import DocumentError
from app.knowledge import chunking
from app.knowledge.parsing.dispatch import parse_file
from tests.files.pdf import paragraph, pdf, typeset_pdf


def test_pdf_lines_become_paragraphs_on_exact_pages() -> None:
    def page(number: int) -> list[tuple[float, float, str]]:
        body = paragraph(
            "The first paragraph is wrapped at the end of every line, and the infor-",
            f"mation on page {number} goes on here with enough words to fill the whole line",
            "until it ends.",
        )
        return [
            (72, 800, "Annual report"),
            *body,
            *paragraph(f"Second paragraph {number}.", top=640),
            (290, 30, f"{number}"),
        ]

    document = parse_file(pdf([page(number) for number in range(1, 6)], title="Microsoft Word - Report.docx"))
    expected = [
        "The first paragraph is wrapped at the end of every line, and the information on page "
        f"{number} goes on here with enough words to fill the whole line until it ends.\n\nSecond paragraph {number}."
        for number in range(1, 6)
    ]
    assert document.text == "\n\n".join(expected)
    assert [document.text[start:].startswith("The first") for start in document.page_starts] == [True] * 5
    assert document.title == "Report"
    for chunk in chunking.split_document(document):
        assert f"page {chunk.page} goes" in document.text[chunk.start :][:120]


@pytest.mark.parametrize("title", ["(anonymous)", "anonymous", "(unspecified)", "Untitled-1", "Unknown"])
def test_a_generated_title_is_ignored(title: str) -> None:
    assert parse_file(pdf([paragraph("Words")], title=title)).title is None
    assert parse_file(pdf([paragraph("Words")], title=f"The {title} letters")).title == f"The {title} letters"


def test_empty_pages_count() -> None:
    document = parse_file(pdf([[], paragraph("Words"), [], paragraph("More words")]))
    assert [chunk.page for chunk in chunking.split_document(document)] == [2]
    assert document.page_starts == (0, 0, 5, 7)


@given(st.binary(max_size=300))
def test_odd_pdfs_are_read_or_refused_with_a_code(noise: bytes) -> None:
    whole = pdf([paragraph("Some words")])
    cut = len(noise) * len(whole) // 300
    try:
        parse_file(whole[:cut] + noise + whole[cut:])
    except DocumentError as error:
        assert error.reason in {"BROKEN", "NO_TEXT_LAYER", "ENCRYPTED", "EMPTY", "UNSUPPORTED"}


def test_a_line_of_a_pdf_may_begin_with_small_or_large_characters() -> None:
    lines = [
        "/F 6 Tf 4 Ts (2) Tj /F 10 Tf 0 Ts (The number of passengers rose to more than a million in the year after) Tj",
        "(the bridge was closed, and the company bought two ferries, which are larger than any other) Tj",
        "/F 18 Tf (•) Tj /F 10 Tf ( and, as all say who travelled on them, far more comfortable than all others) Tj",
        "(that it had before.) Tj",
    ]
    assert parse_file(typeset_pdf(lines)).text.replace("\n•", " •").replace("\n", " ") == (
        "2The number of passengers rose to more than a million in the year after the bridge was closed, and the "
        "company bought two ferries, which are larger than any other • and, as all say who travelled on them, far more "
        "comfortable than all others that it had before."
    )


def test_rows_of_a_table_in_a_pdf_are_lines() -> None:
    rows = [("Route of the ferry", "Passengers"), ("Ellery to Stonehaven", "702,118"), ("Ellery to Gull", "391,450")]
    placed = [(x, 700 - 14 * index, row[x > 72]) for index, row in enumerate(rows) for x in (72, 400)]
    expected = "Route of the ferry Passengers\nEllery to Stonehaven 702,118\nEllery to Gull 391,450"
    assert parse_file(pdf([placed])).text == expected


def test_lines_of_a_pdf_that_end_in_divided_words_are_of_one_paragraph() -> None:
    left = paragraph(
        "The order comes in seven days. The confir-",
        "mation is sent at once. It is a well-known",
        "habit of the house, and it is also well-",
        "known that the Saxe-Coburg and the Wettin-",
        "Ernest branches of the firm send theirs late.",
    )
    document = parse_file(pdf([[*left, (320, 700, "Our office is open on weekdays from nine to five.")]]))
    assert document.text.replace("\n", " ").startswith(
        "The order comes in seven days. The confirmation is sent at once. It is a well-known habit of the house, and "
        "it is also well-known that the Saxe-Coburg and the Wettin-Ernest branches of the firm send theirs late."
    )
