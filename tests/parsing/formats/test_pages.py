"""Pages on the web and in books: nothing of their text is lost, and numbers stay the same."""

import pytest

from app.knowledge.chunking import split_document
from app.knowledge.parsing.dispatch import parse_file
from tests.files.package_samples import CONTAINER
from tests.files.sample import zipped

XHTML = (
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">'
    "<head>{head}</head><body>{body}</body></html>"
)
NAVIGATION = XHTML.format(
    head="<title>Contents</title>",
    body='<nav epub:type="toc"><ol><li><a href="c0.xhtml">The <i>first</i> chapter</a></li></ol></nav>'
    '<nav epub:type="landmarks"><ol><li><a href="c1.xhtml">Body</a></li></ol></nav>',
)
SMALL = "<html><body><p>{}</p></body></html>"


def write_book(chapters: list[str], extra: dict[str, str | bytes] | None = None, manifest: str = "") -> bytes:
    items = "".join(
        f'<item id="c{number}" href="c{number}.xhtml" media-type="application/xhtml+xml"/>'
        for number in range(len(chapters))
    )
    spine = "".join(f'<itemref idref="c{number}"/>' for number in range(len(chapters)))
    package = (
        f'<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest>{items}{manifest}</manifest>'
        f"<spine>{spine}</spine></package>"
    )
    pages: dict[str, str | bytes] = {f"OEBPS/c{number}.xhtml": page for number, page in enumerate(chapters)}
    start: dict[str, str | bytes] = {"mimetype": "application/epub+zip", "META-INF/container.xml": CONTAINER}
    return zipped({**start, "OEBPS/book.opf": package, **pages, **(extra or {})})


@pytest.mark.parametrize(
    "head",
    [
        "<title/>",
        '<title>T</title><script src="a.js"/>',
        '<script src="a.js" title="a > b"/>',
        "<style type='text/css' />",
    ],
)
def test_an_element_that_closes_itself_does_not_hold_the_rest_of_a_page(head: str) -> None:
    page = XHTML.format(head=head, body='<h1>Returns</h1><div/><p>Within<a id="p7"/> a week.<br/>By <i/>mail.</p>')
    for file, name in ((write_book([page]), "a.epub"), (page.encode(), "a.xhtml")):
        assert parse_file(file, name=name).text == "Returns\n\nWithin a week.\nBy mail."


def test_a_chapter_of_a_book_has_its_header_its_notes_and_its_end() -> None:
    body = (
        '<section epub:type="chapter"><header><h1>Returns</h1></header><p>Within a week.</p>'
        '<aside epub:type="footnote"><p>Except at sea.</p></aside><footer><p>Ada</p></footer></section>'
    )
    [chunk] = split_document(parse_file(write_book([XHTML.format(head="", body=body)]), name="a.epub"))
    assert chunk.heading == ("Returns",)
    assert chunk.text == "Returns\n\nWithin a week.\n\nExcept at sea.\n\nAda"


def test_chapters_without_headings_are_named_by_the_contents_of_a_newer_book() -> None:
    chapters = [XHTML.format(head="", body=f"<p>{words}</p>") for words in ("Within a week.", "Except at sea.")]
    listed = '<item id="n" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>'
    book = write_book(chapters, {"OEBPS/nav.xhtml": NAVIGATION}, listed)
    first, *_ = split_document(parse_file(book, name="a.epub"))
    assert first.heading == ("The first chapter",)
    assert first.text.startswith("The first chapter\n\nWithin a week.")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("10<sup>6</sup> cells", "10⁶ cells"),
        ("10<sup>-3</sup> m", "10⁻³ m"),
        ('in 2020<sup><a href="#n">3</a>,<a href="#m">4</a></sup>', "in 2020³,⁴"),
        ("the 5<sup>th</sup> of May", "the 5th of May"),
        ("CO<sub>2</sub> per m<sup>2</sup>", "CO2 per m2"),
    ],
)
def test_a_raised_digit_makes_no_other_number(written: str, read: str) -> None:
    assert parse_file(SMALL.format(written).encode(), name="a.html").text == read


def test_items_of_lists_have_the_numbers_that_readers_see() -> None:
    page = (
        '<html><body><ol start="5"><li>five<li value="9">nine<li>ten</ol><ol type="a"><li>one<li>two</ol>'
        '<ol type="I" start="4"><li>four</ol><ol reversed><li>two<li>one</ol><ol type="i" start="-1"><li>less</ol>'
    )
    lines = parse_file(page.encode(), name="a.html").text.split("\n")
    assert list(filter(None, lines)) == [
        *("5. five", "9. nine", "10. ten", "a. one", "b. two", "IV. four", "2. two", "1. one", "-1. less"),
    ]


def test_after_z_come_aa_and_ab_as_in_a_browser() -> None:
    items = "".join(f"<li value={number}>item" for number in (26, 27, 28, 52, 53, 702, 703))
    page = f'<html><body><ol type=a start=27><li>item<li>item</ol><ol type="A">{items}</ol>'
    marks = [line.split(". ")[0] for line in parse_file(page.encode(), name="a.html").text.split("\n") if line]
    assert marks == ["aa", "ab", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA"]
