"""Where quotes stand on the pages of PDFs: rectangles hold exactly the quoted words, or there are none."""

from dataclasses import replace

import pytest
from anyio import CapacityLimiter

from app.errors import DocumentError
from app.knowledge.parsed_documents import PageArea, QuotedText
from app.knowledge.parsing import isolation
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import pdf, pdf_places
from tests.files.pdf import Placed, lines_inside, paragraph, slow_pdf, turned
from tests.files.pdf import pdf as make_pdf

LIMITS = ParsingLimits()
CROP = (60, 0, 595, 742)
LEFT = paragraph("The order comes in seven days. The confir-", "mation is sent at once.", "Returns are free.")
RIGHT = paragraph("Our office is open on weekdays.", "It is closed in August.", left=320)


def places_of(data: bytes, words: str) -> tuple[PageArea, ...]:
    """The areas of words of a PDF."""
    start = pdf.parse_pdf(data, LIMITS).text.index(words)
    return pdf_places.find_quotes(data, [QuotedText(start, words)], LIMITS)[0]


def shown_lines(data: bytes, area: PageArea) -> list[str]:
    """What stands in the boxes."""
    return lines_inside(data, area.page, area.boxes)


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("comes in seven days.", ["comes in seven days."]),
        # Without the hyphen that divided the word, over two lines, and not the words beside them.
        ("The confirmation is sent", ["The confir", "mation is sent"]),
        ("Our office is open on weekdays. It is closed", ["Our office is open on weekdays.", "It is closed"]),
    ],
)
def test_boxes_hold_exactly_the_words(words: str, lines: list[str]) -> None:
    data = make_pdf([[(72, 800, "Page one")], [*LEFT, *RIGHT]])
    [area] = places_of(data, words)
    assert (area.page, area.width, area.height) == (2, 595, 842)
    assert shown_lines(data, area) == lines


def test_words_over_two_pages_have_an_area_on_each() -> None:
    data = make_pdf([paragraph("The parcel arrives when"), paragraph("you expect it least.")])
    areas = places_of(data, "arrives when\nyou expect")
    assert [area.page for area in areas] == [1, 2]
    assert [line for area in areas for line in shown_lines(data, area)] == ["arrives when", "you expect"]


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_boxes_are_on_the_page_as_it_is_shown(degrees: int) -> None:
    plain = make_pdf([LEFT])
    [upright] = places_of(turned(plain, 0, CROP), "Returns are free.")
    [area] = places_of(turned(plain, degrees, CROP), "Returns are free.")
    [box], [seen] = upright.boxes, area.boxes
    assert (upright.width, upright.height) == (535, 742)
    # As printed 72 points from the left and 676 from below, in 10 point type.
    assert box.left == pytest.approx(12, abs=1)
    assert 742 - box.bottom == pytest.approx(676 - 2, abs=1)
    corners = {
        0: (box.left, box.top),
        90: (742 - box.bottom, box.left),
        180: (535 - box.right, 742 - box.bottom),
        270: (box.top, 535 - box.right),
    }
    assert (area.width, area.height) == ((535, 742) if degrees % 180 == 0 else (742, 535))
    assert (seen.left, seen.top) == pytest.approx(corners[degrees], abs=0.1)


def test_none_rather_than_a_wrong_one() -> None:
    data = make_pdf([LEFT])
    start = pdf.parse_pdf(data, LIMITS).text.index("Returns")
    quotes = [
        QuotedText(start, "Returns were free."),
        QuotedText(start + 1, "Returns"),
        QuotedText(10**6, "Returns"),
        QuotedText(start, ""),
    ]
    assert pdf_places.find_quotes(data, quotes, LIMITS) == [(), (), (), ()]
    # Cut off, so that nobody sees it.
    hidden: list[Placed] = [(72, 790, "Nobody sees these words."), *LEFT]
    assert places_of(turned(make_pdf([hidden]), 0, CROP), "Nobody sees these words.") == ()


async def test_a_slow_pdf_takes_no_longer_than_allowed() -> None:
    limits = replace(LIMITS, seconds=1.0)
    with pytest.raises(DocumentError, match="takes more than 1 second"):
        await isolation.find_quotes_safely(slow_pdf(), [QuotedText(0, "x")], limits=limits, limiter=CapacityLimiter(1))
