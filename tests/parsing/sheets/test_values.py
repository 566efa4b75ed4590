"""Values of sheets are written as people see them, and none is lost."""

import datetime
import random
import time
from typing import Any, cast

import pytest
import xlwt

from app.knowledge.parsing.dispatch import parse_file
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import sheets
from app.knowledge.parsing.parsers.office import number_formats
from app.knowledge.parsing.parsers.table_grid import Row
from app.knowledge.parsing.parsers.text_writer import TextWriter
from tests.files.sample import saved
from tests.parsing.sheets.books import calc_cell, read_book, read_calc

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


def test_breaks_in_cells_of_opendocument_divide_words() -> None:
    kind = 'office:value-type="string"'
    cells = "<text:p>North<text:line-break/>East<text:tab/>West</text:p>", "<text:p>one</text:p><text:p>two</text:p>"
    row = "".join(f"<table:table-cell {kind}>{cell}</table:table-cell>" for cell in cells)
    assert read_calc(f">{row}").endswith("| North East West: one two")
