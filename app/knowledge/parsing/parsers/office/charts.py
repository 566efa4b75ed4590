"""Read the numbers of a chart in an office file, which it keeps beside its picture, as a table."""

import datetime
import itertools
import re

from app.knowledge.parsing.parsers import table_grid, tables
from app.knowledge.parsing.parsers.office.number_formats import parse_format
from app.knowledge.parsing.parsers.office.package import Element
from app.knowledge.parsing.parsers.text_writer import TextWriter

_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_LABELS, _VALUES = ("cat", "xVal"), ("val", "yVal", "bubbleSize")
_DAY = re.compile(r"^(?=[^\"]*y)(?:[^\"\[\]]|\"[^\"]*\"|\[[^\[\]]*\])*$", re.IGNORECASE)
_FIRST_DAY = datetime.date(1899, 12, 30)


def write_chart(writer: TextWriter, chart: Element) -> None:
    """Write the title, and a row for each category, with a column for each series."""
    title = chart.find(f"{_C}chart/{_C}title")
    if title is not None:
        writer.write_text("".join(part.text or "" for part in title.iter(f"{_A}t")))
        writer.begin_paragraph()
    series = list(chart.iter(f"{_C}ser"))
    labels = [_read_points(each, _LABELS) for each in series]
    values = [_read_points(each, _VALUES) for each in series]
    # Series of a chart with points in both directions have categories of their own.
    for shared, group in itertools.groupby(range(len(series)), key=labels.__getitem__):
        columns = list(group)
        header = tables.Header(("", *(_read_name(series[column]) for column in columns)))
        places = sorted({*shared, *(at for column in columns for at in values[column])})
        rows = [(shared.get(at, ""), *(values[column].get(at, "") for column in columns)) for at in places]
        writer.begin_paragraph()
        writer.write_rows(header, [table_grid.Row(cells) for cells in rows])
        writer.begin_paragraph()


def _read_name(series: Element) -> str:
    name = series.find(f"{_C}tx")
    return " ".join(value.text or "" for value in name.iter(f"{_C}v")) if name is not None else ""


def _read_points(series: Element, kinds: tuple[str, ...]) -> dict[int, str]:
    """The points of a series by their place, as the chart shows them."""
    found: dict[int, str] = {}
    for kind in kinds:
        holder = series.find(f"{_C}{kind}")
        if holder is None:
            continue
        code = next(holder.iter(f"{_C}formatCode"), None)
        code = code.text or "" if code is not None else ""
        for point in holder.iter(f"{_C}pt"):
            value, at = point.find(f"{_C}v"), point.get("idx") or ""
            if value is not None and at.isdecimal():
                text = _show_value(value.text or "", code)
                found[int(at)] = f"{found[int(at)]} / {text}" if int(at) in found else text
    return found


def _show_value(text: str, code: str) -> str:
    """A value as its format shows it; days, which are counted from the end of 1899, as dates."""
    try:
        number = float(text)
        if _DAY.search(code):
            return (_FIRST_DAY + datetime.timedelta(days=number)).isoformat()
        return parse_format(code).write_number(number)
    except (ValueError, OverflowError):
        return text.strip()
