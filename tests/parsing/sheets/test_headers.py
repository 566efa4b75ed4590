"""Headers of sheets are read as people see them: of several rows, merged or repeated, each with its own table."""

from typing import Any, cast

import pytest
import xlwt

from app.knowledge.parsing.dispatch import parse_file
from tests.files.sample import saved
from tests.parsing.sheets.books import calc_cell, read_book, read_calc


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
