"""Sheets are read as people see them: their merged headers, their separate tables, the formats of their numbers."""

import datetime
import io
import random
import time
from collections.abc import Callable
from typing import Any, cast

import pytest
import xlsxwriter
import xlwt

from app.knowledge.parsing.dispatch import parse_file
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import sheets
from app.knowledge.parsing.parsers.office import number_formats
from app.knowledge.parsing.parsers.table_grid import Row
from app.knowledge.parsing.parsers.text_writer import TextWriter
from tests.files.sample import saved, zipped


def read_book(build: Callable[[Any, Any], None]) -> str:
    """The text of an Excel file with one sheet, without the heading."""
    file = io.BytesIO()
    book = cast(Any, xlsxwriter).Workbook(file)
    build(book, book.add_worksheet("Prices"))
    book.close()
    return parse_file(file.getvalue(), name="a.xlsx").text.partition("Sheet “Prices”")[2].strip()


def test_headers_of_several_rows_name_each_column() -> None:
    def build(_: Any, sheet: Any) -> None:
        sheet.merge_range("A1:E1", "Rental")
        sheet.merge_range("A3:A4", "Item")
        sheet.merge_range("B3:C3", "Low season")
        sheet.merge_range("D3:E3", "High season")
        sheet.write_row("B4", ("Day", "Week", "Day", "Week"))
        sheet.write_row("A5", ("Skis", 18.5, 90, 24, 120))
        sheet.merge_range("A6:E6", "For children")
        sheet.write_row("A7", ("Sledge", 5, 20))
        sheet.merge_range("D7:E7", "on request")
        sheet.merge_range("A8:E8", "Helmets are free.")

    assert read_book(build).split("\n") == [
        "Rental",
        "",
        "| Item: Skis; Low season / Day: 18.5; Low season / Week: 90; High season / Day: 24; High season / Week: 120",
        "| For children; Item: Sledge; Low season / Day: 5; Low season / Week: 20; "
        "High season / Day: on request; High season / Week: on request",
        "| Helmets are free.",
    ]


def test_headers_may_have_three_rows_and_no_merged_corner() -> None:
    def build(_: Any, sheet: Any) -> None:
        sheet.merge_range("B1:E1", "Turnover")
        sheet.write("F1", "Note")
        sheet.merge_range("B2:C2", "Home")
        sheet.merge_range("D2:E2", "Abroad")
        sheet.write_row("A3", ("Shop", 2024, 2025, 2024, 2025))
        sheet.write_row("A4", ("Bern", 1, 2, 3, 4, "new"))

    assert read_book(build) == (
        "| Shop: Bern; Turnover / Home / 2024: 1; Turnover / Home / 2025: 2; "
        "Turnover / Abroad / 2024: 3; Turnover / Abroad / 2025: 4; Note: new"
    )


FLAT_HEADERS = [
    (
        ",Low season,,High season,\nItem,Day,Week,Day,Week\nSkis,18.5,90,24,120\nBoots,9,,12,",
        "| Item: Skis; Low season / Day: 18.5; Low season / Week: 90; High season / Day: 24; High season / Week: 120\n"
        "| Item: Boots; Low season / Day: 9; High season / Day: 12",
    ),
    (
        "Shop,Turnover,,Costs,\n,2024,2025,2024,2025\nBern,1,2,3,4\nRome,5,6,7,8",
        "| Shop: Bern; Turnover / 2024: 1; Turnover / 2025: 2; Costs / 2024: 3; Costs / 2025: 4\n"
        "| Shop: Rome; Turnover / 2024: 5; Turnover / 2025: 6; Costs / 2024: 7; Costs / 2025: 8",
    ),
    ("Item,Weight,Price\n,kg,CHF\nSkis,3.5,90", "| Item: Skis; Weight / kg: 3.5; Price / CHF: 90"),
    # The second row is data.
    ("Item,Low,High\nSkis,on request,24\nBoots,9,12", "| Item: Skis; Low: on request; High: 24\n| Item: Boots;"),
    ("Year,Sales,Costs\n2023,n/a,n/a\n2024,5,6", "| Year: 2023; Sales: n/a; Costs: n/a\n| Year: 2024; Sales: 5;"),
    ("Name,Contact,,Age\nAda,a@b,by night,\nEva,c@d,by day,44", "| Name: Ada; Contact: a@b; by night\n| Name: Eva;"),
    ("Name,Role,City\n,chair,Rome\nEva,clerk,Bern", "| Role: chair; City: Rome\n| Name: Eva; Role: clerk; City: Bern"),
]


@pytest.mark.parametrize(("table", "text"), FLAT_HEADERS)
def test_headers_of_two_rows_need_no_merged_cells(table: str, text: str) -> None:
    """In every format: people leave the cells beside the name of a group empty, too."""
    rows = [line.split(",") for line in table.split("\n")]
    values: list[list[float | str]] = [[_read_value(cell) for cell in row] for row in rows]
    assert parse_file(table.encode(), name="a.csv").text.startswith(text)
    book = cast(Any, xlwt).Workbook()
    old = book.add_sheet("Prices")

    def build(_: Any, sheet: Any) -> None:
        for row, cells in enumerate(values):
            for column, value in enumerate(cells):
                if value != "":
                    sheet.write(row, column, value)

    assert read_book(build).startswith(text)
    build(None, old)
    assert parse_file(saved(book), name="a.xls").text.partition("\n\n")[2].startswith(text)
    calc = [">" + "".join(_calc_value(value) for value in cells) for cells in values]
    assert read_calc(*calc).partition("\n\n")[2].startswith(text)


def _read_value(cell: str) -> float | str:
    return float(cell) if cell.replace(".", "").isdecimal() else cell


def _calc_value(value: float | str) -> str:
    if not value:
        return "<table:table-cell/>"
    if isinstance(value, str):
        return f'<table:table-cell office:value-type="string"><text:p>{value}</text:p></table:table-cell>'
    return calc_cell(str(value), f"<text:p>{value}</text:p>", 'office:value-type="float"')


def test_cells_merged_for_looks_are_written_once() -> None:
    def build(_: Any, sheet: Any) -> None:
        for row, (name, mail, phone) in enumerate(
            (("Name", "Mail", "Phone"), ("Ada", "a@b", "x"), ("Eva", "c@d", "y"))
        ):
            sheet.merge_range(row, 0, row, 1, name)
            sheet.merge_range(row, 2, row, 4, mail)
            sheet.write(row, 5, phone)
        sheet.merge_range("B8:F12", "A box. " * 20)

    assert read_book(build).split("\n") == [
        "| Name: Ada; Mail: a@b; Phone: x",
        "| Name: Eva; Mail: c@d; Phone: y",
        "",
        ("A box. " * 20).strip(),
    ]


def test_a_row_below_a_wide_header_may_be_data() -> None:
    def build(_: Any, sheet: Any) -> None:
        sheet.write("A1", "Name")
        sheet.merge_range("B1:C1", "Contact")
        sheet.write_row("A2", ("Ada", "a@b", "by night"))
        sheet.merge_range("A3:A4", "Eva")
        sheet.write_row("B3", ("c@d", "by day"))
        sheet.write_row("B4", ("e@f", "never"))

    assert read_book(build).split("\n") == [
        "| Name: Ada; Contact: a@b; Contact: by night",
        "| Name: Eva; Contact: c@d; Contact: by day",
        "| Name: Eva; Contact: e@f; Contact: never",
    ]


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        (
            "<tr><td>Item<td colspan=2>Low<tr><td><td>Day<td>Week<tr><td>Skis<td>18<td>90",
            "| Item: Skis; Low / Day: 18; Low / Week: 90",
        ),
        ("<tr><th>a<th>b<tr><td>c<td>1<tr><td colspan=2>Last words", "| a: c; b: 1\n| Last words"),
        ("<tr><th>a<th>b<tr><td colspan=2>One<tr><td colspan=2>Two<tr><td>c<td>1", "| One\n| Two; a: c; b: 1"),
    ],
)
def test_other_tables_read_wide_cells_alike(rows: str, text: str) -> None:
    assert parse_file(f"<html><body><table>{rows}</table>".encode()).text == text


TABLE = "Item,Low season,High season\nSkis,18.5,24\nBoots,9,12\n\n"


@pytest.mark.parametrize(
    ("below", "text"),
    [
        ("VAT rate,8.1%\nValid from,2025-12-01\n", "| VAT rate: 8.1%\n| Valid from: 2025-12-01"),
        ("Deposit,50\nLate return,10\n", "| Deposit: 50\n| Late return: 10"),
        ("Hours,Monday,closed\nHours,Sunday,all day\n", "| Hours; Monday; closed\n| Hours; Sunday; all day"),
        ("Season,2025-12-01,2026-04-06\n", "| Season; 2025-12-01; 2026-04-06"),
        ("Discount,10%,5%\n", "| Discount; 10%; 5%"),
        ("Sledge,5,7\n", "| Item: Sledge; Low season: 5; High season: 7"),
        ("Sledge,on request,7\nPoles,2,4\n", "| Item: Sledge; Low season: on request; High season: 7\n| Item: Poles;"),
        ("Total,,43\n", "| Item: Total; High season: 43"),
        ("Phone,044 11\n\nSledge,5,7\n", "| Phone: 044 11\n\n| Item: Sledge; Low season: 5; High season: 7"),
    ],
)
def test_only_rows_of_the_same_shape_continue_a_table(below: str, text: str) -> None:
    first, _, found = parse_file((TABLE + below).encode(), name="a.csv").text.partition("\n\n")
    assert first == "| Item: Skis; Low season: 18.5; High season: 24\n| Item: Boots; Low season: 9; High season: 12"
    assert found.startswith(text)


def test_a_list_of_prices_is_continued_by_prices_only() -> None:
    prices = "Item,Price\nSkis,18.5\nBoots,9\n\nSledge,5\nPoles,2\n\nVAT rate,8.1%\nValid from,2025-12-01\n"
    assert parse_file(prices.encode(), name="a.csv").text.split("\n\n") == [
        "| Item: Skis; Price: 18.5\n| Item: Boots; Price: 9",
        "| Item: Sledge; Price: 5\n| Item: Poles; Price: 2",
        "| VAT rate: 8.1%\n| Valid from: 2025-12-01",
    ]


def test_a_table_of_words_below_a_list_of_names_and_values_has_a_header() -> None:
    text = "Phone,044 11\nOpen,1999-05-01\n\nName,Role,City\nAda,chair,Rome\nEva,clerk,Bern\n"
    assert parse_file(text.encode(), name="a.csv").text.endswith(
        "| Name: Ada; Role: chair; City: Rome\n| Name: Eva; Role: clerk; City: Bern"
    )


SHOWN = [
    ('#,##0.00 "CHF"', 81.0, "81 CHF"),
    ('#,##0.00 "CHF"', -1081.5, "-1081.50 CHF"),
    ('"$"#,##0.00', 81.5, "$81.50"),
    ('"$"#,##0.00_ ;("$"#,##0.00)', -81.5, "-$81.50"),
    ('_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)', 81.255, "$81.255"),
    ("#,##0.00\\ [$€-407]", 81.5, "81.50 €"),
    ("[$CHF-807]\\ #,##0", 81.5, "CHF 81.5"),
    ("#\\ ##0.00\\ [$€-40C]", 1234.5, "1234.50 €"),
    ("[$-409]#,##0.00", 81.5, "81.5"),
    ('0.0" kg"', 3.25, "3.25 kg"),
    ("00000", 1234.0, "01234"),
    ("00000", -7.0, "-00007"),
    ("0%", 0.07, "7%"),
    ('0.0,,"M"', 2_500_000.0, "2500000"),
    ('"up "0;"down "0', -5.0, "-5"),
    ('[>=10]0" many";0" few"', 5.0, "5"),
    ("# ?/?", 0.5, "0.5"),
    ("0.00E+00", 12345.0, "12345"),
    ("0", 4012345678901234.0, "4012345678901234"),
    ("General", 0.00001234, "0.00001234"),
    ("General", 1e18, "1000000000000000000"),
    ("General", 6.02e23, "6.02e+23"),
    ("General", 0.1 + 0.2, "0.3"),
    ("[h]:mm", 27.25 / 24, "27:15"),
    ("[h]:mm:ss", 27.25 / 24 + 5 / 86400, "27:15:05"),
    ("[h]:mm", -0.25, "-6:00"),
]


@pytest.mark.parametrize(("code", "value", "text"), SHOWN)
def test_numbers_are_written_as_people_see_them(code: str, value: float, text: str) -> None:
    def build(book: Any, sheet: Any) -> None:
        sheet.write_row("A1", ("Item", "Shown", "Plain"))
        sheet.write("A2", "Skis")
        sheet.write("B2", value, book.add_format({"num_format": code}))
        sheet.write("C2", 5)

    assert read_book(build) == f"| Item: Skis; Shown: {text}; Plain: 5"
    book = cast(Any, xlwt).Workbook()
    sheet = book.add_sheet("Prices")
    for column, cell in enumerate(("Item", "Shown")):
        sheet.write(0, column, cell)
    sheet.write(1, 0, "Skis")
    sheet.write(1, 1, value, cast(Any, xlwt).easyxf(num_format_str=code))
    assert parse_file(saved(book), name="a.xls").text.endswith(f"| Item: Skis; Shown: {text}")


def test_seconds_have_parts_where_a_duration_has() -> None:
    def build(book: Any, sheet: Any) -> None:
        sheet.write("A1", datetime.timedelta(minutes=1, seconds=2.25), book.add_format({"num_format": "[mm]:ss.00"}))

    assert read_book(build) == "0:01:02.25"


def read_calc(*rows: str) -> str:
    """The text of an OpenDocument file with one sheet."""
    spaces = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
    )
    body = "".join(f"<table:table-row{row}</table:table-row>" for row in rows)
    content = (
        f'<office:document-content{spaces} office:version="1.3"><office:body><office:spreadsheet>'
        f'<table:table table:name="Prices">{body}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    manifest = '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    return parse_file(
        zipped({"mimetype": kind, "META-INF/manifest.xml": manifest, "content.xml": content}), name="a.ods"
    ).text


def calc_cell(value: str, shown: str, more: str) -> str:
    return f'<table:table-cell office:value="{value}" {more}>{shown}</table:table-cell>'


def test_numbers_of_opendocument_are_written_as_people_see_them() -> None:
    amount, number = 'office:value-type="currency" office:currency="EUR"', 'office:value-type="float"'
    comment = "<office:annotation><text:p>was 9 $</text:p></office:annotation>"
    found = read_calc(
        "><table:table-cell/>",
        ">"
        + calc_cell("81.5", "<text:p>81,50 €</text:p>", amount)
        + calc_cell("-81.5", f"{comment}<text:p>-€81.50</text:p>", amount)
        + calc_cell("81.5", "", amount)
        + calc_cell("1234", "<text:p>01234</text:p>", number)
        + calc_cell("1234.25", "<text:p>1,234</text:p>", number),
        ' table:number-rows-repeated="3">'
        + calc_cell("5", "<text:p>5 €</text:p>", f'{amount} table:number-columns-repeated="2"'),
        ">" + calc_cell("5", "<text:p>5</text:p>", number),
    )
    assert found.partition("\n\n")[2].split("\n") == [
        "| 81.50 €; -€81.50; 81.5 EUR; 01234; 1234.25",
        *["| 5 €; 5 €"] * 3,
        "| 5",
    ]


def test_percentages_are_read_as_people_see_them_in_every_format() -> None:
    """The cell holds 0.075; the program that shows it may round it."""

    def build(book: Any, sheet: Any) -> None:
        sheet.write("A1", 0.075, book.add_format({"num_format": "0%"}))

    assert read_book(build) == "7.5%"
    book = cast(Any, xlwt).Workbook()
    book.add_sheet("Prices").write(0, 0, 0.075, cast(Any, xlwt).easyxf(num_format_str="0%"))
    assert parse_file(saved(book), name="a.xls").text.endswith("7.5%")
    assert read_calc(">" + calc_cell("0.075", "<text:p>8%</text:p>", 'office:value-type="percentage"')).endswith("7.5%")


def test_a_cell_of_opendocument_without_text_does_not_take_that_of_the_next() -> None:
    found = read_calc(
        '><table:table-cell office:value-type="float" office:value="5"/>'
        + '<table:table-cell office:value-type="string"><text:p>007</text:p></table:table-cell>'
        + '<table:table-cell office:value-type="currency" office:currency="CHF" office:value="5"/>'
        + calc_cell("5", "<text:p>5 €</text:p>", 'office:value-type="currency" office:currency="EUR"')
    )
    assert found.endswith("| 5; 007; 5 CHF; 5 €")


def test_a_cell_of_opendocument_without_a_type_is_text() -> None:
    found = read_calc(
        "><table:table-cell><text:p>Part</text:p></table:table-cell><table:table-cell><text:p>Note</text:p></table:table-cell>",
        ' table:number-rows-repeated="3"><table:table-cell/>',
        '><table:table-cell table:style-name="ce1"> <text:p>Bolt</text:p></table:table-cell>'
        + calc_cell("5", "<text:p>5</text:p>", 'office:value-type="float"'),
    )
    assert found == "Sheet “Prices”\n\n| Part: Note\n\n| Bolt: 5"


@pytest.mark.parametrize("line", ["sep=;", "SEP=;", '"sep=;"'])
def test_the_line_that_tells_excel_the_delimiter_is_no_text(line: str) -> None:
    found = parse_file(f"\ufeff{line}\r\nItem;Price, net\r\nSkis;18,5\r\n".encode(), name="a.csv")
    assert found.text == "| Item: Skis; Price, net: 18,5"
    assert [place.number for place in found.places] == [3]


@pytest.mark.parametrize("text", ["sep=x\na,b\n1,2\n", "a,b\nsep=;,2\n"])
def test_other_lines_of_the_kind_are_kept(text: str) -> None:
    assert "sep=" in parse_file(text.encode(), name="a.csv").text


def test_no_value_of_a_sheet_is_lost_however_cells_are_merged() -> None:
    choose = random.Random(7)  # noqa: S311
    for _ in range(1_500):
        rows: list[Row] = []
        values: list[str] = []
        for number in range(1, choose.randint(2, 9)):
            cells = [
                choose.choice(("", "", "a", "b", f"{number}{column}990")) for column in range(choose.randint(0, 5))
            ]
            values += [cell for cell in cells if cell.endswith("990")]
            spans = {
                column: (choose.randint(1, 4), choose.randint(1, 4))
                for column, cell in enumerate(cells)
                if cell and choose.random() < 0.3
            }
            rows.append(Row(cells, number=number, spans=spans))
        if values:
            writer = TextWriter(ParsingLimits())
            sheets.write_sheet(writer, rows)
            text = writer.to_document("text/csv", None).text
            assert all(value in text for value in values), rows


def test_merged_cells_and_formats_take_bounded_time() -> None:
    started = time.process_time()

    def build(book: Any, sheet: Any) -> None:
        money = book.add_format({"num_format": '0.00 "CHF"'})
        for row in range(0, 2_000, 2):
            sheet.merge_range(row, 0, row + 1, 300, f"Wide {row}")
            sheet.write(row, 400, row, money)
        sheet.merge_range(2_000, 0, 2_900, 300, "Large")
        sheet.write(2_950, 0, "Last")

    assert "Wide 1998" in read_book(build)
    for code in (
        '"' * 255,
        "0;" * 127,
        "[" * 255,
        "0 " * 127,
        "\\" * 255,
        "_" * 255,
        "",
        ";;;",
        '"a' * 127,
        "[$" * 127,
    ):
        assert number_formats.parse_format(code).write_number(5.0).strip(" 0").startswith("5")
    sheet = (
        '<table:table-cell office:value-type="currency" office:currency="EUR" table:number-columns-repeated="16384"/>'
    )
    last = '<table:table-cell office:value-type="string"><text:p>Last</text:p></table:table-cell>'
    rows = [f' table:number-rows-repeated="1048576">{sheet}'] * 3
    assert read_calc(f">{last}", *rows).endswith("Last")
    assert time.process_time() - started < 30


@pytest.mark.parametrize(
    ("table", "text"),
    [
        (
            "Region,2024-01,2024-02\nNorth,5,6\nSouth,7,8",
            "| Region: North; 2024-01: 5; 2024-02: 6\n| Region: South; 2024-01: 7; 2024-02: 8",
        ),
        (
            "Region;02.2024;01.2024\nNorth;5;\nSouth;7;8",
            "| Region: North; 02.2024: 5\n| Region: South; 02.2024: 7; 01.2024: 8",
        ),
        (
            "Room,Floor,01.02.2024,02.02.2024,03.02.2024\nA,1st,5,6,7",
            "| Room: A; Floor: 1st; 01.02.2024: 5; 02.02.2024: 6; 03.02.2024: 7",
        ),
        (
            "Ada,2024-01-05,2024-02-07\nEva,2024-03-01,2024-04-01",
            "| Ada; 2024-01-05; 2024-02-07\n| Eva; 2024-03-01; 2024-04-01",
        ),
        ("Start,2024-01-05,2024-01-09\nWeight,5,6", "| Start; 2024-01-05; 2024-01-09\n| Weight; 5; 6"),
        ("2024-01,2024-02\n5,6\n7,8", "| 2024-01; 2024-02\n| 5; 6\n| 7; 8"),
        ("Pen,2024-02,5\nInk,2024-03,6", "| Pen; 2024-02; 5\n| Ink; 2024-03; 6"),
    ],
)  # fmt: skip
def test_months_and_days_above_numbers_are_headers(table: str, text: str) -> None:
    assert parse_file(table.encode(), name="a.csv").text == text


@pytest.mark.parametrize(
    ("table", "text"),
    [
        (
            "Item,Price,Unit,Price,Unit\nPen,5,EUR,6,USD\nInk,7,EUR,8,USD",
            "| Item: Pen; Price: 5; Unit: EUR; Price: 6; Unit: USD",
        ),
        ("red,red,blue\nblue,green,red", "| red; red; blue"),
        ("Total,Total\n5,6\n7,8", "| Total: Total"),
    ],
)  # fmt: skip
def test_headers_may_repeat_a_word_above_numbers(table: str, text: str) -> None:
    assert parse_file(table.encode(), name="a.csv").text.split("\n")[0] == text


def test_breaks_in_cells_of_opendocument_divide_words() -> None:
    kind = 'office:value-type="string"'
    cells = "<text:p>North<text:line-break/>East<text:tab/>West</text:p>", "<text:p>one</text:p><text:p>two</text:p>"
    row = "".join(f"<table:table-cell {kind}>{cell}</table:table-cell>" for cell in cells)
    assert read_calc(f">{row}").endswith("| North East West: one two")
