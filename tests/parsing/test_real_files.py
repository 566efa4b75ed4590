"""Files that real programs wrote: each keeps its sentences, headings and rows, whoever wrote it."""

import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

from app.errors import DocumentError
from app.knowledge.parsing.dispatch import parse_file
from app.knowledge.parsing.formats import Format, find_tesseract
from tests.files.office import changed

FILES = Path(__file__).parents[1] / "files" / "real"
ABOUT = {"README.md", "LICENSE-Apache-2.0.txt"}
SENTENCES = (
    "The mooring fee is due on the first day of each month. Boats longer than twelve metres pay double.",
    "The harbour master is Ingrid Solheim.",
    "Her deputy is Tomás Ferreira.",
)
ROWS = "| Berth: North; Length: 8 m; Fee: 120\n| Berth: South; Length: 12 m; Fee: 195"
PRINTED = "Berth Length Fee\nNorth 8 m 120\nSouth 12 m 195"
DEFINITION = "Slip: a sloping ramp for launching boats."
VARIANT = re.compile("-(?:1251|attached|commonmark|formats)$")
PICTURES = ["ghostscript.tiff", "imagemagick.gif", "pillow.png", "ghostscript.pdf", "img2pdf.pdf"]
TERMS = [
    "asciidoctor.html",
    "calibre.epub",
    "docutils.html",
    "docx-js.docx",
    "ebooklib.epub",
    "jupytext.ipynb",
    "jupytext.md",
    "nbformat.ipynb",
    "pandoc.adoc",
    "pandoc.epub",
    "pandoc.html",
    "pandoc.md",
    "pandoc.rst",
]


def test_each_format_has_files_of_three_programs() -> None:
    programs: dict[Format, set[str]] = {each: set() for each in Format}
    for path in FILES.iterdir():
        for each in Format:
            if path.suffix in each.suffixes and path.name not in ABOUT:
                programs[each].add(VARIANT.sub("", path.stem))
    assert {each.name: names for each, names in programs.items() if len(names) < 3} == {}


def test_each_file_is_in_the_list_of_its_folder() -> None:
    listed = re.findall(r"`([\w*-]+\.[\w*]+)`", (FILES / "README.md").read_text(encoding="utf-8").partition("|---|")[2])
    names = {path.name for path in FILES.iterdir()} - ABOUT
    assert [name for name in sorted(names) if not any(fnmatch(name, each) for each in listed)] == []
    assert [each for each in listed if not any(fnmatch(name, each) for name in names)] == []


@pytest.mark.parametrize(
    ("name", "table", "place"),
    [
        ("pandoc.adoc", ROWS, "Fees"),
        ("docx-js.docx", ROWS, "Fees"),
        ("pandoc.docx", ROWS, "Fees"),
        ("writer.docx", ROWS, "Fees"),
        ("calibre.epub", ROWS, "Fees"),
        ("ebooklib.epub", ROWS, "Fees"),
        ("pandoc.epub", ROWS, "Fees"),
        ("writer.epub", "| North; 8 m; 120\n| South; 12 m; 195", "Harbour handbook"),  # the file has no header row
        ("asciidoctor.html", ROWS, "Fees"),
        ("docutils.html", ROWS, "Fees"),
        ("pandoc.html", ROWS, "Fees"),
        ("writer.html", ROWS, "Fees"),
        ("jupytext.ipynb", ROWS, "Fees"),
        ("nbformat.ipynb", ROWS, "Fees"),
        ("pandoc.ipynb", ROWS, "Fees"),
        ("jupytext.md", ROWS, "Fees"),
        ("pandoc.md", ROWS, "Fees"),
        ("pandoc-commonmark.md", ROWS, "Fees"),
        ("turndown.md", ROWS, "Fees"),
        ("impress.odp", ROWS, "Slide 3: Fees"),
        ("odfdo.odp", ROWS, "Slide 2: Fees"),
        ("odfpy.odp", ROWS, "Slide 2: Fees"),
        ("abiword.odt", ROWS, "Fees"),
        ("docutils.odt", ROWS, "Fees"),
        ("pandoc.odt", ROWS, "Fees"),
        ("writer.odt", ROWS, "Fees"),
        ("chromium.pdf", PRINTED, "Fees"),
        ("fpdf2.pdf", PRINTED, "Fees"),
        ("pdfkit.pdf", PRINTED, ""),  # neither bookmarks nor tags
        ("reportlab.pdf", PRINTED, ""),  # neither bookmarks nor tags
        ("typst.pdf", PRINTED, "1.1 Fees"),
        ("weasyprint.pdf", PRINTED, "Fees"),
        ("writer.pdf", PRINTED, "Fees"),
        ("pandoc.pptx", ROWS, "Slide 3: Fees"),
        ("pptxgenjs.pptx", ROWS, "Slide 2: Fees"),
        ("python-pptx.pptx", ROWS, "Slide 2: Fees"),
        ("m2r2.rst", ROWS, "Fees"),
        ("pandoc.rst", ROWS, "Fees"),
        ("abiword.rtf", ROWS, "Fees"),
        ("pandoc.rtf", ROWS, "Fees"),
        ("writer.rtf", ROWS, "Fees"),
    ],
)
def test_a_handbook_is_read_whoever_wrote_it(name: str, table: str, place: str) -> None:
    document = parse_file((FILES / name).read_bytes(), name=name)
    text = " ".join(document.text.split())
    assert [sentence for sentence in SENTENCES if sentence not in text] == []
    assert table in document.text
    above = [heading.text for heading in document.headings if heading.offset < document.text.index(table)]
    assert (above or [""])[-1] == place
    assert document.title == "Harbour handbook"


@pytest.mark.parametrize("name", TERMS)
def test_a_term_is_read_with_its_definition(name: str) -> None:
    assert DEFINITION in parse_file((FILES / name).read_bytes(), name=name).text


@pytest.mark.parametrize(
    ("name", "sheet"),
    [
        ("calc.ods", "calc"),
        ("gnumeric.ods", "fees.csv"),
        ("odfpy.ods", "Fees"),
        ("sheetjs.ods", "Fees"),
        ("calc.xls", "calc"),
        ("gnumeric.xls", "fees.csv"),
        ("xlwt.xls", "Fees"),
        ("calc.xlsx", "calc"),
        ("exceljs.xlsx", "Fees"),
        ("openpyxl.xlsx", "Fees"),
        ("sheetjs.xlsb", "Fees"),
        ("xlsxwriter.xlsx", "Fees"),
    ],
)
def test_rows_of_sheets_have_their_numbers(name: str, sheet: str) -> None:
    document = parse_file((FILES / name).read_bytes(), name=name)
    assert document.text == f"Sheet “{sheet}”\n\n{ROWS}"
    assert [(place.unit, place.number) for place in document.places] == [("row", 2), ("row", 3)]


@pytest.mark.parametrize("name", sorted(path.name for path in FILES.glob("*-formats.*")))
def test_numbers_of_sheets_are_read_as_people_see_them(name: str) -> None:
    document = parse_file((FILES / name).read_bytes(), name=name)
    assert document.text.endswith("| Day: 2026-01-05; Share: 15%; Price: 81 CHF; Code: 01234; Time: 27:15")


def test_a_unit_is_left_out_where_the_digits_shown_are_not_those_of_the_number() -> None:
    file = changed(
        (FILES / "calc-formats.ods").read_bytes(),
        "content.xml",
        lambda content: content.replace(b">81 CHF<", b">0.081 TCHF<"),
    )
    assert "; Price: 81; " in parse_file(file, name="a.ods").text


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("psql.csv", [("row", 2), ("row", 3)]),
        ("python.csv", [("row", 2), ("row", 3)]),
        ("sqlite.csv", [("row", 2), ("row", 3)]),
        ("gnumeric.tsv", [("row", 2), ("row", 3)]),
        ("mariadb.tsv", [("row", 2), ("row", 3)]),
        ("pandas.tsv", [("row", 2), ("row", 3)]),
        ("sqlite.tsv", [("row", 2), ("row", 3)]),
        ("jq.json", [("record", 1), ("record", 2)]),
        ("psql.json", [("record", 1), ("record", 2)]),
        ("sqlite.json", [("record", 1), ("record", 2)]),
        ("jq.jsonl", [("line", 1), ("line", 2)]),
        ("mariadb.jsonl", [("line", 1), ("line", 2)]),
        ("psql.jsonl", [("line", 1), ("line", 2)]),
        ("psql.adoc", []),
        ("tabulate.adoc", []),
        ("psql.html", []),
        ("pandas.md", []),
        ("sqlite.md", []),
        ("tabulate.rst", []),
    ],
)
def test_rows_of_tables_are_read_alike(name: str, places: list[tuple[str, int]]) -> None:
    document = parse_file((FILES / name).read_bytes(), name=name)
    assert ROWS in document.text
    assert "header" not in document.text
    assert [(place.unit, place.number) for place in document.places] == places


@pytest.mark.parametrize("name", ["aspose.msg", "oxmsg.msg", "python.eml", "s-nail.eml"])
def test_mail_has_its_words_and_its_attachment(name: str) -> None:
    document = parse_file((FILES / name).read_bytes(), name=name)
    assert document.title == "Harbour handbook"
    assert document.text.startswith("From: Ingrid Solheim <ingrid@harbour.example>\n")
    assert [sentence for sentence in SENTENCES if sentence not in document.text] == []
    assert document.text.endswith(ROWS)


def test_mail_that_outlook_saved_is_read() -> None:
    document = parse_file((FILES / "outlook.msg").read_bytes(), name="outlook.msg")
    assert document.text == (
        "From: Kevin Roast\nTo: Kevin Roast\nDate: 2007-06-14 09:42 UTC\nSubject: Test the content transformer\n\n"
        "The quick brown fox jumps over the lazy dog"
    )


def test_a_message_that_is_attached_to_another_is_read() -> None:
    document = parse_file((FILES / "outlook-attached.msg").read_bytes(), name="outlook-attached.msg")
    first, second = document.text.split("Attachment “Untitled Attachment”")
    assert "Subject: Master mail\n\nVestibulum orci purus, malesuada vitae interdum eu" in first
    assert "Date: 2015-08-05 12:01 UTC\nSubject: Test mail attachment\n\nLorem ipsum dolor sit amet" in second


def test_mail_without_unicode_is_read_in_its_own_code_page() -> None:
    document = parse_file((FILES / "outlook-1251.msg").read_bytes(), name="outlook-1251.msg")
    assert document.title == "Subject автоматически Subject"
    assert document.text.endswith("\n\nBody автоматически Body")


def test_a_commit_that_was_mailed_has_its_message_and_its_lines() -> None:
    document = parse_file((FILES / "git.eml").read_bytes(), name="git.eml")
    assert document.title == "[PATCH] Harbour handbook"
    assert "The harbour master is Ingrid Solheim. Her deputy is Tomás Ferreira." in document.text
    assert '+North,"8 m",120' in document.text


@pytest.mark.parametrize("name", ["git.zip", "python.zip", "zip.zip"])
def test_an_archive_has_all_of_its_files(name: str) -> None:
    document = parse_file((FILES / name).read_bytes(), name=name)
    assert document.text.startswith(f"fees.csv\n\n{ROWS}\n\nhandbook.rst\n")
    assert document.text.count(ROWS) == 2
    assert document.headings[-1].text == "Staff"


def test_a_table_without_a_header_style_has_its_headers() -> None:
    document = parse_file((FILES / "python-docx.docx").read_bytes(), name="python-docx.docx")
    assert document.text.endswith(f"{SENTENCES[0]}\n\n{ROWS}")


def test_a_header_that_no_row_stands_under_is_not_lost() -> None:
    document = parse_file((FILES / "abiword.docx").read_bytes(), name="abiword.docx")
    assert "| Berth; Length; Fee\n| North; 8 m; 120\n| South; 12 m; 195" in document.text


def test_a_title_over_two_lines_is_one_heading() -> None:
    document = parse_file((FILES / "chromium.pdf").read_bytes(), name="chromium.pdf")
    assert [(heading.level, heading.text) for heading in document.headings] == [
        (1, "Harbour handbook"),
        (2, "Fees"),
        (2, "Terms"),
        (2, "Staff"),
    ]


@pytest.mark.parametrize("name", ["groff.txt", "pandoc.txt", "writer.txt"])
def test_plain_text_keeps_its_letters(name: str) -> None:
    text = " ".join(parse_file((FILES / name).read_bytes(), name=name).text.split())
    assert [sentence for sentence in SENTENCES if sentence not in text] == []


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (FILES / "fees.c", "// The harbour master is Ingrid Solheim."),
        (FILES / "fees.rs", "// The harbour master is Ingrid Solheim."),
        (FILES / "git.diff", '+North,"8 m",120'),
        (FILES / "sqlite.sql", "INSERT INTO fees VALUES('South','12 m',195);"),
        (Path(__file__), '"The harbour master is Ingrid Solheim.",'),
    ],
    ids=lambda value: value.name if isinstance(value, Path) else "",
)
def test_source_code_has_the_numbers_of_its_lines(path: Path, words: str) -> None:
    document = parse_file(path.read_bytes(), name=path.name)
    lines = path.read_text(encoding="utf-8").splitlines()
    numbers = {place.number: document.text[place.start : place.end].strip() for place in document.places}
    assert numbers[next(number for number, line in enumerate(lines, 1) if line.strip() == words)] == words


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_of_text_is_refused_with_a_hint(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DocumentError, match="Tesseract") as refused:
        parse_file((FILES / name).read_bytes(), name=name)
    assert refused.value.reason == "NO_TEXT_LAYER"


@pytest.mark.skipif(find_tesseract() is None, reason="Tesseract is not installed")
@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_of_text_is_recognized(name: str) -> None:
    text = " ".join(parse_file((FILES / name).read_bytes(), name=name).text.split())
    assert [sentence for sentence in SENTENCES[:2] if sentence not in text] == []
