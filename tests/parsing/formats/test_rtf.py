"""What RTF holds beside paragraphs, in the charsets of its fonts, and in linear time."""

import time

import pytest

from app.knowledge.parsing.dispatch import parse_file

FONTS = r"{\fonttbl{\f0\fswiss\fcharset0 Arial;}{\f1\fcharset204 Arial CYR;}{\f2\fcharset128 MS Mincho;}}"


def write(body: str, head: str = r"\ansi\ansicpg1252") -> bytes:
    return rf"{{\rtf1{head}\deff0{FONTS}{body}}}".encode("latin-1")


def read(body: str) -> str:
    return parse_file(write(body), name="a.rtf").text


def row(*cells: str, merges: tuple[str, ...] = ("", "")) -> str:
    defined = "".join(rf"{merge}\cellx{1000 * number}" for number, merge in enumerate(merges, 1))
    return rf"\trowd{defined}\pard\intbl " + "".join(rf"{cell}\cell " for cell in cells) + r"\row "


def test_notes_and_boxes_stand_below_what_holds_them() -> None:
    note = r"{\super\chftn}{\footnote\pard\plain {\super\chftn} A note.\par on it}"
    box = r"{\shp{\*\shpinst{\sp{\sn shapeType}{\sv 202}}{\shptxt\pard In a box.\par}}{\shprslt In a box.}}"
    assert read(rf"Some{note} words.{box}\par More.\par").split("\n\n") == [
        *("Some words.", "A note.", "on it", "In a box.", "More."),
    ]
    table = row("Name", "Price") + row("Ada", rf"12{note}") + r"\pard Bye.\par"
    assert read(table).split("\n\n") == ["| Name: Ada; Price: 12", "A note.", "on it", "Bye."]


def test_cells_hold_lines_bars_and_tables() -> None:
    inner = (
        r"\pard\intbl\itap2 one\nestcell two\nestcell{\*\nesttableprops\trowd\nestrow}{\nonesttables\par}\pard\intbl x"
    )
    table = row("Name", "Duties") + row(r"Ada\line Eva", "a | b") + row("Bob", inner)
    assert read(table).split("\n") == ["| Name: Ada Eva; Duties: a | b", "| Name: Bob; Duties: one two x"]
    assert read(r"This ends with a bar |\par and goes on.\par") == "This ends with a bar |\n\nand goes on."


def test_merged_cells_count_for_each_row_and_column() -> None:
    table = (
        row("Region", "Sales") + row("North", "10", merges=(r"\clvmgf", "")) + row("", "20", merges=(r"\clvmrg", ""))
    )
    wide = row("Closed in winter", "", merges=(r"\clmgf", r"\clmrg")) + row("South", "30")
    assert read(table + wide).split("\n") == [
        *("| Region: North; Sales: 10", "| Region: North; Sales: 20", "| Closed in winter; Region: South; Sales: 30"),
    ]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"Kept {\deleted old }{\revised new}{\v  hidden}.", "Kept new."),
        (r"10{\super 6} m, 5{\super th}, CO{\sub 2}", "10⁶ m, 5th, CO2"),
        (r"{\field{\*\fldinst HYPERLINK x}{\fldrslt A link}}{\*\bkmkstart b}{\*\unknown c}{\header d}", "A link"),
        (r"{\upr{\*\ud{x}}}\emdash a\~b\_c\-d\{\}\\", "—a b‑cd{}\\"),
        (r"a\u160\~b\u8209\_c\column d", "a b‑c\n\nd"),
        (r"\u8364?5 \uc2\u252\'81\'81ber {\uc0\u-10179\u-8704}", "€5 über 😀"),
        (r"{\f1 \'cf\'f0\'e8\'e2\'e5\'f2}, {\f2 \'93\'fa\'96\'7b} caf\'e9", "Привет, 日本 café"),
        ("{\\f1 \xcf\xf0\xe8}\\\nnext", "При\n\nnext"),
        (r"{\pict\bin9 }}}}}}}}a}shown", "shown"),
        (r"a{\object{\*\objdata 0102}{\result b}}c", "abc"),
    ],
)  # fmt: skip
def test_text_is_what_readers_see(body: str, text: str) -> None:
    assert read(body) == text


@pytest.mark.parametrize(
    ("head", "body", "text"),
    [
        (r"\mac", r"caf\'8e", "café"),
        (r"\ansi\ansicpg1251", "\xcf\xf0\xe8\xe2\xe5\xf2", "Привет"),
        (r"\ansi\ansicpg65001", r"\'c3\'bcber", "über"),
        (r"\ansi\ansicpg99", r"\'fcber", "über"),
    ],
)
def test_the_charset_of_a_file_is_the_one_it_names(head: str, body: str, text: str) -> None:
    assert parse_file(write(body, head), name="a.rtf").text == text


def test_items_have_their_numbers() -> None:
    items = r"{\listtext 1.\tab}one\par{\pntext 2.\tab}two\par{\listtext\f0 \'b7\tab}dot\par"
    body = items + r"\pard{\outlinelevel0{\listtext 3\tab}End\par}"
    document = parse_file(write(body), name="a.rtf")
    assert [line for line in document.text.split("\n") if line] == ["1. one", "2. two", "- dot", "3 End"]
    assert [heading.text for heading in document.headings] == ["3 End"]


def test_numbers_belong_to_their_own_lines() -> None:
    one, two = r"{\listtext 1.\tab}", r"{\listtext 2.\tab}"
    assert read(rf"{one}\par\pard Body\par") == "Body"
    assert read(rf"Words{{\footnote\pard {one}First\par{two}Second}} end.\par").split("\n\n") == [
        *("Words end.", "1. First", "2. Second"),
    ]
    steps = row("Steps", "By") + row(rf"{one}Open\par {two}Read", "Ada")
    assert read(steps) == "| Steps: 1. Open 2. Read; By: Ada"


def test_an_empty_paragraph_separates_tables() -> None:
    tables = row("Name", "Price") + row("Ada", "12") + r"\pard\par " + row("City", "Trams") + row("Rome", "3")
    assert [line for line in read(tables).split("\n") if line] == ["| Name: Ada; Price: 12", "| City: Rome; Trams: 3"]


def test_notes_of_a_paragraph_stand_below_it_not_below_the_table_before_it() -> None:
    text = row("Name", "Price") + row("Ada", "12") + r"\pard Words{\footnote A note.}.\par"
    assert read(text).split("\n\n") == ["| Name: Ada; Price: 12", "Words.", "A note."]


def test_a_file_that_was_cut_off_keeps_its_last_note() -> None:
    assert parse_file(rb"{\rtf1 Words.{\footnote A no", name="a.rtf").text == "Words.\n\nA no"


@pytest.mark.parametrize(
    "repeated",
    [r'{\field{\*\fldinst{HYPERLINK "', r"{\fonttbl{\f1 ", r"{\footnote a", r"\trowd\cellx1\cell ", r"\super 1"],
)
def test_reading_takes_linear_time(repeated: str) -> None:
    start = time.process_time()
    parse_file(b"{\\rtf1 shown" + repeated.encode() * 20_000, name="a.rtf")
    assert time.process_time() - start < 5
