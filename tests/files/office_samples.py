"""Three files of each format of office programs."""

import datetime
import io
from collections.abc import Sequence
from typing import Any, cast

import odfdo
import openpyxl
import pptx
import xlsxwriter
import xlwt
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from tests.files.sample import HARD, PRICES, RANGE, Sample, saved


def pptx_samples() -> list[Sample]:
    def deck() -> Any:
        return pptx.Presentation()

    bullets = deck()
    for title, text in (("Welcome", "To our returns"), ("Returns", f"Thirty days\n{HARD}")):
        slide = bullets.slides.add_slide(bullets.slide_layouts[1])
        slide.shapes.title.text, slide.placeholders[1].text = title, text
    tabled = deck()
    tabled.slides.add_slide(tabled.slide_layouts[6])
    slide = tabled.slides.add_slide(tabled.slide_layouts[5])
    slide.shapes.title.text = "Prices"
    table = slide.shapes.add_table(4, 2, Inches(1), Inches(1), Inches(4), Inches(2)).table
    for row, cells in enumerate(PRICES):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    noted = deck()
    slide = noted.slides.add_slide(noted.slide_layouts[6])
    group = slide.shapes.add_group_shape()
    group.shapes.add_textbox(Inches(1), Inches(1), Inches(2), Inches(1)).text_frame.text = "Only a picture"
    slide.notes_slide.notes_text_frame.text = HARD
    charted = deck()
    for title in ("Draft", "Sales"):
        slide = charted.slides.add_slide(charted.slide_layouts[5])
        slide.shapes.title.text = title
    charted.slides[0]._element.set("show", "0")  # pyright: ignore[reportPrivateUsage]
    data: Any = CategoryChartData(number_format="0%")
    data.categories = ["Quarrington", "Elsewhere"]
    data.add_series("Share", (0.25, 0.75))
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(1), Inches(4), Inches(2), data)
    return [
        Sample("bullets.pptx", saved(bullets), "opened software", ("Slide 2: Returns",), f"- {HARD}"),
        Sample(
            "table.pptx",
            saved(tabled),
            "price Quarrington",
            ("Slide 2: Prices",),
            "| Region: Quarrington; Price: 3,115",
        ),
        Sample("notes.pptx", saved(noted), "opened software", ("Slide 1",), f"Notes: {HARD}"),
        Sample("chart.pptx", saved(charted), "share of Quarrington", ("Slide 2: Sales",), "| Quarrington; Share: 25%"),
    ]


def xlsx_samples() -> list[Sample]:
    plain = openpyxl.Workbook()
    sheet = plain.create_sheet("Prices", 0)
    for row in PRICES:
        sheet.append(row)
    titled, file = openpyxl.Workbook(), io.BytesIO()
    sheet = titled.create_sheet("Visits", 0)
    sheet["B2"] = "Visits of the year"
    for row, cells in enumerate((("Town", "Visits", "Day"), ("Quarrington", 12.5, datetime.date(2024, 3, 1))), 4):
        for column, value in enumerate(cells, 2):
            sheet.cell(row, column, value)
    merged = cast(Any, xlsxwriter).Workbook(file)
    sheet = merged.add_worksheet("Rooms")
    sheet.write_row(0, 0, ("House", "Room", "Size"))
    sheet.merge_range("A2:A3", "Quarrington")
    sheet.write_row(1, 1, ("Hall", 40))
    sheet.write_row(2, 1, ("Loft", 12))
    merged.add_worksheet("Secret").write(0, 0, "Hidden words")
    merged.worksheets()[1].hide()
    merged.close()
    return [
        Sample(
            "plain.xlsx",
            saved(plain),
            "price Quarrington",
            ("Sheet “Prices”", RANGE),
            "Region: Quarrington; Price: 3,115",
        ),
        Sample(
            "titled.xlsx",
            saved(titled),
            "Quarrington visits",
            ("Sheet “Visits”", "row 5"),
            "Town: Quarrington; Visits: 12.5; Day: 2024-03-01",
        ),
        Sample(
            "merged.xlsx",
            file.getvalue(),
            "Quarrington loft",
            ("Sheet “Rooms”", "rows 2\u20133"),
            "House: Quarrington; Room: Loft; Size: 12",
        ),
    ]


def xls_samples() -> list[Sample]:
    def book(name: str, rows: Sequence[Sequence[object]]) -> bytes:
        workbook = cast(Any, xlwt).Workbook()
        workbook.add_sheet("Empty")
        sheet = workbook.add_sheet(name)
        for row, cells in enumerate(rows):
            for column, value in enumerate(cells):
                sheet.write(row, column, value)
        return saved(workbook)

    return [
        Sample(
            "prices.xls",
            book("Prices", PRICES),
            "price Quarrington",
            ("Sheet “Prices”", RANGE),
            "Region: Quarrington; Price: 3,115",
        ),
        Sample(
            "numbers.xls",
            book("Größe", (("Ort", "Fläche"), ("Quarrington", 12.25))),
            "Quarrington Fläche",
            ("Sheet “Größe”", "row 2"),
            "Ort: Quarrington; Fläche: 12.25",
        ),
        Sample(
            "flags.xls",
            book("Open", (("Shop", "Open", "Since"), ("Quarrington", True, 1999))),
            "Quarrington open",
            ("Sheet “Open”", "row 2"),
            "Shop: Quarrington; Open: TRUE; Since: 1999",
        ),
    ]


def _odf_table(name: str, rows: Sequence[Sequence[object]]) -> Any:
    table = cast(Any, odfdo).Table(name)
    for number, cells in enumerate(rows):
        table.set_row_values(number, list(cells))
    return table


def _opendocument(kind: str, *elements: Any) -> bytes:
    document = cast(Any, odfdo).Document(kind)
    document.body.clear()
    for element in elements:
        document.body.append(element)
    return saved(document)


def ods_samples() -> list[Sample]:
    wide = [("Town", *(f"Month {month}" for month in range(1, 13))), ("Quarrington", *range(31, 43))]
    return [
        Sample(
            "prices.ods",
            _opendocument("spreadsheet", _odf_table("Prices", PRICES)),
            "price Quarrington",
            ("Sheet “Prices”", RANGE),
            "Region: Quarrington; Price: 3,115",
        ),
        Sample(
            "wide.ods",
            _opendocument("spreadsheet", _odf_table("Rain", wide)),
            "Quarrington month 12",
            ("Sheet “Rain”", "row 2"),
            "Month 12: 42",
        ),
        Sample(
            "two.ods",
            _opendocument("spreadsheet", _odf_table("A", (("x", "y"), (1, 2))), _odf_table("B", PRICES)),
            "price Quarrington",
            ("Sheet “B”", RANGE),
            "Region: Quarrington; Price: 3,115",
        ),
    ]


def odt_samples() -> list[Sample]:
    """Three texts; the template of the library numbers their headings."""
    odf = cast(Any, odfdo)
    noted = odf.Paragraph("Returns are free.")
    noted.insert_note(after="free", note_id="n1", citation="1", body=HARD)
    return [
        Sample(
            "text.odt",
            _opendocument("text", odf.Header(1, "Shop"), odf.Header(2, "Returns"), odf.Paragraph(HARD)),
            "opened software",
            ("1. Shop", "1.1. Returns"),
            HARD,
        ),
        Sample(
            "table.odt",
            _opendocument("text", odf.Header(1, "Prices"), _odf_table("T", PRICES)),
            "price Quarrington",
            ("1. Prices",),
            "| Region: Quarrington; Price: 3,115",
        ),
        Sample(
            "note.odt",
            _opendocument("text", odf.Header(1, "Notes"), odf.List(["one", "two"]), noted),
            "opened software",
            ("1. Notes",),
            HARD,
        ),
    ]


def odp_samples() -> list[Sample]:
    odf = cast(Any, odfdo)

    def slides(*texts: tuple[str, str]) -> bytes:
        pages: list[Any] = []
        for number, (title, text) in enumerate(texts, 1):
            page = odf.DrawPage(f"p{number}", name=f"p{number}")
            page.append(odf.Frame.text_frame(title, presentation_class="title"))
            page.append(odf.Frame.text_frame(text, presentation_class="outline"))
            pages.append(page)
        return _opendocument("presentation", *pages)

    return [
        Sample(
            "two.odp", slides(("Welcome", "Hello"), ("Returns", HARD)), "opened software", ("Slide 2: Returns",), HARD
        ),
        Sample("one.odp", slides(("Returns", HARD)), "opened software", ("Slide 1: Returns",), HARD),
        Sample("untitled.odp", slides(("", HARD)), "opened software", ("Slide 1",), HARD),
    ]


def rtf_samples() -> list[Sample]:
    row = "\\trowd\\cellx1000\\cellx2000\\intbl {}\\cell {}\\cell\\row\n"
    table = "".join(row.format(*cells) for cells in PRICES)
    start = "{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}}{\\info{\\title The rules}}"
    return [
        Sample("plain.rtf", f"{start}\\b Returns\\b0\\par {HARD}\\par}}".encode(), "opened software", (), HARD),
        Sample(
            "table.rtf",
            f"{start}Prices\\par\n{table}\\pard Done.\\par}}".encode(),
            "price Quarrington",
            (),
            "| Region: Quarrington; Price: 3,115",
        ),
        Sample(
            "letters.rtf",
            (start + "Gr\\'fc\\'dfe aus \\u8222\\'84Quarrington\\u8220\\'93.\\par}").encode(),
            "Quarrington",
            (),
            "Grüße aus „Quarrington“.",
        ),
    ]
