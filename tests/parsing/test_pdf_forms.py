"""What people fill in the forms of PDFs is read beside its label, and drawn on the pictures of pages."""

from app.knowledge.parsed_documents import QuotedText
from app.knowledge.parsing import pdf_pictures
from app.knowledge.parsing.dispatch import parse_file
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import pdf_places
from tests.files.pdf import form_pdf, pdf

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
