"""What people fill in the forms of PDFs is read beside its label, and drawn on the pictures of pages."""

import pytest

from app.knowledge.parsed_documents import QuotedText
from app.knowledge.parsing import pdf_pictures
from app.knowledge.parsing.dispatch import parse_file
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import pdf_places
from tests.files.pdf import form_pdf, lines_inside, pdf

NAME, CITY = (72, 700, "Name:"), (72, 660, "City:")
OPTIONS = "/Opt[[(de)(Germany)][(ch)(Switzerland)][(at)(Austria)]]"


def test_a_value_stands_after_the_label_beside_it() -> None:
    fields = [(150, 655, "/FT/Tx/V(London)"), (150, 695, "/FT/Tx/V(Ada Lovelace)"), (360, 695, "/FT/Tx/V(Countess)")]
    text = parse_file(form_pdf([NAME, CITY, (72, 600, "Please sign here.")], fields)).text
    assert text.split("\n") == ["Name: Ada Lovelace Countess", "City: London", "Please sign here."]


def test_a_value_stands_below_the_label_above_it() -> None:
    lines = [(72, 700, "Reason of the claim"), (72, 600, "Signature")]
    text = parse_file(form_pdf(lines, [(72, 670, "/FT/Tx/Ff 4096/V(Water in\\rthe cellar)")])).text
    assert text.split("\n") == ["Reason of the claim", "Water in the cellar", "Signature"]


def test_what_is_chosen_is_read_as_it_is_shown() -> None:
    combo = f"/FT/Ch/Ff 131072{OPTIONS}/V(ch)/I[1]"
    several = f"/FT/Ch/Ff 2097152{OPTIONS}/V[(de)(at)]/I[0 2]"
    lines = [(72, 700, "Country:"), (72, 600, "Others:")]
    text = parse_file(form_pdf(lines, [(150, 695, combo), (150, 595, several)])).text
    assert text.split("\n") == ["Country: Switzerland", "Others: Germany, Austria"]


def boxes(radio: bool, *places: tuple[float, float, bool]) -> list[tuple[float, float, str]]:
    """Check boxes, or radio buttons of their own, 12 pt wide, and whether they are ticked."""
    kind = "/FT/Btn/Ff 49152" if radio else "/FT/Btn"
    return [
        (x, y, f"{kind}/Rect[{x} {y} {x + 12} {y + 12}]/AP<</N<</On null/Off null>>>>/AS/{state}/V/{state}")
        for x, y, is_on in places
        for state in ["On" if is_on else "Off"]
    ]


@pytest.mark.parametrize("radio", [False, True])
def test_what_is_ticked_is_marked_before_its_label(radio: bool) -> None:
    lines = [(90, 700, "Married"), (190, 700, "Single"), (290, 700, "Other"), (90, 660, "Post"), (72, 620, "I agree")]
    places = [(72, 698, False), (172, 698, True), (272, 698, False), (72, 658, True), (130, 618, True)]
    text = parse_file(form_pdf(lines, boxes(radio, *places))).text
    assert text.split("\n") == ["☐ Married ☒ Single ☐ Other", "☒ Post", "I agree ☒"]


def test_a_ticked_box_stands_within_a_sentence_and_beside_a_value() -> None:
    lines = [(72, 700, "Bank details:        yes         no"), (72, 640, "Nothing here")]
    fields = [*boxes(False, (134, 699, True), (175, 699, False)), (360, 695, "/FT/Tx/V(see below)")]
    text = parse_file(form_pdf(lines, fields)).text
    assert text.split("\n") == ["Bank details: ☒ yes ☐ no see below", "Nothing here"]


def test_a_form_without_other_text_is_no_scan() -> None:
    assert parse_file(form_pdf([], [(72, 700, "/FT/Tx/V(Ada)"), (72, 600, "/FT/Tx/V(Eva)")])).text.split() == [
        "Ada",
        "Eva",
    ]


def test_passwords_and_what_is_hidden_are_not_read() -> None:
    fields = [(150, 695, "/FT/Tx/Ff 8192/V(secret)"), (150, 655, "/FT/Tx/F 2/V(unseen)"), (360, 655, "/FT/Tx/V(Oslo)")]
    assert parse_file(form_pdf([NAME, CITY], fields)).text.split() == ["Name:", "City:", "Oslo"]


def test_pictures_of_pages_show_what_is_filled_in() -> None:
    empty, filled = (form_pdf([NAME], [(150, 695, f"/FT/Tx/V({value})")]) for value in ("", "Ada"))
    assert pdf_pictures.draw_page(empty, 1, 600) != pdf_pictures.draw_page(filled, 1, 600)


def test_a_value_costs_the_other_lines_no_places() -> None:
    data = form_pdf([NAME, CITY, (72, 600, "Please sign here.")], [(150, 695, "/FT/Tx/V(Ada)")])
    text = parse_file(data).text
    quotes = [QuotedText(text.index(words), words) for words in ("Name: Ada", "Please sign here.")]
    filled, [area] = pdf_places.find_quotes(data, quotes, ParsingLimits())
    assert filled == ()
    [plain] = pdf_places.find_quotes(
        pdf([[(72, 600, "Please sign here.")]]), [QuotedText(0, "Please sign here.")], ParsingLimits()
    )
    assert area.boxes == plain[0].boxes


def test_words_beside_a_ticked_box_have_their_places() -> None:
    lines = [(90, 700, "Married"), (190, 700, "Single")]
    data = form_pdf(lines, boxes(False, (72, 698, False), (172, 698, True), (240, 698, True)))
    assert parse_file(data).text == "☐ Married ☒ Single ☒"
    quotes = [QuotedText(12, "Single"), QuotedText(2, "Married ☒ Single ☒")]
    single, both = pdf_places.find_quotes(data, quotes, ParsingLimits())
    assert [lines_inside(data, area.page, area.boxes) for area in (*single, *both)] == [
        ["Single"],
        ["Married", "Single"],
    ]
