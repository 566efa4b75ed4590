"""Files that real programs wrote: each keeps its sentences, headings and rows, whoever wrote it."""

from pathlib import Path

import pytest

from app.knowledge.parsing.dispatch import parse_file

FILES = Path(__file__).parent / "files" / "real"
SENTENCES = (
    "The mooring fee is due on the first day of each month. Boats longer than twelve metres pay double.",
    "The harbour master is Ingrid Solheim.",
    "Her deputy is Tomás Ferreira.",
)
ROWS = "| Berth: North; Length: 8 m; Fee: 120\n| Berth: South; Length: 12 m; Fee: 195"
PRINTED = "Berth Length Fee\nNorth 8 m 120\nSouth 12 m 195"
DEFINITION = "Slip: a sloping ramp for launching boats."


@pytest.mark.parametrize(
    ("name", "table", "place"),
    [
        ("pandoc.adoc", ROWS, "Fees"),
        ("pandoc.docx", ROWS, "Fees"),
        ("pandoc.epub", ROWS, "Fees"),
        ("pandoc.html", ROWS, "Fees"),
        ("pandoc.ipynb", ROWS, "Fees"),
        ("pandoc.odt", ROWS, "Fees"),
        ("pandoc.pptx", ROWS, "Slide 3: Fees"),
        ("pandoc.rst", ROWS, "Fees"),
        ("writer.docx", ROWS, "Fees"),
        ("writer.epub", "| North; 8 m; 120\n| South; 12 m; 195", "Harbour handbook"),  # the file has no header row
        ("writer.odt", ROWS, "Fees"),
        ("writer.pdf", PRINTED, "Fees"),
        ("writer.rtf", ROWS, ""),
        ("impress.odp", ROWS, "Slide 3: Fees"),
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


@pytest.mark.parametrize("name", ["pandoc.adoc", "pandoc.epub", "pandoc.html", "pandoc.rst"])
def test_a_term_is_read_with_its_definition(name: str) -> None:
    assert DEFINITION in parse_file((FILES / name).read_bytes(), name=name).text


@pytest.mark.parametrize(
    ("name", "sheet"),
    [("calc.ods", "calc"), ("calc.xls", "calc"), ("calc.xlsx", "calc"), ("openpyxl.xlsx", "Fees")],
)
def test_rows_of_sheets_have_their_numbers(name: str, sheet: str) -> None:
    document = parse_file((FILES / name).read_bytes(), name=name)
    assert document.text == f"Sheet “{sheet}”\n\n{ROWS}"
    assert [(place.unit, place.number) for place in document.places] == [("row", 2), ("row", 3)]


def test_a_table_without_a_header_style_has_its_headers() -> None:
    document = parse_file((FILES / "python-docx.docx").read_bytes(), name="python-docx.docx")
    assert document.text.endswith(f"{SENTENCES[0]}\n\n{ROWS}")
