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


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("psql.csv", [("row", 2), ("row", 3)]),
        ("python.csv", [("row", 2), ("row", 3)]),
        ("sqlite.csv", [("row", 2), ("row", 3)]),
        ("mariadb.tsv", [("row", 2), ("row", 3)]),
        ("sqlite.tsv", [("row", 2), ("row", 3)]),
        ("jq.json", [("record", 1), ("record", 2)]),
        ("psql.json", [("record", 1), ("record", 2)]),
        ("sqlite.json", [("record", 1), ("record", 2)]),
        ("jq.jsonl", [("line", 1), ("line", 2)]),
        ("mariadb.jsonl", [("line", 1), ("line", 2)]),
        ("psql.jsonl", [("line", 1), ("line", 2)]),
        ("psql.adoc", []),
        ("psql.html", []),
        ("sqlite.md", []),
    ],
)
def test_rows_of_databases_are_read_alike(name: str, places: list[tuple[str, int]]) -> None:
    document = parse_file((FILES / name).read_bytes(), name=name)
    assert ROWS in document.text
    assert "header" not in document.text
    assert [(place.unit, place.number) for place in document.places] == places


@pytest.mark.parametrize("name", ["python.eml", "s-nail.eml"])
def test_mail_has_its_words_and_its_attachment(name: str) -> None:
    document = parse_file((FILES / name).read_bytes(), name=name)
    assert document.title == "Harbour handbook"
    assert document.text.startswith("From: Ingrid Solheim <ingrid@harbour.example>\n")
    assert [sentence for sentence in SENTENCES if sentence not in document.text] == []
    assert document.text.endswith(ROWS)


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
