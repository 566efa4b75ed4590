"""Charts and diagrams of presentations: their numbers and texts are read, and damage to one spoils no other part."""

from typing import Any, cast

import pptx
import pytest
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from app.knowledge.parsing.dispatch import parse_file
from tests.files.office import changed
from tests.files.sample import saved

SLIDE, RELATIONS = "ppt/slides/slide1.xml", "ppt/slides/_rels/slide1.xml.rels"
DRAWN = b"http://schemas.openxmlformats.org/drawingml/2006/"


def charted(*codes: str, value: float = 45_000) -> tuple[bytes, list[str]]:
    """A slide with a chart of one value in each of these formats, and the names of their parts."""
    deck = pptx.Presentation()
    slide: Any = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Sales"
    for code in codes:
        data: Any = CategoryChartData(number_format=code)
        data.categories = ["Rome"]
        data.add_series("Total", (value,))
        slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(1), Inches(4), Inches(2), data)
    package: Any = cast(Any, deck).part.package
    names = [str(part.partname).lstrip("/") for part in package.iter_parts() if "/charts/" in str(part.partname)]
    return saved(deck), sorted(names)


def read_slides(file: bytes) -> str:
    return parse_file(file, name="a.pptx").text


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [
        (r"[$JPY]\ #,##0", 1200, "JPY 1200"),
        (r"[$CNY]\ #,##0", 1200, "CNY 1200"),
        (r'#,##0\ "PYG"', 1200, "1200 PYG"),
        ("[Yellow]0.0", 12.5, "12.5"),
        ('0 "days"', 3, "3 days"),
        (r"0\d", 3, "3d"),
        ("General", 45_000, "45000"),
        ("Standard", 45_000, "45000"),
        ("mm:ss", 45_000, "45000"),
        ("yyyy-mm-dd", 45_000, "2023-03-15"),
        ('"Stand "dd.mm.yyyy', 45_000, "2023-03-15"),
        ("d-mmm", 45_000, "2023-03-15"),
        ("[$-407]DD. MMMM YYYY;@", 45_000, "2023-03-15"),
        ("dd.mm.yyyy hh:mm", 45_000.75, "2023-03-15 18:00:00"),
        ("yyyy", 1e300, "1e+300"),
    ],
)
def test_values_of_charts_are_dates_only_if_their_format_says_so(code: str, value: float, shown: str) -> None:
    assert read_slides(charted(code, value=value)[0]).endswith(f"| Rome; Total: {shown}")


@pytest.mark.parametrize(
    ("setting", "shown"),
    [
        (b"<c:date1904/>", "2027-03-16"),
        (b'<c:date1904 val="1"/>', "2027-03-16"),
        (b'<c:date1904 val="0"/>', "2023-03-15"),
        (b"", "2023-03-15"),
    ],
)
def test_days_of_charts_are_counted_from_the_day_that_the_file_names(setting: bytes, shown: str) -> None:
    file, [name] = charted("yyyy-mm-dd")

    def change(part: bytes) -> bytes:
        before, _, after = part.partition(b'<c:date1904 val="0"/>')
        assert after
        return before + setting + after

    assert read_slides(changed(file, name, change)).endswith(f"| Rome; Total: {shown}")


@pytest.mark.parametrize("place", ["9" * 5_000, "²", "-1"])
def test_points_of_charts_at_impossible_places_are_left_out(place: str) -> None:
    file, [name] = charted("0")
    change = place.encode()
    found = read_slides(changed(file, name, lambda part: part.replace(b'idx="0"', b'idx="%s"' % change)))
    assert "Slide 1: Sales" in found
    assert "45000" not in found


def test_a_damaged_chart_is_left_out_and_spoils_no_other() -> None:
    file, [first, _] = charted("0", "0%", value=2)
    found = read_slides(changed(file, first, lambda part: part[:200]))
    assert found == "Slide 1: Sales\n\n| Rome; Total: 200%"


def as_diagram(file: bytes, name: str, diagram: bytes) -> bytes:
    """The file with a diagram in place of its chart."""
    file = changed(file, SLIDE, lambda part: part.replace(b"<c:chart ", b"<d:relIds ").replace(b" r:id=", b" r:dm="))
    file = changed(file, SLIDE, lambda part: part.replace(b"<d:relIds ", b'<d:relIds xmlns:d="%sdiagram" ' % DRAWN))
    file = changed(file, RELATIONS, lambda part: part.replace(b'relationships/chart"', b'relationships/diagramData"'))
    return changed(file, name, lambda _: diagram)


def test_a_damaged_diagram_is_left_out() -> None:
    file, [name] = charted("0")
    diagram = b'<d:dataModel xmlns:d="%sdiagram" xmlns:a="%smain"><a:p><a:t>Order</a:t></a:p></d:dataModel>'
    diagram %= (DRAWN, DRAWN)
    assert read_slides(as_diagram(file, name, diagram)) == "Slide 1: Sales\n\n- Order"
    assert read_slides(as_diagram(file, name, diagram[:-5])) == "Slide 1: Sales"


def test_a_raised_digit_of_a_slide_makes_no_other_number() -> None:
    deck = pptx.Presentation()
    slide: Any = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Cells"
    paragraph = slide.shapes.add_textbox(0, 0, Inches(4), Inches(1)).text_frame.paragraphs[0]
    for text, raised in (("10", ""), ("6", "30000"), (" cells, the 5", ""), ("th", "30000"), (", 3", "-25000")):
        run = paragraph.add_run()
        run.text = text
        if raised:
            run.font._element.set("baseline", raised)
    assert read_slides(saved(deck)).endswith("10⁶ cells, the 5th, 3")
