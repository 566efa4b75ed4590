"""Tables of every format become rows that repeat their headers, and stay whole in chunks and sentences."""

import time

import docx.document
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import language
from app.knowledge.chunking import split_document
from app.knowledge.parsing.dispatch import parse_file
from app.knowledge.parsing.parsers import tables
from tests.files.office import word

HEADERS = ("Region", "Price", "Note")
ROWS = [
    (f"North {number}", f"{number},664.50", f"Incl. tax. Since {1900 + number}, e.g. here.") for number in range(99)
]
EXPECTED = [f"Region: {region}; Price: {price}; Note: {note}" for region, price, note in ROWS]


def write_html() -> bytes:
    rows = "".join(f"<tr><td>{region}<td>{price}<td>{note}" for region, price, note in ROWS)
    return f"<html><body><p>Words.<table><tr><th>Region<th>Price<th>Note{rows}</table>".encode()


def write_markdown() -> bytes:
    rows = "".join(f"| {region} | {price} | {note} |\n" for region, price, note in ROWS)
    return f"# Words\n\n| Region | Price | **Note** |\n|---|--:|---|\n{rows}\nMore.\n".encode()


def write_csv() -> bytes:
    return ("Region;Price;Note\n" + "".join(f"{region};{price};{note}\n" for region, price, note in ROWS)).encode()


def write_word() -> bytes:
    def build(document: docx.document.Document) -> None:
        table = document.add_table(1, 3)
        for cells in (HEADERS, *ROWS[:30]):
            for cell, text in zip((table.rows[0] if cells is HEADERS else table.add_row()).cells, cells, strict=True):
                cell.text = text

    return word(build)


def write_restructured() -> bytes:
    rows = "".join(f'   {region}, "{price}", "{note}"\n' for region, price, note in ROWS)
    return f"Words\n=====\n\n.. csv-table::\n   :header: Region, Price, Note\n\n{rows}\nMore.\n".encode()


def write_asciidoc() -> bytes:
    rows = "".join(f"|{region} |{price} |{note}\n" for region, price, note in ROWS)
    return f'= Words\n\n[options="header"]\n|===\n|Region |Price |Note\n{rows}|===\n\nMore.\n'.encode()


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("a.html", write_html()),
        ("a.md", write_markdown()),
        ("a.csv", write_csv()),
        ("a.docx", write_word()),
        ("a.rst", write_restructured()),
        ("a.adoc", write_asciidoc()),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_row_of_every_format_is_whole(name: str, file: bytes) -> None:
    document = parse_file(file, name=name)
    expected = EXPECTED[:30] if name == "a.docx" else EXPECTED
    rows = [line for line in document.text.split("\n") if line.startswith(language.ROW_MARK)]
    assert [row.removeprefix(language.ROW_MARK) for row in rows] == expected
    chunks = list(split_document(document))
    assert len(chunks) > 2
    sentences = [chunk.text[start:end] for chunk in chunks for start, end in language.sentence_spans(chunk.text)]
    assert [sentence for sentence in sentences if sentence.startswith("Region")] == expected


def test_cells_that_extend_over_others_are_repeated() -> None:
    page = b"""<html><body><table><thead><tr><th rowspan=2>Region<th colspan=2>2024<tr><th>Price<th>Units</thead>
      <tr><td rowspan=2>North<td>1,664<td>3<tr><td>1,700<td>4<tr><td colspan=3>Overseas<tr><td>South<td>2<td>
      </table>"""
    assert parse_file(page).text.split("\n") == [
        "| Region: North; 2024 / Price: 1,664; 2024 / Units: 3",
        "| Region: North; 2024 / Price: 1,700; 2024 / Units: 4",
        "| Overseas; Region: South; 2024 / Price: 2",
    ]


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ("<tr><td>Name<td>Foo<tr><td>Owner<td>Ada", "| Name: Foo\n| Owner: Ada"),
        ("<tr><th>Name<td>Foo<tr><th>Owner<td>Ada", "| Name: Foo\n| Owner: Ada"),
        ("<tr><td>Name<td>Size<tr><td>a<td>1<tr><td>b<td>2", "| Name: a; Size: 1\n| Name: b; Size: 2"),
        ("<tr><td><b>City</b><td><b>Ada</b><tr><td>Rome<td>x", "| City: Rome; Ada: x"),
        ("<tr><td>a<td>b<td>c<tr><td>d<td>e<td>f", "| a; b; c\n| d; e; f"),
        ("<tr><th>Only<th>Headers", "| Only: Headers"),
        ("<tr><th>Kind<th>Steps<tr><td>x<td><ul><li>one<li>two</ul>", "| Kind: x; Steps: one two"),
    ],
)
def test_headers_are_found_or_left_out(rows: str, text: str) -> None:
    assert parse_file(f"<html><body><table>{rows}</table>".encode()).text == text


@pytest.mark.parametrize(
    ("bold", "style", "text"),
    [
        ("", "Table Grid", "| Name: Ada Berg\n| Role: Manager\n| Office: Rome"),
        ("Name Role Office", "Table Grid", "| Name: Ada Berg\n| Role: Manager\n| Office: Rome"),
        ("Name Ada Berg", "Table Grid", "| Name: Role; Ada Berg: Manager\n| Name: Office; Ada Berg: Rome"),
        ("", "Light Grid Accent 1", "| Name: Role; Ada Berg: Manager\n| Name: Office; Ada Berg: Rome"),
    ],
)
def test_a_word_table_of_two_columns_has_headers_if_they_look_like_it(bold: str, style: str, text: str) -> None:
    def build(document: docx.document.Document) -> None:
        table = document.add_table(3, 2, style)
        for row, written in zip(
            table.rows, (("Name", "Ada Berg"), ("Role", "Manager"), ("Office", "Rome")), strict=True
        ):
            for cell, words in zip(row.cells, written, strict=True):
                cell.paragraphs[0].add_run(words).bold = words in bold

    assert parse_file(word(build)).text == text


def test_a_long_row_repeats_its_first_cell() -> None:
    note = " ".join(f"Sentence number {number} of a long note." for number in range(200))
    document = parse_file(f'Region,Price,Note\nNorth,"1,664",{note}\nSouth,2,Short\n'.encode(), name="a.csv")
    *lines, last = document.text.split("\n")
    assert lines[0] == "| Region: North; Price: 1,664"
    assert all(
        line.startswith("| Region: North; Note: Sentence number ") and line.endswith("note.") for line in lines[1:]
    )
    assert " ".join(line.removeprefix("| Region: North; Note: ") for line in lines[1:]) == note
    assert last == "| Region: South; Price: 2; Note: Short"
    assert all(chunk.text.startswith("| Region: ") for chunk in split_document(document))


def test_a_damaged_line_of_json_lines_is_kept_and_spoils_no_other() -> None:
    lines = '{"city": "Rome", "name": "Ada", "age": 3}\n{"city": "Oslo", "na\n\n{"city": "Bern", "name": "Eva"}\n'
    found = parse_file(lines.encode(), name="a.jsonl")
    assert found.text.split("\n") == [
        "| city: Rome; name: Ada; age: 3",
        '| {"city": "Oslo", "na',
        "| city: Bern; name: Eva",
    ]
    assert [place.number for place in found.places] == [1, 2, 4]
    cut = '{\n  "city": "Rome",\n  "name": "Ada",\n  "tags": [\n    []\n'
    assert parse_file(cut.encode(), name="a.json").text.strip() == cut.strip()


def test_items_of_lists_in_a_record_are_counted_from_one_as_records_are() -> None:
    found = parse_file(b'[{"order": 7, "items": [{"sku": "A"}, {"sku": "B"}]}]', name="a.json")
    assert found.text == "| order: 7; items 1.sku: A; items 2.sku: B"


def test_rows_of_files_keep_their_numbers() -> None:
    rows = "".join(f"North {number},{number}\n" for number in range(200))
    document = parse_file(f"Prices of 2024,\n\nRegion,Price\n{rows}".encode(), name="a.csv")
    chunks = list(split_document(document))
    for chunk in chunks:
        written = [int(line.rpartition(" ")[2]) + 4 for line in chunk.text.split("\n") if line.startswith("| Region")]
        assert chunk.heading == (f"rows {written[0]}\u2013{written[-1]}",)
    assert chunks[0].text.startswith("Prices of 2024\n\n| Region: North 0; Price: 0")


def test_text_without_columns_is_kept_line_by_line() -> None:
    text = "Dear all,\nthis is no table\nat all\n"
    assert parse_file(text.encode(), name="a.csv").text == text


@given(st.lists(st.lists(st.text(max_size=2000), max_size=6), min_size=1, max_size=6), st.text(max_size=100))
def test_nothing_in_a_row_is_lost(rows: list[list[str]], group: str) -> None:
    header = tables.Header.from_rows(rows[:1])
    for row in rows[1:]:
        lines = list(tables.render_row(header, row, tables.clean_cell(group)))
        written = "".join("".join(line.split()) for line in lines)
        assert all("\n" not in line and line.startswith(language.ROW_MARK) for line in lines)
        assert bool(lines) == any(cell.strip() for cell in row)
        for cell in row:
            if len(cell) < 200:
                assert "".join(cell.split()) in written


def test_tables_take_linear_time() -> None:
    started = time.process_time()
    for page in (
        "<table>" + "<tr><td rowspan=65534>a" * 1_000,
        "<table><tr>" + "<td rowspan=9 colspan=9>a" * 9_000,
        "<table>" + "<tr>" * 40_000 + "<td>a",
        "<table><tr><td>" + "word " * 100_000,
        "<table><tr><td>" + "中" * 100_000,
    ):
        parse_file(f"<html><body>{page}</table>".encode())
    for text in (
        "|" * 40_000 + " a",
        "|-" * 20_000 + "\na",
        "| a | b\n|-|-|\n" * 20_000,
        "a|b\n-|-\n" + "|`\\" * 100_000,
    ):
        parse_file(text.encode(), name="a.md")
    for text in ("+-" * 40_000 + "+\n" + "| a\n" * 20_000, "== ==\n" * 20_000 + "a", ".. list-table::\n" * 20_000):
        parse_file(text.encode(), name="a.rst")
    for text in ("|===\n" * 20_000 + "a", "|===\n" + "|a " * 70_000 + "\n|===", "----\n" * 20_001 + "a"):
        parse_file(text.encode(), name="a.adoc")
    for text in ('a,"b\n' * 40_000, "a,b\n\n" * 40_000, "," * 40_000 + "a"):
        parse_file(text.encode(), name="a.csv")
    for text in ("a  b\n" * 50_000, "a  " * 100_000, "  -  -\n" * 50_000 + "a", "中  b\t\n" * 50_000):
        parse_file(text.encode(), name="a.txt")
    assert time.process_time() - started < 60
