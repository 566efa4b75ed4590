"""Percentages are written as people see them in every kind of sheet."""

import io
from typing import Any, cast

import xlsxwriter
import xlwt

from app.knowledge.parsing.dispatch import parse_file
from tests.files.sample import zipped


def test_percentages_of_excel_are_written_as_people_see_them() -> None:
    file = io.BytesIO()
    book = cast(Any, xlsxwriter).Workbook(file)
    plain, usual = book.add_format({"num_format": "0.00"}), book.add_format({"num_format": "0%"})
    own, text = book.add_format({"num_format": "0.0##%;[Red]-0.0%"}), book.add_format({"num_format": '0.00"%"'})
    sheet = book.add_worksheet("Rates")
    sheet.write_row("B3", ("Town", "Tax", "Discount", "Ratio", "Share"))
    sheet.write("B4", "Rome")
    for cell, value, style in (("C4", 0.15, usual), ("D4", -0.0725, own), ("E4", 0.285, plain), ("F4", 12.5, text)):
        sheet.write(cell, value, style)
    book.add_worksheet("Others").write("C4", 0.15)
    book.close()
    found = parse_file(file.getvalue(), name="a.xlsx").text
    assert "| Town: Rome; Tax: 15%; Discount: -7.25%; Ratio: 0.285; Share: 12.50%" in found
    assert found.endswith("0.15")


def test_percentages_of_old_excel_are_written_as_people_see_them() -> None:
    untyped = cast(Any, xlwt)
    book = untyped.Workbook()
    percent, text, usual = (untyped.easyxf(num_format_str=code) for code in ("0.0#%", '0.00"%"', "0%"))
    for name in ("Others", "Sätze → 2026"):
        sheet = book.add_sheet(name)
        for column, value in enumerate(("Town", "Tax", "Discount", "Ratio", "Share", "Year")):
            sheet.write(2, column, value)
        cells = (("Rome", None), (0.15, usual), (-0.0725, percent), (0.285, None), (12.5, text), (3, usual))
        for column, (value, style) in enumerate(cells):
            sheet.write(3, column, value, *([style] if style and name != "Others" else []))
    file = io.BytesIO()
    book.save(file)
    plain, shown = parse_file(file.getvalue(), name="a.xls").text.split("Sheet “Sätze → 2026”")
    assert "| Town: Rome; Tax: 0.15; Discount: -0.0725; Ratio: 0.285; Share: 12.5; Year: 3" in plain
    assert "| Town: Rome; Tax: 15%; Discount: -7.25%; Ratio: 0.285; Share: 12.50%; Year: 300%" in shown


SHEETS = """<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 office:version="1.3"><office:body><office:spreadsheet>
<table:table table:name="Others"><table:table-row>{others}</table:table-row></table:table>
<table:table table:name="Tom &amp; Jane"><table:table-column table:number-columns-repeated="4"/>
<table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="4"/></table:table-row>
<table:table-row><table:table-cell/>{headers}</table:table-row>
<table:table-row table:number-rows-repeated="2"><table:table-cell/>{rates}</table:table-row>
<table:table-row><table:table-cell/>{more}</table:table-row></table:table>
</office:spreadsheet></office:body></office:document-content>"""


def test_percentages_of_opendocument_are_written_as_people_see_them() -> None:
    def cell(value: str, kind: str = "float", more: str = "") -> str:
        told = f'office:value="{value}"' if kind != "string" else ""
        return f'<table:table-cell {more} office:value-type="{kind}" {told}><text:p>{value}</text:p></table:table-cell>'

    twice = 'table:number-columns-repeated="2" table:formula="of:=IF(1>0;0.15;0)"'
    content = SHEETS.format(
        others=cell("Tax", "string") + cell("0.15"),
        headers="".join(cell(name, "string") for name in ("Town", "Tax", "Fee", "Ratio")),
        rates=cell("Rome", "string") + cell("0.15", "percentage", twice) + cell("0.15"),
        more=cell("Oslo", "string") + cell("0.25") + cell("-0.0725", "percentage") + cell("1", "percentage"),
    )
    manifest = '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
    parts = {
        "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
        "META-INF/manifest.xml": manifest,
        "content.xml": content,
    }
    assert parse_file(zipped(parts), name="a.ods").text.endswith(
        "| Town: Rome; Tax: 15%; Fee: 15%; Ratio: 0.15\n"
        "| Town: Rome; Tax: 15%; Fee: 15%; Ratio: 0.15\n"
        "| Town: Oslo; Tax: 0.25; Fee: -7.25%; Ratio: 100%"
    )
